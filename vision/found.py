"""What was found in a closeup: candidates with the second opinion on them, and those that were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.candidates import Candidate
from vision.closeup import Closeup
from vision.pips import Pip
from vision.types import Floats

PALE = 0.5
"""Pips seen at less than so much of what a clear one is, by contrast and roundness, are pale: those of a top that
mirrors the lamp, where others may not be seen at all."""


@dataclass(frozen=True, slots=True)
class Judged(Candidate):
    """A candidate with the second opinion on it: chances of no flat die, and of the faces 1 to 6."""

    chances: tuple[float, ...]

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
    def pale(self) -> bool:
        """Whether its pips are hardly seen."""
        return self.weight / self.chance < PALE * self.fit.face

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
