"""The light that dice send back onto what lies around them: a red die reddens the dark felt beside it."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import cv2
import numpy as np

from vision.render.light import Box, Lights, lamp_at, linear, room_of, seen_part
from vision.render.pose import RenderedDie
from vision.render.shadow import Patch, Scene
from vision.render.tray import Face
from vision.types import Floats

REACH = (1.2, 1.9)
"""Sides from the middle of a die at which its light begins to be left out, and at which it is."""

_COARSE = 4
"""It is worked out at so many pixels of the picture: it is soft."""


def bounced(patch: Patch, scene: Scene, blockers: Sequence[Sequence[Box]]) -> Floats:
    """Return what the dice of *patch* add to the light of the empty scene there, linear, shape (h, w, 3).

    Parameters
    ----------
    patch, scene
        What is drawn.
    blockers
        For each die of *patch* what may keep a lamp's light from it.

    Notes
    -----
    One bounce: each face of a die is a matt sheet that sends its light from its middle. What it falls on is as bright
    in it as in the light of the room.
    """
    rows, columns = patch.rows_columns
    label = scene.still.label[patch.part]
    # In whatever order dice are given, the sums are the same to the last bit.
    dice = sorted(zip(patch.dice, blockers, strict=True), key=lambda pair: tuple(pair[0].centre_mm))
    sheets = [(die, _shining(die, scene.lights, boxes)) for die, boxes in dice]
    total = np.zeros((rows, columns, 3), np.float32)
    for number in np.flatnonzero(np.bincount(label.ravel())):
        face = scene.still.faces[number]
        x, y, points = _coarse_points(patch, scene, face)
        coarse = sum(_received(points, face, die, sheet) for die, sheet in sheets)
        fine = cv2.resize(np.asarray(coarse).T.reshape(y, x, 3), (x * _COARSE, y * _COARSE))
        here = label == number
        total[here] = fine[:rows, :columns][here]
    return np.asarray(total * scene.still.around[patch.part] / room_of(scene.lights), np.float32)


def _coarse_points(patch: Patch, scene: Scene, face: Face) -> tuple[int, int, Floats]:
    """Return how many coarse columns and rows *patch* has, and where on the plane of *face* they are, (3, N)."""
    left, top, right, bottom = patch.rectangle
    x, y = np.arange(left, right + _COARSE - 1, _COARSE), np.arange(top, bottom + _COARSE - 1, _COARSE)
    middle = _COARSE / 2 - 0.5
    across, down = (grid.ravel() + middle for grid in np.meshgrid(x, y))
    back = np.linalg.inv(scene.camera.plane_to_picture(face.origin, face.axes[0], face.axes[1]))
    u, v, scale = back @ np.stack([across, down, np.ones_like(across)])
    return len(x), len(y), face.at((u / scale).astype(np.float32), (v / scale).astype(np.float32))


_Sheets = tuple[Floats, Floats, Floats]
"""Middles of a die's faces, (3, 6), where they look, (3, 6), and what they send back, blue-green-red, (3, 6)."""


def _shining(die: RenderedDie, lights: Lights, blockers: Sequence[Box]) -> _Sheets:
    normals = np.concatenate([die.rotation, -die.rotation], axis=1).astype(np.float32)
    middles = die.centre_mm.astype(np.float32)[:, None] + np.float32(die.size_mm / 2) * normals
    light = room_of(lights)[:, None] * (0.5 + 0.5 * normals[2])
    for lamp in lights:
        to_lamp, strength = lamp_at(middles, lamp)
        facing = np.maximum(np.einsum("ij,ij->j", normals, to_lamp), 0)
        seen = seen_part(middles, normals, lamp, blockers)
        light = light + np.array(lamp.bgr, np.float32)[:, None] * (strength * facing * seen)
    colour = linear(die.body_bgr)[:, None] * np.float32(1 - 0.5 * die.clear)
    return middles, normals, np.asarray(colour * light, np.float32)


def _received(points: Floats, face: Face, die: RenderedDie, sheets: _Sheets) -> Floats:
    """Return the light, (3, N), that reaches *points*, (3, N), of *face* from the *sheets* of *die*."""
    area = np.float32(die.size_mm**2)
    got = np.zeros_like(points)
    normal = face.axes[2].astype(np.float32)
    for middle, out, light in zip(*(np.asarray(array.T) for array in sheets), strict=True):
        ways = points - middle[:, None]
        # The plane of a face goes on to the horizon, and farther than numbers do.
        squared = np.minimum(np.einsum("ij,ij->j", ways, ways), np.float32(1e9))
        cosines = np.maximum(out @ ways, 0) * np.maximum(-(normal @ ways), 0)
        # Of a sheet as near as this to a point, not all is as near: it may not send more than it has.
        got += light[:, None] * (area * cosines / (np.float32(pi) * (squared + area / np.float32(2 * pi)) ** 2))
    away = np.linalg.norm(points - die.centre_mm.astype(np.float32)[:, None], axis=0) / np.float32(die.size_mm)
    return np.asarray(got * np.clip((REACH[1] - away) / (REACH[1] - REACH[0]), 0, 1), np.float32)
