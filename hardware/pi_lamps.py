"""Lamps, each on its GPIO through a transistor."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from hardware.devices import Lamp
from hardware.pi_pins import claiming, pin_factory


class PiLamps:
    """The lamps of a board, dark at first.

    Raises
    ------
    DeviceMissing
        If there are no pins, or one is in use; none is claimed then.
    """

    def __init__(self, pins: Mapping[Lamp, int]) -> None:
        factory = pin_factory()
        with ExitStack() as stack:
            self._lamps = {lamp: stack.enter_context(_claim(lamp, pin, factory)) for lamp, pin in pins.items()}
            self._stack = stack.pop_all()

    def set(self, lamp: Lamp, on: bool) -> None:
        """Switch one lamp; a lamp the board does not have is ignored."""
        led = self._lamps.get(lamp)
        if led is not None:
            led.value = on

    def close(self, *, dark: bool = True) -> None:
        """All off, or if not *dark* left as they are, and let go of the pins; may be called twice.

        What is left lit stays so after the program's end: a Raspberry Pi's kernel keeps an output that is let go of.
        """
        for led in self._lamps.values():
            if dark:
                led.off()
            else:
                led.pin.close = _nothing  # gpiozero makes an input of every pin, here and when the program ends
        self._lamps = {}
        self._stack.close()


def _nothing() -> None:
    """Leave a pin as it is."""


def _claim(lamp: Lamp, pin: int, factory: Any) -> Any:
    from gpiozero import LED

    with claiming(f"lamp {lamp} on GPIO {pin}"):
        return LED(pin, pin_factory=factory)
