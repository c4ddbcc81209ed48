"""What a bartender orders at the panel: it is done and stands in the journal, or is refused in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware import audit
from firmware.dispute import Choice
from firmware.events import Order, Ordered, Pressed, TrayRead
from firmware.match import replayed
from firmware.views import Phase
from hardware.devices import Key
from tests.firmware.conftest import facts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.firmware.conftest import Bench, Call


def give(bench: Bench, order: Order, reason: str = "because", seen: tuple[int, int] | None = None) -> str | None:
    """Give an order and return what was answered, exactly once."""
    answers: list[str | None] = []
    bench.controller.handle(Ordered(order, reason, seen, answers.append))
    (answer,) = answers
    return answer


def rows(bench: Bench) -> list[dict[str, object]]:
    stored = bench.journal.last()
    assert stored is not None
    return [dict(event) for event in stored.events]


def test_a_game_waits_and_goes_on_and_the_journal_says_who_and_why(game: Bench) -> None:
    before = facts(game)

    assert give(game, Order.PAUSE, "a glass broke") is None
    assert game.phase() is Phase.PAUSED
    assert give(game, Order.RESUME, "swept up") is None

    assert game.phase() is Phase.PLAYING
    assert rows(game)[-2:] == [
        {"type": "pause", "by": ["panel"], "why": "a glass broke"},
        {"type": "resume", "by": ["panel"], "why": "swept up"},
    ]
    assert facts(game) == before


def test_a_game_that_was_paused_at_the_panel_is_found_again_after_a_power_cut(game: Bench) -> None:
    game.throw(5, 4)
    give(game, Order.PAUSE)
    before = facts(game)

    again = game.again(game.journal)

    assert facts(again) == before
    stored = again.journal.last()
    assert stored is not None
    assert replayed(stored).facts() == before


def test_the_last_throw_is_taken_back_with_the_reason_as_it_was_entered(game: Bench) -> None:
    before = facts(game)
    game.throw(5, 4)

    assert give(game, Order.VOID, "sleeve in the tray, 2nd time", (1, 4)) is None

    assert facts(game) == before
    assert rows(game)[-1] == {"type": "void", "event": 4, "by": ["panel"], "why": "sleeve in the tray, 2nd time"}
    assert game.phase() is Phase.PLAYING
    assert game.screen.title == "THE DOUBT IS SETTLED"
    game.throw(6, 1)
    assert facts(game)["scores"] == {"A": "61"}


def test_the_journal_tells_the_reason(game: Bench, call: Call, tmp_path: Path) -> None:
    game.throw(5, 4)
    give(game, Order.VOID, "sleeve in the tray")
    give(game, Order.PAUSE, "")

    answer = call("journal", "--state", tmp_path)

    assert [line[21:] for line in answer.out.splitlines()[-2:]] == [
        "   5  panel     takes back event 4: sleeve in the tray",
        "   6  panel     lets the game wait",
    ]


def test_a_throw_is_not_taken_back_by_who_has_seen_another(game: Bench) -> None:
    game.throw(5, 4)
    game.throw(6, 4)

    assert "something else has happened" in str(give(game, Order.VOID, "wrong", (1, 4)))
    assert len(rows(game)) == 5


def test_a_paused_game_stays_paused_when_its_last_throw_is_taken_back(game: Bench) -> None:
    game.throw(5, 4)
    give(game, Order.PAUSE)

    assert give(game, Order.VOID) is None

    assert game.phase() is Phase.PAUSED
    assert [row["type"] for row in rows(game)[-3:]] == ["roll", "pause", "void"]


def test_what_ended_a_round_may_still_be_taken_back_after_a_pause(game: Bench) -> None:
    game.throw(5, 4)
    game.press(Key.STOP)
    for _ in "BC":
        game.throw(6, 5)
    assert facts(game)["rounds_played"] == 1
    give(game, Order.PAUSE)

    assert give(game, Order.VOID) is None

    assert facts(game)["rounds_played"] == 0


def test_a_dispute_at_the_table_ends_when_the_bartender_decides(game: Bench) -> None:
    game.throw(5, 4)
    game.controller.handle(Pressed(Key.STOP, True, game.rig.clock.now()))
    game.wait(2.1)
    assert game.phase() is Phase.DISPUTED

    assert give(game, Order.VOID) is None

    assert game.phase() is Phase.PLAYING
    assert game.controller.view.dispute is None


def test_what_was_to_be_read_again_is_not_after_the_bartender_has_decided(game: Bench) -> None:
    game.throw(5, 4)
    game.controller.handle(Pressed(Key.STOP, True, game.rig.clock.now()))
    game.wait(2.1)
    game.choose(1)
    assert game.controller.view.dispute is not None
    assert game.controller.view.dispute.choice is Choice.READ_AGAIN
    game.seat(1, 2)
    assert [watching.dice for watching in game.asked] == [2]

    give(game, Order.VOID)
    game.controller.handle(TrayRead(game.reading(5, 4), b"jpeg"))

    assert [row["type"] for row in rows(game)[-2:]] == ["roll", "void"]


@pytest.mark.parametrize(
    ("order", "why"),
    [
        pytest.param(Order.RESUME, "no game waits", id="go on with a game that goes on"),
        pytest.param(Order.VOID, "nothing can be taken back", id="take back before the first throw"),
        pytest.param(Order.RESTART, "a game is being played", id="begin anew in the middle of a game"),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_refused_in_a_sentence(bench: Bench, order: Order, why: str) -> None:
    bench.begin().seat(1, 2)
    bench.press(Key.STOP)

    assert why in str(give(bench, order))
    assert rows(bench) == []
    assert bench.controller.running


@pytest.mark.parametrize("order", [Order.PAUSE, Order.RESUME, Order.VOID])
def test_without_a_game_there_is_nothing_to_order(bench: Bench, order: Order) -> None:
    assert "no game is on the table" in str(give(bench.begin(), order))


def test_a_paused_game_does_not_wait_twice(game: Bench) -> None:
    give(game, Order.PAUSE)

    assert give(game, Order.PAUSE) == "the game waits already"


def test_nobody_decides_alone_about_dice_that_were_hidden(bench: Bench) -> None:
    bench.begin('[game]\nname = "mexican_changsha"').seat(1, 2)
    bench.press(Key.STOP)
    bench.throw(6)
    bench.throw(3)
    bench.shake()
    assert "before a shake" in str(give(bench, Order.VOID))
    bench.choose(1)
    bench.seat(2)
    bench.throw(6, 6)

    assert "only all seats together" in str(give(bench, Order.VOID))


def test_the_program_begins_anew_when_nobody_plays(bench: Bench) -> None:
    bench.begin()

    assert give(bench, Order.RESTART) is None

    assert not bench.controller.running
    assert bench.controller.anew
    assert bench.controller.exit_code == 0


def test_the_audit_tells_each_row_once(game: Bench) -> None:
    game.throw(5, 4)
    give(game, Order.VOID, "why")
    stored = game.journal.last()
    assert stored is not None

    told = list(audit.rows(game.journal, stored))

    assert [row["event"] for row in told] == [1, 2, 3, 4, 5]
    assert [row["counts"] for row in told] == [True, True, True, False, False]
