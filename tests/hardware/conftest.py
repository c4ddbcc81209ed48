"""What all device tests share: a clock cranked by hand, and a Pi's pins without a Pi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hardware.simulated import SimulatedClock


@pytest.fixture
def clock() -> SimulatedClock:
    """A clock that stands at 100 s."""
    return SimulatedClock(100.0)


@pytest.fixture
def pins() -> Iterator[Any]:
    """gpiozero's mock pins with PWM, put where the real ones would be; all are let go of afterwards."""
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    before = Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    Device.pin_factory = factory
    yield factory
    left_open = dict(factory._reservations)
    factory.close()
    Device.pin_factory = before

    assert not any(left_open.values()), "a device kept its pins"
