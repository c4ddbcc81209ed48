"""What is small and no shadow, and yet a thing: what looks out from beneath a die, or lies where none does."""

from __future__ import annotations

import cv2
import numpy as np

from vision.tray.found import Found, Judged
from vision.tray.leaning import area_of, own_delta
from vision.tray.silhouette import silhouette, square
from vision.tray.tops import on_floor
from vision.types import Gray, as_uint8
from vision.zone import Region

NEAR = 2.2
"""So many sides wide is what is looked at around a die."""

BENEATH, BENEATH_MM = 0.01, 0.7
"""Part of a top face that must look out from beneath a die, and be no shadow, for it to lie on another one where one
die less is told than must lie there; how much larger its outline is drawn to look for that."""

LOOKS_OUT, LOOKS_OUT_MM = 0.01, 1.0
"""The same, of what differs clearly from the felt and has steep edges, for a die not to lie on the floor whatever else
was told. Of 1,996 drawn throws that were read right none has half as much; of 17 photorealistic ones with a die half
upon another, of which the upper one was read, all have more."""

BENEATH_DELTA, LEAST_DELTA = 18.0, 28.0
LEAST_OF_OWN = 0.2
"""By how much it differs from the felt, in grey levels and as a part of what the top of the die does, whichever is
more: where one die less is told, and whatever was. Light that dice throw on the felt has up to 25, and colour that a
film smears over their edges up to 0.2. Of 22 photorealistic throws with one die less than must lie there six were
called stacked for such light; none has 18, all of 147 drawn stacks do."""

STEEP, STEEPEST = 9.0, 90
"""Lab units per pixel of the view of such edges, and the percentile of all its pixels that stands for them. Of light
that a bright die throws on dark felt it is 5 at most, of dice and their pips 10 to 50."""

ALONE = 0.1
"""Area in top faces of what is clear, has edges and lies apart from all dice from which it is no dirt: a cap of the
felt's colour but for its middle had 0.28; in 2,500 drawn throws that were read right nothing had 0.03."""

EDGE_MM = 1.0
"""So near to the rim nothing is looked for: it mirrors dice, and they light it."""

_SPECK = np.ones((3, 3), np.uint8)
_AROUND = np.ones((7, 7), np.uint8)


def lies_on_another(part: Found, die: Judged, tray_mm: tuple[float, float]) -> bool:
    """Return whether something that is no shadow, of whatever colour, looks out from beneath *die*, on the floor."""
    lit, _ = _lit_beside(part, die, BENEATH_MM)
    lit = on_floor(_clear_of(lit, part, die, BENEATH_DELTA), part, tray_mm, beyond_mm=-EDGE_MM)
    return area_of(part.closeup, lit) > BENEATH


def lies_on_something(part: Found, die: Judged, tray_mm: tuple[float, float]) -> bool:
    """Return whether something that has edges, and is no shadow, looks out from beneath *die*, whatever was told.

    That is a die, and not what is larger and beside it (`vision.tray.beside.unexplained`); nor light that *die* throws
    on the floor, or its image in the rim.
    """
    lit, outlines = _lit_beside(part, die, LOOKS_OUT_MM)
    if cv2.countNonZero(lit) < LOOKS_OUT * part.closeup.side**2:
        return False
    lit = _clear_of(lit, part, die, LEAST_DELTA)
    lit = as_uint8(cv2.morphologyEx(on_floor(lit, part, tray_mm, beyond_mm=-EDGE_MM), cv2.MORPH_OPEN, _SPECK))
    if cv2.countNonZero(lit) < LOOKS_OUT * part.closeup.side**2:
        return False
    return _has_edges(part, lit, outlines)


def lies_alone(part: Found, tray_mm: tuple[float, float], region: Region) -> bool:
    """Return whether something too small for a die, that is clear and has edges, lies in *part*, where no die does."""
    close = part.closeup
    lit = region.cut(close.lit, close.x, close.y)
    lit = on_floor(np.where(close.delta < LEAST_DELTA, np.uint8(0), lit), part, tray_mm, beyond_mm=-EDGE_MM)
    lit = as_uint8(cv2.morphologyEx(lit, cv2.MORPH_OPEN, _SPECK))
    return cv2.countNonZero(lit) > ALONE * close.side**2 and _has_edges(part, lit, np.zeros_like(lit))


def _clear_of(lit: Gray, part: Found, die: Judged, least: float) -> Gray:
    """Return what of *lit* differs from the felt by *least* grey levels, and a part of what the top of *die* does."""
    delta = part.closeup.delta
    return np.where(delta < max(least, LEAST_OF_OWN * own_delta(part.closeup, die)), np.uint8(0), lit)


def _has_edges(part: Found, lit: Gray, outlines: Gray) -> bool:
    """Return whether what is *lit*, or what bounds it beyond the *outlines* of dice, has edges as things have."""
    where = (cv2.dilate(lit, _AROUND) > 0) & (outlines == 0)
    lab = part.closeup.lab.astype(np.float32)
    slopes = [cv2.Sobel(lab, cv2.CV_32F, *order, scale=1 / 8)[where] for order in ((1, 0), (0, 1))]
    return float(np.percentile(np.linalg.norm(np.hstack(slopes), axis=1), STEEPEST)) > STEEP


def _lit_beside(part: Found, die: Judged, mm: float) -> tuple[Gray, Gray]:
    """Return what is near *die* and no shadow, outside the outlines of all dice, drawn *mm* larger; and these."""
    close = part.closeup
    outlines = silhouette(close, [c.fit for c in part.chosen], mm)
    near = cv2.bitwise_and(square(close, die.fit, NEAR), cv2.bitwise_not(outlines))
    return as_uint8(cv2.bitwise_and(near, close.lit)), outlines
