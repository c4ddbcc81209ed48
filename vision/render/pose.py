"""A die that can be drawn: where it lies, how it is turned, what it is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from vision.render.camera import Doubles

Colour = tuple[int, int, int]
"""Blue, green, red as in OpenCV, each 0 to 255, as it looks under white light."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the pips of the six faces are, all lengths in sides of the die.

    Attributes
    ----------
    spread
        Distance of the outer pips of 2 to 5 from the middle lines of the face.
    six
        The same for the six: along its rows of three and across them.
    pip
        Radius of a pip.
    one
        Radius of the pip of the one.
    red
        Faces whose pips are red whatever the colour of the others.
    clockwise
        Whether one, two and three run clockwise around their corner (Chinese dice) and not anticlockwise (western).
    """

    spread: float = 0.25
    six: tuple[float, float] = (0.25, 0.25)
    pip: float = 0.095
    one: float = 0.095
    red: tuple[int, ...] = ()
    clockwise: bool = False

    def pips(self, face: int) -> Doubles:
        """Return the middles of the pips of *face*, shape (face, 2), from the middle of the face.

        Examples
        --------
        >>> Layout().pips(3).tolist()
        [[-0.25, -0.25], [0.0, 0.0], [0.25, 0.25]]
        """
        s, (along, across) = self.spread, self.six
        corner, other, middle = [(-s, -s), (s, s)], [(-s, s), (s, -s)], [(0.0, 0.0)]
        places = {
            1: middle,
            2: corner,
            3: [corner[0], *middle, corner[1]],
            4: corner + other,
            5: corner + other + middle,
            6: [(u, v) for v in (-across, across) for u in (-along, 0.0, along)],
        }
        return np.array(places[face], np.float64)

    def radius(self, face: int) -> float:
        """Return the radius of each pip of *face*."""
        return self.one if face == 1 else self.pip


WESTERN = Layout()
ASIAN = Layout(spread=0.23, six=(0.23, 0.19), pip=0.085, one=0.17, red=(1,), clockwise=True)

_X, _Y, _Z = np.eye(3)


@lru_cache(maxsize=2)
def face_axes(clockwise: bool) -> Mapping[int, Doubles]:
    """Return for each face the rows u, v, outward normal in the die's own space (handed like the table's).

    With the one on top and the two towards the viewer, a western die shows its three on the right.
    """
    side = -_X if clockwise else _X
    half = {1: (_X, _Y, _Z), 2: (_Z, _X, _Y), 3: (_Y, np.cross(side, _Y), side)}
    axes = {face: np.stack(rows) for face, rows in half.items()}
    axes |= {7 - face: np.stack([u, -v, -n]) for face, (u, v, n) in half.items()}
    return MappingProxyType(axes)


def turn(axis: npt.ArrayLike, angle_deg: float) -> Doubles:
    """Return the rotation, shape (3, 3), by *angle_deg* about the unit vector *axis*, x towards y about z."""
    x, y, z = np.asarray(axis, np.float64)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = math.radians(angle_deg)
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * (cross @ cross))


@dataclass(frozen=True)
class RenderedDie:
    """One die in or about the tray.

    Attributes
    ----------
    x_mm, y_mm
        Middle of the die (not of its top face), from the floor's corner at the top left of the picture.
    yaw_deg
        Turn about the vertical, clockwise in the picture; 0 has the edges along the tray's.
    top
        The face that is up before the die is tilted, 1 to 6.
    size_mm
        Side.
    body_bgr, pip_bgr
        Colours.
    tilt_deg, tilt_axis_deg
        Tilt after the yaw about a level axis through the middle, and where that axis points in the picture (0 right,
        90 front). With 0 the part in front rises and the part at the back sinks when the tilt is positive.
    lift_mm
        Height of the die's lowest point above the floor.
    layout
        Where its pips are.
    edge
        Radius of the rounded edges in sides.
    ball
        Radius, in half sides, of a ball the corners are turned down to; 1.42 to 1.74, the larger the less.
    bevel, corner
        How much of a side is cut off at the edges, and at the corners beyond that.
    gloss, pip_gloss
        Sharpness of reflections, some 10 (worn) to 300 (polished) and 20000 (a mirror); the same of the pips.
    clear
        How far one sees into the body: 0 opaque, 1 glass.
    pip_depth
        0 for pips that are painted on, 1 for drilled ones.
    vein_bgr, grain
        The second colour of a marbled body, and what chooses its swirls and the pips' places within `sloppy`.
    sloppy
        How far, in sides, each pip may be from where the layout has it.
    travel_mm
        Way the die's middle goes while the shutter is open.
    spin_deg
        Rotation vector of the turn the die makes in that time.

    Examples
    --------
    >>> die = RenderedDie(150, 110, 0, 1)
    >>> die.up, die.facing((0, 1, 0)), die.facing((1, 0, 0)), die.facing((0, 0, -1))
    (1, 2, 3, 6)
    """

    x_mm: float
    y_mm: float
    yaw_deg: float
    top: int
    size_mm: float = 16.0
    body_bgr: Colour = (214, 228, 236)
    pip_bgr: Colour = (24, 22, 22)
    tilt_deg: float = 0.0
    tilt_axis_deg: float = 0.0
    lift_mm: float = 0.0
    layout: Layout = WESTERN
    edge: float = 0.11
    ball: float = 1.74
    bevel: float = 0.0
    corner: float = 0.0
    gloss: float = 80.0
    pip_gloss: float = 80.0
    clear: float = 0.0
    pip_depth: float = 1.0
    vein_bgr: Colour | None = None
    grain: int = 0
    sloppy: float = 0.0
    travel_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spin_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Refuse a die that cannot be."""
        if self.top not in range(1, 7):
            raise ValueError(f"a die has no face {self.top}; the faces are 1 to 6")
        if not (self.size_mm > 0 and 0 < self.edge < 0.5 and self.ball >= math.sqrt(2)):
            raise ValueError("a die needs a size above 0 mm, edges of 0 to 0.5 sides and a ball of 1.42 or more")

    @cached_property
    def rotation(self) -> Doubles:
        """Shape (3, 3): from the die's own space to the table's."""
        axis = math.radians(self.tilt_axis_deg)
        upright = face_axes(self.layout.clockwise)[self.top]
        return turn((math.cos(axis), math.sin(axis), 0), self.tilt_deg) @ turn(_Z, self.yaw_deg) @ upright

    @cached_property
    def centre_mm(self) -> Doubles:
        """Middle of the die, shape (3,)."""
        return np.array([self.x_mm, self.y_mm, self.lift_mm + self.reach_mm((0, 0, -1))])

    @property
    def up(self) -> int:
        """The face that is up now, tilt and all."""
        return self.facing((0, 0, 1))

    @property
    def moves(self) -> bool:
        """Whether it moves while the shutter is open."""
        return any(self.travel_mm) or any(self.spin_deg)

    def turned_to(self, rotation: Doubles) -> RenderedDie:
        """Return this die with *rotation*, shape (3, 3), the top it shows then, and the same lowest point."""
        axes = face_axes(self.layout.clockwise)
        top = max(axes, key=lambda face: float((rotation @ axes[face][2])[2]))
        up = rotation @ axes[top][2]
        tilt = math.degrees(math.acos(min(1.0, float(up[2]))))
        lean = math.degrees(math.atan2(up[1], up[0])) + 90 if tilt > 1e-6 else 0.0
        axis = math.radians(lean)
        flat = turn((math.cos(axis), math.sin(axis), 0), -tilt) @ rotation @ axes[top].T
        yaw = math.degrees(math.atan2(flat[1, 0], flat[0, 0]))
        return replace(self, top=top, tilt_deg=tilt, tilt_axis_deg=lean, yaw_deg=yaw)

    def placed(self, centre_mm: npt.ArrayLike) -> RenderedDie:
        """Return this die with its middle at *centre_mm*, shape (3,)."""
        x, y, z = (float(part) for part in np.asarray(centre_mm, np.float64))
        return replace(self, x_mm=x, y_mm=y, lift_mm=z - self.reach_mm((0, 0, -1)))

    def facing(self, direction: npt.ArrayLike) -> int:
        """Return the face that looks most nearly in *direction*, shape (3,), of the table's space."""
        own = self.rotation.T @ np.asarray(direction, np.float64)
        axes = face_axes(self.layout.clockwise)
        return max(axes, key=lambda face: float(axes[face][2] @ own))

    def reach_mm(self, direction: npt.ArrayLike) -> float:
        """Return how far the die reaches from its middle in the unit *direction*; corners are taken as rounded."""
        half, edge = self.size_mm / 2, self.edge * self.size_mm
        own = np.sort(np.abs(self.rotation.T @ np.asarray(direction, np.float64)))
        reach = min(own.sum() * (half - edge) + edge, self.ball * half)
        if self.bevel:
            cut = self.bevel * self.size_mm
            reach = min(reach, max(own[2] * half + (own[0] + own[1]) * (half - cut), own.sum() * (half - cut / 2)))
        return float(reach)


