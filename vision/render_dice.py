"""Draw one die: rays against a cube with rounded edges, recessed pips, light that glances off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.render_camera import Doubles, Pinhole
from vision.render_light import Box, Lamp, lamp_at, linear, seen_part
from vision.render_pose import RenderedDie, face_axes
from vision.types import Floats

Indices = npt.NDArray[np.intp]

_RED_PIP = (30, 26, 190)
_CLOSE_MM = 0.01
_MISSED_MM = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where rays meet a die.

    Attributes
    ----------
    rays
        Which of the rays, shape (N,).
    way_mm
        How far along them, shape (N,).
    points, normals
        In the die's own space, shape (3, N).
    """

    rays: Indices
    way_mm: Floats
    points: Floats
    normals: Floats

    def only(self, kept: npt.NDArray[np.bool_]) -> Hits:
        """Return the hits that are *kept*, shape (N,)."""
        return Hits(self.rays[kept], self.way_mm[kept], self.points[:, kept], self.normals[:, kept])


def box_of(die: RenderedDie) -> Box:
    """Return the block that throws *die*'s shadow: a little smaller than the die, for its rounded corners."""
    return Box(die.centre_mm, die.rotation.T, np.full(3, die.size_mm / 2 * (1 - die.edge * 0.35)))


def _distance(points: Floats, inner: np.float32, edge: np.float32, ball: np.float32) -> Floats:
    """Return the signed distance of *points*, shape (3, N), from the die's skin, or less."""
    beyond = np.abs(points) - inner
    outside = np.maximum(beyond, 0)
    box = np.sqrt(np.einsum("ij,ij->j", outside, outside)) + np.minimum(beyond.max(axis=0), 0) - edge
    return np.asarray(np.maximum(box, np.sqrt(np.einsum("ij,ij->j", points, points)) - ball), np.float32)


def trace(die: RenderedDie, eye_mm: npt.ArrayLike, rays: Floats) -> Hits:
    """Return where *rays*, unit vectors of shape (3, N) from *eye_mm* in the table's space, meet *die*.

    Notes
    -----
    Sphere tracing (Hart, The Visual Computer 12, 1996, 527-545) from where the ray enters the sharp cube, in which
    most rays that hit a face are there at once.
    """
    own = die.rotation.T.astype(np.float32)
    eye = (own @ (np.asarray(eye_mm, np.float32) - die.centre_mm.astype(np.float32)))[:, None]
    ways = own @ rays
    half, edge = np.float32(die.size_mm / 2), np.float32(die.edge * die.size_mm)
    ball = np.float32(die.ball * die.size_mm / 2)
    safe = np.where(np.abs(ways) < 1e-7, np.float32(1e-7), ways)
    one, two = (-half - eye) / safe, (half - eye) / safe
    enter, leave = np.minimum(one, two).max(axis=0), np.maximum(one, two).min(axis=0)
    found = np.flatnonzero((enter < leave) & (enter > 0))
    ways, way, leave = ways[:, found], enter[found], leave[found]
    points = eye + way * ways
    gap = _distance(points, half - edge, edge, ball)
    for _ in range(12):
        todo = np.flatnonzero((gap > _CLOSE_MM) & (way < leave))
        if not todo.size:
            break
        way[todo] += gap[todo]
        points[:, todo] += gap[todo] * ways[:, todo]
        gap[todo] = _distance(points[:, todo], half - edge, edge, ball)
    kept = (gap < _MISSED_MM) & (way < leave)
    points = np.asarray(points[:, kept], np.float32)
    return Hits(found[kept], way[kept], points, _normals(points, half - edge, edge, ball))


def _normals(points: Floats, inner: np.float32, edge: np.float32, ball: np.float32) -> Floats:
    beyond = np.maximum(np.abs(points) - inner, 0) * np.sign(points)
    length = np.sqrt(np.einsum("ij,ij->j", beyond, beyond))
    radius = np.sqrt(np.einsum("ij,ij->j", points, points))
    turned = radius - ball > length - edge - np.float32(0.02)
    return np.asarray(np.where(turned, points / radius, beyond / np.maximum(length, 1e-6)), np.float32)


def _paint(die: RenderedDie, points: Floats, normals: Floats) -> tuple[Floats, Floats, Floats]:
    """Return colour, shape (3, N), normals with the pips' bowls in them, and how open the skin is to light, (N,)."""
    count = points.shape[1]
    colour = np.repeat(linear(die.body_bgr)[:, None], count, axis=1)
    bent, open_to_light = normals.copy(), np.ones(count, np.float32)
    largest = np.abs(points).argmax(axis=0)
    positive = points[largest, np.arange(count)] > 0
    for face, axes in face_axes(die.layout.clockwise).items():
        axis = int(np.abs(axes[2]).argmax())
        on_face = np.flatnonzero((largest == axis) & (positive == (axes[2][axis] > 0)))
        if on_face.size:
            _sink_pips(die, face, axes.astype(np.float32), on_face, points, colour, bent, open_to_light)
    return colour, bent, open_to_light


