"""Could something hide pips of a top, or be one? Where a fuller face has them, it must be seen that there are none."""

from __future__ import annotations

from math import hypot
from typing import Final

import cv2
import numpy as np

from vision.bodies import INNER, PATCH, PATCH_SIDES, cut_out, grid
from vision.layouts import SPAN
from vision.tray.found import Found, Judged
from vision.tray.outlined import contrasts
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

WITHOUT_MIDDLE = (2, 4)
"""The faces that one pip in the middle makes fuller ones."""

GLARE, SHOWS = 250.0, 5.0
"""Lightness of a glint, 0 to 255, in the middle of such a face; and by how many levels it is lighter than the top where
it shows: a white top seen as 249 is 251 somewhere."""

TRACE = 0.06
"""Contrast of what is seen there, in that of the pips, dark ones, that may be what the glint left of one. Pips of the
bottom of clear dice are seen there as well, and are lighter than the top as its own are. Of 355 photorealistic throws
that were read wrongly, a glint drawn over a pip, 195 are refused for it or for what shows; the others have white tops
as light as it."""

LIGHTER, DARKER = 5.0, 10.0
"""Levels of lightness by which a glint, as light as `GLARE`, in the middle of a two or four with light pips is lighter
than these, or darker where it is none. Of 923 right threes and fives, drawn, the middle pip of none is lighter by 3 or
darker by 5; photorealistic ones, blurred and with noise, have one lighter by 7 that is no glare."""

MIDDLE, STRANGE, COVERED, ABOUT = 0.13, 20.0, 0.7, 0.3
"""Sides around the middle of such a face within which it is looked at; Lab units by which it differs from the top where
something lies on it, and the part of it where it does; and the sides from the middle, along the axes of the face, at
two of which a vein, or a lamp that is mirrored, has its colour as well. Of 219 crumbs, drops and chips of all colours,
painted on the middle pip of photorealistic threes and fives that were read as twos and fours, 192 are refused."""


def may_cover_its_middle(part: Found, die: Judged) -> bool:
    """Return whether a glint lies in the middle of *die*, where a face of one pip more has that."""
    if die.fit.face not in WITHOUT_MIDDLE:
        return False
    pips = [part.pips[i] for i in die.fit.pips]
    x, y = (sum(pip.x for pip in pips) / len(pips), sum(pip.y for pip in pips) / len(pips))
    # What covers a pip lies on it: light beside it says nothing.
    across = round(float(np.median([pip.diameter for pip in pips])))
    if cv2.getRectSubPix(part.closeup.lab, (across, across), (x, y))[..., 0].max() < GLARE:
        return False
    lab = part.closeup.lab.astype(np.float32)
    middle, *own = contrasts(lab, die.fit, [die.fit.on_face(x, y), *(die.fit.on_face(pip.x, pip.y) for pip in pips)])
    clear = float(np.median(np.linalg.norm(own, axis=1)))
    light, top = _lightness_at(lab, x, y), die.body.colour[0]
    traced = pips[0].dark and float(np.linalg.norm(middle)) > TRACE * clear
    return traced or (light >= GLARE and light - top > SHOWS)


def is_covered_in_its_middle(part: Found, die: Judged) -> bool:
    """Return whether the middle of *die* has another colour than its top, where a face of one pip more has that."""
    if die.fit.face not in WITHOUT_MIDDLE:
        return False
    top = cut_out(part.closeup.lab, die.fit.corners(part.closeup.side))
    middle = top[np.hypot(*grid()) <= MIDDLE]
    off = np.linalg.norm(middle - np.array(die.body.colour, np.float32), axis=1)
    if np.mean(off > STRANGE) <= COVERED:
        return False
    about = [_around(top, place).mean(axis=(0, 1)) for place in ((ABOUT, 0), (0, ABOUT), (-ABOUT, 0), (0, -ABOUT))]
    others = np.linalg.norm(np.array(about) - np.median(middle, axis=0), axis=1) > STRANGE
    return int(np.count_nonzero(others)) >= len(others) - 1


def may_be_lit_in_its_middle(part: Found, die: Judged) -> bool:
    """Return whether the middle pip of *die* may be a glint: it is lighter or darker than the others, light ones."""
    if die.fit.face - 1 not in WITHOUT_MIDDLE or any(part.pips[i].dark for i in die.fit.pips):
        return False
    pips = sorted((part.pips[i] for i in die.fit.pips), key=lambda pip: hypot(pip.x - die.fit.x, pip.y - die.fit.y))
    middle, *others = (_lightness_at(part.closeup.lab, pip.x, pip.y) for pip in pips)
    return middle > max(GLARE - 1, max(others) + LIGHTER) or middle < min(others) - DARKER


def _lightness_at(lab: cv2.typing.MatLike, x: float, y: float) -> float:
    """Return the mean lightness of three pixels by three."""
    return float(cv2.getRectSubPix(lab, (3, 3), (x, y))[..., 0].mean())


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
