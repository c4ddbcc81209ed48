"""The six layouts as rigid patterns, in sides of the die, and how one is laid over pips that were seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, sin
from typing import TypeAlias

import numpy as np

from vision.pips import Pip
from vision.types import Doubles, Mask, Point

SPAN = 0.51
"""Distance of the corner pips of a face in sides; between 0.46 and 0.56 on the dice that were measured."""

SIX_SPAN = 0.57
"""Length of a row of three pips of a six in sides: the long way of a six is longer than the span of a four."""

MIN_SIX, MAX_COSINE = 0.6, 0.47
"""Distance of the rows of a six, in their length, and the cosine between the diagonals of such a rectangle. In
photographs the first is 0.75 and more; rows of asian dice are nearer."""

PIP_PER_SIDE = (0.11, 0.31)
"""Diameter of a pip in sides: the smallest on wooden dice, the largest the red one of asian dice."""

FAINT = 0.45
"""A pip seen at less than this part of another's grey levels may not be of the same face: pips of the bottom face
shine through translucent dice, far fainter than those on top."""

SHINING = 0.75
"""The same where the second opinion is asked of all that may lie there: pips of the bottom come to so much on dice as
clear as glass. Of 298 faces so laid where another lies, a two on a five above all, it gave none more than 0.12; of 81
right ones 32 more than 0.92."""

Quad: TypeAlias = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class FaceFit:
    """One layout laid over some pips.

    Attributes
    ----------
    face
        1 to 6.
    x, y
        Centre in pixels.
    angle
        Direction of one side in radians; 0 for a one, which has none.
    side
        Side of the die in pixels as these pips say it; 0 for a one, which says nothing.
    pips
        Indices of the pips that are used.
    residual
        Root mean square distance of the pips from the pattern, in sides.
    """

    face: int
    x: float
    y: float
    angle: float
    side: float
    pips: frozenset[int]
    residual: float

    def corners(self, side: float | None = None) -> Quad:
        """Return the corners of the top face in pixels, clockwise."""
        half = (self.side if side is None else side) / 2
        c, s = cos(self.angle) * half, sin(self.angle) * half
        offsets = ((-c + s, -s - c), (c + s, s - c), (c - s, s + c), (-c - s, -s + c))
        return tuple((float(self.x + dx), float(self.y + dy)) for dx, dy in offsets)  # type: ignore[return-value]

    def on_face(self, x: float, y: float) -> Point:
        """Return pixel (x, y) in sides of the die from the centre of the face, along its own axes."""
        c, s = cos(self.angle), sin(self.angle)
        dx, dy = (x - self.x) / self.side, (y - self.y) / self.side
        return c * dx + s * dy, -s * dx + c * dy


def fit_faces(pips: Sequence[Pip], sides: tuple[float, float], apart: Mask | None = None) -> Iterator[FaceFit]:
    """Lay twos to sixes over every pair of *pips* that could be the two ends of a diagonal.

    Parameters
    ----------
    pips : sequence of Pip
    sides : (float, float)
        Smallest and largest side of a die in pixels.
    apart : ndarray of bool, shape (len(pips), len(pips)), optional
        True for two pips that cannot be the ends of a diagonal of one face, whatever their distance.

    Yields
    ------
    FaceFit
        Each is only a proposal: a two is also found inside every four.
    """
    if len(pips) < 2:
        return
    table = np.array([(p.x, p.y, p.diameter, p.roundness, p.dark, p.levels) for p in pips])
    distance = np.hypot(table[:, None, 0] - table[None, :, 0], table[:, None, 1] - table[None, :, 1])
    side = distance / (SPAN * np.sqrt(2))
    size = (table[:, None, 2] + table[None, :, 2]) / 2
    good = (side > sides[0] * 0.87) & (side <= sides[1] * 1.15) & (table[:, None, 4] == table[None, :, 4])
    good &= (size > PIP_PER_SIDE[0] * side) & (size < PIP_PER_SIDE[1] * side)
    good &= np.maximum(table[:, None, 2], table[None, :, 2]) < 1.5 * np.minimum(table[:, None, 2], table[None, :, 2])
    if apart is not None:
        good &= ~apart
    for i, j in np.argwhere(np.triu(good, 1)).tolist():
        yield from _on_diagonal(table, i, j, float(side[i, j]))


def _on_diagonal(table: Doubles, i: int, j: int, side: float) -> Iterator[FaceFit]:
    """Return the faces of which pips *i* and *j* are the ends of a diagonal."""
    x, y = ((table[i, :2] + table[j, :2]) / 2).tolist()
    centre = _nearest(table, x, y, within=0.09 * side, like=i)
    centres = [centre] if centre is None or not _is_faint(table, centre, i, j) else [centre, None]
    found_quad = False
    for k in _ends_of_other_diagonal(table, i, j, x, y):
        other = _nearest(table, 2 * x - table[k, 0], 2 * y - table[k, 1], within=0.09 * side, like=i)
        if other is None or k > other:
            continue
        found_quad = True
        for middle in centres:
            yield from _quads(table, (i, k, j, other), middle)
    if found_quad:
        return
    angle = atan2(table[j, 1] - table[i, 1], table[j, 0] - table[i, 0]) - np.pi / 4
    for middle in centres:
        if middle is None:
            yield FaceFit(2, x, y, angle, side, frozenset((i, j)), 0.0)
        else:
            off = hypot(table[middle, 0] - x, table[middle, 1] - y) / side
            yield FaceFit(3, x, y, angle, side, frozenset((i, middle, j)), off)


def _ends_of_other_diagonal(table: Doubles, i: int, j: int, x: float, y: float) -> Iterator[int]:
    half = hypot(table[i, 0] - x, table[i, 1] - y)
    arm = (table[i, :2] - (x, y)) / half
    rel = table[:, :2] - (x, y)
    length = np.hypot(rel[:, 0], rel[:, 1])
    cosine = np.abs(rel @ arm) / np.maximum(length, 1e-6)
    like = (table[:, 4] == table[i, 4]) & (table[:, 2] > 0.6 * table[i, 2]) & (table[:, 2] < 1.65 * table[i, 2])
    good = (np.abs(length / half - 1) < 0.14) & (cosine < MAX_COSINE) & like
    good[[i, j]] = False
    yield from (int(k) for k in np.nonzero(good)[0])


def _quads(table: Doubles, ring: tuple[int, int, int, int], centre: int | None) -> Iterator[FaceFit]:
    """Return the four, five or six whose corner pips are *ring*, in order around the face."""
    p = table[list(ring), :2]
    x, y = p.mean(axis=0).tolist()
    edges = np.roll(p, -1, axis=0) - p
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    one, two = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    side = float(max(one, two) / SPAN)
    aspect = float(min(one, two) / max(one, two))
    if aspect < MIN_SIX:
        return
    angle = float(atan2(*(edges[0] - edges[2])[::-1]))
    residual = float(np.abs(p[0] + p[2] - p[1] - p[3]).max() / 4 / side)
    mids = []
    for a, b in ((0, 1), (1, 2)):
        near = _nearest(table, *((p[a] + p[b]) / 2).tolist(), within=0.09 * side, like=ring[0])
        far = _nearest(table, *((p[a + 2] + p[(b + 2) % 4]) / 2).tolist(), within=0.09 * side, like=ring[0])
        mids.append(None if near is None or far is None else (near, far))
    used = frozenset(ring)
    for pair, length in zip(mids, (one, two), strict=True):
        if pair is not None:
            yield FaceFit(6, x, y, angle, float(length / SIX_SPAN), used | set(pair), residual)
            return
    mean_side = float((one + two) / 2 / SPAN)
    if aspect < 0.8:
        return
    if centre is not None:
        yield FaceFit(5, x, y, angle, mean_side, used | {centre}, residual)
    else:
        yield FaceFit(4, x, y, angle, mean_side, used, residual)


def _nearest(table: Doubles, x: float, y: float, *, within: float, like: int) -> int | None:
    """Return the pip nearest to (x, y) that is of the size and polarity of *like*."""
    d = np.hypot(table[:, 0] - x, table[:, 1] - y)
    d[
        (table[:, 4] != table[like, 4]) | (table[:, 2] < 0.6 * table[like, 2]) | (table[:, 2] > 1.65 * table[like, 2])
    ] = np.inf
    best = int(np.argmin(d))
    return best if d[best] < within else None


def _is_faint(table: Doubles, centre: int, i: int, j: int) -> bool:
    """Whether the spot between pips *i* and *j* may be a pip of the bottom face that shines through.

    Then both are proposed, with and without it: how much it differs from the body decides.
    """
    return bool(table[centre, 5] < FAINT * max(table[i, 5], table[j, 5]))


def yaw_deg(angle: float) -> float:
    """Return *angle* (radians, clockwise in the picture) as `vision.Die.yaw_deg`: a square tells no more than 90."""
    return degrees(-angle) % 90.0 % 90.0  # the second for what is by a rounding below 0
