"""A rig is all of its devices, or none."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from hardware import pi_display, rig
from hardware.board import load_board
from hardware.clock import MonotonicClock
from hardware.devices import DeviceMissing, HardwareError, Key, Lamp, Screen
from hardware.mirror import Mirror
from hardware.rig import Kind, Rig, SimulatedRig, Wiring, open_rig, simulated_rig
from hardware.simulated import SimulatedButtons, SimulatedCamera, SimulatedClock, SimulatedDisplay, SimulatedLamps


class Piped(io.StringIO):
    """Standard input or output that is no terminal and no file."""


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Piped:
    """Standard output, and no keyboard."""
    out = Piped()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stdin", None)
    return out


def compact(camera: SimulatedCamera | None = None) -> Wiring:
    seen = camera or SimulatedCamera()
    return Wiring(board=load_board("compact"), open_camera=lambda: seen)


@pytest.mark.parametrize("kind", ["simulated", "terminal", "pi"])
def test_all_devices_of_a_kind_are_open_within_the_block_and_closed_after_it(
    kind: str, pins: Any, piped: Piped
) -> None:
    camera = SimulatedCamera()
    with open_rig(kind, compact(camera)) as table:
        assert isinstance(table, Rig)
        table.buttons.listen(lambda key, pressed, time_s: None)
        table.encoder.listen(lambda steps, time_s: None)
        table.lamps.set(Lamp.STOP, True)
        table.display.show(Screen("MEXICO", "21", ("pot 4",), "  21"))
        table.sound.tone(440.0)

        assert table.camera.capture().image.shape == (960, 1280, 3)
        assert table.buttons.held() == frozenset()
        assert table.clock.now() <= table.clock.now()

    with pytest.raises(HardwareError, match="closed"):
        camera.capture()
    assert not any(pins._reservations.values())


@pytest.mark.parametrize("kind", list(Kind))
def test_if_the_camera_is_missing_every_other_device_is_closed_again(kind: Kind, pins: Any, piped: Piped) -> None:
    def no_camera() -> SimulatedCamera:
        raise DeviceMissing("camera: none found; check its cable")

    wiring = Wiring(board=load_board("compact"), open_camera=no_camera)
    with pytest.raises(DeviceMissing, match=r"^camera: none found"), open_rig(kind, wiring):
        pytest.fail("the block must not be entered")

    assert not any(pins._reservations.values())


def test_if_the_display_is_missing_the_pins_are_free_again(pins: Any) -> None:
    with pytest.raises(DeviceMissing, match=r"^display: none on the I2C bus 1, address 0x3C"), open_rig("pi"):
        pytest.fail("the block must not be entered")

    assert not any(pins._reservations.values())


def test_an_error_within_the_block_closes_the_devices_and_goes_on(pins: Any) -> None:
    with pytest.raises(ZeroDivisionError), open_rig("pi", compact()):
        raise ZeroDivisionError

    assert not any(pins._reservations.values())


def test_what_is_left_as_it_is_behind_a_mirror_stays_so_at_the_end_of_the_rig() -> None:
    table, end = simulated_rig(), Screen("OUT OF ORDER", "", (), "Err ")
    mirrored = Mirror(table, tuple(Lamp), lambda _shown: None).rig
    mirrored.lamps.set(Lamp.STOP, True)
    mirrored.display.show(end)
    mirrored.lamps.close(dark=False)
    mirrored.display.close(dark=False)
    table.lamps.close()
    table.display.close()

    assert table.lamps.lit == {Lamp.STOP}
    assert table.display.shown == end


def test_a_simulated_rig_has_the_buttons_and_lamps_of_its_board() -> None:
    with open_rig("simulated", compact()) as table:
        assert isinstance(table.buttons, SimulatedButtons)
        assert isinstance(table.lamps, SimulatedLamps)
        table.buttons.press(Key.SEAT_5)
        table.lamps.set(Lamp.SEAT_5, True)

        assert table.buttons.held() == frozenset()
        assert table.lamps.lit == frozenset()


def test_a_simulated_rig_for_tests_runs_on_one_clock_cranked_by_hand() -> None:
    clock = SimulatedClock(7.0)
    table = simulated_rig(clock)
    inbox = list[tuple[Key, bool, float]]()
    table.buttons.listen(lambda *edge: inbox.append(edge))
    clock.advance(1.0)
    table.buttons.press(Key.STOP)
    table.sound.tone(440.0)

    assert isinstance(table, SimulatedRig)
    assert table.clock is clock
    assert inbox == [(Key.STOP, True, 8.0)]
    assert list(table.sound.tones) == [(8.0, 440.0)]


def test_in_real_time_a_simulated_rig_has_a_camera_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = list[float]()
    monkeypatch.setattr(rig, "running_camera", lambda: SimulatedCamera(wait=waited.append))
    with open_rig("simulated") as table:
        assert isinstance(table.clock, MonotonicClock)
        table.camera.capture()

    assert waited


def test_there_is_no_other_kind() -> None:
    with pytest.raises(ValueError, match="bicycle"), open_rig("bicycle"):
        pytest.fail("the block must not be entered")


def test_which_display_a_pi_opens_is_said_by_its_board(pins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[object]()

    def fake(display: object) -> SimulatedDisplay:
        opened.append(display)
        return SimulatedDisplay()

    monkeypatch.setattr(pi_display, "PiOled", fake)
    board = load_board("standard")
    with open_rig("pi", Wiring(board=board, open_camera=SimulatedCamera)):
        pass

    assert opened == [board.display]


def test_a_clock_does_not_go_backwards() -> None:
    with pytest.raises(ValueError, match="only goes forward"):
        SimulatedClock().advance(-1.0)


def test_whoever_is_attached_to_the_clock_is_woken_in_time_and_not_after_it_left() -> None:
    clock, woken = SimulatedClock(), list[float]()

    def step() -> float | None:
        woken.append(clock.now())
        return 2.0 if clock.now() < 2.0 else None

    clock.attach(step)
    clock.advance(5.0)
    clock.detach(step)
    clock.detach(step)
    clock.advance(5.0)

    assert woken == [0.0, 2.0, 5.0]
