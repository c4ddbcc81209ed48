"""A die that neither its pips nor its outline told: looked for where the second opinion is surest that one lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, pi

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.layouts import FaceFit
from vision.pips import Pip
from vision.tray.climbing import COARSE, FINE, chances_at, climbed
from vision.tray.closeup import Closeup
from vision.tray.opinion import NONE
from vision.tray.outlined import lay_face, lies_within
from vision.tray.remainder import hull_of_one
from vision.types import Doubles, as_uint8

STEP, TURNS = 0.1, 6
"""In sides: how far apart the places are at which a die's middle is looked for; and so many turns within a quarter are
tried at each. Of 108 dice that lay flat, 0.05 sides and 5 degrees off their place, three quarters still looked like
one at 0.6 and more."""

DEEP = 0.2
"""In sides: so far within what is new the middle of a die lies, at least; its top is seldom new to the last pixel."""

MOST_PLACES = 80
"""Of more than so many those are taken that lie deepest in what is new."""

CLEAREST = 48
"""So many tops of the grid are asked of, whose sides are the clearest edges: of 11 dice that were found the one at the
die's place was among the first nine of 78 to 480."""

AT_EDGE, ALONG_EDGE = 0.47, np.linspace(-0.38, 0.38, 9)
"""In sides from the middle: where an edge is looked at, and at which places along it."""

WORTH, MOST_CLIMBS = 0.03, 6
"""Chance of a die from which the surest place around one is looked for, and at most around how many."""

CLEAREST_PIPS, MOST_ONES = 16, 3
"""Around so many pips of a closeup a one is looked for, and from so many of them it is climbed."""

LIKELY = 0.5
"""Chance of a die below which none is there."""


def lay_where_surest(
    closeup: Closeup, pips: Sequence[Pip], told: Sequence[Candidate]
) -> list[tuple[Sequence[Pip], Candidate]]:
    """Return the dice that may lie where the second opinion is surest of one in *closeup*.

    Parameters
    ----------
    closeup : Closeup
        Of which all that is new may be dice.
    pips : sequence of Pip
        What was found in it.
    told : sequence of Candidate
        The dice that pips told there, and that were doubted: none is laid in the place of one. A two that rolled, and
        a three that leant by little, looked flat a little beside.

    Returns
    -------
    list of (sequence of Pip, Candidate)
        As of `vision.tray.outlined.lay_by_outline`; no two of them in one place.

    Notes
    -----
    A sliding window, coarse to fine: of all tops of a grid those whose sides are clear edges are asked of, and from the
    likeliest it is climbed.
    """
    laid = []
    for top in _surest_tops(closeup, _clearest(closeup, _grid(closeup, told))):
        top, chances = climbed(closeup, top, FINE)
        face = max(range(1, 7), key=lambda face: float(chances[face]))
        die = lay_face(closeup, pips, replace(top, face=face))
        if die is not None and not _is_told(top, told):
            laid.append(die)
    return laid


def lay_ones(
    closeup: Closeup, pips: Sequence[Pip], _told: Sequence[Candidate]
) -> list[tuple[Sequence[Pip], Candidate]]:
    """Return the ones that may lie around pips of *closeup*, where the second opinion is surest of one.

    Of a die that is like the felt, as a clear one is, little more than its pips is new; and one pip does not tell how
    the die around it is turned.

    Parameters and what is returned are as of `lay_where_surest`; one may be laid where another was told, too.
    """
    clearest = sorted(pips, key=lambda pip: -pip.levels * pip.roundness)[:CLEAREST_PIPS]
    around = [turned for pip in clearest for turned in _turned(closeup, pip.x, pip.y)]
    if not around:
        return []
    ones = chances_at(closeup, around, COARSE)[:, 1]
    tops: list[FaceFit] = []
    for k in np.argsort(-ones):
        if ones[k] > WORTH and len(tops) < MOST_ONES and not any(lies_within(around[k], top) for top in tops):
            tops.append(around[k])
    near = (climbed(closeup, top, COARSE) for top in tops)
    surest = (climbed(closeup, top, FINE)[0] for top, chances in near if chances[1] > LIKELY)
    return [die for top in surest if (die := lay_face(closeup, pips, top)) is not None]


