"""Parts of the tray that are looked at by themselves: two players, each with a cup, at the two ends of one tray."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import TypeAlias

import numpy as np

from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.types import Doubles, Gray

Rectangle: TypeAlias = tuple[float, float, float, float]
"""Left, back, right and front edge in millimetres from the floor's corner at the top left of the picture."""


class Zone(StrEnum):
    """Half of the tray as the picture shows it."""

    LEFT = "left"
    RIGHT = "right"

    def rectangle_mm(self, tray_mm: tuple[float, float]) -> Rectangle:
        """Return where it is in a tray with a floor of *tray_mm*.

        Examples
        --------
        >>> Zone.RIGHT.rectangle_mm((300.0, 220.0))
        (150.0, 0.0, 300.0, 220.0)
        """
        wide, deep = tray_mm
        return (0.0, 0.0, wide / 2, deep) if self is Zone.LEFT else (wide / 2, 0.0, wide, deep)


@dataclass(frozen=True, slots=True)
class Region:
    """The tray, or a part of it, with what lies beyond the edges that it shares with the floor.

    Attributes
    ----------
    rectangle
        Infinite where its edge is the floor's: a die on the rim belongs to the part of the tray that it lies beside.
    """

    rectangle: Rectangle = (-inf, -inf, inf, inf)

    @classmethod
    def of(cls, zone: Zone | Rectangle | None, tray_mm: tuple[float, float]) -> Region:
        """Return the region of *zone*; all of the tray when that is None.

        Raises
        ------
        ValueError
            If it is no part of the tray: a bug in the caller.
        """
        if zone is None:
            return cls()
        wide, deep = tray_mm
        left, back, right, front = zone.rectangle_mm(tray_mm) if isinstance(zone, Zone) else zone
        if not (0 <= left < right <= wide and 0 <= back < front <= deep):
            raise ValueError(
                f"a zone from {left:g},{back:g} to {right:g},{front:g} mm; the tray is {wide:g} x {deep:g}"
            )
        return cls(
            (
                -inf if left == 0 else left,
                -inf if back == 0 else back,
                inf if right == wide else right,
                inf if front == deep else front,
            )
        )

    @property
    def is_all(self) -> bool:
        """Whether it is all of the tray."""
        return self == Region()

    def beyond_mm(self, points_mm: Doubles) -> float:
        """Return how far the outermost of *points_mm*, shape (N, 2), is outside; negative where all are inside."""
        left, back, right, front = self.rectangle
        low, high = points_mm.min(axis=0), points_mm.max(axis=0)
        return float(max(left - low[0], back - low[1], high[0] - right, high[1] - front))

    def into_mm(self, points_mm: Doubles) -> float:
        """Return how far the hull of *points_mm*, shape (N, 2), reaches into it at most; negative where it does not."""
        left, back, right, front = self.rectangle
        low, high = points_mm.min(axis=0), points_mm.max(axis=0)
        return float(min(high[0] - left, high[1] - back, right - low[0], front - low[1]))

    def cut(self, mask: Gray, x: int, y: int) -> Gray:
        """Return *mask*, which begins at the pixel (*x*, *y*) of the straightened view, without what is outside."""
        if self.is_all:
            return mask
        rows, columns = mask.shape
        left, back, right, front = ((edge + MARGIN_MM) * PX_PER_MM for edge in self.rectangle)
        x0, x1 = (int(np.clip(np.round(np.clip(edge, -1e6, 1e6)) - x, 0, columns)) for edge in (left, right))
        y0, y1 = (int(np.clip(np.round(np.clip(edge, -1e6, 1e6)) - y, 0, rows)) for edge in (back, front))
        kept = np.zeros_like(mask)
        kept[y0:y1, x0:x1] = mask[y0:y1, x0:x1]
        return kept
