"""The steady clock of the computer."""

from __future__ import annotations

import time


class MonotonicClock:
    """Seconds since some moment in the past; unmoved by a change of the time of day.

    Examples
    --------
    >>> clock = MonotonicClock()
    >>> clock.now() <= clock.now()
    True
    """

    def now(self) -> float:
        """Return seconds that only ever grow."""
        return time.monotonic()
