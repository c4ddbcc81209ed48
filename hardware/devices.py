"""What the table needs of its devices, as Protocols of few verbs in table words.

Real devices (`pi_*`), simulated ones (`simulated`) and the laptop's (`terminal`) all satisfy these and pass
one contract suite, `tests/hardware/`. Units stand in the names: `_s` seconds, `_hz` hertz.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt


class HardwareError(Exception):
    """Base of everything this package raises: a device is missing, was unplugged, or answers wrongly."""


class DeviceMissing(HardwareError):
    """A device or the library that drives it is not there: what is missing and what to do, in one line."""


class Key(StrEnum):
    """The push buttons of the table. Seats count clockwise from 1."""

    SEAT_1 = "seat_1"
    SEAT_2 = "seat_2"
    SEAT_3 = "seat_3"
    SEAT_4 = "seat_4"
    SEAT_5 = "seat_5"
    SEAT_6 = "seat_6"
    SEAT_7 = "seat_7"
    SEAT_8 = "seat_8"
    STOP = "stop"
    CONFIRM = "confirm"  # the push of the rotary encoder


class Lamp(StrEnum):
    """The lamps of the table: one in every seat button, one in STOP, one beside the lens."""

    SEAT_1 = "seat_1"
    SEAT_2 = "seat_2"
    SEAT_3 = "seat_3"
    SEAT_4 = "seat_4"
    SEAT_5 = "seat_5"
    SEAT_6 = "seat_6"
    SEAT_7 = "seat_7"
    SEAT_8 = "seat_8"
    STOP = "stop"
    BLIND = "blind"


SEAT_KEYS = tuple(key for key in Key if key.value.startswith("seat_"))
SEAT_LAMPS = tuple(lamp for lamp in Lamp if lamp.value.startswith("seat_"))


@dataclass(frozen=True, slots=True)
class Bitmap:
    """A small picture of lit and dark pixels.

    Attributes
    ----------
    width, height
        In pixels.
    pixels
        Row by row, one byte each: 255 lit, 0 dark.
    """

    width: int
    height: int
    pixels: bytes

    def __post_init__(self) -> None:
        if len(self.pixels) != self.width * self.height:
            raise ValueError(f"{len(self.pixels)} pixels are no picture of {self.width} x {self.height}")


@dataclass(frozen=True, slots=True)
class Screen:
    """One state of the display, said for both kinds of display.

    Attributes
    ----------
    title
        The top line, at most 21 characters: whose turn, what is asked for.
    big
        What must be read from two metres, at most 6 characters: a score, a fault. May be empty.
    lines
        Up to three lines of at most 21 characters below: pot, stake, roll 2 of 3.
    four
        The same state in at most 4 characters for the seven-segment display.
    picture
        Shown in the place of *big* where there are pixels: what a throw looked like. One of 128 x 64 pixels takes the
        place of everything, a narrower one of 64 pixels' height stands beside the words.
    """

    title: str
    big: str
    lines: tuple[str, ...]
    four: str
    picture: Bitmap | None = None


@dataclass(frozen=True, slots=True)
class CameraFrame:
    """A picture and the time it was taken.

    Attributes
    ----------
    image
        uint8, shape (rows, columns, 3), blue-green-red.
    time_s
        Seconds on the camera's own clock; only differences mean anything.
    low
        The same moment and view once more, small and in grey, for whoever asks only what moves: uint8, shape (rows,
        columns). None where the camera has but one stream.
    """

    image: npt.NDArray[np.uint8]
    time_s: float
    low: npt.NDArray[np.uint8] | None = None


class CameraLost(HardwareError):
    """The camera gives no pictures: unplugged, stalled or never there."""


class EndOfStream(HardwareError):
    """The recording is over; a live camera never raises this."""


class Clock(Protocol):
    """A steady clock."""

    def now(self) -> float:
        """Return seconds that only ever grow."""
        ...


class Buttons(Protocol):
    """Push buttons. *on_change* may run on any thread; edges alternate and are debounced.

    The edges of a key begin with a press: a key that is down when listening begins is first heard at its next press.
    """

    def listen(self, on_change: Callable[[Key, bool, float], None]) -> None:
        """Call ``on_change(key, pressed, time_s)`` at every edge from now on."""
        ...

    def held(self) -> frozenset[Key]:
        """Return the keys that are down at this moment, without any memory: what a self-test asks."""
        ...

    def close(self) -> None:
        """Let go of the pins; may be called twice."""
        ...


class Encoder(Protocol):
    """The rotary encoder; its push is `Key.CONFIRM` of the buttons."""

    def listen(self, on_turn: Callable[[int, float], None]) -> None:
        """Call ``on_turn(steps, time_s)`` at every detent, +1 or -1 each; clockwise is positive."""
        ...

    def close(self) -> None:
        """Let go of the pins; may be called twice."""
        ...


class Lamps(Protocol):
    """Lamps that are on or off: patterns are deadlines of the loop, not of the lamps."""

    def set(self, lamp: Lamp, on: bool) -> None:
        """Switch one lamp; a lamp the board does not have is ignored."""
        ...

    def close(self, *, dark: bool = True) -> None:
        """All off, or if not *dark* left as they are, and let go of the pins; what is closed stays as it is."""
        ...


class Display(Protocol):
    """A small display of either kind."""

    def show(self, screen: Screen) -> None:
        """Replace what is shown.

        Raises
        ------
        HardwareError
            If the display does not answer. The next call tries again.
        """
        ...

    def close(self, *, dark: bool = True) -> None:
        """Dark, or if not *dark* left as it is, and let go of the bus; what is closed stays as it is."""
        ...


class Sound(Protocol):
    """The buzzer: one tone at a time; melodies are deadlines of the loop."""

    def tone(self, frequency_hz: float | None) -> None:
        """Sound *frequency_hz* from now on, or be silent for None; 220 to 880 Hz is always there."""
        ...

    def close(self) -> None:
        """Silent, and let go of the pin; may be called twice."""
        ...


class Voice(Protocol):
    """A voice that says one sentence at a time, and never keeps anybody waiting."""

    @property
    def busy(self) -> bool:
        """Return whether it is still speaking; to be asked now and then while it is, for that ends what is over."""
        ...

    def say(self, sentence: str) -> None:
        """Begin to say *sentence*; while it is busy that does nothing. What cannot be said is left unsaid."""
        ...

    def hush(self) -> None:
        """Break off; it is busy until it is silent, for a moment."""
        ...

    def close(self) -> None:
        """Silent for ever; may be called twice."""
        ...


class Camera(Protocol):
    """A source of pictures. A closed one raises `CameraLost`; the other devices do nothing once closed."""

    def capture(self) -> CameraFrame:
        """Wait for the next picture and return it.

        Raises
        ------
        CameraLost
            If no picture came within the camera's own time limit. The next call tries again.
        EndOfStream
            If this is a recording and it is over.
        """
        ...

    def close(self) -> None:
        """Let go of the camera; may be called twice."""
        ...


@runtime_checkable
class LockableCamera(Camera, Protocol):
    """A camera whose exposure, gain, white balance and focus can be held still; recordings have none.

    The values are JSON numbers, none below 0, under names with units, such as ``{"exposure_us": 8000.0, "gain": 2.0}``;
    a camera leaves out what it cannot hold, and ignores what it does not know.
    """

    def lock(self) -> Mapping[str, float]:
        """Hold everything as it is now and return it, to be stored with the calibration."""
        ...

    def restore(self, held: Mapping[str, float]) -> None:
        """Set and hold what `lock` returned on an earlier day."""
        ...

    def release(self) -> None:
        """Hold nothing any more: with the next picture the camera begins anew, and finds everything by itself."""
        ...
