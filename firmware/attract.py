"""What an empty table shows to a bar: who passes by is asked to sit down; at night the lamps sleep. Pure."""

from __future__ import annotations

from typing import Final

from firmware import qr
from firmware.four import four
from firmware.lamps import Look, Pattern
from firmware.layout import WIDTH, Layout
from firmware.texts import words
from hardware.devices import SEAT_LAMPS

BEGIN_S: Final = 20.0
"""After so long without a touch an empty table begins to ask."""

GONE_S: Final = 300.0
"""After so long without a touch those who won, or waited for others, have gone, and the table is empty."""

STEP_S: Final = 5.0
ASLEEP: Final = 120
"""So many steps, ten minutes, and the lamps go out; any press wakes the table."""

SCREENS: Final = (
    Layout(words("MEXICO"), "21", (words("two dice, one cup"), words("press your seat")), four("play")),
    Layout(words("TWO TO EIGHT PLAY"), "2-8", (words("the lowest pays"), words("press your seat")), four("seats")),
    Layout(words("MEXICO BEATS ALL"), "21", (words("then 66 down to 11,"), words("then 65 down to 31")), four("best")),
)
"""In turn, one a step."""

PHONE_STEPS: Final = 2
"""So many steps the way to the board is shown: somebody has to find a phone."""

SLEEPING: Final = Layout(words("MEXICO"), "", (words("press a seat"),), four("asleep"))


def attract(step: int, page: str = "") -> Look:
    """Return what the table shows at *step*, from 1: a lamp runs round the seats until all of them sleep.

    *page* is where phones find the page of the table, empty where they cannot.
    """
    if step > ASLEEP:
        return Look(SLEEPING)
    lead = to_the_board(page) if page else None
    screens = SCREENS if lead is None else (*SCREENS, *[lead] * PHONE_STEPS)
    return Look(screens[(step - 1) % len(screens)], {SEAT_LAMPS[(step - 1) % len(SEAT_LAMPS)]: Pattern.ON})


def to_the_board(page: str) -> Layout | None:
    """Return the QR code that leads phones to the board, and the same to be typed; None where it has no room.

    The code is of capitals, which need least room; the page answers to them as well.
    """
    code = qr.code(f"{page}/board".upper())
    if code is None:
        return None
    host, _, port = page.removeprefix("http://").rpartition(":")
    typed = (host, f":{port}/board") if len(host) <= WIDTH else ()
    return Layout(words("THE BOARD"), "", (words("on your phone"), *typed), SCREENS[0].four, code)


def next_s(step: int) -> float | None:
    """Return in how many seconds the next step after *step* is due, None when the table sleeps."""
    return BEGIN_S if not step else STEP_S if step <= ASLEEP else None
