"""Parts of the tray that are looked at by themselves: two cups at the two ends of it, or eight that lie in rows."""

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

A_ROW = 4
"""Seats that have their dice along one side of the tray."""


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
class Share:
    """One of eight equal parts of the tray, in two rows of four: that of a seat whose dice lie before it.

    Attributes
    ----------
    seat
        1 to 8, clockwise as seats are: 1 to 4 along the back from the left of the picture, 5 to 8 along the front from
        its right.

    Raises
    ------
    ValueError
        If there is no such seat.
    """

    seat: int

    def __post_init__(self) -> None:
        if not 1 <= self.seat <= 2 * A_ROW:
            raise ValueError(f"the part of the tray of seat {self.seat}; seats are 1 to {2 * A_ROW}")

    def rectangle_mm(self, tray_mm: tuple[float, float]) -> Rectangle:
        """Return where it is in a tray with a floor of *tray_mm*.

        Examples
        --------
        >>> Share(1).rectangle_mm((600.0, 300.0)), Share(5).rectangle_mm((600.0, 300.0))
        ((0.0, 0.0, 150.0, 150.0), (450.0, 150.0, 600.0, 300.0))
        """
        wide, deep = tray_mm
        at_back = self.seat <= A_ROW
        column = self.seat - 1 if at_back else 2 * A_ROW - self.seat
        back = 0.0 if at_back else deep / 2
        return (wide * column / A_ROW, back, wide * (column + 1) / A_ROW, back + deep / 2)


Part: TypeAlias = Zone | Share
"""A part of the tray by its name, wherever that is in millimetres."""


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
    def of(cls, zone: Part | Rectangle | None, tray_mm: tuple[float, float]) -> Region:
        """Return the region of *zone*; all of the tray when that is None.

        Raises
        ------
        ValueError
            If it is no part of the tray: a bug in the caller.
        """
        if zone is None:
            return cls()
        wide, deep = tray_mm
        left, back, right, front = zone if isinstance(zone, tuple) else zone.rectangle_mm(tray_mm)
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

    def inset(self, by_mm: float) -> Region:
        """Return it without so much along the edges that it has within the tray."""
        left, back, right, front = self.rectangle
        return Region((left + by_mm, back + by_mm, right - by_mm, front - by_mm))

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
