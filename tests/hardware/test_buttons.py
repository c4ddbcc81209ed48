"""The contract of the buttons, held by the simulated ones and by gpiozero's on mock pins alike."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import pytest

from hardware.board import load_board
from hardware.clock import MonotonicClock
from hardware.devices import Buttons, DeviceMissing, Key
from hardware.edges import QUIET_S
from hardware.pi_buttons import PiButtons
from hardware.simulated import SimulatedButtons, SimulatedClock
from tests.hardware.mock_pins import mock_pins

BOARD = load_board("standard")


@dataclass
class Bench:
    """Buttons, the finger that moves a contact, and what was heard."""

    buttons: Buttons
    clock: SimulatedClock
    finger: Callable[[Key, bool], None]
    inbox: list[tuple[Key, bool, float]] = field(default_factory=list)

    def listen(self) -> None:
        self.buttons.listen(lambda *edge: self.inbox.append(edge))

    def heard(self) -> list[tuple[Key, bool]]:
        return [(key, pressed) for key, pressed, _ in self.inbox]


def simulated(clock: SimulatedClock) -> Iterator[Bench]:
    buttons = SimulatedButtons(clock)
    yield Bench(buttons, clock, lambda key, down: (buttons.press if down else buttons.release)(key))
    buttons.close()


def gpiozero(clock: SimulatedClock, pins: Any) -> Iterator[Bench]:
    buttons = PiButtons(BOARD.buttons, clock, settler_thread=False)
    clock.attach(buttons.settler.step)

    def finger(key: Key, down: bool) -> None:
        pin = pins.pin(BOARD.buttons[key])
        (pin.drive_low if down else pin.drive_high)()
        clock.advance(0.0)

    yield Bench(buttons, clock, finger)
    buttons.close()


@pytest.fixture(params=["simulated", "gpiozero"])
def bench(request: pytest.FixtureRequest, clock: SimulatedClock, pins: Any) -> Iterator[Bench]:
    """Buttons of either kind."""
    yield from simulated(clock) if request.param == "simulated" else gpiozero(clock, pins)


def test_a_press_is_heard_once_and_then_its_release(bench: Bench) -> None:
    bench.listen()
    bench.finger(Key.STOP, True)
    bench.clock.advance(0.1)
    bench.finger(Key.STOP, False)

    assert bench.heard() == [(Key.STOP, True), (Key.STOP, False)]


def test_an_edge_carries_the_time_of_the_first_touch(bench: Bench) -> None:
    bench.listen()
    bench.clock.advance(1.5)
    bench.finger(Key.SEAT_3, True)

    assert bench.inbox == [(Key.SEAT_3, True, 101.5)]


def test_a_contact_that_bounces_is_heard_once(bench: Bench) -> None:
    bench.listen()
    for _ in range(4):
        bench.finger(Key.STOP, True)
        bench.clock.advance(0.002)
        bench.finger(Key.STOP, False)
        bench.clock.advance(0.002)
    bench.finger(Key.STOP, True)
    bench.clock.advance(1.0)

    assert bench.heard() == [(Key.STOP, True)]


def test_a_tap_shorter_than_the_quiet_time_does_not_stick(bench: Bench) -> None:
    bench.listen()
    bench.finger(Key.CONFIRM, True)
    bench.clock.advance(0.004)
    bench.finger(Key.CONFIRM, False)
    bench.clock.advance(1.0)

    assert bench.inbox == [(Key.CONFIRM, True, 100.0), (Key.CONFIRM, False, pytest.approx(100.0 + QUIET_S))]


def test_a_contact_that_bounces_is_heard_once_however_late_gpiozero_comes_to_its_edges() -> None:
    clock, kernel = SimulatedClock(100.0), list[float]()
    inbox = list[tuple[Key, bool, float]]()
    with mock_pins(lambda: kernel.pop() if kernel else clock.now()) as pins:
        buttons = PiButtons({Key.STOP: 4}, clock, settler_thread=False)
        clock.attach(buttons.settler.step)
        buttons.listen(lambda *edge: inbox.append(edge))
        for told_s, *edges in (
            (100.012, (100.0, True), (100.001, False), (100.002, True)),
            (100.55, (100.48, False), (100.481, True), (100.482, False), (100.483, True), (100.484, False)),
            (101.5,),
        ):
            clock.advance(told_s - clock.now())
            for time_s, down in edges:
                kernel.append(time_s)
                (pins.pin(4).drive_low if down else pins.pin(4).drive_high)()
                clock.advance(0.001)
        buttons.close()

    assert inbox == [(Key.STOP, True, 100.0), (Key.STOP, False, pytest.approx(100.48))]


def test_every_button_of_the_board_is_heard_under_its_own_name(bench: Bench) -> None:
    bench.listen()
    for key in Key:
        bench.finger(key, True)

    assert bench.heard() == [(key, True) for key in Key]


def test_a_button_held_down_at_power_on_is_first_heard_at_its_next_press(bench: Bench) -> None:
    bench.finger(Key.SEAT_2, True)
    bench.listen()
    bench.clock.advance(5.0)

    assert bench.buttons.held() == {Key.SEAT_2}

    bench.finger(Key.SEAT_2, False)
    bench.clock.advance(0.5)

    assert bench.heard() == []
    assert bench.buttons.held() == frozenset()

    bench.finger(Key.SEAT_2, True)

    assert bench.heard() == [(Key.SEAT_2, True)]


def test_who_listens_last_is_told(bench: Bench) -> None:
    bench.listen()
    bench.finger(Key.STOP, True)
    later = list[tuple[Key, bool, float]]()
    bench.buttons.listen(lambda *edge: later.append(edge))
    bench.clock.advance(0.2)
    bench.finger(Key.STOP, False)

    assert bench.heard() == [(Key.STOP, True)]
    assert [(key, pressed) for key, pressed, _ in later] == [(Key.STOP, False)]


def test_closed_buttons_are_silent_and_close_twice(bench: Bench) -> None:
    bench.listen()
    bench.finger(Key.SEAT_1, True)
    bench.finger(Key.SEAT_1, False)  # within the quiet time: it would be heard later
    bench.buttons.close()
    bench.buttons.close()
    bench.finger(Key.STOP, True)
    bench.clock.advance(1.0)

    assert bench.heard() == [(Key.SEAT_1, True)]
    assert bench.buttons.held() == frozenset()


def test_a_stuck_button_stays_down_when_the_finger_is_gone(clock: SimulatedClock) -> None:
    buttons, inbox = SimulatedButtons(clock), list[tuple[Key, bool]]()
    buttons.listen(lambda key, pressed, _: inbox.append((key, pressed)))
    buttons.stick(Key.STOP)
    buttons.release(Key.STOP)
    clock.advance(60.0)

    assert inbox == [(Key.STOP, True)]

    buttons.unstick(Key.STOP)

    assert inbox == [(Key.STOP, True), (Key.STOP, False)]


def test_a_bounce_is_one_edge_and_takes_its_time(clock: SimulatedClock) -> None:
    buttons, inbox = SimulatedButtons(clock), list[tuple[Key, bool]]()
    buttons.listen(lambda key, pressed, _: inbox.append((key, pressed)))
    buttons.bounce(Key.STOP, True, times=6, apart_s=0.001)

    assert inbox == [(Key.STOP, True)]
    assert clock.now() == pytest.approx(100.012)


def test_a_button_the_board_does_not_have_cannot_be_pressed(clock: SimulatedClock) -> None:
    buttons, inbox = SimulatedButtons(clock, keys=(Key.STOP,)), list[Key]()
    buttons.listen(lambda key, *_: inbox.append(key))
    buttons.press(Key.SEAT_8)

    assert inbox == []
    assert buttons.held() == frozenset()


@pytest.mark.parametrize("kind", ["simulated", "gpiozero"])
def test_with_a_running_clock_a_short_tap_is_let_go_on_the_settlers_thread(kind: str, pins: Any) -> None:
    inbox: SimpleQueue[tuple[bool, str]] = SimpleQueue()
    clock = MonotonicClock()
    buttons = SimulatedButtons(clock, 0.002) if kind == "simulated" else PiButtons({Key.STOP: 4}, clock, 0.002)
    buttons.listen(lambda key, pressed, time_s: inbox.put((pressed, threading.current_thread().name)))
    if isinstance(buttons, SimulatedButtons):
        buttons.press(Key.STOP)
        buttons.release(Key.STOP)
    else:
        pins.pin(4).drive_low()
        pins.pin(4).drive_high()

    assert [inbox.get(timeout=5), inbox.get(timeout=5)] == [(True, "buttons"), (False, "buttons")]

    buttons.close()

    assert "buttons" not in {thread.name for thread in threading.enumerate()}


def test_fingers_faster_than_any_quiet_time_are_heard_at_once_when_it_is_zero() -> None:
    buttons, inbox = SimulatedButtons(MonotonicClock(), 0.0), list[bool]()
    buttons.listen(lambda key, pressed, time_s: inbox.append(pressed))
    for _ in range(3):
        buttons.press(Key.STOP)
        buttons.release(Key.STOP)

    assert inbox == [True, False] * 3


def test_a_pin_in_use_says_which_button_and_leaves_the_others_free(pins: Any) -> None:
    with pytest.raises(DeviceMissing, match=r"^button stop on GPIO 4: .*already in use.*board file$"):
        PiButtons({Key.SEAT_1: 4, Key.SEAT_2: 5, Key.STOP: 4}, SimulatedClock())

    PiButtons({Key.SEAT_1: 4, Key.SEAT_2: 5}, SimulatedClock()).close()


def test_a_computer_without_pins_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero import BadPinFactory, Device

    def none(_: object) -> None:
        raise BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", staticmethod(lambda: none(None)))

    with pytest.raises(DeviceMissing, match=r"^GPIO pins: this computer has none.*mexico-table --virtual$"):
        PiButtons({Key.STOP: 4}, SimulatedClock())
