"""Does something lie in the middle of a top? A fuller face has a pip there, a poorer one has none. A network tells."""

from __future__ import annotations

from math import hypot

import numpy as np

from vision.bodies import cut_out, grid
from vision.tray.found import Found, Judged
from vision.tray.opinion import ALL_TURNS, COVERED, Asked, second_opinions

WITHOUT, WITH = (2, 4), (3, 5)
"""The faces that one pip in the middle makes fuller ones, and those that are poorer ones without it."""

PIP, CORE = 0.09, 0.05
"""Sides around the middle within which a pip lies, and around that of a pip within which it is of one colour."""

STRANGE, UNLIKE = 8.0, 5.5
"""Lab units by which half of the middle of a top without a pip there must differ from it for the network to be asked;
and by which the pip in the middle of another must differ from the others. Of 540 dice in right throws that show a two
or four 100 come above the first at a quick look; of 504 that show a three or five 18 above the second, or `SIZES`."""

SIZES = (0.8, 1.3)
"""Or as many times as wide as they it must be, at most and at least."""

LIMIT = 0.7
"""What the network must give a die for something to lie there. Of 216 photorealistic threes and fives with a crumb of
any colour painted on the pip in the middle, all of which are read without it, six have less (27 by the colour of the
middle alone, which was asked before); of 195 dice of 101 right photorealistic throws, most of which it learned from,
none more. A clear two with the five of its bottom in its middle had 0.6."""


def may_cover_its_middle(part: Found, die: Judged) -> bool:
    """Return whether something may lie in the middle of *die* that covers a pip, or looks like one."""
    if not _stands_out(part, die):
        return False
    turns = ALL_TURNS[:1] if die.seconded is None else ALL_TURNS
    return float(second_opinions([(part.closeup, die)], turns, Asked.OF_MIDDLE)[0, COVERED]) > LIMIT


def _stands_out(part: Found, die: Judged) -> bool:
    """Return whether the middle of *die* is not plainly its top's, or its pip there not plainly like the others."""
    if die.fit.face not in (*WITHOUT, *WITH):
        return False
    top = cut_out(part.closeup.lab, die.fit.corners(part.closeup.side))
    if die.fit.face in WITHOUT:
        off = np.linalg.norm(top[np.hypot(*grid()) <= PIP] - np.array(die.body.colour, np.float32), axis=1)
        return float(np.median(off)) > STRANGE
    pips = [part.pips[i] for i in die.fit.pips]
    middle, *others = sorted(pips, key=lambda pip: hypot(pip.x - die.fit.x, pip.y - die.fit.y))
    low, high = SIZES
    if not low < middle.diameter / np.median([pip.diameter for pip in others]) < high:
        return True
    x, y = grid()
    at = [die.fit.on_face(pip.x, pip.y) for pip in (middle, *others)]
    own, *like = (top[np.hypot(x - u, y - v) <= CORE].mean(axis=0) for u, v in at)
    return float(np.linalg.norm(own - np.median(like, axis=0))) > UNLIKE
