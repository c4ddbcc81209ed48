"""Which dice could lie in a picture: layouts over its pips, a body beneath, and a second opinion on the face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import pi

import numpy as np

from vision.bodies import cut_out, examine
from vision.candidates import FULL_LEVELS, MAX_STRANGER, MIN_CONTRAST, MIN_EVENNESS, MIN_FILL, Candidate
from vision.layouts import FaceFit, fit_faces
from vision.pips import Pip
from vision.scene_second import second_opinion
from vision.scene_sight import MOST_UNLIKE, Sight

MIN_ROUNDNESS = 0.72
"""Mean roundness of the pips of a top face."""

EVEN_ROUNDNESS = {2: 0.75, 3: 0.75, 4: 0.6, 5: 0.6, 6: 0.6}
"""A pip may be less round than the roundest of its face by so much: a glint at its edge makes it so. Where few pips
make the face, a flat one may be of a side of the die."""

FEW_FILL = 0.9
FEW_EVENNESS = 0.85
FEW_STRANGER = 0.4
"""For ones, twos and threes the limits of `vision.bodies.Body` are narrower: any two spots make a two."""

OWN_EDGES = 0.5
"""How clearly an edge of a die must show where it is asked for."""

MIN_MARGIN = 0.5
MAX_MISFIT = 2.0
"""Of the second opinion, in pips: how clearly it must prefer the same face, and how badly that face may fit."""

MOST_FITS = 400
"""So many layouts at most are looked at closely, those over the clearest pips: what bounds the time."""

MOST_ONES = 40
"""Round how many pips, the clearest, a one is looked for."""

ONE_PER_SIDE = (0.11, 0.42)
"""Diameter of the pip of a one in sides: that of asian dice is larger than any other."""

ONE_ANGLES = 12
"""A one tells no direction: so many are tried within a quarter turn, and the outline decides."""


def propose(sight: Sight, sides: tuple[float, float]) -> list[Candidate]:
    """Return the twos to sixes of a side between *sides* (pixels) that could lie there."""
    fits = (fit for fit in fit_faces(sight.pips, sides, sight.apart) if _pips_agree(sight, fit))
    clearest = sorted(fits, key=lambda fit: -sum(sight.pips[i].levels for i in fit.pips))
    good = (fit for fit in clearest if not sight.crowded(fit) and sight.has_body(fit))
    looks = (_look(sight, fit) for fit, _ in zip(good, range(MOST_FITS), strict=False))
    return [candidate for candidate in looks if candidate is not None]


def propose_ones(sight: Sight, side: float, spoken_for: Iterable[int]) -> list[Candidate]:
    """Return the ones that could lie there among dice of *side* pixels, the pips *spoken_for* apart."""
    low, high = (part * side for part in ONE_PER_SIDE)
    table = sight.table
    fit = (table[:, 2] > low) & (table[:, 2] < high) & (table[:, 3] >= MIN_ROUNDNESS)
    fit[list(spoken_for)] = False
    by_clearness = sorted(np.flatnonzero(fit).tolist(), key=lambda i: -sight.pips[i].levels)[:MOST_ONES]
    ones = (propose_one(sight, i, side) for i in by_clearness)
    return [one for one in ones if one is not None]


def propose_one(sight: Sight, index: int, side: float) -> Candidate | None:
    """Return the one round pip *index* for dice of *side* pixels, or None where there is no such body."""
    pip = sight.pips[index]
    at = [FaceFit(1, pip.x, pip.y, pi / 2 * k / ONE_ANGLES, side, frozenset((index,)), 0.0) for k in range(ONE_ANGLES)]
    if sight.crowded(at[0]) or not (sight.has_body(at[0]) or sight.has_body(at[ONE_ANGLES // 2])):
        return None
    looks = [one for one in (_look(sight, fit) for fit in at) if one is not None]
    return max(looks, key=_clearness, default=None)


def _clearness(candidate: Candidate) -> float:
    return sum(candidate.body.outline) + 2 * candidate.body.fill


def _pips_agree(sight: Sight, fit: FaceFit) -> bool:
    roundness = [sight.pips[i].roundness for i in fit.pips]
    mean = sum(roundness) / len(roundness)
    return mean >= MIN_ROUNDNESS and min(roundness) >= EVEN_ROUNDNESS[fit.face] * max(roundness)


def _look(sight: Sight, fit: FaceFit) -> Candidate | None:
    """Return *fit* as a candidate if its body is one, its pips lie on it, and the second opinion is the same."""
    own = [sight.pips[i] for i in sorted(fit.pips)]
    diameter = float(np.median([p.diameter for p in own])) / fit.side
    patch = cut_out(sight.lab, fit.corners())
    body = examine(patch, tuple(fit.on_face(p.x, p.y) for p in own), diameter, dark=own[0].dark)
    candidate = Candidate(fit, body, sum(map(_weight, own)))
    off_body = np.linalg.norm(sight.ground[sorted(fit.pips)] - body.colour, axis=1)
    if off_body.max() > MOST_UNLIKE or not _is_clear(candidate):
        return None
    opinion = second_opinion(patch, diameter, dark=own[0].dark)
    agreed = opinion.face == fit.face and opinion.margin > MIN_MARGIN and opinion.misfit < MAX_MISFIT
    return candidate if agreed else None


def _weight(pip: Pip) -> float:
    return min(pip.levels / FULL_LEVELS, 1.0) * min(pip.roundness / 0.85, 1.0)


def _is_clear(candidate: Candidate) -> bool:
    """Whether the body beneath speaks clearly enough; more is asked where few pips say little."""
    body, few = candidate.body, candidate.fit.face <= 3
    if candidate.fit.face == 1 and sorted(body.outline)[1] < OWN_EDGES:
        return False
    return (
        body.contrast >= MIN_CONTRAST
        and body.fill >= (FEW_FILL if few else MIN_FILL)
        and body.evenness >= (FEW_EVENNESS if few else MIN_EVENNESS)
        and body.stranger <= (FEW_STRANGER if few else MAX_STRANGER)
    )


def spoken_for(candidates: Sequence[Candidate]) -> set[int]:
    """Return the pips of *candidates*."""
    return {i for c in candidates for i in c.fit.pips}
