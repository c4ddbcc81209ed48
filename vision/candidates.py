"""Propose dice: layouts laid over pips, each tested for a body of one colour beneath it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot, pi

import numpy as np

from vision.bodies import Body, cut_out, examine
from vision.layouts import FAINT, FaceFit, fit_faces, yaw_deg
from vision.pips import Pip
from vision.types import Die, Frame, Mask

MIN_FILL = 0.85
MIN_CONTRAST = 12.0
MIN_EVENNESS = 0.35
MAX_STRANGER = 0.6
MIN_ROUNDNESS = 0.72
EVEN_ROUNDNESS = {2: 0.75, 3: 0.75, 4: 0.6, 5: 0.6, 6: 0.6}
"""A pip may be less round than the roundest of its face by so much: a glint at its edge makes it so. Where few pips
make the face, a flat one may be of a side of the die."""

FLAT = 0.6
"""A spot less round than this part of what the pips of a face are is none of them: an engraved digit, a scratch."""

FULL_LEVELS = 20
"""A pip seen at this many grey levels counts in full."""

ONE_PER_SIDE = (0.11, 0.42)
"""The same as `PIP_PER_SIDE` for the single pip of a one: that of asian dice is larger than any other."""

ONE_ANGLES = 12
"""A one tells no direction: so many are tried within a quarter turn, and the outline decides."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A die that may lie in the picture.

    Attributes
    ----------
    fit
        The layout and where it lies; its side is that of the die in pixels.
    body
        What was found beneath it.
    weight
        How much of the picture it explains: its pips, each 0 to 1 by contrast and roundness.
    """

    fit: FaceFit
    body: Body
    weight: float

    def clashes(self, other: Candidate) -> bool:
        """Return whether both cannot lie there: a shared pip, or centres closer than two dice can be."""
        apart = hypot(self.fit.x - other.fit.x, self.fit.y - other.fit.y)
        return bool(self.fit.pips & other.fit.pips) or apart < 0.9 * min(self.fit.side, other.fit.side)

    def die(self, pips: Sequence[Pip], scale: float = 1.0) -> Die:
        """Return the die as it is reported, pixels multiplied by *scale*."""
        corners = tuple((x * scale, y * scale) for x, y in self.fit.corners())
        return Die(
            face=self.fit.face,
            centre_px=(self.fit.x * scale, self.fit.y * scale),
            centre_mm=None,
            yaw_deg=yaw_deg(self.fit.angle),
            confidence=self.confidence,
            corners_px=corners,  # type: ignore[arg-type]
            pips_px=tuple((pips[i].x * scale, pips[i].y * scale) for i in sorted(self.fit.pips)),
        )

    @property
    def confidence(self) -> float:
        """0 to 1: the weakest of fill, contrast, fit and roundness, each against its limit."""
        parts = (
            (self.body.fill - MIN_FILL) / (1 - MIN_FILL),
            self.body.contrast / (3 * MIN_CONTRAST),
            1 - self.body.stranger / MAX_STRANGER,
            1 - self.fit.residual / 0.1,
            self.weight / self.fit.face,
        )
        return float(np.clip(0.5 + 0.5 * min(parts), 0.0, 1.0))


def propose(
    lab: Frame, pips: Sequence[Pip], sides: tuple[float, float], apart: Mask | None = None
) -> Iterator[Candidate]:
    """Propose twos to sixes of any side between *sides* (pixels) in the picture *lab* (CIE Lab, uint8).

    *apart* as in `vision.layouts.fit_faces`.
    """
    for fit in fit_faces(pips, sides, apart):
        roundness = [pips[i].roundness for i in fit.pips]
        if np.mean(roundness) < MIN_ROUNDNESS or min(roundness) < EVEN_ROUNDNESS[fit.face] * max(roundness):
            continue
        candidate = _tested(lab, pips, fit)
        if candidate is not None:
            yield candidate


def propose_one(lab: Frame, pips: Sequence[Pip], index: int, side: float) -> Candidate | None:
    """Propose a one around pip *index* for dice of *side* pixels, or None where there is no such body."""
    pip = pips[index]
    if pip.roundness < MIN_ROUNDNESS or not ONE_PER_SIDE[0] < pip.diameter / side < ONE_PER_SIDE[1]:
        return None
    upright = FaceFit(1, pip.x, pip.y, 0.0, side, frozenset((index,)), 0.0)
    if _tested(lab, pips, upright, ring_only=True) is None:
        return None
    best: Candidate | None = None
    for k in range(ONE_ANGLES):
        fit = FaceFit(1, pip.x, pip.y, pi / 2 * k / ONE_ANGLES, side, frozenset((index,)), 0.0)
        candidate = _tested(lab, pips, fit)
        if candidate is not None and (best is None or _clearness(candidate) > _clearness(best)):
            best = candidate
    if best is None or sum(edge > 0.6 for edge in best.body.outline) < 2:
        return None
    return best


def _clearness(candidate: Candidate) -> float:
    return sum(candidate.body.outline) + 2 * candidate.body.fill


def _tested(lab: Frame, pips: Sequence[Pip], fit: FaceFit, *, ring_only: bool = False) -> Candidate | None:
    """Return *fit* as a candidate if a body lies beneath it and no other pip on it."""
    if _crowded(pips, fit):
        return None
    diameter = float(np.median([pips[i].diameter for i in fit.pips])) / fit.side
    places = tuple(fit.on_face(pips[i].x, pips[i].y) for i in sorted(fit.pips))
    body = examine(cut_out(lab, fit.corners()), places, diameter, dark=pips[next(iter(fit.pips))].dark)
    floor = 0.7 * MIN_FILL if ring_only else MIN_FILL
    if body.evenness < MIN_EVENNESS:
        return None
    if body.fill < floor or body.contrast < MIN_CONTRAST or (body.stranger > MAX_STRANGER and not ring_only):
        return None
    return Candidate(fit, body, sum(_weight(pips[i]) for i in fit.pips))


def _weight(pip: Pip) -> float:
    return min(pip.levels / FULL_LEVELS, 1.0) * min(pip.roundness / 0.85, 1.0)


def _crowded(pips: Sequence[Pip], fit: FaceFit) -> bool:
    """Whether a pip that is not of the layout lies on the face."""
    own = [pips[i] for i in fit.pips]
    diameter = float(np.median([p.diameter for p in own]))
    levels = max(3.0, FAINT * float(np.median([p.levels for p in own])))
    roundness = FLAT * float(np.median([p.roundness for p in own]))
    for i, pip in enumerate(pips):
        if i in fit.pips or pip.dark != own[0].dark or pip.levels < levels or pip.roundness < roundness:
            continue
        if 0.5 < pip.diameter / diameter < 1.8 and max(map(abs, fit.on_face(pip.x, pip.y))) < 0.42:
            return True
    return False
