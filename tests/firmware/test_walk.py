"""The doctor's walk: a person reads what is asked, and moves the pins of a table that has none but mocked ones."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from firmware.checks import Check, State
from firmware.doctor import Parts
from firmware.self_test import PATTERN
from firmware.texts import ENGLISH
from firmware.walk import LIMIT_S, Ended, Walk
from hardware.board import Board, load_board
from hardware.devices import DeviceMissing, Key, Lamp
from hardware.keyboard import END_OF_INPUT, TypedKeys
from hardware.pi_buttons import PiButtons
from hardware.pi_encoder import PiEncoder
from hardware.pi_lamps import PiLamps
from hardware.pi_sound import PiSound
from hardware.simulated import SimulatedCamera, SimulatedClock, SimulatedDisplay
from tests.hardware.mock_pins import mock_pins

if TYPE_CHECKING:
    from tests.firmware.conftest import Call

BOARD = load_board("standard")
DARK = np.full((960, 1280, 3), 40, np.uint8)
HAND = DARK.copy()
HAND[300:700, 200:700] = (130, 150, 200)


@pytest.fixture
def pins() -> Iterator[Any]:
    with mock_pins() as factory:
        yield factory


@dataclass
class Guest:
    """Reads the last line and does what it says, with the pins and nothing else; what `odd` says is done otherwise."""

    pins: Any
    board: Board = BOARD
    clock: SimulatedClock = field(default_factory=lambda: SimulatedClock(100.0))
    display: SimulatedDisplay = field(default_factory=SimulatedDisplay)
    camera: SimulatedCamera = field(default_factory=lambda: SimulatedCamera(DARK))
    odd: dict[str, Callable[[], str | None]] = field(default_factory=dict)
    stuck: tuple[Key, ...] = ()
    typed_ahead: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    done: str = ""
    pressed: Key | None = None

    def walk(self) -> list[Check]:
        parts = Parts(
            self.board,
            lambda: self.camera,
            self._buttons,
            lambda: PiEncoder(*self.board.encoder, self.clock),
            lambda: PiLamps(self.board.lamps),
            lambda: self.display,
            lambda: PiSound(self.board.buzzer),
        )
        return list(Walk(parts, self, self.clock, self.told.append).checks())

    def _buttons(self) -> PiButtons:
        buttons = PiButtons(self.board.buttons, self.clock, settler_thread=False)
        self.clock.attach(buttons.settler.step)
        for key in self.stuck:
            self.pins.pin(self.board.buttons[key]).drive_low()
        return buttons

    # --- a Person ---

    def wait(self, seconds: float) -> str | None:
        asked = self.told[-1] if self.told else self.done
        if self.typed_ahead:
            return self.typed_ahead.pop()
        if self.pressed is not None:
            self.finger(self.pressed, down=False)
            return None
        if asked != self.done:
            self.done = asked
            for words, does in self.odd.items():
                if words in asked:
                    return does()
            return self.answer(asked)
        self.clock.advance(max(seconds, 0.1))
        return None

    def poke(self) -> None:
        pass

    # --- what a guest does ---

    def answer(self, asked: str) -> str | None:
        if asked.startswith(("Press", "Push")):
            self.finger(self.key_in(asked))
        if asked.startswith("Turn"):
            self.turn(4 if "right" in asked else -4)
        if "shine" in asked:
            return "y" if self.shining() == [self.lamp_in(asked)] else "n"
        if "every dot" in asked:
            return "y" if self.display.shown == PATTERN.screen(ENGLISH) else "n"
        if "read 21" in asked:
            return "y" if self.display.shown is not None and self.display.shown.big == "21" else "n"
        if "tone" in asked:
            return "y" if self.pins.pin(self.board.buzzer).state > 0 else "n"
        if asked.startswith("Hold your hand"):
            self.camera.look_at(HAND)
        return None

    def finger(self, key: Key, *, down: bool = True) -> None:
        pin = self.pins.pin(self.board.buttons[key])
        (pin.drive_low if down else pin.drive_high)()
        self.clock.advance(0.1)
        self.pressed = key if down else None

    def turn(self, steps: int) -> None:
        a, b = self.board.encoder if steps > 0 else self.board.encoder[::-1]
        first, second = self.pins.pin(a), self.pins.pin(b)
        for _ in range(abs(steps)):
            first.drive_low()
            second.drive_low()
            first.drive_high()
            second.drive_high()

    def shining(self) -> list[Lamp]:
        return [lamp for lamp, pin in self.board.lamps.items() if self.pins.pin(pin).state]

    def key_in(self, asked: str) -> Key:
        if asked.startswith("Push"):
            return Key.CONFIRM
        return Key.STOP if "STOP" in asked else Key(asked.split("  ")[0].removeprefix("Press ").replace(" ", "_"))

    def lamp_in(self, asked: str) -> Lamp:
        words = asked.removeprefix("Do you see the ").partition(" shine")[0].removeprefix("lamp of ")
        return Lamp.BLIND if "blind" in words else Lamp(words.lower().replace(" ", "_"))


def named(checks: list[Check]) -> dict[str, tuple[State, str]]:
    assert all(check.do for check in checks if check.state is State.FAILED)
    return {check.name: (check.state, check.found) for check in checks}


def test_a_table_that_is_well_is_walked_round_by_its_pins(pins: Any) -> None:
    guest = Guest(pins)
    checks = named(guest.walk())

    assert {state for state, _ in checks.values()} == {State.OK}
    assert list(checks) == [
        *(f"button {key}" for key in BOARD.buttons),
        "encoder",
        *(f"lamp {lamp}" for lamp in BOARD.lamps),
        "display",
        "sound",
        "camera",
    ]
    assert "GPIO 6, pin 31" in checks["button seat_3"][1]
    assert guest.display.shown is None, "it is dark again"
    with pytest.raises(Exception, match="closed"):
        guest.camera.capture()


def test_the_small_board_is_asked_for_what_it_has(pins: Any) -> None:
    guest = Guest(pins, load_board("compact"))
    guest.odd = {"every segment": lambda: "y"}
    checks = named(guest.walk())

    assert {state for state, _ in checks.values()} == {State.OK}
    assert "button seat_4" in checks
    assert "button seat_5" not in checks


def test_a_button_that_is_not_heard_fails_when_its_time_is_over(pins: Any) -> None:
    guest = Guest(pins, odd={"Press seat 3": lambda: None})
    check = next(check for check in guest.walk() if check.name == "button seat_3")

    assert (check.state, check.found) == (State.FAILED, f"no press was heard in {LIMIT_S:g} seconds")
    assert check.do == "check its wires: GPIO 6, pin 31, and ground"


def test_crossed_wires_are_told_by_the_button_that_was_heard(pins: Any) -> None:
    guest = Guest(pins)
    guest.odd = {"Press seat 3": lambda: guest.finger(Key.SEAT_4)}
    checks = named(guest.walk())

    assert checks["button seat_3"] == (State.FAILED, "seat_4 was heard in its place")
    assert "   That was seat 4." in guest.told
    assert checks["button seat_4"][0] is State.OK


def test_a_button_that_is_down_from_the_start_is_named_and_not_waited_for(pins: Any) -> None:
    guest = Guest(pins, stuck=(Key.STOP,))
    checks = named(guest.walk())

    assert checks["button stop"] == (State.FAILED, "down with nobody pressing")
    assert not any(line.startswith("Press STOP") for line in guest.told)


def test_a_button_that_does_not_come_up_again_is_named(pins: Any) -> None:
    guest = Guest(pins)

    def jam() -> None:
        guest.finger(Key.SEAT_2)
        guest.pressed = None

    guest.odd = {"Press seat 2": jam}

    assert named(guest.walk())["button seat_2"] == (State.FAILED, "stays down after it was pressed")


@pytest.mark.parametrize(
    ("steps", "found"),
    [(-4, "turned to the right it says the other side"), (2, f"no turn to the right was heard in {LIMIT_S:g} seconds")],
)
def test_a_knob_the_wrong_way_round_and_one_that_hardly_turns(pins: Any, steps: int, found: str) -> None:
    guest = Guest(pins)
    guest.odd = {"to the right": lambda: guest.turn(steps)}

    assert named(guest.walk())["encoder"] == (State.FAILED, found)


def test_what_a_person_does_not_see_or_hear_has_failed(pins: Any) -> None:
    guest = Guest(pins, odd={"lamp of seat 5": lambda: "n", "every dot": lambda: "n", "a tone": lambda: "n"})
    checks = {check.name: check for check in guest.walk()}

    assert checks["lamp seat_5"].state is checks["display"].state is checks["sound"].state is State.FAILED
    assert "GPIO 15, pin 10" in checks["lamp seat_5"].do
    assert checks["lamp seat_6"].state is State.OK
    assert not guest.shining()


def test_every_step_can_be_skipped(pins: Any) -> None:
    everything = ("Press", "Push", "Turn", "shine", "dot", "21", "tone", "hand")
    guest = Guest(pins, odd=dict.fromkeys(everything, lambda: "S"))

    assert {state for state, _ in named(guest.walk()).values()} == {State.SKIPPED}


def test_a_question_that_nobody_answers_is_skipped_after_its_time(pins: Any) -> None:
    guest = Guest(pins, odd={"a tone": lambda: None})

    assert named(guest.walk())["sound"] == (State.SKIPPED, f"nobody answered in {LIMIT_S:g} seconds")


def test_a_key_that_was_typed_too_often_answers_no_other_question(pins: Any) -> None:
    guest = Guest(pins)

    def impatient() -> str:
        guest.typed_ahead = ["n", "s", "n"]
        return "y"

    guest.odd = {"lamp of seat 2": impatient}

    assert {state for state, _ in named(guest.walk()).values()} == {State.OK}


def test_other_keys_are_no_answer(pins: Any) -> None:
    guest = Guest(pins)
    typed = iter("x? \x1b[C")
    guest.odd = {"a tone": lambda: next(typed)}

    assert named(guest.walk())["sound"][0] is State.SKIPPED


def test_a_camera_that_sees_no_hand_has_failed(pins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = Guest(pins, odd={"hand": lambda: None})

    assert named(guest.walk())["camera"][0] is State.FAILED


def test_devices_that_are_not_there_or_fail_on_the_way_stop_nobody(pins: Any) -> None:
    guest = Guest(pins)
    guest.display.unplug()
    guest.camera.unplug()
    checks = named(guest.walk())

    assert checks["display"] == (State.FAILED, "the display does not answer")
    assert checks["camera"] == (State.FAILED, "the camera was unplugged")
    assert checks["sound"][0] is State.OK

    def none() -> Any:
        raise DeviceMissing("GPIO pins: this computer has none; use another")

    parts = Parts(BOARD, none, none, none, none, none, none)
    absent = list(Walk(parts, guest, guest.clock, guest.told.append, State.ABSENT).checks())
    assert [check.state for check in absent] == [State.ABSENT] * 6


@pytest.mark.parametrize("key", ["\x1b", END_OF_INPUT])
def test_the_end_of_the_input_ends_the_walk_and_lets_go_of_everything(pins: Any, key: str) -> None:
    guest = Guest(pins, odd={"lamp of seat 2": lambda: key})

    with pytest.raises(Ended, match="ended at lamp seat_2; begin again with"):
        guest.walk()
    assert not guest.shining()


# --- the command ---


def test_a_walk_without_a_terminal_is_refused_in_a_line(call: Call, tmp_path: Path) -> None:
    answer = call("doctor", "--walk", "--state", tmp_path)

    assert answer.code == 2
    assert answer.err == (
        "mexico-table: the walk asks questions and needs a terminal; run it in one, or leave --walk out\n"
    )
    assert call("doctor", "--walk", "--json", "--state", tmp_path).code == 2


def in_a_terminal(tmp_path: Path, board: str, until: str, then: Callable[[int, int], object]) -> tuple[int, str]:
    """Run the walk on mock pins in a terminal of its own; when *until* is read, do *then*; return code and output."""
    begun = "import os\nos.environ['GPIOZERO_PIN_FACTORY'] = 'mock'\n" if board else ""
    program = f"{begun}from firmware.cli import main\nmain(['doctor', '--walk', '--state', {str(tmp_path)!r}])"
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    seen, acted, end_s = "", False, time.monotonic() + 120
    while time.monotonic() < end_s:
        if not select.select([master], [], [], 0.1)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            seen += os.read(master, 4096).decode()
        except OSError:  # the other end is closed
            break
        if until in seen and not acted:
            acted = True
            then(process.pid, master)
    code = process.wait(timeout=30)
    with suppress(OSError):
        os.close(master)
    return code, seen


def test_ctrl_c_ends_it_with_a_line(tmp_path: Path) -> None:
    code, seen = in_a_terminal(tmp_path, "standard", "Press seat 1", lambda pid, _: os.kill(pid, signal.SIGINT))

    assert code == 128 + signal.SIGINT
    assert seen.splitlines()[-1] == "mexico-table: interrupted"
    assert "Traceback" not in seen


def test_ctrl_d_ends_it_with_a_line(tmp_path: Path) -> None:
    code, seen = in_a_terminal(tmp_path, "standard", "Press seat 1", lambda _, terminal: os.write(terminal, b"\x04"))

    assert code == 1
    assert seen.splitlines()[-1].startswith("mexico-table: the walk was ended at button seat_1; begin again with")


def test_on_a_computer_without_pins_the_walk_says_so_and_is_over(tmp_path: Path) -> None:
    code, seen = in_a_terminal(tmp_path, "", "never said", lambda *_: None)

    assert code == 0
    assert "buttons         absent" in seen
    assert "absent" in seen.splitlines()[-1]


# --- the keys ---


def test_keys_are_waited_for_and_a_poke_ends_the_wait() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader) as source, closing(TypedKeys(source)) as keys:
        assert keys.wait(0.0) is None
        os.write(writer, b"ys\x1b[C")
        assert [keys.wait(1.0), keys.wait(0.0), keys.wait(0.0)] == ["y", "s", "\x1b[C"]
        keys.poke()
        assert keys.wait(60.0) is None
        os.write(writer, b"\x1b")
        assert keys.wait(1.0) == "\x1b"
        os.close(writer)
        assert keys.wait(1.0) == keys.wait(1.0) == END_OF_INPUT
        keys.close()
        keys.poke()
