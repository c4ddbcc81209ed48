"""The rendered camera: where a point of the table falls in the picture, and which way each pixel looks.

The table's space has x to the right and y down as the picture shows them and z up, so it is left-handed: what is
anticlockwise in these coordinates is clockwise to somebody who looks down on the tray.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.types import Floats

Doubles = npt.NDArray[np.float64]
"""An array of float64, for geometry."""


@dataclass(frozen=True, slots=True, eq=False)
class Pinhole:
    """A camera without lens errors.

    Attributes
    ----------
    position_mm
        Where the pinhole is, in millimetres of tray.
    axes
        Shape (3, 3): the directions right, down and forward of the picture, one a row, in the table's space.
    focal_px
        Focal length in pixels.
    size
        Width and height of the picture in pixels.
    """

    position_mm: Doubles
    axes: Doubles
    focal_px: float
    size: tuple[int, int]

    @property
    def centre_px(self) -> tuple[float, float]:
        """Middle of the picture; the centre of the first pixel is (0, 0)."""
        return (self.size[0] - 1) / 2, (self.size[1] - 1) / 2

    def project(self, points_mm: npt.ArrayLike) -> Doubles:
        """Return where *points_mm*, shape (..., 3), fall in the picture: shape (..., 2), (x, y) in pixels."""
        seen = (np.asarray(points_mm, np.float64) - self.position_mm) @ self.axes.T
        return np.asarray(seen[..., :2] / seen[..., 2:] * self.focal_px + self.centre_px)

    def rays(self, x_px: Floats, y_px: Floats) -> Floats:
        """Return unit directions, shape (3, N), in which the pixels (*x_px*, *y_px*), each of shape (N,), look."""
        centre = self.centre_px
        axes = self.axes.astype(np.float32)
        x = (x_px - np.float32(centre[0])) / np.float32(self.focal_px)
        y = (y_px - np.float32(centre[1])) / np.float32(self.focal_px)
        rays = axes[0][:, None] * x + axes[1][:, None] * y + axes[2][:, None]
        return np.asarray(rays / np.sqrt(1 + x * x + y * y), np.float32)

    def plane_to_picture(self, origin: Doubles, along_u: Doubles, along_v: Doubles) -> Doubles:
        """Return the homography, shape (3, 3), from (u, v) millimetres on a plane to pixels."""
        columns = np.stack([along_u, along_v, origin - self.position_mm], axis=1)
        lens = np.array([[self.focal_px, 0, self.centre_px[0]], [0, self.focal_px, self.centre_px[1]], [0, 0, 1]])
        return np.asarray(lens @ self.axes @ columns)


def unit(vector: npt.ArrayLike) -> Doubles:
    """Return *vector*, shape (..., 3), at length one."""
    array = np.asarray(vector, np.float64)
    return np.asarray(array / np.linalg.norm(array, axis=-1, keepdims=True))


def looking_down(
    aim_mm: tuple[float, float],
    size: tuple[int, int],
    *,
    height_mm: float,
    tilt_deg: float,
    tilt_towards_deg: float,
    turn_deg: float,
    px_per_mm: float,
) -> Pinhole:
    """Return a camera that sees the point *aim_mm* of the floor in the middle of its picture.

    Parameters
    ----------
    aim_mm
        Point of the tray's floor, millimetres.
    size
        Width and height of the picture in pixels.
    height_mm
        Height of the camera above the floor.
    tilt_deg, tilt_towards_deg
        Angle between the line of sight and the plumb line, and the direction it leans to (0 right, 90 front).
    turn_deg
        Turn of the camera about its own line of sight.
    px_per_mm
        Pixels per millimetre of floor in the middle of the picture.

    Examples
    --------
    >>> camera = looking_down((150, 110), (640, 480), height_mm=400, tilt_deg=5, tilt_towards_deg=90, turn_deg=0,
    ...                       px_per_mm=1.6)
    >>> camera.project((150, 110, 0)).round(3).tolist()
    [319.5, 239.5]
    """
    tilt, towards, turn = (math.radians(angle) for angle in (tilt_deg, tilt_towards_deg, turn_deg))
    forward = np.array(
        [math.sin(tilt) * math.cos(towards), math.sin(tilt) * math.sin(towards), -math.cos(tilt)], np.float64
    )
    down = unit(np.array([0.0, 1.0, 0.0]) - forward[1] * forward)
    right = np.cross(forward, down)
    distance = height_mm / math.cos(tilt)
    axes = np.stack(
        [math.cos(turn) * right + math.sin(turn) * down, math.cos(turn) * down - math.sin(turn) * right, forward]
    )
    position = np.array([*aim_mm, 0.0]) - forward * distance
    return Pinhole(position, axes, px_per_mm * distance, size)
