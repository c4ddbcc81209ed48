"""The games with a cup at the table: the knob claims, a seat calls, STOP shows, and nothing is read before."""

import pytest

from firmware.events import CupSeen, Turned
from firmware.views import Phase
from firmware.watching import BLIND, NOTHING, Watching
from hardware.devices import Key, Lamp
from tests.firmware.conftest import Bench, at_the, events
from vision.blind import CupState
from vision.types import Fault


@pytest.fixture
def liars(bench: Bench) -> Bench:
    """Two seats at common hand, A opens."""
    bench.begin(at_the("liars_common")).sit(2, 6, 2)
    return bench


# --- the camera ---


def test_the_camera_is_blind_from_the_first_shake_on_and_the_lamp_says_so(changsha: Bench) -> None:
    assert changsha.expected[-1] == BLIND
    assert Lamp.BLIND in changsha.rig.lamps.lit

    changsha.shake()

    assert changsha.expected[-1] == BLIND


def test_a_call_and_nothing_else_lets_the_camera_see(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(5)
    assert changsha.expected[-1] == BLIND

    changsha.seat(2)

    assert changsha.expected[-1] == Watching(2, shown=True)
    assert Lamp.BLIND not in changsha.rig.lamps.lit
    assert changsha.screen.big == "SHOW"


def test_dice_that_are_read_while_the_table_is_blind_are_not_counted(changsha: Bench) -> None:
    changsha.shake()
    before = events(changsha)
    changsha.throw(6, 6)

    assert events(changsha) == before
    assert "6-6" not in " ".join(changsha.screen.lines)


def test_a_pause_leaves_it_blind_and_so_does_a_power_cut(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(3)
    again = changsha.again(changsha.journal)

    assert again.phase() is Phase.PAUSED
    assert again.expected[-1] == BLIND
    assert Lamp.BLIND in again.rig.lamps.lit
    again.press(Key.STOP)
    assert again.expected[-1] == BLIND
    assert again.controller.view.text("to_beat")


def test_nobody_plays_and_the_camera_may_see(bench: Bench) -> None:
    bench.begin(at_the("mexican_changsha"))

    assert bench.expected[-1] == NOTHING
    assert Lamp.BLIND not in bench.rig.lamps.lit


# --- the cup ---


def test_a_cup_that_goes_and_comes_back_was_shaken(changsha: Bench) -> None:
    changsha.shake()

    assert events(changsha) == ["shake"]


def test_a_cup_that_a_hand_was_over_was_not_shaken(changsha: Bench) -> None:
    for state in (CupState.COVERED, CupState.PEEKING, CupState.COVERED):
        changsha.controller.handle(CupSeen(state))

    assert events(changsha) == []


def test_the_next_one_believes_by_taking_the_cup(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(2)
    changsha.shake()

    assert events(changsha) == ["shake", "announce", "shake"]
    assert changsha.controller.view.player == "B"


def test_a_shake_that_the_camera_missed_is_entered_with_the_knob(changsha: Bench) -> None:
    changsha.choose(-1)

    assert events(changsha) == ["shake"]


def test_a_cup_lifted_by_accident_is_not_read_and_shaken_again(changsha: Bench) -> None:
    changsha.shake()
    changsha.controller.handle(CupSeen(CupState.LIFTED))

    assert " ".join(changsha.screen.lines) == "not read: press STOP or a seat first. Shake again"
    assert events(changsha) == ["shake", "exposed"]
    assert changsha.expected[-1] == BLIND
    assert "shake" in changsha.controller.view.menu.kinds


def test_where_the_house_plays_on_an_accident_changes_nothing(bench: Bench) -> None:
    bench.begin(at_the("mexican_changsha", accident="plays_on")).sit(3, 6, 2, 1)
    bench.shake()
    bench.controller.handle(CupSeen(CupState.LIFTED))

    assert " ".join(bench.screen.lines) == "not read: press STOP or a seat first. Play on"
    assert "shake" not in bench.controller.view.menu.kinds


# --- time ---


def time_is_up(bench: Bench) -> str:
    """Return what is said when the time of a turn is up."""
    bench.wait(21)
    return " ".join(bench.screen.lines)


def test_who_takes_too_long_is_told_what_is_awaited(bench: Bench) -> None:
    bench.begin(at_the("mexican_changsha", turn_seconds=20)).sit(3, 6, 2)
    assert time_is_up(bench) == "the time is up: please throw"
    bench.throw(1)
    assert time_is_up(bench) == "the time is up: shake"
    bench.shake()
    assert time_is_up(bench) == "the time is up: claim"
    bench.choose(2)
    assert time_is_up(bench) == "the time is up: take the cup, or call"
    bench.seat(2)
    assert time_is_up(bench) == "the time is up: show the dice"


def test_who_may_bid_or_call_is_told_both(bench: Bench) -> None:
    bench.begin(at_the("liars_common", turn_seconds=20)).sit(2, 6, 2)
    assert time_is_up(bench) == "the time is up: claim"
    bench.choose(3)
    assert time_is_up(bench) == "the time is up: claim, or call"


def test_who_can_only_give_in_or_call_is_told_that(bench: Bench) -> None:
    bench.begin(at_the("liars_stanford", turn_seconds=20)).sit(2, 6, 2)
    last = len([entry for entry in bench.controller.view.menu.entries if "call" in str(entry.does)])
    bench.choose(last)
    assert bench.screen.four == "6-6 "
    assert time_is_up(bench) == "the time is up: call"


def test_who_has_lost_by_word_of_mouth_is_reminded_to_say_so(bench: Bench) -> None:
    spoken = {"announce": "spoken", "dice_each": 1, "turn_seconds": 20}
    bench.begin(at_the("liars_common", **spoken)).sit(2, 6, 2)
    bench.seat(2)
    bench.throw(4)
    bench.throw(4)

    assert time_is_up(bench) == "the time is up: who has lost?"


# --- claims ---


def test_the_knob_walks_the_legal_claims_from_the_least_up_and_back(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(4)
    over = changsha.controller.view.text("to_beat")
    changsha.shake()

    entries = changsha.controller.view.menu.entries
    claims = [entry.does["value"] for entry in entries if not hasattr(entry.does, "what") and "value" in entry.does]
    assert over not in claims
    assert claims[0] == next(str(value) for value in ("41", "42", "43", "51", "52", "53") if value > over)


def test_a_long_menu_is_walked_in_strides_when_the_knob_is_turned_fast(bench: Bench) -> None:
    bench.begin(at_the("liars_stanford")).sit(2, 6, 2)
    places = []
    for time_s in (10.0, 11.0, 11.05, 11.1, 12.0):
        bench.controller.handle(Turned(1, time_s))
        places.append(bench.controller.view.menu.place)

    assert places == [0, 1, 11, 21, 22]


def test_what_is_chosen_is_shown_before_it_counts(changsha: Bench) -> None:
    changsha.shake()
    changsha.controller.handle(Turned(3, 0.0))

    chosen = changsha.controller.view.menu.chosen
    assert chosen is not None
    assert changsha.screen.big == chosen.said.large
    assert events(changsha) == ["shake"]


def test_a_push_before_a_turn_claims_nothing(changsha: Bench) -> None:
    changsha.shake()
    changsha.press(Key.CONFIRM)

    assert events(changsha) == ["shake"]
    assert "turn to choose" in changsha.screen.lines


def test_who_may_call_is_lit_and_nobody_else_can(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(2)

    assert changsha.controller.view.callers == ("B",)
    changsha.seat(3)
    assert "challenge" not in events(changsha)
    changsha.seat(2)
    assert events(changsha)[-1] == "challenge"


# --- what is shown ---


def test_a_call_is_decided_by_the_dice_that_are_read(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(1)
    changsha.seat(2)
    changsha.throw(6, 6)

    assert events(changsha)[-1] == "cup_lifted"
    assert changsha.controller.view.table("drinks") == {"B": 1}
    assert changsha.expected[-1] == BLIND


def test_dice_that_cannot_be_read_are_laid_flat_and_read_then(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(1)
    changsha.seat(2)
    changsha.refuse(Fault.COCKED)

    assert events(changsha)[-1] == "challenge"
    changsha.throw(5, 4)
    assert events(changsha)[-1] == "cup_lifted"


def test_a_special_is_shown_with_stop(changsha: Bench) -> None:
    changsha.shake()
    changsha.press(Key.STOP)
    assert changsha.expected[-1] == Watching(2, shown=True)
    changsha.throw(2, 1)

    assert events(changsha)[-1] == "show_special"
    assert changsha.controller.view.table("drinks") == {"B": 1}


def test_who_pressed_stop_may_hide_it_again(changsha: Bench) -> None:
    changsha.shake()
    changsha.press(Key.STOP, Key.STOP)

    assert changsha.expected[-1] == BLIND


def test_dice_that_are_no_special_are_hidden_again(changsha: Bench) -> None:
    changsha.shake()
    changsha.press(Key.STOP)
    changsha.throw(5, 4)

    assert events(changsha) == ["shake"]
    assert changsha.expected[-1] == BLIND


def test_each_seat_shows_its_dice_after_the_other(liars: Bench) -> None:
    liars.choose(8)
    liars.seat(2)
    assert (liars.controller.view.player, liars.expected[-1]) == ("A", Watching(5, shown=True))
    liars.throw(5, 4, 3, 2, 2)
    assert (liars.controller.view.player, liars.expected[-1]) == ("B", Watching(5, shown=True))
    liars.throw(6, 4, 3, 2, 2)

    assert events(liars) == ["bid", "challenge", "reveal", "reveal"]
    assert liars.controller.view.number("rounds_played") == 1


def test_too_few_dice_are_shown_again(liars: Bench) -> None:
    liars.choose(8)
    liars.seat(2)
    liars.throw(5, 4, 3, 2)

    assert events(liars)[-1] == "challenge"
    assert "a die is missing" in liars.screen.lines


def test_who_swaps_places_takes_his_lamp_and_his_button_along(bench: Bench) -> None:
    bench.begin(at_the("mexican_changsha")).sit(4, 6, 2, 1, 1)
    bench.shake()
    bench.press(Key.STOP)
    bench.throw(5, 1)

    assert bench.controller.view.seats == {1: "C", 2: "B", 3: "A", 4: "D"}
    assert bench.controller.view.player == "D"
    assert bench.controller.match is not None
    assert bench.controller.match.seat_of("A") == 3
