"""What speaks against a reading of the tray: everything new in it must be explained by whole, flat dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import cos, pi, sin

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.candidates import Candidate
from vision.closeup import Closeup
from vision.cover import left_over, rival
from vision.geometry import MARGIN_MM, PX_PER_MM, view_size
from vision.leaning import CERTAIN, MIN_CHANCE, Found, Judged, doubt, lies_on_another
from vision.pips import Pip
from vision.silhouette import silhouette
from vision.types import Doubles, Fault, Frame, Gray, Mask, as_uint8
from vision.zone import Region

OUTSIDE_MM = 2.5
"""By how much a corner of a top face may lie beyond the edge of the floor: rounding, and the edge's own error."""

OVERLAP_MM = 1.6
"""By how much two top faces may seem to overlap: flat dice do not, measured on touching ones it is 0.9 at most."""

GROW_MM = 3.5
"""The outlines of dice are drawn this much larger to look for other things: edges are soft, and a bright die lights
the felt beside it."""

BIG_THING = 6.0
SMALL_THING = 0.3
"""Areas in top faces of a die: bigger is a hand or a cup, smaller is dirt or a reflection."""

PEEPING = 0.5
"""Area in top faces up to which what was not explained may be the die beneath another."""

LONE_SHADOW = 0.6
"""Area in top faces, apart from all dice, from which a shadow is that of something else, or a dark thing."""

LONG_SHADOW = 4.0
ALL_DARKER = 0.97
ROUND = 0.7
"""What is smaller than the first in top faces, and darker than the floor on so much of its area, is a shadow, unless
a pip of such roundness shows on it."""

CLEAR_PIP = (8, 0.8)
"""Grey levels, in steps, and roundness of a spot that nothing but a pip is."""

BODY_AREA = 1.3
"""Top face and visible sides of one die, in top faces."""

BLURRED = 0.16
BLURRED_PART = 0.7
"""Steepest edge per pixel as a part of all contrast: 0.3 is sharp, 0.1 is blurred; and in that of the dice that were
found. On drawn throws the second parts 9 of 10 leaning dice from 3 of 4 moving ones, the first is for want of it."""

NO_DIE = "no die lies in the tray"
"""What is said of a tray in which nothing but light and shade is new."""

Objection = tuple[Fault | None, str]


@dataclass(frozen=True, eq=False)
class Weighed:
    """A closeup of which it is known what speaks against the dice that were chosen in it.

    Attributes
    ----------
    part
        The closeup and those of its dice that lie in the region that is read, or reach into it.
    things
        What lies there and no die explains.
    doubt
        What is wrong with the dice themselves.
    on_floor
        How much of the floor is new in it, in top faces, shadows included.
    """

    part: Found
    things: Sequence[_Thing]
    doubt: Objection
    on_floor: float

    @property
    def settled(self) -> bool:
        """Whether dice lie clearly there, explain all of it, and nothing speaks against them; or no die can."""
        chosen = self.part.chosen
        if not chosen and self.on_floor < SMALL_THING:
            return True
        clear = bool(chosen) and all(c.chance > CERTAIN and not c.pale for c in chosen)
        return clear and not self.things and self.doubt[0] is None


def weighed(part: Found, calibration: Calibration, region: Region, *, strictly: bool) -> Weighed:
    """Return *part* with what speaks against its dice, however little it is if *strictly*.

    Dice that lie outside of *region* explain what is seen of them, and do not count.
    """
    tray_mm = calibration.tray_mm
    counted = [c for c in part.chosen if region.into_mm(_top_mm(c, part)) > OUTSIDE_MM]
    changed = _own(_on_floor(part.closeup.changed, part, tray_mm), part, region)
    new = cv2.countNonZero(changed) / part.closeup.side**2
    drawn = silhouette(part.closeup, [c.fit for c in part.chosen], GROW_MM)
    things = _unexplained(part, drawn, tray_mm, region)
    doubt = _doubt(part, counted, drawn, region, strictly=strictly)
    return Weighed(replace(part, chosen=counted), things, doubt, new)


