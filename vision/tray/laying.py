"""Lay the six layouts over the pips of a closeup, where the side of a die is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, hypot, pi
from typing import TypeAlias

from vision.layouts import FAINT, FaceFit
from vision.pips import Pip

DIAGONAL = (0.48, 0.88)
"""Distance of two pips at the ends of a diagonal, in sides: pips stand 0.38 to 0.6 of a side apart, the two rows of
a six down to 0.25."""

NEAR = 0.085
"""How far, in sides, a pip may be from where the others say that it must be."""

SIZES = 1.65
"""Up to so many times may one pip of a face look larger than another: glints and shade eat at them."""

MIN_SQUARE = 0.8
MIN_SIX = 0.5
"""Short over long side of the rectangle of the corner pips: of a four or five, which is square, and of a six."""

UNLIKE_SQUARE = 0.16
MAX_COSINE = 0.65
"""Difference in length of the two diagonals, as a part; cosine of the angle between them, which is 0.6 in a rectangle
half as wide as long."""

ROUND = 0.7
"""Veins of marble and pips of a side are less round than a pip that was left over."""

ON_FACE = 0.42
"""Within so many sides of the middle a pip lies on the top face and on no other."""


_Pair: TypeAlias = tuple[int, int, float, float, float]
"""Two pips, the middle between them, and how far they are apart, in pixels."""


def lay(pips: Sequence[Pip], side: float, faint: float = FAINT) -> Iterator[FaceFit]:
    """Yield every two to six that may lie over *pips* on a die of *side* pixels, and that leaves no pip over on it.

    Each is only a proposal: what lies beneath is not looked at. Its side is *side*; its residual is what of `NEAR`
    the worst pip used, in sides. A pip that is seen at less than the part *faint* of the grey levels of the layout's
    own may be none of it, or not.
    """
    for dark in (True, False):
        index = [i for i, pip in enumerate(pips) if pip.dark == dark]
        for fit in _fits([pips[i] for i in index], index, side, faint):
            if not crowded(pips, fit, faint):
                yield fit


def crowded(pips: Sequence[Pip], fit: FaceFit, faint: float = FAINT) -> bool:
    """Return whether a pip that is not of the layout, but like its pips, lies on the face.

    One that is seen at less than the part *faint* of the grey levels of the layout's own is not like them.
    """
    reach = 1.5 * ON_FACE * fit.side
    near = [
        p for i, p in enumerate(pips) if i not in fit.pips and abs(p.x - fit.x) < reach and abs(p.y - fit.y) < reach
    ]
    if not near:
        return False
    own = [pips[i] for i in fit.pips]
    return any(max(map(abs, fit.on_face(pip.x, pip.y))) < ON_FACE for pip in _like(own, near, faint))


def surrounded(pips: Sequence[Pip], i: int, side: float) -> bool:
    """Return whether pip *i* is no one's on a die of *side* pixels, however that is turned: another lies beside it."""
    one, reach = pips[i], ON_FACE * side
    near = [p for k, p in enumerate(pips) if k != i and hypot(p.x - one.x, p.y - one.y) < reach]
    return any(True for _ in _like([one], near, FAINT))


