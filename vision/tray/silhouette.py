"""Where a die must be seen if it lies flat: its top, and the hull of its top and its foot."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import cv2
import numpy as np

from vision.geometry import PX_PER_MM
from vision.layouts import FaceFit
from vision.tray.closeup import Closeup
from vision.types import Floats, Gray


def silhouette(closeup: Closeup, fits: Sequence[FaceFit], grow_mm: float) -> Gray:
    """Draw where flat dice must be seen: hulls of their tops and of their feet, which the camera sees elsewhere.

    Parameters
    ----------
    closeup : Closeup
    fits : sequence of FaceFit
        Their top faces, in pixels of *closeup*.
    grow_mm : float
        How much larger, all around, it is drawn.

    Returns
    -------
    ndarray of uint8, 0 or 255, of the closeup's shape
    """
    drawn = np.zeros(closeup.body.shape, np.uint8)
    for fit in fits:
        cv2.fillConvexPoly(drawn, np.round(outline_of(closeup, fit, grow_mm)).astype(np.int32), 255)
    return drawn


def outline_of(closeup: Closeup, fit: FaceFit, grow_mm: float = 0.0) -> Floats:
    """Return the hull of the top and the foot of a flat die, so much larger all around: float32, shape (N, 2)."""
    top = np.array(fit.corners(closeup.side + 2 * grow_mm * PX_PER_MM))
    foot = cv2.perspectiveTransform(top[None], closeup.feet)[0]
    return np.asarray(cv2.convexHull(np.concatenate([top, foot]).astype(np.float32))[:, 0], np.float32)


def softly_filled(outline: cv2.typing.MatLike, shape: tuple[int, int]) -> Gray:
    """Draw the convex *outline*, shape (N, 2), with soft edges: uint8 of *shape*, 0 to 255."""
    drawn = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.round(outline * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return drawn


def foot_beside(closeup: Closeup, x: float, y: float) -> float:
    """Return how far the foot of a flat die is seen beside its top, whose middle is given, in sides."""
    foot_x, foot_y = cv2.perspectiveTransform(np.array([[[x, y]]]), closeup.feet)[0, 0]
    return hypot(foot_x - x, foot_y - y) / closeup.side


def square(closeup: Closeup, fit: FaceFit, sides: float) -> Gray:
    """Draw the square of so many *sides* about the middle of a top face: uint8, 0 or 255, of the closeup's shape."""
    drawn = np.zeros(closeup.body.shape, np.uint8)
    corners = np.array(fit.corners(sides * closeup.side))
    cv2.fillConvexPoly(drawn, np.round(corners).astype(np.int32), 255)
    return drawn
