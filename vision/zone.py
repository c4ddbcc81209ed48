"""Parts of the tray that are looked at by themselves: two players, each with a cup, at the two ends of one tray."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

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
