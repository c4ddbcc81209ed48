"""What all device tests share: a clock cranked by hand, and a Pi's pins without a Pi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hardware.simulated import SimulatedClock
from tests.hardware.mock_pins import mock_pins


@pytest.fixture
def clock() -> SimulatedClock:
    """A clock that stands at 100 s."""
    return SimulatedClock(100.0)


@pytest.fixture
def pins(clock: SimulatedClock) -> Iterator[Any]:
    """gpiozero's mock pins with PWM, put where the real ones would be; all are let go of afterwards."""
    with mock_pins(clock.now) as factory:
        yield factory
