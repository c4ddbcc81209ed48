"""A die whose pips were not all seen: laid where its outline fits, and its pips looked for where they must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import cos, hypot, pi, radians, sin
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np

from vision.candidates import FULL_LEVELS, Candidate, weight_of
from vision.layouts import FaceFit
from vision.pips import Pip
from vision.tray.closeup import Closeup
from vision.tray.laying import crowded
from vision.tray.sampling import look_under
from vision.tray.silhouette import outline_of
from vision.types import Doubles, Floats, Gray, as_uint8

ALIKE = 0.8
"""Area that the outline of a flat die and what is new share, in that of both together, from which one may lie there. Of
106 flat dice that no pips had told, and that came so high, all were laid within a twelfth of a side."""

TURNS = 18
STEPS_PX = (3.0, 1.5, 0.75)
"""So many turns are tried within a quarter; then it is shifted by such steps, and turned by as many degrees."""

SPREADS = (0.19, 0.205, 0.22, 0.235, 0.25, 0.265, 0.28)
NARROW = (0.7, 0.8, 0.9, 1.0)
"""How far from the middle, along each side, corner pips are, in sides; and how far the rows of a six are from it in
that."""

DISC, RING = 0.05, 0.17
"""Radii, in sides, within which the colour of a pip is taken, and at which that of what lies around it."""

EVEN = 0.36
"""So far, in sides, from the middle of a top it is even. What lies beyond has another light; the other side of a place
is asked instead."""

LEAST = 5.0
FULL = 40.0
"""Lab units by which each pip must differ from what lies around it, and with which it counts in full. Where a top
mirrors a lamp they are few; which face it is the second opinion tells."""

STRANGE = (0.9, 3.0)
"""Contrast of a place where the face has no pip in that of the faintest pip, at most: of a one, and of others. The edge
of a mirrored lamp came to 2.5 times a pip. Of a three whose top was all lamp's white but for its corners, the other two
pips at the edge of that, a one was laid: 1.13 and 0.95; of another, of which all networks were sure, 1.07."""

NOTHING = 0.8
"""The same of a top of two colours. Ones that mirror a lamp had 0.36 to 0.63 where they lie; of threes and a five that
looked like ones, and to one all networks gave more than 0.958, 1.04 and more."""

FEW = (1, 2, 3)
"""Faces of so few pips that they could be part of another one."""

GREY = 10.0
"""Chroma of a top, Lab units, below which the pips of such a face, if they are lighter by less than `FULL`, may be dark
ones: lacquer on them mirrors a lamp more widely than that of the top does, and where it fades they are as light as
that. A three of a grey die with black pips was a one, 31 lighter and the chroma 2, to which all networks gave 0.964
and more. Of 26 ones to threes with light pips that were laid and right, in 10,000 throws, three are like it."""

NEUTRAL = 128.0
"""What CIE Lab of OpenCV has for no colour."""

NEAR, OFF = 0.1, 0.04
"""In sides: what was found so near to the place of a pip is that one; and how far all that were found may lie off
theirs together. The top of a die that leans is elsewhere than its outline says: by 0.059 and 0.083 at 17 and 18
degrees. Of five flat ones, of five faces, none was farther off than 0.021."""

DIAMETER, ROUNDNESS = 0.18, 0.85
"""What a pip that is looked for is taken to have: in sides, and short over long axis."""

Place: TypeAlias = tuple[float, float]

_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_MIDS = ((0, -1), (1, 0), (0, 1), (-1, 0))


class _Seen(NamedTuple):
    """A face laid on a top: its pips; by how much the faintest differs, Lab; that in the median; others in that."""

    pips: list[Pip]
    least: float
    even: float
    strange: float


def lay_by_outline(
    closeup: Closeup, pips: Sequence[Pip], told: Sequence[Candidate]
) -> list[tuple[Sequence[Pip], Candidate]]:
    """Return the dice that may lie where an outline fits what is new in *closeup*.

    Parameters
    ----------
    closeup : Closeup
        Of which all that is new is taken for one die.
    pips : sequence of Pip
        What was found in it.
    told : sequence of Candidate
        The dice that pips told there, and that were doubted: none is laid that has fewer than such a one in its place.

    Returns
    -------
    list of (sequence of Pip, Candidate)
        A die for each face all of whose pips are seen in their places, with *pips* and its own, which it refers to;
        none where no outline fits.
    """
    top = outlined_top(closeup)
    if top is None:
        return []
    laid = (lay_face(closeup, pips, replace(top, face=face)) for face in range(1, 7))
    return [die for die in laid if die is not None and not shows_more(told, die[1])]


def lay_face(closeup: Closeup, pips: Sequence[Pip], top: FaceFit) -> tuple[Sequence[Pip], Candidate] | None:
    """Return *pips* with its own and the die of which *top* is the top, if all pips of its face are seen there."""
    seen = _seen_best(closeup, top)
    if seen.least < LEAST:
        return None
    known = [*pips, *seen.pips]
    fit = replace(top, pips=frozenset(range(len(pips), len(known))))
    if _off_its_pips(fit, seen.pips, pips) > OFF:
        return None
    (beneath,) = look_under(closeup.lab, [fit], known, edges=True)
    body = replace(beneath, contrast=seen.least, evenness=seen.even, stranger=max(0.0, seen.strange))
    return known, Candidate(fit, body, weight_of(known, fit))


def shows_nothing_else(closeup: Closeup, top: FaceFit) -> bool:
    """Return whether nothing at all is seen on *top* where its face has no pip, and others have."""
    return _seen_best(closeup, top).strange < NOTHING


def is_strange(die: Candidate) -> bool:
    """Return whether something about as clear as a pip of *die*, as `lay_face` laid it, is where its face has none."""
    return die.body.stranger > STRANGE[die.fit.face > 1]


def may_have_dark_pips(pips: Sequence[Pip], die: Candidate) -> bool:
    """Return whether the few light pips of *die*, as `lay_face` laid it, may be dark ones that mirror a lamp."""
    _, a, b = die.body.colour
    is_grey = hypot(a - NEUTRAL, b - NEUTRAL) < GREY
    is_lighter = not any(pips[i].dark for i in die.fit.pips)
    return die.fit.face in FEW and is_grey and is_lighter and die.body.contrast < FULL


def shows_else(pips: Sequence[Pip], die: Candidate) -> bool:
    """Return whether something else like a pip of its own is seen on the top of *die*, as `lay_face` laid it."""
    return is_strange(die) or crowded(pips, die.fit)


def outlined_top(closeup: Closeup) -> FaceFit | None:
    """Return the top, of a face unknown, of the flat die whose outline fits what is new; None where none does."""
    where = _largest(closeup)
    return None if where is None else _pose(closeup, where)


def shows_more(told: Sequence[Candidate], die: Candidate) -> bool:
    """Return whether one of the dice that were *told* by their pips has more of them, on the top where *die* was laid.

    Of a five whose corner pips lay on the edge of a mirrored lamp only the one in the middle was seen here.
    """
    return any(other.fit.face > die.fit.face and lies_within(other.fit, die.fit) for other in told)


def lies_within(other: FaceFit, top: FaceFit) -> bool:
    """Return whether the middle of *other* lies on *top*: no two dice lie so near to each other."""
    return hypot(other.x - top.x, other.y - top.y) < top.side / 2


def _off_its_pips(fit: FaceFit, own: Sequence[Pip], found: Sequence[Pip]) -> float:
    """Return how far, in sides, the pips *found* near the places of *fit*, its *own*, lie off them, all together."""
    if not found:
        return 0.0
    at, places = (np.array([(pip.x, pip.y) for pip in pips]) for pips in (found, own))
    off = at[None] - places[:, None]
    far = np.linalg.norm(off, axis=2)
    nearest = np.take_along_axis(off, far.argmin(axis=1)[:, None, None], axis=1)[:, 0]
    near = nearest[far.min(axis=1) < NEAR * fit.side]
    return float(np.linalg.norm(near.mean(axis=0))) / fit.side if len(near) else 0.0


def _largest(closeup: Closeup) -> Gray | None:
    """Return the convex hull of the largest body of *closeup*: uint8, 0 or 255; None where there is none."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(closeup.body, cv2.MORPH_OPEN, _SPECK))
    if len(stats) < 2:
        return None
    own = (labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())).astype(np.uint8)
    hull = cv2.convexHull(cv2.findNonZero(own))
    return as_uint8(cv2.fillConvexPoly(own, hull, 255))


