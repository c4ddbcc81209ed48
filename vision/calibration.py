"""What is known of camera, tray and light: measured once from the empty tray, saved, loaded, checked."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.find_tray import find_floor
from vision.geometry import floor_rectangle, homography, plane_above, straighten, view_to_mm
from vision.types import Doubles, Frame, Point, VisionError, as_uint8

FORMAT = 1
KIND = "mexico-table calibration"
MIN_LIGHT = 8.0
"""Mean grey of the tray floor below which no die can be told from felt."""


class CalibrationError(VisionError, ValueError):
    """A calibration cannot be made, or a saved one cannot be used; the message is one line for a person."""


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
    """

    size: tuple[int, int]
    tray_mm: tuple[float, float]
    die_mm: float
    corners_px: tuple[Point, Point, Point, Point]
    empty: Frame
    noise: float

    @cached_property
    def floor(self) -> Doubles:
        """Homography, millimetres of the floor to pixels: float64, shape (3, 3)."""
        return homography(floor_rectangle(self.tray_mm), np.array(self.corners_px))

    @cached_property
    def tops(self) -> Doubles:
        """Homography, millimetres of the plane of the dice's tops to pixels: float64, shape (3, 3)."""
        return plane_above(np.array(self.corners_px), self.tray_mm, self.size, self.die_mm)[0]

    @cached_property
    def px_per_mm(self) -> float:
        """How fine the picture shows the floor: the coarsest of its four edges."""
        return float(_scales(self.corners_px, self.tray_mm).min())

    @cached_property
    def view_to_px(self) -> Doubles:
        """Homography, pixels of the straightened view to pixels of the picture: float64, shape (3, 3)."""
        return self.tops @ view_to_mm()

    @cached_property
    def empty_view(self) -> Frame:
        """The empty tray as the straightened view shows it: uint8, shape (rows, columns, 3)."""
        return straighten(self.empty, self.view_to_px, self.tray_mm)

    @cached_property
    def camera_height_mm(self) -> float:
        """How far the camera is above the floor, as well as four corners tell."""
        return plane_above(np.array(self.corners_px), self.tray_mm, self.size, self.die_mm)[1]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON file *path* and the empty tray beside it as a PNG; each replaces its forerunner whole.

        Raises
        ------
        CalibrationError
            When the files cannot be written.
        """
        target = Path(path)
        picture = target.with_suffix(".empty.png")
        data = {
            "format": FORMAT,
            "kind": KIND,
            "size": list(self.size),
            "tray_mm": list(self.tray_mm),
            "die_mm": self.die_mm,
            "corners_px": [list(corner) for corner in self.corners_px],
            "camera_height_mm": round(self.camera_height_mm, 1),
            "noise": round(self.noise, 3),
            "empty": picture.name,
        }
        try:
            _replace(picture, cv2.imencode(".png", self.empty)[1].tobytes())
            _replace(target, (json.dumps(data, indent=1) + "\n").encode())
        except OSError as error:
            raise CalibrationError(f"{target}: cannot be written ({error.strerror}); nothing was replaced") from error

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Calibration:
        """Read what `save` wrote.

        Raises
        ------
        CalibrationError
            When the file is not there, not readable, broken, of another version or kind, or its picture is missing.
        """
        source = Path(path)
        try:
            data = json.loads(source.read_text(encoding="utf-8"))
        except OSError as error:
            raise CalibrationError(f"{source}: cannot be read ({error.strerror}); calibrate first") from error
        except ValueError as error:
            raise CalibrationError(f"{source}: is no calibration, not even JSON; calibrate again") from error
        if not isinstance(data, dict) or data.get("kind") != KIND:
            raise CalibrationError(f"{source}: is no calibration of this program; calibrate again")
        if data.get("format") != FORMAT:
            raise CalibrationError(
                f"{source}: is of format {data.get('format')!r}, this program reads {FORMAT}; calibrate again"
            )
        try:
            return cls._from_json(source, data)
        except (KeyError, TypeError, ValueError) as error:
            raise CalibrationError(f"{source}: is damaged ({error}); calibrate again") from error

    @classmethod
    def _from_json(cls, source: Path, data: Mapping[str, Any]) -> Calibration:
        width, height = (int(v) for v in data["size"])
        picture = source.parent / Path(str(data["empty"])).name
        empty = _decode(picture)
        if empty is None or empty.shape != (height, width, 3):
            raise ValueError(f"the picture of the empty tray, {picture.name}, is missing or of another size")
        corners = tuple((float(x), float(y)) for x, y in data["corners_px"])
        if len(corners) != 4:
            raise ValueError("the tray has not four corners")
        tray_width, tray_depth = (float(v) for v in data["tray_mm"])
        made = cls(
            (width, height), (tray_width, tray_depth), float(data["die_mm"]), corners, empty, float(data["noise"])
        )
        check_geometry(made.corners_px, made.size, made.tray_mm, made.die_mm)
        return made


def calibrate(
    empty_frames: Sequence[Frame],
    *,
    tray_mm: tuple[float, float],
    die_mm: float = 16.0,
    corners: Sequence[Point] | None = None,
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

    Raises
    ------
    CalibrationError
        When the pictures, the sizes or the corners cannot be right; says what was seen and what to do.
    """
    if not empty_frames:
        raise CalibrationError("no picture of the empty tray was given; give at least one with --from")
    sizes = {frame.shape[:2] for frame in empty_frames}
    if len(sizes) > 1:
        listed = " and ".join(f"{w}x{h}" for h, w in sorted(sizes))
        raise CalibrationError(
            f"the pictures of the empty tray are of different sizes ({listed}); take all with one camera"
        )
    height, width = sizes.pop()
    empty = as_uint8(np.median(np.stack(empty_frames), axis=0)) if len(empty_frames) > 1 else empty_frames[0]
    if corners is None:
        corners = find_floor(empty, tray_mm)
        if corners is None:
            raise CalibrationError(
                "the tray floor was not found: its four edges do not stand out; give its corners with --corners"
            )
    quad = _four(corners)
    check_geometry(quad, (width, height), tray_mm, die_mm)
    made = Calibration((width, height), tray_mm, die_mm, quad, empty, _noise(empty_frames))
    light = float(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY)[_inside(quad, (width, height))].mean())
    if light < MIN_LIGHT:
        raise CalibrationError(
            f"too dark: the tray floor has a mean of {light:.0f} of 255; more light or more exposure"
        )
    return made


