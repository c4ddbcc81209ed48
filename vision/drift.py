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
from vision.corners import shift_by_corners
from vision.types import Doubles, Floats, Frame, Point

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

ROWS_AT_ONCE = 16


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
    shift = shift_by_corners(drift.original, empty)
    if shift is None:
        return drift
    aligned = _shifted(empty, np.array(shift))
    gain = _gain(aligned, drift.original)
    if (gain < GAINS[0]).any() or (gain > GAINS[1]).any() or _strange(aligned, drift.calibration):
        return drift
    picture = _blended(aligned, drift)
    return replace(drift, calibration=replace(drift.original, empty=picture))


def _blended(now: Floats, drift: Drift) -> Frame:
    """Return the background of *drift* gone towards *now*, as far as it may go from the calibrated one."""
    first = drift.original.empty
    was = drift.calibration.empty.astype(np.float32)
    fresh = was + np.float32(SHARE) * (now - was)
    light = _light(fresh, first.astype(np.float32), drift.original)
    picture = np.empty(first.shape, np.uint8)
    # A few rows at a time: what is made of whole pictures on the way would not stay in the processor's cache.
    for top in range(0, len(first), ROWS_AT_ONCE):
        rows = np.s_[top : top + ROWS_AT_ONCE]
        middle = first[rows].astype(np.float32) * light[rows]
        room = LEVELS + PART * middle
        bounded = np.clip(fresh[rows], middle - room, middle + room)
        picture[rows] = np.clip(np.rint(bounded), 0, 255)
    return picture


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
