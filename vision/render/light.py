"""Light on the rendered table: one lamp with a face of some size, what stands in its way, and how a sensor sees it.

Light is linear: 1 is what a white sheet in the middle of the tray sends back when the picture just reaches 255.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from vision.render.camera import Doubles, unit
from vision.types import Floats, Frame

Light = tuple[float, float, float]
"""Blue, green, red parts of a light, linear."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A shining rectangle, or a round one, and the light of the room.

    Attributes
    ----------
    position_mm
        Middle of its shining face, in millimetres of tray.
    half_mm
        Half its extents along its face (to the right and to the front if it is level): the larger, the softer the
        shadows.
    bgr
        What it sends to `MIDDLE_MM`.
    room_bgr
        What comes from everywhere else.
    facing
        Where its face looks: down for a lamp, sideways for a window.
    beam
        How narrow its cone is: 0 sends the same everywhere, 20 makes a pool of light.
    """

    position_mm: tuple[float, float, float]
    half_mm: tuple[float, float]
    bgr: Light
    room_bgr: Light
    facing: tuple[float, float, float] = (0.0, 0.0, -1.0)
    beam: float = 0.0

    @property
    def axes(self) -> Doubles:
        """Unit directions along its face and out of it, one a row: shape (3, 3)."""
        out = unit(self.facing)
        helper = np.array([1.0, 0.0, 0.0]) if abs(out[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
        one = unit(helper - (helper @ out) * out)
        return np.stack([one, np.cross(out, one), out])

    @property
    def radiance(self) -> float:
        """How bright its face is, as a multiple of `bgr`: what a perfect mirror shows of it."""
        way = np.array(self.position_mm) - MIDDLE_MM
        far = float(np.linalg.norm(way))
        slant = max(0.05, float(-self.axes[2] @ way) / far) * max(0.05, float(way[2]) / far)
        return min(_BRIGHTEST_LAMP, math.pi * far**2 / (4 * self.half_mm[0] * self.half_mm[1] * slant))

    def points(self, across: int) -> Doubles:
        """Return *across* x *across* points spread over the lamp's face, shape (N, 3)."""
        steps = (np.arange(across) + 0.5) / across * 2 - 1
        u, v = (grid.ravel()[:, None] for grid in np.meshgrid(steps, steps))
        one, two = self.axes[:2]
        return np.asarray(u * self.half_mm[0] * one + v * self.half_mm[1] * two + np.array(self.position_mm))


MIDDLE_MM = np.array([150.0, 110.0, 0.0])
"""Where the strength of a lamp is given for: about the middle of a tray."""

_BRIGHTEST_LAMP = 3000.0

LAMPS: Mapping[str, Lamp] = MappingProxyType(
    {
        "pendant": Lamp((60.0, -60.0, 620.0), (45.0, 45.0), (0.56, 0.64, 0.69), (0.30, 0.29, 0.28)),
        "bar": Lamp((150.0, -120.0, 480.0), (210.0, 16.0), (0.66, 0.67, 0.66), (0.25, 0.25, 0.25)),
        "side": Lamp((-210.0, 30.0, 420.0), (22.0, 22.0), (0.52, 0.66, 0.76), (0.24, 0.24, 0.24)),
        "soft": Lamp((220.0, 60.0, 700.0), (160.0, 120.0), (0.58, 0.57, 0.55), (0.36, 0.36, 0.36)),
        "dim": Lamp((260.0, -80.0, 520.0), (30.0, 30.0), (0.17, 0.22, 0.27), (0.08, 0.08, 0.08)),
    }
)
"""Lamps by name."""

Lights = tuple[Lamp, ...]
"""All the lamps of a scene; the light of the room is the sum of theirs."""


