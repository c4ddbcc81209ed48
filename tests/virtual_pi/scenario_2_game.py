"""Four guests, one life each: they agree on the rules and play a whole game of Mexico."""

from __future__ import annotations

import json

from hardware.devices import SEAT_LAMPS, Key, Lamp
from tests.virtual_pi.table import Table


def test_four_guests_join_and_one_changes_his_mind(table: Table) -> None:
    for seat in (1, 2, 5, 3, 4):
        table.seat(seat)
    table.shows("A B C D E", "STOP starts")
    table.seat(5)
    table.shows("A B C D")
    table.keep("2-four-guests")

    assert [table.lamp(lamp) for lamp in SEAT_LAMPS] == [True] * 4 + [False] * 4
    assert 0 < table.lit_for(Lamp.STOP) < 1, "STOP pulses"


def test_a_contact_that_bounces_eight_times_is_one_press(table: Table) -> None:
    pin = table.board.buttons[Key.SEAT_6]
    for _ in range(2):
        table.machine.order("press", pin=pin, for_s=0.2, bounces=8)
    table.shows("A B C D")

    told = table.journal()
    for seat in (5, 6):
        assert (told.count(f"seat {seat} joins"), told.count(f"seat {seat} leaves")) == (1, 1)


def test_the_rules_are_agreed_on_the_card(table: Table) -> None:
    table.turn(1)
    table.shows("mexico")
    table.turn(1)
    table.shows("preset", "= none")
    table.keep("3-rule-card")
    table.press(Key.CONFIRM)
    table.shows("preset", "= one_life")
    table.turn(3)
    table.shows("buy_in", "= 1")
    table.keep("4-rule-buy-in")
    table.turn(-5)
    table.shows("A B C D", "STOP starts")


def test_the_highest_die_leads(table: Table) -> None:
    table.press(Key.STOP)
    assert table.shows("throw ONE die")[0] == "A: throw ONE die"
    table.keep("5-lead-roll")
    for face, following in ((3, "B: throw one die"), (6, "C: throw one die"), (2, "D: throw one die")):
        assert following in table.throw(face)
    table.throw(5)

    assert table.shows("B LEADS")[0] == "B LEADS"
    table.keep("6-lead")


def test_a_throw_is_read_and_one_that_cannot_be_is_refused_and_not_counted(table: Table) -> None:
    refused = table.throw_cocked()
    table.keep("7-refused")
    assert refused[:2] == ("B: not counted", "COCKED")

    assert table.throw(5, 3)[0] == "B rolled"
    table.keep("8-rolled")
    assert table.lit_for(Lamp.STOP) == 1, "he may stop"
    table.press(Key.STOP)
    table.shows("C  roll 1 of 1")
    table.keep("9-turn")


def test_the_round_goes_on_until_its_loser_pays_with_his_life(table: Table) -> None:
    table.throw(2, 1)
    table.keep("10-mexico")
    table.throw(3, 1)
    over = table.throw(6, 4)
    table.keep("11-round-over")

    assert over[0] == "END OF THE ROUND"
    assert over[1] == "D pays 1: OUT"


def test_the_game_goes_on_until_one_is_left(table: Table) -> None:
    for _ in range(12):
        said = table.words()
        if "WINS" in said[0]:
            break
        table.throw(*_next(said))
        if any("throw or STOP" in line for line in table.words()):
            table.press(Key.STOP)
            table.until(lambda: not any("throw or STOP" in line for line in table.words()), "the turn has ended")
    table.shows("WINS", "STOP: play again")
    table.keep("12-winner")

    status = json.loads(table.program("status --json").out)
    assert status["winner"] == "A"
    assert status["pot"] + sum(status["units"].values()) == 4, "nothing was lost"


def _next(said: tuple[str, ...]) -> tuple[int, int]:
    """Return faces for whoever is on: better ones for those who sit further to the left, so that nobody ties."""
    on = next((line for line in said if ": throw" in line), said[0])
    return {"A": (6, 6), "B": (5, 4), "C": (4, 3), "D": (3, 2)}[on[0]]