def objection(seen: Sequence[Weighed], calibration: Calibration, dice: int | None, region: Region) -> Objection:
    """Return the fault that speaks against the chosen dice being all dice of the tray, and why; None if nothing does.

    Parameters
    ----------
    seen : sequence of Weighed
        Every closeup of the tray.
    calibration : Calibration
    dice : int or None
        How many dice must lie there.
    region : Region
        What of the tray is read.
    """
    parts = [one.part for one in seen]
    number = sum(len(part.chosen) for part in parts)
    misplaced = _misplaced(seen, calibration.tray_mm, region)
    if misplaced:
        return Fault.OUTSIDE, misplaced
    sure = sum(c.chance >= MIN_CHANCE for part in parts for c in part.chosen)
    if dice is not None and sure > dice:
        return Fault.EXTRA, f"{sure} dice lie in the tray, {dice} are expected"
    things = [thing for one in seen for thing in one.things]
    if things:
        return _name(things, parts, dice)
    pip_alone = any(_shows_a_pip(part, calibration.tray_mm, region) for part in parts if not part.chosen)
    if not number and not pip_alone:
        return Fault.MISSING, NO_DIE
    if dice is not None and number < dice:
        if _is_stack(parts):
            return Fault.STACKED, f"{number} of {dice} dice lie in the tray, and more than one die fills its place"
        return Fault.MISSING, f"{number} of {dice} dice lie in the tray"
    if any(not one.part.chosen and one.on_floor > LONE_SHADOW for one in seen):
        return Fault.OCCLUDED, "something flat and dark lies in the tray, or shades it"
    if pip_alone:
        return Fault.EXTRA, f"{number} dice were read, and a pip is seen where none of them lies"
    if dice is not None and number > dice:
        return Fault.EXTRA, f"{number} dice lie in the tray, {dice} are expected"
    doubts = [one.doubt for one in seen if one.doubt[0] is not None]
    return doubts[0] if doubts else (None, "")


def _misplaced(seen: Sequence[Weighed], tray_mm: tuple[float, float], region: Region) -> str:
    """Return what lies beyond the floor or across the border of what is read, in words; none if nothing does."""
    dice = [(c, one.part) for one in seen for c in one.part.chosen]
    if any(_beyond_floor(c, part, tray_mm) > OUTSIDE_MM for c, part in dice):
        return "a die does not lie wholly on the floor of the tray"
    across = any(region.beyond_mm(_top_mm(c, part)) > OUTSIDE_MM for c, part in dice)
    if across or any(thing.across and thing.area <= BIG_THING for one in seen for thing in one.things):
        return "something lies across the border of the zone that is read"
    return ""


def _is_stack(parts: Sequence[Found]) -> bool:
    """Return whether one of the chosen dice lies on another die."""
    return any(lies_on_another(part, c) for part in parts for c in part.chosen)


def _shows_a_pip(part: Found, tray_mm: tuple[float, float], region: Region) -> bool:
    """Return whether a clear round pip is seen on the floor: clear dice hardly differ from the felt but for them."""
    new = region.cut(_on_floor(part.closeup.changed, part, tray_mm), part.closeup.x, part.closeup.y)
    return any(_is_clear(p) and _at(new, p) for p in part.pips)


def _is_clear(pip: Pip) -> bool:
    levels, roundness = CLEAR_PIP
    return pip.levels >= levels and pip.roundness >= roundness


def _doubt(part: Found, counted: Sequence[Judged], drawn: Gray, region: Region, *, strictly: bool) -> Objection:
    """Return what is wrong with the *counted* dice of one closeup, all *drawn*, when they are as many as expected."""
    for c in counted:
        fault, why = doubt(part, c, strictly=strictly)
        if fault is not None:
            return fault, why
    pairs = ((a, b) for a, b in combinations(part.chosen, 2) if a in counted or b in counted)
    if any(_gap(a, b, part.closeup.side) < -OVERLAP_MM * PX_PER_MM for a, b in pairs):
        return Fault.STACKED, "two dice lie closer than flat dice can"
    body = region.cut(part.closeup.body, part.closeup.x, part.closeup.y)
    over = [p for p in left_over(part.chosen, part.pips) if not _at(drawn, p) and _at(body, p)]
    if over:
        return Fault.UNSURE, f"{len(over)} pips belong to none of the dice"
    other = rival(counted, part.candidates)
    if other is not None:
        return Fault.UNSURE, f"one of the dice could be a {other.fit.face} as well"
    return None, ""


