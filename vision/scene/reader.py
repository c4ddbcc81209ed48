"""Read any picture of dice: camera, tray and light unknown, the scale found from the dice themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.cover import choose, greedy
from vision.scene.missed import missed_pips
from vision.scene.objections import objection
from vision.scene.pips import pips_of_any_colour
from vision.scene.proposals import OWN_EDGES, propose, propose_one, propose_ones
from vision.scene.sight import Sight
from vision.types import Fault, Frame, TrayReading, as_uint8

WORK_SIZE = 1280
"""Longer side in pixels at which a picture is read: enough for 8 px a pip, small enough to be quick."""

PIP_PIXELS = (6.0, 120.0)
SIDE_PIXELS = (26.0, 620.0)
COARSE = (160, 120)
BLACK, WHITE = 40, 240
"""What no pixel of the picture at this size reaches, or all are beyond, shows nothing. Of 226 photographs and rendered
pictures the brightest pixel had 116 at least, the darkest one 52 at most."""

MAX_PIPS = 300
"""Only the clearest are looked at: thirty dice have at most 180."""

SIDE_SPREAD = 0.14
"""How far, as a natural logarithm, the sides of dice of one picture may differ when the scale is looked for."""

SIDE_LIMITS = {2: (-0.18, 0.28), 3: (-0.18, 0.28), 4: (-0.28, 0.28), 5: (-0.28, 0.28), 6: (-0.28, 0.28)}
"""The same for a single die by its face: layouts differ between sets, and twos with pips near their corners look too
large. Nothing makes a two or three look smaller than 0.84; a row of a six taken for a three is 0.79."""

OTHER_SIZES = {2: (-0.25, 0.28), 3: (-0.25, 0.28), 4: (-0.4, 0.4), 5: (-0.4, 0.4), 6: (-0.4, 0.4)}
"""The same for a die whose size is another than that of the rest: it must show all its own edges."""

MOST_SCALES = 3
"""So many scales at most are tried."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The dice that explain most, all that were proposed, and what speaks against them."""

    sight: Sight
    side: float | None
    chosen: Sequence[Candidate]
    fault: Fault | None
    note: str


def read_scene(frame: Frame, dice: int | None) -> TrayReading:
    """Read *frame* without a calibration.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        Taken from about above; side faces may be in view.
    dice : int or None
        How many dice must lie there; None: as many as there are.

    Returns
    -------
    TrayReading
        Refused as *light* where all is about black or white, as *missing* when fewer dice are found than expected, as
        *extra* when more lie there, and as *unsure* whenever something is not explained.
    """
    shrink = min(1.0, WORK_SIZE / max(frame.shape[:2]))
    small = cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else frame
    if told := _too_dark_or_bright(as_uint8(small)):
        return TrayReading.refused(Fault.LIGHT, told)
    smooth = as_uint8(cv2.GaussianBlur(small, (3, 3), 0))
    pips = pips_of_any_colour(smooth, diameters=PIP_PIXELS)[:MAX_PIPS]
    sight = Sight.of(as_uint8(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)), pips)
    reading = _told(sight, dice)
    if dice and reading.fault is Fault.UNSURE:
        reading = _extra(_told(sight, None), dice) or reading
    found = tuple(c.die(reading.sight.pips, 1 / shrink) for c in reading.chosen)
    if reading.fault is not None:
        return TrayReading.refused(reading.fault, reading.note, found)
    return TrayReading.read(found, reading.note)


def _too_dark_or_bright(frame: Frame) -> str:
    """Return what is wrong with the light of *frame*; nothing if something may be seen in it."""
    coarse = cv2.resize(frame, COARSE, interpolation=cv2.INTER_AREA)
    if coarse.max() < BLACK:
        return f"all of the picture is dark, {coarse.max()} of 255 at most; more light, or a longer exposure"
    if coarse.min() > WHITE:
        return f"all of the picture is bright, {coarse.min()} of 255 at least; less light, or a shorter exposure"
    return ""


def _told(sight: Sight, dice: int | None) -> _Reading:
    """Return what is read with the pips of *sight*, and with others if something speaks against it."""
    reading = _lay(sight, dice)
    if reading.fault is not None and reading.side is not None:
        return _look_again(reading, dice, reading.side)
    return reading


