"""What dice take from the light about them: of the lamp's in soft shadows, of the room's at their foot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.render.camera import Doubles, Pinhole
from vision.render.light import Lamp, Lights, linear
from vision.render.pose import RenderedDie, turn
from vision.render.skin import box_of, corners_px
from vision.render.tray import Face, Still, TrayShape
from vision.types import Floats, Frame

INSTANTS = 5
MOST_INSTANTS = 25
INSTANT_MM = 1.2
"""How many moments of an exposure a moving die is drawn at, in a film that must keep pace, and at most in a still; and
how far it may go there from one to the next: half the width of a pip, so that pips run into streaks as they do while a
shutter is open."""

_BLUR_MARGIN = 4
_AROUND = 1.3
"""Sides of a die around it that it shades or lights: nearly as far as `vision.render.bounce.REACH`."""

Rectangle = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are no longer part of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All that is drawn but for the dice."""

    camera: Pinhole
    lights: Lights
    shape: TrayShape
    still: Still
    most_instants: int = INSTANTS


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle of the picture and the dice that show or throw a shadow there."""

    rectangle: Rectangle
    dice: tuple[RenderedDie, ...]

    @property
    def part(self) -> tuple[slice, slice]:
        """Rows and columns of the rectangle in the picture."""
        left, top, right, bottom = self.rectangle
        return slice(top, bottom), slice(left, right)

    @property
    def rows_columns(self) -> tuple[int, int]:
        """Height and width of the rectangle."""
        left, top, right, bottom = self.rectangle
        return bottom - top, right - left


def patches_of(dice: Sequence[RenderedDie], scene: Scene) -> tuple[Patch, ...]:
    """Return the rectangles that *dice* change, none overlapping another."""
    patches: list[Patch] = []
    for die in dice:
        new = Patch(_extent(die, scene), (die,))
        while (other := next((old for old in patches if _overlap(old.rectangle, new.rectangle)), None)) is not None:
            patches.remove(other)
            new = Patch(around(other.rectangle, new.rectangle), other.dice + new.dice)
        patches.append(new)
    return tuple(patch for patch in patches if patch.rectangle[0] < patch.rectangle[2])


def around(a: Rectangle, b: Rectangle) -> Rectangle:
    """Return the smallest rectangle with both *a* and *b* in it."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def within(points: Doubles, limits: Rectangle, margin: float) -> Rectangle:
    """Return the rectangle about *points*, shape (N, 2), with a *margin*, cut to *limits*; empty if outside."""
    low, high = np.floor(points.min(axis=0) - margin), np.ceil(points.max(axis=0) + margin) + 1
    left, top = (int(max(edge, limit)) for edge, limit in zip(low, limits[:2], strict=True))
    right, bottom = (int(min(edge, limit)) for edge, limit in zip(high, limits[2:], strict=True))
    return (left, top, right, bottom) if left < right and top < bottom else (0, 0, 0, 0)


def _overlap(a: Rectangle, b: Rectangle) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _extent(die: RenderedDie, scene: Scene) -> Rectangle:
    """Return the rectangle of the picture that *die*, its shadow and its light can change."""
    camera = scene.camera
    ground = np.array([0.0, 0.0, _ground_mm(die, scene.shape)]), np.array([0.0, 0.0, 1.0])
    moments = instants(die, scene.most_instants)
    seen: list[Doubles] = [corners_px(pose, camera) for pose in moments]
    for pose in {id(pose): pose for pose in (moments[0], moments[-1])}.values():
        for place in (place for lamp in scene.lights for place in lamp.points(2)):
            shadow = shadow_mm(box_of(pose).corners_mm, place, *ground)
            if shadow is not None:
                seen.append(camera.project(shadow))
    margin = _AROUND * die.size_mm * camera.focal_px / camera.position_mm[2] + _BLUR_MARGIN
    return within(np.concatenate(seen), (0, 0, *camera.size), margin)


def _ground_mm(die: RenderedDie, shape: TrayShape) -> float:
    return 0.0 if shape.holds(die.x_mm, die.y_mm) else -shape.foot


@lru_cache(maxsize=32)
def instants(die: RenderedDie, most: int = INSTANTS) -> tuple[RenderedDie, ...]:
    """Return where *die* is at moments spread over the exposure, *most* of them; once, when it does not move."""
    if not die.moves:
        return (die,)
    turned = math.radians(math.hypot(*die.spin_deg)) * math.sqrt(0.75) * die.size_mm
    count = min(max(INSTANTS, math.ceil((math.hypot(*die.travel_mm) + turned) / INSTANT_MM)), most)
    return tuple(_moved(die, (step + 0.5) / count - 0.5) for step in range(count))


