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
from vision.cover import left_over, rival
from vision.geometry import MARGIN_MM, PX_PER_MM, view_size
from vision.leaning import CERTAIN, MIN_CHANCE, Found, Judged, doubt, is_told_by_opinion_alone
from vision.naming import BIG_THING, Thing, filled, flat_area, is_stack, name
from vision.pips import Pip
from vision.silhouette import silhouette
from vision.types import Doubles, Fault, Gray, Mask, Point, as_uint8
from vision.zone import Region

OUTSIDE_MM = 2.5
"""By how much a corner of a top face may lie beyond the edge of the floor: rounding, and the edge's own error."""

OVERLAP_MM = 1.6
"""By how much two top faces may seem to overlap: flat dice do not, measured on touching ones it is 0.9 at most."""

GROW_MM = 3.5
"""The outlines of dice are drawn this much larger to look for other things: edges are soft, and a bright die lights
the felt beside it."""

SMALL_THING = 0.3
"""Area in top faces: what is smaller is dirt or a reflection."""

SPECKS = 0.02
"""Area in top faces of what is new beside the dice and no shadow, however small its pieces, from which a quick look is
not enough: of a die that is like the felt nothing but its pips may be new, and red ones are not seen in grey."""

LONE_SHADOW = 0.6
"""Area in top faces of one piece apart from all dice: a shadow from there on is something else's, or a dark thing."""

LONG_SHADOW = 4.0
ALL_DARKER = 0.97
ROUND = 0.7
"""What is smaller than the first in top faces, and darker than the floor on so much of its area, is a shadow, unless
a pip of such roundness shows on it."""

CLEAR_PIP = (8, 0.8)
"""Grey levels, in steps, and roundness of a spot that nothing but a pip is."""

ON_BODY = 0.7
"""Part of the square within a pip that must be new, and no shadow, for the pip to be there; that square's width in
diameters."""

