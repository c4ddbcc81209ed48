"""Does something lie in a tray that ought to be empty? Told from one picture, without knowing the empty tray."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import floor_rectangle, homography, project
from vision.types import Doubles, Floats, Frame, Gray, Mask, Point, as_uint8

PX_PER_MM = 1.5
"""Scale at which the floor is looked at."""

INSET_MM = 12.0
"""How far from the edges of the floor nothing of another colour is looked for, and half as far nothing bright: corners
are given by hand, and the deep shadow of the rim has another colour than felt in the light."""

HUE_STEP = 0.12
"""By how much, in logarithms, the colour of something differs from the felt's at least."""

OUTLINE_PX = 13
OUTLINE_GAP_PX = 5
"""Sides of the squares, at `PX_PER_MM`, that reach from something's edge as far as its outline is looked at, and over
the edge itself, which is soft."""

SHADE_STEP = 0.3
"""The same for what is darker than the felt: a shadow has the colour of another lamp."""

BRIGHT_STEP = 0.3
"""By how much, in logarithms, something narrow is brighter than the felt around it."""

DICE_OF_HUE, DICE_OF_BRIGHT = 0.7, 0.6
"""How large something is, in areas of a die. In seven photographs and 14 rendered pictures of empty trays nothing was
larger than 0.13 and 0.25; in 31 of 32 photographs of throws one of the two was larger than this. So was, of 356 drawn
empty trays, a single one, all but black; of 410 drawn throws 385 were."""

UNLIKE, NOT_DARKER, UNLIKE_INSET_MM, DICE_UNLIKE = 0.2, 0.3, 3.0, 0.4
"""By how much, in logarithms, a colour differs from that of all the felt, by how much it may be darker, how far from
the edges it is looked for, and on how many areas of a die: what is wider than the felt around it, or lies at the rim,
but not in its shadow. In 300 drawn empty trays and 27 photorealistic ones, the corners 2 pixels off, nothing was
larger than 0.1; in 25 of 32 photorealistic throws something was."""

GRAIN, SMOOTH, DICE_SMOOTH = 0.035, 0.35, 0.5
"""Mean contrast of the felt's grain, in logarithms, from which it is missed where there is less than that part of it,
and on how many areas of a die: a hand, a coaster and paper are smooth, whatever their colour. Of 177 empty trays,
150 of them drawn, each changed in six ways, all that had more than 0.23 had less grain, which a small JPEG does not
keep everywhere."""

GRAIN_MM, OVER_MM, WIDE_MM = 1.7, 10.0, 8.0
"""How far around grain is told from, as a standard deviation, the square over which its mean is taken, and how wide a
smooth thing is."""

RIM_SHADOW = 2.5
REACH_MM = 4.0
"""What comes so near to the edge of what is looked at, is narrower than a die and longer than so many is the seam of
the rim's shadow."""

BLACK = 28
SOME_LIT = 0.1
"""Level of the brightest channel up to which a shadow is too deep for its colour to be told; and the part of what lies
around something that must be lighter, or about as bright as it, for only that to be asked."""

SOFT_PX = 1.3
"""Blur, as a standard deviation, against the felt's texture."""

DARK = 12
"""Added to grey levels before the logarithm, so that noise in deep shadow is no contrast."""

WHITE = np.log(245.0 + DARK)
"""As bright as this is glare, not a thing."""


