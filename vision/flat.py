"""Propose the flat dice of a closeup: layouts at the calibrated scale over the pips, each with its body beneath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from math import pi

from vision.bodies import Body
from vision.candidates import FULL_LEVELS, MAX_STRANGER, MIN_CONTRAST, MIN_EVENNESS, Candidate
from vision.closeup import Closeup
from vision.laying import crowded, lay
from vision.layouts import PIP_PER_SIDE, FaceFit
from vision.pips import Pip
from vision.sampling import Under, look_under
from vision.spots import quick_spots, thorough_spots

MIN_FLAT_ROUNDNESS = 0.62
"""Mean roundness of the pips of a top face in the plane of the tops. Half-shaded pips look flat too: leaning is told
by the silhouette, this only keeps the sides of dice out."""

MIN_FILL = 0.7
"""Part of a top that must have one colour: a cut edge is in another light, marble has veins."""

LOOSE_FILL = 0.6
"""The same for a one whose turn is not known yet."""

ONE_ANGLES = 12
"""A one tells no direction: so many are tried within a quarter turn, and the outline decides."""

CLEAR_EDGE = 0.6
"""Clearness of an edge that counts: a one needs two of them."""


def pips_of(closeup: Closeup, *, thorough: bool) -> tuple[Pip, ...]:
    """Return what may be a pip on what is new in *closeup*, in its pixels."""
    low, high = (part * closeup.side for part in PIP_PER_SIDE)
    find = thorough_spots if thorough else quick_spots
    found = find(closeup.picture, (0.9 * low, 1.1 * high))
    rows, columns = closeup.changed.shape
    return tuple(pip for pip in found if closeup.changed[min(round(pip.y), rows - 1), min(round(pip.x), columns - 1)])


def propose_flat(closeup: Closeup, pips: Sequence[Pip]) -> list[Candidate]:
    """Return every flat die that may lie in *closeup* over some of *pips*."""
    fits = [fit for fit in lay(pips, closeup.side) if _is_flat(fit, pips)]
    found = [c for c in _tested(closeup, fits, pips) if c is not None]
    explained = {i for c in found if c.fit.face > 3 for i in c.fit.pips}
    return [*found, *_ones(closeup, pips, explained)]


def _is_flat(fit: FaceFit, pips: Sequence[Pip]) -> bool:
    roundness = [pips[i].roundness for i in fit.pips]
    return sum(roundness) / len(roundness) > MIN_FLAT_ROUNDNESS and min(roundness) > 0.7 * max(roundness)


def _ones(closeup: Closeup, pips: Sequence[Pip], explained: Set[int]) -> Iterator[Candidate]:
    """Yield the ones: a pip, not *explained* yet, in the middle of an even face, turned as its outline shows best."""
    low, high = PIP_PER_SIDE
    side = closeup.side
    upright = [
        FaceFit(1, pip.x, pip.y, 0.0, side, frozenset((i,)), 0.0)
        for i, pip in enumerate(pips)
        if i not in explained and pip.roundness > MIN_FLAT_ROUNDNESS and low < pip.diameter / side < high
    ]
    likely = [fit for fit, c in zip(upright, _tested(closeup, upright, pips, loose=True), strict=True) if c is not None]
    turned = [replace(fit, angle=pi / 2 * k / ONE_ANGLES) for fit in likely for k in range(ONE_ANGLES)]
    tested = _tested(closeup, turned, pips)
    for first in range(0, len(turned), ONE_ANGLES):
        found = [c for c in tested[first : first + ONE_ANGLES] if c is not None]
        if found:
            best = max(found, key=lambda c: sum(c.body.outline) + 2 * c.body.fill)
            if sum(edge > CLEAR_EDGE for edge in best.body.outline) >= 2:
                yield best


def _tested(
    closeup: Closeup, fits: Sequence[FaceFit], pips: Sequence[Pip], *, loose: bool = False
) -> list[Candidate | None]:
    """Return each of *fits* as a candidate, or None where no body lies beneath it or another pip lies on it."""
    if not fits:
        return []
    under = look_under(closeup.lab, fits, pips)
    least = LOOSE_FILL if loose else MIN_FILL
    good = (under.evenness >= MIN_EVENNESS) & (under.fill >= least) & (under.contrast >= MIN_CONTRAST)
    if not loose:
        good &= under.stranger <= MAX_STRANGER
    fine = [good[k] and (fit.face > 1 or not crowded(pips, fit)) for k, fit in enumerate(fits)]
    return [Candidate(fit, _body(under, k), _weight(pips, fit)) if fine[k] else None for k, fit in enumerate(fits)]


def _body(under: Under, k: int) -> Body:
    lightness, a, b = map(float, under.colour[k])
    left, right, top, bottom = map(float, under.outline[k])
    return Body(
        colour=(lightness, a, b),
        fill=float(under.fill[k]),
        outline=(left, right, top, bottom),
        contrast=float(under.contrast[k]),
        evenness=float(under.evenness[k]),
        stranger=float(under.stranger[k]),
    )


def _weight(pips: Sequence[Pip], fit: FaceFit) -> float:
    """Return how much of the picture *fit* explains: its pips, each 0 to 1 by contrast and roundness."""
    own = (pips[i] for i in fit.pips)
    return sum(min(pip.levels / FULL_LEVELS, 1.0) * min(pip.roundness / 0.85, 1.0) for pip in own)
