"""What lamps do, and what the devices show together at one moment. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto
from itertools import accumulate
from typing import Final

from firmware.layout import Layout
from firmware.texts import Language
from hardware.devices import Lamp, Screen

_SLACK_S: Final = 0.001  # so that rounding never wakes the loop just before a change


class Pattern(StrEnum):
    """What a lamp does; how a moving one moves is told by its `Rhythm`."""

    OFF = auto()
    ON = auto()
    PULSE = auto()
    BLINK = auto()


MOVING: Final = (Pattern.PULSE, Pattern.BLINK)
"""The patterns that have a rhythm."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How a lamp goes on and off.

    Attributes
    ----------
    beats_s
        Seconds lit, dark, lit, dark ... over and over.
    """

    beats_s: tuple[float, ...]

    @property
    def flashes(self) -> int:
        """How often it is lit in one round."""
        return len(self.beats_s) // 2

    @property
    def flashes_per_s(self) -> float:
        """How often it is lit in one second."""
        return self.flashes / sum(self.beats_s)

    def like(self, other: Rhythm) -> bool:
        """Whether nobody could tell it from *other* without seeing both: as many flashes in a row, about as fast."""
        slow, fast = sorted((self.flashes_per_s, other.flashes_per_s))
        return self.flashes == other.flashes and fast < 1.5 * slow

    def lit(self, now_s: float) -> bool:
        """Return whether a lamp with this rhythm shines at *now_s*."""
        return self._beat(now_s) % 2 == 0

    def changes_s(self, now_s: float) -> float:
        """Return when the lamp is to be switched next."""
        ends = list(accumulate(self.beats_s))
        return now_s + ends[self._beat(now_s)] - now_s % ends[-1] + _SLACK_S

    def _beat(self, now_s: float) -> int:
        """Return which of the beats it is at *now_s*."""
        ends = list(accumulate(self.beats_s))
        into_s = now_s % ends[-1]
        return next((beat for beat, end_s in enumerate(ends) if into_s < end_s), len(ends) - 1)


@dataclass(frozen=True, slots=True)
class Look:
    """What the devices show: the screen in no language yet, and a pattern for each lamp that is not off."""

    layout: Layout
    lamps: Mapping[Lamp, Pattern] = field(default_factory=dict)

    def screen(self, language: Language) -> Screen:
        """Return the screen in *language*."""
        return self.layout.screen(language)
