"""Is a die blurred one way? What moved while the shutter was open is, and what is out of focus is not."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt

import cv2
import numpy as np

from vision.compiled.edges import crossed
from vision.pips import Pip
from vision.tray.found import Found, Judged
from vision.tray.opinion import ALL_TURNS, MOVES, Asked, second_opinions
from vision.types import Doubles, Frame, Gray

ANGLES = 8
"""Ways in half a turn in which the edge of a pip is crossed."""

RADII = np.linspace(0.2, 0.55, 8)
"""How far from its middle, in its diameters, the edge of a pip is looked for."""

REACH = np.linspace(0.1, 0.8, 18)
"""The same where the colours on both of its sides are asked for: so far, in its diameters, and in so many steps."""

BLURRED = ((0.55, 1.0), (0.67, 0.86), (0.8, 0.81))
"""How steep and how narrow the edges of pips are one way, as parts of what they are across it: what is less than both
of one of these moved, of the last if it has more pips than one. A one that was all streaks had 0.51 and 0.88. Steepness
alone is little too where a recessed pip has a glint, lies on a vein of its own colour, or is hardly lighter than a
clear die; width alone, where one is seen through the top. Of 8 dice that moved, whose faces the second opinion told,
all had less; of 230 at rest that were read, none; a marbled one at rest had 0.79 and 0.76."""

HEAP = 6
"""Where more dice than these lie together, edges and shades of others cross those of the pips, and it is not asked
whether they are blurred one way."""

ASKED_BELOW = 0.9
"""How steep the edges of pips are one way, as a part of what they are across it, from which on the network that tells
motion is not asked: one of six dice at rest has less."""

STREAKED = dict.fromkeys((3, 4, 5), 0.58)
"""How steep the edges of all pips of a face are one way, as a part of what they are across it, below which it moved
whatever the network says. Of some 3,000 right dice of three to five pips none has less than 0.6. A four with 0.54 lay
still, with two glints on each pip; the other four turned about a corner, and nothing else told (723692). Pips of a six
run together: four of some 2,000 other right dice have less."""

MOVED = 0.6
"""What that network must give a die for it to move. On tables that it had not learned from, of 952 dice that move by
1.5 mm and more, drawn and photorealistic, 762 have more, and 37 of 3,042 at rest, most of which lean."""

SURELY_STILL = 0.06
STILL = ((0.1, 0.95, 0.9), (0.25, 0.97, 0.95))
"""What it gives a die, below which it lies still however its pips are blurred; and what it may give one of whose face
the others are sure (`Judged.is_sure_of_all`), by the least that any of those gives it, and by what the network that
learned from dice that lean does. Of those 952 29 have less than the first; of 66 flat dice at rest that were refused
for their pips 27 do. A two that turned about one of its pips, the other drawn out, had 0.27, a five that rolled 0.46;
one that rolled on had 0.047 at a quick look, where it does not count (106713). Of 240 throws with a die that moves by
1.5 to 25 mm the last line reads none that is not read without it; of 133 at rest that were refused two, and one of
twelve photorealistic ones."""

ROLLS = {**dict.fromkeys((3, 4, 5), (0.87, 1.15)), 6: (0.78, 1.2)}
"""A die that rolls on while the shutter is open has pips of different sizes, as they go different ways: the edges are
less steep one way than the first, and the largest pip is more than the second as wide as the smallest; two pips are too
few to tell. Of threes to fives two that rolled had 0.85 and 0.78, 1.36 and 1.27; of some 1,500 dice that were read
right 17 have such pips. Pips of a six may run together at rest: one that rolled had 0.74 and 1.23; of 917 right ones
one was so."""

DOUBTED = 0.8
"""Chance by the network that learned from dice that lean below which the pips of what rolls need not be of different
sizes. A three whose pips are seen twice each had 0.78 and 0.81 at two looks, and all that the others could give it."""

SMEARED = (0.65, 0.8)
"""If it turns its pips are drawn out, each along its own way: the least round of them is below the first, and the edges
are less steep one way than the second. A three that turned by 28 degrees had 0.6 and 0.73, a two that rolled over a
corner 0.6 and 0.72; of some 7,000 right dice three are like that."""

SWUNG = (1.25, 1.15, 0.78, 0.9)
"""If it turns about one of its corners by little, the pips far from that are drawn out more than those near it, and
hardly wider: the longest pip of three to five is longer than the first as the shortest, by the second more than the
widest is wider than the narrowest, the least round one is below the third, and the edges are less steep one way than
the fourth. A clear five that turned so had 1.3, 1.23, 0.73 and 0.87 at the closest look, and all networks were certain
of it, but for the one that tells motion; of 1,237 right dice of three pips and more none is like that."""

PIVOTED = (15, 0.65, 1.1, 0.9, 0.75)
"""If it turns about one of its pips only the others are drawn out: the clearest has the first of levels and more, or
they tell nothing; the faintest less than the second of that, is longer by the third, less round than the fourth, and
its own edges are less steep one way than the fifth. A marbled two that turned so had 20, 0.5, 1.13, 0.87 and 0.68; of
1,030 right dice none is like it, of a two that a lamp made pale the faint pip was as round as the other, 0.92."""

FADED = (0.3, 0.97)
"""A die that turns about one of its corners has clear pips there, and fainter ones the farther they are from it: the
faintest of three or more must have the first part of the levels of the clearest one where the networks give it less
than the second as a mean. A marbled five that turned had 0.25 and 0.964; three right ones with 0.22 to 0.27 have 0.98
and more."""

_TURNS = np.arange(2 * ANGLES) * pi / ANGLES
_WAYS = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)


def has_moved(part: Found, die: Judged) -> bool:
    """Return whether the pips of *die* are blurred as those of one that moved: by shifting, rolling or turning."""
    if part.closeup.lies_still or len(part.chosen) > HEAP:
        return False
    own = [part.pips[i] for i in die.fit.pips]
    steep = steep_one_way(part.closeup.lab[..., 0], own)
    if steep < STREAKED.get(die.fit.face, 0.0):
        return True
    blurred = _is_blurred(part, die, own, steep)
    if die.seconded is None and blurred:
        return True  # at a quick look: a closer one follows
    if not blurred and steep >= ASKED_BELOW:
        return False
    told = _told_to_move(part, die)
    return told > MOVED or (blurred and not _lies_still(part, die, told))


def _lies_still(part: Found, die: Judged, told: float) -> bool:
    """Return whether *die* lies still though its pips look blurred: its chance to move is *told* by the network."""
    if told < SURELY_STILL:
        return True
    return die.is_sure_of_all and any(
        told < still and die.least > least and not _is_doubted(part, die, leaning) for still, least, leaning in STILL
    )


def _is_blurred(part: Found, die: Judged, own: Sequence[Pip], steep: float) -> bool:
    """Return whether the *own* pips of *die* look like those of one that moves, in one of the ways that are known."""
    blurred = _rolls(part, die, own, steep) or _turns(die, own, steep) or _swings(die, own, steep) or _fades(die, own)
    return blurred or _pivots(part, own) or is_blurred_one_way(part.closeup.lab, own, steep)


def _told_to_move(part: Found, die: Judged) -> float:
    """Return the chance that *die* moves, by the network that tells motion.

    At a quick look from one side, if it is still by that.
    """

    def told(turns: Sequence[int]) -> float:
        return float(second_opinions([(part.closeup, die)], turns, Asked.OF_MOTION)[0, MOVES])

    if die.seconded is None and (once := told(ALL_TURNS[:1])) < STILL[0][0]:
        return once
    return told(ALL_TURNS)


def _is_doubted(part: Found, die: Judged, least: float) -> bool:
    """Return whether the network that learned from dice that lean gives *die* less than *least*."""
    return float(second_opinions([(part.closeup, die)], ALL_TURNS, Asked.OF_LEANING)[0, die.fit.face]) < least


def _rolls(part: Found, die: Judged, own: Sequence[Pip], steep: float) -> bool:
    if die.fit.face not in ROLLS:
        return False
    flat, wider = ROLLS[die.fit.face]
    if steep >= flat:
        return False
    sizes = [pip.diameter for pip in own]
    return max(sizes) > wider * min(sizes) or (die.seconded is not None and _is_doubted(part, die, DOUBTED))


def _turns(die: Judged, own: Sequence[Pip], steep: float) -> bool:
    least_round, flat = SMEARED
    return 1 < die.fit.face < 6 and min(pip.roundness for pip in own) < least_round and steep < flat


def _swings(die: Judged, own: Sequence[Pip], steep: float) -> bool:
    longer, beyond, least_round, flat = SWUNG
    if not 2 < die.fit.face < 6 or steep >= flat or min(pip.roundness for pip in own) >= least_round:
        return False
    long = [_length(pip) for pip in own]
    wide = [pip.diameter * sqrt(pip.roundness) for pip in own]
    return max(long) / min(long) > max(longer, beyond * max(wide) / min(wide))


def _pivots(part: Found, own: Sequence[Pip]) -> bool:
    clear, fainter, longer, least_round, flat = PIVOTED
    clearest, faintest = max(own, key=lambda pip: pip.levels), min(own, key=lambda pip: pip.levels)
    if clearest.levels < clear or faintest.levels >= fainter * clearest.levels:
        return False
    drawn_out = faintest.roundness < least_round and _length(faintest) > longer * _length(clearest)
    return drawn_out and steep_one_way(part.closeup.lab[..., 0], [faintest]) < flat


def _length(pip: Pip) -> float:
    return pip.diameter / sqrt(pip.roundness)


def _fades(die: Judged, own: Sequence[Pip]) -> bool:
    levels = [pip.levels for pip in own]
    faded, sure = FADED
    return die.seconded is not None and die.agreed < sure and len(own) > 2 and min(levels) < faded * max(levels)


def is_blurred_one_way(lab: Frame, pips: Sequence[Pip], steep: float) -> bool:
    """Return whether *pips*, of one face, are blurred as what moved is.

    Parameters
    ----------
    lab : ndarray of uint8, shape (M, N, 3)
        A picture in CIE Lab.
    pips : sequence of Pip
        In its pixels; at least one.
    steep : float
        What `steep_one_way` says of them.
    """
    limits = BLURRED if len(pips) > 1 else BLURRED[:-1]
    if steep >= max(least for least, _ in limits):
        return False
    narrow = narrow_one_way(lab, pips)
    return any(steep < least_steep and narrow < least_narrow for least_steep, least_narrow in limits)


def steep_one_way(light: Gray, pips: Sequence[Pip]) -> float:
    """Return how much less steep the edges of *pips* are one way than across it: 1 where they are as steep all round.

    Parameters
    ----------
    light : ndarray of uint8, shape (M, N)
        The lightness of a picture.
    pips : sequence of Pip
        Of one face, in its pixels; at least one.

    Notes
    -----
    A pip is round and its edge is as sharp on all sides: the mean over opposite sides leaves little of a lamp that
    lights it from one. Of 585 drawn dice at rest one was below 0.67; one that moved by 3.5 mm was at 0.66.
    """
    return _least(_around(crossed(light, _at(pips), _WAYS, RADII)))


def narrow_one_way(lab: Frame, pips: Sequence[Pip]) -> float:
    """Return how much wider the edges of *pips* are one way than across it: 1 where they are as narrow all round.

    Unlike steepness, width does not change with how much a pip differs from what lies beside it: it is the step of
    colour over the steepest slope. The whole of all pips is taken, so that large steps tell more than small ones.
    """
    at = _at(pips)
    reach = at[:, None, None, 2] * REACH
    x, y = (at[:, None, None, axis] + reach * _WAYS[None, :, None, axis] for axis in (0, 1))
    shape = (len(at) * len(_WAYS), len(REACH))
    seen = cv2.remap(
        lab.astype(np.float32),
        x.reshape(shape).astype(np.float32),
        y.reshape(shape).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    colour = seen.reshape(*x.shape, 3)
    way = (colour[:, :, :4] - colour[:, :, -4:]).mean(axis=(1, 2))
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
    along = np.einsum("pwrc,pc->pwr", colour, way)
    slopes = np.abs(along[..., 2:] - along[..., :-2]) / (reach[..., 2:] - reach[..., :-2])
    steepest, steps = (
        _around(part.sum(axis=0).reshape(2, ANGLES).sum(axis=0))
        for part in (slopes.max(axis=-1), np.ptp(along, axis=-1))
    )
    return _least(steepest / np.maximum(steps, 1e-6))


def _at(pips: Sequence[Pip]) -> Doubles:
    return np.array([(pip.x, pip.y, pip.diameter) for pip in pips], np.float64)


def _around(ways: Doubles) -> Doubles:
    """Return the sum of each of *ways*, in half a turn, and those beside it."""
    return np.roll(ways, 1) + ways + np.roll(ways, -1)


def _least(ways: Doubles) -> float:
    """Return the least of *ways* as a part of what is across it."""
    least = int(ways.argmin())
    return float(ways[least] / max(ways[(least + ANGLES // 2) % ANGLES], 1e-6))