_SPECK = np.ones((5, 5), np.uint8)


def _pose(closeup: Closeup, where: Gray) -> FaceFit | None:
    """Return the top of the flat die whose outline is most like *where*; None when none is like it.

    Hill climbing from the middle of *where*, at the best of `TURNS` turns.
    """
    middle = _middle(where)
    start = FaceFit(1, *middle, 0.0, closeup.side, frozenset(), 0.0)
    drawn = _middle(_drawn(closeup, start))
    start = replace(start, x=2 * middle[0] - drawn[0], y=2 * middle[1] - drawn[1])
    turned = (replace(start, angle=k * pi / 2 / TURNS) for k in range(TURNS))
    score, best = max(((_shared(closeup, where, fit), fit) for fit in turned), key=lambda pair: pair[0])
    for step in STEPS_PX:
        better = True
        while better:
            better = False
            for near in _neighbours(best, step):
                own = _shared(closeup, where, near)
                if own > score:
                    score, best, better = own, near, True
    rows, columns = where.shape
    is_inside = all(0 <= x < columns and 0 <= y < rows for x, y in best.corners())
    return best if score >= ALIKE and is_inside else None


def _neighbours(fit: FaceFit, step: float) -> Iterator[FaceFit]:
    for way in (-step, step):
        yield replace(fit, x=fit.x + way)
        yield replace(fit, y=fit.y + way)
        yield replace(fit, angle=fit.angle + radians(way))


def _middle(mask: Gray) -> Place:
    moments = cv2.moments(mask, binaryImage=True)
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]


