"""What is new in a closeup and belongs to none of its dice: things, shadows, specks, and pips alone."""

from __future__ import annotations

from statistics import median
from typing import NamedTuple

import cv2
import numpy as np

from vision.cover import left_over
from vision.geometry import view_size
from vision.pips import Pip, is_at, lies_on
from vision.tray.found import Found
from vision.tray.naming import Thing, filled, flat_area
from vision.tray.tops import on_floor
from vision.types import Gray, Mask, Point, as_uint8
from vision.zone import Region

SMALL_THING = 0.3
"""Area in top faces: what is smaller is dirt or a reflection."""

LONE_SHADOW = 0.6
"""Area in top faces of one piece apart from all dice: a shadow from there on is something else's, or a dark thing."""

WIDE_SHADOW = 2.5
"""Sides: no shadow of a die is as wide; of some 1,100 throws that were read right the widest circle in those of several
side by side was 1.41 wide. A brown cup on a tan cloth, as dark as shade all over and one with a die's, was 5 wide."""

FAR_SHADOW = 3.0
"""Sides: no shadow reaches as far from its die. Of some 1,000 drawn throws and 200 photorealistic ones that were read
right one reached 2.3 sides, the others 1.9 at most; black pens beside dice in dim light 5.0 and 5.8 (`farthest`)."""

PENCIL = 0.3
"""Sides: how wide the narrowest long thing is."""

CIRCLE = 0.7
"""A circle's area in squares of its width, less what pixels leave out of it."""

LONG_SHADOW = 4.0
ALL_DARKER = 0.9
ROUND = 0.7
"""What is smaller than the first in top faces, and darker than the floor on so much of its area, is a shadow, unless
a pip of such roundness shows on it. In the noise of a dim tray 0.92 and 0.95 of two shadows was darker."""

REACHING = (0.5, 0.08, 0.5)
"""What comes into the tray over the rim: areas in top faces of what of it lies beyond the floor and on it, and the
sides of a die over which it is cut off by the end of the view. A hand of which two fingers ended a millimetre from a
die had 1.06, 0.13 and 2.35; of the image of a die in a glossy rim its drawn outline covers what counts as
floor. Of 90 photorealistic throws and 1,200 drawn ones that were read right none has as much of all three."""

MIRRORED = 0.6
"""Grey levels of a pip beyond the floor, in those of the median one of the dice there, below which it is one that a
glossy rim mirrors: the four of a green die in lacquered wood showed two, with 0.45 and less."""

AS_DARK = 75
"""Percentile of the lightness of a shadow's end that stands for how dark it is."""

CLEAR_PIP = (8, 0.8)
"""Grey levels, in steps, and roundness of a spot that nothing but a pip is."""

_PIECE = np.ones((11, 11), np.uint8)
_SPECK = np.ones((5, 5), np.uint8)
_BESIDE = np.ones((7, 7), np.uint8)
_WITHIN = np.ones((5, 5), np.uint8)
_AROUND = 4
_OUTLINED = np.ones((2 * _AROUND + 1, 2 * _AROUND + 1), np.uint8)


def _clear_pips(part: Found, tray_mm: tuple[float, float], region: Region) -> tuple[Gray, list[Pip]]:
    """Return what is new on the floor, bodies and shadows, and the clear round pips on it."""
    new = region.cut(on_floor(part.closeup.changed, part, tray_mm), part.closeup.x, part.closeup.y)
    return new, [pip for pip in part.pips if _is_clear(pip) and is_at(new, pip)]


def shows_a_pip(part: Found, tray_mm: tuple[float, float], region: Region) -> bool:
    """Return whether a clear round pip is seen on the floor: clear dice hardly differ from the felt but for them."""
    new, pips = _clear_pips(part, tray_mm, region)
    return any(lies_on(new, pip) for pip in pips)


def _is_clear(pip: Pip) -> bool:
    levels, roundness = CLEAR_PIP
    return pip.levels >= levels and pip.roundness >= roundness


def pips_on_bodies(part: Found, drawn: Gray, tray_mm: tuple[float, float], region: Region) -> int:
    """Return how many pips that no die claims lie beside the dice, *drawn*, on bodies, and are not seen in the rim."""
    body = region.cut(part.closeup.body, part.closeup.x, part.closeup.y)
    floor = on_floor(body, part, tray_mm)
    own = [part.pips[i].levels for die in part.chosen for i in die.fit.pips]
    clear = MIRRORED * median(own) if own else 0.0
    beside = [pip for pip in left_over(part.chosen, part.pips) if not is_at(drawn, pip) and lies_on(body, pip)]
    return sum(is_at(floor, pip) or pip.levels >= clear for pip in beside)


