"""A rotary encoder on two GPIOs, its common to ground."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hardware.devices import Clock
from hardware.pi_pins import claiming, pin_factory


class PiEncoder:
    """The encoder of a board.

    gpiozero follows the four states of the two contacts, in which a bounce goes back and forth without a step.

    Raises
    ------
    DeviceMissing
        If there are no pins, or one is in use.
    """

    def __init__(self, a: int, b: int, clock: Clock) -> None:
        factory = pin_factory()
        from gpiozero import RotaryEncoder

        self._clock = clock
        self._on_turn: Callable[[int, float], None] | None = None
        with claiming(f"encoder on GPIO {a} and {b}"):
            self._encoder = RotaryEncoder(a, b, max_steps=0, pin_factory=factory)
        self._encoder.when_rotated_clockwise = partial(self._stamp, 1)
        self._encoder.when_rotated_counter_clockwise = partial(self._stamp, -1)

    def listen(self, on_turn: Callable[[int, float], None]) -> None:
        """Call ``on_turn(steps, time_s)`` at every detent from now on."""
        self._on_turn = on_turn

    def close(self) -> None:
        """Let go of the pins; may be called twice."""
        self._on_turn = None
        self._encoder.close()

    def _stamp(self, steps: int) -> None:
        if (on_turn := self._on_turn) is not None:
            on_turn(steps, self._clock.now())
