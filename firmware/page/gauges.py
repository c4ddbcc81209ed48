"""What a running table tells of itself: gathered where it passes by, so that nobody at the table waits for it."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Final

from firmware.views import View
from hardware.devices import Key
from vision.types import TrayReading

RATE_S: Final = 5.0
"""The pictures of so many seconds are counted."""

HOUR_S: Final = 3600.0
MOST: Final = 500
"""So many of the last readings are remembered."""


def _nothing_held() -> frozenset[Key]:
    return frozenset()


class Gauges:
    """Written on the threads of table and camera, read on any; each write is a single step.

    Attributes
    ----------
    view
        What the table shows.
    display
        Gives why the display does not answer, None when it does.
    held
        Gives the buttons that are down at this moment.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._begun_s = now_s()
        self._pictures: deque[float] = deque(maxlen=1200)
        self._readings: deque[tuple[float, str]] = deque(maxlen=MOST)
        self._down: dict[Key, float] = {}
        self.view = View()
        self.display: Callable[[], str | None] = lambda: None
        self.held: Callable[[], frozenset[Key]] = _nothing_held

    def pictured(self) -> None:
        """Count a picture of the camera."""
        self._pictures.append(self._now_s())

    def read(self, reading: TrayReading) -> None:
        """Count what was read or refused."""
        self._readings.append((self._now_s(), str(reading.fault or "")))

    @property
    def fps(self) -> float | None:
        """Return how many pictures come in a second; None right after the start."""
        now_s = self._now_s()
        if now_s - self._begun_s < RATE_S:
            return None
        return sum(now_s - at_s < RATE_S for at_s in tuple(self._pictures)) / RATE_S

    def readings(self) -> tuple[int, Counter[str]]:
        """Return how many throws were read within the last hour, and how many were refused for which fault."""
        now_s = self._now_s()
        lately = [fault for at_s, fault in tuple(self._readings) if now_s - at_s < HOUR_S]
        return lately.count(""), Counter(fault for fault in lately if fault)

    def stuck(self) -> dict[Key, float]:
        """Return the buttons that are down, and for how many seconds they were so whenever somebody asked."""
        now_s, held = self._now_s(), self.held()
        self._down = {key: self._down.get(key, now_s) for key in held}
        return {key: now_s - since_s for key, since_s in self._down.items()}
