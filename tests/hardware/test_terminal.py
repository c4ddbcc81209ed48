"""The table on a laptop: keys as buttons, and what the table shows as text."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.clock import MonotonicClock
from hardware.devices import HardwareError, Key, Lamp, Screen
from hardware.keyboard import HOLD_S, TAP_S, Keyboard, split_keys
from hardware.simulated import SimulatedButtons, SimulatedClock, SimulatedEncoder
from hardware.terminal import Console

ROOT = Path(__file__).resolve().parents[2]
ANNA = Screen("ANNA rolls", "65", ("roll 2 of 3", "pot 4"), "P165")


@dataclass
class Desk:
    """A keyboard at the end of a pipe, and everything it moved."""

    keyboard: Keyboard
    clock: SimulatedClock
    inbox: list[object] = field(default_factory=list)

    def type(self, *keys: str) -> list[object]:
        for key in keys:
            self.keyboard.act(key)
        return self.inbox


class Nothing:
    """Standard input of a program without one."""

    def fileno(self) -> int:
        raise io.UnsupportedOperation("fileno")


@pytest.fixture
def desk(clock: SimulatedClock) -> Iterator[Desk]:
    """Keys typed by the test itself."""
    inbox: list[object] = []
    buttons, encoder = SimulatedButtons(clock, 0.0), SimulatedEncoder(clock)
    buttons.listen(lambda key, pressed, time_s: inbox.append((key, pressed)))
    encoder.listen(lambda steps, time_s: inbox.append(steps))
    keyboard = Keyboard(buttons, encoder, clock, inbox.append, Nothing())
    yield Desk(keyboard, clock, inbox)
    keyboard.close()


def test_the_digits_are_the_seats_and_s_is_stop(desk: Desk) -> None:
    assert desk.type("1", "8", "s", "c") == [
        (Key.SEAT_1, True),
        (Key.SEAT_8, True),
        (Key.STOP, True),
        (Key.CONFIRM, True),
    ]


def test_arrows_plus_and_minus_turn_the_encoder(desk: Desk) -> None:
    assert desk.type("+", "=", "-", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1bOC") == [1, 1, -1, 1, -1, 1, -1, 1]


def test_every_other_character_is_handed_on(desk: Desk) -> None:
    assert desk.type(" ", "x", "é", "9") == [" ", "x", "é", "9"]


def test_keys_without_a_meaning_do_nothing(desk: Desk) -> None:
    assert desk.type("\x1b[5~", "\x1b[1;5C", "\x1bOP") == []


def test_a_key_lets_its_button_go_after_a_tap(desk: Desk) -> None:
    desk.type("s")
    desk.clock.advance(TAP_S / 2)

    assert desk.keyboard.let_go() == pytest.approx(TAP_S / 2)

    desk.clock.advance(TAP_S / 2)

    assert desk.keyboard.let_go() is None
    assert desk.inbox == [(Key.STOP, True), (Key.STOP, False)]


def test_a_capital_s_holds_stop_for_longer_than_two_seconds(desk: Desk) -> None:
    desk.type("S")
    desk.clock.advance(2.2)
    desk.keyboard.let_go()

    assert desk.inbox == [(Key.STOP, True)]

    desk.clock.advance(HOLD_S)
    desk.keyboard.let_go()

    assert desk.inbox == [(Key.STOP, True), (Key.STOP, False)]


def test_a_key_that_repeats_is_a_press_every_time(desk: Desk) -> None:
    assert desk.type("1", "1") == [(Key.SEAT_1, True), (Key.SEAT_1, False), (Key.SEAT_1, True)]


@given(st.text(alphabet="\x1b[OABC15;~ sé\n", max_size=30), st.integers(0, 30))
def test_keys_are_the_same_however_the_terminal_cuts_them(text: str, cut: int) -> None:
    keys, rest = split_keys(text)
    first, begun = split_keys(text[:cut])
    second, end = split_keys(begun + text[cut:])

    assert "".join(keys) + rest == text
    assert (first + second, end) == (keys, rest)


def test_in_a_pipe_every_character_is_a_key_but_the_end_of_a_line_is_none() -> None:
    read, write = os.pipe()
    inbox: SimpleQueue[object] = SimpleQueue()
    clock = MonotonicClock()
    buttons, encoder = SimulatedButtons(clock, 0.0), SimulatedEncoder(clock)
    buttons.listen(lambda key, pressed, time_s: inbox.put((key, pressed)))
    encoder.listen(lambda steps, time_s: inbox.put(steps))
    with os.fdopen(read) as source:
        keyboard = Keyboard(buttons, encoder, clock, inbox.put, source)
        os.write(write, "2\n\x1b[Cé\n".encode())
        os.close(write)
        heard = [inbox.get(timeout=5) for _ in range(4)]
        keyboard.close()
        keyboard.close()

    assert heard == [(Key.SEAT_2, True), 1, "é", (Key.SEAT_2, False)]
    assert inbox.empty()


def console(*lamps: Lamp) -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return Console(lamps, stream=stream), stream


def test_in_a_pipe_a_line_is_printed_for_every_change() -> None:
    shown, stream = console(Lamp.SEAT_1, Lamp.STOP)
    shown.show(ANNA)
    shown.show(ANNA)
    shown.light(Lamp.SEAT_1, True)
    shown.light(Lamp.STOP, True)
    shown.light(Lamp.STOP, False)
    shown.light(Lamp.BLIND, True)
    shown.sound(440.0)
    shown.sound(None)

    assert stream.getvalue().splitlines() == [
        "screen: ANNA rolls | 65 | roll 2 of 3 | pot 4",
        "lamps: 1",
        "lamps: 1 STOP",
        "sound: 440 Hz",
    ]


def test_in_a_pipe_a_pulsing_lamp_is_said_once_per_screen() -> None:
    shown, stream = console(Lamp.SEAT_1)
    for _ in range(100):
        shown.light(Lamp.SEAT_1, True)
        shown.light(Lamp.SEAT_1, False)
    shown.show(ANNA)
    shown.light(Lamp.SEAT_1, True)

    assert stream.getvalue().count("lamps: 1\n") == 2
    assert stream.getvalue().count("\n") == 4


def test_the_picture_keeps_its_size_whatever_it_shows() -> None:
    shown, _ = console(*Lamp)
    empty = shown.picture()
    shown.show(Screen("x" * 99, "MEXICOMEXICO", ("y" * 99,) * 5, "P165"))
    shown.sound(880.0)
    full = shown.picture()

    assert len(full) == len(empty)
    assert {len(row) for row in full[:10]} == {48}
    assert any("[P165]" in row for row in full)


def test_a_stream_that_cannot_be_written_to_is_an_error_of_the_display() -> None:
    shown, stream = console()
    stream.close()

    with pytest.raises(HardwareError, match="standard output cannot be written to"):
        shown.show(ANNA)


def test_letters_the_stream_cannot_write_are_replaced() -> None:
    raw = io.BytesIO()
    shown = Console((), stream=io.TextIOWrapper(raw, encoding="ascii"))
    shown.show(Screen("Zoë", "", (), ""))

    assert raw.getvalue() == b"screen: Zo?\n"


PROGRAM = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # makes the terminal the program's own, so that Ctrl-C reaches it
from queue import Empty, SimpleQueue
from hardware.devices import Lamp, Screen
from hardware.rig import Wiring, open_rig
from hardware.simulated import SimulatedCamera
inbox = SimpleQueue()
def words():
    while True:
        try:
            yield inbox.get(timeout=0.2)  # a signal just before it begins to wait does not wake it
        except Empty:
            pass
with open_rig("terminal", Wiring(open_camera=SimulatedCamera, on_other_key=inbox.put, other_keys_help="q quit")) as rig:
    rig.buttons.listen(lambda key, pressed, time_s: inbox.put(f"{key} {pressed}"))
    rig.encoder.listen(lambda steps, time_s: inbox.put(f"turn {steps}"))
    rig.display.show(Screen("MEXICO", "21", ("ready",), "  21"))
    for word in words():
        if word == "q":
            break
        rig.display.show(Screen(word, "", (), ""))
print("good night")
"""


