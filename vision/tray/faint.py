"""What hardly differs from the felt, so that no closeup is of it: a cap, a coaster or a card of the cloth's colour.

Where light is smoothed until no grain is left it is seen that something is new, be it by three grey levels; a shadow,
or a change of the light, is too. The grain of the felt tells which: it is still seen in those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.backdrop import EDGE_MM, backdrop_of, dulled, shrunk, smoothed
from vision.calibration import Calibration
from vision.geometry import PX_PER_MM
from vision.glance import Glance
from vision.tray.closeup import Closeup, closeups
from vision.tray.grain import hidden_grain
from vision.types import Die, Doubles, Floats, Frame, Gray, Planes, Point, as_uint8, planes, shifted
from vision.zone import Region

STEP, PART = 3.0, 0.05
"""Grey levels, at the light of the calibration, and part of what is there, by which smoothed light must differ."""

ROOM = 2.1
"""How many times as large as their tops the places of dice are drawn: their feet, soft edges, and the darkest of their
shadows are there."""

WIDTH = 0.7
"""Sides: what is narrower is not looked at."""

LEAST = 0.6
"""Area in top faces of what is looked at."""

AROUND_MM = 12.0
"""How far around it the felt must show its grain."""

SHOWN = (50, 0.25)
"""Percentile of that and its correlation with the empty tray's, least (`vision.tray.grain`). Of what lies there, and is
as faint as the felt, a part is taken for felt around it."""

HIDDEN = 0.3
"""Area in top faces in which the grain is gone. Of 592 drawn throws and 116 photorealistic ones that were read right
none had more than 0.08; of 91 things of the felt's colour, drawn beside dice and read over before, 75 had."""


def what_is_hardly_new(
    frame: Frame, calibration: Calibration, seen: Glance, dice: Sequence[Die], region: Region
) -> tuple[Closeup, Point] | None:
    """Return where something lies on the felt that hardly differs from it and hides its grain, if it does.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
    calibration : Calibration
    seen : Glance
        Of *frame*.
    dice : sequence of Die
        All that were found, in pixels of *frame*.
    region : Region
        What of the tray is read.

    Returns
    -------
    (Closeup, (float, float)) or None
        A closeup of it, and its middle in the pixels of that.
    """
    backdrop = backdrop_of(calibration)
    tops = np.array([die.corners_px for die in dice], np.float64).reshape(-1, 4, 2)
    places = tops + (ROOM - 1) * (tops - tops.mean(axis=1, keepdims=True))
    new = _coarsely(calibration, seen, places)
    if not new.any():
        return None
    # Dice beyond the border reach over it: their edges are soft, and their feet are seen beside their tops.
    inner = region.inset(EDGE_MM)
    in_view = calibration.px_to_view_points(places.reshape(-1, 2) - seen.shift).reshape(-1, 4, 2)
    for close in closeups(frame, calibration, backdrop, replace(seen, changed=new, body=new), AROUND_MM):
        empty = close.part_of(backdrop.view)
        now, then = (dulled(planes(view), PX_PER_MM) for view in (smoothed(close.picture), empty))
        faint = _faint(now, then, seen.gain)
        beside = _without(np.full_like(faint, 255), in_view - (close.x, close.y))
        here = inner.cut(as_uint8(cv2.bitwise_and(faint, beside)), close.x, close.y)
        felt = as_uint8(cv2.bitwise_and(cv2.bitwise_not(faint), beside))
        area, middle = hidden_grain(close, empty, here, felt, SHOWN)
        if area > HIDDEN * close.side**2:
            return close, middle
    return None


def _coarsely(calibration: Calibration, seen: Glance, places: Doubles) -> Gray:
    """Return what differs beside dice, and is as large and wide as a thing must be: as `Glance.changed` is.

    The *places* of dice are in pixels of the picture, shape (N, 4, 2).
    """
    backdrop = backdrop_of(calibration)
    by, here = backdrop.shrink * 2, backdrop.part
    px_per_mm = calibration.px_per_mm / by
    now = dulled([shrunk(plane, 2) for plane in seen.now], px_per_mm)
    # A pixel of the picture is enough: all along the rim it moves the edge of its shadow.
    then = np.stack([shifted(plane, (seen.shift[0] / by, seen.shift[1] / by)) for plane in backdrop.dull])
    faint = _faint(now, then, seen.gain)
    on_floor = as_uint8(cv2.bitwise_and(faint, backdrop.inner))
    beside = _without(on_floor, (places + 0.5) / by - (here[1].start / 2, here[0].start / 2))
    side = calibration.die_mm * px_per_mm
    width = max(1, round(WIDTH * side))
    circle = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    wide = cv2.morphologyEx(beside, cv2.MORPH_OPEN, circle)
    new = np.zeros_like(seen.changed)
    if cv2.countNonZero(wide) > LEAST * side**2:
        rows, columns = seen.now.shape[1:]
        new[here] = cv2.resize(wide, (columns, rows), interpolation=cv2.INTER_NEAREST)
    return new


def _without(mask: Gray, places: Doubles) -> Gray:
    """Return *mask* with nothing in quadrangles, shape (N, 4, 2) in its pixels."""
    for place in np.round(places).astype(np.int32):
        cv2.fillConvexPoly(mask, place, 0)
    return mask


def _faint(now: Planes, then: Planes, gain: Floats) -> Gray:
    """Return where *now* differs from *then*, both dulled: uint8, 0 or 255."""
    faint = np.zeros(now.shape[1:], np.uint8)
    step = np.uint8(round(STEP * min(1.0, float(gain.mean()))))
    for own, other, brighter in zip(now, then, gain.tolist(), strict=True):
        light = cv2.convertScaleAbs(other, alpha=brighter)
        room = np.maximum(cv2.convertScaleAbs(light, alpha=PART), step)
        faint |= cv2.compare(cv2.absdiff(own, light), room, cv2.CMP_GT)
    return faint
