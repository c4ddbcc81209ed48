"""A throw on its way from the reader to the rules. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware.journal import SeenDice
from firmware.texts import Words, words
from vision.types import Bgr, Fault, TrayReading

BAD_ROLLS: Final = frozenset({Fault.COCKED, Fault.STACKED, Fault.OUTSIDE})
"""Refusals that rest on something seen of the dice: stored as ``bad_roll``, the house rule decides what follows."""

AGAIN: Final[Mapping[str, Words]] = {
    "reroll_both": words("both again"),
    "reroll_one": words("that one again"),
    "counts_as_31": words("counts as 31"),
}
"""What a house rule makes of a bad roll, in words."""

FLAT: Final = words("lay them flat, apart")
"""What is to be done with dice that are shown and cannot be read."""

THROW_ANEW: Final = words("pick them up, throw")
"""What is to be done with dice that are no throw."""


def as_wanted(reading: TrayReading, dice: int) -> TrayReading:
    """Return *reading*, refused if it shows another number of dice than the rules want now."""
    if reading.faces is None or len(reading.faces) == dice:
        return reading
    fault = Fault.MISSING if len(reading.faces) < dice else Fault.EXTRA
    return TrayReading.refused(fault, f"{len(reading.faces)} dice, {dice} wanted", reading.dice)


def seen_dice(reading: TrayReading) -> SeenDice:
    """Return the dice of *reading* for the journal, from high to low; nothing where a colour is not known.

    Examples
    --------
    >>> seen_dice(TrayReading((2,), None))
    ()
    """
    dice = sorted(reading.dice, key=lambda die: -(die.face or 0))
    found = tuple((die.face, _hex(die.body_bgr)) for die in dice if die.face is not None and die.body_bgr is not None)
    return found if tuple(face for face, _ in found) == reading.faces else ()


def _hex(bgr: Bgr) -> str:
    """Return a colour as ``#rrggbb``."""
    return "#" + "".join(f"{part:02x}" for part in reversed(bgr))
