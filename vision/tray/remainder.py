"""What is not clear in a heap, when the dice that are clear are taken away: looked at by itself, as a lone die is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.layouts import SHINING
from vision.pips import Pip, is_echo
from vision.tray.closeup import Closeup
from vision.tray.found import Found, Judged
from vision.tray.laying import crowded
from vision.tray.leaning import SIDE_SEEN, doubt
from vision.tray.silhouette import silhouette
from vision.types import Gray, Mask, as_uint8

SLIVER = 0.3
"""Sides of a die: what is narrower beside clear dice is their shadow, or an edge of theirs."""

SMALLEST = 0.3
"""Area in top faces of what is looked at by itself."""

LOST, LARGEST_DIE = 0.05, 2.5
"""Area in top faces of what is new in scraps that are no piece, and no shadow, from which these may be of one die with
the pieces: one of two pips. The hull of all that is new of a die and its shadow is smaller than the second."""

BESIDE_MM = 0.5
"""How much larger the outlines of clear dice are drawn to take them away."""

CandidateT = TypeVar("CandidateT", bound=Candidate)


def clear_dice(part: Found) -> list[Judged]:
    """Return those of the chosen dice of *part* against which nothing speaks.

    Pips beside them may be those of a die that was not told: a piece that is left must explain them, then.
    """
    told = [c for c in part.chosen if c.is_sure or not c.pale]
    doubts = [doubt(part, c, strictly=False) for c in told]
    return [c for c, why in zip(told, doubts, strict=True) if why[0] is None or why == SIDE_SEEN]


def without(closeup: Closeup, clear: Sequence[Judged]) -> Closeup:
    """Return *closeup* with nothing new in it but what lies beside the *clear* dice."""
    outlines = silhouette(closeup, [c.fit for c in clear], BESIDE_MM)
    return _only(closeup, cv2.bitwise_and(closeup.changed, cv2.bitwise_not(outlines)))


def remainders(closeup: Closeup, clear: Sequence[Judged]) -> list[Closeup]:
    """Return *closeup* once for each piece of what is new in it beside the *clear* dice, and with nothing else new.

    In a heap the grey levels of all dice are shared out among few steps, and of a grey die beside a white one the pips
    run into one another: a piece has the steps for itself.
    """
    rest = without(closeup, clear).changed
    wide = max(3, round(SLIVER * closeup.side))
    whole = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((wide, wide), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    large = [k for k, (*_, area) in enumerate(stats.tolist()) if k and area > SMALLEST * closeup.side**2]
    return [_only(closeup, cv2.bitwise_and(_grown(labels == k), rest)) for k in large]


def as_one(closeup: Closeup, clear: Sequence[Judged], pieces: Sequence[Closeup]) -> list[Closeup]:
    """Return *closeup* with all that is new beside the *clear* dice, if it may be one die of which *pieces* are parts.

    Of a die that is like the felt little more than its pips and edges is new.
    """
    rest = without(closeup, clear)
    if not pieces:
        return [rest]
    seen = np.bitwise_or.reduce([piece.body for piece in pieces])
    lost = cv2.countNonZero(cv2.bitwise_and(rest.body, cv2.bitwise_not(seen)))
    is_one = lost > LOST * closeup.side**2 and hull_of_one(rest.changed, closeup.side) is not None
    return [rest] if is_one else []


def hull_of_one(new: Gray, side: float) -> cv2.typing.MatLike | None:
    """Return the convex hull of all that is *new*, if it may be one die of *side* pixels; None if nothing is."""
    hull = cv2.convexHull(cv2.findNonZero(new)) if new.any() else None
    return hull if hull is not None and cv2.contourArea(hull) < LARGEST_DIE * side**2 else None


_RIM = np.ones((5, 5), np.uint8)


def _grown(mask: Mask) -> Gray:
    return as_uint8(cv2.dilate(mask.view(np.uint8) * np.uint8(255), _RIM))


def _only(closeup: Closeup, where: cv2.typing.MatLike) -> Closeup:
    return replace(closeup, changed=as_uint8(where), body=as_uint8(cv2.bitwise_and(closeup.body, where)))


def put_together(before: Found, clear: Sequence[Judged], pieces: Sequence[Found]) -> Found:
    """Return *before* with the dice of *pieces* in the place of those that were not *clear*.

    Nothing that was seen before is forgotten: a pip that was seen then, and that the dice of the pieces do not explain,
    speaks against them now, but for those of which the networks are sure.
    """
    pips, settled = list(before.pips), {i for c in clear for i in c.fit.pips}
    candidates, chosen = list(before.candidates), list(clear)
    for piece in pieces:
        places = [_place(pips, pip, settled) for pip in piece.pips]
        candidates += [_moved(c, places) for c in piece.candidates]
        moved = [_moved(c, places) for c in piece.chosen]
        free = (c for c in moved if not any(c.clashes(other) for other in clear))
        chosen += [c for c in free if c.is_sure_of_all or not crowded(pips, c.fit, SHINING)]
    chosen += [c for c in before.chosen if not any(c.clashes(other) for other in chosen)]
    return replace(before, pips=pips, candidates=candidates, chosen=chosen)


def _place(pips: list[Pip], pip: Pip, settled: set[int]) -> int:
    """Return which of *pips* is *pip*, which takes its place there, or is added to them."""
    for k, old in enumerate(pips):
        if k not in settled and old.dark == pip.dark and is_echo(pip, old):
            pips[k] = pip
            return k
    pips.append(pip)
    return len(pips) - 1


def _moved(candidate: CandidateT, places: Sequence[int]) -> CandidateT:
    return replace(candidate, fit=replace(candidate.fit, pips=frozenset(places[i] for i in candidate.fit.pips)))
