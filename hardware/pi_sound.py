"""A passive piezo buzzer on a GPIO."""

from __future__ import annotations

from hardware.limits import in_range
from hardware.pi_pins import claiming, pin_factory

_OCTAVES = 3  # about A4, 440 Hz: one more on either side than `in_range` lets through


class PiSound:
    """The buzzer of a board, silent at first.

    Raises
    ------
    DeviceMissing
        If there are no pins, it is in use, or it cannot be switched fast enough (PWM).
    """

    def __init__(self, pin: int) -> None:
        factory = pin_factory()
        from gpiozero import TonalBuzzer
        from gpiozero.tones import Tone

        self._tone = Tone.from_frequency
        with claiming(f"buzzer on GPIO {pin}"):
            self._buzzer = TonalBuzzer(pin, octaves=_OCTAVES, pin_factory=factory)

    def tone(self, frequency_hz: float | None) -> None:
        """Sound *frequency_hz* from now on, the nearest a buzzer can, or be silent for None."""
        if self._buzzer.closed:
            return
        if frequency_hz is None:
            self._buzzer.stop()
        else:
            self._buzzer.play(self._tone(in_range(frequency_hz)))

    def close(self) -> None:
        """Silent, and let go of the pin; may be called twice."""
        self.tone(None)
        self._buzzer.close()