def _like(own: Sequence[Pip], pips: Sequence[Pip], faint: float) -> Iterator[Pip]:
    """Yield those of *pips*, others than its *own*, that look like the pips of a face."""
    diameter = sorted(p.diameter for p in own)[len(own) // 2]
    levels = max(3.0, faint * sorted(p.levels for p in own)[len(own) // 2])
    for pip in pips:
        if pip.dark != own[0].dark or pip.levels < levels or pip.roundness < ROUND:
            continue
        # A lamp that is mirrored in a deep pip is a spot within it.
        if any(hypot(pip.x - p.x, pip.y - p.y) < p.diameter / 2 for p in own):
            continue
        if 0.5 < pip.diameter / diameter < 1.8:
            yield pip


def _fits(pips: Sequence[Pip], index: Sequence[int], side: float, faint: float) -> Iterator[FaceFit]:
    """Yield the layouts over *pips*, all of one polarity, which go by *index* elsewhere."""
    # Plain loops: there are some ten pips, and arrays of ten cost more than they save.
    pairs = _diagonals(pips, side)
    for k, (i, j, x, y, reach) in enumerate(pairs):
        yield from _on_diagonal(pips, index, side, (i, j), faint)
        for p, q, other_x, other_y, other in pairs[k + 1 :]:
            near = hypot(other_x - x, other_y - y) < NEAR * side
            if near and abs(other / reach - 1) < UNLIKE_SQUARE and len({i, j, p, q}) == 4:
                yield from _on_quad(pips, index, side, (i, p, j, q), faint)


def _diagonals(pips: Sequence[Pip], side: float) -> list[_Pair]:
    pairs = []
    for i, one in enumerate(pips):
        for j in range(i + 1, len(pips)):
            two = pips[j]
            reach = hypot(one.x - two.x, one.y - two.y)
            if DIAGONAL[0] * side < reach < DIAGONAL[1] * side and _alike(one, two):
                pairs.append((i, j, (one.x + two.x) / 2, (one.y + two.y) / 2, reach))
    return pairs


def _alike(one: Pip, two: Pip) -> bool:
    return 1 / SIZES < one.diameter / two.diameter < SIZES


def _on_diagonal(
    pips: Sequence[Pip], index: Sequence[int], side: float, ends: tuple[int, int], faint: float
) -> Iterator[FaceFit]:
    """Yield the two or three whose diagonal has these *ends*; both where the pip in the middle is faint."""
    one, two = (pips[k] for k in ends)
    x, y = (one.x + two.x) / 2, (one.y + two.y) / 2
    angle = atan2(two.y - one.y, two.x - one.x) - pi / 4
    middle = _nearest(pips, x, y, NEAR * side, like=one)
    if middle is None or pips[middle].levels < faint * max(one.levels, two.levels):
        yield FaceFit(2, x, y, angle, side, frozenset(index[k] for k in ends), 0.0)
    if middle is not None:
        off = hypot(pips[middle].x - x, pips[middle].y - y) / side
        yield FaceFit(3, x, y, angle, side, frozenset(index[k] for k in (*ends, middle)), off)


def _on_quad(
    pips: Sequence[Pip], index: Sequence[int], side: float, ring: tuple[int, int, int, int], faint: float
) -> Iterator[FaceFit]:
    """Yield the four, five or six whose corner pips are *ring*, in order around the face."""
    a, b, c, d = (pips[k] for k in ring)
    one = (hypot(b.x - a.x, b.y - a.y) + hypot(d.x - c.x, d.y - c.y)) / 2
    two = (hypot(c.x - b.x, c.y - b.y) + hypot(a.x - d.x, a.y - d.y)) / 2
    aspect = min(one, two) / max(one, two)
    across = (c.x - a.x) * (d.x - b.x) + (c.y - a.y) * (d.y - b.y)
    cosine = across / (hypot(c.x - a.x, c.y - a.y) * hypot(d.x - b.x, d.y - b.y))
    if aspect < MIN_SIX or abs(cosine) > MAX_COSINE:
        return
    x, y = (a.x + b.x + c.x + d.x) / 4, (a.y + b.y + c.y + d.y) / 4
    angle = atan2((b.y - a.y) - (d.y - c.y), (b.x - a.x) - (d.x - c.x))
    off = max(abs(a.x + c.x - b.x - d.x), abs(a.y + c.y - b.y - d.y)) / 4 / side
    for p, q, r, s in ((a, b, c, d), (b, c, d, a)):
        near = _nearest(pips, (p.x + q.x) / 2, (p.y + q.y) / 2, NEAR * side, like=a)
        far = _nearest(pips, (r.x + s.x) / 2, (r.y + s.y) / 2, NEAR * side, like=a)
        if near is not None and far is not None and near != far:
            yield FaceFit(6, x, y, angle, side, frozenset(index[k] for k in (*ring, near, far)), off)
            return
    if aspect < MIN_SQUARE:
        return
    middle = _nearest(pips, x, y, NEAR * side, like=a)
    if middle is None or pips[middle].levels < faint * sorted(pips[k].levels for k in ring)[2]:
        yield FaceFit(4, x, y, angle, side, frozenset(index[k] for k in ring), off)
    if middle is not None:
        yield FaceFit(5, x, y, angle, side, frozenset(index[k] for k in (*ring, middle)), off)


def _nearest(pips: Sequence[Pip], x: float, y: float, within: float, *, like: Pip) -> int | None:
    """Return which of *pips* is nearest to (x, y) and of the size of *like*, or None when none is near."""
    best, found = within, None
    for k, pip in enumerate(pips):
        away = hypot(pip.x - x, pip.y - y)
        if away < best and _alike(pip, like):
            best, found = away, k
    return found
