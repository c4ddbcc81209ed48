"""An empty table asks who passes by to sit down, and sleeps at night."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware.attract import ASLEEP, BEGIN_S, GONE_S, PLAY, SLEEPING, STEP_S, attract, screens
from firmware.devices import REFRESH_S
from firmware.events import Turned
from firmware.texts import ENGLISH
from firmware.views import Phase
from hardware.board import SEATS, load_board
from hardware.devices import SEAT_LAMPS, Key, Lamp

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench


def test_an_empty_table_asks_after_a_while_and_a_lamp_runs_round(bench: Bench) -> None:
    bench.begin()
    assert bench.screen.title == "MEXICO: press a seat"
    bench.wait(BEGIN_S + 0.1)
    assert bench.screen == screens(8)[0].screen(ENGLISH)
    assert bench.rig.lamps.lit == {Lamp.SEAT_1}
    bench.wait(STEP_S)

    assert bench.screen == screens(8)[1].screen(ENGLISH)
    assert bench.rig.lamps.lit == {Lamp.SEAT_2}


@pytest.mark.parametrize(
    ("name", "title", "four"),
    [
        pytest.param("compact", "TWO TO FOUR PLAY", "2tO4", id="compact"),
        pytest.param("standard", "TWO TO EIGHT PLAY", "2tO8", id="standard"),
    ],
)
def test_an_empty_table_asks_for_as_many_as_it_has_seats(bench: Bench, name: str, title: str, four: str) -> None:
    board = load_board(name)
    bench.begin(lamps=tuple(board.lamps)).wait(BEGIN_S + 0.1)
    lit, shown = [bench.rig.lamps.lit], []
    for _ in range(board.seats):
        bench.wait(STEP_S)
        lit.append(bench.rig.lamps.lit)
        shown.append((bench.screen.title, bench.screen.four))

    assert (title, four) in shown
    assert lit == [{lamp} for lamp in (*SEAT_LAMPS[: board.seats], Lamp.SEAT_1)]


def test_a_house_that_plays_another_game_asks_for_that(bench: Bench) -> None:
    bench.begin('[game]\nname = "liars_individual"').wait(BEGIN_S + 0.1)
    shown = [bench.screen.title]
    bench.wait(STEP_S)

    assert [*shown, bench.screen.title] == ["ONE HAND: sit down", "TWO PLAY"]


def test_a_board_of_any_size_says_how_many_play() -> None:
    assert set(PLAY) == set(SEATS)


def test_after_ten_minutes_the_lamps_sleep_and_only_the_display_is_looked_after(bench: Bench) -> None:
    bench.begin()
    bench.rig.clock.advance(BEGIN_S)
    bench.controller.tick(bench.rig.clock.now())
    for _ in range(ASLEEP):
        bench.rig.clock.advance(STEP_S)
        bench.controller.tick(bench.rig.clock.now())

    assert ASLEEP * STEP_S == 600
    assert bench.screen == SLEEPING.screen(ENGLISH)
    assert not bench.rig.lamps.lit
    assert bench.controller.next_deadline_s == bench.rig.clock.now() + REFRESH_S
    bench.wait(60)
    assert bench.screen == SLEEPING.screen(ENGLISH)
    assert not bench.rig.lamps.lit


@pytest.mark.parametrize("key", [Key.STOP, Key.CONFIRM, Key.SEAT_3])
def test_any_press_wakes_the_table(bench: Bench, key: Key) -> None:
    bench.begin().wait(BEGIN_S + 0.1)
    bench.press(key)

    assert bench.controller.view.idle == 0
    assert bench.screen.title == "MEXICO: press a seat"


def test_a_turn_of_the_knob_wakes_the_table_with_its_rules(bench: Bench) -> None:
    bench.begin().wait(BEGIN_S + 0.1)
    bench.controller.handle(Turned(1, bench.rig.clock.now()))

    assert bench.screen.title == "game"


def test_a_table_at_which_somebody_sits_asks_nobody(bench: Bench) -> None:
    bench.begin().seat(1, 2)
    bench.wait(BEGIN_S * 2)
    assert bench.controller.view.idle == 0
    bench.press(Key.STOP)
    bench.wait(BEGIN_S * 2)

    assert bench.phase() is Phase.PLAYING


def gone(bench: Bench) -> None:
    """Let nobody touch the table until its lamps sleep."""
    for _ in range(2):
        bench.rig.clock.advance(GONE_S)
        bench.controller.tick(bench.rig.clock.now())
    bench.wait(BEGIN_S)
    for _ in range(ASLEEP):
        bench.rig.clock.advance(STEP_S)
        bench.controller.tick(bench.rig.clock.now())


def test_winners_who_went_home_leave_no_lamp_burning(bench: Bench) -> None:
    bench.begin('[game.house_rules]\npreset = "one_life"').sit(2, 6, 3)
    bench.lose()
    assert bench.phase() is Phase.OVER
    bench.wait(GONE_S - 1)
    assert bench.phase() is Phase.OVER, "so long a rematch is one press away"
    gone(bench)

    assert bench.phase() is Phase.SITTING
    assert bench.screen == SLEEPING.screen(ENGLISH)
    assert not bench.rig.lamps.lit
    assert bench.journal.count() == 1
    bench.press(Key.STOP)
    assert bench.screen.lines[0] == "nobody yet"


def test_a_guest_who_waited_for_another_in_vain_is_forgotten_with_the_rules_that_were_turned_to(bench: Bench) -> None:
    bench.begin().seat(3)
    agreed = bench.controller.view.rules
    bench.controller.handle(Turned(2, bench.rig.clock.now()))
    bench.press(Key.CONFIRM)
    gone(bench)

    assert not bench.rig.lamps.lit
    bench.press(Key.STOP)
    assert not bench.controller.view.seats
    assert bench.controller.view.rules == agreed


def test_a_game_that_waits_is_never_taken_from_the_table(bench: Bench) -> None:
    bench.begin().sit(2, 6, 3)
    bench.wait(1)
    gone(bench)

    assert bench.phase() is Phase.PLAYING


def test_every_step_fits_on_either_display() -> None:
    for step in (*range(1, 9), ASLEEP, ASLEEP + 1):
        screen = attract(step).screen(ENGLISH)
        assert len(screen.title) <= 21
        assert len(screen.big) <= 5
        assert all(len(line) <= 21 for line in screen.lines)
        assert len(screen.four) <= 4
        assert screen.four.strip()
