"""What the camera may do now. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Watching:
    """What the camera is told.

    Attributes
    ----------
    dice
        How many dice are read when they come to rest; 0 when none are awaited.
    blind
        Whether hidden dice lie on the table: nothing is read then, and no picture is kept.
    """

    dice: int = 0
    blind: bool = False

    def __post_init__(self) -> None:
        if self.blind and self.dice:
            raise ValueError(f"{self.dice} dice are to be read by a camera that is blind")


NOTHING: Final = Watching()
BLIND: Final = Watching(blind=True)