class Tty:
    """A program on a terminal of its own, and what a person sees there."""

    def __init__(self, term: str) -> None:
        self.master, slave = pty.openpty()
        modes = termios.tcgetattr(slave)
        # Else the kernel may throw away what the program writes on Ctrl-C: it signals first, and then empties the tty.
        modes[3] |= termios.NOFLSH
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        self.before = termios.tcgetattr(slave)
        environment = {**os.environ, "TERM": term, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-W", "error", "-c", PROGRAM]
        self.program = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        self.slave = slave
        self.output = ""

    def see(self, words: str) -> str:
        """Wait until *words* are on the terminal; return everything that was written since it was opened."""
        return self._until(lambda: words in self.output, words)

    def ended(self) -> int:
        """Wait for the end of the program; return its exit code."""
        self._until(lambda: self.program.poll() is not None, "the end of the program")
        return self.program.returncode

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def local_modes(self) -> int:
        return int(termios.tcgetattr(self.slave)[3])

    def close(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()
        os.close(self.master)
        os.close(self.slave)

    def _until(self, condition: Callable[[], bool], what: str) -> str:
        deadline_s = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < deadline_s, f"not seen: {what}, but {self.output!r}"
            if select.select([self.master], [], [], 0.05)[0]:
                self.output += os.read(self.master, 65536).decode()
        return self.output


@pytest.fixture
def tty() -> Iterator[Callable[[str], Tty]]:
    """Open terminals of a kind; all are closed afterwards."""
    opened: list[Tty] = []

    def opener(term: str = "xterm-256color") -> Tty:
        opened.append(Tty(term))
        return opened[-1]

    yield opener
    for terminal in opened:
        terminal.close()


def test_on_a_terminal_keys_count_at_once_and_the_picture_changes_in_place(tty: Callable[[str], Tty]) -> None:
    terminal = tty("xterm-256color")
    terminal.see("ready")

    assert terminal.local_modes() & (termios.ICANON | termios.ECHO) == 0

    terminal.press("3")
    terminal.see("seat_3 True")
    terminal.see("seat_3 False")
    terminal.press("\x1b[D")
    terminal.see("turn -1")
    terminal.press(" ")
    terminal.press("q")
    seen = terminal.see("good night")

    assert terminal.ended() == 0
    assert seen.startswith("\x1b[?1049h")
    assert re.search(r"\x1b\[\?25h.*\x1b\[\?1049l.*good night", seen, re.DOTALL)
    assert "q quit" in seen
    assert termios.tcgetattr(terminal.slave) == terminal.before


def test_ctrl_c_ends_the_program_and_gives_the_terminal_back(tty: Callable[[str], Tty]) -> None:
    terminal = tty("xterm-256color")
    terminal.see("ready")
    terminal.press("\x03")
    seen = terminal.see("KeyboardInterrupt")

    assert terminal.ended() == -signal.SIGINT
    assert "\x1b[?1049l" in seen
    assert termios.tcgetattr(terminal.slave) == terminal.before


@pytest.mark.parametrize("term", ["dumb", "no-such-terminal"])
def test_a_terminal_that_cannot_move_its_cursor_gets_plain_lines(tty: Callable[[str], Tty], term: str) -> None:
    terminal = tty(term)
    terminal.see("screen: MEXICO | 21 | ready")
    terminal.press("q")
    seen = terminal.see("good night")

    assert terminal.ended() == 0
    assert "\x1b" not in seen
    assert termios.tcgetattr(terminal.slave) == terminal.before
