"""Push buttons between a GPIO and ground."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

from hardware.devices import Clock, Key
from hardware.edges import QUIET_S
from hardware.pi_pins import claiming, pin_factory
from hardware.settler import OnChange, Settler


class PiButtons:
    """The buttons of a board.

    gpiozero calls back on its own thread; there an edge only gets its time and is handed on. Its time is the kernel's:
    on a busy computer that thread comes to an edge tens of milliseconds late, longer than a contact bounces.
    Debouncing happens on the settler's thread, not in gpiozero: its ``bounce_time`` is silently ignored by its mock.

    Parameters
    ----------
    pins
        BCM GPIO of every button.
    clock
        Times the edges.
    quiet_s
        Seconds of silence after a reported edge.
    settler_thread
        False leaves it to the caller to step `settler`.

    Attributes
    ----------
    settler
        The debouncing, for a caller that steps it.

    Raises
    ------
    DeviceMissing
        If there are no pins, or one is in use; none is claimed then.
    """

    def __init__(
        self, pins: Mapping[Key, int], clock: Clock, quiet_s: float = QUIET_S, *, settler_thread: bool = True
    ) -> None:
        factory = pin_factory()
        self._clock = clock
        self._settler_thread = settler_thread
        self.settler = Settler(self._is_down, clock, quiet_s)
        with ExitStack() as stack:
            self._buttons = {key: stack.enter_context(_claim(key, pin, factory)) for key, pin in pins.items()}
            self._stack = stack.pop_all()

    def listen(self, on_change: OnChange) -> None:
        """Call ``on_change(key, pressed, time_s)`` at every edge from now on."""
        self.settler.listen(self._buttons, on_change)
        for key, button in self._buttons.items():
            button.when_activated = partial(self._stamp, key, True)
            button.when_deactivated = partial(self._stamp, key, False)
        if self._settler_thread:
            self.settler.start()

    def held(self) -> frozenset[Key]:
        """Return the keys that are down at this moment."""
        return frozenset(key for key in self._buttons if self._is_down(key))

    def close(self) -> None:
        """Let go of the pins; may be called twice."""
        self._stack.close()
        self.settler.close()

    def _stamp(self, key: Key, closed: bool) -> None:
        button = self._buttons[key]
        ago_s = button.active_time if closed else button.inactive_time
        # lgpio has the kernel's steady clock; one that has another would put the edge into the future, or give none
        self.settler.edge(key, closed, self._clock.now() - max(0.0, ago_s or 0.0))

    def _is_down(self, key: Key) -> bool:
        button = self._buttons[key]
        return not button.closed and bool(button.is_active)


def _claim(key: Key, pin: int, factory: Any) -> Any:
    from gpiozero import DigitalInputDevice  # a gpiozero Button would add a thread for each, to time its holding

    with claiming(f"button {key} on GPIO {pin}"):
        return DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