def something_lies_there(
    picture: Frame, corners: Sequence[Point], tray_mm: tuple[float, float], die_mm: float
) -> tuple[Point, float] | None:
    """Return where something lies on the floor, in pixels, and its area in square millimetres; None if nothing does.

    Parameters
    ----------
    picture : ndarray of uint8, shape (M, N, 3)
    corners : four points
        Inside corners of the floor in pixels, clockwise from the top left.
    tray_mm : (float, float)
        Width and depth of the floor.
    die_mm : float
        Side of a die.

    Notes
    -----
    Felt has one colour, in light and in shadow; a thing has another, from its outline on: where a lamp is mirrored or
    the rim throws a coloured shadow, it changes little by little. And what is narrower than two dice and brighter
    than all around it is no lit part of the felt: that is wider, or reaches the edge. A die of the felt's own colour
    that is darker than it stays unseen: a shadow looks the same.
    """
    to_mm = np.linalg.inv(homography(floor_rectangle(tray_mm), np.array(corners, np.float64)))
    to_view = np.diag([PX_PER_MM, PX_PER_MM, 1.0]) @ to_mm
    sharp = _floor(picture, to_view, tray_mm)
    view = cv2.GaussianBlur(sharp, (0, 0), SOFT_PX)
    bright, hue = _tones(as_uint8(view))
    lit = (view.max(axis=2) > BLACK) & (bright < WHITE)
    edge, rim = (round(inset * PX_PER_MM) for inset in (INSET_MM, UNLIKE_INSET_MM))
    small = edge // 2
    best: tuple[float, Point] | None = None
    for mask, inset, dice in (
        (_of_another_colour(bright, hue, lit, edge), edge, DICE_OF_HUE),
        (_narrow_and_bright(bright, small, die_mm), small, DICE_OF_BRIGHT),
        (_unlike_the_felt(bright, hue, lit, rim), rim, DICE_UNLIKE),
        (_without_grain(_tones(sharp)[0], lit, small), small, DICE_SMOOTH),
    ):
        area_px, (x, y) = _largest(mask, die_mm * PX_PER_MM)
        area_mm2 = area_px / PX_PER_MM**2
        if area_mm2 > dice * die_mm**2 and (best is None or area_mm2 > best[0]):
            best = (area_mm2, (x + inset, y + inset))
    if best is None:
        return None
    return project(np.linalg.inv(to_view), [best[1]])[0], best[0]


