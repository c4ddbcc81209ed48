"""Which dice could lie in a picture: layouts over its pips, a body beneath, and a second opinion on the face."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np

from vision.bodies import Body, cut_out, examine
from vision.candidates import FULL_LEVELS, MAX_STRANGER, MIN_CONTRAST, MIN_EVENNESS, MIN_FILL, Candidate, weight_of
from vision.layouts import FaceFit, fit_faces
from vision.pips import Pip
from vision.scene.pips import places_of, spots
from vision.scene.second import Opinion, second_opinion
from vision.scene.sight import MOST_UNLIKE, Sight
from vision.types import Mask

MIN_ROUNDNESS = 0.72
"""Mean roundness of the pips of a top face."""

EVEN_ROUNDNESS = {2: 0.82, 3: 0.82, 4: 0.6, 5: 0.6, 6: 0.6}
"""A pip may be less round than the roundest of its face by so much: a glint at its edge makes it so. Where few pips
make the face, a flat one may be of a side of the die."""

FEW_FILL = 0.9
FEW_EVENNESS = 0.85
FEW_STRANGER = 0.5
"""For ones, twos and threes the limits of `vision.bodies.Body` are narrower: any two spots make a two."""

OWN_EDGES = 0.5
"""How clearly an edge of a die must show where it is asked for."""

MIN_MARGIN = 0.5
MAX_MISFIT = (1.5, 0.6)
"""Of the second opinion, in pips: how clearly it must prefer the same face, and how badly that face may fit: so much,
and the more the clearer it is preferred."""

MOST_FITS = 250
"""So many layouts at most are looked at closely, those over the clearest pips: what bounds the time."""

MOST_ONES = 30
"""Round how many pips, the clearest, a one is looked for."""

ONE_PER_SIDE = (0.11, 0.42)
"""Diameter of the pip of a one in sides: that of asian dice is larger than any other."""

ONE_ROUNDNESS = 0.8
ONE_FILL = 0.92
ONE_EDGES = 0.6
ONE_LEVELS = 0.3
"""A one is a single spot: it must be rounder than others, its body of one colour, three of its edges clearer, and it
must show at so many of the grey levels of the pips beside."""

PERFECT_FILL = 0.98
PERFECT_MISFIT = 0.3
PERFECT_ROUNDNESS = 0.9
"""What the pip and the body of a one are when two of its edges are enough."""

LARGE = 1.6
COLOURED = 25.0
"""A pip so much larger than those of the dice beside it is the red one of an asian die: coloured, in CIE Lab."""

ONE_ANGLES = 4
"""A one tells no direction: so many are tried within a quarter turn, then two beside the best; the outline decides."""


def propose(sight: Sight, sides: tuple[float, float]) -> list[Candidate]:
    """Return the twos to sixes of a side between *sides* (pixels) that could lie there."""
    fits = (fit for fit in fit_faces(sight.pips, sides, sight.apart) if _pips_agree(sight, fit))
    clearest = sorted(fits, key=lambda fit: -sum(sight.pips[i].levels for i in fit.pips))
    good = (fit for fit in clearest if not sight.crowded(fit) and sight.has_body(fit))
    looks = (_look(sight, fit) for fit, _ in zip(good, range(MOST_FITS), strict=False))
    return [candidate for candidate in looks if candidate is not None]


def propose_ones(sight: Sight, side: float, beside: Sequence[Candidate]) -> list[Candidate]:
    """Return the ones that could lie there among dice of *side* pixels *beside* which they lie.

    Pips of fours to sixes are left alone: they explain more than a one.
    """
    low, high = (part * side for part in ONE_PER_SIDE)
    table = sight.table
    fit = (table[:, 2] > low) & (table[:, 2] < high) & (table[:, 3] >= ONE_ROUNDNESS)
    fit[[i for c in beside if c.fit.face > 3 for i in c.fit.pips]] = False
    usual = [i for c in beside for i in c.fit.pips]
    if usual:
        fit &= table[:, 5] >= ONE_LEVELS * float(np.median(table[usual, 5]))
        fit &= (table[:, 2] < LARGE * float(np.median(table[usual, 2]))) | _coloured(sight)
    by_clearness = sorted(np.flatnonzero(fit).tolist(), key=lambda i: -sight.pips[i].levels)[:MOST_ONES]
    ones = (propose_one(sight, i, side) for i in by_clearness)
    return [one for one in ones if one is not None]


def _coloured(sight: Sight) -> Mask:
    """Whether the colour of each pip is another than its ground's, not only darker or lighter."""
    away = spots(sight.lab, places_of(sight.pips)) - sight.ground
    return np.asarray(np.hypot(away[:, 1], away[:, 2]) > COLOURED)


def propose_one(sight: Sight, index: int, side: float) -> Candidate | None:
    """Return the one round pip *index* for dice of *side* pixels, or None where there is no such body."""
    pip = sight.pips[index]

    def turned(angle: float) -> FaceFit:
        return FaceFit(1, pip.x, pip.y, angle, side, frozenset((index,)), 0.0)

    step = pi / 2 / ONE_ANGLES
    if sight.crowded(turned(0.0)) or not (sight.has_body(turned(0.0)) or sight.has_body(turned(pi / 4))):
        return None
    looks = [one for one in (_look(sight, turned(k * step)) for k in range(ONE_ANGLES)) if one is not None]
    if not looks:
        return None
    angle = max(looks, key=_clearness).fit.angle
    closer = (_look(sight, turned((angle + by * step) % (pi / 2))) for by in (-0.33, 0.33))
    return max([*looks, *(one for one in closer if one is not None)], key=_clearness)


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
    candidate = Candidate(fit, body, weight_of(sight.pips, fit))
    if not _is_clear(candidate) or not _lie_on(sight, candidate):
        return None
    opinion = second_opinion(patch, diameter, dark=own[0].dark)
    agreed = opinion.face == fit.face and opinion.margin > MIN_MARGIN
    if fit.face == 1 and not _stands_out(body, own[0], opinion):
        return None
    return candidate if agreed and opinion.misfit < MAX_MISFIT[0] + MAX_MISFIT[1] * opinion.margin else None


def _stands_out(body: Body, pip: Pip, opinion: Opinion) -> bool:
    """Whether a one shows three of its edges; or two, of a die on cloth of its own colour, if its pip is perfect."""
    edges = sorted(body.outline)
    perfect = body.fill > PERFECT_FILL and opinion.misfit < PERFECT_MISFIT
    perfect &= pip.roundness > PERFECT_ROUNDNESS and pip.levels >= FULL_LEVELS / 2
    return edges[1] >= ONE_EDGES or (perfect and edges[2] >= ONE_EDGES)


def _lie_on(sight: Sight, candidate: Candidate) -> bool:
    """Whether the pips lie on the body found; one of four or more may lie in a shadow or a highlight."""
    away = np.sort(np.linalg.norm(sight.ground[sorted(candidate.fit.pips)] - candidate.body.colour, axis=1))
    return bool(away[-2 if candidate.fit.face > 3 else -1] <= MOST_UNLIKE)


def _is_clear(candidate: Candidate) -> bool:
    """Whether the body beneath speaks clearly enough; more is asked where few pips say little."""
    body, few = candidate.body, candidate.fit.face <= 3
    if candidate.fit.face == 1 and body.fill < ONE_FILL:
        return False
    return (
        body.contrast >= MIN_CONTRAST
        and body.fill >= (FEW_FILL if few else MIN_FILL)
        and body.evenness >= (FEW_EVENNESS if few else MIN_EVENNESS)
        and body.stranger <= (FEW_STRANGER if few else MAX_STRANGER)
    )