def pips_in_shadow(part: Found, drawn: Gray, tray_mm: tuple[float, float], region: Region) -> int:
    """Return how many clear pips lie beside the dice on what is new, be it a body or a shadow, which has none.

    Of a die that is darker than the felt in every channel all may be taken for a shadow.
    """
    new, pips = _clear_pips(part, tray_mm, region)
    return sum(not is_at(drawn, pip) and lies_on(new, pip) for pip in pips)


class Dark(NamedTuple):
    """How large something is that is as dark as a shadow, and one of its points in pixels of the closeup."""

    size: float
    at: Point | None


NO_DARK = Dark(0.0, None)


def largest_apart(part: Found, changed: Gray, drawn: Gray) -> Dark:
    """Return the largest piece of what has *changed* that no die, *drawn*, touches or shades: in top faces."""
    least = LONE_SHADOW * part.closeup.side**2
    if cv2.countNonZero(cv2.bitwise_and(changed, cv2.bitwise_not(drawn))) < least:
        return NO_DARK
    apart = np.where(reached(changed, drawn), np.uint8(0), changed)
    _, labels, stats, middles = cv2.connectedComponentsWithStats(apart)
    pieces = [
        Dark(area / part.closeup.side**2, (float(x), float(y)))
        for label, ((*_, area), (x, y)) in enumerate(zip(stats.tolist(), middles, strict=True))
        if label and not (area > least and _is_shaded(labels == label, drawn, part))
    ]
    return max(pieces, default=NO_DARK)


