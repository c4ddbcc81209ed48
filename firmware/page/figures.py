"""Figures of a camera's picture: how bright, how much is clipped, how sharp; and where the floor of the tray is."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.calibration.checks import SATURATED, blur_px
from vision.geometry import floor_rectangle
from vision.types import Frame

BINS: Final = 64
BLACK: Final = 5
"""Levels up to this one are as good as black."""

Points = list[list[float]]


def figures(frame: Frame) -> dict[str, object]:
    """Return figures of *frame*.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)

    Returns
    -------
    dict
        ``mean``: mean grey, 0 to 255. ``clipped`` and ``black``: which part of the pixels is saturated in one colour,
        and black in all. ``blur_px``: standard deviation of the sharpest edges in pixels, None without edges.
        ``histogram``: for red, green and blue, which part of the pixels lies in each of `BINS` equal ranges.
    """
    pixels = frame.shape[0] * frame.shape[1]
    counted = [cv2.calcHist([frame], [colour], None, [BINS], [0, 256]).ravel() / pixels for colour in (2, 1, 0)]
    blur = blur_px(frame)
    brightest = frame.max(axis=2)
    return {
        "mean": round(float(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).mean()), 1),
        "clipped": round(float(np.count_nonzero(brightest >= SATURATED)) / pixels, 4),
        "black": round(float(np.count_nonzero(brightest <= BLACK)) / pixels, 4),
        "blur_px": None if blur is None else round(blur, 2),
        "size": [frame.shape[1], frame.shape[0]],
        "histogram": [[round(float(part), 5) for part in parts] for parts in counted],
    }


def outline(calibration: Calibration) -> dict[str, object]:
    """Return the edge of the floor, and of the plane of the dice's tops, in pixels of the picture."""
    floor = floor_rectangle(calibration.tray_mm)
    edge = np.concatenate([np.linspace(a, b, 12) for a, b in zip(floor, np.roll(floor, -1, axis=0), strict=True)])

    def line(height_mm: float) -> Points:
        return [[round(float(x), 1), round(float(y), 1)] for x, y in calibration.mm_to_px(edge, height_mm)]

    return {"size": list(calibration.size), "floor": line(0.0), "tops": line(calibration.die_mm)}