def check_geometry(
    corners: Sequence[Point], size: tuple[int, int], tray_mm: tuple[float, float], die_mm: float
) -> None:
    """Raise CalibrationError unless these corners can be those of such a tray in such a picture."""
    if not (all(np.isfinite(v) and 40 <= v <= 2000 for v in tray_mm)):
        raise CalibrationError(f"a tray of {tray_mm[0]:g}x{tray_mm[1]:g} mm: each side must be 40 to 2000 mm")
    if not 5 <= die_mm <= 50:
        raise CalibrationError(f"a die of {die_mm:g} mm: must be 5 to 50 mm")
    quad = np.array(corners, np.float64)
    if not np.isfinite(quad).all() or (quad < -0.5).any() or (quad > np.array(size) - 0.5).any():
        raise CalibrationError(f"a corner of the tray lies outside the picture of {size[0]}x{size[1]} pixels")
    edges = np.roll(quad, -1, axis=0) - quad
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    if not (turns > 0).all():
        raise CalibrationError("the corners do not go clockwise around the tray; begin at the top left of the picture")
    scales = _scales(corners, tray_mm)
    if scales.max() > 1.5 * scales.min():
        raise CalibrationError(
            f"the corners do not fit a tray of {tray_mm[0]:g}x{tray_mm[1]:g} mm: its sides would be "
            f"{scales.min():.2f} to {scales.max():.2f} pixels a millimetre; check --tray-mm and the corners"
        )
    if scales.min() < 1.2:
        raise CalibrationError(
            f"the tray is too small in the picture: {scales.min():.1f} pixels a millimetre, at least 1.2 are needed"
        )


def _scales(corners: Sequence[Point], tray_mm: tuple[float, float]) -> Doubles:
    """Return pixels per millimetre of the four edges of the floor, shape (4,)."""
    quad = np.array(corners, np.float64)
    edges = np.roll(quad, -1, axis=0) - quad
    return np.asarray(np.hypot(edges[:, 0], edges[:, 1]) / np.array([*tray_mm, *tray_mm]), np.float64)


def _four(corners: Sequence[Point]) -> tuple[Point, Point, Point, Point]:
    if len(corners) != 4:
        raise CalibrationError(f'{len(corners)} corners were given; a tray has 4: "x,y x,y x,y x,y"')
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def _inside(quad: Sequence[Point], size: tuple[int, int]) -> Any:
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.array(quad)).astype(np.int32), 1)
    return mask.astype(bool)


def _noise(frames: Sequence[Frame]) -> float:
    if len(frames) < 2:
        return 2.0
    return float(np.median(np.std(np.stack(frames)[:, ::4, ::4].astype(np.float32), axis=0)))


def _decode(picture: Path) -> Frame | None:
    try:
        packed = np.frombuffer(picture.read_bytes(), np.uint8)
    except OSError:
        return None
    decoded = cv2.imdecode(packed, cv2.IMREAD_COLOR) if packed.size else None
    return None if decoded is None else as_uint8(decoded)


def _replace(target: Path, content: bytes) -> None:
    """Write *content* beside *target*, then put it in its place: a power cut leaves the old file or the new one."""
    fresh = target.with_name(target.name + ".new")
    with open(fresh, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
