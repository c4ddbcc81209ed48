"""What a calibration is, said to a person."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.geometry import floor_rectangle
from vision.types import Frame

FLOOR, TOPS = (80, 220, 60), (60, 200, 240)

_HELD = {
    "exposure_us": ("exposure {:.1f} ms", 0.001),
    "exposure_100us": ("exposure {:.1f} ms", 0.1),
    "gain": ("gain {:.2f}", 1.0),
    "red_gain": ("red {:.2f}", 1.0),
    "blue_gain": ("blue {:.2f}", 1.0),
    "white_balance_k": ("white balance {:.0f} K", 1.0),
    "focus_dioptres": ("focus {:.2f} dioptres", 1.0),
    "focus_steps": ("focus {:.0f} steps", 1.0),
}


def what_was_made(made: Calibration) -> list[str]:
    """Return lines on *made*: picture, corners, camera, lens, light."""
    corners = "  ".join(f"{x:.0f},{y:.0f}" for x, y in made.corners_px)
    return [
        f"picture {made.size[0]} x {made.size[1]} px, tray {made.tray_mm[0]:g} x {made.tray_mm[1]:g} mm, "
        f"dice {made.die_mm:g} mm",
        f"corners {corners}",
        f"camera about {made.camera_height_mm / 10:.0f} cm above the tray, {made.px_per_mm:.1f} pixels a millimetre",
        _lens(made),
        f"noise {made.noise:.1f} grey levels",
    ]


def held_in_words(held: Mapping[str, float]) -> str:
    """Return how the camera is held.

    Examples
    --------
    >>> held_in_words({"exposure_us": 8000.0, "gain": 1.5})
    'exposure 8.0 ms, gain 1.50'
    """
    return ", ".join(_HELD[name][0].format(value * _HELD[name][1]) for name, value in held.items() if name in _HELD)


def _lens(made: Calibration) -> str:
    if made.lens is None or not (made.lens.k1 or made.lens.k2):
        return "lens: no bend is seen along the edges of the tray"
    corner = np.zeros((1, 2))
    bend = float(np.hypot(*(made.lens.distort(corner) - corner)[0]))
    how = "measured" if made.lens.is_of_target else "estimated"
    return f"lens: bends by {bend:.0f} pixels at the corner of the picture ({how}, k1 {made.lens.k1:.3f})"


def look(made: Calibration) -> Frame:
    """Return the empty tray with the edge of the floor, and of the plane of the dice's tops, drawn on it."""
    drawn = made.empty.copy()
    wide = max(1, round(made.size[0] / 640))
    floor = floor_rectangle(made.tray_mm)
    edge = np.concatenate([np.linspace(a, b, 40) for a, b in zip(floor, np.roll(floor, -1, axis=0), strict=True)])
    for height_mm, colour in ((made.die_mm, TOPS), (0.0, FLOOR)):
        line = np.round(made.mm_to_px(edge, height_mm)).astype(np.int32)
        cv2.polylines(drawn, [line], True, colour, wide, cv2.LINE_AA)
    return drawn