def _at(mask: Gray, pip: Pip) -> bool:
    return bool(mask[_row(mask, pip), _column(mask, pip)])


def _row(mask: Gray | Mask, pip: Pip) -> int:
    return min(round(pip.y), int(mask.shape[0]) - 1)


def _column(mask: Gray | Mask, pip: Pip) -> int:
    return min(round(pip.x), int(mask.shape[1]) - 1)


def _top_mm(die: Candidate, part: Found) -> Doubles:
    """Return the corners of the top of *die* in millimetres of the tray, shape (4, 2)."""
    return np.array(
        [
            ((x + part.closeup.x) / PX_PER_MM - MARGIN_MM, (y + part.closeup.y) / PX_PER_MM - MARGIN_MM)
            for x, y in die.fit.corners()
        ]
    )


def _beyond_floor(die: Candidate, part: Found, tray_mm: tuple[float, float]) -> float:
    """Return how far in millimetres the outermost corner of the top of *die* lies outside the floor."""
    mm = _top_mm(die, part)
    return float(np.maximum(-mm, mm - np.array(tray_mm)).max())


def _gap(a: Candidate, b: Candidate, side: float) -> float:
    """Return the gap between two top faces in pixels, negative where they overlap (separating axes)."""
    first, second = np.array(a.fit.corners(side)), np.array(b.fit.corners(side))
    gaps = []
    for angle in (a.fit.angle, a.fit.angle + pi / 2, b.fit.angle, b.fit.angle + pi / 2):
        axis = np.array([cos(angle), sin(angle)])
        one, two = first @ axis, second @ axis
        gaps.append(max(float(two.min() - one.max()), float(one.min() - two.max())))
    return max(gaps)


@dataclass(frozen=True)
class _Thing:
    """Something in the tray that no die explains.

    Attributes
    ----------
    area
        In top faces of a die.
    picture
        Of its box.
    has_face
        Whether pips on it have the layout of a face: it is a die, though not a flat one.
    has_pips
        Whether clear round spots are on it.
    across
        Whether a part of it lies outside the region that is read.
    """

    area: float
    picture: Frame
    has_face: bool
    has_pips: bool
    across: bool


_PIECE = np.ones((11, 11), np.uint8)
_BESIDE = np.ones((7, 7), np.uint8)


def _unexplained(part: Found, drawn: Gray, tray_mm: tuple[float, float], region: Region) -> list[_Thing]:
    """Return the bodies on the floor, or in part, of *region* that are not within the chosen dice, *drawn*."""
    rest = cv2.bitwise_and(part.closeup.body, cv2.bitwise_not(drawn))
    rest = as_uint8(cv2.morphologyEx(_on_floor(rest, part, tray_mm), cv2.MORPH_OPEN, _PIECE))
    if not cv2.countNonZero(rest):
        return []
    _, labels, stats, _ = cv2.connectedComponentsWithStats(rest)
    by_a_die = cv2.dilate(drawn, _BESIDE) > 0
    inside = region.cut(rest, part.closeup.x, part.closeup.y)
    things = []
    for label, (x, y, w, h, area) in enumerate(stats.tolist()):
        size = area / part.closeup.side**2
        where: Mask = labels == label
        own = np.count_nonzero(inside[where])
        if own and label and size > SMALL_THING and not (size < LONG_SHADOW and _is_shadow(where, by_a_die, part)):
            box = part.closeup.picture[y : y + h, x : x + w]
            has_face = any(x < c.fit.x < x + w and y < c.fit.y < y + h for c in part.disowned if c.fit.face > 1)
            has_pips = any(x < p.x < x + w and y < p.y < y + h for p in part.pips if _is_clear(p))
            things.append(_Thing(size, box, has_face, has_pips, own < area))
    return things


