"""What lamps do, and what the devices show together at one moment. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Final

from hardware.devices import Lamp, Screen


class Pattern(StrEnum):
    """What a lamp does."""

    OFF = auto()
    ON = auto()
    PULSE = auto()
    BLINK = auto()

    def lit(self, now_s: float) -> bool:
        """Return whether a lamp with this pattern shines at *now_s*."""
        rhythm = _RHYTHM.get(self)
        return self is Pattern.ON if rhythm is None else now_s % sum(rhythm) < rhythm[0]

    def changes_s(self, now_s: float) -> float | None:
        """Return when the lamp is to be switched next, None for never."""
        rhythm = _RHYTHM.get(self)
        if rhythm is None:
            return None
        into_s = now_s % sum(rhythm)
        return now_s + (rhythm[0] if into_s < rhythm[0] else sum(rhythm)) - into_s + _SLACK_S


_RHYTHM: Final[Mapping[Pattern, tuple[float, float]]] = {Pattern.PULSE: (0.8, 0.4), Pattern.BLINK: (0.15, 0.15)}
_SLACK_S: Final = 0.001  # so that rounding never wakes the loop just before a change


@dataclass(frozen=True, slots=True)
class Look:
    """What the devices show: the screen, and a pattern for each lamp that is not off."""

    screen: Screen
    lamps: Mapping[Lamp, Pattern] = field(default_factory=dict)
