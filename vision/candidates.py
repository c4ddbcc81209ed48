"""A die that may lie there: a layout, what was found beneath it, and how far it explains the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from vision.bodies import Body
from vision.layouts import FaceFit, yaw_deg
from vision.pips import Pip
from vision.types import Die

MIN_FILL = 0.85
MIN_CONTRAST = 12.0
MIN_EVENNESS = 0.35
MAX_STRANGER = 0.6
FULL_LEVELS = 20
"""A pip seen at this many grey levels counts in full."""


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


def weight_of(pips: Sequence[Pip], fit: FaceFit) -> float:
    """Return how much of the picture *fit* explains: its pips, each 0 to 1 by contrast and roundness."""
    own = (pips[i] for i in fit.pips)
    return sum(min(pip.levels / FULL_LEVELS, 1.0) * min(pip.roundness / 0.85, 1.0) for pip in own)
