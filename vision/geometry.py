"""Where a millimetre of the tray lies in the picture: the floor plane, and the plane of the dice's tops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.types import Doubles, Point

LONGEST = 16
"""The longer side of a picture in the shorter, at most: made smaller, a longer one has no rows left."""

USUAL_HEIGHT_MM = 450.0
HEIGHT_SPREAD_MM = 80.0
"""Where cameras hang over this table: 350 to 600 mm."""

CORNER_SPREAD = 0.8 / 1280
"""How exact corners are, in widths of the picture."""

FOCAL_WIDTHS = np.geomspace(0.5, 2.2, 60)
"""Focal lengths that are tried, in widths of the picture: horizontal fields of view from 90 down to 26 degrees."""


def floor_rectangle(tray_mm: Sequence[float]) -> Doubles:
    """Return the corners of the tray floor in millimetres, clockwise from the top left, shape (4, 2)."""
    width, height = tray_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def homography(mm: Doubles, px: Doubles) -> Doubles:
    """Return the 3 x 3 matrix that takes *mm* to *px*, four points each, shape (4, 2)."""
    matrix = cv2.getPerspectiveTransform(mm.astype(np.float32), px.astype(np.float32))
    return np.asarray(matrix, np.float64)


def project(matrix: Doubles, points: Sequence[Point]) -> list[Point]:
    """Return *points* taken through the homography *matrix*."""
    out = cv2.perspectiveTransform(np.array([points], np.float64), matrix)[0]
    return [(float(x), float(y)) for x, y in out]


def through(matrix: Doubles, points: Doubles) -> Doubles:
    """Return *points*, shape (N, 2), taken through the homography *matrix*, shape (N, 2)."""
    return np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2), matrix)[0], np.float64)


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """Where the camera is, for a picture without distortion.

    Attributes
    ----------
    camera
        The camera's matrix: float64, shape (3, 3).
    turn, shift
        Rotation vector and translation from tray (x right, y down, z into the table) to camera, millimetres: (3, 1).
    """

    camera: Doubles
    turn: Doubles
    shift: Doubles

    @property
    def focal_px(self) -> float:
        """Focal length in pixels."""
        return float(self.camera[0, 0])

    @property
    def position_mm(self) -> Doubles:
        """The camera in millimetres of tray, z negative as it is above the floor: float64, shape (3,)."""
        return np.asarray(-cv2.Rodrigues(self.turn)[0].T @ self.shift.ravel(), np.float64)

    @property
    def height_mm(self) -> float:
        """How far the camera is above the floor."""
        return abs(float(self.position_mm[2]))

    def project(self, floor_mm: Doubles, height_mm: float = 0.0) -> Doubles:
        """Return the pixels of the points *floor_mm*, shape (N, 2), *height_mm* above the floor, shape (N, 2)."""
        points = np.column_stack([floor_mm, np.full(len(floor_mm), -height_mm)])
        seen = cv2.projectPoints(points, self.turn, self.shift, self.camera, None)[0]
        return np.asarray(seen.reshape(-1, 2), np.float64)


def viewpoints(
    corners_px: Doubles,
    tray_mm: Sequence[float],
    size: tuple[int, int],
    focal_px: float | None = None,
    centre_px: Point | None = None,
) -> list[tuple[float, Viewpoint]]:
    """Return where the camera may be that sees the corners of the floor at *corners_px*, for each focal length.

    Parameters
    ----------
    corners_px : ndarray of float64, shape (4, 2)
        The floor's corners in a picture without distortion, clockwise from the top left.
    tray_mm : (float, float)
        Width and depth of the floor.
    size : (int, int)
        Width and height of the picture in pixels.
    focal_px : float, optional
        The focal length, where it is known.
    centre_px : (float, float), optional
        Where the optical axis meets the picture; its middle when left out.

    Returns
    -------
    list of (float, Viewpoint)
        Each with how unlikely it is: twice the negative logarithm of its likelihood.

    Notes
    -----
    Four points of a plane seen almost straight on leave the focal length nearly free. Where it is not known, it is the
    likelier the better it explains the corners and the nearer it hangs the camera to where cameras of this table hang:
    the squares of the reprojection error in `CORNER_SPREAD` and of the height in `HEIGHT_SPREAD_MM` from
    `USUAL_HEIGHT_MM`.
    """
    floor = floor_rectangle(tray_mm)
    ground = np.column_stack([floor, np.zeros(4)])
    cx, cy = centre_px or ((size[0] - 1) / 2, (size[1] - 1) / 2)
    possible = []
    for focal in FOCAL_WIDTHS * size[0] if focal_px is None else (focal_px,):
        camera = np.array([[focal, 0, cx], [0, focal, cy], [0, 0, 1]])
        found, turn, shift = cv2.solvePnP(ground, corners_px, camera, None, flags=cv2.SOLVEPNP_IPPE)
        if not found:
            continue
        # The closed form is not the best fit: half a pixel at the corners would cost a millimetre at the dice.
        better = cv2.solvePnPRefineLM(ground, corners_px, camera, None, turn.copy(), shift.copy())
        if np.isfinite(better).all():
            turn, shift = better
        seen = Viewpoint(camera, np.asarray(turn), np.asarray(shift))
        error = float(((seen.project(floor) - corners_px) ** 2).sum())
        cost = error / (CORNER_SPREAD * size[0]) ** 2 + ((seen.height_mm - USUAL_HEIGHT_MM) / HEIGHT_SPREAD_MM) ** 2
        if np.isfinite(cost):  # not always for corners that are symmetrical to the last bit
            possible.append((cost, seen))
    if not possible:
        raise ValueError("four corners in one line span no plane")
    return possible


def likeliest(possible: Sequence[tuple[float, Viewpoint]]) -> Viewpoint:
    """Return the likeliest of what `viewpoints` returned."""
    return min(possible, key=lambda seen: seen[0])[1]


def flat_homography(mm: Doubles, px: Doubles) -> Doubles:
    """Return the homography that comes nearest to taking *mm* to *px*, shape (N, 2) each: least squares in pixels."""
    matrix, _ = cv2.findHomography(mm, px, 0)
    return np.asarray(matrix, np.float64)


def grid_over(tray_mm: Sequence[float], beyond_mm: float = 0.0) -> Doubles:
    """Return points all over the floor and *beyond_mm* around it in millimetres, shape (N, 2)."""
    width, depth = tray_mm
    x, y = np.meshgrid(np.linspace(-beyond_mm, width + beyond_mm, 13), np.linspace(-beyond_mm, depth + beyond_mm, 10))
    return np.column_stack([x.ravel(), y.ravel()])


PX_PER_MM = 3.5
"""Scale of the straightened view: a 16 mm die is 56 px wide, its smallest pips 6 px and more."""

MARGIN_MM = 16.0
"""How far around the floor the view reaches: a die that lies half on the rim is seen."""


def view_to_mm() -> Doubles:
    """Return the homography from pixels of the straightened view to millimetres of the tray."""
    return np.array([[1 / PX_PER_MM, 0, -MARGIN_MM], [0, 1 / PX_PER_MM, -MARGIN_MM], [0, 0, 1]])


def view_size(tray_mm: Sequence[float]) -> tuple[int, int]:
    """Return width and height of the straightened view in pixels."""
    width, depth = ((side + 2 * MARGIN_MM) * PX_PER_MM for side in tray_mm)
    return round(width), round(depth)
