"""Could a lamp hide pips of a top? Where a fuller face has them, it must be seen that there are none."""

from __future__ import annotations

from math import hypot
from typing import Final

import cv2
import numpy as np

from vision.bodies import INNER, PATCH, PATCH_SIDES, cut_out
from vision.layouts import SPAN
from vision.tray.found import Found, Judged
from vision.types import Floats, Point

FALLING, RISING = ((-SPAN / 2, -SPAN / 2), (SPAN / 2, SPAN / 2)), ((-SPAN / 2, SPAN / 2), (SPAN / 2, -SPAN / 2))
"""The two diagonals of a face, each by its corner pips, in sides from its middle."""

MORE: Final = {1: (FALLING, RISING), 2: (((0.0, 0.0),), FALLING, RISING), 3: (FALLING, RISING)}
"""What a face may lack to be a fuller one, in groups: that shows all pips of one of them."""

OWN = 0.15
"""Sides from a pip of the die within which a place is that pip's."""

CLEAR = 40.0
"""Levels of lightness, 0 to 255, by which pips must be lighter than the top."""

UNLIT, PLAIN = 0.25, 0.15
"""Parts of that by which a place may be lighter than the top, and than what is around it, to have no pip: a mirrored
lamp adds light to both, and hides none where it is not. Of 60 ones in throws in which a top mirrored a lamp 31 are told
to show all; of 670 poorer faces, laid over fuller ones, one is, where the closeup ended within the die."""

CORE, AROUND = 0.35, (0.6, 0.95)
"""What is looked at of a place, and around it, in diameters of a pip."""

OFF = 0.05
"""Sides by which a pip may lie off its place."""


def shows_all_its_pips(part: Found, die: Judged) -> bool:
    """Return whether *die* cannot be of a fuller face than it shows, of which a lamp hides pips.

    Told only of pips that are lighter than the top: what a mirror adds to dark ones may be just what they lack.
    """
    own = [part.pips[i] for i in die.fit.pips]
    if any(pip.dark for pip in own):
        return False
    light = cut_out(part.closeup.lab, die.fit.corners(part.closeup.side))[..., 0]
    diameter = float(np.median([pip.diameter for pip in own])) / die.fit.side
    core = _mean_within(light, 0.0, CORE * diameter)
    ring = _mean_within(light, *(diameter * radius for radius in AROUND))
    places = [die.fit.on_face(pip.x, pip.y) for pip in own]
    top = die.body.colour[0]
    clear = min(float(_around(core, place).max()) for place in places) - top
    if clear < CLEAR:
        return False

    def is_bare(place: Point) -> bool:
        unlit = float(_around(core, place).max()) < top + UNLIT * clear
        return unlit and float(_around(core - ring, place).max()) < PLAIN * clear

    free = [[at for at in group if not _is_own(at, places)] for group in MORE[die.fit.face]]
    return all(any(is_bare(at) for at in group) for group in free if group)


def _is_own(place: Point, pips: list[Point]) -> bool:
    return any(hypot(place[0] - x, place[1] - y) < OWN for x, y in pips)


def _mean_within(light: Floats, least: float, most: float) -> Floats:
    """Return the mean of *light* around each pixel, between two distances in sides, of what is certainly top."""
    reach = int(np.ceil(most * PATCH / PATCH_SIDES))
    axis = np.arange(-reach, reach + 1) * PATCH_SIDES / PATCH
    away = np.hypot(axis, axis[:, None])
    kernel = ((away >= least) & (away < most)).astype(np.float32)
    top = np.zeros_like(light)
    middle, half = PATCH // 2, round(INNER * PATCH / PATCH_SIDES)
    top[middle - half : middle + half, middle - half : middle + half] = 1
    weight = np.asarray(cv2.filter2D(top, -1, kernel), np.float32)
    return np.asarray(cv2.filter2D(light * top, -1, kernel) / np.maximum(weight, 1e-6), np.float32)


def _around(values: Floats, place: Point) -> Floats:
    """Return *values* where the pip of *place* may lie."""
    at = [(c / PATCH_SIDES + 0.5) * PATCH - 0.5 for c in place]
    off = OFF * PATCH / PATCH_SIDES
    columns, rows = (slice(max(0, round(c - off)), round(c + off) + 1) for c in at)
    return values[rows, columns]
