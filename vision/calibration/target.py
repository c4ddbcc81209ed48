"""The printed target, a ChArUco sheet, and what photographs of it tell about the lens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np

from vision.calibration.checks import CalibrationError
from vision.geometry import through
from vision.lens import Lens
from vision.types import Doubles, Floats, Frame, Point

SQUARES = (13, 9)
SQUARE_MM, MARKER_MM = 20.0, 15.0
"""A sheet of A4 holds 13 x 9 squares of 20 mm and lies flat in a tray of 300 x 220 mm."""

MARKER_BITS = 7
"""Cells of a marker, its black border included."""

MIN_CORNERS = 24
"""Of 96: fewer do not tell how the lens bends."""

MAX_RMS_PX = 1.2
"""Root mean square error, in pixels of a picture 1280 wide, beyond which the sheet is not flat or the picture bad."""

MIN_PICTURES = 3
"""From so many pictures on focal length, optical axis and k2 are looked for; one straight on gave a focal length 7 %
wrong on a rendered sheet."""

SURE_FOCAL = 0.02
"""Relative standard deviation below which the focal length counts as measured; a sheet seen straight on does not tell
it at all."""

SURE_CENTRE = 0.006
"""Standard deviation of the optical axis, in widths of the picture, below which it counts as measured."""

Rectangle: TypeAlias = tuple[float, float, float, float]
"""x, y, width, height in millimetres, y downwards."""


@dataclass(frozen=True, eq=False)
class Sighting:
    """The target in one picture.

    Attributes
    ----------
    sheet_mm, px
        Corners of squares: on the sheet, and in the picture; float32, shape (N, 2).
    size
        Width and height of the picture in pixels.
    """

    sheet_mm: Floats
    px: Floats
    size: tuple[int, int]


def black_rectangles() -> list[Rectangle]:
    """Return the black parts of the target: squares, and the cells of its markers."""
    board = _board()
    dictionary = board.getDictionary()
    white: set[tuple[int, int]] = set()
    black: list[Rectangle] = []
    for number, corners in zip(board.getIds().ravel(), board.getObjPoints(), strict=True):
        x, y = (float(value) for value in np.array(corners)[:, :2].min(axis=0))
        white.add((int(x // SQUARE_MM), int(y // SQUARE_MM)))
        cells = cv2.aruco.generateImageMarker(dictionary, int(number), MARKER_BITS, None, 1)
        cell = MARKER_MM / MARKER_BITS
        black.extend((x + cell * i, y + cell * j, cell, cell) for j, i in np.argwhere(cells == 0))
    columns, rows = SQUARES
    for j in range(rows):
        for i in range(columns):
            if (i, j) not in white:
                black.append((i * SQUARE_MM, j * SQUARE_MM, SQUARE_MM, SQUARE_MM))
    return black


def sight(picture: Frame, name: str) -> Sighting:
    """Find the target in *picture*; *name* stands in the error.

    Raises
    ------
    CalibrationError
        When less than a quarter of it is seen.
    """
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(_board()).detectBoard(picture)
    seen = 0 if numbers is None else len(numbers)
    if seen < MIN_CORNERS:
        of = (SQUARES[0] - 1) * (SQUARES[1] - 1)
        raise CalibrationError(
            f"{name}: {seen} of the target's {of} corners are seen, {MIN_CORNERS} are needed; lay the whole sheet flat "
            "into view, without glare, in focus"
        )
    places = np.array(_board().getChessboardCorners(), np.float32)[np.array(numbers).ravel(), :2]
    return Sighting(places, np.array(corners, np.float32).reshape(-1, 2), (picture.shape[1], picture.shape[0]))


def lens_from_target(sightings: Sequence[Sighting]) -> tuple[Lens, float]:
    """Return the lens, and the root mean square error in pixels.

    The focal length is left open where the pictures do not tell it: then the sheet ought to be tilted more.

    Raises
    ------
    CalibrationError
        When no lens explains the pictures.

    Notes
    -----
    Zhang, A flexible new technique for camera calibration (2000), as in OpenCV, with k1 and k2. With a single picture
    straight on focal length and height cannot be told apart, but the bend of lines can.
    """
    sizes = {sighting.size for sighting in sightings}
    if len(sizes) != 1:
        listed = " and ".join(f"{w}x{h}" for w, h in sorted(sizes))
        raise CalibrationError(f"the pictures of the target are of different sizes ({listed}); take all as the tray's")
    (size,) = sizes
    solved, known = _solve(sightings, size, all_free=False), False
    if len(sightings) >= MIN_PICTURES:
        freed = _solve(sightings, size, all_free=True)
        deviations = freed[3]
        known = deviations[0] < SURE_FOCAL * freed[1][0, 0] and max(deviations[2:4]) < SURE_CENTRE * size[0]
        solved = freed if known else solved
    rms, camera, bends, _ = solved
    focal = float(camera[0, 0])
    lens = Lens(
        (float(camera[0, 2]), float(camera[1, 2])),
        focal,
        float(bends[0]),
        float(bends[1]),
        focal if known else None,
    )
    if rms > MAX_RMS_PX * size[0] / 1280 or not lens.is_sane(size):
        raise CalibrationError(
            f"no lens explains the pictures of the target (error {rms:.1f} pixels); lay it flat, print it true to scale"
        )
    return lens, rms


def floor_by_target(sighting: Sighting, lens: Lens, corners: Sequence[Point]) -> tuple[float, float] | None:
    """Return width and depth in millimetres of the floor between *corners*, if the target lies on it; else None."""
    quad = np.array(corners, np.float32)
    inside = [cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for x, y in sighting.px]
    if not all(inside):
        return None
    flat = lens.undistort(sighting.px.astype(np.float64))
    to_sheet, _ = cv2.findHomography(flat, sighting.sheet_mm, 0)
    mm = through(np.asarray(to_sheet, np.float64), lens.undistort(quad.astype(np.float64)))
    top, right, bottom, left = np.linalg.norm(np.roll(mm, -1, axis=0) - mm, axis=1)
    return float(top + bottom) / 2, float(left + right) / 2


def _solve(
    sightings: Sequence[Sighting], size: tuple[int, int], *, all_free: bool
) -> tuple[float, Doubles, Doubles, Doubles]:
    """Return error, camera matrix, (k1, k2) and standard deviations of fx, fy, cx, cy, k1, ..."""
    camera = np.array([[1.1 * size[0], 0, (size[0] - 1) / 2], [0, 1.1 * size[0], (size[1] - 1) / 2], [0, 0, 1]])
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    flags |= 0 if all_free else cv2.CALIB_FIX_PRINCIPAL_POINT | cv2.CALIB_FIX_K2
    flat = [np.column_stack([s.sheet_mm, np.zeros(len(s.sheet_mm), np.float32)]) for s in sightings]
    try:
        rms, camera, bends, _, _, deviations, _, _ = cv2.calibrateCameraExtended(
            flat, [s.px for s in sightings], size, camera, np.zeros(5), flags=flags
        )
    except cv2.error as error:
        raise CalibrationError(
            "the pictures of the target tell no lens; take some more, tilted this way and that"
        ) from error
    camera, bends, deviations = (np.asarray(found, np.float64) for found in (camera, bends, deviations))
    return float(rms), camera, bends.ravel()[:2], deviations.ravel()


def _board() -> Any:
    if not hasattr(cv2, "aruco") or not hasattr(cv2.aruco, "CharucoDetector"):
        raise CalibrationError(
            f"the printed target needs OpenCV 4.7 or newer, here is {cv2.__version__}; go without it"
        )
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)
