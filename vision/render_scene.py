"""Put dice into the empty scene: only the parts of the picture that they and their shadows change are drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.render_camera import Doubles, Pinhole
from vision.render_dice import box_of, corners_px, shade, trace
from vision.render_light import Box, Lamp, blocked, develop
from vision.render_pose import RenderedDie, turn
from vision.render_tray import Face, Still, TrayShape, soften
from vision.types import Floats, Frame

_BLUR_MARGIN = 4
_INSTANTS = 6
_NEAR_MM = 60.0

Rectangle = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are no longer part of it."""


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


def patches_of(dice: Sequence[RenderedDie], camera: Pinhole, lamp: Lamp, shape: TrayShape) -> tuple[Patch, ...]:
    """Return the rectangles that *dice* change, none overlapping another."""
    patches: list[Patch] = []
    for die in dice:
        new = Patch(_extent(die, camera, lamp, shape), (die,))
        while (other := next((old for old in patches if _overlap(old.rectangle, new.rectangle)), None)) is not None:
            patches.remove(other)
            new = _merged(other, new)
        patches.append(new)
    return tuple(patch for patch in patches if patch.rectangle[0] < patch.rectangle[2])


def _merged(one: Patch, two: Patch) -> Patch:
    a, b = one.rectangle, two.rectangle
    return Patch((min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])), one.dice + two.dice)


def _overlap(a: Rectangle, b: Rectangle) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _extent(die: RenderedDie, camera: Pinhole, lamp: Lamp, shape: TrayShape) -> Rectangle:
    """Return the rectangle of the picture that *die* and its shadow can change, clipped to the picture."""
    seen = [corners_px(pose, camera) for pose in instants(die)]
    ground = np.array([0.0, 0.0, _ground_mm(die, shape)]), np.array([0.0, 0.0, 1.0])
    for pose in instants(die):
        for place in lamp.points(2):
            shadow = _shadow(box_of(pose).corners_mm, place, *ground)
            if shadow is not None:
                seen.append(camera.project(shadow).astype(np.float32))
    points = np.concatenate(seen)
    margin = 0.5 * die.size_mm * camera.focal_px / camera.position_mm[2] + _BLUR_MARGIN
    low, high = np.floor(points.min(axis=0) - margin), np.ceil(points.max(axis=0) + margin)
    left, top = (int(max(0, edge)) for edge in low)
    right, bottom = (int(min(edge, limit)) for edge, limit in zip(high, camera.size, strict=True))
    return (left, top, right, bottom) if left < right and top < bottom else (0, 0, 0, 0)


def _ground_mm(die: RenderedDie, shape: TrayShape) -> float:
    return 0.0 if shape.holds(die.x_mm, die.y_mm) else -shape.foot


def instants(die: RenderedDie) -> tuple[RenderedDie, ...]:
    """Return where *die* is at moments spread over the exposure; once, when it does not move."""
    if not die.moves:
        return (die,)
    return tuple(_moved(die, (step + 0.5) / _INSTANTS - 0.5) for step in range(_INSTANTS))


def _moved(die: RenderedDie, share: float) -> RenderedDie:
    """Return *die* after *share* of the way and of the turn it makes during the exposure."""
    spin = np.array(die.spin_deg) * share
    angle = float(np.linalg.norm(spin))
    x, y, z = (float(way) * share for way in die.travel_mm)
    rotation = turn(spin / angle, angle) @ die.rotation if angle > 0 else die.rotation
    still = replace(die, travel_mm=(0.0, 0.0, 0.0), spin_deg=(0.0, 0.0, 0.0))
    return still.turned_to(rotation).placed(die.centre_mm + np.array([x, y, z]))


