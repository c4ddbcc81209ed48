"""Reduce a picture until no face is left in it: all that a table may keep while dice are hidden."""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import TypeAlias

import cv2
import numpy as np

from vision.backdrop import shrunk
from vision.calibration import Calibration
from vision.geometry import floor_rectangle, homography
from vision.glance import differences
from vision.types import Floats, Frame, Gray, Mask, as_uint8, planes

Small: TypeAlias = Gray
"""A reduced picture: uint8, shape (24, 32), as `reduce` returns it."""

COLUMNS, ROWS = 32, 24

BLOT = 255
"""Where something small lies, all of it. Nothing else is brighter than `BRIGHTEST`."""

BRIGHTEST = 243
LARGE, SHADE = 1, 2
"""The lowest bits of all that is no blot, in a calibrated tray: where something large lies on the felt, and where it
is evenly darker over so large a part, in a shadow or by something of its own hue."""

_WORK = (320, 240)
_COARSE = (80, 60)

_WIDE_MM = 400.0
"""Width of what a picture shows where no calibration tells it."""

_GROUND_MM = 70.0
"""A square so wide must be filled by half with one thing for that to count as ground: a cup does it, dice do not."""

_LARGE_MM = 58.0
"""A disc so wide fits into what is large: into a cup, a palm, an arm, and into no six dice however they touch."""

_STEP, _STEP_PER_LEVEL = 5.0, 0.12
"""Grey levels, and part of the brightness, by which small things differ from the ground of an unknown tray."""

_NOISE = 1.0
"""Of a pixel at the size of work, in grey levels."""

_DEEP = 0.6
"""What is darker than felt in the light of the lamp by such a factor is a thing, and not its shadow."""

_HOLE_MM2 = 70.0
"""Holes up to this in what differs are no holes: pips of the ground's colour."""

_SPECK_MM = 6.0
"""Specks into which no square of this side fits are nothing: lone pips of a die that has the ground's colour."""

_WINDOW_MM, _LEAST_MM2 = 26.0, 64.0
"""A blot is made where a square window holds so much: wide enough for any die, less than half the top of the least."""

GAIN_SPREAD = 0.08
LEAST_FELT = 0.15
"""Felt is what has the commonest change of light, to within the first; it must be such a part of the tray."""

DARK = 4.0
"""Grey levels added before two are divided."""

_KEPT = 4


def reduce(frame: Frame | Gray, calibration: Calibration | None = None) -> Small:
    """Return *frame* so coarse that no face is left in it: large things in grey, small ones as flat blots.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3) or (M, N)
        Of any size, at least 16 x 16; of that of the calibration, and in colour, with one. Never written to.
    calibration : Calibration or None
        With one, the floor of its tray fills the result, and what belongs to the empty tray is no thing in it.

    Returns
    -------
    ndarray of uint8, shape (24, 32)
        Up to `BRIGHTEST` the grey of the ground - felt, a cup, an arm - with `LARGE` and `SHADE` as its lowest
        bits. `BLOT` where something smaller lies, such as dice; in blocks of two by two, some 19 mm wide.

    Raises
    ------
    ValueError
        If *frame* is no such array.

    Notes
    -----
    Area averaging alone does not hide a face: a six has 30 mm2 more of pips than a one, and cells of 9 mm show it. So
    the grey is a median over 70 mm, in which dice are outliers whatever they show; and small things are found by how
    they differ from the felt, their holes are filled, and what is left is only asked whether a window of 26 mm holds a
    quarter of a die or more of it.

    Where the ground itself is not that of the felt, no dice made it so, and no blot is made there but `SHADE`: a cup
    of about the felt's colour must not look like open dice.

    What remains: whether, and to about a centimetre where, something small lies. A die that hardly differs from the
    felt, or a clear one under a glaring lamp, may lose or win a block with the face it shows, as it does with the
    noise of the sensor; no block tells which face that was. Dice under a standing cup are not in the frame at all.

    Examples
    --------
    >>> picture = reduce(np.full((480, 640, 3), 90, np.uint8))
    >>> picture.shape, int(picture.min()), int(picture.max())
    ((24, 32), 88, 88)
    """
    _check(frame, calibration)
    if calibration is None:
        grey = _grey(_shrunk(frame, _WORK))
        mm, ground = _WIDE_MM / _WORK[0], _ground(grey, _WIDE_MM / _WORK[0])
        small_things = _filled(_against_ground(grey, ground), mm)
        large = shade = shifted = np.zeros(_COARSE[::-1], np.uint8)
    else:
        empty, mm = _empty_of(calibration)
        picture = _levelled(frame, calibration)
        ground = _ground(_grey(picture), mm)
        gain = _gains(picture, empty)
        things, darker = _against_felt(picture, empty, gain)
        small_things, large = _parted(_filled(things, mm), mm)
        rest = _parted(_filled(as_uint8(cv2.bitwise_or(things, darker)), mm), mm)[1]
        shade = as_uint8(cv2.bitwise_or(_parted(darker, mm)[1], cv2.subtract(rest, large)))
        shifted = _shifted(ground, _ground(_grey(empty), mm), gain)
    bits = _bits(large, LARGE) | _bits(shade, SHADE)
    return _drawn(ground, shifted, bits, _marked(small_things, mm) > 0)


