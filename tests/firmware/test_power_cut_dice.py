"""Dice that came to rest while the power was off: asked about, counted once, or forgotten."""

from __future__ import annotations

import pytest

from firmware.events import TrayRead, TrayStirred, Turned
from firmware.views import Phase
from hardware.devices import Key
from tests.firmware.conftest import Bench, facts, rows


def after_a_power_cut(game: Bench, *found: int, early: bool = True) -> Bench:
    """Return the table with power again; dice that show *found* are seen in it, before STOP is pressed or after."""
    again = game.again(game.journal)
    found_there = TrayRead(again.reading(*found), b"found")
    if early:
        again.controller.handle(found_there)
    assert again.phase() is Phase.PAUSED
    again.press(Key.STOP)
    if not early:
        again.controller.handle(found_there)
    return again


@pytest.mark.parametrize("early", [True, False])
def test_dice_found_after_a_power_cut_count_when_two_seats_say_so(game: Bench, early: bool) -> None:
    game.throw(5, 4)
    again = after_a_power_cut(game, 6, 2, early=early)
    assert again.screen.title == "FOUND: A 6-2"
    assert again.screen.four == "CNt?"

    again.seat(1, 3)

    assert facts(again)["scores"] == {"A": "62"}
    stored = game.journal.last()
    assert stored is not None
    assert [dict(event) for event in stored.events[-2:]] == [
        {"type": "roll", "player": "A", "faces": [6, 2]},
        {"type": "read_again", "event": 5, "by": ["A", "C"], "why": "count this roll"},
    ]
    assert game.journal.picture(stored.number, 5) == b"found"


@pytest.mark.parametrize("early", [True, False])
def test_the_roll_before_the_power_cut_does_not_count_twice(game: Bench, early: bool) -> None:
    game.throw(5, 4)
    before = rows(game)
    again = after_a_power_cut(game, 4, 5, early=early)

    assert again.phase() is Phase.PLAYING
    assert "pick them up, throw" in again.screen.lines
    again.seat(1, 3)
    assert rows(again) == before


def test_dice_found_after_a_power_cut_do_not_count_where_nobody_wants_it(game: Bench) -> None:
    game.throw(5, 4)
    before = rows(game)
    again = after_a_power_cut(game, 6, 2)
    again.press(Key.STOP)
    assert "pick them up, throw" in again.screen.lines
    again.controller.handle(TrayRead(again.reading(6, 2), b"still there"))
    assert rows(again) == before

    again.throw(6, 3)
    assert facts(again)["scores"] == {"A": "63"}


def test_dice_found_after_a_power_cut_that_are_picked_up_are_forgotten(game: Bench) -> None:
    game.throw(5, 4)
    again = after_a_power_cut(game, 6, 2)
    again.controller.handle(TrayStirred("moving"))
    assert again.phase() is Phase.PLAYING
    again.seat(1, 3)
    assert facts(again)["scores"] == {"A": "54"}


def test_dice_found_after_a_power_cut_are_asked_about_again_after_a_pause(game: Bench) -> None:
    game.throw(5, 4)
    again = after_a_power_cut(game, 6, 2)
    again.controller.handle(Turned(1, again.rig.clock.now()))
    again.press(Key.CONFIRM)
    assert again.phase() is Phase.PAUSED
    again.press(Key.STOP)
    assert again.screen.title == "FOUND: A 6-2"


def test_dice_that_cannot_be_read_after_a_power_cut_are_no_roll(game: Bench) -> None:
    game.throw(5, 4)
    again = after_a_power_cut(game, 6)

    assert again.phase() is Phase.PLAYING
    assert "pick them up, throw" in again.screen.lines
