"""The empty tray, made ready once: what every picture is compared with, coarse and fine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import log2

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.geometry import Viewpoint, floor_rectangle, homography, view_size
from vision.tremble import Pattern
from vision.types import Doubles, Floats, Frame, Gray, Indices, Planes, as_uint8, planes

COARSE_PX_PER_MM = 0.8
"""Scale, about, at which a picture is looked at as a whole: a 16 mm die is 13 pixels wide."""

EDGE_MM = 6.0
"""How much along the edge of the floor is lit anew by every die beside it, through rim and backstop."""

DULL_MM = 6.5
"""Side of the square over which light is smoothed until no grain is left."""

PROBES_APART = 4
"""The brightness of the floor is told by every fourth pixel of the small picture, each way."""

UNLIKELY = 4.0
"""By so much more than the likeliest a camera's place costs that is not thought of: two standard deviations."""

FINE_PX_PER_MM = 2.2
"""Scale of a picture below which sides of dice do not tell where the camera is: at half of what is usual the soft edge
of a die is as wide as what is seen of its side, and one told 358 mm of a camera at 450."""

KEPT = 4
"""So many backdrops are kept; a table has one calibration, and a drifted one now and then."""


@dataclass(frozen=True, eq=False)
class Eye:
    """Where the camera may be, as far as the corners of the floor tell.

    Attributes
    ----------
    height_mm
        How far above the floor.
    focal_px
        Its focal length, then.
    cost
        How unlikely it is (`vision.geometry.viewpoints`).
    feet
        As `Backdrop.feet`, if it is there.
    """

    height_mm: float
    focal_px: float
    cost: float
    feet: Doubles


@dataclass(frozen=True, eq=False)
class Backdrop:
    """What is known of an empty tray, in the forms in which it is needed.

    Attributes
    ----------
    shrink
        By how much, a power of two, a picture is shrunk to be looked at as a whole.
    small
        The empty tray so shrunk: uint8, shape (3, rows, columns).
    pattern
        Its edges, by which it is seen whether the tray is where it was.
    probes
        Where the brightness of the floor is told: every so many pixels of the small picture, counted through its
        rows, shape (N,).
    floor
        The colours of the empty tray there: float32, shape (3, N).
    light
        The sum of the three channels there, as a median.
    seen
        uint8, shape (rows, columns): 255 on the floor and on what of the rim the straightened view shows, else 0.
    part
        The rows and columns that hold all of `seen`.
    dull
        `small` in these, at half the size again and smoothed until no grain is left: uint8, shape (3, R, C).
    inner
        uint8, shape (R, C): 255 on the floor, but for `EDGE_MM` along its edge, else 0.
    view
        The empty tray in the straightened view of the plane of the dice's tops, smoothed as a closeup is to be compared
        with it: uint8, shape (rows, columns, 3).
    feet
        Homography in pixels of that view, from where a flat die's top is seen to where its foot is: float64, (3, 3).
    eyes
        Where the camera may be, as far as the corners tell; none where the focal length is known, or dice cannot tell.
    """

    shrink: int
    small: Planes
    pattern: Pattern
    probes: Indices
    floor: Floats
    light: float
    seen: Gray
    part: tuple[slice, slice]
    dull: Planes
    inner: Gray
    view: Frame
    feet: Doubles
    eyes: tuple[Eye, ...]


@lru_cache(maxsize=KEPT)
def backdrop_of(calibration: Calibration) -> Backdrop:
    """Return the backdrop of *calibration*, made once and kept as long as it is in use."""
    by = 2 ** max(0, round(log2(calibration.px_per_mm / COARSE_PX_PER_MM)))
    small = shrunk(calibration.empty, by)
    inside, seen = _floor_and_rim(calibration, by, small)
    probes = _every(PROBES_APART, inside)
    floor = colours_at(small, probes)
    x, y, w, h = cv2.boundingRect(seen)
    part = (slice(y, y + h), slice(x, x + w))
    px_per_mm = calibration.px_per_mm / by
    return Backdrop(
        by,
        planes(small),
        Pattern.of(small),
        probes,
        floor,
        float(middle(floor.sum(axis=0))),
        seen,
        part,
        dulled([shrunk(plane, 2) for plane in planes(small[part])], px_per_mm / 2),
        shrunk(_inner(inside, px_per_mm)[part], 2),
        smoothed(calibration.straightened(calibration.empty)),
        _feet(calibration, calibration.viewpoint),
        _eyes(calibration),
    )


