"""Melodies: what the buzzer says, as tones with deadlines. Nothing here waits."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from enum import StrEnum, auto
from typing import TypeAlias

from hardware.devices import Sound

Tones: TypeAlias = tuple[tuple[float | None, float], ...]
"""Tones one after the other: hertz (None for silence) and seconds."""


class Melody(StrEnum):
    """What the buzzer says; how that sounds stands in ``signals.toml``."""

    READ = auto()
    REFUSED = auto()
    MEXICO = auto()
    PRESSED = auto()
    NO = auto()
    ROUND_OVER = auto()
    WON = auto()
    POWER_ON = auto()


READ, REFUSED, MEXICO, PRESSED, NO, ROUND_OVER, WON, POWER_ON = Melody


class Player:
    """Plays one of *melodies* at a time on a `Sound`; a new one replaces the old."""

    def __init__(self, sound: Sound, melodies: Mapping[Melody, Tones], *, on: bool) -> None:
        self._sound = sound
        self._melodies = melodies
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
            self._rest = deque(self._melodies[melody])
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
