"""The evening changes the tray: the background follows every empty tray within bounds; the corners must stay.

A value that goes along with the stream: every empty tray that was seen for certain goes in, and a calibration with a
fresher picture of the empty tray comes out. The calibration on disk stays as the person made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.types import Doubles, Floats, Frame, Point, as_uint8

SHARE = 0.3
"""How much of the background an empty tray replaces."""

GAINS = (0.4, 2.5)
"""How far the light as a whole may have gone from that of the calibration, and the background follows."""

LEVELS, PART = 8.0, 0.12
"""How far, in grey levels and as a part of what is there, the background may go from the calibrated one, wide changes
of the light apart. Less than anything that could be a die, so that none is learned little by little."""

LIGHT_SIDES = 6
"""Over how many sides of a die a change is wide."""

STRANGE = 0.1
"""The part of the light by which a square of a third of a die may differ from the background, and the tray is empty."""

REACH = 0.07
"""Half the side of the square about each corner that is looked for, in widths of the picture."""

FAR = 9.0 / 1280
"""How far the tray may lie from where it was calibrated, in widths of the picture: more than mounts tremble."""

APART = 4.0 / 1280
"""How far a corner may have moved against the others: a camera that was turned or raised."""

CLEAR = 0.12
"""Response of the phase correlation from which a corner counts as found."""


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """What is known of the tray now.

    Attributes
    ----------
    original
        The calibration as it was made.
    calibration
        The same with the background of now.
    """

    original: Calibration
    calibration: Calibration

    @classmethod
    def begin(cls, calibration: Calibration) -> Self:
        """Return the drift before any empty tray was seen: none."""
        return cls(calibration, calibration)


def follow(drift: Drift, empty: Frame) -> Drift:
    """Return *drift* after the tray was seen to be empty.

    Parameters
    ----------
    drift : Drift
    empty : ndarray of uint8, shape (M, N, 3)
        The empty tray of now, best the mean of a few pictures at rest, and certainly without anything in it.

    Returns
    -------
    Drift
        *drift* itself where the picture cannot be trusted: something lies there, the light is too far from that of
        the calibration, or the corners are not found where they were.
    """
    shifts = corner_shifts(drift.original, empty)
    found = [shift for shift in shifts if shift is not None]
    if len(found) < 3 or camera_moved(drift.original, empty):
        return drift
    aligned = _shifted(empty, np.median(np.array(found), axis=0))
    gain = _gain(aligned, drift.original)
    if (gain < GAINS[0]).any() or (gain > GAINS[1]).any() or _strange(aligned, drift.calibration):
        return drift
    was, first = (c.empty.astype(np.float32) for c in (drift.calibration, drift.original))
    fresh = was + np.float32(SHARE) * (aligned - was)
    middle = first * _light(fresh, first, drift.original)
    room = LEVELS + PART * middle
    bounded = np.clip(fresh, middle - room, middle + room)
    picture = as_uint8(np.clip(np.rint(bounded), 0, 255))
    return replace(drift, calibration=replace(drift.original, empty=picture))


def camera_moved(calibration: Calibration, frame: Frame) -> bool:
    """Return whether the tray is not where it was calibrated; says no where its corners cannot be seen.

    Parameters
    ----------
    calibration : Calibration
    frame : ndarray of uint8, shape (M, N, 3)
    """
    found = np.array([shift for shift in corner_shifts(calibration, frame) if shift is not None])
    if len(found) < 3:
        return False
    middle = np.median(found, axis=0)
    width = calibration.size[0]
    apart = np.sort(np.hypot(*(found - middle).T))[-2]
    return bool(np.hypot(*middle) > FAR * width or apart > APART * width)


def corner_shifts(calibration: Calibration, frame: Frame) -> tuple[Point | None, ...]:
    """Return by how many pixels each corner of the floor has moved; None for one that is hidden or in the dark.

    Notes
    -----
    Phase correlation (Kuglin and Hines, 1975) of the edges about the corner, of the logarithm of the brightness: the
    strength of the light drops out.
    """
    reach = round(REACH * calibration.size[0])
    return tuple(_shift(calibration.empty, frame, corner, reach) for corner in calibration.corners_px)


def _shift(then: Frame, now: Frame, corner: Point, reach: int) -> Point | None:
    height, width = now.shape[:2]
    x = min(max(round(corner[0]), reach), width - reach)
    y = min(max(round(corner[1]), reach), height - reach)
    part = np.s_[y - reach : y + reach, x - reach : x + reach]
    a, b = _edges(then[part]), _edges(now[part])
    window = cv2.createHanningWindow((2 * reach, 2 * reach), cv2.CV_32F)
    (dx, dy), response = cv2.phaseCorrelate(a, b, window)
    return (dx, dy) if response > CLEAR else None


def _edges(part: Frame) -> Floats:
    gray = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32)
    light = cv2.log(cv2.GaussianBlur(gray, (5, 5), 0) + 8)
    across, down = (cv2.Sobel(light, cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _shifted(frame: Frame, by: Doubles) -> Floats:
    """Return *frame* moved back by *by* pixels, float32."""
    if np.hypot(*by) < 0.2:
        return frame.astype(np.float32)
    matrix = np.array([[1, 0, by[0]], [0, 1, by[1]]], np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpAffine(frame, matrix, frame.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.float32)


def _gain(now: Floats, calibration: Calibration) -> Floats:
    """Return how much brighter the floor is than when it was calibrated, per channel, shape (3,)."""
    (x0, y0), (x1, y1) = _box(calibration.corners_px)
    part = np.s_[y0:y1:4, x0:x1:4]
    ratio = (now[part] + 4) / (calibration.empty[part].astype(np.float32) + 4)
    return np.asarray(np.median(ratio, axis=(0, 1)), np.float32)


def _light(now: Floats, then: Floats, calibration: Calibration) -> Floats:
    """Return how much brighter each place is than it was, as far as that changes slowly from place to place.

    A lamp that is moved or dimmed changes wide parts of the tray; a die is small. So the mean over squares of
    `LIGHT_SIDES` dice is light, and what is left of the change is bounded.
    """
    side = calibration.die_mm * calibration.px_per_mm
    size = tuple(max(2, round(length / side * 2)) for length in calibration.size)
    coarse = [cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (now, then)]
    wide = 2 * LIGHT_SIDES + 1
    here, there = (cv2.blur(picture, (wide, wide)) for picture in coarse)
    ratio = np.clip((here + 4) / (there + 4), *GAINS).astype(np.float32)
    return np.asarray(cv2.resize(ratio, calibration.size, interpolation=cv2.INTER_LINEAR), np.float32)


def _strange(now: Floats, calibration: Calibration) -> bool:
    """Return whether something stands out of the floor against the background, slow changes of the light apart."""
    side = calibration.die_mm * calibration.px_per_mm
    (x0, y0), (x1, y1) = _box(calibration.corners_px)
    cell = max(2, round(side / 3))
    size = (max(1, (x1 - x0) // cell), max(1, (y1 - y0) // cell))
    here, there = (
        cv2.resize(np.asarray(picture[y0:y1, x0:x1], np.float32), size, interpolation=cv2.INTER_AREA)
        for picture in (now, calibration.empty)
    )
    light = np.log((here + 6) / (there + 6))
    sharp = np.abs(light - cv2.blur(light, (9, 9)))
    inside = np.zeros(size[::-1], np.uint8)
    quad = (np.array(calibration.corners_px) - (x0, y0)) / cell
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
    return bool(sharp[inside > 0].max(initial=0.0) > STRANGE)


def _box(corners: Sequence[Point]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the upright box about *corners*: its first pixel and the one after its last."""
    quad = np.array(corners)
    (x0, y0), (x1, y1) = np.floor(quad.min(axis=0)), np.ceil(quad.max(axis=0))
    return (max(0, int(x0)), max(0, int(y0))), (int(x1), int(y1))
