"""What speaks against a reading of the tray: everything new in it must be explained by whole, flat dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import cos, pi, sin

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.candidates import Candidate
from vision.cover import left_over, rival
from vision.difference import View
from vision.geometry import MARGIN_MM, PX_PER_MM, project, view_to_mm
from vision.pips import Pip
from vision.types import Doubles, Fault, Frame, Gray, Point, as_uint8

OUTSIDE_MM = 1.5
"""By how much a corner of a top face may lie beyond the edge of the floor: rounding, and the edge's own error."""

OVERLAP_MM = 1.6
"""By how much two top faces may seem to overlap: flat dice do not, measured on touching ones it is 0.9 at most."""

MAX_HOLE = 0.045
"""Part of a top face, within the outline that a flat die must have, where no body is. Flat dice leave 0.04 at most,
dice that lean by 18 degrees and more leave more, or stick out."""

MAX_STICKING_OUT = 0.02
"""Part of a top face, as different from the felt as half the die is, that lies outside that outline. Flat dice: 0.011;
reflections are weaker than that."""

SHRINK_MM = 1.0
EDGE_MM = 1.3
GROW_MM = 3.5
"""The outline is drawn this much smaller to look for holes, and larger by the second to look for what sticks out of
a die, by the third for things of their own: edges are soft, and a bright die lights the felt beside it."""

FLAT_TOP = 0.855
ROUND_SIDE = 0.46
"""Mean roundness of the pips of a top face and roundness of a pip on a side of the same die: a die that leans by 20
degrees turns the top's below the first and a side's above the second. Shading alone flattens the top's only."""

RELIABLE_BODY = 0.97
"""Part of a top face that must count as body for its outline to be trusted; a black die is much like a shadow."""

BIG_THING = 6.0
SMALL_THING = 0.3
"""Areas in top faces of a die: bigger is a hand or a cup, smaller is dirt or a reflection."""

BODY_AREA = 1.3
"""Top face and visible sides of one die, in top faces."""


@dataclass(frozen=True)
class Scene:
    """What the view shows.

    Attributes
    ----------
    view
        The straightened tray.
    pips
        What may be a pip, in pixels of the view.
    candidates
        The dice they may belong to.
    side
        Side of a die in pixels of the view.
    """

    view: View
    pips: tuple[Pip, ...]
    candidates: tuple[Candidate, ...]
    side: float


def objection(
    scene: Scene, chosen: Sequence[Candidate], calibration: Calibration, dice: int | None
) -> tuple[Fault | None, str]:
    """Return the fault that speaks against *chosen* being all dice of the tray, and why; None when nothing does."""
    if any(_beyond_floor(c.fit.corners(), calibration.tray_mm) > OUTSIDE_MM for c in chosen):
        return Fault.OUTSIDE, "a die does not lie wholly on the floor of the tray"
    if dice is not None and len(chosen) > dice:
        return Fault.EXTRA, f"{len(chosen)} dice lie in the tray, {dice} are expected"
    thing = _unexplained(scene, chosen, calibration)
    if thing is not None:
        return _name(thing, scene, len(chosen), dice)
    if dice is not None and len(chosen) < dice:
        return Fault.MISSING, f"{len(chosen)} of {dice} dice lie in the tray"
    if not chosen:
        return Fault.MISSING, "the tray is empty"
    return _doubt(scene, chosen, calibration)


def _doubt(scene: Scene, chosen: Sequence[Candidate], calibration: Calibration) -> tuple[Fault | None, str]:
    """Return what is wrong with dice that are as many as expected."""
    drawn = _outlines(scene, chosen, calibration, EDGE_MM)
    for c in chosen:
        hole, out = _hole(scene, c, calibration), _sticking_out(scene, c, drawn)
        if hole > MAX_HOLE or out > MAX_STICKING_OUT:
            return Fault.COCKED, f"a die leans: {hole:.0%} of it is missing, {out:.0%} sticks out"
        if _leaning_pips(scene, c, chosen):
            return Fault.COCKED, "a die leans: the pips on its side are too round for a flat die"
    if any(_gap(a, b, scene.side) < -OVERLAP_MM * PX_PER_MM for a, b in combinations(chosen, 2)):
        return Fault.STACKED, "two dice lie closer than flat dice can"
    outlines = _outlines(scene, chosen, calibration, GROW_MM)
    over = [p for p in left_over(chosen, scene.pips) if not _at(outlines, p) and _at(scene.view.body, p)]
    if over:
        return Fault.UNSURE, f"{len(over)} pips belong to none of the dice"
    other = rival(chosen, scene.candidates)
    if other is not None:
        return Fault.UNSURE, f"one of the dice could be a {other.fit.face} as well"
    return None, ""


def _at(mask: Gray, pip: Pip) -> bool:
    rows, columns = mask.shape
    return bool(mask[min(round(pip.y), rows - 1), min(round(pip.x), columns - 1)])


def _beyond_floor(corners: Sequence[Point], tray_mm: tuple[float, float]) -> float:
    """Return how far in millimetres the outermost of *corners* (pixels of the view) lies outside the floor."""
    mm = np.array(project(view_to_mm(), corners))
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


def _outlines(scene: Scene, chosen: Sequence[Candidate], calibration: Calibration, grow_mm: float) -> Gray:
    """Draw where flat dice must be seen: hulls of their tops and of their feet, which the camera sees elsewhere."""
    drawn = np.zeros(scene.view.body.shape, np.uint8)
    feet = _floor_to_view(scene, calibration)
    for c in chosen:
        top = c.fit.corners(scene.side + 2 * grow_mm * PX_PER_MM)
        bottom = project(feet, project(view_to_mm(), top))
        hull = cv2.convexHull(np.array([*top, *bottom], np.float32))
        cv2.fillConvexPoly(drawn, np.round(hull).astype(np.int32), 255)
    return drawn


