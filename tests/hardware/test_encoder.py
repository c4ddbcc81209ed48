"""The contract of the rotary encoder, held by the simulated one and by gpiozero's on mock pins alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from hardware.devices import DeviceMissing, Encoder
from hardware.pi_encoder import PiEncoder
from hardware.simulated import SimulatedClock, SimulatedEncoder

A, B = 21, 26


@dataclass
class Bench:
    """An encoder and the hand that turns it."""

    encoder: Encoder
    turn: Callable[[int], None]


@pytest.fixture(params=["simulated", "gpiozero"])
def bench(request: pytest.FixtureRequest, clock: SimulatedClock, pins: Any) -> Iterator[Bench]:
    """An encoder of either kind."""
    if request.param == "simulated":
        simulated = SimulatedEncoder(clock)
        yield Bench(simulated, simulated.turn)
        simulated.close()
        return
    real = PiEncoder(A, B, clock)
    yield Bench(real, lambda steps: hand(pins, steps))
    real.close()


def hand(pins: Any, steps: int) -> None:
    """Turn the contacts: clockwise, a closes before b and opens before it."""
    first, second = (pins.pin(A), pins.pin(B)) if steps > 0 else (pins.pin(B), pins.pin(A))
    for _ in range(abs(steps)):
        first.drive_low()
        second.drive_low()
        first.drive_high()
        second.drive_high()


def test_every_detent_is_one_step_and_clockwise_is_positive(bench: Bench, clock: SimulatedClock) -> None:
    inbox = list[tuple[int, float]]()
    bench.encoder.listen(lambda *turn: inbox.append(turn))
    bench.turn(3)
    clock.advance(0.5)
    bench.turn(-2)

    assert inbox == [(1, 100.0), (1, 100.0), (1, 100.0), (-1, 100.5), (-1, 100.5)]


def test_a_turn_before_anybody_listens_is_lost(bench: Bench) -> None:
    inbox = list[int]()
    bench.turn(2)
    bench.encoder.listen(lambda steps, time_s: inbox.append(steps))
    bench.turn(-1)

    assert inbox == [-1]


def test_a_closed_encoder_is_silent_and_closes_twice(bench: Bench) -> None:
    inbox = list[int]()
    bench.encoder.listen(lambda steps, time_s: inbox.append(steps))
    bench.encoder.close()
    bench.encoder.close()
    bench.turn(2)

    assert inbox == []


def test_a_contact_that_bounces_makes_no_step(pins: Any, clock: SimulatedClock) -> None:
    encoder, inbox = PiEncoder(A, B, clock), list[int]()
    encoder.listen(lambda steps, time_s: inbox.append(steps))
    for _ in range(5):
        pins.pin(A).drive_low()
        pins.pin(A).drive_high()

    assert inbox == []

    encoder.close()


def test_an_encoder_on_a_pin_in_use_says_so(pins: Any, clock: SimulatedClock) -> None:
    first = PiEncoder(A, B, clock)

    with pytest.raises(DeviceMissing, match=r"^encoder on GPIO 21 and 27: .*already in use"):
        PiEncoder(A, 27, clock)

    first.close()
    PiEncoder(A, 27, clock).close()