def develop_patch(patch: Patch, still: Still, camera: Pinhole, lamp: Lamp, shape: TrayShape) -> Frame:
    """Return the picture of *patch* without noise, shape (h, w, 3)."""
    light = _shadowed(patch, still, camera, lamp, shape)
    ground = np.asarray(light.reshape(-1, 3).mean(axis=0), np.float32)
    resting = tuple(die for die in patch.dice if not die.moves)
    light = _over(light, *_exposed(resting, patch, camera, lamp, shape, ground))
    for die in patch.dice:
        if die.moves:
            layers = [_exposed((pose,), patch, camera, lamp, shape, ground) for pose in instants(die)]
            colours, covers = zip(*layers, strict=True)
            light = _over(light, sum(colours) / _INSTANTS, sum(covers) / _INSTANTS)
    return develop(soften(light, camera))


def _over(light: Floats, colour: Floats, cover: Floats) -> Floats:
    return np.asarray(light * (1 - cover[..., None]) + colour, np.float32)


def _shadowed(patch: Patch, still: Still, camera: Pinhole, lamp: Lamp, shape: TrayShape) -> Floats:
    """Return the empty scene's light in *patch* less what its dice take away, shape (h, w, 3)."""
    label = still.label[patch.part]
    lit = np.ones(label.shape, np.float32)
    for number in np.unique(label):
        here = label == number
        lit[here] = _lamp_seen(patch, still.faces[number], camera, lamp)[here]
    room = np.ones(label.shape, np.float32)
    for die in patch.dice:
        room *= _room_seen(die, patch.rectangle, camera, shape)
    lamp_light = still.direct[patch.part] * (lit * (0.6 + 0.4 * room))[..., None]
    return np.asarray(lamp_light + still.around[patch.part] * room[..., None], np.float32)


def _lamp_seen(patch: Patch, face: Face, camera: Pinhole, lamp: Lamp) -> Floats:
    """Return which part of the lamp each pixel of *patch* sees past the dice if it shows *face*, shape (h, w)."""
    left, top, right, bottom = patch.rectangle
    dark = np.zeros((bottom - top, right - left), np.uint16)
    poses = [[box_of(pose).corners_mm for pose in instants(die)] for die in patch.dice]
    places = lamp.points(4)
    for number, place in enumerate(places):
        mask = np.zeros(dark.shape, np.uint8)
        for moments in poses:
            shadow = _shadow(moments[number % len(moments)], place, face.origin, face.axes[2])
            if shadow is not None:
                _fill(mask, camera.project(shadow) - (left, top))
        dark += mask
    return np.asarray(1 - dark.astype(np.float32) / (255 * len(places)), np.float32)


def _shadow(corners: Doubles, lamp_mm: Doubles, origin: Doubles, normal: Doubles) -> Doubles | None:
    """Return where the shadows of *corners*, shape (N, 3), fall on a plane; None when it is not lit past them."""
    lamp_above = normal @ (lamp_mm - origin)
    above = (corners - origin) @ normal
    if lamp_above <= 0 or above.max() < 0.1 or above.max() >= lamp_above:
        return None
    share = lamp_above / (lamp_above - np.maximum(above, 0))
    return np.asarray(lamp_mm + share[:, None] * (corners - lamp_mm))


def _fill(mask: Frame, outline_px: Doubles) -> None:
    """Draw the convex hull of *outline_px*, shape (N, 2), into *mask* in white."""
    hull = cv2.convexHull(np.clip(outline_px, -8000, 8000).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)


def _room_seen(die: RenderedDie, rectangle: Rectangle, camera: Pinhole, shape: TrayShape) -> Floats:
    """Return how much of the room's light *die* leaves to what lies around its foot, shape (h, w)."""
    left, top, right, bottom = rectangle
    ground = _ground_mm(die, shape)
    corners = box_of(die).corners_mm
    gap = max(0.0, float(np.sort(corners[:, 2])[:4].mean()) - ground)
    foot = corners.copy()
    foot[:, 2] = ground
    mask = np.zeros((bottom - top, right - left), np.uint8)
    _fill(mask, camera.project(foot) - (left, top))
    scale = camera.focal_px / camera.position_mm[2]
    tight, loose = (
        cv2.GaussianBlur(mask, (0, 0), sigma * scale).astype(np.float32) / 255 for sigma in (0.7 + 0.3 * gap, 3.5 + gap)
    )
    fade = float(np.exp(-gap / 12))
    return np.asarray((1 - 0.55 * fade * tight) * (1 - 0.6 * fade * loose), np.float32)


