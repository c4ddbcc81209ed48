"""What is due when: timers of the table are deadlines that the loop asks for, and nothing here waits."""

from __future__ import annotations

from enum import StrEnum, auto


class Due(StrEnum):
    """What a deadline is for."""

    HOLD = auto()  # STOP is held long enough
    NOTE = auto()  # what just happened was shown long enough
    TURN = auto()  # the time of a turn is up
    HANDS = auto()  # the first hand in a dispute was up long enough
    SEAT = auto()  # a seat is held long enough
    STORE = auto()  # the disk is tried again
    TEST = auto()  # the next moment of the self-test
    IDLE = auto()  # nobody has touched the table for a while


class Deadlines:
    """At most one deadline of each kind, in seconds of the table's clock."""

    def __init__(self) -> None:
        self._at_s: dict[Due, float] = {}

    @property
    def next_s(self) -> float | None:
        """Return the earliest, None without any."""
        return min(self._at_s.values(), default=None)

    def __contains__(self, due: Due) -> bool:
        return due in self._at_s

    def set(self, due: Due, at_s: float | None) -> None:
        """Let *due* be at *at_s*, or never for None."""
        self.clear(due)
        if at_s is not None:
            self._at_s[due] = at_s

    def clear(self, *kinds: Due) -> None:
        """Let *kinds* not be due any more."""
        for due in kinds:
            self._at_s.pop(due, None)

    def passed(self, now_s: float) -> list[Due]:
        """Return what is due at *now_s*, each once, the earliest first."""
        passed = sorted((due for due, at_s in self._at_s.items() if now_s >= at_s), key=self._at_s.__getitem__)
        self.clear(*passed)
        return passed
