"""Melodies: what the buzzer says, as tones with deadlines. Nothing here waits."""

from __future__ import annotations

import math
from collections import deque
from typing import Final, TypeAlias

from hardware.devices import Sound

Melody: TypeAlias = tuple[tuple[float | None, float], ...]
"""Tones one after the other: hertz (None for silence) and seconds."""

READ: Final[Melody] = ((660, 0.08),)
REFUSED: Final[Melody] = ((330, 0.12), (None, 0.06), (262, 0.25))
MEXICO: Final[Melody] = ((523, 0.09), (659, 0.09), (784, 0.09), (880, 0.30))
PRESSED: Final[Melody] = ((440, 0.04),)
NO: Final[Melody] = ((247, 0.15),)
ROUND_OVER: Final[Melody] = ((523, 0.12), (440, 0.12), (349, 0.25))
WON: Final[Melody] = ((523, 0.12), (523, 0.12), (523, 0.12), (659, 0.20), (587, 0.12), (659, 0.12), (784, 0.45))


class Player:
    """Plays one melody at a time on a `Sound`; a new one replaces the old."""

    def __init__(self, sound: Sound, *, on: bool) -> None:
        self._sound = sound
        self._on = on
        self._rest: deque[tuple[float | None, float]] = deque()
        self._until_s = math.inf

    @property
    def next_deadline_s(self) -> float | None:
        """Return when the sounding tone ends, None in silence."""
        return self._until_s if math.isfinite(self._until_s) else None

    def play(self, melody: Melody, now_s: float) -> None:
        """Begin *melody* now."""
        if self._on:
            self._rest = deque(melody)
            self._step(now_s)

    def tick(self, now_s: float) -> None:
        """Go on to the next tone when the sounding one is over."""
        if now_s >= self._until_s:
            self._step(now_s)

    def _step(self, now_s: float) -> None:
        if self._rest:
            frequency_hz, seconds = self._rest.popleft()
            self._sound.tone(frequency_hz)
            self._until_s = now_s + seconds
        else:
            self._sound.tone(None)
            self._until_s = math.inf
