"""What is seen in one picture before anything is read: the picture in CIE Lab, its pips, and what each lies on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.layouts import FAINT, FaceFit
from vision.pips import Pip
from vision.scene.pips import grounds, places_of
from vision.types import Doubles, Floats, Frame, Mask

MOST_UNLIKE = 45.0
"""How far, in CIE Lab, the ground of two pips of one face may differ: a highlight may lie on one of them."""

ON_FACE = 0.42
"""In sides from the middle: what lies there lies on the top face."""

FLAT = 0.6
"""A spot less round than this part of what the pips of a face are is none of them: an engraved digit, a scratch."""

_GRID = np.stack(np.meshgrid(*2 * [np.linspace(-0.36, 0.36, 7)]), axis=-1).reshape(-1, 2)
"""Where the body of a die is looked at first, in sides from the middle."""

MIN_BODY = 0.6
"""So much of what is looked at first must have the colour on which the pips lie."""


@dataclass(frozen=True, eq=False)
class Sight:
    """A picture and its pips.

    Attributes
    ----------
    lab
        The picture in CIE Lab, uint8, shape (M, N, 3).
    pips
        The round spots.
    table
        x, y, diameter, roundness, dark, levels of each: float64, shape (len(pips), 6).
    ground
        The colour each lies on, CIE Lab: float32, shape (len(pips), 3).
    """

    lab: Frame
    pips: tuple[Pip, ...]
    table: Doubles
    ground: Floats

    @classmethod
    def of(cls, lab: Frame, pips: Sequence[Pip]) -> Sight:
        """Return *pips* of the picture *lab* with what they lie on."""
        rows = [(p.x, p.y, p.diameter, p.roundness, p.dark, p.levels) for p in pips]
        table = np.array(rows, np.float64).reshape(-1, 6)
        return cls(lab, tuple(pips), table, grounds(lab, places_of(pips)))

    @property
    def apart(self) -> Mask:
        """True for two pips that lie on different colours: shape (len(pips), len(pips))."""
        return np.asarray(np.linalg.norm(self.ground[:, None] - self.ground[None], axis=2) > MOST_UNLIKE)

    def crowded(self, fit: FaceFit) -> bool:
        """Whether a pip that is not of the layout lies on the face.

        A spot that holds the middle of one of the layout's own is none: that pip and what shines beside it, in one.
        """
        own = sorted(fit.pips)
        diameter, roundness, levels = np.median(self.table[own][:, [2, 3, 5]], axis=0)
        x, y, size, round_, dark, seen = self.table.T
        near = np.hypot(x - fit.x, y - fit.y) < ON_FACE * 1.42 * fit.side
        near &= (dark == self.table[own[0], 4]) & (seen >= max(3.0, FAINT * levels)) & (round_ >= FLAT * roundness)
        near &= (size > 0.5 * diameter) & (size < 1.8 * diameter)
        near[own] = False
        away = np.hypot(x[:, None] - x[own], y[:, None] - y[own])
        near &= (away > 0.5 * np.maximum(size[:, None], size[own])).all(axis=1)
        others = np.flatnonzero(near)
        return any(max(map(abs, fit.on_face(x[i], y[i]))) < ON_FACE for i in others)

    def has_body(self, fit: FaceFit) -> bool:
        """Whether most of the face has the colour its pips lie on: a quick look that spares closer ones."""
        own = sorted(fit.pips)
        ground = np.median(self.ground[own], axis=0)
        c, s = np.cos(fit.angle) * fit.side, np.sin(fit.angle) * fit.side
        x, y = fit.x + _GRID @ (c, -s), fit.y + _GRID @ (s, c)
        free = np.ones(len(_GRID), bool)
        for i in own:
            free &= np.hypot(x - self.table[i, 0], y - self.table[i, 1]) > 0.7 * self.table[i, 2]
        columns = np.rint(x[free]).astype(np.intp).clip(0, self.lab.shape[1] - 1)
        rows = np.rint(y[free]).astype(np.intp).clip(0, self.lab.shape[0] - 1)
        delta = self.lab[rows, columns] - ground
        alike = (np.abs(delta[:, 0]) < 0.7 * MOST_UNLIKE + 0.1 * ground[0]) & (
            np.hypot(delta[:, 1], delta[:, 2]) < 0.7 * MOST_UNLIKE
        )
        return len(alike) == 0 or float(alike.mean()) >= MIN_BODY
