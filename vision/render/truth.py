"""What a rendered picture shows, in words and pixels: the truth that a reading is held against."""

from __future__ import annotations

import math
from typing import TypedDict

import numpy as np

from vision.render.camera import Doubles
from vision.render.case import Case, seen_part_of, upper_face_mm
from vision.render.pose import RenderedDie, face_axes
from vision.render.setup import Setup
from vision.types import Frame, Point

LEGIBLE = 35.0
"""Steps of 255 by which a pip must differ from what is around it for a person to swear to it.

Of the photorealistic samples the one that is called barely legible has 32 by the same measure, the next, legible, 45.
"""


class DieTruth(TypedDict):
    """One die: pixels are of the picture, the first with its centre at (0, 0); it is turned as `vision.Die` is."""

    face: int
    tilt_deg: float
    yaw_deg: float
    centre_px: Point
    corners_px: list[Point]
    centre_mm: Point
    size_mm: float
    material: str
    visible: float
    contrast: float


class Truth(TypedDict):
    """One picture; `faces` is None and `faults` has the right names where it must be refused."""

    setup: int
    light: str
    tier: str
    kind: str
    expected: int
    faces: list[int] | None
    faults: list[str]
    legible: bool
    dice: list[DieTruth]


def truth_of(setup: Setup, case: Case, picture: Frame) -> Truth:
    """Return what *picture*, which `vision.render.case.draw_case` drew of *case*, shows."""
    dice = [_die_truth(die, setup, case, picture) for die in case.dice]
    return {
        "setup": setup.seed,
        "light": setup.light,
        "tier": case.tier.value,
        "kind": case.kind,
        "expected": case.expected,
        "faces": None if case.faces is None else list(case.faces),
        "faults": [fault.value for fault in case.faults],
        "legible": all(die["contrast"] >= LEGIBLE for die in dice),
        "dice": dice,
    }


def _die_truth(die: RenderedDie, setup: Setup, case: Case, picture: Frame) -> DieTruth:
    half = 0.5
    outline = np.array([[-half, -half], [half, -half], [half, half], [-half, half], [0.0, 0.0]])
    points = upper_face_mm(die, outline)
    *corners, centre = (setup.pixel(point, case.shot) for point in points)
    along = points[1] - points[0]
    return {
        "face": die.up,
        "tilt_deg": round(_tilt_deg(die), 2),
        "yaw_deg": round(math.degrees(-math.atan2(along[1], along[0])) % 90, 2),
        "centre_px": _rounded(centre),
        "corners_px": [_rounded(corner) for corner in corners],
        "centre_mm": _rounded((float(points[4][0]), float(points[4][1]))),
        "size_mm": die.size_mm,
        "material": "clear" if die.clear else "opaque" if die.vein_bgr is None else "marble",
        "visible": round(seen_part_of(die, case.dice, setup), 3) if setup.table.shown([die], case.cup) else 0.0,
        "contrast": round(_contrast(die, setup, case, picture), 1),
    }


def _tilt_deg(die: RenderedDie) -> float:
    """Return the angle between the face that is up and the floor."""
    normal = die.rotation @ face_axes(die.layout.clockwise)[die.up][2]
    return math.degrees(math.acos(min(1.0, float(normal[2]))))


def _rounded(point: Point) -> Point:
    return round(point[0], 2), round(point[1], 2)


def _contrast(die: RenderedDie, setup: Setup, case: Case, picture: Frame) -> float:
    """Return by how much the faintest pip of the upper face differs from what is around it, in steps of 255."""
    turns = np.arange(10) * (math.tau / 10)
    radius = die.layout.radius(die.up)
    faintest = 255.0
    for middle in die.layout.pips(die.up):
        around = np.clip(middle + 1.5 * radius * np.stack([np.cos(turns), np.sin(turns)], axis=1), -0.46, 0.46)
        within = middle + 0.4 * radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        pip, body = (np.median(_colours(die, places, setup, case, picture), axis=0) for places in (within, around))
        faintest = min(faintest, float(np.abs(pip - body).max()))
    return faintest


def _colours(die: RenderedDie, places: Doubles, setup: Setup, case: Case, picture: Frame) -> Doubles:
    """Return the colours of *picture* at *places* of the upper face, shape (N, 3)."""
    pixels = [setup.pixel(point, case.shot) for point in upper_face_mm(die, places)]
    columns, rows = np.rint(np.array(pixels)).astype(int).T
    height, width = picture.shape[:2]
    return np.asarray(picture[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)], np.float64)
