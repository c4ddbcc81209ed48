"""A die that has something to lean on: whether it does, though its outline does not show it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.tray.found import Found, Judged
from vision.tray.judging import MIN_BY_LEANING, flat_by_leaning, judged_to_lean
from vision.tray.leaning import (
    FELT_LIKE,
    LITTLE_BODY,
    MIN_DEEP,
    Objection,
    area_of,
    body_share,
    drawn_beside,
    nearby,
    own_delta,
)
from vision.types import Fault

SQUARE = 0.955
"""How square the pips of a four or five must be where too little of the top counts as body to tell an outline. A
marbled four that leant on the rim by 21 degrees had 0.943, a two through which the five of its bottom shone 0.948; of
58 flat fours and fives two are below."""

SQUARES = (4, 5)
"""The faces whose outermost pips are a square."""

AGREED_FLAT = 0.95
"""Mean of what the networks give a die that may lean above which pips that are no square do not speak against it."""

LIT, BESIDE = 150.0, 0.08
"""Lightness, 0 to 255, of a top whose sides may be hidden by the light: they are dark then, and of another colour; and
the part of a top face that may be a side beside it. Two that leant by 20 and 23 degrees had 202 and 178, a part of 0.12
and more; of 450 right throws that took a thorough look none is like them."""

FLAT_BESIDE = (MIN_DEEP, 0.75)
"""What the deep network must give one, asked from four sides, for a die that has something to lean on to be believed
not to; and strictly. With `MIN_BY_LEANING`, of 560 throws with a die that leant by 8 to 17 degrees three are read, nine
before; of 2,049 flat dice of such tables, kept back, 54 come below `MIN_CHANCE` or the first."""

FLAT_UNTOLD = 0.86
"""What it must give one whose outline tells nothing: its top is like the felt, or lit above a dark side. Of 2,063 that
are none, on those tables, 23 have more."""

UNDOUBTED = 0.92
"""What it must give one for the network that learned from dice that lean not to be asked from all sides as well. Of
2,789 dice in right throws that had something to lean on 42 have less."""

RAISED = 0.31
"""Sides: a die that leans by 17 degrees and less, its side raised by what it leans on, is no farther from that. What
leans more looks like it: of 2,188 drawn throws with a die that leans none is beyond it that is not refused anyway.
Asked of a die that is like the felt; a top that the lamp lights hides leaning by 20 and 23 degrees as well. Of 59
legible throws that were refused for `FLAT_UNTOLD` or `FLAT_BESIDE` 12 are read for it, eight of 19 easy and normal."""


def leans_unseen(part: Found, die: Judged, room: float, *, strictly: bool) -> Objection:
    """Return the objection that *die* leans, *room* sides from what it leans on then, and its outline does not tell."""
    if die.agreed <= AGREED_FLAT and is_askew_without_an_outline(part, die):
        return Fault.COCKED, "a die may lean on the rim or on another: its pips are no square"
    again = judged_to_lean(part.closeup, die)
    if again.looks_flat <= FLAT_BESIDE[strictly] or _may_hide_it(part, again, room) or _leans_by_opinion(part, again):
        return Fault.COCKED, "a die may lean on the rim or on another by little: it does not look flat"
    return None, ""


def _leans_by_opinion(part: Found, die: Judged) -> bool:
    """Return whether the deep network is not sure of *die*, and the one that learned from dice that lean thinks so."""
    return die.looks_flat <= UNDOUBTED and flat_by_leaning(part.closeup, die) < MIN_BY_LEANING


def _may_hide_it(part: Found, die: Judged, room: float) -> bool:
    """Return whether *die* may lean though its outline does not tell: it is like the felt, or its side is unlike it."""
    if die.looks_flat > FLAT_UNTOLD:
        return False
    part, die = nearby(part, die)
    return (room < RAISED and own_delta(part.closeup, die) < FELT_LIKE) or _is_lit_beside_a_side(part, die)


def is_askew_without_an_outline(part: Found, die: Judged) -> bool:
    """Return whether the pips of *die* are no square, as those of one that leans, and it has no outline to ask."""
    askew = die.fit.face in SQUARES and _squareness(part, die) < SQUARE
    return askew and body_share(*nearby(part, die)) < LITTLE_BODY


def _squareness(part: Found, die: Judged) -> float:
    """Return how long the square of the four outermost pips of *die* is one way, as a part of how long it is across."""
    at = np.array([(part.pips[i].x - die.fit.x, part.pips[i].y - die.fit.y) for i in die.fit.pips])
    corners = at[np.hypot(*at.T).argsort()[-4:]]
    one, two, three, four = corners[np.arctan2(*corners.T).argsort()]
    long, short = np.linalg.svd(np.array([two + three - one - four, three + four - one - two]), compute_uv=False)
    return float(short / long)


def _is_lit_beside_a_side(part: Found, die: Judged) -> bool:
    """Return whether the top of *die* is light, and something is beside it that is no shadow, whatever its colour."""
    if die.body.colour[0] < LIT:
        return False
    return area_of(part.closeup, cv2.bitwise_and(drawn_beside(part, die), part.closeup.body)) > BESIDE
