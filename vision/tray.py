"""Read a calibrated tray: bodies by difference to the empty tray, layouts at the known scale, all of it explained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.backdrop import backdrop_of
from vision.calibration import Calibration
from vision.closeup import Closeup, closeups
from vision.cover import choose
from vision.explain import objection, settled
from vision.flat import pips_of, propose_flat
from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.glance import Glance, glance
from vision.leaning import Found, Judged
from vision.opinion import second_opinions
from vision.types import Die, Fault, Frame, Point, TrayReading

LEAST_CHANCE = 0.02
"""A candidate that the second opinion gives less is none."""


def read_calibrated(frame: Frame, calibration: Calibration, dice: int | None) -> TrayReading:
    """Read *frame* of the tray that *calibration* knows.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        Of the size of the calibration.
    calibration : Calibration
    dice : int or None
        How many dice must lie there; None: as many as there are.
    """
    width, height = calibration.size
    if frame.shape != (height, width, 3):
        size = f"{frame.shape[1]}x{frame.shape[0]}"
        raise ValueError(f"a picture of {size} pixels; the calibration is for {width}x{height}: calibrate again")
    seen_as_whole = glance(frame, calibration)
    if not isinstance(seen_as_whole, Glance):
        return TrayReading.refused(*seen_as_whole)
    parts = closeups(frame, calibration, backdrop_of(calibration), seen_as_whole)
    found = [_explained(part, thorough=False) for part in parts]
    fault, note = objection(found, calibration, dice)
    if fault not in (None, Fault.OUTSIDE, Fault.EXTRA):
        found = [part if settled(part, calibration) else _explained(part.closeup, thorough=True) for part in found]
        fault, note = objection(found, calibration, dice)
    shift = seen_as_whole.shift
    seen = tuple(_in_tray(c.die(part.pips), part.closeup, calibration, shift) for part in found for c in part.chosen)
    return TrayReading.read(seen, note) if fault is None else TrayReading.refused(fault, note, seen)


def _explained(closeup: Closeup, *, thorough: bool) -> Found:
    pips = pips_of(closeup, thorough=thorough)
    proposed = propose_flat(closeup, pips)
    opinions = second_opinions(closeup, proposed)
    judged = [
        Judged(c.fit, c.body, c.weight * float(chances[c.fit.face]), tuple(map(float, chances)))
        for c, chances in zip(proposed, opinions, strict=True)
    ]
    candidates = [c for c in judged if c.chance > LEAST_CHANCE]
    return Found(closeup, pips, candidates, choose(candidates, None), [c for c in judged if c.chance <= LEAST_CHANCE])


def _in_tray(die: Die, closeup: Closeup, calibration: Calibration, shift: Point) -> Die:
    """Return *die*, found in *closeup*, in pixels of the picture and millimetres of the tray."""
    x, y = die.centre_px
    centre_mm = ((x + closeup.x) / PX_PER_MM - MARGIN_MM, (y + closeup.y) / PX_PER_MM - MARGIN_MM)
    in_closeup = np.array([die.centre_px, *die.corners_px, *die.pips_px])
    in_view = in_closeup + np.array([closeup.x, closeup.y])
    in_picture = calibration.view_points_to_px(in_view) + np.array(shift)
    centre, a, b, c, d, *pips = ((float(x), float(y)) for x, y in in_picture)
    return replace(die, centre_px=centre, centre_mm=centre_mm, corners_px=(a, b, c, d), pips_px=tuple(pips))
