"""What is wrong with a throw that is refused already: the name that its bodies are most like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import cv2
import numpy as np

from vision.layouts import FaceFit
from vision.tray.beneath import lies_on_another
from vision.tray.climbing import Stride, chances_at
from vision.tray.closeup import Closeup
from vision.tray.found import Found
from vision.tray.leaning import MIN_CHANCE
from vision.tray.opinion import ALL_TURNS, MOVES, Asked
from vision.tray.silhouette import foot_beside, silhouette
from vision.types import Fault, Frame, Mask, Point

BIG_THING = 6.0
"""Area in top faces of a die, with what of it is over the rim: bigger is a hand or a cup."""

PEEPING = 0.5
"""Area in top faces up to which what was not explained may be the die beneath another."""

BODY_AREA = 1.3
"""Top face and visible sides of one die, in top faces."""

LARGER = 1.05
"""By what factor a single body, without what is darker than the floor, must be larger than a flat die is seen there,
for it to be more than one: of 10 drawn stacks 8 were by 1.07 and more, shadows included; of 11 lone dice none by more
than 1.01, of 56 others one."""

OF_A_DIE = (0.5, 1.3)
SQUARE = 0.84
"""Area, as a part of what a flat die fills there, and `Thing.filled` of what is a die though no pip is seen on it."""

USUAL_SHARPNESS = 0.13
BLURRED = 0.5
"""`sharpness` of dice that lie still, as a median, on drawn throws and on photographs; and the part of it, or of that
of the dice that were found where this is less, below which a die moves."""

WAYS = 16
STEEPEST = 97
"""Ways in half a turn in which the edges of anything are crossed, and the percentile of all pixels that stands for the
steepest of them."""

REACH = 8
"""Pixels around what lies there that its edges depend on, at most."""

LEAST_CONTRAST = 10.0
"""Grey levels: what has less contrast has no edges, but noise."""

OUTLINE_MM = 2.0
"""How much larger the outline of a die is drawn to look for its edges."""

FROM_ALL = Stride(0.0, 0.0, ALL_TURNS, Asked.OF_MOTION)
"""How the network that tells motion is asked of what has no face: just there, and from all sides."""

COVERED = Fault.OCCLUDED, "something bigger than a die is in the tray"
STRANGE = Fault.OCCLUDED, "something that is no die lies in the tray beside the dice"
"""What is said of what no die, and no heap of them, can cover, and of what is round and has no pips."""

NOT_FLAT = Fault.COCKED, "a die does not lie flat, or its pips are not clear"
"""What is said of what is as large as a die, or shows pips, and is none that could be read."""


@dataclass(frozen=True, eq=False)
class Thing:
    """Something in the tray that no die explains.

    Attributes
    ----------
    area
        In top faces of a die.
    whole
        The same with what of it lies beyond the floor.
    middle
        Of its box, in pixels of the closeup.
    lit
        Its area without what is darker than the floor.
    flat
        What a flat die would fill there, its visible sides included, in top faces.
    filled
        Part of the smallest rectangle around it that its hull fills: 0.79 is round, 1 is a rectangle.
    picture
        Of its box, and a little around it.
    where
        Where in `picture` it lies, its outline included.
    has_face
        Whether pips on it have the layout of a face: it is a die, though not a flat one.
    has_pips
        Whether clear round spots are on it.
    across
        Whether a part of it lies outside the region that is read.
    """

    area: float
    whole: float
    middle: Point
    lit: float
    flat: float
    filled: float
    picture: Frame
    where: Mask
    has_face: bool
    has_pips: bool
    across: bool


def name(
    things: Sequence[Thing], parts: Sequence[Found], dice: int | None, tray_mm: tuple[float, float]
) -> tuple[Fault, str]:
    """Return the fault that *things* beside the chosen dice of *parts* are most like, at least one of them."""
    found = sum(len(part.chosen) for part in parts)
    if any(t.whole > BIG_THING for t in things):
        return COVERED
    thing = max(things, key=lambda t: t.area)
    if dice is not None and found >= dice:
        if found > dice or any(t.has_pips or t.has_face or _is_square(t) for t in things):
            return Fault.EXTRA, "another die lies in the tray beside the dice"
        return STRANGE
    if dice is not None and thing.area < PEEPING and is_stack(parts, tray_mm):
        return Fault.STACKED, "a die looks out from beneath another"
    limit = moving_below(parts)
    if any(sharpness(t.picture, t.where) < limit for t in things):
        return Fault.MOVING, "a die is blurred"
    if dice is not None and found + len(things) > dice and any(_is_no_die(t) for t in things):
        return STRANGE
    bodies = found + sum(max(1, round(t.area / BODY_AREA)) for t in things)
    if dice is not None and bodies < dice:
        if any(LARGER * t.flat < t.lit and t.area < 1.5 * BODY_AREA for t in things):
            return Fault.STACKED, f"{bodies} of {dice} dice lie in the tray, and one is larger than a flat die is"
        return Fault.MISSING, f"{bodies} of {dice} dice lie in the tray, and one of them is not clear"
    return NOT_FLAT


def moves(closeup: Closeup, at: Point, least: float) -> bool:
    """Return whether what lies *at* a place of *closeup* moves: the network for that gives it more than *least*."""
    top = FaceFit(1, *at, 0.0, closeup.side, frozenset(), 0.0)
    return float(chances_at(closeup, [top], FROM_ALL)[0, MOVES]) > least


def flat_area(closeup: Closeup, where: Mask) -> float:
    """Return what a flat die fills in the middle of *where*, in top faces of it: a mean over all its turns."""
    y, x = (float(at.mean()) for at in np.nonzero(where))
    # Top and foot are squares so far apart, and a square is 4 / pi of its side wide as a mean over all ways.
    return 1 + 4 / pi * foot_beside(closeup, x, y)


def filled(where: Mask) -> float:
    """Return which part of the smallest rectangle around what lies *where* its hull fills."""
    hull = cv2.convexHull(cv2.findNonZero(where.astype(np.uint8)))
    _, (wide, deep), _ = cv2.minAreaRect(hull)
    return float(cv2.contourArea(hull) / max(wide * deep, 1.0))


def _is_square(thing: Thing) -> bool:
    """Return whether *thing* has size and outline of a flat die: one that mirrors the lamp shows no pips."""
    least, most = OF_A_DIE
    return thing.filled > SQUARE and least < thing.area / thing.flat < most


def _is_no_die(thing: Thing) -> bool:
    """Return whether *thing* has no pips, and corners neither: a coin, a coaster."""
    return not (thing.has_face or thing.has_pips) and thing.filled < SQUARE


def is_stack(parts: Sequence[Found], tray_mm: tuple[float, float]) -> bool:
    """Return whether one of the chosen dice lies on another die."""
    return any(lies_on_another(part, c, tray_mm) for part in parts for c in part.chosen)


def moving_below(parts: Sequence[Found]) -> float:
    """Return the sharpness below which something moves: by that of dice that were found, if the lens is not sharp."""
    still = [
        sharpness(part.closeup.picture, silhouette(part.closeup, [c.fit], OUTLINE_MM) > 0)
        for part in parts
        for c in part.chosen
        if c.chance > MIN_CHANCE
    ]
    return BLURRED * min([USUAL_SHARPNESS, *([float(np.median(still))] if still else [])])


def sharpness(picture: Frame, where: Mask) -> float:
    """Return how steep the edges of what lies there are the one way in which they are least steep.

    Parameters
    ----------
    picture : ndarray of uint8, shape (M, N, 3)
        In the scale of the straightened view.
    where : ndarray of bool, shape (M, N)
        Where it lies, its outline included; at least one pixel.

    Returns
    -------
    float
        Part of its whole contrast per pixel, and so much less as the edges are steeper across that way.

    Notes
    -----
    A die has edges at right angles, so that whatever way it is crossed some are steep; along a motion none is, though
    those beside it stay as they are. Of drawn dice that lean nine of ten are at 0.09 and more, of those that move nine
    of ten at 0.05 and less; four photographs of leaning ones, at half the size too, at 0.098 and more.
    """
    x, y, width, height = cv2.boundingRect(where.astype(np.uint8))
    # A heap of thirty lies in one picture, of which each is asked: no more of it than blur and slope reach.
    near = np.s_[max(0, y - REACH) : y + height + REACH, max(0, x - REACH) : x + width + REACH]
    picture, where = picture[near], where[near]
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.float32)
    # At every pixel that of the three channels in which the edge is steepest: clear dice are told by their colour.
    ways = np.stack([cv2.Sobel(smooth, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1))])[:, where]
    channel = (ways**2).sum(axis=0).argmax(axis=1)
    across, down = np.take_along_axis(ways, channel[None, :, None], axis=2)[..., 0]
    turns = np.arange(WAYS, dtype=np.float32) * np.float32(pi / WAYS)
    crossed = np.abs(np.outer(np.cos(turns), across) + np.outer(np.sin(turns), down))
    steep = np.percentile(crossed, STEEPEST, axis=1)
    low, high = np.percentile(picture[where], [2, 98], axis=0)
    least = int(steep.argmin())
    beside = max(float(steep[(least + WAYS // 2) % WAYS]), 1e-6)
    return float(steep[least]) ** 2 / beside / max(float((high - low).max()), LEAST_CONTRAST)