_ONE = partial(RenderedDie, 0.0, 0.0, 0.0, 1)

DICE: Mapping[str, RenderedDie] = MappingProxyType(
    {
        "ivory": _ONE(body_bgr=(196, 222, 232), pip_bgr=(22, 20, 20), ball=1.46, gloss=60.0),
        "white": _ONE(body_bgr=(236, 238, 238), pip_bgr=(20, 18, 18)),
        "red": _ONE(body_bgr=(36, 28, 176), pip_bgr=(232, 236, 238), gloss=120.0),
        "green": _ONE(body_bgr=(62, 112, 22), pip_bgr=(232, 236, 238), gloss=120.0),
        "blue": _ONE(body_bgr=(150, 62, 24), pip_bgr=(232, 236, 238), ball=1.5, gloss=100.0),
        "black": _ONE(body_bgr=(34, 31, 30), pip_bgr=(235, 236, 238), gloss=50.0),
        "yellow": _ONE(body_bgr=(40, 190, 232), pip_bgr=(18, 18, 20), ball=1.5),
        "asian": _ONE(body_bgr=(228, 236, 236), pip_bgr=(26, 22, 22), layout=ASIAN, edge=0.13),
        "casino": _ONE(
            body_bgr=(40, 24, 190), pip_bgr=(240, 240, 240), edge=0.03, gloss=260.0, clear=0.55, size_mm=19.0
        ),
        "clear green": _ONE(body_bgr=(70, 130, 20), pip_bgr=(238, 240, 240), edge=0.07, gloss=220.0, clear=0.6),
        "small": _ONE(body_bgr=(226, 232, 234), pip_bgr=(24, 20, 20), size_mm=12.0, edge=0.14),
    }
)
"""Dice by name, each showing a one at the origin: `dataclasses.replace` puts them where they belong."""