def room_of(lights: Lights) -> Floats:
    """Return the light of the room, shape (3,)."""
    return np.asarray(np.sum([lamp.room_bgr for lamp in lights], axis=0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """A block that keeps light away.

    Attributes
    ----------
    centre_mm
        Shape (3,).
    axes
        Shape (3, 3): the directions of its edges, one a row.
    half_mm
        Half its extents along them, shape (3,).
    """

    centre_mm: Doubles
    axes: Doubles
    half_mm: Doubles

    @property
    def corners_mm(self) -> Doubles:
        """Its corners, shape (8, 3)."""
        signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float64)
        return np.asarray(self.centre_mm + (signs * self.half_mm) @ self.axes)


def blocked(points: Floats, ways: Floats, box: Box) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return for each of *points* whether *box* cuts the line that goes from it along *ways* and ends there.

    Parameters
    ----------
    points, ways
        Shape (3, N), or (3, 1) for *ways* that all go alike; a way is as long as the line.
    box
        What may stand between.
    """
    return _Blocker(points, box).cuts(ways)


class _Blocker:
    """A box that may stand between *points*, shape (3, N), and light."""

    def __init__(self, points: Floats, box: Box) -> None:
        self._axes = box.axes.astype(np.float32)
        start = self._axes @ (points - box.centre_mm.astype(np.float32)[:, None])
        half = box.half_mm.astype(np.float32)[:, None]
        self._near, self._far = -half - start, half - start

    def cuts(self, ways: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return for each point whether the box cuts the line along *ways*, (3, N) or (3, 1)."""
        way = self._axes @ ways
        way = np.where(np.abs(way) < 1e-6, np.float32(1e-6), way)
        one, two = self._near / way, self._far / way
        enter = np.minimum(one, two).max(axis=0)
        leave = np.maximum(one, two).min(axis=0)
        return np.asarray((enter < leave) & (leave > 1e-3) & (enter < 1))


def seen_part(
    points: Floats, normals: Floats, lamp: Lamp, boxes: Sequence[Box], across: int = 3, *, scattered: bool = False
) -> Floats:
    """Return which part of *lamp*'s face each of *points*, shape (3, N), sees past *boxes*: 0 to 1, shape (N,).

    It is sampled at *across* x *across* places of the face; *scattered* chooses others within the same cells for
    every point, so that a shadow's edge is grainy rather than in steps.
    """
    count = points.shape[1]
    if not boxes:
        return np.ones(count, np.float32)
    start = points + np.float32(0.05) * normals
    free = np.zeros(count, np.float32)
    cell = lamp.axes[:2].T * (np.array(lamp.half_mm) * 2 / across)
    offsets = (cell @ _scatter(count if scattered else 1)[:2]).astype(np.float32)
    shining = lamp.points(across).astype(np.float32)
    blockers = [_Blocker(start, box) for box in boxes]
    for place in shining:
        ways = place[:, None] + offsets - start
        dark = np.zeros(count, np.bool_)
        for blocker in blockers:
            dark |= blocker.cuts(ways)
        free += ~dark
    return np.asarray(free / len(shining), np.float32)


def _scatter(count: int) -> Doubles:
    """Return *count* places of the unit square about 0, evenly strewn (Roberts' R2 sequence), shape (3, count)."""
    steps = np.arange(count)
    if count == 1:
        return np.zeros((3, 1))
    return np.stack([steps * 0.7548776662466927 % 1 - 0.5, steps * 0.5698402909980532 % 1 - 0.5, np.zeros(count)])


def lamp_at(points: Floats, lamp: Lamp) -> tuple[Floats, Floats]:
    """Return the unit directions to *lamp*, shape (3, N), from *points* and its strength there (1 mid-tray, flat)."""
    place = np.array(lamp.position_mm, np.float32)
    ways = place[:, None] - points
    squared = np.einsum("ij,ij->j", ways, ways)
    middle = place - MIDDLE_MM.astype(np.float32)
    mid_squared = float(middle @ middle)
    at_middle = float(middle[2]) / mid_squared**0.5 / mid_squared
    to_lamp = ways / np.sqrt(squared)
    strength = 1 / (squared * np.float32(at_middle))
    if lamp.beam:
        out = lamp.axes[2].astype(np.float32)
        cosine = np.maximum(-(out @ to_lamp), 0) / np.float32(max(0.05, -float(out @ middle) / mid_squared**0.5))
        strength = strength * cosine ** np.float32(lamp.beam)
    return np.asarray(to_lamp, np.float32), np.asarray(strength, np.float32)


def linear(bgr: Sequence[float]) -> Floats:
    """Return the light that a surface of colour *bgr*, 0 to 255, sends back of white light 1: shape (3,)."""
    return np.asarray((np.array(bgr, np.float32) / 255) ** np.float32(2.2), np.float32)


def _sensor_curve() -> Floats:
    light = np.arange(_STEPS, dtype=np.float32) / _STEPS * _BRIGHTEST
    shoulder = np.where(light < 0.7, light, 0.7 + 0.3 * (1 - np.exp(-(light - 0.7) / 0.3)))
    coded = np.where(shoulder < 0.0031308, 12.92 * shoulder, 1.055 * shoulder ** (1 / 2.4) - 0.055)
    return np.asarray(coded * 255, np.float32)


_STEPS, _BRIGHTEST = 16384, 2.0
_CURVE = np.rint(_sensor_curve()).astype(np.uint8)


def develop(light: Floats) -> Frame:
    """Return linear *light*, shape (M, N, 3), as a picture: sRGB with a soft shoulder.

    Examples
    --------
    >>> import numpy as np
    >>> develop(np.array([[[0, 0.18, 5]]], np.float32)).tolist()
    [[[0, 118, 255]]]
    """
    steps = np.clip(light * np.float32(_STEPS / _BRIGHTEST), 0, _STEPS - 1).astype(np.uint16)
    return np.asarray(_CURVE[steps], np.uint8)


def undeveloped(frame: Frame) -> Floats:
    """Return the linear light that `develop` makes *frame* of, shape (M, N, 3), to within its 256 steps.

    Examples
    --------
    >>> import numpy as np
    >>> frame = np.arange(255, dtype=np.uint8).reshape(5, 17, 3)
    >>> bool((develop(undeveloped(frame)) == frame).all())
    True
    """
    return np.asarray(_LIGHT_OF[frame], np.float32)


_LIGHT_OF = ((np.searchsorted(_CURVE, np.arange(256)) + 0.5) / _STEPS * _BRIGHTEST).astype(np.float32)