def _drawn(ground: Gray, shifted: Gray, bits: Small, blots: Mask) -> Small:
    """Return the grey of *ground* with the *bits* of what is large, and *blots* where the ground is not *shifted*."""
    grey = np.minimum(_shrunk(ground, (COLUMNS, ROWS)), np.uint8(BRIGHTEST))
    # Where the ground itself is another, no dice make it so: a cup of about the felt's colour, or a hand.
    is_ground = _shrunk(shifted, (COLUMNS, ROWS)) > 127
    small = grey & np.uint8(BLOT - LARGE - SHADE) | bits
    small = np.where(blots & is_ground, small | np.uint8(SHADE), small)
    return np.where(blots & ~is_ground, np.uint8(BLOT), small)


def gain_of(now: Gray, empty: Gray) -> float | None:
    """Return how much brighter felt is in *now*, shape (N,): what most of the tray agrees on, whatever stands on it."""
    if now.size < 2:
        return None
    ratios = np.sort(np.log((now + DARK) / (empty + DARK)))
    first = np.searchsorted(ratios, ratios - GAIN_SPREAD)
    count = np.arange(1, ratios.size + 1) - first
    last = int(count.argmax())
    if count[last] < LEAST_FELT * ratios.size:
        return None
    return float(np.exp(ratios[first[last] : last + 1].mean()))


def _bits(mask: Gray, bit: int) -> Gray:
    return np.where(_shrunk(mask, (COLUMNS, ROWS)) > 127, np.uint8(bit), np.uint8(0))


def _shrunk(picture: Frame | Gray, size: tuple[int, int]) -> Gray:
    return as_uint8(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


def _check(frame: Frame | Gray, calibration: Calibration | None) -> None:
    shape = frame.shape
    if frame.dtype != np.uint8 or len(shape) not in (2, 3) or shape[2:] not in ((), (3,)) or min(shape[:2]) < 16:
        raise ValueError(f"a picture of shape {shape} and {frame.dtype}; wanted rows x columns (x 3) of uint8")
    if calibration is not None and shape != calibration.empty.shape:
        width, height = calibration.size
        raise ValueError(f"a picture of shape {shape}; the calibration is for {width}x{height} in colour")


def _grey(picture: Frame | Gray) -> Gray:
    return picture if picture.ndim == 2 else as_uint8(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))


def _levelled(frame: Frame, calibration: Calibration) -> Frame:
    """Return the floor of the tray in *frame* at the size of work, shape (240, 320, 3)."""
    wide, high = _WORK
    by = 2 ** max(0, round(log2(calibration.px_per_mm * calibration.tray_mm[0] / wide)))
    corners = (calibration.mm_to_px(floor_rectangle(calibration.tray_mm)) + 0.5) / by - 0.5
    there = homography(floor_rectangle((wide - 1, high - 1)), corners)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return as_uint8(cv2.warpPerspective(shrunk(frame, by), there, _WORK, flags=flags, borderMode=cv2.BORDER_REPLICATE))


@lru_cache(maxsize=_KEPT)
def _empty_of(calibration: Calibration) -> tuple[Frame, float]:
    """Return the empty tray as `_levelled`, made once as the backdrop is, and how many millimetres its pixels are."""
    width, depth = calibration.tray_mm
    return _levelled(calibration.empty, calibration), float(np.sqrt(width * depth / (_WORK[0] * _WORK[1])))


