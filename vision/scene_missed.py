"""Look again where a layout says that a pip must be: a glint broke its outline, or it merged with what lies beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import hypot

import numpy as np

from vision.layouts import SPAN
from vision.pips import MIN_LEVELS, Pip
from vision.scene_pips import grounds, places_of, spots
from vision.types import Doubles, Floats, Frame, Mask

SIDE_RANGE = (0.8, 1.3)
"""Sides, in common sides, of the dice that are completed."""

NEAR = 0.8
"""In diameters: a pip this close to a place is the pip of that place, or leaves no room for one."""

ALIKE = 0.55
"""A pip that was missed differs from the body at least by this part of what its neighbours on the face do."""

MOST_PLACES = 600
"""More places than this are not looked at: no tray holds so many dice."""


def missed_pips(lab: Frame, pips: Sequence[Pip], apart: Mask, side: float) -> list[Pip]:
    """Return pips that were not found as spots, though the layout of those beside them asks for one.

    Parameters
    ----------
    lab : ndarray of uint8, shape (M, N, 3)
        The picture in CIE Lab.
    pips : sequence of Pip
        What was found.
    apart : ndarray of bool, shape (len(pips), len(pips))
        As in `vision.layouts.fit_faces`.
    side : float
        Of the dice, in pixels.

    Notes
    -----
    Asked for are the fourth corner of three, and the third pip of a row of two that stands on an edge or a diagonal.
    Whether it is there is judged by colour: it must differ from its ground as those beside it differ from theirs.
    """
    if len(pips) < 2:
        return []
    table = places_of(pips).astype(np.float64)
    asked = list(_asked_for(table, pips, apart, side))[:MOST_PLACES]
    if not asked:
        return []
    places = np.array([(x, y, d) for x, y, d, _ in asked], np.float32)
    ground, spot = grounds(lab, table.astype(np.float32)), spots(lab, table.astype(np.float32))
    found: list[Pip] = []
    for (x, y, diameter, beside), there, around in zip(asked, spots(lab, places), grounds(lab, places), strict=True):
        body = ground[beside].mean(axis=0)
        if _is_like(there, around, spot[beside].mean(axis=0), body) and not _known(x, y, diameter, found):
            kin = [pips[i] for i in beside]
            roundness = float(np.mean([p.roundness for p in kin]))
            found.append(Pip(x, y, diameter, roundness, kin[0].dark, MIN_LEVELS))
    return found


_Asked = tuple[float, float, float, list[int]]
"""x, y and diameter of the place, and the pips that ask for it."""


def _asked_for(table: Doubles, pips: Sequence[Pip], apart: Mask, side: float) -> Iterator[_Asked]:
    """Return the places where a pip may have been missed."""
    low, high = (SPAN * side * factor for factor in SIDE_RANGE)
    for i, j in combinations(range(len(pips)), 2):
        d = hypot(table[i, 0] - table[j, 0], table[i, 1] - table[j, 1])
        if not 0.72 * low < d < high * 2**0.5 or apart[i, j] or not _kin(pips[i], pips[j]):
            continue
        middle = (table[i, :2] + table[j, :2]) / 2
        diameter = (pips[i].diameter + pips[j].diameter) / 2
        if not _taken(table, middle, diameter):
            yield float(middle[0]), float(middle[1]), diameter, [i, j]
        if d < low * 2**0.5:
            continue
        half = (table[j, :2] - table[i, :2]) / 2
        for k in range(len(pips)):
            arm = table[k, :2] - middle
            length = hypot(*arm) / (d / 2)
            if k in (i, j) or not 0.86 < length < 1.16 or abs(arm @ half) > 0.36 * hypot(*arm) * d / 2:
                continue
            place = middle - arm
            if not apart[i, k] and _kin(pips[i], pips[k]) and not _taken(table, place, diameter):
                yield float(place[0]), float(place[1]), diameter, [i, j, k]


def _kin(one: Pip, two: Pip) -> bool:
    return one.dark == two.dark and 0.66 < one.diameter / two.diameter < 1.5


def _taken(table: Doubles, place: Doubles, diameter: float) -> bool:
    return bool((np.hypot(table[:, 0] - place[0], table[:, 1] - place[1]) < NEAR * diameter).any())


def _is_like(there: Floats, around: Floats, pip: Floats, body: Floats) -> bool:
    """Whether colour *there* on *around* differs as *pip* does from *body*, and *around* is body."""
    way = pip - body
    size = float(np.linalg.norm(way))
    if size < 1.0 or np.linalg.norm(around - body) > 0.35 * size + 10:
        return False
    return float((there - body) @ way) / size > ALIKE * size


def _known(x: float, y: float, diameter: float, found: Sequence[Pip]) -> bool:
    return any(hypot(p.x - x, p.y - y) < 0.5 * diameter for p in found)
