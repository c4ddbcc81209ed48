"""What can come in: everything that happens to the table arrives as one of these, in one queue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import TypeAlias

from hardware.devices import Key
from vision.blind import CupState
from vision.types import Fault, TrayReading


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down (*down*) or up again."""

    key: Key
    down: bool
    time_s: float


@dataclass(frozen=True, slots=True)
class Turned:
    """The encoder was turned by *steps* detents, clockwise positive."""

    steps: int
    time_s: float


@dataclass(frozen=True, slots=True)
class TrayRead:
    """One throw came to rest and was read or refused: the only way in which faces reach the rules.

    Attributes
    ----------
    reading
        What the reader answered.
    jpeg
        What it rests on, for the journal: each die as it was read and the whole tray, small.
    """

    reading: TrayReading
    jpeg: bytes | None = None


TOUCHED = "touched"
"""What `TrayStirred` says of dice that are not as they were read, and yet were not thrown."""


@dataclass(frozen=True, slots=True)
class TrayStirred:
    """Something happens in the tray that is no reading: dice move, a hand is in it, it is empty."""

    what: str


@dataclass(frozen=True, slots=True)
class CupSeen:
    """What a camera that is blind tells of the cup: that it stands there, is away, was lifted. Nothing of the dice."""

    state: CupState


class Loss(StrEnum):
    """What a camera lacks that gives nothing of use: each is for somebody else at the table to put right."""

    PICTURES = auto()
    SIZE = auto()
    MOTION = auto()


@dataclass(frozen=True, slots=True)
class CameraState:
    """Whether the camera gives pictures that can be used: *lost* says why not (None: it does), *loss* what it lacks."""

    lost: str | None = None
    loss: Loss = Loss.PICTURES


IT_SEES = CameraState()


@dataclass(frozen=True, slots=True)
class FirstPicture:
    """The camera has given its first picture: *fault* is what is wrong with its light or its place, None: nothing."""

    fault: Fault | None


@dataclass(frozen=True, slots=True)
class Woken:
    """Nothing happened at the table; who else runs on its thread, such as the computer's seats, is to look up."""


class Order(StrEnum):
    """What a bartender may ask for at the panel."""

    PAUSE = auto()
    RESUME = auto()
    VOID = auto()
    RESTART = auto()
    CALIBRATE = auto()
    KEEP_CALIBRATING = auto()
    END_CALIBRATING = auto()


@dataclass(frozen=True, slots=True)
class Ordered:
    """A bartender asks for something at the panel.

    Attributes
    ----------
    order
        For what.
    reason
        Why, in his words: it goes into the journal.
    seen
        Game and event that he has seen last; None where that does not matter.
    answer
        Called with why not, or None when it is done, on the thread that owns the game; it must not wait.
    """

    order: Order
    reason: str
    seen: tuple[int, int] | None
    answer: Callable[[str | None], None]


@dataclass(frozen=True, slots=True)
class Stop:
    """End the program: *why* in words, *exit_code* for the shell; *anew* where it is to begin again at once."""

    why: str
    exit_code: int = 0
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """The camera thread ended because of *error*: a bug, raised on by the thread that owns the game."""

    error: Exception


Event: TypeAlias = (
    Pressed | Turned | TrayRead | TrayStirred | CupSeen | CameraState | FirstPicture | Woken | Ordered | Stop | Failed
)
