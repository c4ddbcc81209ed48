"""A hand that reaches in over an edge, between the camera and the dice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.render.camera import Doubles, unit
from vision.render.light import develop, linear, room_of, undeveloped
from vision.render.shadow import Rectangle, Scene, fill_hull, shadow_mm, within
from vision.types import Floats, Frame

_SKIN_BGR = (118, 148, 204)
_SLEEVE_BGR = (84, 62, 48)


@dataclass(frozen=True, slots=True)
class _Limb:
    """A length of finger or arm: a rod with round ends, from the first to the second, radii and points in mm."""

    ends: tuple[Doubles, Doubles]
    radii: tuple[float, float]
    bgr: tuple[int, int, int]

    def outline_mm(self) -> Doubles:
        """Return points of its rim, shape (24, 3)."""
        angles = np.arange(12) * (np.pi / 6)
        circle = np.stack([np.cos(angles), np.sin(angles), np.zeros(12)], axis=1)
        return np.concatenate([end + radius * circle for end, radius in zip(self.ends, self.radii, strict=True)])


def _limbs(tips_mm: tuple[float, float], scene: Scene, from_deg: float | None, over_mm: float) -> tuple[_Limb, ...]:
    """Return a half-closed right hand with its finger tips at *tips_mm*, and the arm."""
    tips = np.array([*tips_mm, over_mm])
    middle = scene.shape.floor[0] / 2
    back = unit(np.array([0.35 * (tips_mm[0] - middle) / middle + 0.15, 1.0, 0.0]))
    if from_deg is not None:
        back = np.array([math.cos(math.radians(from_deg)), math.sin(math.radians(from_deg)), 0.0])
    right = np.array([back[1], -back[0], 0.0])

    def place(along: float, across: float, high: float) -> Doubles:
        """Return the point *along* the arm, *across* it and *high* above the floor."""
        return np.asarray(tips + along * back + across * right + np.array([0.0, 0.0, high]))

    limbs = []
    for across, reach in ((-27.0, 10.0), (-10.0, 1.0), (8.0, 0.0), (25.0, 6.0)):
        joints = (place(reach, 0.55 * across, 13), place(22 + reach, 0.9 * across, 52), place(62, across, 58))
        limbs += [_Limb(pair, (7.5, 9.0), _SKIN_BGR) for pair in pairwise(joints)]
    thumb = (place(14, -36, 14), place(48, -50, 36), place(98, -24, 48))
    limbs += [_Limb(pair, (9.0, 11.5), _SKIN_BGR) for pair in pairwise(thumb)]
    limbs += [
        _Limb((place(62, across, 52), place(122, across * 0.5, 55)), (14, 22), _SKIN_BGR) for across in (-22, 0, 20)
    ]
    limbs.append(_Limb((place(118, 0, 55), place(185, 4, 62)), (25, 27), _SKIN_BGR))
    limbs.append(_Limb((place(178, 4, 62), place(420, 14, 84)), (33, 42), _SLEEVE_BGR))
    return tuple(limbs)


def reach_in(
    frame: Frame, tips_mm: tuple[float, float], scene: Scene, *, from_deg: float | None = None, over_mm: float = 0.0
) -> None:
    """Draw a hand with its finger tips above *tips_mm* into *frame*, shape (M, N, 3), and its shadow.

    Parameters
    ----------
    frame, tips_mm, scene
        Where it is drawn.
    from_deg
        The side it comes from, 0 right, 90 front; about the front when left out.
    over_mm
        How high it is over where it picks up dice.

    Notes
    -----
    The hand is a height map at half the resolution, lit by its slope: it moves, and no camera shows it sharp.
    """
    limbs = _limbs(tips_mm, scene, from_deg, over_mm)
    camera = scene.camera
    outlines = [limb.outline_mm() for limb in limbs]
    shadows = [floor_shadows(outline, scene) for outline in outlines]
    seen = camera.project(np.concatenate(outlines + [shadow for group in shadows for shadow in group]))
    rectangle = within(seen, (0, 0, *camera.size), camera.size[0] / 60)
    left, top, right, bottom = rectangle
    if left >= right:
        return
    part = np.s_[top:bottom, left:right]
    light = undeveloped(frame[part]) * (1 - 0.75 * kept_away(shadows, rectangle, scene))[..., None]
    height, colour = _height_map(limbs, rectangle, scene)
    cover = np.asarray(height > -np.inf, np.float32)
    lit = colour * _slope_light(np.where(height > -np.inf, height, 0), scene)
    soft = [cv2.GaussianBlur(array, (0, 0), camera.size[0] / 900) for array in (lit * cover[..., None], cover)]
    large = [cv2.resize(array, (right - left, bottom - top), interpolation=cv2.INTER_LINEAR) for array in soft]
    frame[part] = develop(np.asarray(light * (1 - large[1][..., None]) + large[0], np.float32))


def floor_shadows(outline_mm: Doubles, scene: Scene) -> list[Doubles]:
    """Return the shadows on the floor of the hull of *outline_mm*, (N, 3), from places of the first lamp."""
    up = np.array([0.0, 0.0, 1.0])
    shadows = (shadow_mm(outline_mm, place, np.zeros(3), up) for place in scene.lights[0].points(3))
    return [shadow for shadow in shadows if shadow is not None]


def kept_away(shadows: list[list[Doubles]], rectangle: Rectangle, scene: Scene) -> Floats:
    """Return how much of the lamp the *shadows* of the parts of one thing keep away, shape (h, w)."""
    left, top, right, bottom = rectangle
    total = np.zeros((bottom - top, right - left), np.float32)
    places = max(len(group) for group in shadows)
    for number in range(places):
        mask = np.zeros(total.shape, np.uint8)
        # What is higher than a lamp has no shadow from it.
        for group in (group for group in shadows if number < len(group)):
            fill_hull(mask, scene.camera.project(group[number]) - (left, top))
        total += mask
    return np.asarray(cv2.blur(total, (9, 9)) / (255 * max(places, 1)), np.float32)


def _height_map(limbs: tuple[_Limb, ...], rectangle: Rectangle, scene: Scene) -> tuple[Floats, Floats]:
    """Return heights in mm, minus infinity where there is no hand, (h, w), and colours, (h, w, 3): half resolution."""
    left, top, right, bottom = rectangle
    shape = ((bottom - top + 1) // 2, (right - left + 1) // 2)
    height = np.full(shape, -np.inf, np.float32)
    colour = np.zeros((*shape, 3), np.float32)
    for limb in limbs:
        one, two = ((scene.camera.project(end) - (left, top)) / 2 for end in limb.ends)
        high = [float(end[2]) for end in limb.ends]
        scale = [scene.camera.focal_px / (scene.camera.position_mm[2] - z) / 2 for z in high]
        box = within(np.stack([one, two]), (0, 0, shape[1], shape[0]), max(scale) * max(limb.radii) + 1)
        part = np.s_[box[1] : box[3], box[0] : box[2]]
        columns, rows = np.meshgrid(
            np.arange(box[0], box[2], dtype=np.float32) - np.float32(one[0]),
            np.arange(box[1], box[3], dtype=np.float32) - np.float32(one[1]),
        )
        way = (two - one).astype(np.float32)
        share = np.clip((columns * way[0] + rows * way[1]) / max(float(way @ way), 1e-6), 0, 1)
        off = (columns - share * way[0]) ** 2 + (rows - share * way[1]) ** 2
        radius = limb.radii[0] + share * np.float32(limb.radii[1] - limb.radii[0])
        bulge = radius**2 - off / (scale[0] + share * np.float32(scale[1] - scale[0])) ** 2
        top_mm = high[0] + share * (high[1] - high[0]) + np.sqrt(np.maximum(bulge, 0))
        higher = (bulge > 0) & (top_mm > height[part])
        height[part][higher] = top_mm[higher]
        colour[part][higher] = linear(limb.bgr)
    return height, colour


def _slope_light(height: Floats, scene: Scene) -> Floats:
    """Return the light that falls on the map *height*, in mm at half resolution: shape (h, w, 3)."""
    scale = scene.camera.focal_px / (scene.camera.position_mm[2] - 50) / 2
    smooth = cv2.GaussianBlur(np.asarray(height, np.float32), (0, 0), 1.2 * scale)
    slope = [cv2.Sobel(smooth, cv2.CV_32F, dx, 1 - dx, ksize=3) / 8 * scale for dx in (1, 0)]
    to_lamp = unit(np.array(scene.lights[0].position_mm) - np.array([150.0, 150.0, 50.0]))
    length = np.sqrt(1 + slope[0] ** 2 + slope[1] ** 2)
    facing = np.maximum(to_lamp[2] - to_lamp[0] * slope[0] - to_lamp[1] * slope[1], 0) / length
    lamp, room = np.sum([lamp.bgr for lamp in scene.lights], axis=0, dtype=np.float32), room_of(scene.lights)
    return np.asarray(facing[..., None] * lamp + (0.35 + 0.65 / length)[..., None] * room, np.float32)
