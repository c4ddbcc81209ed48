"""What the table shows when the program ends because of an error: whether the game is safe, and what a restart does."""

from __future__ import annotations

from typing import Final

from firmware.errors import DiskError, JournalError
from firmware.four import four
from firmware.lamps import Look, Pattern
from firmware.layout import Layout
from firmware.texts import Words, big, words
from hardware.devices import SEAT_LAMPS, Lamp

STORED: Final = (words("the game is stored"), words("it goes on after"), words("a restart"))
BROKEN: Final = (words("the journal is broken"), words("a restart won't help;"), words("the log tells more"))


def out_of_order(error: Exception, lost: int) -> Look:
    """Return what is shown when *error* ends the program and the disk never took the last *lost* events."""
    if isinstance(error, JournalError) and not isinstance(error, DiskError):
        return _look(BROKEN)
    if lost:
        lines = (
            words("lost events: {events}", events=lost),
            words("make room on the disk"),
            words("the rest is stored"),
        )
        return _look(lines)
    return _look(STORED)


def _look(lines: tuple[Words, ...]) -> Look:
    layout = Layout(words("OUT OF ORDER"), big("FAULT"), lines, four("fault"))
    return Look(layout, dict.fromkeys((*SEAT_LAMPS, Lamp.STOP), Pattern.BLINK))