def _is_shadow(where: Mask, by_a_die: Mask, part: Found) -> bool:
    """Whether what lies *where* begins at a die, is darker than the floor all over, and has no pips.

    That is told without its colour: the shadows of clear dice have that of the dice.
    """
    if not bool((where & by_a_die).any()):
        return False
    darker = part.closeup.darker[where]
    pips = any(where[_row(where, pip), _column(where, pip)] for pip in part.pips if pip.roundness > ROUND)
    return not pips and bool(np.count_nonzero(darker) > ALL_DARKER * darker.size)


def _own(mask: Gray, part: Found, region: Region) -> Gray:
    """Return *mask* within *region*, without shadows that come from outside."""
    if region.is_all:
        return mask
    cut = region.cut(mask, part.closeup.x, part.closeup.y)
    _, labels = cv2.connectedComponents(mask)
    foreign = np.unique(labels[(mask > 0) & (cut == 0)])
    bodies = np.unique(labels[(cut > 0) & (part.closeup.body > 0)])
    return np.where(np.isin(labels, np.setdiff1d(foreign, bodies)), np.uint8(0), cut)


def _on_floor(mask: cv2.typing.MatLike, part: Found, tray_mm: tuple[float, float]) -> Gray:
    """Return *mask* without what lies beyond the floor: the rim is lit anew with every throw."""
    edge = (MARGIN_MM - OUTSIDE_MM) * PX_PER_MM
    wide, deep = view_size(tray_mm)
    x0, y0 = max(0, round(edge - part.closeup.x)), max(0, round(edge - part.closeup.y))
    x1, y1 = max(0, round(wide - edge - part.closeup.x)), max(0, round(deep - edge - part.closeup.y))
    kept = np.zeros_like(mask)
    kept[y0:y1, x0:x1] = mask[y0:y1, x0:x1]
    return as_uint8(kept)


def _name(things: Sequence[_Thing], parts: Sequence[Found], dice: int | None) -> tuple[Fault, str]:
    """Return the fault that *things* beside the chosen dice are most like."""
    found = sum(len(part.chosen) for part in parts)
    thing = max(things, key=lambda t: t.area)
    if thing.area > BIG_THING:
        return Fault.OCCLUDED, "something bigger than a die is in the tray"
    if dice is not None and found >= dice:
        if found > dice or any(t.has_pips for t in things):
            return Fault.EXTRA, "another die lies in the tray beside the dice"
        return Fault.OCCLUDED, "something that is no die lies in the tray beside the dice"
    if dice is not None and thing.area < PEEPING and _is_stack(parts):
        return Fault.STACKED, "a die looks out from beneath another"
    blurred = _blurred(parts)
    if any(_sharpness(t.picture) < blurred and not t.has_face for t in things):
        return Fault.MOVING, "a die is blurred"
    bodies = found + sum(max(1, round(t.area / BODY_AREA)) for t in things)
    if dice is not None and bodies < dice:
        return Fault.MISSING, f"{bodies} of {dice} dice lie in the tray, and one of them is not clear"
    return Fault.COCKED, "a die does not lie flat, or its pips are not clear"


def _blurred(parts: Sequence[Found]) -> float:
    """Return the sharpness below which something moves while dice that were found lie still."""
    sharp = [_sharpness(_cut_out(part.closeup, c)) for part in parts for c in part.chosen if c.chance > MIN_CHANCE]
    return BLURRED_PART * float(np.median(sharp)) if sharp else BLURRED


def _cut_out(closeup: Closeup, die: Candidate) -> Frame:
    """Return the picture of a top face and a little more."""
    far = round(0.55 * closeup.side)
    x, y = round(die.fit.x), round(die.fit.y)
    return closeup.picture[max(0, y - far) : y + far, max(0, x - far) : x + far]


def _sharpness(patch: Frame) -> float:
    """Return the steepest edge of *patch* per pixel as a part of its whole contrast."""
    gray = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = np.percentile(gray, [2, 98])
    across, down = np.gradient(cv2.GaussianBlur(gray, (3, 3), 0))
    return float(np.percentile(np.hypot(across, down), 97) / max(high - low, 10.0))
