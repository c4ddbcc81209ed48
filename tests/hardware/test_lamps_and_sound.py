"""The contract of the lamps and of the buzzer, held by the simulated ones, gpiozero's and the terminal's alike."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from hardware.board import load_board
from hardware.devices import DeviceMissing, Lamp, Lamps, Sound
from hardware.pi_lamps import PiLamps
from hardware.pi_sound import PiSound
from hardware.simulated import REMEMBERED, SimulatedClock, SimulatedLamps, SimulatedSound
from hardware.terminal import Console, TerminalLamps, TerminalSound

BOARD = load_board("compact")
KINDS = ["simulated", "gpiozero", "terminal"]


@dataclass
class LampBench:
    """Lamps, and an eye that sees which shine."""

    lamps: Lamps
    lit: Callable[[], frozenset[Lamp]]


@dataclass
class SoundBench:
    """A buzzer, and an ear that hears its tone in hertz."""

    sound: Sound
    heard: Callable[[], float | None]


def seen_on(console: Console, lamps: tuple[Lamp, ...]) -> frozenset[Lamp]:
    row = next(line for line in console.picture() if line.startswith(" lamps"))
    return frozenset(lamp for lamp in lamps if f"({lamp.removeprefix('seat_').upper()})" in row)


def tone_on(console: Console) -> float | None:
    words = next(line for line in console.picture() if line.startswith(" sound")).split()
    return float(words[2]) if len(words) > 1 else None


@pytest.fixture(params=KINDS)
def eye(request: pytest.FixtureRequest, clock: SimulatedClock, pins: Any) -> Iterator[LampBench]:
    """Lamps of any kind, on the board with four seats."""
    there = tuple(BOARD.lamps)
    if request.param == "simulated":
        simulated = SimulatedLamps(clock, there)
        yield LampBench(simulated, lambda: simulated.lit)
    elif request.param == "gpiozero":
        real = PiLamps(BOARD.lamps)
        yield LampBench(real, lambda: frozenset(lamp for lamp, pin in BOARD.lamps.items() if pins.pin(pin).state))
        real.close()
    else:
        console = Console(there, stream=io.StringIO())
        yield LampBench(TerminalLamps(console), lambda: seen_on(console, there))


@pytest.fixture(params=KINDS)
def ear(request: pytest.FixtureRequest, clock: SimulatedClock, pins: Any) -> Iterator[SoundBench]:
    """A buzzer of any kind."""
    if request.param == "simulated":
        simulated = SimulatedSound(clock)
        yield SoundBench(simulated, lambda: simulated.sounding_hz)
    elif request.param == "gpiozero":
        real = PiSound(BOARD.buzzer)
        pin = pins.pin(BOARD.buzzer)
        yield SoundBench(real, lambda: pin.frequency if pin.state == 0.5 else None)
        real.close()
    else:
        console = Console((), stream=io.StringIO())
        yield SoundBench(TerminalSound(console), lambda: tone_on(console))


def test_lamps_are_dark_at_first(eye: LampBench) -> None:
    assert eye.lit() == frozenset()


def test_each_lamp_is_switched_on_its_own(eye: LampBench) -> None:
    eye.lamps.set(Lamp.SEAT_2, True)
    eye.lamps.set(Lamp.BLIND, True)
    eye.lamps.set(Lamp.SEAT_2, True)

    assert eye.lit() == {Lamp.SEAT_2, Lamp.BLIND}

    eye.lamps.set(Lamp.SEAT_2, False)

    assert eye.lit() == {Lamp.BLIND}


def test_a_lamp_the_board_does_not_have_is_ignored(eye: LampBench) -> None:
    eye.lamps.set(Lamp.SEAT_8, True)

    assert eye.lit() == frozenset()


def test_closed_lamps_are_dark_and_stay_so(eye: LampBench) -> None:
    eye.lamps.set(Lamp.STOP, True)
    eye.lamps.close()
    eye.lamps.set(Lamp.SEAT_1, True)
    eye.lamps.close()

    assert eye.lit() == frozenset()


def test_lamps_that_are_left_as_they_are_stay_lit(eye: LampBench) -> None:
    eye.lamps.set(Lamp.STOP, True)
    eye.lamps.close(dark=False)
    eye.lamps.set(Lamp.SEAT_1, True)
    eye.lamps.close()

    assert eye.lit() == {Lamp.STOP}


def test_a_lamp_that_was_left_lit_outlives_the_pins_of_gpiozero(pins: Any) -> None:
    lamps, pin = PiLamps({Lamp.STOP: 9}), pins.pin(9)
    lamps.set(Lamp.STOP, True)
    lamps.close(dark=False)
    assert not any(pins._reservations.values())
    pins.close()  # as at the end of the program

    assert (pin.function, pin.state) == ("output", 1)


def test_a_lamp_on_a_pin_in_use_says_which_and_leaves_the_others_free(pins: Any) -> None:
    with pytest.raises(DeviceMissing, match=r"^lamp stop on GPIO 9: .*already in use"):
        PiLamps({Lamp.SEAT_1: 9, Lamp.STOP: 9})

    PiLamps({Lamp.SEAT_1: 9}).close()


def test_simulated_lamps_remember_an_evening_without_growing(clock: SimulatedClock) -> None:
    lamps = SimulatedLamps(clock)
    for number in range(3 * REMEMBERED):
        lamps.set(Lamp.STOP, number % 2 == 0)

    assert len(lamps.changes) == REMEMBERED
    assert lamps.changes[-1] == (100.0, Lamp.STOP, False)


def test_the_buzzer_is_silent_at_first(ear: SoundBench) -> None:
    assert ear.heard() is None


@pytest.mark.parametrize("frequency_hz", [220.0, 440.0, 880.0, 220, 880])
def test_the_promised_tones_sound_as_asked(ear: SoundBench, frequency_hz: float) -> None:
    ear.sound.tone(frequency_hz)

    assert ear.heard() == pytest.approx(frequency_hz)


def test_one_tone_follows_another_and_then_silence(ear: SoundBench) -> None:
    ear.sound.tone(330.0)
    ear.sound.tone(660.0)

    assert ear.heard() == pytest.approx(660.0)

    ear.sound.tone(None)
    ear.sound.tone(None)

    assert ear.heard() is None


@pytest.mark.parametrize(("asked_hz", "sounds_hz"), [(5.0, 110.0), (20_000.0, 1760.0)])
def test_a_tone_out_of_reach_becomes_the_nearest_one(ear: SoundBench, asked_hz: float, sounds_hz: float) -> None:
    ear.sound.tone(asked_hz)

    assert ear.heard() == pytest.approx(sounds_hz)


def test_a_closed_buzzer_is_silent_and_stays_so(ear: SoundBench) -> None:
    ear.sound.tone(440.0)
    ear.sound.close()
    ear.sound.tone(220.0)
    ear.sound.close()

    assert ear.heard() is None


def test_a_buzzer_on_a_pin_in_use_says_so(pins: Any) -> None:
    first = PiSound(18)

    with pytest.raises(DeviceMissing, match=r"^buzzer on GPIO 18: .*already in use"):
        PiSound(18)

    first.close()
