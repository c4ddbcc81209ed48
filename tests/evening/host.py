"""The table's computer in a process of its own: the program on mock pins, a camera and a display that are looked after
from outside.

`main` runs ``mexico-table ARGUMENT...`` and answers on a connection:
the name of a method of `Bench` and what it takes. The first thing to come is what the camera sees at first. Killing
the process is the power cut.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware import cli, cli_table
from hardware import pi_display
from hardware.board import PINS, SevenSegment
from hardware.devices import Camera, CameraFrame, CameraLost
from tests.hardware.oled_bus import Bus

FRAME_S = 1 / 60
NOISES = 5
WATCHED_S = 1.5
"""How long an eye looks at a lamp to know its pattern."""


class WatchedPin(MockPWMPin):  # type: ignore[misc]
    """A pin of which it is known when it changed, and what tones it gave."""

    def __init__(self, factory: Any, info: Any) -> None:
        self.changes: deque[float] = deque(maxlen=64)
        self.tones: list[float] = []
        super().__init__(factory, info)

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        if changed:
            self.changes.append(time.monotonic())
        return changed

    def _set_frequency(self, value: float | None) -> None:
        super()._set_frequency(value)
        if value is not None:
            self.tones.append(value)


Frame = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Look:
    """What is seen and heard of the table at one moment.

    Attributes
    ----------
    lit
        The pins that are high.
    changes
        How often each pin has changed within `WATCHED_S`.
    pixels
        Of the OLED; None where it is dark or not there.
    digits
        Which segments of each digit shine, from left to right; empty without such a display.
    tones
        In hertz, since the last look.
    """

    lit: frozenset[int]
    changes: dict[int, int]
    pixels: list[list[bool]] | None
    digits: tuple[tuple[int, ...], ...]
    tones: tuple[float, ...]


@dataclass
class Lens:
    """A camera before which scenes are put: each picture is shown once, the last few again and again with new noise."""

    plugged: bool = True
    _coming: deque[Frame] = field(default_factory=deque)
    _now: Frame | None = None
    _taken: int = 0
    _noise: tuple[Frame, ...] = ()

    def put(self, frames: Sequence[Frame]) -> None:
        self._coming.extend(frames)

    @property
    def idle(self) -> bool:
        return not self._coming

    def capture(self) -> CameraFrame:
        time.sleep(FRAME_S)
        if not self.plugged or (self._now is None and not self._coming):
            raise CameraLost("the camera is unplugged; check its cable")
        if self._coming:
            self._now = self._coming.popleft()
        assert self._now is not None
        self._taken += 1
        if not self._noise:
            rng = np.random.default_rng(1)
            self._noise = tuple(rng.integers(0, 5, self._now.shape, np.uint8) for _ in range(NOISES))
        # Made before: new noise for every picture would be most of what the evening costs.
        noisy = cv2.add(self._now, self._noise[self._taken % NOISES])
        return CameraFrame(np.asarray(noisy, np.uint8), self._taken * FRAME_S)

    def close(self) -> None:
        self.plugged = False


class Bench:
    """What the outside may do to the table, and see of it."""

    def __init__(self, pins: Any, bus: Bus, lens: Lens) -> None:
        self._pins = pins
        self._bus = bus
        self._lens = lens

    def serve(self, connection: Connection) -> None:
        while True:
            try:
                what, *about = connection.recv()
            except EOFError:
                return
            connection.send(getattr(self, what)(*about))

    def drive(self, pin: int, high: bool) -> None:
        mock = self._pins.pin(pin)
        (mock.drive_high if high else mock.drive_low)()

    def scene(self, frames: Sequence[Frame]) -> None:
        self._lens.put(frames)

    def shown(self) -> bool:
        """Whether the camera has seen all that was put before it."""
        return self._lens.idle

    def camera(self, plugged: bool) -> None:
        self._lens.plugged = plugged

    def display(self, plugged: bool) -> None:
        (self._bus.put_back if plugged else self._bus.pull)()

    def look(self, digits: SevenSegment | None) -> Look:
        now_s = time.monotonic()
        pins = {number: pin for number in PINS if (pin := self._pins.pin(number)).function == "output"}
        tones = tuple(itertools.chain.from_iterable(pin.tones for pin in pins.values()))
        for pin in pins.values():
            pin.tones = []
        return Look(
            frozenset(number for number, pin in pins.items() if pin.state),
            {number: sum(now_s - at_s < WATCHED_S for at_s in list(pin.changes)) for number, pin in pins.items()},
            self._bus.picture(),
            () if digits is None else self._digits(digits),
            tones,
        )

    def _digits(self, display: SevenSegment) -> tuple[tuple[int, ...], ...]:
        """Look through some turns of the digits: an eye sees them all at once."""
        seen = dict.fromkeys(display.digits, (0,) * len(display.segments))
        until_s = time.monotonic() + 0.15
        while time.monotonic() < until_s:
            for digit in display.digits:
                before = bool(self._pins.pin(digit).state)
                lit = tuple(int(self._pins.pin(pin).state) for pin in display.segments)
                if before and self._pins.pin(digit).state:
                    seen[digit] = lit
            time.sleep(0.0007)
        return tuple(seen.values())


def main(connection: Connection, arguments: Sequence[str]) -> int:
    """Run the program with *arguments*, and let *connection* do with its devices what hands and eyes do."""
    pins, bus, lens = MockFactory(pin_class=WatchedPin), Bus(), Lens()
    lens.put(connection.recv())
    Device.pin_factory = pins
    pi_display._i2c_opener = lambda display: bus.connect

    def open_camera(name: str = "", fps: float = 0.0) -> Camera:
        return lens

    cli_table.open_camera = open_camera  # type: ignore[attr-defined]
    bench = Bench(pins, bus, lens)
    threading.Thread(target=bench.serve, args=(connection,), daemon=True).start()
    return cli.run_command_line(list(arguments))
