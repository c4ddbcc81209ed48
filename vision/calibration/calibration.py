"""What is known of camera, tray and light: measured once from the empty tray, saved, loaded, checked."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibration import file
from vision.calibration.checks import (
    CalibrationError,
    Finding,
    before_search,
    floor_mask,
    of_light,
    of_margin,
    of_series,
    of_sharpness,
    of_things,
)
from vision.calibration.dice import DieModel
from vision.calibration.geometry import check_geometry, check_sizes, four, scales_of
from vision.find_tray import find_floor
from vision.geometry import (
    Viewpoint,
    flat_homography,
    floor_rectangle,
    grid_over,
    homography,
    straighten,
    through,
    view_size,
    view_to_mm,
    viewpoint,
)
from vision.lens import Lens, lens_from_edges
from vision.types import Doubles, Floats, Frame, Point, as_uint8

__all__ = ["Calibration", "CalibrationError", "Finding", "calibrate", "check_geometry", "findings"]

MIN_NOISE = 0.5
ONE_PICTURE_NOISE = 2.0
"""Standard deviation of a pixel where only one picture was given: more than most cameras have."""

ROWS_AT_ONCE = 32
"""So many rows of the straightened view are placed in the picture together. All of them in one go leave the processor's
cache, in new pages: that takes five times as long, and the first reading waits for it."""


@dataclass(frozen=True)
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
        if self.lens is None:
            return viewpoint(np.array(self.corners_px), self.tray_mm, self.size)
        flat = self.lens.undistort(np.array(self.corners_px))
        return viewpoint(flat, self.tray_mm, self.size, self.lens.focal_px, self.lens.centre_px)

    @cached_property
    def floor(self) -> Doubles:
        """Homography, millimetres of the floor to pixels: float64, shape (3, 3)."""
        corners = np.array(self.corners_px)
        if self.lens is None:
            return homography(floor_rectangle(self.tray_mm), corners)
        flat = homography(floor_rectangle(self.tray_mm), self.lens.undistort(corners))
        grid = grid_over(self.tray_mm)
        return flat_homography(grid, self.lens.distort(through(flat, grid)))

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
        flat = self.viewpoint.project(points_mm, height_mm)
        return flat if self.lens is None else self.lens.distort(flat)

    @cached_property
    def px_per_mm(self) -> float:
        """How fine the picture shows the floor: the coarsest of its four edges."""
        return float(scales_of(self.corners_px, self.tray_mm).min())

    @cached_property
    def view_to_px(self) -> Doubles:
        """Homography, pixels of the straightened view to pixels of the picture: float64, shape (3, 3)."""
        return self.tops @ view_to_mm()

    @cached_property
    def empty_view(self) -> Frame:
        """The empty tray as the straightened view shows it: uint8, shape (rows, columns, 3)."""
        return straighten(self.empty, self.view_to_px, self.tray_mm)

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

    def straightened(self, frame: Frame, shift_px: Point = (0.0, 0.0)) -> Frame:
        """Return the straightened view of *frame*, the lens included: as `empty_view` where there is no `lens`.

        Parameters
        ----------
        frame : ndarray of uint8, shape (M, N, 3)
        shift_px : (float, float)
            By how much the picture is shifted against the calibration.
        """
        x, y = np.moveaxis(self.view_map + np.array(shift_px, np.float32), 2, 0)
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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON file *path* and the empty tray beside it as a PNG, in place of those of before in one step.

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
        target = Path(path)
        file.write_json(target, data, self.empty)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Calibration:
        """Read what `save` wrote.

        Raises
        ------
        CalibrationError
            When the file is not there, not readable, broken, of another version or kind, or its picture is missing.
        """
        source = Path(path)
        data = file.read_json(source)
        try:
            return cls._from_json(source, data)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            what = f"{error.args[0]} is missing" if isinstance(error, KeyError) else error
            raise CalibrationError(f"{source}: is damaged ({what}); calibrate again") from error

    @classmethod
    def _from_json(cls, source: Path, data: Mapping[str, Any]) -> Calibration:
        width, height = (int(v) for v in data["size"])
        picture = source.parent / Path(str(data["empty"])).name
        empty = file.decode(picture)
        if empty is None or empty.shape != (height, width, 3):
            raise ValueError(f"the picture of the empty tray, {picture.name}, is missing or of another size")
        if data.get("empty_sha256", None) not in (None, _fingerprint(empty)):
            raise ValueError(f"the picture of the empty tray, {picture.name}, is not the one it was made with")
        corners = tuple((float(x), float(y)) for x, y in data["corners_px"])
        if len(corners) != 4:
            raise ValueError("the tray has not four corners")
        tray_width, tray_depth = (float(v) for v in data["tray_mm"])
        noise = float(data["noise"])
        if not 0 <= noise < 100:
            raise ValueError(f"a noise of {noise:g} grey levels")
        made = cls(
            (width, height),
            (tray_width, tray_depth),
            float(data["die_mm"]),
            corners,
            empty,
            noise,
            file.lens_from(data.get("lens"), (width, height)),
            file.held_from(data.get("held", {})),
            file.dice_from(data.get("dice", [])),
        )
        check_geometry(made.corners_px, made.size, made.tray_mm, made.die_mm)
        return made


def calibrate(
    empty_frames: Sequence[Frame],
    *,
    tray_mm: tuple[float, float],
    die_mm: float = 16.0,
    corners: Sequence[Point] | None = None,
    lens: Lens | None = None,
) -> Calibration:
    """Measure camera, tray and light from pictures of the empty tray.

    Parameters
    ----------
    empty_frames : sequence of ndarray of uint8, shape (M, N, 3)
        One or more pictures, all of one size, nothing in the tray.
    tray_mm : (float, float)
        Width and depth of the floor as the picture shows them: the first along the top edge.
    die_mm : float
        Side of a die.
    corners : four points, optional
        Inside corners of the floor in pixels, clockwise from the top left; found when left out.
    lens : Lens, optional
        As measured with the printed target; what the straight edges of the tray tell when left out.

    Raises
    ------
    CalibrationError
        When the pictures, the sizes or the corners cannot be right; says what was seen and what to do.
    """
    size = _one_size(empty_frames)
    _refuse(before_search(empty_frames))
    empty = middle_of(empty_frames)
    if corners is None:
        check_sizes(tray_mm, die_mm)
        corners = find_floor(empty, tray_mm)
        if corners is None:
            raise CalibrationError(
                "the tray floor was not found: its four edges do not stand out; give its corners with --corners"
            )
    quad = four(corners)
    check_geometry(quad, size, tray_mm, die_mm)
    made = Calibration(
        size, tray_mm, die_mm, quad, empty, _noise(empty_frames, quad), lens or lens_from_edges(empty, quad)
    )
    _refuse(findings(made, empty_frames))
    return made


def findings(made: Calibration, frames: Sequence[Frame]) -> list[Finding]:
    """Return what is not as it should be in *frames*, all of the empty tray of *made*: the fatal ones first."""
    die_px = made.die_mm * made.px_per_mm
    found = [
        *of_light(made.empty, made.corners_px, die_px),
        *of_sharpness(made.empty, made.corners_px, made.px_per_mm),
        *of_margin(made.size, made.corners_px),
        *of_series(frames, made.corners_px, die_px),
        *of_things(made.empty, made.corners_px, made.tray_mm, made.die_mm),
        *_of_view(made),
    ]
    return sorted(found, key=lambda finding: not finding.fatal)


def _of_view(made: Calibration) -> list[Finding]:
    """Return a finding if dice that lie at the rim would not be wholly in the picture."""
    corners = made.mm_to_px(floor_rectangle(made.tray_mm), made.die_mm)
    width, height = made.size
    cut = [(float(x), float(y)) for x, y in corners if not (0 <= x <= width - 1 and 0 <= y <= height - 1)]
    if not cut:
        return []
    x, y = (min(max(value, 0.0), side - 1.0) for value, side in zip(cut[0], made.size, strict=True))
    return [
        Finding(f"dice near the corner at {x:.0f},{y:.0f} will not be wholly in the picture; move the camera", (x, y))
    ]


def _refuse(found: Iterable[Finding]) -> None:
    for finding in found:
        if finding.fatal:
            raise CalibrationError(finding.words)


def _one_size(frames: Sequence[Frame]) -> tuple[int, int]:
    """Return width and height of *frames*."""
    if not frames:
        raise CalibrationError("no picture of the empty tray was given; give at least one with --from")
    sizes = {frame.shape[:2] for frame in frames}
    if len(sizes) > 1:
        listed = " and ".join(f"{w}x{h}" for h, w in sorted(sizes))
        raise CalibrationError(
            f"the pictures of the empty tray are of different sizes ({listed}); take all with one camera"
        )
    height, width = sizes.pop()
    return width, height


def middle_of(frames: Sequence[Frame]) -> Frame:
    """Return the median of each pixel of *frames*, rounded down: `np.median` takes ten times as long."""
    rising = list(frames)
    for turn in range(len(rising)):
        for k in range(turn % 2, len(rising) - 1, 2):
            one, other = rising[k : k + 2]
            rising[k : k + 2] = as_uint8(cv2.min(one, other)), as_uint8(cv2.max(one, other))
    low, high = rising[(len(rising) - 1) // 2], rising[len(rising) // 2]
    return low if low is high else low + (high - low) // 2


def _noise(frames: Sequence[Frame], corners: Sequence[Point]) -> float:
    """Return the standard deviation of a pixel of the floor, in grey levels.

    From the differences of pictures that follow each other: what drifts slowly is no noise. The largest two in a
    hundred are left out.
    """
    if len(frames) < 2:
        return ONE_PICTURE_NOISE
    inside = floor_mask(frames[0], corners)[::2, ::2] > 0
    squares = []
    for one, other in pairwise(frames):
        apart = (other[::2, ::2].astype(np.float32) - one[::2, ::2])[inside]
        apart -= apart.mean(axis=0)
        kept = np.abs(apart) <= np.quantile(np.abs(apart), 0.98)
        squares.append(float((apart[kept] ** 2).mean()))
    # Without its outermost two in a hundred the variance of a normal distribution is 0.863 of what it was.
    return max(MIN_NOISE, float(np.sqrt(np.median(squares) / 2 / 0.863)))


def _fingerprint(picture: Frame) -> str:
    return hashlib.sha256(np.ascontiguousarray(picture).tobytes()).hexdigest()
