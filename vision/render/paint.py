"""What a rendered die is coloured with: its body, plain or marbled, and its pips, drilled or painted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.render.light import linear
from vision.render.pose import RenderedDie, face_axes
from vision.types import Floats, Indices, Mask

_RED_PIP = (30, 26, 190)


@dataclass(frozen=True, slots=True, eq=False)
class Paint:
    """The skin of a die at N places.

    Attributes
    ----------
    colour
        Shape (3, N), linear.
    normals
        With the bowls of the pips in them, shape (3, N).
    open_to_light
        How much of the light about it reaches the place, shape (N,).
    pip
        Where pips are, shape (N,).
    """

    colour: Floats
    normals: Floats
    open_to_light: Floats
    pip: Mask


def painted(die: RenderedDie, points: Floats, normals: Floats) -> Paint:
    """Return what *die* is at *points* with *normals*, both of shape (3, N) in its own space."""
    count = points.shape[1]
    colour = _body(die, points)
    paint = Paint(colour, normals.copy(), np.ones(count, np.float32), np.zeros(count, np.bool_))
    largest = np.abs(points).argmax(axis=0)
    positive = points[largest, np.arange(count)] > 0
    for face, axes in face_axes(die.layout.clockwise).items():
        axis = int(np.abs(axes[2]).argmax())
        on_face = np.flatnonzero((largest == axis) & (positive == (axes[2][axis] > 0)))
        if on_face.size:
            _sink_pips(die, face, axes.astype(np.float32), on_face, points, paint)
    return paint


def _body(die: RenderedDie, points: Floats) -> Floats:
    """Return the colour of the body at *points*, shape (3, N): plain, or of two colours that were stirred."""
    plain = linear(die.body_bgr)[:, None]
    if die.vein_bgr is None:
        return np.repeat(plain, points.shape[1], axis=1)
    rng = np.random.default_rng([die.grain, 7])
    place = points / np.float32(die.size_mm)
    for strength, pitch in ((0.30, 5.0), (0.13, 13.0), (0.06, 27.0)):
        phase = rng.uniform(0, 6.28, (3, 1)).astype(np.float32)
        turned = np.asarray(np.linalg.qr(rng.standard_normal((3, 3)))[0], np.float32)
        place = place + np.float32(strength) * np.sin(np.float32(pitch) * (turned @ place) + phase)
    way = rng.standard_normal(3).astype(np.float32)
    share = 0.5 + 0.5 * np.sin(np.float32(17) * (way / np.linalg.norm(way)) @ place)
    share = np.asarray(share * share * (3 - 2 * share), np.float32)
    return np.asarray(plain + share * (linear(die.vein_bgr)[:, None] - plain), np.float32)


def _sink_pips(die: RenderedDie, face: int, axes: Floats, on_face: Indices, points: Floats, paint: Paint) -> None:
    """Write the pips of *face* into *paint* at the places *on_face*."""
    flat = axes[:2] @ points[:, on_face] / np.float32(die.size_mm)
    middles = die.layout.pips(face)
    if die.sloppy:
        rng = np.random.default_rng([die.grain, face])
        middles = middles + rng.uniform(-die.sloppy, die.sloppy, middles.shape) + rng.uniform(-1, 1, 2) * die.sloppy
    apart = (flat[:, None, :] - middles.T[:, :, None].astype(np.float32)) / np.float32(die.layout.radius(face))
    squared = apart[0] ** 2 + apart[1] ** 2
    nearest = squared.argmin(axis=0)
    squared = squared[nearest, np.arange(on_face.size)]
    depth = np.float32(die.pip_depth)
    lip = np.flatnonzero((squared >= 1) & (squared < 1.12))
    paint.normals[:, on_face[lip]] += np.float32(0.25) * depth * (axes[:2].T @ apart[:, nearest[lip], lip])
    bowl = np.flatnonzero(squared < 1)
    here, deep = on_face[bowl], squared[bowl]
    paint.colour[:, here] = linear(_RED_PIP if face in die.layout.red else die.pip_bgr)[:, None]
    steep = np.float32(0.77) * min(depth, np.float32(1.2))
    sunk = axes[2][:, None] * np.sqrt(1 - steep**2 * deep) - steep * (axes[:2].T @ apart[:, nearest[bowl], bowl])
    paint.normals[:, here] = sunk
    paint.open_to_light[here] = 1 - min(depth, np.float32(1.0)) * (0.22 - 0.2 * deep)
    paint.pip[here] = True
