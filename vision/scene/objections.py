"""What speaks against a reading: dice too few or too many, cut off, or pips that belong to none of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.cover import left_over, rival
from vision.pips import Pip
from vision.scene.pips import RING
from vision.scene.sight import MOST_UNLIKE, Sight
from vision.types import Fault

ON_TOP = 0.42
SIDE_REACH = 1.0
ROUND = 0.9
"""In sides from the middle of a die, where its side faces are in view; and how round a pip is that is no chance."""

TWIN_REACH = 1.1
TWIN_ROUND = 0.85
TWIN_SIZES = 0.75
"""What makes a pip that belongs to no die the twin of a one's: so many sides away at most, so round, and of no less
than so much of its diameter and contrast. Both may be the pips of a two."""

VERY_ROUND = 0.93
"""A spot so round, and as clear as the pips of the dice, is a pip of another one, whatever its colour."""

FEW = (2, 3)
FEW_EDGES = 0.45
"""Faces of so few pips as may be part of another one, or lie across top and side; and how clearly two edges of the die
must show around them. Of 148 that were read right in photographs from above the least had 0.78; of those that were
wrong in pictures changed by chance one had 0.42, one 0.3."""

NEAR_ONES = 1.6
"""So many sides apart at most two ones may be the pips of one two: in marble veins pass for their edges."""

CUT_ROUND = 0.5
CUT_REACH = 1.2
"""How round a spot at the edge of the picture is that may be a pip cut by it, and so many sides at most from the middle
of a die."""

BODY_L, BODY_AB = 24.0, 16.0
"""How far the colour of a body may be from that round its pip, in CIE Lab: lightness, and either of the others."""

BODY_AREA = (0.25, 4.0)
BODY_REACH = 3.0
BODY_SOLID = 0.6
"""In sides (and their square): no smaller is a die, and no larger, not even one that touches another. So much of its
convex hull has its colour: pips take a fifth; a grating is more holes than bars."""


def objection(
    chosen: Sequence[Candidate], candidates: Sequence[Candidate], sight: Sight, side: float, dice: int | None
) -> tuple[Fault | None, str]:
    """Return what speaks against *chosen* as the reading, and why; None and an empty note when nothing does.

    Parameters
    ----------
    chosen, candidates : sequence of Candidate
        The dice that are to be read, and all that could lie there.
    sight : Sight
        The picture and its pips.
    side : float
        Of the dice, in pixels.
    dice : int or None
        How many must lie there.
    """
    if not chosen:
        return Fault.MISSING if dice else Fault.UNSURE, "no die was found"
    if dice is not None and len(chosen) < dice:
        return Fault.MISSING, f"{len(chosen)} of {dice} dice were found"
    height, width = sight.lab.shape[:2]
    if any(not (0 <= x < width and 0 <= y < height) for c in chosen for x, y in c.fit.corners(0.8 * c.fit.side)):
        return Fault.OUTSIDE, "a die is cut by the edge of the picture"
    if _cut_pip(chosen, sight):
        return Fault.OUTSIDE, "a pip is cut by the edge of the picture"
    extra = [p for p in left_over(chosen, sight.pips) if _matters(p, chosen, sight, side, complete=dice is not None)]
    if extra:
        return Fault.UNSURE, f"{len(extra)} pips belong to none of the dice, one at {extra[0].x:.0f},{extra[0].y:.0f}"
    beside = [c for c in candidates if c.fit.face > 1 and not any(c.clashes(other) for other in chosen)]
    if beside:
        return Fault.EXTRA, f"another die may lie at {beside[0].fit.x:.0f},{beside[0].fit.y:.0f}"
    other = rival(chosen, candidates)
    if other is not None:
        return Fault.UNSURE, f"a {other.fit.face} could lie at {other.fit.x:.0f},{other.fit.y:.0f} as well"
    few = _doubt_of_few(chosen, sight.pips)
    if few is not None:
        return Fault.UNSURE, few
    unread = _unread(chosen, sight, side)
    if unread is not None:
        return Fault.EXTRA, f"a pip of another die may lie at {unread.x:.0f},{unread.y:.0f}"
    return None, ""


def _doubt_of_few(chosen: Sequence[Candidate], pips: Sequence[Pip]) -> str | None:
    """Return why one of *chosen* that has few pips may be part of a face that has more; None if nothing tells so."""
    for c in chosen:
        if c.fit.face in FEW and sorted(c.body.outline)[-2] < FEW_EDGES:
            return f"no edges are seen around a {c.fit.face} at {c.fit.x:.0f},{c.fit.y:.0f}"
    for one, other in combinations([c for c in chosen if c.fit.face == 1], 2):
        apart = hypot(one.fit.x - other.fit.x, one.fit.y - other.fit.y)
        (mine,), (its,) = one.fit.pips, other.fit.pips
        if apart < NEAR_ONES * one.fit.side and _is_alike(pips[mine], pips[its]):
            return f"two ones at {one.fit.x:.0f},{one.fit.y:.0f} may be a two"
    return None


def _cut_pip(chosen: Sequence[Candidate], sight: Sight) -> bool:
    """Whether a pip that the edge of the picture may cut lies beside one of *chosen*, and belongs to none."""
    height, width = sight.lab.shape[:2]
    used = {i for c in chosen for i in c.fit.pips}
    for i, pip in enumerate(sight.pips):
        if i in used or pip.roundness < CUT_ROUND:
            continue
        if min(pip.x, pip.y, width - 1 - pip.x, height - 1 - pip.y) > 0.6 * pip.diameter:
            continue
        near = (c for c in chosen if max(map(abs, c.fit.on_face(pip.x, pip.y))) < CUT_REACH)
        if any(_is_alike(pip, sight.pips[own]) for c in near for own in c.fit.pips):
            return True
    return False


def _matters(pip: Pip, chosen: Sequence[Candidate], sight: Sight, side: float, *, complete: bool) -> bool:
    """Whether a pip that belongs to no die speaks against *chosen*, of which there are as many as expected or not.

    If there are, it must be like that of a one beside it; or lie on what looks like one of them, or look every bit as a
    pip, and on more than the stroke of a letter.
    """
    if any(_is_twin(pip, c, sight.pips) for c in chosen if c.fit.face == 1):
        return True
    if any(_is_on_side_of(c, pip, sight.pips) for c in chosen):
        return False
    if not complete:
        return True
    index = sight.pips.index(pip)
    alike = any(np.linalg.norm(sight.ground[index] - c.body.colour) < MOST_UNLIKE for c in chosen)
    return (alike or pip.roundness >= ROUND) and _ground_of(sight, index, side).area > BODY_AREA[0] * side**2


def _is_twin(pip: Pip, one: Candidate, pips: Sequence[Pip]) -> bool:
    """Whether *pip* lies beside *one* and is every bit like its own: it may be half a two."""
    (own,) = (pips[i] for i in one.fit.pips)
    return (
        ON_TOP < max(map(abs, one.fit.on_face(pip.x, pip.y))) < TWIN_REACH
        and pip.roundness > TWIN_ROUND
        and _is_alike(pip, own)
        and pip.levels > TWIN_SIZES * own.levels
    )


def _is_alike(pip: Pip, other: Pip) -> bool:
    """Whether two pips have the same polarity and about the same size."""
    sizes = pip.diameter, other.diameter
    return pip.dark == other.dark and min(sizes) > TWIN_SIZES * max(sizes)


def _is_on_side_of(candidate: Candidate, pip: Pip, pips: Sequence[Pip]) -> bool:
    """Whether *pip* is where a side face of *candidate* may be in view, and flatter than the pips of its top.

    A single pip does not tell top from side.
    """
    if candidate.fit.face == 1:
        return False
    along, across = (abs(way) for way in candidate.fit.on_face(pip.x, pip.y))
    beside = ON_TOP < max(along, across) < SIDE_REACH and min(along, across) < 0.6
    return beside and pip.roundness < min(ROUND, float(np.mean([pips[i].roundness for i in candidate.fit.pips])) - 0.05)


def _unread(chosen: Sequence[Candidate], sight: Sight, side: float) -> Pip | None:
    """Return a spot that looks every bit as a pip of another die, whatever its colour: it lies on a body of its own."""
    used = {i for c in chosen for i in c.fit.pips}
    diameter, levels = np.median(sight.table[sorted(used)][:, [2, 5]], axis=0)
    for i, pip in enumerate(sight.pips):
        if i in used or pip.roundness < VERY_ROUND or pip.levels < max(6.0, 0.5 * levels):
            continue
        if not 0.45 < pip.diameter / diameter < 2.5:
            continue
        away = min(max(map(abs, c.fit.on_face(pip.x, pip.y))) for c in chosen)
        if away > 0.6 and _lies_on_a_die(sight, i, side):
            return pip
    return None


@dataclass(frozen=True, slots=True)
class _Ground:
    """What has the colour round a pip and hangs together with it: its pixels, extent and solidity, 0 to 1.

    `whole` is False where it runs out of the surroundings that were looked at.
    """

    area: float
    extent: float
    solid: float
    whole: bool


def _ground_of(sight: Sight, index: int, side: float) -> _Ground:
    """Return the ground of pip *index*, looked at as far as a die and its neighbours may reach."""
    pip, ground = sight.pips[index], sight.ground[index]
    reach = round(0.5 * (BODY_REACH + 1) * side)
    left, top = max(round(pip.x) - reach, 0), max(round(pip.y) - reach, 0)
    part = sight.lab[top : round(pip.y) + reach, left : round(pip.x) + reach]
    spread = np.array((BODY_L, BODY_AB, BODY_AB), np.float32)
    alike = cv2.inRange(part, np.clip(ground - spread, 0, 255), np.clip(ground + spread, 0, 255))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(alike)
    turn = np.arange(16) * (np.pi / 8)
    rows = np.rint(pip.y - top + RING * pip.diameter * np.sin(turn)).astype(np.intp).clip(0, part.shape[0] - 1)
    columns = np.rint(pip.x - left + RING * pip.diameter * np.cos(turn)).astype(np.intp).clip(0, part.shape[1] - 1)
    here = np.bincount(labels[rows, columns], minlength=count)
    here[0] = 0
    body = int(here.argmax())
    if here[body] == 0:
        return _Ground(0.0, 0.0, 0.0, whole=True)
    x, y, wide, deep, area = stats[body].tolist()
    whole = x > 0 and y > 0 and x + wide < part.shape[1] and y + deep < part.shape[0]
    hull = cv2.contourArea(cv2.convexHull(np.argwhere(labels == body).astype(np.float32)))
    return _Ground(area, max(wide, deep), area / max(hull, 1.0), whole)


def _lies_on_a_die(sight: Sight, index: int, side: float) -> bool:
    """Whether the ground of pip *index* is about as large as a die, and as solid."""
    ground = _ground_of(sight, index, side)
    low, high = (limit * side**2 for limit in BODY_AREA)
    return ground.whole and ground.extent < BODY_REACH * side and low < ground.area < high and ground.solid > BODY_SOLID
