"""What is known of camera, tray and light: measured once from the empty tray, saved, loaded, checked."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibration import file, plain
from vision.calibration.checks import CalibrationError
from vision.calibration.dice import DieModel
from vision.calibration.geometry import check_geometry, scales_of
from vision.geometry import (
    Viewpoint,
    flat_homography,
    floor_rectangle,
    grid_over,
    homography,
    likeliest,
    through,
    view_size,
    view_to_mm,
    viewpoints,
)
from vision.lens import Lens
from vision.types import Doubles, Floats, Frame, Point, as_uint8

ROWS_AT_ONCE = 32
"""So many rows of the straightened view are placed in the picture together. All of them in one go leave the processor's
cache, in new pages: that takes five times as long, and the first reading waits for it."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """One camera over one tray.

    Attributes
    ----------
    size
        Width and height of the pictures in pixels.
    tray_mm
        Width and depth of the tray floor.
    die_mm
        Side of a die.
    corners_px
        Inside corners of the floor, clockwise from the one at the top left of the picture.
    empty
        The empty tray: uint8, shape (height, width, 3), blue-green-red; the median of the pictures given.
    noise
        Standard deviation of a pixel between pictures of the empty tray, in grey levels; 2 when only one was given.
    lens
        How the lens bends straight lines; None where no bend is known. The homographies below are then those that come
        nearest; `mm_to_px`, `view_map` and `straightened` are exact.
    held
        How exposure, gain, white balance and focus were held, as `LockableCamera.lock` returned it; empty if unknown.
    dice
        The dice of the house as they were learned; empty if they were not.
    """

    size: tuple[int, int]
    tray_mm: tuple[float, float]
    die_mm: float
    corners_px: tuple[Point, Point, Point, Point]
    empty: Frame
    noise: float
    lens: Lens | None = None
    held: Mapping[str, float] = field(default_factory=dict)
    dice: tuple[DieModel, ...] = ()

    @cached_property
    def viewpoint(self) -> Viewpoint:
        """Where the camera is, as well as corners and lens tell."""
        return likeliest(self.viewpoints)

    @cached_property
    def viewpoints(self) -> list[tuple[float, Viewpoint]]:
        """Where the camera may be, and how unlikely that is (`vision.geometry.viewpoints`)."""
        if self.lens is None:
            return viewpoints(np.array(self.corners_px), self.tray_mm, self.size)
        flat = self.lens.undistort(np.array(self.corners_px))
        return viewpoints(flat, self.tray_mm, self.size, self.lens.focal_px, self.lens.centre_px)

    @cached_property
    def tops(self) -> Doubles:
        """Homography, millimetres of the plane of the dice's tops to pixels: float64, shape (3, 3).

        With a `lens`, the one that is nearest to what the lens does all over the tray; `mm_to_px` is exact.
        """
        if self.lens is None:
            rectangle = floor_rectangle(self.tray_mm)
            return homography(rectangle, self.viewpoint.project(rectangle, self.die_mm))
        grid = grid_over(self.tray_mm)
        return flat_homography(grid, self.mm_to_px(grid, self.die_mm))

    def mm_to_px(self, points_mm: Doubles, height_mm: float = 0.0) -> Doubles:
        """Return where points of the tray, *height_mm* above its floor, are in the picture, the lens included.

        Parameters
        ----------
        points_mm : ndarray of float64, shape (N, 2)
        height_mm : float
            `die_mm` for the tops of dice.

        Returns
        -------
        ndarray of float64, shape (N, 2)
            Pixels.
        """
        return self.seen_from(self.viewpoint, points_mm, height_mm)

    def seen_from(self, eye: Viewpoint, points_mm: Doubles, height_mm: float = 0.0) -> Doubles:
        """Return what `mm_to_px` does, if the camera is at *eye*, one of `viewpoints`."""
        flat = eye.project(points_mm, height_mm)
        return flat if self.lens is None else self.lens.distort(flat)

    @cached_property
    def px_per_mm(self) -> float:
        """How fine the picture shows the floor: the coarsest of its four edges."""
        return float(scales_of(self.corners_px, self.tray_mm).min())

    @cached_property
    def view_to_px(self) -> Doubles:
        """Homography, pixels of the straightened view to pixels of the picture: float64, shape (3, 3)."""
        return self.tops @ view_to_mm()

    @property
    def camera_height_mm(self) -> float:
        """How far the camera is above the floor, as well as corners and lens tell."""
        return self.viewpoint.height_mm

    @cached_property
    def view_map(self) -> Floats:
        """Where the pixels of the straightened view are in the picture, lens included: float32, (rows, columns, 2)."""
        columns, rows = view_size(self.tray_mm)
        map_to_px = np.empty((rows, columns, 2), np.float32)
        for first in range(0, rows, ROWS_AT_ONCE):
            some = np.arange(first, min(first + ROWS_AT_ONCE, rows), dtype=np.float64)
            x, y = np.meshgrid(np.arange(columns, dtype=np.float64), some)
            shown = np.array(cv2.perspectiveTransform(np.stack([x, y], axis=2), self._flat_view_to_px), np.float64)
            map_to_px[first : first + len(some)] = shown if self.lens is None else self.lens.distort(shown)
        return map_to_px

    def straightened(self, frame: Frame) -> Frame:
        """Return the straightened view of *frame*, the lens included.

        Parameters
        ----------
        frame : ndarray of uint8, shape (M, N, 3)

        Returns
        -------
        ndarray of uint8, shape (rows, columns, 3)
            `vision.geometry.PX_PER_MM`, all of the tray and some of what is around it.
        """
        x, y = np.moveaxis(self.view_map, 2, 0)
        return as_uint8(cv2.remap(frame, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))

    def view_points_to_px(self, points: Doubles) -> Doubles:
        """Return where *points* of the straightened view, shape (N, 2), are in the picture, the lens included."""
        flat = through(self._flat_view_to_px, points)
        return flat if self.lens is None else self.lens.distort(flat)

    def px_to_view_points(self, points: Doubles) -> Doubles:
        """Return where *points* of the picture, shape (N, 2), are in the straightened view, the lens included."""
        flat: Doubles = points if self.lens is None else self.lens.undistort(points)
        return through(self._flat_px_to_view, flat)

    @cached_property
    def _flat_px_to_view(self) -> Doubles:
        return np.asarray(np.linalg.inv(self._flat_view_to_px), np.float64)

    @cached_property
    def _flat_view_to_px(self) -> Doubles:
        """Homography, pixels of the straightened view to pixels of the picture without distortion."""
        rectangle = floor_rectangle(self.tray_mm)
        return homography(rectangle, self.viewpoint.project(rectangle, self.die_mm)) @ view_to_mm()

    def save(self, path: str | os.PathLike[str], *, keep: Collection[str] = ()) -> None:
        """Write the JSON file *path* and the empty tray beside it as a PNG, in place of those of before in one step.

        A picture among the real paths to *keep* is not removed, though it was that of before.

        Raises
        ------
        CalibrationError
            When the files cannot be written.
        """
        data = {
            "size": list(self.size),
            "tray_mm": list(self.tray_mm),
            "die_mm": self.die_mm,
            "corners_px": [list(corner) for corner in self.corners_px],
            "camera_height_mm": round(self.camera_height_mm, 1),
            "noise": round(self.noise, 3),
            "lens": file.lens_json(self.lens),
            "held": dict(self.held),
            "dice": [die.to_json() for die in self.dice],
            "empty_sha256": _fingerprint(self.empty),
        }
        target = file.followed(path)
        file.write_json(target, data, self.empty, keep)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Calibration:
        """Read what `save` wrote.

        Raises
        ------
        CalibrationError
            When the file is not there, not readable, broken, of another version or kind, or its picture is missing.
        """
        source = file.followed(path)
        data = file.Fields(file.read_json(source))
        try:
            return cls._from_json(source, data)
        except (KeyError, ValueError) as error:
            raise CalibrationError(f"{source}: is damaged ({_wrong(data.asked, error)}); calibrate again") from error

    @classmethod
    def _from_json(cls, source: Path, data: Mapping[str, Any]) -> Calibration:
        width, height = (plain.whole(v) for v in plain.listed(data["size"], 2))
        picture = source.parent / Path(str(data["empty"])).name
        empty = file.decode(picture)
        if empty is None or empty.shape != (height, width, 3):
            raise ValueError(f"the picture of the empty tray, {picture.name}, is missing or of another size")
        if data.get("empty_sha256", None) not in (None, _fingerprint(empty)):
            raise ValueError(f"the picture of the empty tray, {picture.name}, is not the one it was made with")
        a, b, c, d = (plain.pair(corner) for corner in plain.listed(data["corners_px"], 4))
        tray_mm = plain.pair(data["tray_mm"])
        noise = plain.number(data["noise"])
        if not 0 <= noise < 100:
            raise ValueError(f"a noise of {noise:g} grey levels")
        made = cls(
            (width, height),
            tray_mm,
            plain.number(data["die_mm"]),
            (a, b, c, d),
            empty,
            noise,
            file.lens_from(data.get("lens"), (width, height)),
            file.held_from(data.get("held", {})),
            file.dice_from(data.get("dice", [])),
        )
        check_geometry(made.corners_px, made.size, made.tray_mm, made.die_mm)
        return made


def _wrong(name: str, error: Exception) -> str:
    """Return what *error* says of the field *name*, in which it was met; what does not fit together says itself."""
    if isinstance(error, CalibrationError):
        return str(error)
    what = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
    return what if what == f"{name} is missing" else f"{name}: {what}"


def _fingerprint(picture: Frame) -> str:
    return hashlib.sha256(np.ascontiguousarray(picture).tobytes()).hexdigest()
