"""The games with a cup: what the house calls things, what is said where, doubts of what lay hidden, and the end."""

import pytest

from firmware.events import Pressed, Turned
from firmware.views import Phase
from firmware.watching import BLIND, Watching
from hardware.devices import Key
from mexico.game import Ask, Seat
from tests.firmware.conftest import TURNS_S, Bench, at_the, events

# --- what the house calls things ---


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        pytest.param("", "B: 1 mark", id="neutral"),
        pytest.param('mark = "drink"', "B: 1 drink", id="a drink"),
        pytest.param('mark = "push-up"', "B: 1 push-up", id="a word of the house"),
    ],
)
def test_a_penalty_is_called_what_the_house_calls_it(bench: Bench, mark: str, said: str) -> None:
    bench.begin(f"[table]\n{mark}\n{at_the('mexican_changsha')}").sit(3, 6, 2, 1)
    bench.shake()
    bench.choose(1)
    bench.seat(2)
    bench.throw(6, 6)

    assert bench.screen.lines == (said, "B begins", "A0 B1 C0")
    assert bench.screen.four == "B= 1"


SPECIALS = '[table.specials]\nsmoochy = "high five"\nperform = "sings"\n'


def test_specials_that_need_consent_have_the_names_of_the_house(bench: Bench) -> None:
    rules = {"changsha.smoochy": True, "changsha.perform": True}
    bench.begin(SPECIALS + at_the("mexican_changsha", **rules)).sit(3, 6, 2, 1)
    bench.shake()
    bench.press(Key.STOP)
    bench.throw(5, 5)
    assert "55: high five" in bench.screen.lines

    bench.choose(1)
    bench.shake()
    bench.press(Key.STOP)
    bench.throw(6, 1)
    assert "61: judgement day" in bench.screen.lines
    bench.choose(1)

    assert bench.screen.lines[:2] == ("C: 1 mark", "C sings")


def test_nobody_performs_where_the_house_does_not_play_it(bench: Bench) -> None:
    bench.begin(SPECIALS + at_the("mexican_changsha")).sit(3, 6, 2, 1)
    bench.shake()
    bench.press(Key.STOP)
    bench.throw(6, 1)
    bench.choose(1)

    assert "sings" not in " ".join(bench.screen.lines)
    assert bench.screen.lines[0] == "B: 1 mark"


# --- what is said where ---


def test_whose_mistake_it_was_is_chosen_by_name(bench: Bench) -> None:
    bench.begin(at_the("liars_common", announce="spoken", challenge="anyone", dice_each=1)).sit(3, 6, 2, 1)
    bench.seat(2)
    for _ in range(3):
        bench.throw(4)
    chosen = set()
    for _ in bench.controller.view.menu.entries:
        bench.controller.handle(Turned(1, next(TURNS_S)))
        chosen.add((bench.screen.lines[0], bench.screen.four))

    assert chosen == {("A has lost", "ALSt"), ("C has lost", "CLSt"), ("B lost to A", "BL-A"), ("B lost to C", "BL-C")}


def test_dice_put_back_into_the_box_are_named(bench: Bench) -> None:
    bench.begin(at_the("liars_stanford")).sit(2, 6, 2)
    bench.choose(1)
    entries = bench.controller.view.menu.entries
    bench.choose(next(place for place, entry in enumerate(entries, 1) if getattr(entry.does, "dice", None) == 2))
    assert bench.screen.title == "B: ROLL OUTSIDE"
    bench.throw(5, 2)
    back = [entry.said for entry in bench.controller.view.menu.entries if "puts back" in str(entry.said.words)]

    assert [str(said.words) for said in back] == ["puts back 2", "puts back 5", "puts back 25"]


def test_the_log_says_who_showed_what_and_what_it_cost(changsha: Bench, caplog: pytest.LogCaptureFixture) -> None:
    changsha.shake()
    changsha.choose(1)
    changsha.seat(2)
    with caplog.at_level("INFO"):
        changsha.throw(6, 6)

    assert caplog.messages[-2:] == ["A shows 6-6", "the round is over: B gets 1 mark"]


# --- doubts ---


