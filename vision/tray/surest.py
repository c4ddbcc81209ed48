"""A die that neither its pips nor its outline told: looked for where the second opinion is surest that one lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import hypot, pi, radians

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.layouts import FaceFit
from vision.pips import Pip
from vision.tray.closeup import Closeup
from vision.tray.judging import ALL_TURNS
from vision.tray.opinion import NONE, second_opinions
from vision.tray.outlined import DIAMETER, ROUNDNESS, lay_face, lies_within
from vision.tray.sampling import look_under
from vision.types import Doubles, Floats

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

WORTH, MOST_CLIMBS = 0.1, 6
"""Chance of a die from which the surest place around one is looked for, and at most around how many."""

ONE_WAY = ALL_TURNS[:1]
COARSE, FINE = (0.05, 5.0, ONE_WAY), (0.025, 2.5, ALL_TURNS)
"""Steps, in sides and degrees, by which it is looked for, and the ways in which the top is turned to ask: from one way
alone the surest place was up to 0.06 sides off."""

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
        top, chances = _climbed(closeup, top, *FINE)
        face = max(range(1, 7), key=lambda face: float(chances[face]))
        die = lay_face(closeup, pips, replace(top, face=face))
        if die is not None and not _is_told(top, told):
            laid.append(die)
    return laid


def _surest_tops(closeup: Closeup, grid: Sequence[FaceFit]) -> list[FaceFit]:
    """Return the surest places around the likeliest tops of *grid*, no two of them in one place."""
    likely = 1 - _asked(closeup, grid, ONE_WAY)[:, NONE]
    tops: list[FaceFit] = []
    tried: list[FaceFit] = []
    for k in np.argsort(-likely):
        if likely[k] < WORTH or len(tried) == MOST_CLIMBS:
            break
        if any(_is_beside(grid[k], other) for other in tried) or any(lies_within(grid[k], top) for top in tops):
            continue
        tried.append(grid[k])
        top, chances = _climbed(closeup, grid[k], *COARSE)
        if chances[NONE] < 1 - LIKELY and not any(lies_within(top, other) for other in tops):
            tops.append(top)
    return tops


def _is_beside(one: FaceFit, other: FaceFit) -> bool:
    """Return whether *one* is climbed to from where *other* is, of a grid."""
    turned = abs((one.angle - other.angle + pi / 4) % (pi / 2) - pi / 4)
    return hypot(one.x - other.x, one.y - other.y) < 2.5 * STEP * one.side and turned < 1.5 * pi / 2 / TURNS


def _grid(closeup: Closeup, told: Sequence[Candidate]) -> list[FaceFit]:
    """Return the tops that may lie in *closeup*, of a face unknown, at every place and turn of a grid."""
    tops = (FaceFit(1, x, y, 0.0, closeup.side, frozenset(), 0.0) for x, y in _places(closeup).tolist())
    return [replace(top, angle=k * pi / 2 / TURNS) for top in tops if not _is_told(top, told) for k in range(TURNS)]


def _is_told(top: FaceFit, told: Sequence[Candidate]) -> bool:
    return any(lies_within(top, die.fit) for die in told)


def _places(closeup: Closeup) -> Doubles:
    """Return where the middle of a die may be, those first that lie deepest in what is new: shape (N, 2)."""
    rest = cv2.copyMakeBorder(closeup.changed, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    whole = cv2.morphologyEx(rest, cv2.MORPH_CLOSE, _GAP)
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


def _climbed(
    closeup: Closeup, top: FaceFit, step: float, degrees: float, turns: Sequence[int]
) -> tuple[FaceFit, Floats]:
    """Return the place around *top* at which a die is likeliest, and its chances, found by hill climbing."""
    best = _surest(closeup, [top], turns)
    while (near := _surest(closeup, _neighbours(best[0], step, degrees), turns))[1][NONE] < best[1][NONE]:
        best = near
    return best


def _surest(closeup: Closeup, fits: Sequence[FaceFit], turns: Sequence[int]) -> tuple[FaceFit, Floats]:
    chances = _asked(closeup, fits, turns)
    k = int(chances[:, NONE].argmin())
    return fits[k], chances[k]


def _neighbours(fit: FaceFit, step: float, degrees: float) -> list[FaceFit]:
    """Return *fit* shifted by a *step* in sides along an axis and turned by *degrees*, or two of the three."""
    return [
        replace(
            fit, x=fit.x + x * step * fit.side, y=fit.y + y * step * fit.side, angle=fit.angle + radians(t * degrees)
        )
        for x, y, t in product((-1, 0, 1), repeat=3)
        if 0 < abs(x) + abs(y) + abs(t) < 3
    ]


def _asked(closeup: Closeup, fits: Sequence[FaceFit], turns: Sequence[int]) -> Floats:
    """Return what the network makes of each of *fits*, shape (len(fits), 7); its colour is that around the middle."""
    pips = [Pip(fit.x, fit.y, DIAMETER * fit.side, ROUNDNESS, dark=True, levels=1) for fit in fits]
    bare = [replace(fit, pips=frozenset((k,))) for k, fit in enumerate(fits)]
    bodies = look_under(closeup.lab, bare, pips, edges=False)
    dice = [Candidate(fit, body, 1.0) for fit, body in zip(bare, bodies, strict=True)]
    return second_opinions([(closeup, die) for die in dice], turns)