def _floor_to_view(scene: Scene, calibration: Calibration) -> Doubles:
    """Homography from millimetres of the floor to pixels of the view, the tremble of the mount included."""
    tremble = scene.view.to_px @ np.linalg.inv(calibration.view_to_px)
    return np.asarray(np.linalg.inv(scene.view.to_px) @ tremble @ calibration.floor, np.float64)


def _hole(scene: Scene, die: Candidate, calibration: Calibration) -> float:
    """Return the part of a top face, inside the outline of *die* as a flat one, where no body is."""
    top = _square(scene, die, scene.side - 2 * SHRINK_MM * PX_PER_MM)
    covered = cv2.countNonZero(cv2.bitwise_and(top, scene.view.body)) / max(1, cv2.countNonZero(top))
    mask = scene.view.body if covered > RELIABLE_BODY else scene.view.changed
    outline = _outlines(scene, [die], calibration, -SHRINK_MM)
    return _area(scene, cv2.bitwise_and(outline, cv2.bitwise_not(mask)))


def _sticking_out(scene: Scene, die: Candidate, outlines: Gray) -> float:
    """Return the part of a top face that lies beside *die*, outside of all *outlines*, and is much like the die."""
    own = float(np.median(scene.view.delta[_square(scene, die, 0.8 * scene.side) > 0]))
    near = cv2.bitwise_and(_square(scene, die, 2.2 * scene.side), cv2.bitwise_not(outlines))
    alike = (scene.view.delta > 0.5 * own).astype(np.uint8) * 255
    return _area(scene, cv2.bitwise_and(cv2.bitwise_and(near, scene.view.body), alike))


def _leaning_pips(scene: Scene, die: Candidate, chosen: Sequence[Candidate]) -> bool:
    """Return whether the top's pips are flatter, and a side's rounder, than those of a flat die."""
    if float(np.mean([scene.pips[i].roundness for i in die.fit.pips])) > FLAT_TOP:
        return False
    used = {i for c in chosen for i in c.fit.pips}
    diameter = float(np.median([scene.pips[i].diameter for i in die.fit.pips]))
    for i, pip in enumerate(scene.pips):
        across, along = sorted(map(abs, die.fit.on_face(pip.x, pip.y)))
        beside = across < 0.45 < along < 0.9 and 0.4 < pip.diameter / diameter < 1.2
        if beside and i not in used and pip.roundness > ROUND_SIDE:
            return True
    return False


def _square(scene: Scene, die: Candidate, side: float) -> Gray:
    drawn = np.zeros(scene.view.body.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.round(np.array(die.fit.corners(side))).astype(np.int32), 255)
    return drawn


def _area(scene: Scene, mask: cv2.typing.MatLike) -> float:
    """Return the area of *mask* without specks, in top faces."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return float(np.count_nonzero(opened) / scene.side**2)


@dataclass(frozen=True)
class _Thing:
    """Something in the tray that no die explains: its area in top faces, its box (x, y, w, h) in the view."""

    area: float
    box: tuple[int, int, int, int]


def _unexplained(scene: Scene, chosen: Sequence[Candidate], calibration: Calibration) -> _Thing | None:
    """Return the biggest body on the floor that is not within the outline of a chosen die."""
    rest = cv2.bitwise_and(scene.view.body, cv2.bitwise_not(_outlines(scene, chosen, calibration, GROW_MM)))
    rest = as_uint8(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((11, 11), np.uint8)))
    edge = round((MARGIN_MM - OUTSIDE_MM) * PX_PER_MM)
    floor = np.zeros_like(rest)
    floor[edge:-edge, edge:-edge] = rest[edge:-edge, edge:-edge]
    _, _, stats, _ = cv2.connectedComponentsWithStats(floor)
    if len(stats) < 2:
        return None
    x, y, w, h, area = stats[1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))].tolist()
    thing = _Thing(area / scene.side**2, (x, y, w, h))
    return thing if thing.area > SMALL_THING else None


def _name(thing: _Thing, scene: Scene, found: int, dice: int | None) -> tuple[Fault, str]:
    """Return the fault that *thing* is most like."""
    if thing.area > BIG_THING:
        return Fault.OCCLUDED, "something bigger than a die is in the tray"
    if dice is not None and found >= dice:
        return Fault.EXTRA, "something else lies in the tray beside the dice"
    bodies = found + max(1, round(thing.area / BODY_AREA))
    x, y, w, h = thing.box
    if _sharpness(scene.view.picture[y : y + h, x : x + w]) < 0.16:
        return Fault.MOVING, "a die is blurred"
    if dice is not None and bodies < dice:
        return Fault.MISSING, f"{bodies} of {dice} dice lie in the tray, and one of them is not clear"
    return Fault.COCKED, "a die does not lie flat, or its pips are not clear"


def _sharpness(patch: Frame) -> float:
    """Return the steepest edge of *patch* per pixel as a part of its whole contrast: 0.3 is sharp, 0.1 is blurred."""
    gray = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = np.percentile(gray, [2, 98])
    across, down = np.gradient(cv2.GaussianBlur(gray, (3, 3), 0))
    return float(np.percentile(np.hypot(across, down), 97) / max(high - low, 10.0))
