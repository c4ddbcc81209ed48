"""What the table costs beside reading: at rest, from a reading to what is seen of it, and from power on."""

from __future__ import annotations

import itertools
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from queue import SimpleQueue

import cv2
import numpy as np

from benchmarks.soak.guests import reading
from firmware import loop, settings
from firmware.controller import Controller
from firmware.events import Event, Pressed, Stop, TrayRead, TrayStirred
from firmware.eyes import Eyes
from firmware.journal import Journal
from firmware.table import Table
from firmware.watching import BLIND, NOTHING, Watching
from hardware.board import Oled
from hardware.clock import MonotonicClock
from hardware.devices import SEAT_KEYS, CameraFrame, Display, Key, Screen
from hardware.pi_display import PiOled
from hardware.rig import Rig, simulated_rig
from hardware.simulated import SimulatedDisplay
from tests.evening.table import Evening
from tests.hardware.oled_bus import Bus
from vision import calibrate, render
from vision.types import Frame

FRAME_S = 1 / 30
IDLE_S = 20.0
THROWN = ((5, 4), (6, 2), (6, 3), (5, 2))
THROWS = 18
"""Fewer than end a game: every one of them is stored and shown."""

LONGEST_S = 2.0
"""What is not shown by then counts as shown then."""

STARTS = 5
PICTURE_BYTES = 14_000


def limits_table() -> str:
    """Return a Markdown table: what is limited, the limit, and what was measured in this run."""
    late_ms = delays_ms()
    starts_s = [start_s() for _ in range(STARTS)]
    rows = (
        ("an empty table, camera of 640x480 at 30 a second", "5 % of a core", f"{100 * busy(NOTHING):.1f} %"),
        ("the same while two dice are awaited and nothing moves", "", f"{100 * busy(Watching(2)):.1f} %"),
        ("the same while dice are hidden and the camera is blind", "", f"{100 * busy(BLIND):.1f} %"),
        (
            "from a reading to lamp and display, stored and drawn; without the I2C wire",
            "50 ms",
            f"{statistics.median(late_ms):.0f} ms median, {max(late_ms):.0f} ms at most of {len(late_ms)}",
        ),
        (
            'from the start of the program to "press a seat"',
            "3 s",
            f"{statistics.median(starts_s):.1f} s median of {STARTS}",
        ),
    )
    head = "| what | limit | measured |\n|---|---|---|"
    return "\n".join([head, *(f"| {what} | {limit} | {measured} |" for what, limit, measured in rows)])


def busy(watching: Watching) -> float:
    """Return how much of a core the table takes while nothing happens: camera thread, loop and devices together.

    Parameters
    ----------
    watching
        What the camera thread is told; `NOTHING` is what the table itself tells it while nobody plays.
    """
    scene = render.Table(seed=3, size=(640, 480))
    calibration = calibrate([scene.empty(seed=1)], tray_mm=scene.tray_mm, corners=scene.corners_px)
    camera = _Ticking(scene.empty(seed=2))
    parts: list[float] = []

    def wait(_inbox: SimpleQueue[Event]) -> None:
        time.sleep(2.0)
        began_s, used_s = time.monotonic(), time.process_time()
        time.sleep(IDLE_S)
        parts.append((time.process_time() - used_s) / (time.monotonic() - began_s))

    with _table(SimulatedDisplay()) as table:
        inbox: SimpleQueue[Event] = SimpleQueue()
        eyes = Eyes(camera, calibration, inbox)
        eyes.expect(watching)
        eyes.open()
        if watching == NOTHING:
            table = replace(table, expect=eyes.expect)
        _run(table, inbox, wait)
        eyes.close()
    return parts[0]


def delays_ms() -> list[float]:
    """Return how long it takes from a reading in the queue to the new screen, with a journal on disk and an OLED."""
    shown, late = _Timed(PiOled(Oled(), Bus().connect)), list[float]()

    def play(inbox: SimpleQueue[Event]) -> None:
        for key in (SEAT_KEYS[0], SEAT_KEYS[1], Key.STOP):
            for down in (True, False):
                inbox.put(Pressed(key, down, time.monotonic()))
        for faces in itertools.islice(itertools.chain([(6,), (1,)], itertools.cycle(THROWN)), THROWS):
            time.sleep(0.1)
            inbox.put(TrayStirred("moving"))
            time.sleep(0.02)
            shown.changed.clear()
            began_s = time.monotonic()
            inbox.put(TrayRead(reading(*faces), b"\xff" * PICTURE_BYTES))
            is_shown = shown.changed.wait(LONGEST_S)
            late.append(1000 * (shown.at_s - began_s if is_shown else LONGEST_S))

    with _table(shown) as table:
        _run(table, SimpleQueue(), play)
    return late


def _run(table: Table, inbox: SimpleQueue[Event], hands: Callable[[SimpleQueue[Event]], None]) -> None:
    """Let *table* run on this thread, which owns the journal, until *hands* on another one are done."""

    def act() -> None:
        try:
            hands(inbox)
        finally:
            inbox.put(Stop("measured"))

    thread = threading.Thread(target=act)
    thread.start()
    loop.run(Controller(table), inbox, table.rig.clock.now)
    thread.join()


def start_s() -> float:
    """Return the seconds from the start of a process to the first screen, on mock pins."""
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening("standard", Path(folder) / "state")
        evening.prepare()
        began_s = time.monotonic()
        evening.plug_in()
        try:
            evening.reads("press a seat", "SIt0")
            return time.monotonic() - began_s
        finally:
            evening.pull_the_plug()


@dataclass
class _Ticking:
    """A camera before which nothing happens, thirty times a second; its noise was made before."""

    scene: Frame

    def __post_init__(self) -> None:
        noise = np.random.default_rng(1)
        self._frames = itertools.cycle(
            [cv2.add(self.scene, noise.integers(0, 4, self.scene.shape, dtype=np.uint8)) for _ in range(8)]
        )
        self._due_s = time.monotonic()

    def capture(self) -> CameraFrame:
        self._due_s += FRAME_S
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        return CameraFrame(np.asarray(next(self._frames), np.uint8), self._due_s)

    def close(self) -> None:
        """Do nothing."""


class _Timed:
    """A display that notes when it has shown something."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self.changed = threading.Event()
        self.at_s = 0.0

    def show(self, screen: Screen) -> None:
        self._display.show(screen)
        self.at_s = time.monotonic()
        self.changed.set()

    def close(self, *, dark: bool = True) -> None:
        self._display.close(dark=dark)


@contextmanager
def _table(display: Display) -> Iterator[Table]:
    devices = simulated_rig()
    parts = {part.name: getattr(devices, part.name) for part in fields(Rig)}
    rig = Rig(**parts | {"display": display, "clock": MonotonicClock()})
    with tempfile.TemporaryDirectory() as folder, closing(Journal.open(Path(folder) / "journal.sqlite3")) as journal:
        yield Table(rig, journal, settings.parse(""))


if __name__ == "__main__":
    print(limits_table())
