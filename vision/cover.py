"""Which of the proposed dice lie there: an exact cover of the pips by whole dice, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TypeVar

from vision.candidates import Candidate
from vision.pips import Pip

CandidateT = TypeVar("CandidateT", bound=Candidate)

MANY = 40
"""More dice than any tray of the game holds."""

MAX_CANDIDATES = 120
MAX_STEPS = 50_000
"""The search is cut off here. A cover that is not the best one leaves pips over, and is refused for them."""


def choose(candidates: Sequence[CandidateT], dice: int | None) -> list[CandidateT]:
    """Return the dice that explain most: no two in one place, no pip used twice, at most *dice* of them.

    Notes
    -----
    Weighted independent set by branch and bound, the heaviest candidates first. Candidates that clash with none of
    another group are searched apart from it: thirty dice take as many small searches, and not one that is cut off.
    """
    most = dice or MANY
    chosen = [c for group in _groups(candidates) for c in _best(group, most)]
    if len(chosen) > most:
        chosen = _best(candidates, most)
    return sorted(chosen, key=lambda c: -c.weight)


def _groups(candidates: Sequence[CandidateT]) -> list[list[CandidateT]]:
    """Return *candidates* in groups of which none clashes with one of another group."""
    apart: list[list[CandidateT]] = []
    for candidate in candidates:
        clashing = [group for group in apart if any(candidate.clashes(other) for other in group)]
        apart = [group for group in apart if not any(group is other for other in clashing)]
        apart.append([*(c for group in clashing for c in group), candidate])
    return apart


def _best(candidates: Sequence[CandidateT], most: int) -> list[CandidateT]:
    ranked = sorted(candidates, key=lambda c: -c.weight)[:MAX_CANDIDATES]
    if len(ranked) == 1:
        return ranked
    clashes = [{j for j, other in enumerate(ranked) if j != i and one.clashes(other)} for i, one in enumerate(ranked)]
    search = _Search([c.weight for c in ranked], clashes)
    search.descend(0, most, 0.0, [])
    return [ranked[i] for i in search.best]


class _Search:
    """One run of branch and bound: the best set so far, and how many steps it took."""

    def __init__(self, weights: Sequence[float], clashes: Sequence[set[int]]) -> None:
        self.weights = weights
        self.clashes = clashes
        self.best: list[int] = []
        self.best_total = 0.0
        self.steps = 0

    def descend(self, k: int, left: int, total: float, chosen: list[int]) -> None:
        self.steps += 1
        if total > self.best_total:
            self.best, self.best_total = list(chosen), total
        if k == len(self.weights) or left == 0 or self.steps > MAX_STEPS:
            return
        if total + sum(self.weights[k : k + left]) <= self.best_total:
            return
        if self.clashes[k].isdisjoint(chosen):
            self.descend(k + 1, left - 1, total + self.weights[k], [*chosen, k])
        self.descend(k + 1, left, total, chosen)


def greedy(candidates: Sequence[Candidate], dice: int | None) -> list[Candidate]:
    """Return about what `choose` does, the heaviest first: fast enough to compare scales."""
    chosen: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.weight):
        if len(chosen) == (dice or MANY):
            break
        if not any(candidate.clashes(other) for other in chosen):
            chosen.append(candidate)
    return chosen


def left_over(chosen: Sequence[Candidate], pips: Sequence[Pip]) -> list[Pip]:
    """Return the pips that no chosen die explains, though they look like those that are explained.

    Pips on the sides of a die are flat ellipses and are not meant: a round one that is left over belongs to a die
    that was not found, or to a die whose layout was laid wrongly.
    """
    used = {i for c in chosen for i in c.fit.pips}
    if not used:
        return []
    diameter = median(pips[i].diameter for i in used)
    levels = max(5.0, 0.4 * median(pips[i].levels for i in used))
    polarities = {pips[i].dark for i in used}
    return [
        pip
        for i, pip in enumerate(pips)
        if i not in used
        and pip.dark in polarities
        and pip.levels >= levels
        and pip.roundness >= 0.7
        and 0.5 < pip.diameter / diameter < 2.0
    ]


def rival(chosen: Sequence[Candidate], candidates: Sequence[Candidate]) -> Candidate | None:
    """Return a die of another face that could lie where a chosen one was put, and explains a pip that none does."""
    used = {i for c in chosen for i in c.fit.pips}
    for other in candidates:
        if other.fit.pips <= used:
            continue
        for c in chosen:
            if other.fit.face != c.fit.face and other.clashes(c) and other.weight > 0.5 * c.weight:
                return other
    return None
