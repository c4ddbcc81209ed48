"""The skin of a rendered die: a cube with round or cut edges and corners, and where rays meet it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.render.camera import Doubles, Pinhole
from vision.render.light import Box
from vision.render.pose import RenderedDie
from vision.types import Floats, Indices

_CLOSE_MM = 0.01
_MISSED_MM = 0.06
_STEP_MM = np.float32(0.04)


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


@dataclass(frozen=True, slots=True)
class _Skin:
    """Lengths of a skin in mm: half the side, radii of edges and ball, how deep edges and corners are cut."""

    half: np.float32
    edge: np.float32
    ball: np.float32
    bevel: np.float32
    corner: np.float32

    @classmethod
    def of(cls, die: RenderedDie) -> _Skin:
        """Return the skin of *die*."""
        side = die.size_mm
        lengths = (side / 2, die.edge * side, die.ball * side / 2, die.bevel * side, die.corner * side)
        return cls(*(np.float32(length) for length in lengths))

    def distance(self, points: Floats) -> Floats:
        """Return the signed distance of *points*, shape (3, N), from the skin, or less."""
        away = np.abs(points)
        beyond = away - (self.half - self.edge)
        outside = np.maximum(beyond, 0)
        gap = np.sqrt(np.einsum("ij,ij->j", outside, outside)) + np.minimum(beyond.max(axis=0), 0) - self.edge
        if self.ball < 1.73 * self.half:
            gap = np.maximum(gap, np.sqrt(np.einsum("ij,ij->j", points, points)) - self.ball)
        if self.bevel or self.corner:
            total = away.sum(axis=0)
            soft = self.edge * np.float32(0.5)
            if self.bevel:
                widest = (total - away.min(axis=0) - (2 * self.half - self.bevel)) * np.float32(2**-0.5)
                gap = _soft_max(gap, widest, soft)
            if self.corner:
                tip = (total - (3 * self.half - self.bevel - self.corner)) * np.float32(3**-0.5)
                gap = _soft_max(gap, tip, soft)
        return np.asarray(gap, np.float32)

    def normals(self, points: Floats) -> Floats:
        """Return the unit normals at *points*, shape (3, N): the slope of the distance, by four differences."""
        ways = np.array([[1, -1, -1], [-1, -1, 1], [-1, 1, -1], [1, 1, 1]], np.float32)
        slope = sum(way[:, None] * self.distance(points + _STEP_MM * way[:, None]) for way in ways)
        slope = np.asarray(slope, np.float32)
        return np.asarray(slope / np.maximum(np.sqrt(np.einsum("ij,ij->j", slope, slope)), 1e-9), np.float32)


def _soft_max(one: Floats, two: Floats, width: np.float32) -> Floats:
    """Return the larger of *one* and *two*, rounded where they are within *width* of each other (Quilez)."""
    near = np.maximum(width - np.abs(one - two), 0) / width
    return np.asarray(np.maximum(one, two) + near * near * width * np.float32(0.25), np.float32)


def box_of(die: RenderedDie) -> Box:
    """Return the block that throws *die*'s shadow: a little smaller than the die, for its rounded corners."""
    return Box(die.centre_mm, die.rotation.T, np.full(3, die.size_mm / 2 * (1 - (die.edge + die.bevel) * 0.35)))


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
    skin = _Skin.of(die)
    safe = np.where(np.abs(ways) < 1e-7, np.float32(1e-7), ways)
    one, two = (-skin.half - eye) / safe, (skin.half - eye) / safe
    enter, leave = np.minimum(one, two).max(axis=0), np.maximum(one, two).min(axis=0)
    found = np.flatnonzero((enter < leave) & (enter > 0))
    ways, way, leave = ways[:, found], enter[found], leave[found]
    points = eye + way * ways
    gap = skin.distance(points)
    for _ in range(14):
        todo = np.flatnonzero((gap > _CLOSE_MM) & (way < leave))
        if not todo.size:
            break
        way[todo] += gap[todo]
        points[:, todo] += gap[todo] * ways[:, todo]
        gap[todo] = skin.distance(points[:, todo])
    kept = (gap < _MISSED_MM) & (way < leave)
    points = np.asarray(points[:, kept], np.float32)
    return Hits(found[kept], way[kept], points, skin.normals(points))


def corners_px(die: RenderedDie, camera: Pinhole) -> Doubles:
    """Return where the corners of *die*'s sharp cube fall in the picture, shape (8, 2)."""
    cube = Box(die.centre_mm, die.rotation.T, np.full(3, die.size_mm / 2))
    return camera.project(cube.corners_mm)
