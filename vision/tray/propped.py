"""A die that has something to lean on: whether it does, though its outline does not show it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.tray.found import Found, Judged
from vision.tray.judging import chances_beside
from vision.tray.leaning import CERTAIN, LITTLE_BODY, Objection, area_of, body_share, drawn_beside, nearby
from vision.types import Fault

ALONE = 0.95
SQUARE = 0.955
"""Chance above which the second opinion is enough where too little of the top counts as body to tell an outline; and
how square the pips of a four or five must be. In 920 drawn throws with dice that lean or lie on others, three that
leant had no outline and came to 0.74 at most; of 194 flat ones 143 are above the first. A marbled four that leant on
the rim by 21 degrees came to 0.92, and its pips to 0.945; of 58 flat fours and fives two are below 0.955."""

ASKEW = 0.95
"""How square the pips of a four or five must be that may lean where something may be a side of it, however sure the
second opinion is. A four that leant by 18 degrees had 0.937, a six by 22 degrees 0.927; of 85 right fours and fives
three had less than 0.95, none of them with a side in view."""

SQUARES = (4, 5)
"""The faces whose outermost pips are a square."""

WHITE = 230.0
BESIDE = 0.08
"""Lightness, 0 to 255, of a top whose white may be the lamp's; and the part of a top face that may stick out beside it,
whatever its colour, where it may lean. One that leant on the rim had 244 and 0.12; of 251 looks at dice that may have
leant, and were read right, 22 found more than 0.1, and none of those beside a top lighter than 201. Beside a darker top
pips of a side are looked for at a last look: one that leant on another had 177 and 0.2, and gold pips on blue."""

FLAT = 0.99
"""Chance from which it is not asked whether a side of a die is in view: of those that leant one came to 0.986."""

AGREED_FLAT = 0.95
"""Mean of what both networks give a die that may lean above which neither a missing outline, nor pips that are no
square, nor a white top speak against it. Of those without an outline that leant, or lay on others, none had more than
0.86."""

LIT, FLAT_BY_A_SIDE = 150.0, 0.85
"""Lightness, 0 to 255, of a top whose sides may be hidden by the light: they are dark then, and of another colour. What
the network that learned from dice that lean must give more than of it where something beside it may be its side. Two
that leant by 20 and 23 degrees had 202 and 178, 0.82 and 0.75; of 450 right throws that took a thorough look none
is like them."""

FLAT_BESIDE = (0.6, 0.7)
"""Chance by that network above which a die that has something to lean on is believed not to: asked from four sides, or
from one where it is taken strictly. Of 1,000 throws with a die that leant by 8 to 17 degrees 18 are read, and 23 were
with 0.5 for the first, two of these five leaning by 14 degrees; of 700 right throws of dice that touch the rim or each
other three are refused for that, and of 1,320 photorealistic pictures, changed by chance, 13."""


def leans_unseen(part: Found, leaning: Sequence[Judged], *, strictly: bool) -> Objection:
    """Return the objection that one of the dice that may be *leaning* is, without its outline showing it.

    Taken *strictly*, white tops are asked about however sure the second opinion is: it was asked from one side only.
    """
    unsure = [c for c in leaning if c.agreed <= AGREED_FLAT]
    if any(is_told_by_opinion_alone(part, c) for c in unsure):
        return Fault.COCKED, "a die may lean on the rim or on another: nothing is seen of its outline"
    if any(is_askew(part, c) for c in unsure):
        return Fault.COCKED, "a die may lean on the rim or on another: its pips are no square"
    if any(_hides_its_sides(part, c, 1.0 if strictly else FLAT) for c in unsure):
        return Fault.COCKED, "a die may lean on the rim or on another: its top is white, and what is beside it is not"
    chances = chances_beside(part, leaning, strictly=strictly)
    told = zip(leaning, chances, strict=True)
    if any(_does_not_look_flat(part, c, chance, strictly=strictly) for c, chance in told):
        return Fault.COCKED, "a die may lean on the rim or on another by little: it does not look flat"
    return None, ""


def _does_not_look_flat(part: Found, die: Judged, chance: float, *, strictly: bool) -> bool:
    return chance <= FLAT_BESIDE[strictly] or (chance <= FLAT_BY_A_SIDE and _is_lit_beside_a_side(part, die, LIT))


def is_told_by_opinion_alone(part: Found, die: Judged) -> bool:
    """Return whether *die* has no outline that would show it leaning, and the second opinion is not sure of it."""
    in_doubt = die.chance < ALONE or (die.fit.face in SQUARES and _squareness(part, die) < SQUARE)
    return in_doubt and body_share(*nearby(part, die)) < LITTLE_BODY


def is_askew(part: Found, die: Judged) -> bool:
    """Return whether the pips of *die* are no square, as those of one that leans, and something may be a side of it.

    Sixes of some sets are longer than wide: of those it is asked only where the second opinion is in doubt.
    """
    asked = die.fit.face in SQUARES or (die.fit.face == 6 and die.chance < CERTAIN)
    return asked and _squareness(part, die) < ASKEW and may_show_a_side(part, die)


def _squareness(part: Found, die: Judged) -> float:
    """Return how long the square of the four outermost pips of *die* is one way, as a part of how long it is across."""
    at = np.array([(part.pips[i].x - die.fit.x, part.pips[i].y - die.fit.y) for i in die.fit.pips])
    corners = at[np.hypot(*at.T).argsort()[-4:]]
    one, two, three, four = corners[np.arctan2(*corners.T).argsort()]
    long, short = np.linalg.svd(np.array([two + three - one - four, three + four - one - two]), compute_uv=False)
    return float(short / long)


def _hides_its_sides(part: Found, die: Judged, sure: float) -> bool:
    """Return whether the top of *die* is white as a mirrored lamp, and something that may be its side is beside it.

    It is not asked of fours and fives of which the second opinion is *sure*: `is_askew` tells what their pips do.
    """
    if die.fit.face in SQUARES and die.chance > sure:
        return False
    return _is_lit_beside_a_side(part, die, WHITE)


def _is_lit_beside_a_side(part: Found, die: Judged, least: float) -> bool:
    """Return whether the top of *die* has the lightness *least*, and something that may be a side is beside it."""
    return die.body.colour[0] >= least and may_show_a_side(part, die)


def may_show_a_side(part: Found, die: Judged) -> bool:
    """Return whether something is beside *die*, of whatever colour, that is no shadow: under a lamp sides differ."""
    part, die = nearby(part, die)
    return area_of(part.closeup, cv2.bitwise_and(drawn_beside(part, die), part.closeup.body)) > BESIDE
