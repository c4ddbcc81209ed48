"""Read a calibrated tray: bodies by difference to the empty tray, layouts at the known scale, all of it explained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.backdrop import Backdrop, backdrop_of
from vision.calibration import Calibration
from vision.closeup import Closeup, closeups
from vision.cover import choose
from vision.explain import objection
from vision.flat import pips_of, propose_flat
from vision.geometry import MARGIN_MM, PX_PER_MM, project, view_size
from vision.glance import Glance, glance
from vision.leaning import Found
from vision.spots import QUICK, THOROUGH
from vision.types import Die, Fault, Frame, TrayReading


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
        seen = f"{frame.shape[1]}x{frame.shape[0]}"
        raise ValueError(f"a picture of {seen} pixels; the calibration is for {width}x{height}: calibrate again")
    seen_as_whole = glance(frame, calibration)
    if not isinstance(seen_as_whole, Glance):
        return TrayReading.refused(*seen_as_whole)
    parts = closeups(frame, calibration, backdrop_of(calibration), seen_as_whole)
    reading = _read(parts, calibration, dice, QUICK)
    if reading.faces is None and reading.fault not in (Fault.OUTSIDE, Fault.EXTRA):
        reading = _read(parts, calibration, dice, THOROUGH)
    return reading


def _read(parts: list[Closeup], calibration: Calibration, dice: int | None, cuts: int) -> TrayReading:
    """Return what lies in *parts*, cut at so many grey levels to find the pips."""
    backdrop = backdrop_of(calibration)
    found = [_explained(part, calibration, backdrop, cuts) for part in parts]
    fault, note = objection(found, calibration, dice)
    seen = tuple(_in_tray(c.die(part.pips), part.closeup) for part in found for c in part.chosen)
    return TrayReading.read(seen, note) if fault is None else TrayReading.refused(fault, note, seen)


def _explained(closeup: Closeup, calibration: Calibration, backdrop: Backdrop, cuts: int) -> Found:
    side = calibration.die_mm * PX_PER_MM
    pips = pips_of(closeup, side, cuts)
    candidates = propose_flat(closeup, pips, side)
    here = np.array([[1, 0, closeup.x], [0, 1, closeup.y], [0, 0, 1.0]])
    feet = np.linalg.inv(here) @ backdrop.feet @ here
    chosen = choose(candidates, None)
    return Found(closeup, pips, candidates, chosen, side, feet, view_size(calibration.tray_mm))


def _in_tray(die: Die, closeup: Closeup) -> Die:
    """Return *die*, found in *closeup*, in pixels of the picture and millimetres of the tray."""
    x, y = die.centre_px
    centre_mm = ((x + closeup.x) / PX_PER_MM - MARGIN_MM, (y + closeup.y) / PX_PER_MM - MARGIN_MM)
    centre, a, b, c, d, *pips = project(closeup.to_px, [die.centre_px, *die.corners_px, *die.pips_px])
    return replace(die, centre_px=centre, centre_mm=centre_mm, corners_px=(a, b, c, d), pips_px=tuple(pips))
