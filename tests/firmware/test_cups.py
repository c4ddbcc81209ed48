"""The games with a cup at the table: the knob claims, a seat calls, STOP shows, and nothing is read before."""

import pytest

from firmware.events import CupSeen, Pressed, Turned
from firmware.views import Phase
from firmware.watching import BLIND, NOTHING, Watching
from hardware.devices import Key, Lamp
from mexico.catalogue import GAMES
from mexico.game import Ask, Seat
from tests.firmware.conftest import TURNS_S, Bench
from vision.blind import CupState
from vision.types import Fault

CUP_GAMES = [game for game in GAMES if game != "mexico"]


def at_the(game: str, **rules: object) -> str:
    """Return the settings of a table at which *game* is played."""
    lines = [f'"{name}" = {value!r}'.replace("True", "true").replace("False", "false") for name, value in rules.items()]
    return "\n".join([f'[game]\nname = "{game}"', "[game.house_rules]", *lines])


@pytest.fixture
def changsha(bench: Bench) -> Bench:
    """Three seats at Changsha's Mexican, A opens."""
    bench.begin(at_the("mexican_changsha")).sit(3, 6, 2, 1)
    return bench


@pytest.fixture
def liars(bench: Bench) -> Bench:
    """Two seats at common hand, A opens."""
    bench.begin(at_the("liars_common")).sit(2, 6, 2)
    return bench


def events(bench: Bench) -> list[str]:
    """Return the types of what was stored after the roll for the opener."""
    return [str(stored.event["type"]) for stored in bench.stored if stored.event["type"] != "die"]


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

    assert events(changsha) == ["shake", "exposed"]
    assert changsha.expected[-1] == BLIND
    assert "shake" in changsha.controller.view.menu.kinds


def test_where_the_house_plays_on_an_accident_changes_nothing(bench: Bench) -> None:
    bench.begin(at_the("mexican_changsha", accident="plays_on")).sit(3, 6, 2, 1)
    bench.shake()
    bench.controller.handle(CupSeen(CupState.LIFTED))

    assert "shake" not in bench.controller.view.menu.kinds


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
    bench.seat(3)
    bench.press(Key.STOP)

    assert bench.phase() is Phase.PLAYING
