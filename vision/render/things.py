"""What is no die and lies in the tray all the same: a coin, a card, a pen, a bottle cap, a chip."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

from vision.render.camera import Doubles
from vision.render.hand import floor_shadows, kept_away
from vision.render.light import develop, linear, room_of, undeveloped
from vision.render.pose import Colour
from vision.render.shadow import Scene, fill_hull, within
from vision.types import Floats, Frame, Point

_RING = np.arange(48) * (math.pi / 24)


@dataclass(frozen=True, slots=True)
class Thing:
    """A flat thing: an outline that stands `high_mm` up from the floor, with a mark on top.

    Attributes
    ----------
    middle_mm
        Where it lies.
    half_mm
        Half its length and width.
    is_round
        An ellipse, else a rectangle.
    high_mm
        Height.
    yaw_deg
        Turn.
    bgr, mark_bgr
        Colours of the thing and of the mark in its middle.
    """

    middle_mm: Point
    half_mm: tuple[float, float]
    is_round: bool
    high_mm: float
    yaw_deg: float
    bgr: Colour
    mark_bgr: Colour

    def outline_mm(self, share: float, high_mm: float) -> Doubles:
        """Return its outline shrunk to *share* at *high_mm*, shape (N, 3)."""
        shape = np.stack([np.cos(_RING), np.sin(_RING)], axis=1)
        if not self.is_round:
            shape = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
        turn = math.radians(self.yaw_deg)
        across = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        flat = (shape * self.half_mm * share) @ across.T + self.middle_mm
        return np.column_stack([flat, np.full(len(flat), high_mm)])


def thing_by_chance(rng: random.Random, middle_mm: Point) -> Thing:
    """Return a coin, a chip, a card, a pen or a bottle cap at *middle_mm*.

    Examples
    --------
    >>> import random
    >>> thing_by_chance(random.Random(2), (100, 90)).middle_mm
    (100, 90)
    """
    coin = rng.uniform(9, 13.5)
    half, is_round, high, bgr = rng.choice(
        (
            ((coin, coin), True, 2.0, rng.choice(((150, 156, 160), (60, 120, 180), (70, 150, 190)))),
            ((19.5, 19.5), True, 3.3, rng.choice(((40, 40, 190), (150, 60, 30), (230, 232, 232), (40, 40, 40)))),
            ((44.0, 31.5), False, 0.4, (228, 234, 236)),
            ((70.0, 4.5), False, 9.0, rng.choice(((150, 40, 30), (30, 30, 30), (40, 190, 230)))),
            ((14.0, 14.0), True, 6.0, rng.choice(((40, 120, 40), (30, 30, 200), (170, 170, 165)))),
        )
    )
    mark = rng.choice(((30, 30, 30), (40, 40, 190), (220, 224, 226)))
    return Thing(middle_mm, half, is_round, high, rng.uniform(0, 360), bgr, mark)


def put_thing(frame: Frame, thing: Thing, scene: Scene) -> None:
    """Draw *thing* and its shadow into *frame*, shape (M, N, 3)."""
    foot, top = thing.outline_mm(1.0, 0.0), thing.outline_mm(1.0, thing.high_mm)
    mark = thing.outline_mm(0.55, thing.high_mm)
    _put(frame, np.concatenate([foot, top]), ((top, thing.bgr, 0.9), (mark, thing.mark_bgr, 0.9)), scene)


def _put(frame: Frame, body: Doubles, layers: tuple[tuple[Doubles, Colour, float], ...], scene: Scene) -> None:
    """Draw the hull of *body*, half in the dark, and on it *layers*: outline, colour, share of the light."""
    camera = scene.camera
    shadows = floor_shadows(body, scene)
    rectangle = within(camera.project(np.concatenate([body, *shadows])), (0, 0, *camera.size), camera.size[0] / 60)
    left, top, right, bottom = rectangle
    if left >= right:
        return
    part = np.s_[top:bottom, left:right]
    light = undeveloped(frame[part]) * (1 - 0.75 * kept_away([shadows], rectangle, scene))[..., None]
    total: Floats = np.asarray(np.sum([lamp.bgr for lamp in scene.lights], axis=0) + room_of(scene.lights), np.float32)
    for outline, bgr, share in ((body, layers[0][1], 0.55), *layers):
        mask = np.zeros(light.shape[:2], np.uint8)
        fill_hull(mask, camera.project(outline) - (left, top))
        cover = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32)[..., None] / 255
        light = light * (1 - cover) + cover * (linear(bgr) * total * np.float32(share))
    frame[part] = develop(np.asarray(light, np.float32))
