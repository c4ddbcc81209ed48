"""Where a millimetre of the tray lies in the picture: the floor plane, and the plane of the dice's tops."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.types import Doubles, Frame, Point, as_uint8

USUAL_HEIGHT_MM = 450.0
HEIGHT_SPREAD_MM = 80.0
"""Where cameras hang over this table: 350 to 600 mm."""

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


def plane_above(
    corners_px: Doubles, tray_mm: Sequence[float], size: tuple[int, int], height_mm: float
) -> tuple[Doubles, float]:
    """Return the homography of the plane *height_mm* above the floor, and the camera's height in millimetres.

    Parameters
    ----------
    corners_px : ndarray of float64, shape (4, 2)
        The floor's corners in the picture, clockwise from the top left.
    tray_mm : (float, float)
        Width and depth of the floor.
    size : (int, int)
        Width and height of the picture in pixels.
    height_mm : float
        Above the floor: the die height for the plane of the dice's tops.

    Returns
    -------
    (ndarray of float64 of shape (3, 3), float)
        Millimetres of that plane to pixels; height of the camera above the floor.

    Notes
    -----
    Four points of a plane seen almost straight on leave the focal length nearly free. So the focal length is the one
    that explains the corners and hangs the camera where cameras of this table hang: a least squares of the
    reprojection error in half pixels and the height in `HEIGHT_SPREAD_MM` from `USUAL_HEIGHT_MM`.
    """
    floor = floor_rectangle(tray_mm)
    ground = np.column_stack([floor, np.zeros(4)])
    best_cost, best = np.inf, None
    for focal in FOCAL_WIDTHS * size[0]:
        camera = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
        found, turn, shift = cv2.solvePnP(ground, corners_px, camera, None, flags=cv2.SOLVEPNP_IPPE)
        if not found:
            continue
        seen = cv2.projectPoints(ground, turn, shift, camera, None)[0].reshape(-1, 2)
        above = _height_of_camera(turn, shift)
        cost = float(((seen - corners_px) ** 2).sum() / 0.25 + ((above - USUAL_HEIGHT_MM) / HEIGHT_SPREAD_MM) ** 2)
        if cost < best_cost:
            best_cost, best = cost, (camera, turn, shift, above)
    if best is None:
        raise ValueError("four corners in one line span no plane")
    camera, turn, shift, above = best
    # x to the right and y down make z point away from the camera, into the table.
    raised = np.column_stack([floor, np.full(4, -height_mm)])
    tops = cv2.projectPoints(raised, turn, shift, camera, None)[0].reshape(-1, 2)
    return homography(floor, np.asarray(tops, np.float64)), above


def _height_of_camera(turn: cv2.typing.MatLike, shift: cv2.typing.MatLike) -> float:
    rotation = cv2.Rodrigues(turn)[0]
    return float(abs((rotation.T @ shift)[2, 0]))


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


def straighten(frame: Frame, view_to_px: Doubles, tray_mm: Sequence[float]) -> Frame:
    """Return the straightened view of *frame*: uint8, shape (rows, columns, 3), `PX_PER_MM`."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(frame, view_to_px, view_size(tray_mm), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return as_uint8(view)