def _inner(floor: Gray, px_per_mm: float) -> Gray:
    """Return the *floor* without its edge."""
    edge = 2 * round(EDGE_MM * px_per_mm) + 1
    # What is beyond the picture is no floor.
    return as_uint8(cv2.erode(floor, np.ones((edge, edge), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0))


def shrunk(frame: Frame, by: int) -> Frame:
    """Return *frame* at one *by*-th of its size, *by* a power of two: means of squares, halved again and again."""
    small = frame
    while by > 1:
        rows, columns = small.shape[0] // 2, small.shape[1] // 2
        # Halving by whole pixels is many times faster than one step to a quarter.
        whole = small[: 2 * rows, : 2 * columns]
        small = as_uint8(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA))
        by //= 2
    return small


def dulled(layers: Iterable[Gray], px_per_mm: float) -> Planes:
    """Return planes smoothed over squares of `DULL_MM`."""
    width = max(1, round(DULL_MM * px_per_mm))
    return np.stack([as_uint8(cv2.blur(plane, (width, width))) for plane in layers])


def smoothed(view: Frame) -> Frame:
    """Return a part of the straightened view as it is compared with the empty tray: less noise, and soft edges."""
    return as_uint8(cv2.GaussianBlur(view, (5, 5), 0))


def _every(step: int, mask: Gray) -> Indices:
    """Return the pixels of *mask*, counted through its rows, on a grid so many pixels apart."""
    grid = np.zeros_like(mask)
    grid[::step, ::step] = mask[::step, ::step]
    return np.flatnonzero(grid)


def colours_at(picture: Frame, where: Indices) -> Floats:
    """Return the colours of *picture* at the pixels *where*, counted through its rows: float32, shape (3, N)."""
    return np.ascontiguousarray(picture.reshape(-1, 3).take(where, axis=0).T, dtype=np.float32)


def middle(values: Floats) -> Floats:
    """Return the (upper) medians of *values* along the last axis; `np.partition` takes five times as long."""
    return np.asarray(np.sort(values, axis=-1)[..., values.shape[-1] // 2], np.float32)


def _feet(calibration: Calibration, eye: Viewpoint) -> Doubles:
    """Return `Backdrop.feet`, if the camera is at *eye*: the floor under a top is seen on the line from there to it."""
    corners = floor_rectangle(calibration.tray_mm)
    tops, feet = (
        calibration.px_to_view_points(calibration.seen_from(eye, corners, height_mm))
        for height_mm in (calibration.die_mm, 0.0)
    )
    return homography(tops, feet)


def _eyes(calibration: Calibration) -> tuple[Eye, ...]:
    """Return `Backdrop.eyes`: every other one of those that are not much less likely than the likeliest.

    None of a coarse picture, or where the focal length is known.
    """
    if calibration.px_per_mm < FINE_PX_PER_MM or len(calibration.viewpoints) == 1:
        return ()
    least = min(cost for cost, _ in calibration.viewpoints)
    near = [(cost, eye) for cost, eye in calibration.viewpoints if cost < least + UNLIKELY]
    return tuple(Eye(eye.height_mm, eye.focal_px, cost, _feet(calibration, eye)) for cost, eye in near[::2])


def _floor_and_rim(calibration: Calibration, by: int, small: Frame) -> tuple[Gray, Gray]:
    """Return the masks of the floor, and `Backdrop.seen`: 255 there, else 0."""
    floor, seen_too = np.zeros((2, *small.shape[:2]), np.uint8)
    wide, deep = view_size(calibration.tray_mm)
    seen = np.array([[0, 0], [wide, 0], [wide, deep], [0, deep]], np.float64)
    corners = np.array(calibration.corners_px)
    view = cv2.perspectiveTransform(seen[None], calibration.view_to_px)[0]
    for mask, quad in ((floor, corners), (seen_too, view)):
        cv2.fillConvexPoly(mask, np.round((quad + 0.5) / by - 0.5).astype(np.int32), 255)
    return floor, seen_too
