"""What lies over the tray once it is still: nothing, dice, or something too big to be dice."""

from __future__ import annotations

from enum import Enum, auto

import cv2
import numpy as np

from vision.backdrop import backdrop_of
from vision.calibration import Calibration
from vision.glance import Glance, glance, within
from vision.motion.measure import UNIT, Small
from vision.types import Frame, Gray, as_uint8
from vision.zone import Part, Region

BIG_SIDES = 2.5
"""A disc of so many sides of a die fits into a hand or a cup, and into no heap of dice that a reader could read."""

SPECK_SIDES = 0.45
"""A square of so many sides does not fit into specks and the rests of shadows, but into every die."""

CLOSED_SIDES = 0.45
"""Gaps of so many sides between what differs from the empty tray are closed first: of clear dice, or such as have the
colour of the felt, edges and pips are all that does. In 24 photorealistic films the widest square of two of these was
0.41 and 0.43, of a third 0.49; with gaps closed 1.2 at least, and in the empty trays 0.25 at most."""

BIG_PART = 0.2
"""The same as a part of the shorter side of the picture, when no die was ever seen."""

COVER_STEP = 25.0
"""Percent of brightness by which something must differ to cover what was there."""


class Tray(Enum):
    """What is seen in a still picture of a calibrated tray; what *moved* is the camera."""

    EMPTY = auto()
    DICE = auto()
    COVERED = auto()
    MOVED = auto()
    UNKNOWN = auto()


def what_lies(frame: Frame, calibration: Calibration, zone: Part | None = None) -> Tray:
    """Return what lies in the calibrated tray, or the part *zone* of it; *unknown* where light or camera hide it."""
    seen = glance(frame, calibration)
    if not isinstance(seen, Glance):
        return Tray.UNKNOWN
    seen = within(seen, Region.of(zone, calibration.tray_mm), calibration)
    side = calibration.die_mm * calibration.px_per_mm / backdrop_of(calibration).shrink
    if _widest(seen.body) > BIG_SIDES * side:
        return Tray.COVERED
    across = max(1, round(CLOSED_SIDES * side))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    closed = as_uint8(cv2.morphologyEx(seen.changed, cv2.MORPH_CLOSE, kernel))
    return Tray.DICE if _widest(closed) > SPECK_SIDES * side else Tray.EMPTY


def is_covered(now: Small, reference: Small, side: float | None) -> bool:
    """Return whether something too big to be dice came over what *reference* shows.

    Parameters
    ----------
    now, reference : Small
        Of one size.
    side : float or None
        Side of a die in pixels of these; None when no die was ever seen.
    """
    delta = cv2.subtract(now, reference)
    mask = (np.abs(delta - np.median(delta[::4, ::4])) > COVER_STEP * UNIT).astype(np.uint8) * 255
    big = BIG_PART * min(mask.shape) if side is None else BIG_SIDES * side
    return _widest(mask) > big


def _widest(mask: Gray) -> float:
    """Return the diameter in pixels of the largest disc that fits into *mask*."""
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    return 2 * float(cv2.distanceTransform(padded, cv2.DIST_L2, 3).max())