PROP_MM = 5.0
"""What a die leans on is no farther than this from where its top would be, did it lie flat."""

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
    specks
        How much is beside its dice and no shadow, in top faces, small pieces included.
    apart
        The largest piece of what is new on the floor and touches none of its dice, in top faces, shadows included.
    """

    part: Found
    things: Sequence[Thing]
    doubt: Objection
    on_floor: float
    specks: float
    apart: float

    @property
    def stands(self) -> bool:
        """Whether dice explain all of it, and nothing speaks against them."""
        return bool(self.part.chosen) and not self.things and self.doubt[0] is None

    @property
    def specked(self) -> bool:
        """Whether so much is new beside its dice that pips may be seen there at a last look."""
        return self.specks > SPECKS

    @property
    def unclear(self) -> list[Point]:
        """Middles, in pixels of the closeup, of what does not lie there as a flat die does."""
        doubtful = [] if self.doubt[0] is None else [c for c in self.part.chosen if _is_doubtful(self.part, c)]
        return [*(thing.middle for thing in self.things), *((c.fit.x, c.fit.y) for c in doubtful)]

    @property
    def settled(self) -> bool:
        """Whether dice lie clearly there, explain all of it, and nothing speaks against them; or no die can."""
        chosen = self.part.chosen
        if self.specked:
            return False
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
    beside = _on_floor(cv2.bitwise_and(part.closeup.body, cv2.bitwise_not(drawn)), part, tray_mm)
    things = _unexplained(part, beside, drawn, region)
    doubt = _doubt(part, counted, drawn, region, strictly=strictly)
    if doubt[0] is None and counted and (alone := _pips_in_shadow(part, drawn, tray_mm, region)):
        doubt = Fault.UNSURE, f"{alone} pips belong to none of the dice"
    if doubt[0] is None and any(_may_lean(c, part, tray_mm) and is_told_by_opinion_alone(part, c) for c in counted):
        doubt = Fault.COCKED, "a die may lean on the rim or on another: nothing is seen of its outline"
    specks = _specks(part, _own(beside, part, region))
    return Weighed(replace(part, chosen=counted), things, doubt, new, specks, _apart(part, changed, drawn))


def _is_doubtful(part: Found, die: Judged) -> bool:
    return doubt(part, die, strictly=False)[0] is not None


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
        return name(things, parts, dice)
    pip_alone = any(_shows_a_pip(part, calibration.tray_mm, region) for part in parts if not part.chosen)
    if not number and not pip_alone:
        return Fault.MISSING, NO_DIE
    if dice is not None and number < dice:
        if is_stack(parts):
            return Fault.STACKED, f"{number} of {dice} dice lie in the tray, and more than one die fills its place"
        return Fault.MISSING, f"{number} of {dice} dice lie in the tray"
    if any(one.apart > LONE_SHADOW or (not one.part.chosen and one.on_floor > LONE_SHADOW) for one in seen):
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


def _clear_pips(part: Found, tray_mm: tuple[float, float], region: Region) -> tuple[Gray, list[Pip]]:
    """Return what is new on the floor, bodies and shadows, and the clear round pips on it."""
    new = region.cut(_on_floor(part.closeup.changed, part, tray_mm), part.closeup.x, part.closeup.y)
    return new, [pip for pip in part.pips if _is_clear(pip) and _at(new, pip)]


def _shows_a_pip(part: Found, tray_mm: tuple[float, float], region: Region) -> bool:
    """Return whether a clear round pip is seen on the floor: clear dice hardly differ from the felt but for them."""
    return bool(_clear_pips(part, tray_mm, region)[1])


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
    over = [p for p in left_over(part.chosen, part.pips) if not _at(drawn, p) and _lies_on(body, p)]
    if over:
        return Fault.UNSURE, f"{len(over)} pips belong to none of the dice"
    other = rival(counted, part.candidates)
    if other is not None:
        return Fault.UNSURE, f"one of the dice could be a {other.fit.face} as well"
    return None, ""


def _pips_in_shadow(part: Found, drawn: Gray, tray_mm: tuple[float, float], region: Region) -> int:
    """Return how many clear pips lie beside the dice on what is new, be it a body or a shadow, which has none.

    Of a die that is darker than the felt in every channel all may be taken for a shadow.
    """
    new, pips = _clear_pips(part, tray_mm, region)
    return sum(not _at(drawn, pip) and _lies_on(new, pip) for pip in pips)


def _lies_on(body: Gray, pip: Pip) -> bool:
    """Return whether *pip* lies on *body*: a speck is looked at with a rim around it, and seems as large as a pip."""
    if not _at(body, pip):
        return False
    half = pip.diameter / 2 * ON_BODY
    rows, columns = (slice(max(0, round(at - half)), round(at + half) + 1) for at in (pip.y, pip.x))
    return float(body[rows, columns].mean()) > 255 * ON_BODY


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


def _may_lean(die: Candidate, part: Found, tray_mm: tuple[float, float]) -> bool:
    """Return whether *die* is so near to the rim or to another die that it may lean on it."""
    others = (c for c in part.chosen if c is not die)
    beside = any(_gap(die, c, part.closeup.side) < PROP_MM * PX_PER_MM for c in others)
    return beside or _beyond_floor(die, part, tray_mm) > -PROP_MM


def _gap(a: Candidate, b: Candidate, side: float) -> float:
    """Return the gap between two top faces in pixels, negative where they overlap (separating axes)."""
    first, second = np.array(a.fit.corners(side)), np.array(b.fit.corners(side))
    gaps = []
    for angle in (a.fit.angle, a.fit.angle + pi / 2, b.fit.angle, b.fit.angle + pi / 2):
        axis = np.array([cos(angle), sin(angle)])
        one, two = first @ axis, second @ axis
        gaps.append(max(float(two.min() - one.max()), float(one.min() - two.max())))
    return max(gaps)


_PIECE = np.ones((11, 11), np.uint8)
_SPECK = np.ones((5, 5), np.uint8)
_BESIDE = np.ones((7, 7), np.uint8)
_WITHIN = np.ones((5, 5), np.uint8)
_AROUND = 4
_OUTLINED = np.ones((2 * _AROUND + 1, 2 * _AROUND + 1), np.uint8)


def _apart(part: Found, changed: Gray, drawn: Gray) -> float:
    """Return the largest piece of what has *changed* that touches none of the dice, *drawn*, in top faces."""
    least = LONE_SHADOW * part.closeup.side**2
    if cv2.countNonZero(cv2.bitwise_and(changed, cv2.bitwise_not(drawn))) < least:
        return 0.0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(changed)
    touching = set(np.unique(labels[drawn > 0]).tolist())
    areas = [area for label, (*_, area) in enumerate(stats.tolist()) if label and label not in touching]
    return max(areas, default=0) / part.closeup.side**2


def _specks(part: Found, beside: Gray) -> float:
    """Return how much is new *beside* the dice and no shadow, in top faces."""
    lit = cv2.bitwise_and(beside, cv2.bitwise_not(part.closeup.darker))
    return cv2.countNonZero(cv2.morphologyEx(lit, cv2.MORPH_OPEN, _SPECK)) / part.closeup.side**2


def _unexplained(part: Found, beside: Gray, drawn: Gray, region: Region) -> list[Thing]:
    """Return the bodies among what is *beside* the chosen dice, *drawn*, that lie in *region*, or in part."""
    rest = as_uint8(cv2.morphologyEx(beside, cv2.MORPH_OPEN, _PIECE))
    if not cv2.countNonZero(rest):
        return []
    _, labels, stats, _ = cv2.connectedComponentsWithStats(rest)
    by_a_die = cv2.dilate(drawn, _BESIDE) > 0
    apart = cv2.erode(drawn, _WITHIN) == 0
    inside = region.cut(rest, part.closeup.x, part.closeup.y)
    things = []
    for label, (x, y, w, h, area) in enumerate(stats.tolist()):
        size = area / part.closeup.side**2
        where: Mask = labels == label
        own = np.count_nonzero(inside[where])
        if own and label and size > SMALL_THING and not (size < LONG_SHADOW and _is_shadow(where, by_a_die, part)):
            box = np.s_[max(0, y - _AROUND) : y + h + _AROUND, max(0, x - _AROUND) : x + w + _AROUND]
            outlined = cv2.dilate(as_uint8(where[box].astype(np.uint8)), _OUTLINED) > 0
            has_face = any(x < c.fit.x < x + w and y < c.fit.y < y + h for c in part.disowned if c.fit.face > 1)
            has_pips = any(x < p.x < x + w and y < p.y < y + h for p in part.pips if _is_clear(p))
            thing = Thing(
                area=size,
                middle=(x + w / 2, y + h / 2),
                lit=np.count_nonzero(where & (part.closeup.darker == 0)) / part.closeup.side**2,
                flat=flat_area(part.closeup, where),
                filled=filled(where),
                picture=part.closeup.picture[box],
                where=outlined & apart[box],
                has_face=has_face,
                has_pips=has_pips,
                across=own < area,
            )
            things.append(thing)
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
