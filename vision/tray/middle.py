"""Does something lie in the middle of a top? A fuller face has a pip there, a poorer one has none. A network tells."""

from __future__ import annotations

from math import hypot

import numpy as np

from vision.bodies import cut_out, grid
from vision.tray.found import Found, Judged
from vision.tray.opinion import ALL_TURNS, COVERED, Asked, second_opinions
from vision.types import Floats, Point

WITHOUT, WITH = (2, 4), (3, 5)
"""The faces that one pip in the middle makes fuller ones, and those that are poorer ones without it."""

PIP, CORE = 0.09, 0.05
"""Sides around the middle within which a pip lies, and around that of a pip within which it is of one colour."""

STRANGE, MOST, UNLIKE = 6.0, 0.75, 5.5
"""Lab units by which the middle of a top without a pip there must differ from it for the network to be asked, and the
part of it that may differ by less: of a pip beneath a glint a ring is left. And by which the pip in the middle of
another must differ from the others. Of 516 dice in right throws that show a two or four 174 come above the first at a
quick look; of 504 that show a three or five 18 above the last, or `SIZES`."""

SIZES = (0.8, 1.3)
"""Or as many times as wide as they it must be, at most and at least."""

LIMIT, LIMIT_DOUBTED = 0.95, 0.7
"""What the network must give a die for something to lie there; and what is enough where the others are not sure of its
face, or nothing of that colour is about. Of 216 photorealistic threes and fives with a crumb of any colour painted on
the pip in the middle, all of which are read without it, 13 have less (27 passed where the colour was asked, and no
network), of 321 with a glint there 20 (44). With the second alone they are six, and of 2,572 legible drawn throws 19
are refused, marbled dice nearly all of them; with both five. A clear four with the three of its bottom was a five, 0.94
(835576); a clear two with the five of its bottom in its middle had 0.6."""

WITHIN, ABOUT = 0.13, ((0.3, 0.0), (0.0, 0.3), (-0.3, 0.0), (0.0, -0.3))
ANOTHER, FILLED = 20.0, 0.7
"""Sides around the middle that a thing fills, and places around it, in sides, of which all but one must have another
colour than it: veins are there, and lamps. By how much, Lab units, and the part of it that must so differ from the
top."""


def may_cover_its_middle(part: Found, die: Judged) -> bool:
    """Return whether something may lie in the middle of *die* that covers a pip, or looks like one."""
    if die.fit.face not in (*WITHOUT, *WITH):
        return False
    top = cut_out(part.closeup.lab, die.fit.corners(part.closeup.side))
    if not _stands_out(top, part, die):
        return False
    turns = ALL_TURNS[:1] if die.seconded is None else ALL_TURNS
    told = float(second_opinions([(part.closeup, die)], turns, Asked.OF_MIDDLE)[0, COVERED])
    return told > LIMIT or (told > LIMIT_DOUBTED and (not die.is_sure or _lies_alone(top, die)))


def _stands_out(top: Floats, part: Found, die: Judged) -> bool:
    """Return whether the middle of *die* is not plainly its top's, or its pip there not plainly like the others."""
    x, y = grid()
    if die.fit.face in WITHOUT:
        off = np.linalg.norm(top[np.hypot(x, y) <= PIP] - np.array(die.body.colour, np.float32), axis=1)
        return float(np.quantile(off, MOST)) > STRANGE
    pips = [part.pips[i] for i in die.fit.pips]
    middle, *others = sorted(pips, key=lambda pip: hypot(pip.x - die.fit.x, pip.y - die.fit.y))
    low, high = SIZES
    if not low < middle.diameter / np.median([pip.diameter for pip in others]) < high:
        return True
    own, *like = (_colour(top, die.fit.on_face(pip.x, pip.y)) for pip in (middle, *others))
    return float(np.linalg.norm(own - np.median(like, axis=0))) > UNLIKE


def _lies_alone(top: Floats, die: Judged) -> bool:
    """Return whether the middle of *top*, that of *die*, is of another colour, and most of what is around is not."""
    middle = top[np.hypot(*grid()) <= WITHIN]
    if np.mean(np.linalg.norm(middle - np.array(die.body.colour, np.float32), axis=1) > ANOTHER) <= FILLED:
        return False
    colour = np.median(middle, axis=0)
    unlike = [float(np.linalg.norm(_colour(top, place) - colour)) > ANOTHER for place in ABOUT]
    return sum(unlike) >= len(ABOUT) - 1


def _colour(top: Floats, place: Point) -> Floats:
    """Return the mean colour of *top* at *place*, in sides from its middle."""
    x, y = grid()
    return np.asarray(top[np.hypot(x - place[0], y - place[1]) <= CORE].mean(axis=0))