def _exposed(
    dice: Sequence[RenderedDie], patch: Patch, camera: Pinhole, lamp: Lamp, shape: TrayShape, ground: Floats
) -> tuple[Floats, Floats]:
    """Return *dice* alone, the nearer before the farther, at twice the resolution and then brought down to it.

    Returns
    -------
    colour : ndarray of float32, shape (h, w, 3)
        Linear light, already weighted with the cover.
    cover : ndarray of float32, shape (h, w)
        How much of each pixel the dice fill.
    """
    left, top, right, bottom = patch.rectangle
    width, height = right - left, bottom - top
    colour = np.zeros((2 * height, 2 * width, 3), np.float32)
    depth = np.full((2 * height, 2 * width), np.inf, np.float32)
    for die in dice:
        _draw(die, patch, camera, lamp, shape, ground, colour, depth)
    cover = np.isfinite(depth).astype(np.float32)
    size = (width, height)
    return (
        np.asarray(cv2.resize(colour, size, interpolation=cv2.INTER_AREA), np.float32),
        np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.float32),
    )


def _draw(
    die: RenderedDie,
    patch: Patch,
    camera: Pinhole,
    lamp: Lamp,
    shape: TrayShape,
    ground: Floats,
    colour: Floats,
    depth: Floats,
) -> None:
    """Draw *die* into *colour* and *depth*, which hold *patch* at twice the picture's resolution."""
    left, top, _, _ = patch.rectangle
    corners = (corners_px(die, camera) - (left, top)) * 2
    x0, y0 = (int(max(0, edge)) for edge in np.floor(corners.min(axis=0)))
    x1, y1 = (int(min(edge, end)) for edge, end in zip(corners.max(axis=0) + 2, depth.shape[::-1], strict=True))
    if x0 >= x1 or y0 >= y1:
        return
    columns, rows = np.meshgrid(np.arange(x0, x1), np.arange(y0, y1))
    rays = camera.rays(
        np.asarray(columns.ravel() / 2 - 0.25 + left, np.float32), np.asarray(rows.ravel() / 2 - 0.25 + top, np.float32)
    )
    hits = trace(die, camera.position_mm, rays)
    nearer = hits.way_mm < depth[y0:y1, x0:x1].ravel()[hits.rays]
    if not shape.holds(die.x_mm, die.y_mm):
        nearer &= ~_behind(hits.rays, hits.way_mm, rays, camera, shape.boxes)
    hits = hits.only(nearer)
    light = shade(die, hits, rays, lamp, ground, _blockers(die, patch.dice, shape))
    light *= (camera.axes[2].astype(np.float32) @ rays[:, hits.rays]) ** 4
    places = (rows.ravel()[hits.rays], columns.ravel()[hits.rays])
    colour[places] = light.T
    depth[places] = hits.way_mm


def _behind(
    indices: np.ndarray[tuple[int], np.dtype[np.intp]],
    way_mm: Floats,
    rays: Floats,
    camera: Pinhole,
    boxes: Sequence[Box],
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which hits the camera cannot see because one of *boxes* stands before them."""
    ways = np.asarray(rays[:, indices] * way_mm, np.float32)
    eye = camera.position_mm.astype(np.float32)[:, None]
    return np.asarray(np.any([blocked(eye, ways, box) for box in boxes], axis=0))


def _blockers(die: RenderedDie, dice: Sequence[RenderedDie], shape: TrayShape) -> list[Box]:
    """Return what is near enough to keep the lamp from *die*."""
    middle = die.centre_mm
    others = [box_of(other) for other in dice if other != die and not other.moves]
    near = [box for box in others if np.linalg.norm(box.centre_mm - middle) < _NEAR_MM]
    walls = [box for box in shape.boxes if np.all(np.abs(box.centre_mm - middle)[:2] < box.half_mm[:2] + _NEAR_MM)]
    return near + walls
