"""What corners such a tray can have in such a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.calibration.checks import CalibrationError
from vision.types import Doubles, Point


def check_geometry(
    corners: Sequence[Point], size: tuple[int, int], tray_mm: tuple[float, float], die_mm: float
) -> None:
    """Raise CalibrationError unless these corners can be those of such a tray in such a picture."""
    check_sizes(tray_mm, die_mm)
    quad = np.array(corners, np.float64)
    for x, y in corners:
        if not (-0.5 <= x <= size[0] - 0.5 and -0.5 <= y <= size[1] - 0.5):
            raise CalibrationError(
                f"the corner {x:g},{y:g} lies outside the picture of {size[0]}x{size[1]} pixels; take the corners of "
                "the floor from the picture itself, in its pixels"
            )
    twice = next((corner for corner in corners if corners.count(corner) > 1), None)
    if twice is not None:
        raise CalibrationError(f"the corner {twice[0]:g},{twice[1]:g} is given twice; a tray has four")
    edges = np.roll(quad, -1, axis=0) - quad
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    if not (turns > 0).all():
        raise CalibrationError("the corners do not go clockwise around the tray; begin at the top left of the picture")
    sums = quad.sum(axis=1)
    if sums[0] - sums.min() > 0.25 * min(size):
        x, y = corners[int(sums.argmin())]
        raise CalibrationError(f"the corners must begin with the one at the top left of the picture, {x:g},{y:g}")
    scales = scales_of(corners, tray_mm)
    if scales.max() > 1.5 * scales.min():
        raise CalibrationError(
            f"the corners do not fit a tray of {tray_mm[0]:g}x{tray_mm[1]:g} mm: its sides would be "
            f"{scales.min():.2f} to {scales.max():.2f} pixels a millimetre; check --tray-mm and the corners"
        )
    if scales.min() < 1.2:
        raise CalibrationError(
            f"the tray is too small in the picture: {scales.min():.1f} pixels a millimetre, at least 1.2 are needed; "
            "hang the camera lower, or let it take larger pictures"
        )


def scales_of(corners: Sequence[Point], tray_mm: tuple[float, float]) -> Doubles:
    """Return pixels per millimetre of the four edges of the floor, shape (4,)."""
    quad = np.array(corners, np.float64)
    edges = np.roll(quad, -1, axis=0) - quad
    return np.asarray(np.hypot(edges[:, 0], edges[:, 1]) / np.array([*tray_mm, *tray_mm]), np.float64)


def four(corners: Sequence[Point]) -> tuple[Point, Point, Point, Point]:
    """Return *corners* if there are four of them, else raise CalibrationError."""
    if len(corners) != 4:
        raise CalibrationError(f'{len(corners)} corners were given; a tray has 4: "x,y x,y x,y x,y"')
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def check_sizes(tray_mm: tuple[float, float], die_mm: float) -> None:
    """Raise CalibrationError unless such dice can roll in such a tray."""
    if not (all(np.isfinite(v) and 40 <= v <= 2000 for v in tray_mm)):
        raise CalibrationError(
            f"a tray of {tray_mm[0]:g}x{tray_mm[1]:g} mm: each side must be 40 to 2000 mm; measure its floor inside, "
            "and check --tray-mm"
        )
    if not 5 <= die_mm <= 50:
        raise CalibrationError(f"a die of {die_mm:g} mm: must be 5 to 50 mm; measure its edge, and check --die-mm")
    if die_mm > min(tray_mm) / 3:
        raise CalibrationError(
            f"a die of {die_mm:g} mm in a tray of {tray_mm[0]:g}x{tray_mm[1]:g} mm: no room to roll; check both sizes"
        )
