"""A Pi's pins without a Pi."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any
from unittest.mock import patch

from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin


@contextmanager
def mock_pins(now: Callable[[], float] = monotonic) -> Iterator[Any]:
    """Put gpiozero's mock pins, with PWM, where the real ones would be; all must be let go of afterwards.

    *now* is the kernel's clock in seconds: asked once when a pin changes, and again by whoever wants to know how long
    ago that was.
    """
    before = Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    Device.pin_factory = factory
    try:
        with patch("gpiozero.pins.mock.monotonic", now):
            yield factory
        left_open = [name for name, users in factory._reservations.items() if any(user() for user in users)]
    finally:
        factory.close()
        Device.pin_factory = before

    assert not left_open, "a device kept its pins"
