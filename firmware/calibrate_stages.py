"""Calibrating from a phone: where it stands and what may be done next. It knows no camera and no reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Protocol

from vision.types import Frame, Point


class Stage(StrEnum):
    """Where it stands."""

    EMPTY = auto()  # the tray is to be emptied
    FLOOR = auto()  # is this the floor?
    DICE = auto()  # throw, to learn the dice
    DICE_ASKED = auto()  # is this reading right?
    KINDS = auto()  # are these the dice?
    PROOF = auto()  # throw, to prove it
    PROOF_ASKED = auto()  # is this reading right?
    READY = auto()  # may be saved


class Act(StrEnum):
    """What a bartender does."""

    LOOK = auto()
    YES = auto()
    NO = auto()
    THROWN = auto()
    ENOUGH = auto()
    SKIP = auto()


class NotNow(Exception):
    """It cannot be done now; nothing has changed, and the message says why."""


class Over(Exception):
    """The calibration ends with nothing saved; the message says why."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a calibration stands.

    Attributes
    ----------
    stage
        What is next.
    said
        What was seen, what is wrong and what to do, a sentence each.
    picture
        Number of the picture to look at, 0 for none.
    size
        Columns and rows of the camera's pictures, None before the first.
    corners
        Corners of the floor, clockwise from the top left of the picture, in pixels; None before they are known.
    learned, proved
        Throws the dice are learned from, and throws that were read right.
    """

    stage: Stage = Stage.EMPTY
    said: tuple[str, ...] = ()
    picture: int = 0
    size: tuple[int, int] | None = None
    corners: tuple[Point, ...] | None = None
    learned: int = 0
    proved: int = 0


class ByPhone(Protocol):
    """One calibration from its beginning to its end; used by one thread at a time that may wait for it."""

    @property
    def standing(self) -> Standing:
        """Return where it stands. From any thread."""
        ...

    @property
    def picture(self) -> Frame | None:
        """Return what is to be looked at. From any thread."""
        ...

    def act(self, act: Act, corners: Sequence[Point] | None = None) -> None:
        """Do *act*; *corners* go with a look at the empty tray.

        Raises
        ------
        NotNow
            If that cannot be done now.
        Over
            If it ends the calibration.
        """
        ...

    def save(self) -> str:
        """Save what was made and return words for the bartender.

        Raises
        ------
        NotNow
            If it is not ready, or the disk does not take it.
        """
        ...
