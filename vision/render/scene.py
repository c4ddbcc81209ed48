"""Put dice into the empty scene: only the parts of the picture that they and their shadows change are drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.render.bounce import bounced
from vision.render.camera import Pinhole
from vision.render.dice import shade
from vision.render.light import Box, blocked, develop
from vision.render.pose import RenderedDie
from vision.render.shadow import Patch, Rectangle, Scene, instants, shadowed, within
from vision.render.skin import Hits, box_of, corners_px, trace
from vision.render.tray import TrayShape, soften
from vision.types import Floats, Frame

_NEAR_MM = 60.0
_SATURATED = np.float32(1.2)


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """What dice are drawn on before they are laid over the scene.

    Attributes
    ----------
    rectangle
        Where in the picture.
    fine
        How many pixels of the sheet make a pixel of the picture, each way.
    colour, depth
        Linear light, and how far away it is: shapes (M, N, 3) and (M, N); infinity where no die is.
    """

    rectangle: Rectangle
    fine: int
    colour: Floats
    depth: Floats

    @classmethod
    def blank(cls, rectangle: Rectangle, fine: int) -> _Sheet:
        """Return a sheet without dice."""
        left, top, right, bottom = rectangle
        rows, columns = (bottom - top) * fine, (right - left) * fine
        return cls(
            rectangle,
            fine,
            np.zeros((rows, columns, 3), np.float32),
            np.full((rows, columns), np.inf, np.float32),
        )

    def brought_down(self) -> tuple[Floats, Floats]:
        """Return colour weighted with cover, (h, w, 3), and cover, (h, w), at the picture's resolution."""
        cover = np.isfinite(self.depth).astype(np.float32)
        size = (self.depth.shape[1] // self.fine, self.depth.shape[0] // self.fine)
        small = [cv2.resize(array, size, interpolation=cv2.INTER_AREA) for array in (self.colour, cover)]
        return np.asarray(small[0], np.float32), np.asarray(small[1], np.float32)


_Exposure: TypeAlias = tuple[Sequence[RenderedDie], Sequence[Sequence[RenderedDie]], int]
"""Poses, which of them are seen at each moment, and how finely they are drawn."""


def develop_patch(patch: Patch, scene: Scene) -> Frame:
    """Return the picture of *patch* without noise, shape (h, w, 3)."""
    light = shadowed(patch, scene)
    light += bounced(patch, scene, [_blockers(die, patch.dice, scene.shape) for die in patch.dice])
    ground = np.asarray(light.reshape(-1, 3).mean(axis=0), np.float32)
    resting = tuple(die for die in patch.dice if not die.moves)
    exposures: list[_Exposure] = [(resting, (resting,), 2)] if resting else []
    for die in patch.dice:
        if die.moves:
            moments = instants(die, scene.most_instants)
            exposures.append((moments, tuple((pose,) for pose in moments), 1))
    for poses, exposed, fine in exposures:
        left, top, right, bottom = rectangle = _filled_by(poses, patch, scene)
        # A die that flies may be outside the picture, and only its shadow in it.
        if left < right and top < bottom:
            colour, cover = _exposed(rectangle, exposed, fine, patch, scene, ground)
            _lay_over(light, patch, rectangle, colour, cover)
    return develop(soften(light, scene.camera))


def _filled_by(poses: Sequence[RenderedDie], patch: Patch, scene: Scene) -> Rectangle:
    """Return the rectangle of *patch* that all *poses* fill; empty where they are beside it."""
    outline = np.concatenate([corners_px(pose, scene.camera) for pose in poses])
    return within(outline, patch.rectangle, 1)


def _lay_over(light: Floats, patch: Patch, rectangle: Rectangle, colour: Floats, cover: Floats) -> None:
    """Write dice over *light*, which shows *patch*."""
    left, top, right, bottom = rectangle
    x, y = patch.rectangle[:2]
    part = np.s_[top - y : bottom - y, left - x : right - x]
    light[part] *= 1 - cover[..., None]
    light[part] += colour


def _exposed(
    rectangle: Rectangle,
    moments: Sequence[Sequence[RenderedDie]],
    fine: int,
    patch: Patch,
    scene: Scene,
    ground: Floats,
) -> tuple[Floats, Floats]:
    """Return dice without what is behind them: the mean of *moments*, in *rectangle* of the picture.

    Returns
    -------
    colour : ndarray of float32, shape (h, w, 3)
        Linear light, already weighted with the cover.
    cover : ndarray of float32, shape (h, w)
        How much of each pixel the dice fill.
    """
    colours, covers = [], []
    for dice in moments:
        sheet = _Sheet.blank(rectangle, fine)
        for die in dice:
            _draw(die, sheet, scene, ground, _blockers(die, patch.dice, scene.shape))
        colour, cover = sheet.brought_down()
        colours.append(colour)
        covers.append(cover)
    share = np.float32(1 / len(moments))
    return np.asarray(sum(colours) * share, np.float32), np.asarray(sum(covers) * share, np.float32)


def _draw(die: RenderedDie, sheet: _Sheet, scene: Scene, ground: Floats, blockers: Sequence[Box]) -> None:
    """Draw *die* on *sheet* wherever nothing drawn before is nearer."""
    camera, fine = scene.camera, sheet.fine
    corners = (corners_px(die, camera) - sheet.rectangle[:2]) * fine
    x0, y0, x1, y1 = within(corners, (0, 0, sheet.depth.shape[1], sheet.depth.shape[0]), 1)
    columns, rows = (grid.ravel() for grid in np.meshgrid(np.arange(x0, x1), np.arange(y0, y1)))
    first = np.array(sheet.rectangle[:2], np.float32) + np.float32(0.5 / fine - 0.5)
    rays = camera.rays(
        *(np.asarray(grid / fine + low, np.float32) for grid, low in zip((columns, rows), first, strict=True))
    )
    hits = trace(die, camera.position_mm, rays)
    seen = hits.way_mm < sheet.depth[rows[hits.rays], columns[hits.rays]]
    walls = _near_walls(die, scene.shape)
    if walls and seen.any():
        seen &= ~_behind(hits, rays, camera, walls)
    hits = hits.only(seen)
    if hits.rays.size:
        light = shade(die, hits, rays, scene.lights, ground, blockers)
        light = np.minimum(light, _SATURATED) * (camera.axes[2].astype(np.float32) @ rays[:, hits.rays]) ** 4
        places = (rows[hits.rays], columns[hits.rays])
        sheet.colour[places] = light.T
        sheet.depth[places] = hits.way_mm


def _behind(hits: Hits, rays: Floats, camera: Pinhole, boxes: Sequence[Box]) -> npt.NDArray[np.bool_]:
    """Return which *hits* the camera cannot see because one of *boxes* stands before them."""
    ways = np.asarray(rays[:, hits.rays] * hits.way_mm, np.float32)
    eye = camera.position_mm.astype(np.float32)[:, None]
    return np.asarray(np.any([blocked(eye, ways, box) for box in boxes], axis=0))


def _blockers(die: RenderedDie, dice: Sequence[RenderedDie], shape: TrayShape) -> list[Box]:
    """Return what is near enough to keep the lamp from *die*."""
    middle = die.centre_mm
    others = [box_of(other) for other in dice if other != die and not other.moves]
    near = [box for box in others if np.linalg.norm(box.centre_mm - middle) < _NEAR_MM]
    return near + _near_walls(die, shape)


def _near_walls(die: RenderedDie, shape: TrayShape) -> list[Box]:
    away = die.centre_mm[:2]
    return [box for box in shape.boxes if np.all(np.abs(box.centre_mm[:2] - away) < box.half_mm[:2] + _NEAR_MM)]
