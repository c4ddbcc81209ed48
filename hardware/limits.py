"""What every buzzer can do, simulated or real."""

from __future__ import annotations

LOWEST_HZ = 110.0
HIGHEST_HZ = 1760.0


def in_range(frequency_hz: float) -> float:
    """Return the frequency nearest to *frequency_hz*, in hertz, that the buzzer can sound.

    Examples
    --------
    >>> in_range(440.0), in_range(20.0), in_range(5000.0)
    (440.0, 110.0, 1760.0)
    """
    return min(max(frequency_hz, LOWEST_HZ), HIGHEST_HZ)
