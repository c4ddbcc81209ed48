"""A look at the whole picture, coarse and quick: is the tray where it was, how bright is it, where is something new."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.backdrop import Backdrop, backdrop_of, colours_at, middle, shrunk
from vision.calibration import Calibration
from vision.compiled.changes import changes_between
from vision.corners import told_by_corners
from vision.geometry import MARGIN_MM
from vision.tremble import ALIKE, SURELY_ALIKE
from vision.types import Fault, Floats, Frame, Gray, Planes, Point, planes, shifted
from vision.zone import Region

GAIN_RANGE = (0.35, 2.4)
"""How far the light may have changed since the calibration."""

MEANS = (6.0, 247.0)
"""Mean brightness of the floor below and above which nothing can be told."""

MAX_SHIFT = 6.0 / 1280
"""How far a mount may tremble, in widths of the picture, before the camera counts as moved."""

STEP = 8.0
"""Grey levels, at the light of the calibration, by which something must differ from the empty tray."""


MOVED = Fault.CAMERA_MOVED, "the tray is not where it was calibrated; put the camera back or calibrate again"


@dataclass(frozen=True, eq=False)
class Glance:
    """What is new in the tray, at one `Backdrop.shrink`-th of the picture's size.

    Attributes
    ----------
    shift
        By how many pixels of the picture, (x, y), it is shifted against the calibration.
    gain
        How much brighter the floor is than at the calibration, per channel: float32, shape (3,).
    changed
        uint8, 0 or 255, shape (rows, columns): where floor or rim differ from the empty tray, shadows included.
    body
        uint8, 0 or 255: the same without what may be a shadow.
    now
        The picture in the rows and columns of `Backdrop.part`: uint8, shape (3, R, C).
    """

    shift: tuple[float, float]
    gain: Floats
    changed: Gray
    body: Gray
    now: Planes


def glance(frame: Frame, calibration: Calibration) -> Glance | tuple[Fault, str]:
    """Return what is new in *frame*, or why that cannot be told: the light, or a camera that moved.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        Of the size of the calibration.
    calibration : Calibration
    """
    backdrop = backdrop_of(calibration)
    small = shrunk(frame, backdrop.shrink)
    gain, lit, mean = _gain(small, backdrop)
    if not GAIN_RANGE[0] < lit < GAIN_RANGE[1] or not MEANS[0] < mean < MEANS[1]:
        return Fault.LIGHT, f"the tray is {lit:.2f} times as bright as it was calibrated, {mean:.0f} of 255"
    by = backdrop.shrink
    shift = _shift_of(frame, calibration, small, backdrop)
    if shift is None or np.hypot(*shift) > MAX_SHIFT * small.shape[1]:
        return MOVED
    part = backdrop.part
    empty = np.stack([_back(plane, shift)[part] for plane in backdrop.small])
    now = planes(small[part])
    changes = differences(now, empty, gain, calibration.noise)
    changed, body = np.zeros((2, *small.shape[:2]), np.uint8)
    for mask, new in ((changed, changes.changed), (body, changes.body)):
        mask[part] = cv2.min(new, backdrop.seen[part])
    return Glance((shift[0] * by, shift[1] * by), gain, changed, body, now)


def within(seen: Glance, region: Region, calibration: Calibration) -> Glance:
    """Return *seen* without what lies wholly outside of *region*: what touches it is kept whole."""
    if region.is_all:
        return seen
    wide, deep = calibration.tray_mm
    left, back, right, front = region.rectangle
    low = max(left, -MARGIN_MM), max(back, -MARGIN_MM)
    high = min(right, wide + MARGIN_MM), min(front, deep + MARGIN_MM)
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    # A die is seen from its foot to its top.
    outline = np.concatenate([calibration.mm_to_px(corners, height) for height in (0.0, calibration.die_mm)])
    by = backdrop_of(calibration).shrink
    here = np.zeros_like(seen.changed)
    hull = cv2.convexHull(((outline + seen.shift + 0.5) / by - 0.5).astype(np.float32))
    cv2.fillConvexPoly(here, np.round(hull).astype(np.int32), 255)
    _, labels = cv2.connectedComponents(seen.changed)
    kept = np.isin(labels, np.unique(labels[(here > 0) & (seen.changed > 0)])) & (seen.changed > 0)
    changed, body = (np.where(kept, mask, np.uint8(0)) for mask in (seen.changed, seen.body))
    return replace(seen, changed=changed, body=body)


def _shift_of(frame: Frame, calibration: Calibration, small: Frame, backdrop: Backdrop) -> Point | None:
    """Return by how many pixels of the *small* picture the tray is shifted; None where it is elsewhere, or not seen.

    Where the felt does not tell for certain, the corners of the tray do: thirty dice leave little else to see, and the
    grain of another place may be alike.
    """
    shift, alike = backdrop.pattern.shift_of(small)
    if alike > SURELY_ALIKE:
        return shift
    seen, by_corners = told_by_corners(calibration, frame)
    if by_corners is not None:
        return by_corners[0] / backdrop.shrink, by_corners[1] / backdrop.shrink
    return None if seen or alike <= ALIKE else shift


def _back(plane: Gray, shift: Point) -> Gray:
    return plane if max(map(abs, shift)) < 0.1 else shifted(plane, shift)


def _gain(small: Frame, backdrop: Backdrop) -> tuple[Floats, float, float]:
    """Return `Glance.gain`, that of all light, and the mean brightness of the floor; medians: dice do not matter."""
    now = colours_at(small, backdrop.probes)
    # Of a channel that was dark, as red on green felt, what remains in the dark is noise.
    gain = middle((now + 4) / (backdrop.floor + 4))
    return gain, float(middle(now.sum(axis=0))) / max(backdrop.light, 1.0), float(now.mean())


@dataclass(frozen=True, eq=False)
class Changes:
    """Where a picture differs from the empty tray, and how; every array uint8, of shape (rows, columns).

    Attributes
    ----------
    changed
        0 or 255: where it differs at all.
    body
        0 or 255: where it differs, and not as a shadow on the felt does.
    darker
        0 or 255: where it differs, and is darker in every channel: a shadow of any colour, or something dark.
    delta
        The largest difference of the three channels in grey levels.
    """

    changed: Gray
    body: Gray
    darker: Gray
    delta: Gray


def differences(now: Planes, then: Planes, gain: Floats, noise: float) -> Changes:
    """Return where *now* differs from *then*.

    Parameters
    ----------
    now, then : ndarray of uint8, shape (3, rows, columns)
        The channels of the picture and of the empty tray, pixel on pixel.
    gain : ndarray of float32, shape (3,)
        How much brighter the floor is now, per channel.
    noise : float
        Of a pixel, in grey levels.
    """
    floor = max(STEP, 4 * noise) * min(1.0, float(gain.mean()))
    into = np.empty((4, *now.shape[1:]), np.uint8)
    changes_between(now, then, np.ascontiguousarray(gain, np.float32), np.float32(floor), into)
    return Changes(*into)