def _drawn(closeup: Closeup, fit: FaceFit) -> Gray:
    drawn = np.zeros(closeup.body.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.round(outline_of(closeup, fit) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    return drawn


def _shared(closeup: Closeup, where: Gray, fit: FaceFit) -> float:
    """Return the area that *where* and the outline of *fit* share, in that of both together."""
    drawn = _drawn(closeup, fit)
    common = cv2.countNonZero(cv2.bitwise_and(drawn, where))
    return common / (cv2.countNonZero(drawn) + cv2.countNonZero(where) - common)


def _layouts(face: int) -> Iterator[tuple[list[Place], list[Place]]]:
    """Yield where *face* has its pips, in sides from its middle, and where other faces have theirs."""
    middle = [(0.0, 0.0)]
    if face == 1:
        yield middle, [(spread * x, spread * y) for spread in SPREADS for x, y in (*_CORNERS, *_MIDS)]
        return
    for spread in SPREADS:
        corners, mids = ([(spread * x, spread * y) for x, y in places] for places in (_CORNERS, _MIDS))
        if face in (2, 3):
            for k in (0, 1):
                own, other = [corners[k], corners[k + 2]], [corners[1 - k], corners[3 - k]]
                yield (own, [*other, *middle, *mids]) if face == 2 else (own + middle, [*other, *mids])
        elif face == 4:
            yield corners, middle + mids
        elif face == 5:
            yield corners + middle, mids
        else:
            for narrow, flip in product(NARROW, (False, True)):
                rows = [(spread * x, spread * narrow * y) for y in (-1, 1) for x in (-1, 0, 1)]
                yield ([(y, x) for x, y in rows] if flip else rows), middle


def _seen_best(closeup: Closeup, top: FaceFit) -> _Seen:
    """Return how clearly the pips of *top* are seen as its face has them where the faintest is the clearest."""
    ways = list(_layouts(top.face))
    places = [place for own, other in ways for place in (*own, *other)]
    # All at once: one by one takes four times as long.
    differs = contrasts(closeup.lab.astype(np.float32), top, places).reshape(len(ways), -1, 3)
    count = len(ways[0][0])
    way = differs[:, :count].mean(axis=1)
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
    mine = (differs[:, :count] @ way[:, :, None])[:, :, 0]
    best = int(mine.min(axis=1).argmax())
    return _seen(top, ways[best][0], mine[best], differs[best, count:], way[best])


def _seen(fit: FaceFit, own: Sequence[Place], mine: Doubles, others: Doubles, way: Doubles) -> _Seen:
    """Return how clearly pips are seen at their *own* places, by *mine* along *way*, and at *others*, without any."""
    # Where the face has no pip nothing differs, in any colour: the edge of a mirrored lamp hides one.
    if fit.face == 6:
        # What lies around the middle of a six are its pips: that it is unlike them does not speak against it.
        others = others - np.minimum(others @ way, 0)[:, None] * way
    foreign = np.linalg.norm(others, axis=1)
    least = float(mine.min())
    levels = np.clip(np.round(FULL_LEVELS * mine / FULL), 1, FULL_LEVELS).astype(int).tolist()
    pips = [
        Pip(x, y, DIAMETER * fit.side, ROUNDNESS, dark=bool(way[0] < 0), levels=level)
        for (x, y), level in zip(_in_closeup(fit, np.array(own)).tolist(), levels, strict=True)
    ]
    strange = float(foreign.max()) / max(least, 1e-6)
    return _Seen(pips, least, least / max(float(np.median(mine)), 1e-6), strange)


def contrasts(lab: Floats, fit: FaceFit, places: Sequence[Place]) -> Doubles:
    """Return by what colour each of *places* on the top *fit* differs from what lies around it.

    Parameters
    ----------
    lab : ndarray of float32, shape (M, N, 3)
        CIE Lab of the closeup.
    fit : FaceFit
    places : sequence of (float, float)
        In sides from the middle of *fit*, along its sides.

    Returns
    -------
    ndarray of float64, shape (len(places), 3)
    """
    middles = np.array(places)[:, None]
    ring = middles + RING * _CIRCLE
    beyond = (np.abs(ring) > EVEN).any(axis=2, keepdims=True)
    disc = middles + np.concatenate([[(0.0, 0.0)], DISC * _CIRCLE])
    at = np.concatenate([disc, np.where(beyond, 2 * middles - ring, ring)], axis=1)
    at = _in_closeup(fit, at).astype(np.float32)
    seen = cv2.remap(lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside, around = np.split(seen, [1 + len(_CIRCLE)], axis=1)
    return np.asarray(inside.mean(axis=1) - np.median(around, axis=1), np.float64)


def _in_closeup(fit: FaceFit, places: Doubles) -> Doubles:
    """Return *places*, in sides from the middle of *fit* along its sides, in pixels: shape (..., 2)."""
    c, s = cos(fit.angle) * fit.side, sin(fit.angle) * fit.side
    x, y = places[..., 0], places[..., 1]
    return np.stack([fit.x + c * x - s * y, fit.y + s * x + c * y], axis=-1)


_CIRCLE = np.array([(cos(k * pi / 6), sin(k * pi / 6)) for k in range(12)])
