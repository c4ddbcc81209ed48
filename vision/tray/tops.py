"""Where the tops of dice lie: on the floor or beyond it, apart from others, or near enough to lean."""

from __future__ import annotations

from math import cos, inf, pi, sin

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.geometry import MARGIN_MM, PX_PER_MM, view_size
from vision.tray.closeup import Closeup
from vision.tray.found import Found
from vision.types import Doubles, Gray, as_uint8
from vision.zone import Region

OUTSIDE_MM = 2.5
"""By how much a corner of a top face may lie beyond the edge of the floor: rounding, and the edge's own error."""

PROP = 0.5
"""What a die leans on is no farther than this from where its top would be, did it lie flat, in sides: as far as a side
reaches that is raised by 30 degrees. One that leans more is seen to."""


def top_mm(die: Candidate, close: Closeup) -> Doubles:
    """Return the corners of the top of *die*, found in *close*, in millimetres of the tray, shape (4, 2)."""
    return np.array(
        [((x + close.x) / PX_PER_MM - MARGIN_MM, (y + close.y) / PX_PER_MM - MARGIN_MM) for x, y in die.fit.corners()]
    )


def lies_in(die: Candidate, close: Closeup, region: Region) -> bool:
    """Return whether *die*, found in *close*, lies in *region* or reaches into it: it counts there."""
    return region.into_mm(top_mm(die, close)) > OUTSIDE_MM


def beyond_floor(die: Candidate, part: Found, tray_mm: tuple[float, float]) -> float:
    """Return how far in millimetres the outermost corner of the top of *die* lies outside the floor."""
    mm = top_mm(die, part.closeup)
    return float(np.maximum(-mm, mm - np.array(tray_mm)).max())


def may_lean(die: Candidate, part: Found, tray_mm: tuple[float, float]) -> bool:
    """Return whether *die* is so near to the rim or to another die that it may lean on it."""
    return room_beside(die, part, tray_mm) < PROP


def room_beside(die: Candidate, part: Found, tray_mm: tuple[float, float]) -> float:
    """Return how far the top of *die* is from the nearest that it could lean on, the rim or another die, in sides."""
    side = part.closeup.side
    to_dice = min((gap(die, c, side) / side for c in part.chosen if c is not die), default=inf)
    return min(to_dice, -beyond_floor(die, part, tray_mm) * PX_PER_MM / side)


def gap(a: Candidate, b: Candidate, side: float) -> float:
    """Return the gap between two top faces in pixels, negative where they overlap (separating axes)."""
    first, second = np.array(a.fit.corners(side)), np.array(b.fit.corners(side))
    gaps = []
    for angle in (a.fit.angle, a.fit.angle + pi / 2, b.fit.angle, b.fit.angle + pi / 2):
        axis = np.array([cos(angle), sin(angle)])
        one, two = first @ axis, second @ axis
        gaps.append(max(float(two.min() - one.max()), float(one.min() - two.max())))
    return max(gaps)


def on_floor(
    mask: cv2.typing.MatLike, part: Found, tray_mm: tuple[float, float], beyond_mm: float = OUTSIDE_MM
) -> Gray:
    """Return *mask* without what lies farther beyond the floor: the rim is lit anew with every throw."""
    edge = (MARGIN_MM - beyond_mm) * PX_PER_MM
    wide, deep = view_size(tray_mm)
    x0, y0 = max(0, round(edge - part.closeup.x)), max(0, round(edge - part.closeup.y))
    x1, y1 = max(0, round(wide - edge - part.closeup.x)), max(0, round(deep - edge - part.closeup.y))
    kept = np.zeros_like(mask)
    kept[y0:y1, x0:x1] = mask[y0:y1, x0:x1]
    return as_uint8(kept)
