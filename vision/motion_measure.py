"""How much moves between two pictures: local, blind to soft shadows and to flicker, against the stream's own noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.types import Floats, Frame, Gray

Small: TypeAlias = Floats
"""A picture to compare: float32, shape (rows, columns), percent of brightness on a logarithmic scale."""

LONG_SIDE = 320
"""Longer side in pixels of a `Small`."""

DARK = 16.0
"""Grey levels added before the logarithm: the noise of dark pixels is not to look like motion."""

SURROUND = 9
"""Side in pixels of the square whose mean change is light and not motion: a little less than a die."""

BLOCK = 4
"""Side in pixels of the squares over which change is averaged: about the diameter of two pips."""

FLOOR = 7.0
"""Percent of change that is never called motion: what compression alone does to a still picture."""

NOISE_FACTOR = 2.8
MAX_NOISE = 5.5
HISTORY = 30
"""Of how many pictures the noise is remembered."""

RIM = 1.08
"""How much larger than the floor the part of the picture is in which motion counts."""


def shrink(frame: Frame) -> Small:
    """Return what of *frame* motion is told from.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)

    Returns
    -------
    ndarray of float32, shape (rows, columns)
        100 times the natural logarithm of the smoothed brightness, the longer side `LONG_SIDE` pixels.
    """
    scale = min(1.0, LONG_SIDE / max(frame.shape[:2]))
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else frame
    gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = cv2.GaussianBlur(gray, (3, 3), 0)
    return np.asarray(100 * cv2.log(smooth + np.float32(DARK)), np.float32)


def change(now: Small, before: Small, tray: Gray | None) -> Floats:
    """Return how much each block differs between two pictures of one size.

    Parameters
    ----------
    now, before : Small
    tray : ndarray of uint8, shape (rows, columns), or None
        255 where motion counts, from `tray_mask`.

    Returns
    -------
    ndarray of float32, shape (rows / 2, columns / 2)
        Mean absolute change within `BLOCK` pixels, in percent, less the mean change of the surroundings.
    """
    delta = cv2.subtract(now, before)
    sharp = np.abs(delta - cv2.blur(delta, (SURROUND, SURROUND)))
    blocks = cv2.blur(sharp, (BLOCK, BLOCK))[::2, ::2]
    return np.asarray(blocks if tray is None else blocks[tray[::2, ::2] > 0], np.float32)


def noise_of(blocks: Floats) -> float:
    """Return the change that 98 of 100 blocks stay below, in percent."""
    flat = blocks.reshape(-1)[::2]
    rank = int(0.98 * (flat.size - 1))
    return float(np.partition(flat, rank)[rank])


def threshold(noises: Sequence[float]) -> float:
    """Return the change in percent above which something moves.

    Parameters
    ----------
    noises : sequence of float
        `noise_of` the last pictures. Their lower quartile is the noise of the stream, also while a hand moves and when
        some pictures come twice.
    """
    quiet = sorted(noises)[len(noises) // 4] if noises else 0.0
    return max(FLOOR, NOISE_FACTOR * min(quiet, MAX_NOISE))


def tray_mask(calibration: Calibration, shape: tuple[int, int]) -> Gray:
    """Return where in a `Small` of *shape* motion counts: 255 on the floor and a little of the rim, 0 elsewhere."""
    width, height = calibration.size
    corners = np.array(calibration.corners_px) * (shape[1] / width, shape[0] / height)
    middle = corners.mean(axis=0)
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(middle + RIM * (corners - middle)).astype(np.int32), 255)
    return mask
