"""Does a die lie flat? Its outline, its holes and the pips on its sides must be where those of a flat die are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.closeup import Closeup
from vision.geometry import PX_PER_MM
from vision.pips import Pip
from vision.types import Doubles, Gray

MAX_HOLE = 0.045
"""Part of a top face, within the outline that a flat die must have, where no body is. Flat dice leave 0.04 at most,
dice that lean by 18 degrees and more leave more, or stick out."""

MAX_STICKING_OUT = 0.02
"""Part of a top face, as different from the felt as half the die is, that lies outside that outline. Flat dice: 0.011;
reflections are weaker than that."""

SHRINK_MM = 1.0
EDGE_MM = 1.3
"""The outline is drawn this much smaller to look for holes, and larger by the second to look for what sticks out."""

FLAT_TOP = 0.855
ROUND_SIDE = 0.46
"""Mean roundness of the pips of a top face and roundness of a pip on a side of the same die: a die that leans by 20
degrees turns the top's below the first and a side's above the second. Shading alone flattens the top's only."""

RELIABLE_BODY = 0.97
"""Part of a top face that must count as body for its outline to be trusted; a black die is much like a shadow."""


@dataclass(frozen=True, eq=False)
class Found:
    """A closeup, and what was made of it.

    Attributes
    ----------
    closeup
        The picture and what is new in it.
    pips
        What may be a pip, in its pixels.
    candidates
        The dice they may belong to.
    chosen
        Those of them that explain most together.
    side
        Side of a die in its pixels.
    feet
        Homography in its pixels, from where a flat die's top is seen to where its foot is: float64, shape (3, 3).
    view_size
        Width and height of the whole straightened view in pixels.
    """

    closeup: Closeup
    pips: Sequence[Pip]
    candidates: Sequence[Candidate]
    chosen: Sequence[Candidate]
    side: float
    feet: Doubles
    view_size: tuple[int, int]


def leans(part: Found, die: Candidate) -> str:
    """Return why *die* cannot lie flat, in words, or nothing."""
    hole, out = _hole(part, die), _sticking_out(part, die)
    if hole > MAX_HOLE or out > MAX_STICKING_OUT:
        return f"a die leans: {hole:.0%} of it is missing, {out:.0%} sticks out"
    if _leaning_pips(part, die):
        return "a die leans: the pips on its side are too round for a flat die"
    return ""


def outline(part: Found, dice: Sequence[Candidate], grow_mm: float) -> Gray:
    """Draw where flat *dice* must be seen: hulls of their tops and of their feet, which the camera sees elsewhere.

    Returns
    -------
    ndarray of uint8, 0 or 255, of the closeup's shape
    """
    drawn = np.zeros(part.closeup.body.shape, np.uint8)
    for die in dice:
        top = np.array(die.fit.corners(part.side + 2 * grow_mm * PX_PER_MM))
        foot = cv2.perspectiveTransform(top[None], part.feet)[0]
        hull = cv2.convexHull(np.concatenate([top, foot]).astype(np.float32))
        cv2.fillConvexPoly(drawn, np.round(hull).astype(np.int32), 255)
    return drawn


def _hole(part: Found, die: Candidate) -> float:
    """Return the part of a top face, inside the outline of *die* as a flat one, where no body is."""
    top = _square(part, die, part.side - 2 * SHRINK_MM * PX_PER_MM)
    covered = cv2.countNonZero(cv2.bitwise_and(top, part.closeup.body)) / max(1, cv2.countNonZero(top))
    mask = part.closeup.body if covered > RELIABLE_BODY else part.closeup.changed
    return _area(part, cv2.bitwise_and(outline(part, [die], -SHRINK_MM), cv2.bitwise_not(mask)))


def _sticking_out(part: Found, die: Candidate) -> float:
    """Return the part of a top face that lies beside *die*, outside of all outlines, and is much like the die."""
    inner = _square(part, die, 0.8 * part.side) > 0
    own = float(np.median(part.closeup.delta[inner]))
    near = cv2.bitwise_and(_square(part, die, 2.2 * part.side), cv2.bitwise_not(outline(part, part.chosen, EDGE_MM)))
    alike = (part.closeup.delta > 0.5 * own).astype(np.uint8) * 255
    return _area(part, cv2.bitwise_and(cv2.bitwise_and(near, part.closeup.body), alike))


def _leaning_pips(part: Found, die: Candidate) -> bool:
    """Return whether the top's pips are flatter, and a side's rounder, than those of a flat die."""
    if float(np.mean([part.pips[i].roundness for i in die.fit.pips])) > FLAT_TOP:
        return False
    used = {i for c in part.chosen for i in c.fit.pips}
    diameter = float(np.median([part.pips[i].diameter for i in die.fit.pips]))
    for i, pip in enumerate(part.pips):
        across, along = sorted(map(abs, die.fit.on_face(pip.x, pip.y)))
        beside = across < 0.45 < along < 0.9 and 0.4 < pip.diameter / diameter < 1.2
        if beside and i not in used and pip.roundness > ROUND_SIDE:
            return True
    return False


def _square(part: Found, die: Candidate, side: float) -> Gray:
    drawn = np.zeros(part.closeup.body.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.round(np.array(die.fit.corners(side))).astype(np.int32), 255)
    return drawn


_SPECK = np.ones((3, 3), np.uint8)


def _area(part: Found, mask: cv2.typing.MatLike) -> float:
    """Return the area of *mask* without specks, in top faces."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SPECK)
    return cv2.countNonZero(opened) / part.side**2
