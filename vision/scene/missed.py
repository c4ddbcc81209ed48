"""Look again where a layout says that a pip must be: a glint broke its outline, or it merged with what lies beside."""

from __future__ import annotations

from math import hypot

import numpy as np

from vision.layouts import SPAN
from vision.pips import MIN_LEVELS, Pip
from vision.scene.pips import grounds, places_of, spots
from vision.scene.sight import Sight
from vision.types import Floats, Indices

KIN = 1.5
"""Two pips of one face differ in diameter by no more than this factor."""

SIDE_RANGE = (0.8, 1.3)
"""Sides, in common sides, of the dice that are completed."""

NEAR = 0.8
"""In diameters: a pip this close to a place is the pip of that place, or leaves no room for one."""

ALIKE = 0.55
"""A pip that was missed differs from the body at least by this part of what its neighbours on the face do."""

MOST_PAIRS = 1500
"""So many pairs of pips at most, the clearest, are asked what is missing between and beside them."""


def missed_pips(sight: Sight, spoken_for: set[int], side: float) -> list[Pip]:
    """Return pips that were not found as spots, though the layout of those beside them asks for one.

    Parameters
    ----------
    sight : Sight
        The picture, and what was found.
    spoken_for : set of int
        Pips that need no others: those of dice that were read.
    side : float
        Of the dice, in pixels.

    Notes
    -----
    Asked for are the fourth corner of three, and the third pip of a row of two that stands on an edge or a diagonal.
    Whether it is there is judged by colour: it must differ from its ground as those beside it differ from theirs.
    """
    free = np.array([i for i in range(len(sight.pips)) if i not in spoken_for], np.intp)
    pairs = free[_pairs(sight, free, side)]
    if len(pairs) == 0:
        return []
    places, beside = _asked_for(sight, pairs, free, side)
    places, beside = _untaken(sight, places, beside)
    there, around = spots(sight.lab, places), grounds(sight.lab, places)
    shown = spots(sight.lab, places_of(sight.pips))
    kin = np.where(beside[:, 2] < 0, beside[:, 0], beside[:, 2])
    body = (sight.ground[beside[:, 0]] + sight.ground[beside[:, 1]] + sight.ground[kin]) / 3
    way = (shown[beside[:, 0]] + shown[beside[:, 1]] + shown[kin]) / 3 - body
    size = np.linalg.norm(way, axis=1)
    like = ((there - body) * way).sum(axis=1) > ALIKE * size**2
    like &= (np.linalg.norm(around - body, axis=1) < 0.35 * size + 10) & (size > 1)
    return _once(sight, places[like], beside[like])


def _pairs(sight: Sight, free: Indices, side: float) -> Indices:
    """Return pairs of positions in *free* that could be neighbours in a row or ends of a diagonal: shape (K, 2)."""
    table = sight.table[free]
    low, high = (SPAN * side * factor for factor in SIDE_RANGE)
    distance = np.hypot(table[:, None, 0] - table[None, :, 0], table[:, None, 1] - table[None, :, 1])
    good = (distance > 0.72 * low) & (distance < high * 2**0.5) & (table[:, None, 4] == table[None, :, 4])
    sizes = table[:, None, 2] / table[None, :, 2]
    good &= (sizes > 1 / KIN) & (sizes < KIN) & ~sight.apart[np.ix_(free, free)]
    pairs = np.argwhere(np.triu(good, 1))
    return pairs[np.argsort(-table[pairs, 5].sum(axis=1), kind="stable")[:MOST_PAIRS]]


def _asked_for(sight: Sight, pairs: Indices, free: Indices, side: float) -> tuple[Floats, Indices]:
    """Return places (x, y, diameter) where a pip may have been missed, and which two or three pips ask for it.

    The third is -1 where two ask.
    """
    table = sight.table
    one, two = table[pairs[:, 0]], table[pairs[:, 1]]
    middle, half = (one[:, :2] + two[:, :2]) / 2, (two[:, :2] - one[:, :2]) / 2
    diameter = (one[:, 2] + two[:, 2]) / 2
    reach = np.hypot(half[:, 0], half[:, 1])
    arm = table[free][None, :, :2] - middle[:, None]
    length = np.hypot(arm[..., 0], arm[..., 1])
    along = np.abs((arm * half[:, None]).sum(axis=2))
    corner = (length > 0.86 * reach[:, None]) & (length < 1.16 * reach[:, None])
    corner &= (along < 0.36 * length * reach[:, None]) & (reach[:, None] > 0.5 * SPAN * side * SIDE_RANGE[0] * 2**0.5)
    corner &= (table[free, 4] == one[:, 4:5]) & (np.abs(np.log(table[free, 2] / diameter[:, None])) < np.log(KIN))
    pair, third = np.nonzero(corner)
    fourth = middle[pair] - arm[pair, third]
    places = np.concatenate([np.c_[middle, diameter], np.c_[fourth, diameter[pair]]]).astype(np.float32)
    beside = np.concatenate([np.c_[pairs, np.full(len(pairs), -1)], np.c_[pairs[pair], free[third]]])
    return places, beside


def _untaken(sight: Sight, places: Floats, beside: Indices) -> tuple[Floats, Indices]:
    """Return the places at which no pip was found."""
    away = np.hypot(places[:, :1] - sight.table[:, 0], places[:, 1:2] - sight.table[:, 1])
    like = sight.table[beside[:, 0], 4:5] == sight.table[:, 4]
    like &= (sight.table[:, 2] > places[:, 2:] / 2) & (sight.table[:, 2] < places[:, 2:] * 2)
    free = ~((away < NEAR * places[:, 2:]) & like).any(axis=1)
    return places[free], beside[free]


def _once(sight: Sight, places: Floats, beside: Indices) -> list[Pip]:
    found: list[Pip] = []
    for (x, y, diameter), others in zip(places.tolist(), beside.tolist(), strict=True):
        kin = [sight.pips[i] for i in others if i >= 0]
        if all(hypot(p.x - x, p.y - y) >= 0.5 * diameter for p in found):
            roundness = sum(p.roundness for p in kin) / len(kin)
            found.append(Pip(x, y, diameter, roundness, kin[0].dark, MIN_LEVELS))
    return found
