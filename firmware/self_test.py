"""What the table shows of itself when power comes: every lamp in turn, every dot of the display, then what was found.

Pure: a moment of the test in, lamps and display out. `power_on` asks the devices and keeps the time.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from firmware.lamps import Look, Pattern
from firmware.sounds import Melody
from hardware.devices import SEAT_KEYS, Bitmap, Key, Lamp, Screen
from vision.types import Fault

TRIED_S: Final = 0.8
"""So long the lamps light in turn while the display shows all it has."""

WELL_S: Final = 0.6
TROUBLE_S: Final = 1.2
"""So long what was found is shown after that, where all is well and where it is not: two seconds at most together."""

TONE: Final[Melody] = ((440.0, 0.2),)

_WIDTH: Final = 21
_MOST_LINES: Final = 3


class Trouble(NamedTuple):
    """Something that is not well: big, in a line, in four characters."""

    big: str
    line: str
    four: str


# --- every text of the self-test ---

TITLE: Final = "SELF-TEST"
PATTERN: Final = Screen(TITLE, "88888", ("every lamp, every dot",), "8888", Bitmap(128, 64, bytes([255]) * 128 * 64))
WELL: Final = Screen(TITLE, "OK", ("the camera sees well,", "no button is stuck"), "GOOd")
NO_PICTURE: Final = Trouble("CAM?", "no picture yet", "CAM?")
FAULTS: Final[Mapping[Fault, Trouble]] = {
    Fault.LIGHT: Trouble("LAMP?", "light not as set up", "LMP?"),
    Fault.CAMERA_MOVED: Trouble("MOVED", "calibrate again", "MOVd"),
}
"""What the first picture may tell; anything else depends on dice."""

ONE_STUCK, MORE_STUCK, SEAT, SEATS = "{name} is stuck", "stuck: {names}", "seat {number}", "seats {numbers}"
OTHERS: Final[Mapping[Key, str]] = {Key.STOP: "STOP", Key.CONFIRM: "knob"}
STUCK_BIG: Final = "STUCK"
STUCK_FOUR: Final[Mapping[Key, str]] = {
    **{key: f"StU{number}" for number, key in enumerate(SEAT_KEYS, start=1)},
    Key.STOP: "StUP",
    Key.CONFIRM: "StUK",
}


# --- a moment of it ---


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One moment of the test.

    Attributes
    ----------
    lamps
        The lamps that are there, in the order in which they light.
    begun_s
        When it began, in seconds of the table's clock.
    lit
        How many lamps have had their turn before the one that shines; all of them: what was found is shown.
    stuck
        Buttons that are down since power came.
    picture
        Whether the camera has given a picture.
    fault
        What that picture says of light and camera, None when it is as it was calibrated.
    """

    lamps: tuple[Lamp, ...]
    begun_s: float
    lit: int = 0
    stuck: tuple[Key, ...] = ()
    picture: bool = False
    fault: Fault | None = None

    @property
    def tried(self) -> bool:
        """Return whether every lamp has had its turn."""
        return self.lit >= len(self.lamps)

    @property
    def next_s(self) -> float:
        """Return when the next moment is due."""
        if not self.tried:
            return self.begun_s + (self.lit + 1) * TRIED_S / len(self.lamps)
        return self.begun_s + TRIED_S + (TROUBLE_S if troubles(self) else WELL_S)

    def at(self, now_s: float) -> SelfTest | None:
        """Return the test as it is at *now_s*, None when it is over; who comes late skips lamps, not time."""
        test: SelfTest = self
        while now_s >= test.next_s:
            if test.tried:
                return None
            test = replace(test, lit=test.lit + 1)
        return test


def troubles(test: SelfTest) -> tuple[Trouble, ...]:
    """Return everything that is not well."""
    return tuple(_troubles(test))


def _troubles(test: SelfTest) -> Iterator[Trouble]:
    if test.stuck:
        yield Trouble(STUCK_BIG, stuck_words(test.stuck), STUCK_FOUR[test.stuck[0]])
    if not test.picture:
        yield NO_PICTURE
    elif test.fault is not None:
        yield FAULTS.get(test.fault, NO_PICTURE)


def stuck_words(stuck: Sequence[Key]) -> str:
    """Return which buttons are down with nobody pressing, seats by their numbers.

    Examples
    --------
    >>> stuck_words([Key.SEAT_3])
    'seat 3 is stuck'
    >>> stuck_words([Key.SEAT_2, Key.SEAT_3, Key.STOP])
    'stuck: seats 2 3, STOP'
    """
    numbers = [str(SEAT_KEYS.index(key) + 1) for key in stuck if key in SEAT_KEYS]
    seats = [SEAT.format(number=numbers[0])] if len(numbers) == 1 else [SEATS.format(numbers=" ".join(numbers))]
    names = [*(seats if numbers else ()), *(OTHERS[key] for key in stuck if key in OTHERS)]
    return ONE_STUCK.format(name=names[0]) if len(stuck) == 1 else MORE_STUCK.format(names=", ".join(names))


def look(test: SelfTest) -> Look:
    """Return what the devices show at this moment of the test; the lamp of a stuck seat blinks."""
    if not test.tried:
        return Look(PATTERN, {test.lamps[test.lit]: Pattern.ON})
    found = troubles(test)
    if not found:
        return Look(WELL)
    lines = [line for trouble in found for line in textwrap.wrap(trouble.line, _WIDTH)]
    lamps = {Lamp(key): Pattern.BLINK for key in test.stuck if key is not Key.CONFIRM}
    return Look(Screen(TITLE, found[0].big, tuple(lines[:_MOST_LINES]), found[0].four), lamps)
