"""A table with the virtual Pi in it, as guests use it: seats, STOP, knob and dice in; words, pixels and lamps out."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from hardware.board import Board
from hardware.devices import SEAT_KEYS, Key, Lamp
from tests.virtual_pi.display import Picture, words_on
from tests.virtual_pi.machine import Machine, Ran
from tests.virtual_pi.scenes import Tray

SHOWN_S: Final = 900.0
"""So long the table may take to show something: everything is emulated, on a machine that may be busy. A refusal takes
the guest half a minute by its own clock, and a slow host ten times as long."""

LOOK_S: Final = 0.3

EMPTY_FRAMES: Final = 2
"""So many pictures of the empty tray lie between two throws."""

SERVICE: Final = "mexico-table"
STATE: Final = "/var/lib/mexico-table"
PROGRAM: Final = "/opt/mexico-table/.venv/bin/mexico-table"

_TOLD: Final = ("rolled", "MEXICO!", "not counted", "END OF THE ROUND", "LEADS", "TIED", "WINS", "not now")


class Table:
    """What guests see and touch.

    Parameters
    ----------
    machine
        The Pi in it, switched on.
    board
        What is wired to which GPIO.
    pictures
        Where pictures of its screens are put for a person to look at.
    """

    def __init__(self, machine: Machine, board: Board, pictures: Path) -> None:
        self.machine = machine
        self.board = board
        self.tray = Tray()
        self._pictures = pictures

    # --- hands ---

    def press(self, key: Key, for_s: float = 0.2) -> None:
        """Press a button and let go; its contact bounces both times."""
        self.machine.order("press", pin=self.board.buttons[key], for_s=for_s)

    def seat(self, number: int) -> None:
        self.press(SEAT_KEYS[number - 1])

    def hold(self, key: Key) -> None:
        self.machine.order("hold", pin=self.board.buttons[key])

    def let_go(self, key: Key) -> None:
        self.machine.order("let_go", pin=self.board.buttons[key])

    def turn(self, steps: int) -> None:
        """Turn the knob: by one step, read what is shown, and on."""
        a, b = self.board.encoder
        self.machine.order("turn", a=a, b=b, steps=steps)

    def two_play(self) -> None:
        """Let two guests, seats A and B, play by the usual rules, whatever was played before; A leads."""
        self.clear()
        if "WINS" in self.words()[0]:
            self.press(Key.CONFIRM)
            self.shows("A B C D", "STOP starts")
            self._take_back_the_rules()
        for seat in (3, 4) if "A B C D" in self.words() else (1, 2):
            self.seat(seat)  # two leave, or two join
        self.until(lambda: "A B" in self.words(), "two sit there")
        self.press(Key.STOP)
        self.shows("A: throw ONE die")
        self.throw(5)
        self.throw(2)
        self.shows("A LEADS")

    def _take_back_the_rules(self) -> None:
        """Take back on the card what was agreed for the game before."""
        self.turn(2)
        self.shows("preset", "= one_life")
        while "= none" not in (before := self.words()):
            self.press(Key.CONFIRM)
            self.until(partial(self._is_other, before), "another preset is shown")
        self.turn(-2)
        self.shows("A B C D", "STOP starts")

    def _is_other(self, before: tuple[str, ...]) -> bool:
        return self.words() != before

    # --- dice ---

    def clear(self) -> None:
        """Take everything out of the tray."""
        self._see(self.tray.empty())

    def clear_unseen(self) -> None:
        """Take everything out of the tray while no camera looks."""
        self.machine.order("scene", picture=self.tray.empty())

    def put(self, *faces: int) -> None:
        """Let dice come to rest, and do not wait for what the table says."""
        self.machine.order("scene", picture=self.tray.thrown(*faces))

    def throw(self, *faces: int) -> tuple[str, ...]:
        """Pick the dice up, throw them so that they show *faces*, and return what the table says of it."""
        return self._thrown(self.tray.thrown(*faces))

    def throw_cocked(self) -> tuple[str, ...]:
        """Throw two dice of which one leans."""
        return self._thrown(self.tray.cocked())

    def _thrown(self, dice: bytes) -> tuple[str, ...]:
        self.clear()
        before = self.look()
        self.machine.order("scene", picture=dice)
        self.until(
            lambda: bool((self.look() != before).any()) and any(told in self.words()[0] for told in _TOLD),
            f"the throw is told; before it: {words_on(before)}",
        )
        return self.words()

    def _see(self, picture: bytes) -> None:
        """Show a picture until the camera has given some of it."""
        first = self.machine.order("scene", picture=picture)["frames"]
        self.until(lambda: self.frames() - first >= EMPTY_FRAMES, "the camera gives pictures")

    def frames(self) -> int:
        """Return how many pictures the camera has given."""
        return int(self.machine.order("camera")["frames"])

    # --- eyes ---

    def look(self) -> Picture:
        """Return the pixels of the OLED."""
        return self.machine.look().picture

    def words(self) -> tuple[str, ...]:
        """Return title and lines of the OLED."""
        return words_on(self.look())

    def shows(self, *wanted: str, within_s: float | None = None) -> tuple[str, ...]:
        """Wait until every one of *wanted* stands on the OLED; return all that stands there."""
        self.until(
            lambda: all(any(want in line for line in self.words()) for want in wanted), f"{wanted} is shown", within_s
        )
        return self.words()

    def lamp(self, lamp: Lamp) -> bool:
        """Return whether a lamp has power at this moment."""
        return bool(self.machine.order("pins")["values"][self.board.lamps[lamp]])

    def lit_for(self, lamp: Lamp, seconds: float = 3.0) -> float:
        """Return for which part of the time, by the guest's clock, a lamp is lit."""
        return float(self.machine.order("lit", pin=self.board.lamps[lamp], seconds=seconds)["part"])

    def until(self, true: Callable[[], bool], what: str, within_s: float | None = None) -> None:
        """Wait until something is true, and fail with what the OLED shows when it never is."""
        self.until_told(true, what, lambda: str(self.words()), within_s)

    def until_told(
        self, true: Callable[[], bool], what: str, seen: Callable[[], str], within_s: float | None = None
    ) -> None:
        """Wait until something is true, and fail with what is *seen* when it never is."""
        within_s = within_s or SHOWN_S
        end_s = time.monotonic() + within_s
        while not true():
            assert time.monotonic() < end_s, (
                f"not in {within_s:g} s: {what}; the display says {seen()}; the service:\n{self.journal(25)}"
            )
            time.sleep(LOOK_S)  # a look costs the guest time that the table needs

    def keep(self, name: str) -> None:
        """Keep the OLED as a picture, four times as large."""
        pixels = np.kron(self.look(), np.ones((4, 4), bool)).astype(np.uint8) * 255
        self._pictures.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(self._pictures / f"{name}.png"), pixels)

    # --- the maker ---

    def journal(self, lines: int = 1000) -> str:
        """Return what the service has said to systemd's journal since power came."""
        return self.machine.run(f"journalctl -b -u {SERVICE} --no-pager -o cat -n {lines}").out

    def program(self, arguments: str, seconds: float = 240) -> Ran:
        """Run ``mexico-table`` by hand."""
        return self.machine.run(f"sudo {PROGRAM} {arguments} --state {STATE}", seconds)

    def property(self, name: str) -> str:
        """Return what systemd knows of the service."""
        return self.machine.run(f"systemctl show {SERVICE} --property={name} --value").out.strip()
