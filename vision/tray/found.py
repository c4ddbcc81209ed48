"""What was found in a closeup: candidates with the second opinion on them, and those that were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.candidates import Candidate
from vision.pips import Pip
from vision.tray.closeup import Closeup
from vision.types import Floats

PALE = 0.5
"""Pips seen at less than so much of what a clear one is, by contrast and roundness, are pale: those of a top that
mirrors the lamp, where others may not be seen at all."""

AGREED = {1: 0.975, 2: 0.95, 3: 0.95, 4: 0.9, 5: 0.95, 6: 0.9}
"""Mean of what the first network and the deep one give a face above which they agree on it, and it is not asked how
clear its pips are. Of 24,213 flat dice, drawn and traced, of tables that neither had learned from, one wrong face has
0.84 and no other more than 0.71. A one may be all that is seen of a three, and fives and threes what shines through
from the bottom of a clear die."""

UNANIMOUS = AGREED | {1: 0.95}
"""The same where nothing else is seen on its top."""

SURE_OF_ALL = {1: 0.975, **dict.fromkeys(range(2, 7), 0.95)}
"""What each of both gives it, asked from all sides, above which nothing else that looks like a pip speaks against it:
pips of the bottom of a clear die do, and edges of a lamp that its top mirrors. Of 15,000 flat dice, drawn and traced,
that were kept back, no wrong face has more than 0.53. A one may be all that is seen of a three, and needs more. What
the bottom of a clear die adds in the middle of its top they are not asked of (`vision.tray.translucent.MIDDLE`)."""

SURE_OF_PALE = 0.97
"""What the first network and the one that learned from dice that lean must give a die, from all sides, for its pale
pips to take no closer look."""


@dataclass(frozen=True, slots=True)
class Judged(Candidate):
    """A candidate with the second opinion on it.

    Attributes
    ----------
    chances
        Of no flat die, and of the faces 1 to 6, by the network that is asked of all; raised, where it was asked, by the
        one that is asked of what is in doubt.
    seconded
        The chance of its face by the deep network that is asked of what is in doubt, or, at a quick look, by the one
        that learned from dice that lean; None where neither was asked.
    """

    chances: tuple[float, ...]
    seconded: float | None = None

    @classmethod
    def by(cls, candidate: Candidate, chances: Floats) -> Judged:
        """Return *candidate* with *chances*, its weight so much less as they doubt it."""
        weight = candidate.weight * float(chances[candidate.fit.face])
        return cls(candidate.fit, candidate.body, weight, tuple(chances.tolist()))

    def judged_anew(self, chances: Floats) -> Judged:
        """Return the same die with other *chances*."""
        return Judged.by(Candidate(self.fit, self.body, self.weight / self.chance), chances)

    @property
    def chance(self) -> float:
        """The chance of the face that the layout tells."""
        return self.chances[self.fit.face]

    @property
    def agreed(self) -> float:
        """The mean of its chance and what the second network gives it; 0 where that was not asked."""
        return 0.0 if self.seconded is None else (self.chance + self.seconded) / 2

    @property
    def looks_flat(self) -> float:
        """What the second network gives it; 0 where that was not asked."""
        return self.seconded or 0.0

    @property
    def is_sure(self) -> bool:
        """Whether the networks agree on its face."""
        return self.agreed > AGREED[self.fit.face]

    @property
    def is_unanimous(self) -> bool:
        """Whether their mean is high: it takes that where no pips had told a die before."""
        return self.agreed > UNANIMOUS[self.fit.face]

    @property
    def is_sure_of_all(self) -> bool:
        """Whether they are so sure of its face that nothing else on its top speaks against it."""
        return self.seconded is not None and self.least > SURE_OF_ALL[self.fit.face]

    @property
    def least(self) -> float:
        """The least that any of the networks that were asked gives its face."""
        return self.chance if self.seconded is None else min(self.chance, self.seconded)

    @property
    def pale(self) -> bool:
        """Whether its pips are hardly seen."""
        return self.weight / self.chance < PALE * self.fit.face

    @property
    def is_clear(self) -> bool:
        """Whether its pips are clearly seen, or two networks are sure of it from all sides."""
        return not self.pale or (self.seconded is not None and min(self.chance, self.seconded) > SURE_OF_PALE)

    @property
    def confidence(self) -> float:
        """0 to 1: the weaker of both opinions."""
        # slots=True makes a new class, which super() without arguments does not know.
        return min(Candidate.confidence.fget(self), self.chance)  # type: ignore[attr-defined, no-any-return]


@dataclass(frozen=True, eq=False)
class Found:
    """A closeup, and what was made of it.

    Attributes
    ----------
    closeup
        The picture and what is new in it.
    pips
        What may be a pip, in its pixels.
    candidates
        The dice they may belong to.
    chosen
        Those of them that explain most together.
    disowned
        Those that pips and layout proposed, and the second opinion would not have.
    """

    closeup: Closeup
    pips: Sequence[Pip]
    candidates: Sequence[Candidate]
    chosen: Sequence[Judged]
    disowned: Sequence[Judged]