def _sink_pips(
    die: RenderedDie,
    face: int,
    axes: Floats,
    on_face: Indices,
    points: Floats,
    colour: Floats,
    bent: Floats,
    open_to_light: Floats,
) -> None:
    """Write the pips of *face* into *colour*, *bent* and *open_to_light* at the places *on_face*."""
    flat = axes[:2] @ points[:, on_face] / np.float32(die.size_mm)
    middles = die.layout.pips(face).astype(np.float32)
    apart = (flat[:, None, :] - middles.T[:, :, None]) / np.float32(die.layout.radius(face))
    squared = apart[0] ** 2 + apart[1] ** 2
    nearest = squared.argmin(axis=0)
    squared = squared[nearest, np.arange(on_face.size)]
    lip = np.flatnonzero((squared >= 1) & (squared < 1.3))
    bent[:, on_face[lip]] += np.float32(0.25) * (axes[:2].T @ apart[:, nearest[lip], lip])
    bowl = np.flatnonzero(squared < 1)
    here, deep = on_face[bowl], squared[bowl]
    colour[:, here] = linear(_RED_PIP if face in die.layout.red else die.pip_bgr)[:, None]
    bent[:, here] = axes[2][:, None] * np.sqrt(1 - 0.6 * deep) - 0.77 * (axes[:2].T @ apart[:, nearest[bowl], bowl])
    open_to_light[here] = 0.78 + 0.2 * deep


def shade(die: RenderedDie, hits: Hits, rays: Floats, lamp: Lamp, ground: Floats, blockers: Sequence[Box]) -> Floats:
    """Return the light, shape (3, N), that *die* sends back along *rays* (all rays, as given to `trace`).

    Parameters
    ----------
    die, hits, rays
        What was traced.
    lamp
        The light.
    ground
        Light that comes up from what the die lies on, shape (3,).
    blockers
        What may stand between the die and the lamp.
    """
    colour, normals, open_to_light = _paint(die, hits.points, hits.normals)
    turn = die.rotation.astype(np.float32)
    points = turn @ hits.points + die.centre_mm.astype(np.float32)[:, None]
    normals = turn @ (normals / np.sqrt(np.einsum("ij,ij->j", normals, normals)))
    skin = turn @ hits.normals
    to_lamp, strength = lamp_at(points, lamp)
    strength = strength * seen_part(points, skin, lamp, blockers, scattered=True)
    strength *= np.clip(np.einsum("ij,ij->j", skin, to_lamp) * 8 + 0.4, 0, 1)
    facing = np.maximum(np.einsum("ij,ij->j", normals, to_lamp), 0)
    sun, room = (np.array(part, np.float32)[:, None] for part in (lamp.bgr, lamp.room_bgr))
    upward = 0.5 + 0.5 * normals[2]
    low = np.clip((points[2] - points[2].min()) / np.float32(die.size_mm), 0, 1)
    around = room * (upward + 0.35) * (0.55 + 0.45 * np.sqrt(low)) * open_to_light
    bounce = ground[:, None] * (1 - upward) * np.float32(0.8)
    view = -rays[:, hits.rays]
    body = colour * (sun * strength * facing * open_to_light + around + bounce)
    if die.clear:
        inside = ground[:, None] + 0.2 * sun * strength + 0.5 * room
        clear = die.clear * (open_to_light == 1)
        body = body * (1 - clear) + clear * inside * _through(die, hits, turn.T @ rays[:, hits.rays])
    return np.asarray(
        body
        + _glance(normals, to_lamp, view, die.gloss) * (sun * strength * open_to_light)
        + _mirrored(normals, view, room, ground[:, None]),
        np.float32,
    )


def _through(die: RenderedDie, hits: Hits, ways: Floats) -> Floats:
    """Return which part of the light about it a clear *die* lets through along *ways*, (3, N) in its own space.

    A way is refracted where it enters and ends at the far side, where pips are in front of the light.
    """
    ratio = np.float32(1 / 1.49)
    cosine = -np.einsum("ij,ij->j", hits.normals, ways)
    bent = ratio * ways + (ratio * cosine - np.sqrt(1 - ratio**2 * (1 - cosine**2))) * hits.normals
    bent = np.where(np.abs(bent) < 1e-6, np.float32(1e-6), bent)
    length = ((np.sign(bent) * np.float32(die.size_mm / 2) - hits.points) / bent).min(axis=0)
    ends = np.asarray(hits.points + length * bent, np.float32)
    colour, _, open_to_light = _paint(die, ends, hits.normals)
    tint = linear(die.body_bgr) / linear(die.body_bgr).max()
    passed = tint[:, None] ** np.maximum(length / np.float32(die.size_mm), 0)
    return np.asarray(passed * np.where(open_to_light < 1, 0.25 + 0.75 * colour, 0.5), np.float32)


def _glance(normals: Floats, to_lamp: Floats, view: Floats, gloss: float) -> Floats:
    """Return the highlight's strength (Blinn-Phong with the energy of a dielectric), shape (N,)."""
    middle = to_lamp + view
    middle /= np.sqrt(np.einsum("ij,ij->j", middle, middle))
    cosine = np.clip(np.einsum("ij,ij->j", normals, middle), 0, 1)
    return np.asarray(0.04 * (gloss + 8) / 8 * cosine ** np.float32(gloss), np.float32)


def _mirrored(normals: Floats, view: Floats, room: Floats, ground: Floats) -> Floats:
    """Return what shows in the skin as in a mirror, the room above or the ground below, shape (3, N).

    The share is Schlick's for plastic (Computer Graphics Forum 13, 1994, 233-246).
    """
    cosine = np.clip(np.einsum("ij,ij->j", normals, view), 0, 1)
    upward = np.clip((2 * cosine * normals[2] - view[2]) * 2 + 0.5, 0, 1)
    share = 0.04 + 0.4 * (1 - cosine) ** 5
    return np.asarray(share * (ground + upward * (room - ground)), np.float32)


def corners_px(die: RenderedDie, camera: Pinhole) -> Doubles:
    """Return where the corners of *die*'s sharp cube fall in the picture, shape (8, 2)."""
    cube = Box(die.centre_mm, die.rotation.T, np.full(3, die.size_mm / 2))
    return camera.project(cube.corners_mm)