def _turned(closeup: Closeup, x: float, y: float) -> list[FaceFit]:
    """Return the tops that may lie with their middle at (*x*, *y*), of a face unknown."""
    return [FaceFit(1, x, y, k * pi / 2 / TURNS, closeup.side, frozenset(), 0.0) for k in range(TURNS)]


def _surest_tops(closeup: Closeup, grid: Sequence[FaceFit]) -> list[FaceFit]:
    """Return the surest places around the likeliest tops of *grid*, no two of them in one place."""
    likely = 1 - chances_at(closeup, grid, COARSE)[:, NONE]
    tops: list[FaceFit] = []
    tried: list[FaceFit] = []
    for k in np.argsort(-likely):
        if likely[k] < WORTH or len(tried) == MOST_CLIMBS:
            break
        if any(_is_beside(grid[k], other) for other in tried) or any(lies_within(grid[k], top) for top in tops):
            continue
        tried.append(grid[k])
        top, chances = climbed(closeup, grid[k], COARSE)
        if chances[NONE] < 1 - LIKELY and not any(lies_within(top, other) for other in tops):
            tops.append(top)
    return tops


def _is_beside(one: FaceFit, other: FaceFit) -> bool:
    """Return whether *one* is climbed to from where *other* is, of a grid."""
    turned = abs((one.angle - other.angle + pi / 4) % (pi / 2) - pi / 4)
    return hypot(one.x - other.x, one.y - other.y) < 2.5 * STEP * one.side and turned < 1.5 * pi / 2 / TURNS


def _grid(closeup: Closeup, told: Sequence[Candidate]) -> list[FaceFit]:
    """Return the tops that may lie in *closeup*, of a face unknown, at every place and turn of a grid."""
    tops = (top for x, y in _places(closeup).tolist() for top in _turned(closeup, x, y))
    return [top for top in tops if not _is_told(top, told)]


def _is_told(top: FaceFit, told: Sequence[Candidate]) -> bool:
    return any(lies_within(top, die.fit) for die in told)


def _places(closeup: Closeup) -> Doubles:
    """Return where the middle of a die may be, those first that lie deepest in what is new: shape (N, 2)."""
    rest = cv2.copyMakeBorder(closeup.changed, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    whole = as_uint8(cv2.morphologyEx(rest, cv2.MORPH_CLOSE, _GAP))
    if (hull := hull_of_one(whole, closeup.side)) is not None:
        cv2.fillConvexPoly(whole, hull, 255)
    depth = cv2.distanceTransform(whole, cv2.DIST_L2, 5)[1:-1, 1:-1]
    step = STEP * closeup.side
    rows, columns = (np.arange(step / 2, length, step) for length in depth.shape)
    depth = depth[np.ix_(rows.astype(int), columns.astype(int))]
    y, x = np.unravel_index(np.argsort(-depth, axis=None)[:MOST_PLACES], depth.shape)
    within = depth[y, x] > DEEP * closeup.side
    return np.asarray(np.stack([columns[x], rows[y]], axis=1)[within], np.float64)


_GAP = np.ones((7, 7), np.uint8)


def _clearest(closeup: Closeup, grid: Sequence[FaceFit]) -> list[FaceFit]:
    """Return those tops of *grid* whose sides are the clearest edges, as a mean of the clearest three of each."""
    if not grid:
        return []
    lab = closeup.lab.astype(np.float32)
    at = np.array([(fit.x, fit.y, fit.angle) for fit in grid])
    turns = at[:, 2, None] + np.arange(4) * pi / 2
    outwards = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    along = np.roll(outwards, -1, axis=1)[:, :, None] * ALONG_EDGE[:, None]
    places = at[:, None, None, :2] + closeup.side * (AT_EDGE * outwards[:, :, None] + along)
    x, y = np.moveaxis(places.reshape(-1, len(ALONG_EDGE), 2).astype(np.float32), 2, 0)
    slope = np.zeros((len(grid), 4, 3))
    for axis, order in enumerate(((1, 0), (0, 1))):
        slopes = cv2.remap(cv2.Sobel(lab, cv2.CV_32F, *order), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        slope += outwards[..., axis, None] * slopes.mean(axis=1).reshape(slope.shape)
    clear = np.sort(np.linalg.norm(slope, axis=2), axis=1)[:, 1:].mean(axis=1)
    return [grid[k] for k in np.argsort(-clear)[:CLEAREST]]
