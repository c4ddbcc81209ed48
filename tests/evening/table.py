"""A table with hands at its buttons and dice in its tray: all that a person can do to it, and see and hear of it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.board import Board, Oled, load_board
from hardware.devices import SEAT_KEYS, Key, Lamp
from tests.evening.host import Frame, Look
from tests.evening.reading import letters, lines_of, same
from vision import calibrate
from vision.render import RenderedDie, Table
from vision.render.throw import ThrowKind, throw

ROOT = Path(__file__).parents[2]
PATIENCE_S = 30.0
"""So long a person waits for the table to show something; it shows most of it at once."""

HOST = """
import sys
from multiprocessing.connection import Connection
from tests.evening.host import main
sys.exit(main(Connection(int(sys.argv[1])), sys.argv[2:]))
"""

PLACES = ((60, 60), (150, 150), (230, 70), (110, 110), (200, 160), (80, 170), (240, 120), (130, 60), (180, 100))


@dataclass
class Evening:
    """The table, its tray and whoever stands around it.

    Attributes
    ----------
    board
        The name of its board.
    state
        Its state folder.
    """

    board: str
    state: Path
    tray: Table = field(default_factory=lambda: Table(seed=1))
    heard: list[float] = field(default_factory=list)
    _thrown: int = 0
    _empty: Frame | None = None
    _lying: Frame | None = None
    _process: subprocess.Popen[bytes] | None = None
    _line: Connection | None = None

    def prepare(self) -> None:
        """Calibrate the empty tray, and choose the board."""
        empty = [self.tray.empty(seed) for seed in range(3)]
        self._lying = self._empty = empty[0]
        self.state.mkdir()
        made = calibrate(empty, tray_mm=self.tray.tray_mm, corners=self.tray.corners_px)
        made.save(self.state / "calibration.json")
        (self.state / "settings.toml").write_text(f'[table]\nboard = "{self.board}"\n')

    @property
    def _log(self) -> Path:
        return self.state / "log.txt"

    # --- the plug ---

    def plug_in(self) -> None:
        """Power on; the program runs until it is killed."""
        self._line, theirs = Pipe()
        with theirs, self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", HOST, str(theirs.fileno()), "--hardware", "--state", str(self.state)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
                pass_fds=(theirs.fileno(),),
                stderr=log,
            )
        self._line.send([self._lying])

    def pull_the_plug(self) -> None:
        """Power off at this instant."""
        if self._process is not None and self._line is not None:
            self._process.kill()
            self._process.wait()
            self._line.close()

    def switch_off(self) -> int:
        """End it as systemd does, and return its exit code."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(timeout=PATIENCE_S)

    def _ask(self, *what: object) -> Any:
        assert self._line is not None
        self._line.send(what)
        return self._line.recv()

    # --- hands ---

    @property
    def pins(self) -> Board:
        """The wiring."""
        return load_board(self.board)

    def press(self, *keys: Key, hold_s: float = 0.08) -> None:
        """Press *keys* one after the other, each for so long."""
        for key in keys:
            self._ask("drive", self.pins.buttons[key], False)
            time.sleep(hold_s)
            self._ask("drive", self.pins.buttons[key], True)
            time.sleep(0.08)

    def seat(self, *numbers: int) -> None:
        """Press the buttons of seats, counted from 1."""
        self.press(*(SEAT_KEYS[number - 1] for number in numbers))

    def turn(self, steps: int) -> None:
        """Turn the knob, clockwise where *steps* is positive."""
        first, second = self.pins.encoder if steps > 0 else self.pins.encoder[::-1]
        for _ in range(abs(steps)):
            for pin, high in ((first, False), (second, False), (first, True), (second, True)):
                self._ask("drive", pin, high)
        time.sleep(0.05)

    def throw(self, *faces: int, settle: bool = True) -> None:
        """Take the old dice out and throw new ones that will show *faces*; unless they *settle* they still roll."""
        places = [PLACES[(self._thrown * 2 + k) % len(PLACES)] for k in range(len(faces))]
        self.put(
            [RenderedDie(x, y, 37 * self._thrown % 90, f) for (x, y), f in zip(places, faces, strict=True)], settle
        )

    def throw_badly(self, kind: ThrowKind, seed: int) -> None:
        """Throw two dice so that they come to rest in a way that does not count."""
        self.put(throw(random.Random(seed), 2, kind))

    def put(self, dice: Sequence[RenderedDie], settle: bool = True) -> None:
        """Let *dice* roll in and, if they *settle*, come to rest."""
        self._thrown += 1
        lying = self.tray.picture(dice, seed=self._thrown)
        rolling = [
            np.asarray(cv2.blur(np.roll(lying, shift, axis=(0, 1)), (9, 9)), np.uint8) for shift in (150, 90, 40)
        ]
        self._ask("scene", [self._empty] * 25 + rolling * 2 + [lying] * settle)
        while not self._ask("shown"):
            time.sleep(0.02)
        self._lying = lying

    def camera(self, *, plugged: bool) -> None:
        """Pull or put back the plug of the camera."""
        self._ask("camera", plugged)

    # --- eyes and ears ---

    def look(self) -> Look:
        """See and hear what there is."""
        display = self.pins.display
        seen: Look = self._ask("look", None if isinstance(display, Oled) else display)
        self.heard += [round(tone) for tone in seen.tones]
        return seen

    def reads(self, words: str, four: str) -> None:
        """Wait until the display shows *words* in a line, or *four* where it has no more than four characters."""

        def shown(seen: Look) -> bool:
            if seen.digits:
                return same(seen.digits, four)
            return seen.pixels is not None and any(words in line for line in lines_of(seen.pixels))

        self._until(shown, f"the display shows {words!r} or {four!r}")

    def sees(self, **patterns: str) -> None:
        """Wait until lamps, by name, do what their patterns say: ``off``, ``on``, ``pulse`` or ``blink``."""

        def shining(seen: Look) -> bool:
            return all(self._pattern(Lamp(name), seen) == pattern for name, pattern in patterns.items())

        self._until(shining, f"the lamps show {patterns}")

    def hears(self, *tones: int) -> None:
        """Wait until *tones*, in hertz, have sounded one after the other; nothing before them is heard again."""

        def sounded(_seen: Look) -> bool:
            n = len(tones)
            for k in range(len(self.heard) - n + 1):
                if all(abs(a - b) < 12 for a, b in zip(self.heard[k : k + n], tones, strict=True)):
                    del self.heard[: k + n]
                    return True
            return False

        self._until(sounded, f"{tones} Hz are heard")

    def _pattern(self, lamp: Lamp, seen: Look) -> str:
        pin = self.pins.lamps[lamp]
        changes = seen.changes.get(pin, 0)
        if changes >= 6:
            return "blink"
        if changes:
            return "pulse"
        return "on" if pin in seen.lit else "off"

    def _until(self, good: Callable[[Look], bool], what: str) -> None:
        give_up_s = time.monotonic() + PATIENCE_S
        while not good(seen := self.look()):
            if time.monotonic() > give_up_s:
                shown = lines_of(seen.pixels) if seen.pixels else letters(seen.digits)
                log = self._log.read_text()[-2000:]
                raise AssertionError(f"in vain waited until {what}; shown is {shown}, heard {self.heard[-8:]}\n{log}")
            time.sleep(0.03)

    # --- the book ---

    def book(self, *asked: str) -> list[dict[str, Any]]:
        """Return what ``mexico-table`` prints when it is *asked* about this table, an object a line."""
        command = [sys.executable, "-m", "firmware", *asked, "--state", str(self.state)]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in told.stdout.splitlines()]
