"""What an empty table shows to a bar: who passes by is asked to sit down; at night the lamps sleep. Pure."""

from __future__ import annotations

from typing import Final

from firmware.lamps import Look, Pattern
from hardware.devices import SEAT_LAMPS, Screen

BEGIN_S: Final = 20.0
"""After so long without a touch an empty table begins to ask."""

STEP_S: Final = 5.0
ASLEEP: Final = 120
"""So many steps, ten minutes, and the lamps go out; any press wakes the table."""

SCREENS: Final = (
    Screen("MEXICO", "21", ("two dice, one cup", "press your seat"), "PLAY"),
    Screen("TWO TO EIGHT PLAY", "2-8", ("the lowest pays", "press your seat"), "SEAt"),
    Screen("MEXICO BEATS ALL", "21", ("then 66 down to 11,", "then 65 down to 31"), "  21"),
)
"""In turn, one a step."""

SLEEPING: Final = Screen("MEXICO", "", ("press a seat",), "   .")


def attract(step: int) -> Look:
    """Return what the table shows at *step*, from 1: a lamp runs round the seats until all of them sleep."""
    if step > ASLEEP:
        return Look(SLEEPING)
    return Look(SCREENS[(step - 1) % len(SCREENS)], {SEAT_LAMPS[(step - 1) % len(SEAT_LAMPS)]: Pattern.ON})


def next_s(step: int) -> float | None:
    """Return in how many seconds the next step after *step* is due, None when the table sleeps."""
    return BEGIN_S if not step else STEP_S if step <= ASLEEP else None
