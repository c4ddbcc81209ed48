"""What blinks in its place, such as the image of a lamp: it moves in every other picture and never comes to rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from vision.types import Gray

Blocks: TypeAlias = npt.NDArray[np.bool_]
"""One for each block of `vision.motion.measure.change`, of the same shape."""

MOST = 0.004
"""The largest part of the blocks in which motion counts that may blink: that of one die in a tray of 300 x 220 mm."""

OFTEN = 60
"""After so many pictures in which nothing moved but what had moved, none of them larger than `MOST`, it blinks."""

LONG_AGO = 300
"""After so many pictures in which nothing moved there it does so no longer."""


@dataclass(frozen=True, slots=True, eq=False)
class Blinking:
    """What has moved, and how often.

    Attributes
    ----------
    moved, often
        Where something moved, all in all no more than a die takes, and in how many pictures since more did.
    known, quiet
        Where something blinks, and in how many pictures since nothing moved there.
    """

    moved: Blocks | None = None
    often: int = 0
    known: Blocks | None = None
    quiet: int = 0

    def of(self, shape: tuple[int, ...]) -> Blinking:
        """Return this, or that nothing blinks where pictures have blocks of another *shape*."""
        other = any(blocks is not None and blocks.shape != shape for blocks in (self.moved, self.known))
        return Blinking() if other else self

    def after(self, over: Blocks) -> Blinking:
        """Return what is known after one more picture, in which the blocks *over* moved."""
        seen = self
        if seen.known is not None:
            quiet = 0 if bool(over[seen.known].any()) else seen.quiet + 1
            seen = replace(seen, quiet=quiet) if quiet < LONG_AGO else replace(seen, known=None, quiet=0)
        if not over.any():
            return seen
        moved = over if seen.moved is None else over | seen.moved
        if np.count_nonzero(moved) > MOST * moved.size:
            return replace(seen, moved=None, often=0)
        known = moved if seen.often + 1 >= OFTEN else seen.known
        return replace(seen, moved=moved, often=seen.often + 1, known=known)

    def moves(self, over: Blocks) -> bool:
        """Return whether anything but what blinks is among the blocks *over*."""
        return bool(over.any() if self.known is None else (over & ~self.known).any())

    def spared(self, tray: Gray | None) -> Gray | None:
        """Return *tray*, 255 where motion counts, without what blinks; None is all of the picture."""
        if self.known is None:
            return tray
        if tray is None:
            return np.where(self.known, 0, 255).astype(np.uint8)
        spared = tray.copy()
        spared[tray > 0] = np.where(self.known, 0, 255)
        return spared
