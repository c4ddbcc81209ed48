"""Of what colour the dice of a reading are: to tell them apart, and for nothing else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.types import Bgr, Die, Doubles, Frame, TrayReading

GRID = 15
"""Points a side at which a top face is looked at."""

INNER = 0.40
"""How far from its middle, in sides: beyond it the edge is rounded."""

BESIDE_PIP = 0.17
"""How far from the middle of a pip no ink is left, in sides; the one of asian dice is larger."""

BESIDE_ONE = 0.29
FEWEST = 20
"""Points of plain body that are enough for a median."""


def coloured(frame: Frame, reading: TrayReading) -> TrayReading:
    """Return *reading* with the colour of every die in it.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        The picture that was read.
    reading : TrayReading
        The corners and pips of its dice are in pixels of *frame*.
    """
    return replace(reading, dice=tuple(replace(die, body_bgr=body_of(frame, die)) for die in reading.dice))


def body_of(frame: Frame, die: Die) -> Bgr | None:
    """Return the colour of the top face of *die* between its pips, None where too little of it is in the picture.

    The median over points that lie away from every pip, so that it does not follow from what the die shows.
    """
    x, y = (axis.ravel() for axis in np.meshgrid(*2 * [np.linspace(-INNER, INNER, GRID)]))
    points = np.stack([x, y], axis=1)
    to_picture = _from_face(die)
    if die.pips_px:
        pips = cv2.perspectiveTransform(np.array([die.pips_px], np.float64), np.linalg.inv(to_picture))[0]
        apart = np.hypot(*np.moveaxis(points[:, None] - pips[None], 2, 0)).min(axis=1)
        points = points[apart > (BESIDE_ONE if len(pips) == 1 else BESIDE_PIP)]
    if len(points) < FEWEST:
        return None
    columns, rows = np.round(cv2.perspectiveTransform(points[None], to_picture)[0]).astype(int).T
    inside = (columns >= 0) & (rows >= 0) & (columns < frame.shape[1]) & (rows < frame.shape[0])
    if inside.sum() < FEWEST:
        return None
    blue, green, red = np.median(frame[rows[inside], columns[inside]], axis=0)
    return round(float(blue)), round(float(green)), round(float(red))


def _from_face(die: Die) -> Doubles:
    """Return the homography from the top face, in sides from its middle, to the picture: float64, shape (3, 3)."""
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(square, np.array(die.corners_px, np.float32)), np.float64)
