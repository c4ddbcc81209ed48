"""Where the corners of the tray are now: they are seen where the grain of the felt is not, or where dice hide it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.types import Doubles, Floats, Frame, Point

REACH = 0.07
"""Half the side of the square about each corner that is looked for, in widths of the picture."""

CLEAR = 0.12
"""Response of the phase correlation from which a corner counts as found."""

ENOUGH = 3
"""So many corners, at least, tell where the tray is."""

FAR = 9.0 / 1280
"""How far the tray may lie from where it was calibrated, in widths of the picture: more than mounts tremble."""

APART = 4.0 / 1280
"""How far a corner may have moved against the others: a camera that was turned or raised."""


def camera_moved(calibration: Calibration, frame: Frame) -> bool:
    """Return whether the tray is not where it was calibrated; says no where its corners cannot be seen.

    Parameters
    ----------
    calibration : Calibration
    frame : ndarray of uint8, shape (M, N, 3)
    """
    seen, shift = told_by_corners(calibration, frame)
    return seen and shift is None


def shift_by_corners(calibration: Calibration, frame: Frame) -> Point | None:
    """Return by how many pixels the tray is shifted in *frame*; None where its corners are not seen, or have moved."""
    return told_by_corners(calibration, frame)[1]


def told_by_corners(calibration: Calibration, frame: Frame) -> tuple[bool, Point | None]:
    """Return whether enough corners are seen in *frame*, and the shift in pixels that they share, if they share one.

    Notes
    -----
    The median of those corners that are seen. In 800 drawn throws the felt told nothing of 20 in which the camera stood
    where it was; by their corners all of them are told to 0.3 pixels.
    """
    found = _found(calibration, frame)
    seen = len(found) >= ENOUGH
    return seen, _shared(found, calibration.size[0]) if seen else None


def corner_shifts(calibration: Calibration, frame: Frame) -> tuple[Point | None, ...]:
    """Return by how many pixels each corner of the floor has moved; None for one that is hidden or in the dark.

    Notes
    -----
    Phase correlation (Kuglin and Hines, 1975) of the edges about the corner, of the logarithm of the brightness: the
    strength of the light drops out.
    """
    reach = min(round(REACH * calibration.size[0]), min(calibration.size) // 2)
    return tuple(_shift(calibration.empty, frame, corner, reach) for corner in calibration.corners_px)


def _found(calibration: Calibration, frame: Frame) -> Doubles:
    """Return the shifts of those corners that are seen, shape (K, 2)."""
    return np.array([shift for shift in corner_shifts(calibration, frame) if shift is not None], np.float64)


def _shared(found: Doubles, width: int) -> Point | None:
    """Return the shift that *found* corners share; None where it is too far, or more than one is apart from it."""
    x, y = (float(value) for value in np.median(found, axis=0))
    apart = np.sort(np.hypot(*(found - (x, y)).T))[-2]
    return None if np.hypot(x, y) > FAR * width or apart > APART * width else (x, y)


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
