"""What lies in the tray: the difference to the empty one, in the straightened view of the plane of the dice's tops."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.geometry import MARGIN_MM, PX_PER_MM, straighten
from vision.types import Doubles, Fault, Floats, Frame, Gray, Mask, as_uint8

MAX_SHIFT = 6.0 / 1280
"""How far a mount may tremble, in widths of the picture, before the camera counts as moved."""

MIN_RESPONSE = 0.03
"""Phase correlation below this says nothing: too little is alike."""

GAIN_RANGE = (0.35, 2.4)
"""How far the light may have changed since the calibration."""

MIN_MEAN = 6.0

STEP = 16.0
"""Grey levels, at the light of the calibration, by which something must differ from the empty tray."""


@dataclass(frozen=True)
class View:
    """The straightened tray and what is new in it.

    Attributes
    ----------
    picture
        uint8, shape (rows, columns, 3), `PX_PER_MM`; the floor begins `MARGIN_MM` from its edges.
    changed
        uint8, 0 or 255: where it differs from the empty tray, shadows included.
    body
        uint8, 0 or 255: the same without what may be a shadow on the felt.
    delta
        float32: by how many grey levels it differs, the most of the three channels.
    to_px
        Homography from the view's pixels to the picture's: float64, shape (3, 3).
    """

    picture: Frame
    changed: Gray
    body: Gray
    delta: Floats
    to_px: Doubles


def look(frame: Frame, calibration: Calibration) -> View | tuple[Fault, str]:
    """Return the straightened view of *frame*, or why there is none: the light, or a camera that moved."""
    shift = _tremble(frame, calibration)
    if shift is None:
        return Fault.CAMERA_MOVED, "the tray is not where it was calibrated; put the camera back or calibrate again"
    to_px = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]]) @ calibration.view_to_px
    picture = straighten(frame, to_px, calibration.tray_mm)
    gain = _gain(picture, calibration.empty_view)
    mean = float(cv2.mean(cv2.cvtColor(_floor_of(picture), cv2.COLOR_BGR2GRAY))[0])
    if not GAIN_RANGE[0] < float(gain.mean()) < GAIN_RANGE[1] or mean < MIN_MEAN:
        return Fault.LIGHT, f"the tray is {gain.mean():.2f} times as bright as it was calibrated"
    return View(picture, *_differences(picture, calibration.empty_view, gain, calibration.noise), to_px)


def _floor_of(view: Frame) -> Frame:
    edge = round(MARGIN_MM * PX_PER_MM)
    return view[edge:-edge, edge:-edge]


def _tremble(frame: Frame, calibration: Calibration) -> tuple[float, float] | None:
    """Return by how many pixels the tray is shifted, or None when it is not there.

    Notes
    -----
    Phase correlation (Kuglin and Hines, 1975) of the edges of frame and empty tray, at a quarter of the size.
    """
    scale = 320 / frame.shape[1]
    now, then = (_edges(picture, scale) for picture in (frame, calibration.empty))
    window = cv2.createHanningWindow(now.shape[::-1], cv2.CV_32F)
    (dx, dy), response = cv2.phaseCorrelate(then, now, window)
    dx, dy = dx / scale, dy / scale
    if response < MIN_RESPONSE or np.hypot(dx, dy) > MAX_SHIFT * frame.shape[1]:
        return None
    return float(dx), float(dy)


def _edges(frame: Frame, scale: float) -> Floats:
    small = cv2.cvtColor(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    across, down = (cv2.Sobel(small, cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _gain(picture: Frame, empty: Frame) -> Floats:
    """Return how much brighter the floor is than when empty, per channel: median, so that dice do not matter."""
    now, then = (_floor_of(p)[::4, ::4].astype(np.float32) for p in (picture, empty))
    return np.asarray(np.median((now + 4) / (then + 4), axis=(0, 1)), np.float32)


def _differences(picture: Frame, empty: Frame, gain: Floats, noise: float) -> tuple[Gray, Gray, Floats]:
    """Return changed, body and delta of `View`; worked out at half the size, which also averages the felt's grain."""
    now, then = _half(picture), _half(empty) * gain
    delta = _largest(cv2.absdiff(now, then))
    floor = max(STEP, 4 * noise) * min(1.0, float(gain.mean()))
    changed: Mask = delta > floor + 0.06 * _largest(then)
    body = changed.copy()
    body[changed] = ~_shadow(now[changed], then[changed])
    size = picture.shape[1::-1]
    by = np.asarray(cv2.resize(delta, size, interpolation=cv2.INTER_LINEAR), np.float32)
    return _cleaned(changed, size), _cleaned(body, size), by


def _half(picture: Frame) -> Floats:
    small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(small, (3, 3), 0).astype(np.float32)


def _shadow(now: Floats, then: Floats) -> Mask:
    """Which pixels, shape (N, 3), are darker by the same factor in all channels, as far as dark pixels can tell."""
    ratio = ((now + 6) / (then + 6)).T
    low, high = np.minimum.reduce(ratio), np.maximum.reduce(ratio)
    shadow: Mask = (high < 0.97) & (low > 0.2) & (high - low < 0.14)
    return shadow


def _largest(picture: cv2.typing.MatLike) -> Floats:
    """Return the largest of the three channels; numpy's own maximum over a short last axis is ten times slower."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def _cleaned(mask: Mask, size: tuple[int, int]) -> Gray:
    opened = cv2.morphologyEx(mask.astype(np.uint8) * 255, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    return as_uint8(cv2.resize(closed, size, interpolation=cv2.INTER_NEAREST))
