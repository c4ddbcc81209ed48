"""What the camera may do now. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.zone import Part


@dataclass(frozen=True, slots=True)
class Watching:
    """What the camera is told.

    Attributes
    ----------
    dice
        How many dice are read when they come to rest; 0 when none are awaited.
    blind
        Whether hidden dice lie on the table: nothing is read then, and no picture is kept.
    shown
        Whether they are shown and not thrown: what cannot be read may be put right by hand, and is read then.
    zone
        The part of the tray in which they are read: other cups and dice may be in the others; None for all of it.
    lent
        Whether the camera is lent to whoever calibrates: nothing is read for the table.
    """

    dice: int = 0
    blind: bool = False
    shown: bool = False
    zone: Part | None = None
    lent: bool = False

    def __post_init__(self) -> None:
        if self.blind and self.dice:
            raise ValueError(f"{self.dice} dice are to be read by a camera that is blind")
        if self.lent and (self.blind or self.dice):
            raise ValueError("a camera that is lent neither reads dice nor is any of them hidden")


NOTHING: Final = Watching()
BLIND: Final = Watching(blind=True)
LENT: Final = Watching(lent=True)