def _moved(die: RenderedDie, share: float) -> RenderedDie:
    """Return *die* after *share* of the way and of the turn it makes during the exposure."""
    spin = np.array(die.spin_deg) * share
    angle = float(np.linalg.norm(spin))
    x, y, z = (float(way) * share for way in die.travel_mm)
    rotation = turn(spin / angle, angle) @ die.rotation if angle > 0 else die.rotation
    still = replace(die, travel_mm=(0.0, 0.0, 0.0), spin_deg=(0.0, 0.0, 0.0))
    return still.turned_to(rotation).placed(die.centre_mm + np.array([x, y, z]))


def shadowed(patch: Patch, scene: Scene) -> Floats:
    """Return the empty scene's light in *patch* less what its dice take away, shape (h, w, 3)."""
    still = scene.still
    label = still.label[patch.part]
    room = np.ones(label.shape, np.float32)
    for die in patch.dice:
        room *= _room_seen(die, patch, scene)
    shown = np.flatnonzero(np.bincount(label.ravel()))
    total = still.around[patch.part] * room[..., None]
    for lamp, direct in zip(scene.lights, still.direct, strict=True):
        lit = np.ones((*label.shape, 3), np.float32)
        for number in shown:
            here = label == number
            lit[here] = _lamp_seen(patch, still.faces[number], lamp, scene)[here]
        total += direct[patch.part] * lit * (0.6 + 0.4 * room)[..., None]
    return np.asarray(total, np.float32)


def _lamp_seen(patch: Patch, face: Face, lamp: Lamp, scene: Scene) -> Floats:
    """Return which part of *lamp*'s light reaches what shows *face* past the dice, shape (h, w, 3).

    Clear dice let some through and colour it.
    """
    dark = np.zeros((*patch.rows_columns, 3), np.uint16)
    mask = np.zeros((*patch.rows_columns, 3), np.uint8)
    dice = sorted(patch.dice, key=lambda die: (-die.clear, *die.centre_mm))
    poses = [([box_of(pose).corners_mm for pose in instants(die, scene.most_instants)], shade_bgr(die)) for die in dice]
    places = lamp.points(4)
    for number, place in enumerate(places):
        mask[:] = 0
        for moments, bgr in poses:
            shadow = shadow_mm(moments[number % len(moments)], place, face.origin, face.axes[2])
            if shadow is not None:
                fill_hull(mask, scene.camera.project(shadow) - patch.rectangle[:2], bgr)
        dark += mask
    return np.asarray(1 - dark.astype(np.float32) / (255 * len(places)), np.float32)


def shade_bgr(die: RenderedDie) -> tuple[int, int, int]:
    """Return how much of each colour of a lamp's light *die* keeps away, 0 to 255."""
    tint = linear(die.body_bgr) / max(float(linear(die.body_bgr).max()), 1e-3)
    kept = 255 * (1 - 0.75 * die.clear * tint**0.6)
    return int(kept[0]), int(kept[1]), int(kept[2])


def shadow_mm(corners: Doubles, lamp_mm: Doubles, origin: Doubles, normal: Doubles) -> Doubles | None:
    """Return where the shadows of *corners*, shape (N, 3), fall on a plane; None when it is not lit past them."""
    lamp_above = normal @ (lamp_mm - origin)
    above = (corners - origin) @ normal
    if lamp_above <= 0 or above.max() < 0.1 or above.max() >= lamp_above:
        return None
    share = lamp_above / (lamp_above - np.maximum(above, 0))
    return np.asarray(lamp_mm + share[:, None] * (corners - lamp_mm))


def fill_hull(mask: Frame, outline_px: Doubles, value: tuple[int, int, int] = (255, 255, 255)) -> None:
    """Draw the convex hull of *outline_px*, shape (N, 2), into *mask*."""
    hull = cv2.convexHull(np.clip(outline_px, -8000, 8000).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), value, cv2.LINE_AA, 4)


def _room_seen(die: RenderedDie, patch: Patch, scene: Scene) -> Floats:
    """Return how much of the room's light *die* leaves to what lies around its foot, shape (h, w).

    Worked out at a quarter of the resolution: it is soft.
    """
    rows, columns = patch.rows_columns
    ground = _ground_mm(die, scene.shape)
    corners = box_of(die).corners_mm
    gap = max(0.0, float(np.sort(corners[:, 2])[:4].mean()) - ground)
    foot = corners.copy()
    foot[:, 2] = ground
    mask = np.zeros((rows // 4 + 2, columns // 4 + 2), np.uint8)
    fill_hull(mask, (scene.camera.project(foot) - patch.rectangle[:2] - 1.5) / 4)
    scale = scene.camera.focal_px / scene.camera.position_mm[2] / 4
    tight, loose = (
        np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma * scale), np.float32) / 255
        for sigma in (0.9 + 0.3 * gap, 3.5 + gap)
    )
    fade = np.float32(np.exp(-gap / 12))
    seen = (1 - 0.55 * fade * tight) * (1 - 0.6 * fade * loose)
    large = cv2.resize(seen, (seen.shape[1] * 4, seen.shape[0] * 4), interpolation=cv2.INTER_LINEAR)
    return np.asarray(large[:rows, :columns], np.float32)