def test_a_claim_entered_by_mistake_is_taken_back_by_two(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(5)
    changsha.controller.handle(Pressed(Key.STOP, True, changsha.rig.clock.now()))
    changsha.wait(2.1)
    assert changsha.phase() is Phase.DISPUTED
    claimed = changsha.controller.view.text("to_beat")
    changsha.press(Key.CONFIRM)
    assert changsha.screen.four == f" {claimed}"
    changsha.seat(1, 2)

    assert changsha.phase() is Phase.PLAYING
    assert changsha.controller.view.player == "A"
    assert not changsha.controller.view.text("to_beat")


def test_dice_that_were_shown_are_taken_back_by_all_and_never_read_again(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(1)
    changsha.seat(2)
    changsha.throw(6, 6)
    changsha.controller.handle(Pressed(Key.STOP, True, changsha.rig.clock.now()))
    changsha.wait(2.1)
    doubt = changsha.controller.view.dispute
    assert doubt is not None
    assert "read it again" not in doubt.choices
    assert changsha.expected[-1] == BLIND
    changsha.seat(1, 2)
    assert changsha.phase() is Phase.DISPUTED

    changsha.seat(3)

    assert changsha.phase() is Phase.PLAYING
    assert changsha.expected[-1] == Watching(2, shown=True)


def test_no_bartender_takes_back_alone_what_was_hidden(bench: Bench) -> None:
    bench.begin(at_the("mexican_changsha")).sit(2, 6, 2)
    bench.shake()
    bench.choose(1)
    bench.seat(2)
    bench.throw(6, 6)
    bench.controller.handle(Pressed(Key.STOP, True, bench.rig.clock.now()))
    bench.wait(2.1)
    bench.controller.handle(Pressed(Key.CONFIRM, True, bench.rig.clock.now()))
    bench.press(Key.STOP)

    assert events(bench)[-1] == "cup_lifted"
    assert bench.controller.view.table("drinks") == {"B": 1}


# --- the end ---


def test_closing_time_ends_a_game_that_has_no_end(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(1)
    changsha.seat(2)
    changsha.throw(6, 6)
    changsha.controller.pause("for a test")
    changsha.press(Key.CONFIRM, Key.CONFIRM)

    assert changsha.phase() is Phase.OVER
    assert events(changsha)[-1] == "close"


def test_closing_time_comes_though_who_sat_down_first_has_left(bench: Bench) -> None:
    bench.begin(at_the("liars_common")).sit(3, 6, 2, 1)
    bench.controller.on_turn().take({"type": "leave", "player": "A"})
    bench.controller.pause("for a test")
    bench.press(Key.CONFIRM, Key.CONFIRM)

    assert bench.phase() is Phase.OVER


def test_a_game_that_is_over_and_doubted_is_put_away(changsha: Bench) -> None:
    changsha.controller.pause("for a test")
    changsha.press(Key.CONFIRM, Key.CONFIRM)
    assert changsha.phase() is Phase.OVER
    changsha.controller.pause("in a dispute")
    changsha.press(Key.CONFIRM, Key.CONFIRM)

    assert changsha.phase() is Phase.SITTING


def test_stop_while_dice_are_awaited_says_that_there_is_nothing_to_show(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(1)
    changsha.seat(2)
    changsha.press(Key.STOP)

    assert "nothing to show now" in changsha.screen.lines


def test_how_many_dice_of_the_box_are_shown_is_chosen_with_the_knob(bench: Bench) -> None:
    bench.begin(at_the("liars_stanford")).sit(2, 6, 2)
    entries = bench.controller.view.menu.entries
    place = [entry.does for entry in entries].index(Ask(Seat(0), "show", 2))
    bench.choose(place + 1)
    assert bench.expected[-1] == Watching(2, shown=True)
    bench.throw(6, 6)

    assert events(bench)[-1] == "show"


def test_two_play_the_individual_hand(bench: Bench) -> None:
    bench.begin(at_the("liars_individual"))
    bench.seat(1, 2, 3)
    bench.press(Key.STOP)
    assert bench.phase() is Phase.SITTING
    assert "only two play this" in bench.screen.lines
    assert bench.screen.four == "MAX2"
    bench.seat(3)
    bench.press(Key.STOP)

    assert bench.phase() is Phase.PLAYING
