"""Seats played by the computer: when they stop, and that they only see what people see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.bots import PATIENCE_S, Bots, stops
from firmware.events import Event, Pressed, Stop
from firmware.staged import Played
from firmware.views import Phase, View
from hardware.devices import Key
from mexico import gamefile

ORDER = ["A", "B", "C"]


def on_turn(mine: str, others: dict[str, str], *, used: int, most: int, cap: int | None) -> View:
    player = ORDER[len(others)]
    facts = {"scores": others | {player: mine}, "order": ORDER, "cap": cap, "rolls_used": used, "subround": None}
    return View(phase=Phase.PLAYING, facts=facts, player=player, dice=2, may_stop=True, most_rolls=most)


@pytest.mark.parametrize(
    ("view", "stop"),
    [
        pytest.param(on_turn("32", {"A": "31"}, used=1, most=3, cap=3), True, id="above somebody: safe"),
        pytest.param(on_turn("31", {"A": "32"}, used=1, most=3, cap=3), False, id="below everybody: roll on"),
        pytest.param(on_turn("62", {"A": "63", "B": "64"}, used=1, most=2, cap=2), False, id="last and lowest"),
        pytest.param(on_turn("66", {"A": "21"}, used=1, most=3, cap=3), True, id="the best double is hardly exceeded"),
        pytest.param(on_turn("66", {}, used=1, most=3, cap=None), True, id="the lead keeps a high double"),
        pytest.param(on_turn("31", {}, used=1, most=3, cap=None), False, id="the lead does not keep the lowest"),
        pytest.param(on_turn("31", {}, used=3, most=3, cap=None), True, id="no roll is left"),
    ],
)
def test_a_seat_stops_when_another_roll_makes_losing_likelier(view: View, stop: bool) -> None:
    assert stops(view) is stop


def test_the_lead_rolls_on_more_often_against_one_than_against_many() -> None:
    scores = ["31", "32", "41", "42", "43", "51", "52", "53", "54", "61", "62", "63", "64", "65", "11"]

    def kept(players: list[str]) -> int:
        views = [on_turn(score, {}, used=1, most=3, cap=None) for score in scores]
        return sum(stops(replace(view, facts={**view.facts, "order": players})) for view in views)

    assert kept(["A", "B"]) < kept(list("ABCDEFGH"))


@pytest.mark.parametrize("thrown", ["A21 B31", "A21 B66", "A21 B31 B66", "A31 A. B31 A21 B65"])
def test_the_last_after_nothing_but_mexicos_rolls_on_for_one_of_his_own(thrown: str) -> None:
    agreed = {"game": "mexico", "players": ["A", "B"], "house_rules": {"mexico.last_player": "may_stop"}}
    game = Played(gamefile.begin(gamefile.setup({**agreed, "start": {"lead": "A"}})), {})
    for one in thrown.split():
        roll = {"type": "roll", "faces": list(map(int, one[1:]))} if one[1:] != "." else {"type": "stop"}
        game = game.then({**roll, "player": one[0]})
    view = game.view()
    assert (view.player, view.may_stop) == ("B", True)

    assert not stops(view)


class Shown:
    """A table that shows whatever it is told."""

    def __init__(self) -> None:
        self.view = View()
        self.decisions = 0


def test_bots_sit_down_play_their_games_and_end() -> None:
    table, put, thrown = Shown(), list[Event](), list[int]()
    bots = Bots(table, put.append, lambda: thrown.append(1), players=3, games=2, think_s=0.5)
    bots.tick(0.0)
    assert put == []
    bots.tick(0.5)
    down = [event.key for event in put if isinstance(event, Pressed) and event.down]
    assert down == [Key.SEAT_1, Key.SEAT_2, Key.SEAT_3, Key.STOP]
    put.clear()
    playing = View(phase=Phase.PLAYING, player="A", dice=1)
    for view in (playing, View(phase=Phase.OVER), playing, View(phase=Phase.OVER)):
        table.view, table.decisions = view, table.decisions + 1
        bots.tick(10.0 * table.decisions)
        bots.tick(10.0 * table.decisions + 1)

    assert len(thrown) == 2
    assert [type(event) for event in put] == [Pressed, Pressed, Stop]


def test_a_bot_acts_once_for_each_thing_it_is_asked() -> None:
    table, thrown = Shown(), list[int]()
    table.view = View(phase=Phase.PLAYING, player="A", dice=2)
    bots = Bots(table, lambda _event: None, lambda: thrown.append(1), players=2, games=1, think_s=0.0)
    for now_s in range(5):
        bots.tick(float(now_s))

    assert len(thrown) == 1
    bots.tick(PATIENCE_S + 5)
    assert len(thrown) == 2


def test_a_bot_goes_on_with_a_game_that_was_interrupted_and_never_ends_a_pause_of_somebody() -> None:
    table, put = Shown(), list[Event]()
    table.view = View(phase=Phase.PAUSED, player="A", dice=2)
    bots = Bots(table, put.append, lambda: None, players=2, games=1, think_s=0.0)
    bots.tick(0.0)
    assert [event.key for event in put if isinstance(event, Pressed)] == [Key.STOP, Key.STOP]

    table.view, table.decisions = View(phase=Phase.PLAYING, player="A", dice=2), 1
    bots.tick(1.0)
    table.view, table.decisions = View(phase=Phase.PAUSED, player="A", dice=2), 2
    bots.tick(2.0)
    table.decisions = 3  # the bartender takes a throw back
    bots.tick(3.0)
    assert len(put) == 2


def test_a_bot_out_of_patience_does_not_end_a_pause() -> None:
    table, put = Shown(), list[Event]()
    table.view = View(phase=Phase.PLAYING, player="A", dice=2)
    bots = Bots(table, put.append, lambda: None, players=2, games=1, think_s=0.0)
    bots.tick(0.0)
    table.view = View(phase=Phase.PAUSED, player="A", dice=2)
    bots.tick(PATIENCE_S + 5)

    assert put == []
    table.view, table.decisions = View(phase=Phase.PLAYING, player="A", dice=2, may_stop=True), 1
    bots.tick(PATIENCE_S + 6)
    assert [event.key for event in put if isinstance(event, Pressed)] == [Key.STOP, Key.STOP]
