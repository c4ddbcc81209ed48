"""A throw that somebody doubts: taken back or read again by two seats, or by the bartender alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from firmware import undo
from firmware.dispute import AGREE_S, Dispute
from firmware.events import Pressed, TrayRead, TrayStirred, Turned
from firmware.journal import Journal
from firmware.lamps import Pattern
from firmware.match import Match, replayed
from firmware.screens import look
from firmware.views import Phase
from firmware.watching import Watching
from hardware.devices import SEAT_KEYS, Key, Lamp
from tests.firmware.conftest import Bench, facts, rows
from vision.types import Fault, TrayReading

if TYPE_CHECKING:
    from pathlib import Path


def hold_stop(bench: Bench) -> None:
    bench.controller.handle(Pressed(Key.STOP, True, bench.rig.clock.now()))
    bench.rig.clock.advance(2.1)
    bench.controller.tick(bench.rig.clock.now())
    bench.controller.handle(Pressed(Key.STOP, False, bench.rig.clock.now()))


def turn(bench: Bench, steps: int) -> None:
    bench.controller.handle(Turned(steps, bench.rig.clock.now()))


def test_a_roll_is_void_when_the_seat_on_turn_and_another_press(game: Bench) -> None:
    before = facts(game)
    game.throw(5, 4)
    hold_stop(game)
    assert game.phase() is Phase.DISPUTED
    assert game.screen.title == "DOUBT: A 5-4"
    assert game.screen.four == "VOId"

    game.seat(1, 3)

    assert game.phase() is Phase.PLAYING
    assert facts(game) == before
    stored = game.journal.last()
    assert stored is not None
    assert stored.events[-1] == {"type": "void", "event": 4, "by": ["A", "C"], "why": "void this roll"}
    assert game.journal.picture(stored.number, 4) is not None


def test_four_digits_show_what_was_read_at_a_push_of_the_knob(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    shown = [game.screen.four]
    for _ in range(2):
        game.press(Key.CONFIRM)
        shown.append(game.screen.four)
    game.press(Key.CONFIRM)
    turn(game, 1)

    assert [*shown, game.screen.four] == ["VOId", "A 54", "VOId", "rEAd"]


def test_two_who_are_not_on_turn_decide_nothing(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    game.seat(2, 3)

    assert game.phase() is Phase.DISPUTED
    assert rows(game)[-1] == "roll"


def test_hands_count_for_ten_seconds(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    game.seat(1)
    game.rig.clock.advance(AGREE_S + 0.1)
    game.seat(2)
    assert game.phase() is Phase.DISPUTED

    game.seat(1)
    assert rows(game)[-1] == "void"


def test_a_hand_that_no_longer_counts_is_not_lit(game: Bench) -> None:
    def steady() -> bool:
        return look(game.controller.view).lamps[Lamp.SEAT_1] is Pattern.ON

    game.throw(5, 4)
    hold_stop(game)
    game.seat(1)
    game.wait(AGREE_S / 2)
    game.seat(1)
    game.wait(AGREE_S * 0.9)
    assert steady()

    game.wait(AGREE_S * 0.2)
    assert not steady()
    assert game.phase() is Phase.DISPUTED


@pytest.mark.parametrize("at_s", [6.208, 0.1, 12.7])
def test_a_hand_comes_down_just_when_it_is_said_to(at_s: float) -> None:
    # 6.208 + 10 is due at a time from which 6.208 is less than 10 away: the table woke at it without end.
    doubt = Dispute("A", (5, 4), 2, hands={1: at_s, 2: at_s + 1})
    assert doubt.lowered_s is not None
    lowered = replace(doubt, hands=doubt.still_up(doubt.lowered_s))

    assert set(lowered.hands) == {2}
    assert lowered.lowered_s == pytest.approx(at_s + 1 + AGREE_S)
    assert replace(doubt, hands={}).lowered_s is None


def test_what_came_of_a_doubt_is_said(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    game.seat(1, 2)

    assert (game.screen.title, game.screen.four) == ("THE DOUBT IS SETTLED", "donE")
    assert "void: throw again" in game.screen.lines


def test_another_choice_takes_hands_of_its_own(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    game.seat(1)
    turn(game, 1)
    game.seat(2)

    assert game.phase() is Phase.DISPUTED
    assert rows(game)[-1] == "roll"


def test_stop_leaves_the_roll_as_it_is(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    game.press(Key.STOP)

    assert game.phase() is Phase.PLAYING
    assert rows(game)[-1] == "roll"


def test_the_bartender_decides_alone_with_the_encoder_held_and_stop(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    game.controller.handle(Pressed(Key.CONFIRM, True, game.rig.clock.now()))
    game.press(Key.STOP)
    game.controller.handle(Pressed(Key.CONFIRM, False, game.rig.clock.now()))

    stored = game.journal.last()
    assert stored is not None
    assert stored.events[-1]["by"] == ["bartender"]


def test_a_stop_goes_with_the_roll_before_it(game: Bench) -> None:
    before = facts(game)
    game.throw(5, 4)
    game.press(Key.STOP)
    hold_stop(game)
    game.seat(2, 1)

    assert rows(game)[-4:] == ["roll", "stop", "void", "void"]
    assert facts(game) == before


def by_the_bartender(bench: Bench) -> None:
    """Doubt the last throw, and let the bartender take it back."""
    hold_stop(bench)
    bench.controller.handle(Pressed(Key.CONFIRM, True, 0.0))
    bench.press(Key.STOP)
    bench.controller.handle(Pressed(Key.CONFIRM, False, 0.0))


def test_within_a_round_everything_can_be_taken_back_and_nothing_beyond(game: Bench) -> None:
    game.throw(6, 5)
    game.press(Key.STOP)
    game.throw(6, 6)
    game.throw(3, 1)
    start = facts(game)
    assert start["rounds_played"] == 1
    game.throw(5, 4)
    game.throw(3, 1)
    game.press(Key.STOP)
    game.throw(4, 1)
    for _ in range(3):
        by_the_bartender(game)
    assert facts(game) == start
    taken_back = rows(game).count("void")

    hold_stop(game)
    assert game.phase() is Phase.PAUSED
    by_the_bartender(game)
    assert (facts(game), rows(game).count("void")) == (start, taken_back)


def test_the_roll_that_ended_a_round_is_taken_back_until_the_next_one(game: Bench) -> None:
    game.throw(5, 4)
    game.press(Key.STOP)
    game.throw(6, 4)
    before = facts(game)
    game.throw(6, 5)
    assert facts(game)["rounds_played"] == 1
    hold_stop(game)
    game.seat(1, 2)
    assert facts(game) == before

    game.throw(6, 5)
    game.throw(6, 6)
    match = game.controller.match
    assert match is not None
    assert match.doubtful is not None
    hold_stop(game)
    game.seat(1, 2)
    assert match.doubtful is None


def test_dice_that_are_read_again_with_the_same_faces_stand(game: Bench) -> None:
    game.throw(5, 4)
    after = facts(game)
    hold_stop(game)
    turn(game, 1)
    game.seat(1, 2)
    assert game.asked == [Watching(2)]
    game.controller.handle(TrayRead(game.reading(5, 4), b"again"))

    assert facts(game) == after
    assert rows(game)[-1] == "read_again"
    assert game.phase() is Phase.PLAYING


def test_dice_that_are_read_again_with_other_faces_count_with_those(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    turn(game, 1)
    game.seat(1, 2)
    game.controller.handle(TrayRead(game.reading(5, 1), b"again"))

    assert rows(game)[-3:] == ["roll", "void", "roll"]
    assert facts(game)["scores"] == {"A": "51"}


def test_dice_that_cannot_be_read_again_are_void(game: Bench) -> None:
    before = facts(game)
    game.throw(5, 4)
    hold_stop(game)
    turn(game, 1)
    game.seat(1, 2)
    game.controller.handle(TrayRead(TrayReading.refused(Fault.COCKED, "leans"), b"again"))

    assert rows(game)[-1] == "void"
    assert facts(game) == before


def test_a_refused_throw_is_read_again_with_all_its_dice(game: Bench) -> None:
    game.refuse(Fault.COCKED)
    hold_stop(game)
    turn(game, 1)
    game.seat(1, 2)
    assert game.asked == [Watching(2)]
    game.controller.handle(TrayRead(game.reading(6, 2), b"again"))

    assert rows(game)[-3:] == ["bad_roll", "void", "roll"]
    assert facts(game)["scores"] == {"A": "62"}


def test_a_die_for_the_lead_that_was_refused_is_read_again_as_one(bench: Bench) -> None:
    bench.begin().seat(1, 2)
    bench.press(Key.STOP)
    bench.throw(6)
    hold_stop(bench)
    turn(bench, 1)
    bench.seat(2, 1)
    assert bench.asked == [Watching(1)]
    bench.controller.handle(TrayRead(bench.reading(5), b"again"))

    assert rows(bench) == ["die", "void", "die"]


def test_dice_that_were_moved_are_not_read_again(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    turn(game, 1)
    game.seat(1, 2)
    game.controller.handle(TrayStirred("moving"))
    game.controller.handle(TrayRead(game.reading(6, 6), b"thrown anew"))

    assert rows(game)[-1] == "roll"
    assert facts(game)["scores"] == {"A": "54"}
    assert game.screen.lines[0] == "the dice were moved"


def test_void_dice_that_still_lie_there_are_no_roll(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    game.seat(1, 2)
    game.controller.handle(TrayRead(game.reading(5, 4), b"the same dice"))

    assert rows(game)[-1] == "void"


def test_a_game_can_be_paused_from_a_dispute(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    turn(game, -1)
    assert game.screen.four == "PAU?"
    game.press(Key.CONFIRM)

    assert game.phase() is Phase.PAUSED


def test_the_roll_that_won_a_game_can_be_disputed(bench: Bench) -> None:
    bench.begin('[game.house_rules]\npreset = "one_life"').seat(1, 2)
    bench.press(Key.STOP)
    bench.throw(6)
    bench.throw(3)
    bench.throw(3, 1)
    bench.press(Key.STOP)
    before = facts(bench)
    bench.throw(6, 6)
    assert bench.phase() is Phase.OVER
    hold_stop(bench)
    bench.seat(1, 2)

    assert bench.phase() is Phase.PLAYING
    assert facts(bench) == before
    assert bench.journal.count() == 1


def test_what_was_taken_back_stays_so_after_a_power_cut(game: Bench, tmp_path: Path) -> None:
    game.throw(5, 4)
    game.press(Key.STOP)
    hold_stop(game)
    game.seat(1, 2)
    before = facts(game)
    game.journal.close()
    journal = Journal.open(game.journal.path)
    back = game.again(journal)

    assert back.phase() is Phase.PAUSED
    assert facts(back) == before
    stored = journal.last()
    assert stored is not None
    assert replayed(stored).facts() == before
    doubtful = Match.resume(journal, stored).doubtful
    assert doubtful is not None
    assert doubtful.event["type"] == "die"
    journal.close()


def test_only_the_last_event_that_counts_can_be_taken_back() -> None:
    with pytest.raises(ValueError, match="takes back event 1, which is not the last"):
        undo.counting([{"type": "roll"}, {"type": "roll"}, {"type": "void", "event": 1}])


def test_every_seat_may_be_pressed_in_a_dispute_but_only_those_that_play_count(game: Bench) -> None:
    game.throw(5, 4)
    hold_stop(game)
    game.press(SEAT_KEYS[7], SEAT_KEYS[0])

    assert game.phase() is Phase.DISPUTED
