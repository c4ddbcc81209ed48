"""Getting up in the middle of a game and buying in again: a seat held down, and pressed once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware.events import Pressed
from firmware.views import Phase
from hardware.devices import SEAT_KEYS, Key
from tests.firmware.conftest import at_the

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench


@pytest.fixture
def game(bench: Bench) -> Bench:
    """Three seats at play: 1 leads and is on turn."""
    bench.begin('[game.house_rules]\nrebuy = "yes"\nbuy_in = 1').seat(1, 2, 3)
    bench.press(Key.STOP)
    for face in (6, 3, 2):
        bench.throw(face)
    return bench


def hold(bench: Bench, seat: int, seconds: float = 2.1) -> None:
    bench.controller.handle(Pressed(SEAT_KEYS[seat - 1], True, bench.rig.clock.now()))
    bench.wait(seconds)
    bench.controller.handle(Pressed(SEAT_KEYS[seat - 1], False, bench.rig.clock.now()))


def facts(bench: Bench) -> dict[str, object]:
    assert bench.controller.match is not None
    return bench.controller.match.playing.facts()


def test_a_seat_that_is_held_and_pressed_again_leaves(game: Bench) -> None:
    hold(game, 2)
    assert (game.screen.title, game.screen.four) == ("B leaves the game?", "bYE?")
    game.seat(2)

    assert facts(game)["out"] == ["B"]
    assert game.stored[-1].event == {"type": "leave", "player": "B"}
    assert game.phase() is Phase.PLAYING


def test_a_seat_that_is_held_alone_changes_nothing(game: Bench) -> None:
    hold(game, 2)
    game.wait(9)
    game.seat(2)

    assert facts(game)["out"] == []


def test_another_seat_is_no_yes(game: Bench) -> None:
    hold(game, 2)
    game.seat(1)

    assert facts(game)["out"] == []


def test_a_short_press_is_nothing(game: Bench) -> None:
    hold(game, 2, seconds=1.0)
    game.wait(3)

    assert game.screen.four != "bYE?"


def test_a_seat_where_nobody_sits_is_nothing(game: Bench) -> None:
    hold(game, 7)

    assert game.screen.four != "bYE?"


def lost(bench: Bench) -> None:
    """Let seat 3 lose its only unit."""
    bench.throw(6, 5)
    bench.press(Key.STOP)
    bench.throw(6, 6)
    bench.throw(3, 1)


def test_who_is_out_buys_in_again_where_the_house_allows_it(game: Bench) -> None:
    lost(game)
    assert facts(game)["out"] == ["C"]
    hold(game, 3)
    assert (game.screen.title, game.screen.four) == ("C buys in again?", "buY?")
    game.seat(3)

    assert facts(game)["out"] == []


def test_what_the_rules_refuse_is_said(game: Bench) -> None:
    lost(game)
    game.throw(6, 4)
    hold(game, 3)
    game.seat(3)

    assert game.screen.big == "NO"
    assert facts(game)["out"] == ["C"]


def test_a_rematch_is_played_by_those_who_stayed(game: Bench) -> None:
    hold(game, 2)
    game.seat(2)
    game.throw(6, 5)
    game.press(Key.STOP)
    game.throw(3, 1)
    assert game.phase() is Phase.OVER
    game.press(Key.STOP)

    again = game.journal.last()
    assert again is not None
    assert again.seats == (1, 3)


def test_one_who_stayed_alone_plays_no_rematch(game: Bench) -> None:
    for seat in (2, 3):
        hold(game, seat)
        game.seat(seat)
    assert game.phase() is Phase.OVER
    game.press(Key.STOP)
    assert game.phase() is Phase.OVER
    game.press(Key.CONFIRM)

    assert game.phase() is Phase.SITTING


def test_who_is_out_of_a_game_in_which_nobody_buys_in_leaves(bench: Bench) -> None:
    bench.begin(at_the("liars_common", dice_each=1, **{"drinks.while_out": 1})).sit(3, 6, 3, 2)
    bench.choose(1)
    bench.seat(2)
    for face in (6, 5, 2):
        bench.throw(face)
    (gone,) = [name for name, left in bench.controller.view.table("dice_left").items() if left == 0]
    seat = bench.controller.on_turn().seat_of(gone)
    hold(bench, seat)
    assert bench.screen.title == f"{gone} leaves the game?"
    bench.seat(seat)

    assert bench.stored[-1].event == {"type": "leave", "player": gone}
    assert seat not in bench.controller.on_turn().staying
