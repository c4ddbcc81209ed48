"""What a drawn throw shows: the truth that a reading is held against, in the form of the tray samples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt
from dice import Die, Mark
from lens import Lens
from mathutils import Vector
from rests import AXES, FAULTS, SIDE_CM, Doubles, Kind, Rest

TIERS = {Kind.APART: "easy", Kind.ANY: "normal", Kind.MANY: "many", Kind.HEAP: "many"} | dict.fromkeys(FAULTS, "fault")
ALSO = {Kind.COCKED: ("stacked",), Kind.STACKED: ("missing", "cocked"), Kind.OUTSIDE: ("missing",)}
"""Other right names of a fault."""

LEGIBLE = 35.0
"""Steps of 255 by which a pip must differ from what is around it for a person to swear to it.

By the measure, and with the limit, of the other renderer's truth: the tray sample that is called barely legible has 32.
"""

WITHIN, AROUND = 0.4, 1.5
"""Where a pip and what is around it are looked at, in radii of the pip."""

ACROSS = 9
"""So many places across a face, and as many along it, tell how much of it is hidden."""

EDGE = 0.46
"""Nothing farther from the middle of a face is looked at, in sides."""


def asked(kind: Kind, dice: int) -> dict[str, object]:
    """Return what the reader is asked of a throw of *kind* with so many *dice*, and what is right."""
    always = {"tier": TIERS.get(kind, "hard"), "kind": kind.value}
    if kind in FAULTS:
        expected = dice - (kind is Kind.EXTRA) + (kind is Kind.MISSING)
        return always | {
            "expected": "refuse",
            "fault": kind.value,
            "also_ok": list(ALSO.get(kind, ())),
            "dice_expected": expected,
        }
    return always | {"expected": "read", "fault": None, "also_ok": [], "dice_expected": dice}


def told(rest: Rest, ware: str, die: Die, picture: npt.NDArray[np.uint8], lens: Lens, turn: Doubles) -> dict[str, Any]:
    """Return how *die*, called *ware*, lies in *picture*, and how clear its pips are there."""
    half = np.array([[a, b] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0))]) * SIDE_CM / 2
    *corners, centre = lens.pixels(_placed(rest, half), turn).round(2).tolist()
    faintest = min(_contrast(rest, mark, picture, lens, turn) for mark in die.marks[rest.face])
    return {
        "face": rest.face,
        "tilt_deg": round(rest.tilt_deg, 2),
        "moves_cm": round(rest.moves_cm, 3),
        "at_cm": [round(part, 3) for part in rest.at_cm],
        "centre": centre,
        "corners": corners,
        "contrast": round(faintest, 1),
        "colour": ware,
    }


def hidden_part(rest: Rest, lens: Lens) -> float:
    """Return how much of the upper face is hidden from the camera by what is in the scene."""
    steps = np.linspace(-0.45, 0.45, ACROSS) * SIDE_CM
    on_face = np.array([(x, y) for x in steps for y in steps])
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    hits = 0
    for at in _placed(rest, on_face):
        way = (lens.at_cm - at) / np.linalg.norm(lens.at_cm - at)
        hits += scene.ray_cast(graph, Vector(at + 0.2 * way), Vector(way))[0]
    return round(hits / len(on_face), 3)


def is_legible(dice: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a person could swear to every die that `told` tells of."""
    return all(die["contrast"] >= LEGIBLE for die in dice)


def _placed(rest: Rest, on_face: Doubles) -> Doubles:
    """Return where points of the upper face are, (N, 2) by `Mark.at_cm`, in the tray: cm, (N, 3)."""
    axis = AXES[rest.face]
    along, across = (np.eye(3)[k] for k in range(3) if not axis[k])
    points = axis * SIDE_CM / 2 + on_face[:, :1] * along + on_face[:, 1:] * across
    return np.asarray(points @ rest.rotation.T + rest.at_cm)


def _contrast(rest: Rest, mark: Mark, picture: npt.NDArray[np.uint8], lens: Lens, turn: Doubles) -> float:
    turns = np.arange(10) * (math.tau / 10)
    circle = np.column_stack([np.cos(turns), np.sin(turns)]) * mark.radius_cm
    limit = EDGE * SIDE_CM
    places: Sequence[Doubles] = [
        np.asarray(mark.at_cm + WITHIN * circle),
        np.clip(mark.at_cm + AROUND * circle, -limit, limit),
    ]
    pip, body = (np.median(_colours(lens.pixels(_placed(rest, some), turn), picture), axis=0) for some in places)
    return float(np.abs(pip - body).max())


def _colours(pixels: Doubles, picture: npt.NDArray[np.uint8]) -> Doubles:
    height, width = picture.shape[:2]
    columns, rows = np.floor(pixels).astype(int).T
    return np.asarray(picture[rows.clip(0, height - 1), columns.clip(0, width - 1)], np.float64)
