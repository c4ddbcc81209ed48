"""How far the tray is shifted in a picture, by the grain of its felt: a mount trembles, and a camera may be bumped."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.compiled.edges import steepness
from vision.types import Doubles, Floats, Frame, Gray, Point, as_uint8, shifted

CUT_OFF = 2.0
"""Times the median steepness: what is steeper counts as that, else two dice would outweigh the grain of the felt."""

ALIKE, SURELY_ALIKE = 0.87, 0.92
"""Correlation from which a shift that was found step by step is believed if the corners of the tray are not seen, and
whatever they say. Of 600 drawn throws 544 were above the second, and of 130 photorealistic ones all; with a camera
bumped by 9 to 30 pixels such had 0.80 to 0.89, and a shift of a third of that."""

STEPS = 3
SMALL_STEP = 0.1
"""So many steps are made at most, in pixels of the small picture none after one as small as this."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """The edges of the empty tray, small, as they must be found again.

    Attributes
    ----------
    edges
        How steep the small picture is, up to `steepest`, times the window: float32, shape (rows, columns).
    steepest
        Where `edges` are cut off: what is steeper is a die or the rim, and must not outweigh the grain of the felt.
    window
        The Hann window: float32, shape (rows, columns).
    brightness
        Sum of the means of the three channels.
    slopes
        Of `edges`, across and down: float32, shape (2, rows * columns).
    at_rest
        What `slopes` see of `edges`: float32, shape (2,).
    pull
        From what `slopes` see of a difference to the shift that makes it: float64, shape (2, 2).
    """

    edges: Floats
    steepest: float
    window: Floats
    brightness: float
    slopes: Floats
    at_rest: Floats
    pull: Doubles

    @classmethod
    def of(cls, small: Frame) -> Pattern:
        """Return the pattern of the *small* picture of an empty tray, shape (rows, columns, 3)."""
        steep = np.empty(small.shape[:2], np.float32)
        steepness(_gray(small), np.ones_like(steep), np.float32(np.inf), np.float32(1), steep)
        steepest = max(1.0, CUT_OFF * float(np.median(steep)))
        window = np.asarray(cv2.createHanningWindow(small.shape[1::-1], cv2.CV_32F), np.float32)
        edges = np.minimum(steep, steepest) * window
        slopes = np.stack([_slope(edges, 1, 0), _slope(edges, 0, 1)])
        pull = np.linalg.pinv((slopes @ slopes.T).astype(np.float64))
        return cls(
            edges, steepest, window, _brightness(small), slopes, slopes @ edges.ravel(), np.asarray(pull, np.float64)
        )

    def shift_of(self, small: Frame) -> tuple[Point, float]:
        """Return by how many of its pixels the tray is shifted in *small*, and how alike they are then, -1 to 1.

        Notes
        -----
        The method of Lucas and Kanade (An iterative image registration technique, 1981) on how steep the pictures
        are, for shifts of about a pixel.
        """
        brighter = _brightness(small) / self.brightness
        edges = np.empty_like(self.window)
        steepest, scale = np.float32(self.steepest * brighter), np.float32(1 / brighter)
        steepness(_gray(small), self.window, steepest, scale, edges)
        shift, back = np.zeros(2), edges
        for _ in range(STEPS):
            step = -self.pull @ (self.slopes @ back.ravel() - self.at_rest)
            shift += step
            if np.hypot(*step) < SMALL_STEP:
                break
            back = shifted(edges, (-float(shift[0]), -float(shift[1])))
        one, two = back.ravel(), self.edges.ravel()
        alike = float(one @ two) / max(float(np.sqrt(one @ one) * np.sqrt(two @ two)), 1e-6)
        return (float(shift[0]), float(shift[1])), alike


def _brightness(small: Frame) -> float:
    return max(1.0, float(np.sum(cv2.mean(small))))


def _gray(small: Frame) -> Gray:
    return as_uint8(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))


def _slope(edges: Floats, across: int, down: int) -> Floats:
    """Return the slope of *edges* a pixel in one direction, as a row."""
    return np.asarray(cv2.Sobel(edges, cv2.CV_32F, across, down, ksize=3, scale=1 / 8), np.float32).ravel()
