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
"""Mean of what the first and the third network give a face above which they agree on it, and it is not asked how clear
its pips are: where a lamp leaves few pips of another face the second is the surest of what is wrong. When the first and
the second were asked, of 289 dice above 0.85, laid by their outline in 12,000 drawn throws and 1,000 with leaning dice,
three were wrong, all ones, at 0.953 at most. Of 208 whose pips were pale, faint, or on a top of two colours 98 were
above, and right, but for a six that moves, and is refused for that. A clear two through which the five of its bottom
shone had 0.92 as a five."""

UNANIMOUS = AGREED | {1: 0.95}
"""Mean of what all networks give a face above which they agree on it where nothing else is seen on its top. Of 1,600
flat dice, drawn with a lamp in the top of one of them, none has another face with more than 0.35."""

SURE_OF_ALL = {1: 0.975, **dict.fromkeys(range(2, 7), 0.95)}
WIDE_SURE = 0.95
"""What each of the networks gives it, asked from all sides, and the wider one that learned from dice that lean, above
which nothing else that looks like a pip speaks against it: pips of the bottom of a clear die do, and edges of a lamp
that its top mirrors. Of 12,889 flat dice, drawn and traced, that were kept back, one wrong face has 0.78 of the
others, the rest less than 0.7; a clear two of which the pips of its bottom made a five has 0.851. To a clear two with a
lamp's streak in its middle (T515_01) they give 0.975 as a three, and the wider one 0.903; nineteen of twenty right ones
have more. A one may be all that is seen of a three, and needs more. What the bottom of a clear die adds in the middle
of its top they are not asked of (`vision.tray.translucent.MIDDLE`)."""


SURE_OF_PALE = 0.97
"""What the first network and the first that learned from dice that lean must give a die, from all sides, for its pale
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
        The chance of its face by the first one that learned from dice that lean; None where it was not asked.
    seconded_wide
        The same by the wider one that did.
    thirded
        The same by the one that is asked of what is in doubt.
    """

    chances: tuple[float, ...]
    seconded: float | None = None
    seconded_wide: float | None = None
    thirded: float | None = None

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
        """The mean of its chance and what the third network gives it; 0 where it was not asked from all sides."""
        return 0.0 if self.thirded is None else (self.chance + self.thirded) / 2

    @property
    def looks_flat(self) -> float:
        """The mean of what both that learned from dice that lean give it; 0 where they were not asked.

        Each doubts other flat dice, and believes others that lean.
        """
        if self.seconded is None or self.seconded_wide is None:
            return 0.0
        return (self.seconded + self.seconded_wide) / 2

    @property
    def is_sure(self) -> bool:
        """Whether the networks agree on its face."""
        return self.agreed > AGREED[self.fit.face]

    @property
    def is_unanimous(self) -> bool:
        """Whether the mean of all is high: it takes that where no pips had told a die before."""
        return (self.agreed + self.looks_flat) / 2 > UNANIMOUS[self.fit.face]

    @property
    def is_sure_of_all(self) -> bool:
        """Whether they are so sure of its face that nothing else on its top speaks against it."""
        if self.seconded is None or self.seconded_wide is None or self.thirded is None:
            return False
        least = min(self.chance, self.seconded, self.thirded)
        return least > SURE_OF_ALL[self.fit.face] and self.seconded_wide > WIDE_SURE

    @property
    def mean(self) -> float:
        """The mean of what all networks that were asked give its face."""
        return sum(self._told) / len(self._told)

    @property
    def least(self) -> float:
        """The least that any of the networks that were asked gives its face."""
        return min(self._told)

    @property
    def _told(self) -> list[float]:
        voices = (self.chance, self.seconded, self.seconded_wide, self.thirded)
        return [voice for voice in voices if voice is not None]

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