def widest(changed: Gray, drawn: Gray, side: float) -> Dark:
    """Return how wide in sides the widest circle is of what has *changed* and is no die, *drawn*; and its middle.

    It is 0 where all of that is too small for a circle as wide as `WIDE_SHADOW`, which is told many times faster.
    """
    beside = cv2.bitwise_and(changed, cv2.bitwise_not(drawn))
    if cv2.countNonZero(beside) < CIRCLE * (WIDE_SHADOW * side) ** 2:
        return NO_DARK
    bordered = cv2.copyMakeBorder(beside, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    _, radius, _, (x, y) = cv2.minMaxLoc(cv2.distanceTransform(bordered, cv2.DIST_L2, cv2.DIST_MASK_PRECISE))
    return Dark(2 * radius / side, (x - 1.0, y - 1.0))


def farthest(changed: Gray, drawn: Gray, side: float) -> Dark:
    """Return how far in sides what has *changed* reaches from the dice, *drawn*, specks apart; and its end.

    It is 0 where there is too little of it for a strip as long as `FAR_SHADOW`, and as wide as a pencil.
    """
    beside = cv2.bitwise_and(changed, cv2.bitwise_not(drawn))
    if cv2.countNonZero(beside) < PENCIL * FAR_SHADOW * side**2:
        return NO_DARK
    far = cv2.distanceTransform(cv2.bitwise_not(drawn), cv2.DIST_L2, cv2.DIST_MASK_3)
    _, reach, _, (x, y) = cv2.minMaxLoc(far, as_uint8(cv2.morphologyEx(beside, cv2.MORPH_OPEN, _SPECK)))
    return Dark(reach / side, (float(x), float(y)))


def _is_shaded(where: Mask, drawn: Gray, part: Found) -> bool:
    """Whether what lies *where* is the end of the shadow of a die, *drawn*, that begins in the shadow of the rim.

    There is no light to take between the two: all of it is as dark as that end.
    """
    if not _is_all_darker(where, part):
        return False
    light = part.closeup.lab[..., 0]
    dark = cv2.bitwise_or(as_uint8((light <= np.percentile(light[where], AS_DARK)).astype(np.uint8) * 255), drawn)
    return bool((reached(as_uint8(cv2.morphologyEx(dark, cv2.MORPH_OPEN, _SPECK)), drawn) & where).any())


def reaches_in(part: Found, drawn: Gray, tray_mm: tuple[float, float], region: Region) -> bool:
    """Return whether something that is no die, *drawn*, comes over the rim from beyond the view, as a hand does."""
    close = part.closeup
    least_beyond, least_on_floor, least_cut_off = REACHING
    beside = as_uint8(cv2.bitwise_and(close.body, cv2.bitwise_not(drawn)))
    floor = on_floor(beside, part, tray_mm)
    face = close.side**2
    if cv2.countNonZero(beside) - cv2.countNonZero(floor) < least_beyond * face:
        return False
    inside = region.cut(floor, close.x, close.y) > 0
    end = _end_of_view(part, tray_mm)
    number, labels = cv2.connectedComponents(beside)
    return any(
        np.count_nonzero(labels[floor == 0] == label) > least_beyond * face
        and np.count_nonzero(labels[inside] == label) > least_on_floor * face
        and np.count_nonzero(labels[end] == label) > least_cut_off * close.side
        for label in range(1, number)
    )


def _end_of_view(part: Found, tray_mm: tuple[float, float]) -> Mask:
    """Return the pixels of the closeup with which the straightened view ends: bool, of its shape."""
    rows, columns = part.closeup.body.shape
    wide, deep = view_size(tray_mm)
    x, y = part.closeup.x + np.arange(columns), part.closeup.y + np.arange(rows)
    ends_x, ends_y = (x == 0) | (x == wide - 1), (y == 0) | (y == deep - 1)
    return np.asarray(ends_y[:, None] | ends_x, np.bool_)


def speck_area(part: Found, beside: Gray) -> float:
    """Return how much is new *beside* the dice and no shadow, in top faces."""
    lit = cv2.bitwise_and(beside, part.closeup.lit)
    return cv2.countNonZero(cv2.morphologyEx(lit, cv2.MORPH_OPEN, _SPECK)) / part.closeup.side**2


def unexplained(part: Found, beside: Gray, drawn: Gray, tray_mm: tuple[float, float], region: Region) -> list[Thing]:
    """Return the bodies among what is *beside* the chosen dice, *drawn*, that lie in *region*, or in part."""
    rest = as_uint8(cv2.morphologyEx(beside, cv2.MORPH_OPEN, _PIECE))
    if not cv2.countNonZero(rest):
        return []
    _, labels, stats, _ = cv2.connectedComponentsWithStats(rest)
    from_dice = reached(part.closeup.changed, cv2.dilate(drawn, _BESIDE))
    apart = cv2.erode(drawn, _WITHIN) == 0
    inside = region.cut(rest, part.closeup.x, part.closeup.y)
    _, bodies = cv2.connectedComponents(part.closeup.body)
    beyond = np.where(on_floor(part.closeup.body, part, tray_mm), 0, bodies)
    things = []
    for label, (x, y, w, h, area) in enumerate(stats.tolist()):
        size = area / part.closeup.side**2
        where: Mask = labels == label
        inner = np.count_nonzero(inside[where])
        if inner and label and size > SMALL_THING and not (size < LONG_SHADOW and _is_shadow(where, from_dice, part)):
            box = np.s_[max(0, y - _AROUND) : y + h + _AROUND, max(0, x - _AROUND) : x + w + _AROUND]
            outlined = cv2.dilate(as_uint8(where[box].astype(np.uint8)), _OUTLINED) > 0
            has_face = any(x < c.fit.x < x + w and y < c.fit.y < y + h for c in part.disowned if c.fit.face > 1)
            has_pips = any(x < p.x < x + w and y < p.y < y + h for p in part.pips if _is_clear(p))
            thing = Thing(
                area=size,
                whole=size + np.isin(beyond, np.setdiff1d(bodies[where], 0)).sum() / part.closeup.side**2,
                middle=(x + w / 2, y + h / 2),
                lit=np.count_nonzero(where & (part.closeup.darker == 0)) / part.closeup.side**2,
                flat=flat_area(part.closeup, where),
                filled=filled(where),
                picture=part.closeup.picture[box],
                where=outlined & apart[box],
                has_face=has_face,
                has_pips=has_pips,
                across=inner < area,
            )
            things.append(thing)
    return things


def reached(changed: Gray, seeds: cv2.typing.MatLike) -> Mask:
    """Return the pieces of what has *changed* that touch one of the *seeds*, and those."""
    _, labels = cv2.connectedComponents(changed)
    return np.isin(labels, np.setdiff1d(np.unique(labels[seeds > 0]), 0)) | (seeds > 0)


def _is_shadow(where: Mask, from_dice: Mask, part: Found) -> bool:
    """Whether what lies *where* is one with a die or its shadow, darker than the floor all over, and has no pips.

    That is told without its colour: the shadows of clear dice have that of the dice, and light that red ones throw
    into theirs is red.
    """
    if not bool((where & from_dice).any()):
        return False
    pips = any(is_at(where, pip) for pip in part.pips if pip.roundness > ROUND)
    return not pips and _is_all_darker(where, part)


def _is_all_darker(where: Mask, part: Found) -> bool:
    darker = part.closeup.darker[where]
    return bool(np.count_nonzero(darker) > ALL_DARKER * darker.size)


def own(mask: Gray, part: Found, region: Region) -> Gray:
    """Return *mask* within *region*, without shadows that come from outside."""
    if region.is_all:
        return mask
    cut = region.cut(mask, part.closeup.x, part.closeup.y)
    _, labels = cv2.connectedComponents(mask)
    foreign = np.unique(labels[(mask > 0) & (cut == 0)])
    bodies = np.unique(labels[(cut > 0) & (part.closeup.body > 0)])
    return np.where(np.isin(labels, np.setdiff1d(foreign, bodies)), np.uint8(0), cut)