def _floor(picture: Frame, to_view: Doubles, tray_mm: tuple[float, float]) -> Frame:
    """Return the floor seen from above at `PX_PER_MM`."""
    size = (round(tray_mm[0] * PX_PER_MM), round(tray_mm[1] * PX_PER_MM))
    coarser = 1 / max(abs(float(to_view[0, 0])), 1e-6)
    soft = cv2.GaussianBlur(picture, (0, 0), max(0.5, 0.35 * coarser))
    return as_uint8(cv2.warpPerspective(soft, to_view, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _tones(view: Frame) -> tuple[Floats, Floats]:
    """Return the logarithms of brightness, (rows, columns), and of two colours, (rows, columns, 2)."""
    soft = np.log(view.astype(np.float32) + DARK)
    blue, green, red = np.moveaxis(soft, 2, 0)
    return soft.mean(axis=2), np.stack([red - green, blue - (red + green) / 2], axis=2)


def _of_another_colour(bright: Floats, hue: Floats, lit: Mask, edge: int) -> Gray:
    """Return 255 where the colour is not that of the felt around, `INSET_MM` from the edges."""
    inner = np.s_[edge:-edge, edge:-edge]
    darker = (bright - _around(bright))[inner]
    away = np.stack([(hue[..., k] - _around(hue[..., k]))[inner] for k in (0, 1)], axis=2)
    texture = 1.4826 * float(np.hypot(*(np.median(np.abs(away[..., k])) for k in (0, 1))))
    far = np.hypot(away[..., 0], away[..., 1])
    least = np.where(darker < -HUE_STEP, SHADE_STEP, HUE_STEP)
    found = (far > np.maximum(least, 5 * texture)) & (bright[inner] < WHITE)
    return _with_an_outline(_opened(found.astype(np.uint8) * 255, 5), bright[inner], hue[inner], lit[inner])


def _unlike_the_felt(bright: Floats, hue: Floats, lit: Mask, edge: int) -> Gray:
    """Return 255 where the colour is not that of most of the floor, and it is not much darker."""
    inner = np.s_[edge:-edge, edge:-edge]
    bright, hue, lit = bright[inner], hue[inner], lit[inner]
    if not lit.any():
        return np.zeros(bright.shape, np.uint8)
    away = hue - np.median(hue[lit], axis=0)
    texture = 1.4826 * float(np.hypot(*np.median(np.abs(away[lit]), axis=0)))
    far = np.hypot(away[..., 0], away[..., 1]) > max(UNLIKE, 5 * texture)
    found = far & lit & (bright > np.median(bright[lit]) - NOT_DARKER)
    return _with_an_outline(_opened(found.astype(np.uint8) * 255, 5), bright, hue, lit)


def _without_grain(bright: Floats, lit: Mask, edge: int) -> Gray:
    """Return 255 where the grain of the felt is missing, if it is clear elsewhere."""
    inner = np.s_[edge:-edge, edge:-edge]
    over, wide = (round(size * PX_PER_MM) | 1 for size in (OVER_MM, WIDE_MM))
    grain = np.abs(bright - cv2.GaussianBlur(bright, (0, 0), GRAIN_MM * PX_PER_MM))[inner]
    mean = cv2.blur(grain, (over, over))
    usual = float(np.median(mean))
    found = (mean < SMOOTH * usual) & lit[inner] & (usual > GRAIN)
    return _opened(found.astype(np.uint8) * 255, wide)


def _with_an_outline(mask: Gray, bright: Floats, hue: Floats, lit: Mask) -> Gray:
    """Return *mask* without its parts that have, just inside their edge, nearly the colour of what is just outside.

    Only what is *lit* there and no glare is asked, and of that only what is about as bright, if anything is: a lit
    corner between two shadows, deep or not, goes over into what is lit too.
    """
    kept = mask.copy()
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    for number, (x, y, wide, high, _area) in enumerate(stats[1:].tolist(), 1):
        there = np.s_[max(0, y - OUTLINE_PX) : y + high + OUTLINE_PX, max(0, x - OUTLINE_PX) : x + wide + OUTLINE_PX]
        own = (labels[there] == number).astype(np.uint8)
        inside = _shrunk(own, 3) > _shrunk(own, OUTLINE_PX)
        outside = (_grown(own, OUTLINE_PX) > _grown(own, OUTLINE_GAP_PX)) & (mask[there] == 0)
        for asked in (lit[there], bright[there] > bright[there][inside].mean() - SHADE_STEP):
            if np.count_nonzero(outside & asked) > SOME_LIT * np.count_nonzero(outside):
                outside &= asked
        # Each side of it is compared with what lies beyond that side.
        inside &= _grown(as_uint8(outside.astype(np.uint8)), 2 * OUTLINE_PX + 1) > 0
        if outside.any() and np.hypot(*(hue[there][inside].mean(0) - hue[there][outside].mean(0))) < HUE_STEP:
            kept[there][own > 0] = 0
    return kept


def _shrunk(mask: Gray, side: int) -> Gray:
    return as_uint8(cv2.erode(mask, np.ones((side, side), np.uint8)))


def _grown(mask: Gray, side: int) -> Gray:
    return as_uint8(cv2.dilate(mask, np.ones((side, side), np.uint8)))


def _around(tone: Floats) -> Floats:
    """Return the median of *tone* over some 80 mm around each pixel."""
    low, high = float(tone.min()), float(tone.max())
    grey = ((tone - low) / (high - low + 1e-6) * 255).astype(np.uint8)
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    wide = cv2.resize(cv2.medianBlur(small, 61), grey.shape[::-1])
    return np.asarray(wide.astype(np.float32) / 255 * (high - low) + low, np.float32)


def _narrow_and_bright(bright: Floats, edge: int, die_mm: float) -> Gray:
    """Return 255 where something narrower than two dice is brighter than the felt (white top-hat)."""
    inner = np.ascontiguousarray(bright[edge:-edge, edge:-edge])
    side = round(1.7 * die_mm * PX_PER_MM) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    padded = cv2.copyMakeBorder(inner, side, side, side, side, cv2.BORDER_REPLICATE)
    hat = inner - cv2.morphologyEx(padded, cv2.MORPH_OPEN, kernel)[side:-side, side:-side]
    found = (hat - np.median(hat) > BRIGHT_STEP) & (inner < WHITE)
    return _opened(found.astype(np.uint8) * 255, 7)


def _opened(mask: Gray, side: int) -> Gray:
    return as_uint8(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)))


def _largest(mask: Gray, side: float) -> tuple[float, Point]:
    """Return area and middle, in pixels, of the largest connected part of *mask* that is no shadow of the rim."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    rows, columns = mask.shape
    best, where, reach = 0.0, (0.0, 0.0), REACH_MM * PX_PER_MM
    for (x, y, wide, high, area), (middle_x, middle_y) in zip(stats[1:].tolist(), middles[1:].tolist(), strict=True):
        at_side, at_end = min(x, columns - x - wide) < reach, min(y, rows - y - high) < reach
        rim = (at_end and high < side and wide > RIM_SHADOW * side) or (at_side and wide < side < high / RIM_SHADOW)
        if area > best and not rim:
            best, where = float(area), (middle_x, middle_y)
    return best, where
