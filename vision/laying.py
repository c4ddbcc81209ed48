"""Lay the six layouts over the pips of a closeup, where the side of a die is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan2, pi

import numpy as np

from vision.layouts import FAINT, FaceFit
from vision.pips import Pip
from vision.types import Doubles, Mask

DIAGONAL = (0.48, 0.88)
"""Distance of two pips at the ends of a diagonal, in sides: pips stand 0.38 to 0.6 of a side apart, the two rows of
a six down to 0.33."""

NEAR = 0.085
"""How far, in sides, a pip may be from where the others say that it must be."""

SIZES = 1.65
"""Up to so many times may one pip of a face look larger than another: glints and shade eat at them."""

MIN_SQUARE = 0.8
MIN_SIX = 0.58
"""Short over long side of the rectangle of the corner pips: of a four or five, which is square, and of a six."""

UNLIKE_SQUARE = 0.16
MAX_COSINE = 0.5
"""Difference in length of the two diagonals, as a part; cosine of the angle between them."""

ROUND = 0.7
"""Veins of marble and pips of a side are less round than a pip that was left over."""

ON_FACE = 0.42
"""Within so many sides of the middle a pip lies on the top face and on no other."""


@dataclass(frozen=True, eq=False)
class _Pips:
    """The pips of one polarity as arrays of length N: places in pixels, shape (N, 2), and the rest."""

    at: Doubles
    diameter: Doubles
    levels: Doubles
    index: tuple[int, ...]


def lay(pips: Sequence[Pip], side: float) -> Iterator[FaceFit]:
    """Yield every two to six that may lie over *pips* on a die of *side* pixels, and that leaves no pip over on it.

    Each is only a proposal: what lies beneath is not looked at. Its side is *side*; its residual is what of `NEAR`
    the worst pip used, in sides.
    """
    for dark in (True, False):
        index = tuple(i for i, pip in enumerate(pips) if pip.dark == dark)
        if len(index) < 2:
            continue
        own = [pips[i] for i in index]
        table = np.array([(p.x, p.y, p.diameter, p.levels) for p in own])
        some = _Pips(table[:, :2], table[:, 2], table[:, 3], index)
        for fit in _fits(some, side):
            if not crowded(pips, fit):
                yield fit


def crowded(pips: Sequence[Pip], fit: FaceFit) -> bool:
    """Return whether a pip that is not of the layout, but like its pips, lies on the face."""
    own = [pips[i] for i in fit.pips]
    diameter = sorted(p.diameter for p in own)[len(own) // 2]
    levels = max(3.0, FAINT * sorted(p.levels for p in own)[len(own) // 2])
    for i, pip in enumerate(pips):
        if i in fit.pips or pip.dark != own[0].dark or pip.levels < levels or pip.roundness < ROUND:
            continue
        if 0.5 < pip.diameter / diameter < 1.8 and max(map(abs, fit.on_face(pip.x, pip.y))) < ON_FACE:
            return True
    return False


def _fits(some: _Pips, side: float) -> Iterator[FaceFit]:
    i, j = np.triu_indices(len(some.index), 1)
    reach = np.hypot(*(some.at[i] - some.at[j]).T)
    ratio = some.diameter[i] / some.diameter[j]
    good = (reach > DIAGONAL[0] * side) & (reach < DIAGONAL[1] * side) & (ratio < SIZES) & (ratio > 1 / SIZES)
    i, j, reach = i[good], j[good], reach[good]
    centre = (some.at[i] + some.at[j]) / 2
    for k in range(len(i)):
        yield from _on_diagonal(some, side, int(i[k]), int(j[k]))
        off = np.hypot(*(centre[k + 1 :] - centre[k]).T)
        like = np.abs(reach[k + 1 :] / reach[k] - 1) < UNLIKE_SQUARE
        for other in np.flatnonzero((off < NEAR * side) & like):
            yield from _on_quad(some, side, (int(i[k]), int(i[k + 1 + other]), int(j[k]), int(j[k + 1 + other])))


def _on_diagonal(some: _Pips, side: float, i: int, j: int) -> Iterator[FaceFit]:
    """Yield the two or three whose diagonal has its ends at pips *i* and *j*; both where the middle one is faint."""
    middle_of = (some.at[i] + some.at[j]) / 2
    dx, dy = some.at[j] - some.at[i]
    angle = atan2(dy, dx) - pi / 4
    middle = _nearest(some, middle_of, NEAR * side, like=i)
    if middle is None or some.levels[middle] < FAINT * max(some.levels[i], some.levels[j]):
        yield _fit(some, side, 2, (i, j), angle)
    if middle is not None:
        yield _fit(some, side, 3, (i, middle, j), angle)


def _on_quad(some: _Pips, side: float, ring: tuple[int, int, int, int]) -> Iterator[FaceFit]:
    """Yield the four, five or six whose corner pips are *ring*, in order around the face."""
    p = some.at[list(ring)]
    edges = np.roll(p, -1, axis=0) - p
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    one, two = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    aspect = min(one, two) / max(one, two)
    first, second = p[2] - p[0], p[3] - p[1]
    if aspect < MIN_SIX or abs(first @ second) > MAX_COSINE * float(np.hypot(*first) * np.hypot(*second)):
        return
    along = edges[0] - edges[2]
    angle = atan2(along[1], along[0])
    for a in (0, 1):
        near = _nearest(some, (p[a] + p[a + 1]) / 2, NEAR * side, like=ring[0])
        far = _nearest(some, (p[a + 2] + p[(a + 3) % 4]) / 2, NEAR * side, like=ring[0])
        if near is not None and far is not None and near != far:
            yield _fit(some, side, 6, (*ring, near, far), angle)
            return
    if aspect < MIN_SQUARE:
        return
    middle = _nearest(some, p.mean(axis=0), NEAR * side, like=ring[0])
    if middle is None or some.levels[middle] < FAINT * float(np.median(some.levels[list(ring)])):
        yield _fit(some, side, 4, ring, angle)
    if middle is not None:
        yield _fit(some, side, 5, (*ring, middle), angle)


def _fit(some: _Pips, side: float, face: int, used: Sequence[int], angle: float) -> FaceFit:
    x, y = some.at[list(used[:4] if face > 3 else used)].mean(axis=0)
    off = 0.0
    if face == 3:
        off = float(np.hypot(*(some.at[used[1]] - (some.at[used[0]] + some.at[used[2]]) / 2)))
    elif face > 3:
        p = some.at[list(used[:4])]
        off = float(np.abs(p[0] + p[2] - p[1] - p[3]).max() / 4)
    return FaceFit(face, float(x), float(y), angle, side, frozenset(some.index[k] for k in used), off / side)


def _nearest(some: _Pips, place: Doubles, within: float, *, like: int) -> int | None:
    """Return the pip nearest to *place* that is of the size of *like*, or None when none is near."""
    away = np.hypot(*(some.at - place).T)
    ratio = some.diameter / some.diameter[like]
    good: Mask = (away < within) & (ratio < SIZES) & (ratio > 1 / SIZES)
    if not good.any():
        return None
    return int(np.where(good, away, np.inf).argmin())