def _extra(reading: _Reading, dice: int) -> _Reading | None:
    """Return *reading*, of as many dice as there are, refused as *extra* if that is all that speaks against it."""
    count = len(reading.chosen)
    if reading.fault is not None or count <= dice:
        return None
    return replace(reading, fault=Fault.EXTRA, note=f"{count} dice lie there, {dice} are expected")


def _lay(sight: Sight, dice: int | None) -> _Reading:
    """Lay layouts over the pips and choose those that together explain most.

    What explains most may be a giant whose pips are dice. So where something speaks against the reading, the scales
    that explain less are tried too.
    """
    candidates = propose(sight, SIDE_PIXELS)
    reading = _Reading(sight, None, (), Fault.MISSING if dice else Fault.UNSURE, "no die was found")
    others = candidates
    for _ in range(MOST_SCALES):
        side = common_side(others, dice) or side_of_ones(sight)
        if side is None:
            break
        new = _at_scale(sight, dice, candidates, side)
        if _explained(new) > _explained(reading):
            reading = new
        if reading.fault is None or not others:
            break
        others = [c for c in others if abs(log(c.fit.side / side)) > SIDE_SPREAD]
    return reading


def _explained(reading: _Reading) -> int:
    """Return how many pips *reading* explains."""
    return sum(c.fit.face for c in reading.chosen)


def _at_scale(sight: Sight, dice: int | None, candidates: Sequence[Candidate], side: float) -> _Reading:
    """Choose among *candidates*, and ones, the dice of about *side* pixels that together explain most."""
    near = [c for c in candidates if _has_side(c, side)]
    near += propose_ones(sight, side, choose(near, dice))
    chosen = choose(near, dice)
    fault, note = objection(chosen, near, sight, side, dice)
    return _Reading(sight, side, chosen, fault, note)


def _look_again(reading: _Reading, dice: int | None, side: float) -> _Reading:
    """Look for pips that were missed, and read again with them if there are any."""
    sight = reading.sight
    sure = {i for c in reading.chosen if c.fit.face > 1 for i in c.fit.pips}
    missed = missed_pips(sight, sure, side)
    if not missed:
        return reading
    more = Sight.of(sight.lab, (*sight.pips, *missed))
    again = _at_scale(more, dice, propose(more, (0.7 * side, 1.4 * side)), side)
    return again if again.fault is None or len(again.chosen) > len(reading.chosen) else reading


def common_side(candidates: Sequence[Candidate], dice: int | None) -> float | None:
    """Return the side in pixels at which the candidates together explain most, or None when there are none."""
    best, best_side = 0.0, None
    for candidate in candidates:
        near = [c for c in candidates if abs(log(c.fit.side / candidate.fit.side)) < SIDE_SPREAD]
        chosen = greedy(near, dice)
        total = sum(c.weight * (1.5 if c.fit.face > 3 else 1.0) for c in chosen)
        if total > best:
            # Fours to sixes measure the side both ways, twos and threes only along one diagonal.
            weights = [c.weight * (3.0 if c.fit.face > 3 else 1.0) for c in chosen]
            best, best_side = total, float(np.average([c.fit.side for c in chosen], weights=weights))
    return best_side


def _has_side(candidate: Candidate, side: float) -> bool:
    """Whether *candidate* may lie among dice of *side* pixels."""
    off = log(candidate.fit.side / side)
    low, high = SIDE_LIMITS[candidate.fit.face]
    if low < off < high:
        return True
    low, high = OTHER_SIZES[candidate.fit.face]
    return low < off < high and min(candidate.body.outline) >= OWN_EDGES


def side_of_ones(sight: Sight) -> float | None:
    """Return the side in pixels when there is nothing but ones: where all four edges show best."""
    best, best_side = 0.0, None
    for i, pip in enumerate(sight.pips[:8]):
        for side in pip.diameter * np.geomspace(2.6, 8.0, 12):
            one = propose_one(sight, i, float(side))
            if one is None or min(one.body.outline) < 0.75:
                continue
            score = one.weight * (one.body.fill + min(one.body.outline))
            if score > best:
                best, best_side = score, float(side)
    return best_side
