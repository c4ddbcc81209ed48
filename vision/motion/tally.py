"""The readings of one rest: how many agree, die by die, and what is to be made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.motion.lying import lies_at
from vision.types import Die, Fault, TrayReading

CONFIRM = 5
"""So many more readings must agree than are refused."""

SPENT = frozenset({Fault.COCKED, Fault.STACKED, Fault.OUTSIDE})
"""Refusals that end a throw: dice that lay so are not read when somebody puts them right."""

MOST_LEANING = 0.1
"""The part of the readings of a rest that may say that a die does not lie flat: more, and nothing is read."""

PATIENCE = 15
"""After so many readings without agreement the throw is refused: half a second at 30 a second."""

LONG_PATIENCE = 20
"""The same when dice are missing: one may still be on its way."""

CLOSE_LOOKS, AGAIN = 2, 5
"""After so many close looks one after the other that found no more than others only every so many-th picture is looked
at closely: such a look takes ten times as long, and the next picture of a rest shows the same."""

NOTHING = "the tray is empty"

SAME_PLACE = 0.1
"""How far, in sides of the die, a die at rest may seem to move from reading to reading."""

CONTRADICTION = 0.5
"""Two faces within so many sides are two readings of one die."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The readings of one rest so far.

    Attributes
    ----------
    tries
        Pictures read.
    lead
        Readings that agree with *seen* less those that do not.
    seen
        The reading that is in the lead.
    contradicted
        Two readings gave one die two faces: nothing of this rest is believed any more.
    refusals
        Every refusal, oldest first.
    in_vain
        So many of the last close looks were refused, one after the other, and not because a die moves.
    """

    tries: int = 0
    lead: int = 0
    seen: TrayReading | None = None
    contradicted: bool = False
    refusals: tuple[TrayReading, ...] = ()
    in_vain: int = 0

    @property
    def looks_closely(self) -> bool:
        """Whether the next picture is worth a close look: it may be read, and the last ones do not tell its outcome."""
        if self._leans_too_often(LONG_PATIENCE):
            return False
        return self.in_vain < CLOSE_LOOKS or self.tries % AGAIN == 0

    def _leans_too_often(self, tries: int) -> bool:
        """Whether a die does not lie flat in more than a few of so many readings."""
        return sum(refusal.fault in SPENT for refusal in self.refusals) > MOST_LEANING * tries

    def add(self, reading: TrayReading) -> Tally:
        """Return the tally with one more *reading*, of a picture looked at as `looks_closely` said."""
        tally = replace(self, tries=self.tries + 1)
        if self.looks_closely and reading.fault is not Fault.MOVING:
            tally = replace(tally, in_vain=0 if reading.fault is None else self.in_vain + 1)
        if reading.faces is None:
            return replace(tally, lead=max(0, self.lead - 1), refusals=(*self.refusals, reading))
        if self.seen is None:
            return replace(tally, lead=1, seen=reading)
        if _agree(reading.dice, self.seen.dice):
            return replace(tally, lead=self.lead + 1)
        doubt = TrayReading.refused(Fault.UNSURE, "two readings of one rest differ", reading.dice)
        contradicted = self.contradicted or _contradict(reading.dice, self.seen.dice)
        return replace(tally, lead=1, seen=reading, contradicted=contradicted, refusals=(*self.refusals, doubt))

    def verdict(self) -> TrayReading | None:
        """Return what to make of the dice, or None while it is open."""
        believed = not self.contradicted and not self._leans_too_often(self.tries)
        if self.lead >= CONFIRM and self.seen is not None and believed:
            return self.seen
        if not self.refusals:
            return None
        if len(self.refusals) == self.tries >= CONFIRM and all(r.note == NOTHING for r in self.refusals):
            return self.refusals[-1]
        told, patience = self.refusals, PATIENCE
        if self._leans_too_often(LONG_PATIENCE):  # whatever comes, nothing of this rest is read
            told, patience = tuple(r for r in told if r.fault in SPENT), CONFIRM
        elif self.contradicted:
            told = tuple(r for r in told if r.fault is Fault.UNSURE)
        fault = Counter(r.fault for r in told).most_common(1)[0][0]
        if fault is Fault.MISSING:
            patience = LONG_PATIENCE
        if self.tries < patience:
            return None
        # The last of them; but a tray in which something was seen is not told to be empty.
        return min((r for r in reversed(told) if r.fault is fault), key=lambda r: r.note == NOTHING)


def _agree(dice: Sequence[Die], others: Sequence[Die]) -> bool:
    """Whether two readings say the same of every single place."""
    return len(dice) == len(others) and all(
        any(die.face == other.face and lies_at(die, other, SAME_PLACE) for other in others) for die in dice
    )


def _contradict(dice: Sequence[Die], others: Sequence[Die]) -> bool:
    """Whether two readings give one die two faces."""
    return any(die.face != other.face and lies_at(die, other, CONTRADICTION) for die in dice for other in others)
