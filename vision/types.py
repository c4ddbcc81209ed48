"""What passes between the parts of the reader: pictures, dice, readings, faults."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Frame: TypeAlias = npt.NDArray[np.uint8]
"""A colour picture: uint8, shape (rows, columns, 3), blue-green-red as in OpenCV."""

Gray: TypeAlias = npt.NDArray[np.uint8]
"""A grey picture: uint8, shape (rows, columns), 0 black to 255 white."""

Planes: TypeAlias = npt.NDArray[np.uint8]
"""The channels of a colour picture, each by itself: uint8, shape (3, rows, columns)."""

Floats: TypeAlias = npt.NDArray[np.float32]
"""An array of float32; each docstring gives the shape and the unit."""

Doubles: TypeAlias = npt.NDArray[np.float64]
"""An array of float64; each docstring gives the shape and the unit."""

Mask: TypeAlias = npt.NDArray[np.bool_]
"""An array of booleans."""

Indices: TypeAlias = npt.NDArray[np.intp]
"""Positions in a flattened array."""

Point: TypeAlias = tuple[float, float]
"""(x, y), x to the right and y down: pixels as in OpenCV, or millimetres of tray where the name ends in ``_mm``."""

Bgr: TypeAlias = tuple[int, int, int]
"""A colour: blue, green, red, each 0 to 255."""


def as_uint8(picture: cv2.typing.MatLike) -> npt.NDArray[np.uint8]:
    """Return what OpenCV gave, which is uint8 already, as the type it has."""
    return picture.astype(np.uint8, copy=False)


def planes(picture: cv2.typing.MatLike) -> npt.NDArray[Any]:
    """Return the channels of *picture*, shape (M, N, C), each by itself: of its type, shape (C, M, N)."""
    # Given where to put them, OpenCV splits in a quarter of the time: it does not copy them once more.
    apart = np.empty((picture.shape[2], *picture.shape[:2]), picture.dtype)
    cv2.split(picture, list(apart))
    return apart


def shifted(plane: npt.NDArray[Any], by: Point) -> npt.NDArray[Any]:
    """Return one channel, uint8 or float32, shape (M, N), with all in it moved *by* (x, y) pixels; its edges go on."""
    rows, columns = plane.shape
    # A seventh of the time of a warp, which takes any matrix.
    middle = (columns - 1) / 2 - by[0], (rows - 1) / 2 - by[1]
    return np.asarray(cv2.getRectSubPix(plane, (columns, rows), middle), plane.dtype)


class VisionError(Exception):
    """Base of everything this package raises for what a caller can do something about."""


class Fault(StrEnum):
    """Why a picture was refused; the words of the interface."""

    MISSING = "missing"
    EXTRA = "extra"
    COCKED = "cocked"
    STACKED = "stacked"
    OUTSIDE = "outside"
    OCCLUDED = "occluded"
    MOVING = "moving"
    LIGHT = "light"
    CAMERA_MOVED = "camera_moved"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it was seen.

    Attributes
    ----------
    face
        Value of the top face, 1 to 6, or None where the reader would not swear to it.
    centre_px
        Centre of the top face in pixels of the picture.
    centre_mm
        The same in millimetres from the tray's top-left inside corner; None without a calibration.
    yaw_deg
        Turn of the top face about the vertical, counterclockwise as the camera sees it, in [0, 90) degrees.
    confidence
        0 to 1: how far the best layout leads over the second best, and how well it fits.
    corners_px
        The four corners of the fitted top face in pixels, clockwise.
    pips_px
        Where the fitted layout has its pips, in pixels.
    body_bgr
        Colour of the top face between the pips, None where nobody looked (`vision.colour`).
    """

    face: int | None
    centre_px: Point
    centre_mm: Point | None
    yaw_deg: float
    confidence: float
    corners_px: tuple[Point, Point, Point, Point]
    pips_px: tuple[Point, ...] = ()
    body_bgr: Bgr | None = None


@dataclass(frozen=True, slots=True)
class TrayReading:
    """The answer to one picture: all faces, or the reason for none.

    Attributes
    ----------
    faces
        Top faces from high to low, or None when the picture is refused.
    fault
        None when read.
    dice
        The dice that were seen, also in a refused picture.
    note
        One line for the log: what was seen and what was missing.
    unclear
        Where in a refused picture, in its pixels, lies what speaks against a reading, as far as that is one place or
        another: a die that cannot be read, or something that is none.
    """

    faces: tuple[int, ...] | None
    fault: Fault | None
    dice: tuple[Die, ...] = ()
    note: str = ""
    unclear: tuple[Point, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a reading that is both an answer and a refusal, or neither."""
        if (self.faces is None) == (self.fault is None):
            raise ValueError("a reading has either faces or a fault")

    @classmethod
    def read(cls, dice: tuple[Die, ...], note: str = "") -> TrayReading:
        """Return the accepted reading of *dice*, every one of which has a face."""
        faces = tuple(sorted((die.face for die in dice if die.face is not None), reverse=True))
        if len(faces) != len(dice):
            raise ValueError("a die without a face cannot be read")
        return cls(faces, None, dice, note)

    @classmethod
    def refused(
        cls, fault: Fault, note: str = "", dice: tuple[Die, ...] = (), unclear: tuple[Point, ...] = ()
    ) -> TrayReading:
        """Return a refusal for *fault*, with the dice that were seen all the same, and what was not clear."""
        return cls(None, fault, dice, note, unclear)
