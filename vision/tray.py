"""Read a calibrated tray: bodies by difference to the empty tray, layouts at the known scale, all of it explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log
from typing import TypeAlias

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.candidates import Candidate, propose, propose_one
from vision.cover import choose
from vision.difference import View, look
from vision.explain import Scene, objection
from vision.geometry import PX_PER_MM, project, view_to_mm
from vision.layouts import PIP_PER_SIDE
from vision.pips import Pip, find_pips, luminance, stretch
from vision.types import Die, Fault, Frame, Gray, TrayReading

SIDE_SPREAD = {2: 0.2, 3: 0.2, 4: 0.15, 5: 0.15, 6: 0.2}
"""How far, as a natural logarithm, the side that a layout tells may be from the calibrated one."""

MIN_FLAT_ROUNDNESS = 0.74
"""Mean roundness of the pips of a top face in the plane of the tops. Half-shaded pips look flat too: leaning is told
by the silhouette, this only keeps the sides of dice out."""

MIN_PX_PER_MM = 2.4
"""Coarser pictures do not tell a leaning die from a flat one: on a clip at 1.7 pixels a millimetre one was misread."""

BLOB_MARGIN_MM = 4.0

Box: TypeAlias = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels, the last two excluded."""

Labels: TypeAlias = cv2.typing.MatLike
"""int32, shape (rows / 2, columns / 2): 0, or the number of the thing that lies there."""


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
    if calibration.px_per_mm < MIN_PX_PER_MM:
        coarse = f"the picture is too coarse: {calibration.px_per_mm:.1f} pixels a millimetre of {MIN_PX_PER_MM}"
        return TrayReading.refused(Fault.UNSURE, coarse)
    view = look(frame, calibration)
    if not isinstance(view, View):
        return TrayReading.refused(*view)
    scene = _scene(view, calibration)
    chosen = choose(scene.candidates, None)
    found = tuple(_in_tray(c.die(scene.pips), view) for c in chosen)
    fault, note = objection(scene, chosen, calibration, dice)
    return TrayReading.read(found, note) if fault is None else TrayReading.refused(fault, note, found)


def _scene(view: View, calibration: Calibration) -> Scene:
    side = calibration.die_mm * PX_PER_MM
    labels, regions = _regions(view.changed)
    pips = _pips(view, side, labels, regions)
    lab = _in_lab(view.picture, [box for _, box in regions])
    candidates = [c for c in propose(lab, pips, (0.8 * side, 1.25 * side)) if _is_flat(c, pips, side)]
    ones = (propose_one(lab, pips, i, side) for i, pip in enumerate(pips) if pip.roundness > MIN_FLAT_ROUNDNESS)
    candidates += [one for one in ones if one is not None]
    # The calibrated side is truer than what any one layout tells.
    scaled = (replace(c, fit=replace(c.fit, side=side)) for c in candidates)
    return Scene(view, pips, tuple(scaled), side)


def _in_lab(picture: Frame, boxes: Sequence[Box]) -> Frame:
    """Return *picture* in CIE Lab, smoothed, where something lies; black elsewhere, where nobody looks."""
    lab = np.zeros_like(picture)
    for x0, y0, x1, y1 in boxes:
        lab[y0:y1, x0:x1] = cv2.cvtColor(cv2.GaussianBlur(picture[y0:y1, x0:x1], (3, 3), 0), cv2.COLOR_BGR2LAB)
    return lab


def _is_flat(candidate: Candidate, pips: Sequence[Pip], side: float) -> bool:
    fit = candidate.fit
    round_enough = float(np.mean([pips[i].roundness for i in fit.pips])) > MIN_FLAT_ROUNDNESS
    return round_enough and abs(log(fit.side / side)) < SIDE_SPREAD[fit.face]


def _pips(view: View, side: float, labels: Labels, regions: Sequence[tuple[int, Box]]) -> tuple[Pip, ...]:
    """Return the pips on what lies in the tray, in pixels of the view."""
    low, high = PIP_PER_SIDE
    pips = []
    for label, (x0, y0, x1, y1) in regions:
        gray = stretch(luminance(view.picture[y0:y1, x0:x1]))
        for pip in find_pips(gray, diameters=(0.9 * low * side, 1.1 * high * side)):
            moved = replace(pip, x=pip.x + x0, y=pip.y + y0)
            column, row = min(round(moved.x), x1 - 1), min(round(moved.y), y1 - 1)
            # Boxes overlap; a pip belongs to the thing it lies on.
            if labels[row // 2, column // 2] == label and view.changed[row, column]:
                pips.append(moved)
    return tuple(pips)


def _regions(mask: Gray) -> tuple[Labels, list[tuple[int, Box]]]:
    """Return labels at half the size, and per thing in *mask* its label and box; things close by are one."""
    margin = round(BLOB_MARGIN_MM * PX_PER_MM / 2)
    grown = cv2.dilate(np.ascontiguousarray(mask[::2, ::2]), np.ones((2 * margin + 1, 2 * margin + 1), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(grown)
    smallest = (2 * margin + 3) ** 2
    boxes = ((i, stat) for i, stat in enumerate(stats.tolist()) if i and stat[cv2.CC_STAT_AREA] > smallest)
    return labels, [(i, (2 * x, 2 * y, 2 * (x + w), 2 * (y + h))) for i, (x, y, w, h, _) in boxes]


def _in_tray(die: Die, view: View) -> Die:
    """Return *die*, found in the view, in pixels of the picture and millimetres of the tray."""
    centre_mm = project(view_to_mm(), [die.centre_px])[0]
    centre, *corners = project(view.to_px, [die.centre_px, *die.corners_px])
    pips = project(view.to_px, die.pips_px) if die.pips_px else ()
    a, b, c, d = corners
    return replace(die, centre_px=centre, centre_mm=centre_mm, corners_px=(a, b, c, d), pips_px=tuple(pips))
