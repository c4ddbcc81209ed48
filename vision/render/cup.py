"""An opaque dice cup, mouth down: it stands over the dice, or a hand holds it up at one edge, or carries it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.render.camera import Doubles, unit
from vision.render.hand import floor_shadows, kept_away, reach_in
from vision.render.light import develop, lamp_at, linear, room_of, undeveloped
from vision.render.pose import Colour, RenderedDie
from vision.render.shadow import Rectangle, Scene, instants, within
from vision.render.skin import corners_px
from vision.types import Floats, Frame, Mask, Point, as_uint8

LEATHER_BGR: Colour = (38, 50, 78)

_FACETS = 64
_RING = np.arange(_FACETS) * (2 * math.pi / _FACETS)
_MOST_TILT_DEG = 40.0
_FINE = 2
_HIDDEN_BY = 0.5
_BASE_INSET = 0.88
_SHADE = np.float32(0.75)
_SHINE = 24.0


@dataclass(frozen=True, slots=True)
class Cup:
    """A round cup, its mouth towards the table.

    Attributes
    ----------
    middle_mm
        Middle of its mouth as it stands.
    wide_mm, high_mm
        Outer width of its mouth, and height.
    taper
        Width of its bottom, which is up, in that of its mouth.
    bgr
        Colour.
    gloss
        0 for leather, 1 for lacquer.
    tilt_deg
        How far its rim is lifted on one side, at most 40; it stays on the tray on the other.
    towards_deg
        The side at which it is lifted and from which a hand comes: 0 right, 90 front, 180 left.
    lift_mm
        How high it is held over the floor.
    held
        Whether a hand is on it.

    Examples
    --------
    >>> Cup((150, 110), tilt_deg=50)
    Traceback (most recent call last):
        ...
    ValueError: a cup tilted by 50 degrees; 0 to 40 are drawn
    """

    middle_mm: Point
    wide_mm: float = 82.0
    high_mm: float = 85.0
    taper: float = 0.83
    bgr: Colour = LEATHER_BGR
    gloss: float = 0.0
    tilt_deg: float = 0.0
    towards_deg: float = 90.0
    lift_mm: float = 0.0
    held: bool = False

    def __post_init__(self) -> None:
        """Refuse a pose at which the camera could look into the mouth: the inside is not drawn."""
        if not 0 <= self.tilt_deg <= _MOST_TILT_DEG:
            raise ValueError(f"a cup tilted by {self.tilt_deg:g} degrees; 0 to {_MOST_TILT_DEG:g} are drawn")

    @property
    def stands(self) -> bool:
        """Whether its whole rim is on the floor."""
        return self.tilt_deg == 0 and self.lift_mm == 0

    def ring_mm(self, share: float, along: float) -> Doubles:
        """Return the ring of its wall *along* the way from mouth, 0, to bottom, 1, as wide as *share*: (N, 3)."""
        radius = self.wide_mm / 2 * share * (1 + (self.taper - 1) * along)
        flat = radius * np.stack([np.cos(_RING), np.sin(_RING)], axis=1)
        return self._posed(np.column_stack([flat, np.full(_FACETS, along * self.high_mm)]))

    @property
    def outline_mm(self) -> Doubles:
        """Points whose convex hull it is, shape (N, 3)."""
        return np.concatenate([self.ring_mm(1.0, 0.0), self.ring_mm(1.0, 1.0)])

    def _posed(self, points: Doubles) -> Doubles:
        """Return *points*, given for a cup that stands at the origin, where they are as it is held."""
        turn, tilt = math.radians(self.towards_deg), math.radians(self.tilt_deg)
        along = np.array([math.cos(turn), math.sin(turn), 0.0])
        reach = points @ along + self.wide_mm / 2
        high = points[:, 2]
        moved = points + np.outer(reach * math.cos(tilt) - high * math.sin(tilt) - reach, along)
        moved[:, 2] = reach * math.sin(tilt) + high * math.cos(tilt) + self.lift_mm
        return np.asarray(moved + np.array([*self.middle_mm, 0.0]))


def uncovered(dice: Sequence[RenderedDie], cups: Sequence[Cup], scene: Scene) -> list[RenderedDie]:
    """Return those of *dice* of which the camera sees anything past *cups*.

    The others must not be drawn at all: the felt beside a cup would show their glow and their shadows. A cup is convex
    and the camera never looks into its mouth, so what lies within its outline is hidden.
    """
    outlines = [cv2.convexHull(scene.camera.project(cup.outline_mm).astype(np.float32)) for cup in cups]
    return [die for die in dice if not any(_hides(*pair, die, scene) for pair in zip(cups, outlines, strict=True))]


def _hides(cup: Cup, outline: Floats | cv2.typing.MatLike, die: RenderedDie, scene: Scene) -> bool:
    if cup.stands and math.dist((die.x_mm, die.y_mm), cup.middle_mm) < cup.wide_mm / 2:
        return True
    corners = np.concatenate([corners_px(pose, scene.camera) for pose in instants(die, scene.most_instants)])
    return all(cv2.pointPolygonTest(outline, (float(x), float(y)), True) > _HIDDEN_BY for x, y in corners)


def put_cup(frame: Frame, cup: Cup, scene: Scene) -> None:
    """Draw *cup*, its shadow, and the hand on it, into *frame*, shape (M, N, 3)."""
    camera, outline = scene.camera, cup.outline_mm
    shadows = floor_shadows(outline, scene)
    rectangle = within(camera.project(np.concatenate([outline, *shadows])), (0, 0, *camera.size), camera.size[0] / 60)
    left, top, right, bottom = rectangle
    if left < right:
        part = np.s_[top:bottom, left:right]
        light = undeveloped(frame[part]) * (1 - _SHADE * kept_away([shadows], rectangle, scene))[..., None]
        colour, cover = _painted(cup, rectangle, scene)
        frame[part] = develop(np.asarray(light * (1 - cover[..., None]) + colour, np.float32))
    if cup.held:
        x, y, z = cup.ring_mm(1.0, 1.0).mean(axis=0)
        reach_in(frame, (float(x), float(y)), scene, from_deg=cup.towards_deg, over_mm=float(z))


def _painted(cup: Cup, rectangle: Rectangle, scene: Scene) -> tuple[Floats, Floats]:
    """Return *cup* in *rectangle* of the picture: linear light weighted with its cover, (h, w, 3), and that, (h, w)."""
    left, top, right, bottom = rectangle
    size = (right - left, bottom - top)
    colour = np.zeros((size[1] * _FINE, size[0] * _FINE, 3), np.float32)
    cover = np.zeros(colour.shape[:2], np.uint8)
    faces = _faces(cup)
    seen = _seen(faces, scene)
    light = _light([face for face, shown in zip(faces, seen, strict=True) if shown], cup, scene)
    # Of a convex body no face that is seen covers another; the inset of the bottom comes after the bottom.
    for face, bgr in zip((face for face, shown in zip(faces, seen, strict=True) if shown), light, strict=True):
        corners = (scene.camera.project(face) - (left, top) + 0.5) * _FINE - 0.5
        polygon = np.rint(np.clip(corners, -8000, 8000) * 16).astype(np.int32)
        cv2.fillConvexPoly(colour, polygon, tuple(map(float, bgr)), cv2.LINE_8, 4)
        cv2.fillConvexPoly(cover, polygon, (255,), cv2.LINE_8, 4)
    small = cv2.resize(colour, size, interpolation=cv2.INTER_AREA)
    filled = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32), np.asarray(as_uint8(filled), np.float32) / np.float32(255)


def _faces(cup: Cup) -> list[Doubles]:
    """Return the corners, (N, 3), of the facets of the wall, of the bottom, and of the inset in it, in that order."""
    mouth, bottom = cup.ring_mm(1.0, 0.0), cup.ring_mm(1.0, 1.0)
    after = np.roll(np.arange(_FACETS), -1)
    wall = [np.stack([mouth[k], mouth[after[k]], bottom[after[k]], bottom[k]]) for k in range(_FACETS)]
    return [*wall, bottom, cup.ring_mm(_BASE_INSET, 1.0)]


def _normals(faces: Sequence[Doubles]) -> Doubles:
    """Return the outward directions of *faces*, shape (N, 3)."""
    quarter = [(face[0], face[len(face) // 4], face[len(face) // 2]) for face in faces]
    return np.stack([unit(np.cross(b - a, c - b)) for a, b, c in quarter])


def _seen(faces: Sequence[Doubles], scene: Scene) -> Mask:
    middles = np.stack([face.mean(axis=0) for face in faces])
    return np.asarray(np.einsum("ij,ij->i", _normals(faces), scene.camera.position_mm - middles) > 0)


def _light(faces: Sequence[Doubles], cup: Cup, scene: Scene) -> Floats:
    """Return the light that each of *faces* sends to the camera, shape (N, 3)."""
    normals = _normals(faces).astype(np.float32)
    middles = np.stack([face.mean(axis=0) for face in faces]).astype(np.float32)
    to_eye = unit(scene.camera.position_mm - middles).astype(np.float32)
    falls = (0.35 + 0.325 * (1 + normals[:, 2:])) * room_of(scene.lights)
    shine = np.zeros_like(falls)
    for lamp in scene.lights:
        to_lamp, strength = lamp_at(np.ascontiguousarray(middles.T), lamp)
        lit = strength[:, None] * np.array(lamp.bgr, np.float32)
        falls = falls + np.maximum(np.einsum("ij,ji->i", normals, to_lamp), 0)[:, None] * lit
        half = unit(to_lamp.T + to_eye).astype(np.float32)
        shine += np.maximum(np.einsum("ij,ij->i", normals, half), 0)[:, None] ** _SHINE * lit
    # The last face is the inset of the bottom where it is seen: a little darker, as leather is that nobody touches.
    worn = np.ones((len(faces), 1), np.float32)
    worn[-1] = 0.8
    return np.asarray(falls * linear(cup.bgr) * worn + 0.25 * np.float32(cup.gloss) * shine, np.float32)
