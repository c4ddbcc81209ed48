"""Do corners that were given lie on the edges of a tray? How much the picture changes across each of its sides."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.calibration.things import DARK
from vision.types import Doubles, Floats, Frame

OFF_MM = 3.0
"""By how much a side may lie beside the edge: corners are given by hand."""

ACROSS_MM, BETWEEN_MM = 3.0, 0.75
"""How far apart the lines are that are compared, and how far one such pair is from the next."""

ALONG, PLACES = (0.06, 0.94), 60
"""Which part of a side is looked at, without its ends, and at how many places."""

SOFT_PX = 1.0
"""Blur against noise, as a standard deviation."""


def steps_at_sides(picture: Frame, mm_to_px: Callable[[Doubles], Doubles], tray_mm: tuple[float, float]) -> Doubles:
    """Return by how much light and colour change across each side of the floor.

    Parameters
    ----------
    picture : ndarray of uint8, shape (M, N, 3)
    mm_to_px : callable
        Where points of the floor, in mm, shape (N, 2), are seen in pixels, the lens included.
    tray_mm : (float, float)
        Width and depth of the floor.

    Returns
    -------
    ndarray of float64, shape (4,)
        Logarithms: of each side, from the top on clockwise, the largest step within `OFF_MM`, a median along it.
    """
    light = np.log(cv2.GaussianBlur(picture, (0, 0), SOFT_PX).astype(np.float32) + DARK)
    reach = OFF_MM + ACROSS_MM / 2
    inwards = np.arange(-reach, reach + BETWEEN_MM / 2, BETWEEN_MM)
    apart = round(ACROSS_MM / BETWEEN_MM)
    steps = []
    for side in _sides(tray_mm, inwards):
        seen = _seen(light, mm_to_px(side.reshape(-1, 2))).reshape(len(inwards), PLACES, 3)
        change = np.median(seen[apart:] - seen[:-apart], axis=1)
        steps.append(np.linalg.norm(change, axis=1).max())
    return np.array(steps, np.float64)


def _sides(tray_mm: tuple[float, float], inwards: Doubles) -> list[Doubles]:
    """Return places on lines along each side, so many millimetres *inwards*: each (lines, places, 2)."""
    wide, deep = tray_mm
    along = np.linspace(*ALONG, PLACES)
    x, y = (np.tile(along * size, (len(inwards), 1)) for size in tray_mm)
    off = np.tile(inwards[:, None], (1, PLACES))
    pairs = ((x, off), (wide - off, y), (x, deep - off), (off, y))
    return [np.stack(pair, axis=2) for pair in pairs]


def _seen(light: Floats, at: Doubles) -> Floats:
    x, y = np.asarray(at, np.float32).T
    return np.asarray(cv2.remap(light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
