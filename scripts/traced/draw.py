"""Path tracing: the empty tray once, and then only what lies round the dice of each throw."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import bpy
import cv2
import numpy as np
from lens import HEIGHT, OVERSCAN, WIDTH, Lens
from mathutils import Matrix
from rests import Floats, Rest
from room import dim

SAMPLES = 28
"""Paths a pixel, where no other number is asked for."""

SMALL, FEW = 12, 16
"""Per cent of the size, and paths a pixel, of the picture by which the lamps are set."""

FEWER = 10
"""Paths a pixel of a picture that is drawn whole: what is seen of dice does not suffer, and it takes half a minute."""

LIT = 0.22
"""Light that the brighter parts of the empty picture are set to: what lamps mirror may be five times that."""

AROUND_CM = 3.6
SEAM_PX = 14
"""How far from its middle what a die changes is drawn; over how many pixels that runs into the empty tray."""

Patch = tuple[int, int, int, int]


def empty_scene() -> None:
    """Forget everything, and make ready to draw."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.cycles.use_denoising = True
    scene.cycles.max_bounces, scene.cycles.transmission_bounces = 10, 8
    scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
    scene.render.threads_mode, scene.render.threads = "FIXED", int(os.environ.get("THREADS", "2"))
    scene.render.use_persistent_data = scene.render.use_crop_to_border = True
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, 1.0
    scene.render.motion_blur_position = "START"
    bpy.context.preferences.edit.keyframe_new_interpolation_type = "LINEAR"
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_depth, scene.render.image_settings.color_mode = "16", "RGB"


class Tracer:
    """Draws what *lens* sees, without its bend and `OVERSCAN` as wide, by so many *paths* a pixel.

    *work* is a file it writes on the way. What is drawn *shrunk* to one part of so many is enlarged again.
    """

    def __init__(self, lens: Lens, work: Path, paths: int, shrunk: int = 1) -> None:
        self.lens, self._work, self._paths, self._shrunk = lens, work, paths, shrunk
        camera = bpy.data.cameras.new("camera")
        camera.sensor_width, camera.lens = 36, lens.focal_px / OVERSCAN / WIDTH * 36
        held = bpy.data.objects.new("camera", camera)
        bpy.context.scene.collection.objects.link(held)
        bpy.context.scene.camera = held
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = lens.axes.T, lens.at_cm
        held.matrix_world = Matrix(pose.tolist())
        self._set_lamps()
        self.empty = self._traced(None)

    def throw(self, dice: Sequence[Rest], *, whole: bool = False, around_cm: float | None = None) -> Floats:
        """Return linear light, (HEIGHT, WIDTH, 3): the empty tray with what is new round *dice*, or *whole* anew.

        Where *around_cm* is given only so much round each die is drawn, and shadows end there.
        """
        if whole:
            bpy.context.scene.cycles.samples = FEWER
            seen = self._traced(None)
            bpy.context.scene.cycles.samples = self._paths
            return seen
        drawn = self.empty.copy()
        for patch in self._patches(dice) if around_cm is None else self._squares(dice, around_cm):
            new = self._traced(patch)
            left, top = patch[:2]
            old = drawn[top : top + new.shape[0], left : left + new.shape[1]]
            share = np.zeros(new.shape[:2], np.float32)
            share[SEAM_PX:-SEAM_PX, SEAM_PX:-SEAM_PX] = 1
            share = cv2.blur(share, (2 * SEAM_PX - 3, 2 * SEAM_PX - 3))[..., None]
            old[:] = old * (1 - share) + new * share
        return drawn

    def _set_lamps(self) -> None:
        scene = bpy.context.scene
        scene.render.resolution_percentage, scene.cycles.samples = SMALL, FEW
        dim(LIT / max(float(np.percentile(self._traced(None), 90)), 1e-4))
        scene.render.resolution_percentage, scene.cycles.samples = 100 // self._shrunk, self._paths

    def _patches(self, dice: Sequence[Rest]) -> list[Patch]:
        """Return left, top, right, bottom of what is drawn anew: none of them overlap."""
        apart: list[Patch] = []
        for new in self._squares(dice, AROUND_CM):
            while met := [p for p in apart if p[0] < new[2] and new[0] < p[2] and p[1] < new[3] and new[1] < p[3]]:
                apart = [p for p in apart if p not in met]
                lefts, tops, rights, bottoms = zip(new, *met, strict=True)
                new = (min(lefts), min(tops), max(rights), max(bottoms))
            apart.append(new)
        return apart

    def _squares(self, dice: Sequence[Rest], around_cm: float) -> list[Patch]:
        """Return left, top, right, bottom of what lies so far around each place where one of *dice* is."""
        at = self.lens.straight_px([at.at_cm for die in dice for at in (die, *die.way)]) / OVERSCAN
        reach = around_cm * self.lens.focal_px / OVERSCAN / self.lens.at_cm[2]
        near = np.concatenate([at - reach, at + reach], axis=1) + 2 * (WIDTH / 2, HEIGHT / 2)
        # Whole pixels of what is drawn shrunk.
        whole = near.astype(int) // self._shrunk * self._shrunk
        squares = whole.clip(0, 2 * (WIDTH, HEIGHT)).tolist()
        return [(left, top, right, bottom) for left, top, right, bottom in squares]

    def _traced(self, patch: Patch | None) -> Floats:
        render = bpy.context.scene.render
        render.filepath, render.use_border = str(self._work), patch is not None
        if patch is not None:
            left, top, right, bottom = patch
            # A hundredth of a pixel, for Blender rounds down.
            render.border_min_x, render.border_max_x = (left + 0.01) / WIDTH, (right + 0.01) / WIDTH
            render.border_min_y, render.border_max_y = 1 - (bottom - 0.01) / HEIGHT, 1 - (top - 0.01) / HEIGHT
        bpy.ops.render.render(write_still=True)
        stored = cv2.imread(str(self._work), cv2.IMREAD_UNCHANGED)
        drawn = stored[..., :3].astype(np.float32) / 65535
        left, top, right, bottom = patch or (0, 0, WIDTH, HEIGHT)
        return np.asarray(cv2.resize(drawn, (right - left, bottom - top)), np.float32)