def _ground(picture: Gray, mm: float) -> Gray:
    """Return *picture* without small things, coarse: shape (60, 80). At the edges it is taken to go on mirrored."""
    coarse = _shrunk(picture, _COARSE)
    half = round(_GROUND_MM / (mm * _WORK[0] / _COARSE[0]) / 2)
    padded = cv2.copyMakeBorder(coarse, half, half, half, half, cv2.BORDER_REFLECT)
    return as_uint8(cv2.medianBlur(padded, 2 * half + 1)[half:-half, half:-half])


def _against_ground(picture: Gray, ground: Gray) -> Gray:
    """Return where *picture* is not as its own ground, 0 or 255."""
    expected = as_uint8(cv2.resize(ground, _WORK, interpolation=cv2.INTER_LINEAR))
    least = np.minimum(_STEP + _STEP_PER_LEVEL * np.arange(256), 255).astype(np.uint8)
    return as_uint8(cv2.compare(cv2.absdiff(picture, expected), cv2.LUT(expected, least), cv2.CMP_GT))


def _gains(picture: Frame, empty: Frame) -> Floats | None:
    """Return how much brighter felt is in *picture*, per channel: shape (3,); None where no felt is made out."""
    now, then = (_shrunk(p, _COARSE).reshape(-1, 3) for p in (picture, empty))
    gains = [gain_of(now[:, k], then[:, k]) for k in range(3)]
    return None if None in gains else np.array(gains, np.float32)


def _shifted(ground: Gray, empty: Gray, gain: Floats | None) -> Gray:
    """Return where the *ground* is not that of the *empty* tray, both coarse: 0 or 255."""
    if gain is None:
        return np.full(ground.shape, 255, np.uint8)
    felt = empty * gain.mean()
    apart = np.abs(ground - felt) > _STEP + _STEP_PER_LEVEL * felt
    return np.where(apart, np.uint8(255), np.uint8(0))


def _against_felt(picture: Frame, empty: Frame, gain: Floats | None) -> tuple[Gray, Gray]:
    """Return where *picture* differs from the *empty* tray in the present light: as things do, and as shadows do."""
    if gain is None:
        return np.full(picture.shape[:2], 255, np.uint8), np.zeros(picture.shape[:2], np.uint8)
    new = differences(planes(picture), planes(empty), gain, _NOISE)
    deep = cv2.compare(_grey(picture), cv2.convertScaleAbs(_grey(empty), alpha=_DEEP * float(gain.mean())), cv2.CMP_LT)
    things = as_uint8(cv2.bitwise_or(new.body, cv2.bitwise_and(new.changed, deep)))
    return things, as_uint8(cv2.bitwise_and(new.changed, cv2.bitwise_not(new.body)))


def _filled(mask: Gray, mm: float) -> Gray:
    """Return *mask* with its small holes filled, and without specks."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(mask), connectivity=4)
    holes = stats[:, cv2.CC_STAT_AREA] < _HOLE_MM2 / mm**2
    holes[0] = False  # all that is no hole, but the mask itself
    mask = np.where(holes[labels], np.uint8(255), mask)
    side = max(1, round(_SPECK_MM / mm))
    return as_uint8(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)))


def _parted(things: Gray, mm: float) -> tuple[Gray, Gray]:
    """Return what is small of *things*, at the size of work, and what is large, coarse."""
    coarse = np.where(_shrunk(things, _COARSE) > 127, np.uint8(255), np.uint8(0))
    side = round(_LARGE_MM / (mm * _WORK[0] / _COARSE[0])) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    edge = side // 2
    # An arm goes on beyond the edge of the tray.
    padded = cv2.copyMakeBorder(coarse, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    large = as_uint8(cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc)[edge:-edge, edge:-edge])
    near = cv2.resize(cv2.dilate(large, np.ones((5, 5), np.uint8)), _WORK, interpolation=cv2.INTER_NEAREST)
    return as_uint8(cv2.bitwise_and(things, cv2.bitwise_not(near))), large


def _marked(things: Gray, mm: float) -> Gray:
    """Return which cells of the reduced picture are blotted: 0 or 1, shape (24, 32)."""
    side = round(_WINDOW_MM / mm) | 1
    held = cv2.boxFilter(things, cv2.CV_32F, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    step = 2 * _WORK[0] // COLUMNS
    blocks = held[step // 2 :: step, step // 2 :: step] * (mm * mm / 255) > _LEAST_MM2
    return np.repeat(np.repeat(blocks.astype(np.uint8), 2, axis=0), 2, axis=1)
