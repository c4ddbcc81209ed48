"""What an empty table shows to a bar: who passes by is asked to sit down; at night the lamps sleep. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from firmware import qr
from firmware.four import four
from firmware.lamps import Look, Pattern
from firmware.layout import WIDTH, Layout
from firmware.screens_cup import TITLES
from firmware.texts import Words, words
from hardware.devices import SEAT_LAMPS, Lamp
from mexico.catalogue import GAMES

BEGIN_S: Final = 20.0
"""After so long without a touch an empty table begins to ask."""

GONE_S: Final = 300.0
"""After so long without a touch those who won, or waited for others, have gone, and the table is empty."""

MEXICO: Final = "mexico"
STEP_S: Final = 5.0
ASLEEP: Final = 120
"""So many steps, ten minutes, and the lamps go out; any press wakes the table."""

PLAY: Final[Mapping[int, Words]] = {
    2: words("TWO PLAY"),
    3: words("TWO OR THREE PLAY"),
    4: words("TWO TO FOUR PLAY"),
    5: words("TWO TO FIVE PLAY"),
    6: words("TWO TO SIX PLAY"),
    7: words("TWO TO SEVEN PLAY"),
    8: words("TWO TO EIGHT PLAY"),
}
"""How many may play, by how many seats the board has."""

PHONE_STEPS: Final = 2
"""So many steps the way to the board is shown: somebody has to find a phone."""

SLEEPING: Final = Layout(words("MEXICO"), "", (words("press a seat"),), four("asleep"))


def screens(seats: int, game: str = MEXICO) -> tuple[Layout, ...]:
    """Return what a board of so many *seats*, at which *game* is played, shows in turn, one a step."""
    most, asks = min(seats, GAMES[game].most_players), words("press your seat")
    if game != MEXICO:
        return (
            Layout(TITLES[game], "", (asks,), four("play")),
            Layout(PLAY[most], f"2-{most}", (asks,), four("seats", seats=most)),
        )
    return (
        Layout(words("MEXICO"), "21", (words("two dice, one cup"), asks), four("play")),
        Layout(PLAY[most], f"2-{most}", (words("the lowest pays"), asks), four("seats", seats=most)),
        Layout(
            words("MEXICO BEATS ALL"), "21", (words("then 66 down to 11,"), words("then 65 down to 31")), four("best")
        ),
    )


def attract(step: int, places: Sequence[Lamp] = SEAT_LAMPS, game: str = MEXICO, page: str = "") -> Look:
    """Return what the table shows at *step*, from 1: a lamp runs round the *places* until all of them sleep.

    *page* is where phones find the page of the table, empty where they cannot.
    """
    if step > ASLEEP:
        return Look(SLEEPING)
    shown = screens(len(places), game)
    lead = to_the_board(page) if page else None
    if lead is not None:
        shown = (*shown, *[lead] * PHONE_STEPS)
    return Look(shown[(step - 1) % len(shown)], {places[(step - 1) % len(places)]: Pattern.ON})


def to_the_board(page: str) -> Layout | None:
    """Return the QR code that leads phones to the board, and the same to be typed; None where it has no room.

    The code is of capitals, which need least room; the page answers to them as well.
    """
    code = qr.code(f"{page}/board".upper())
    if code is None:
        return None
    host, _, port = page.removeprefix("http://").rpartition(":")
    typed = (host, f":{port}") if len(host) <= WIDTH else ()
    return Layout(words("THE BOARD"), "", (words("on your phone"), *typed), four("play"), code)


def next_s(step: int) -> float | None:
    """Return in how many seconds the next step after *step* is due, None when the table sleeps."""
    return BEGIN_S if not step else STEP_S if step <= ASLEEP else None
