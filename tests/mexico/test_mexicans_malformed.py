"""Games and events of the two games called Mexican that cannot be meant: each is answered in one clear line."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mexico.gamefile import GameFileError, IllegalAction, begin, setup
from tests.saying import told_in_one_line

BOTH = ("mexican_changsha", "mexican_wisconsin")

both = pytest.mark.parametrize("game", BOTH)


def agreed(game: str, **changes: object) -> dict[str, object]:
    return {"game": game, "players": ["Ann", "Bob", "Cid"], "start": {"opener": "Ann"}, **changes}


@both
@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"start": {"opener": "Dot"}}, 'start.opener is "Dot"; the players are Ann, Bob, Cid'),
        ({"start": {"opener": 0}}, "start.opener is 0; the players are"),
        ({"start": {"direction": "left"}}, 'start.direction is "left"; allowed are clockwise, counterclockwise'),
        ({"start": {"direction": "Clockwise"}}, "(did you mean clockwise?)"),
        ({"start": {"direction": 1}}, "start.direction is 1; allowed are"),
        ({"start": {"lead": "Ann"}}, 'start has an unknown "lead"; known are opener, direction'),
        ({"start": {"units": {}}}, 'start has an unknown "units"'),
        ({"house_rules": {"tie.cap": "one"}}, 'unknown house rule "tie.cap"; known are'),
        ({"house_rules": {"changsha.tst": "announced"}}, 'unknown house rule "changsha.tst"; known are'),
        ({"house_rules": {"accident": "void"}}, 'house rule accident is "void"; allowed are reshake, plays_on'),
        ({"house_rules": {"end.rounds": 0}}, "house rule end.rounds is 0; allowed are none, or a whole number"),
    ],
)
def test_a_game_that_cannot_be_meant_is_answered_in_one_line(game: str, changes: dict[str, object], line: str) -> None:
    with told_in_one_line(GameFileError, line):
        setup(agreed(game, **changes))


def test_the_house_rules_of_one_game_are_none_of_the_other() -> None:
    with told_in_one_line(GameFileError, 'unknown house rule "wisconsin.41"'):
        setup(agreed("mexican_changsha", house_rules={"wisconsin.41": "plain"}))
    with told_in_one_line(GameFileError, 'unknown house rule "changsha.test"'):
        setup(agreed("mexican_wisconsin", house_rules={"changsha.test": "announced"}))


@both
@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"type": "shake"}, "event 1 has no player; add it"),
        ({"type": "shake", "player": "Dot"}, 'the player of event 1 is "Dot"; the players'),
        ({"type": "shake", "player": "Ann", "exposed": 5}, "exposed of event 1 is 5; wanted is a list"),
        ({"type": "shake", "player": "Ann", "exposed": [7]}, "exposed of event 1 is 7; wanted is a whole number"),
        ({"type": "shake", "player": "Ann", "exposed": [5, 4]}, "one die may lie beside the cup"),
        ({"type": "announce", "player": "Ann"}, "event 1 has no value; add it"),
        ({"type": "announce", "player": "Ann", "value": "45"}, 'the value of event 1 is "45"; allowed are 31, 32'),
        ({"type": "announce", "player": "Ann", "value": 54}, "the value of event 1 is 54; allowed are"),
        (
            {"type": "announce", "player": "Ann", "value": "54", "pass_it_on": "yes"},
            'pass_it_on of event 1 is "yes"; allowed are true, false',
        ),
        ({"type": "cup_lifted"}, "event 1 has no faces; add it"),
        ({"type": "cup_lifted", "faces": [5, 4, 3]}, "event 1 shows 3 dice; under the cup lie two"),
        ({"type": "cup_lifted", "faces": []}, "event 1 shows 0 dice"),
        ({"type": "cup_lifted", "faces": [5, True]}, "a face of event 1 is true"),
        ({"type": "show_special", "player": "Ann", "faces": [3]}, "event 1 shows 1 dice"),
        ({"type": "show_special", "player": "Ann", "faces": 31}, "faces of event 1 is 31; wanted is a list"),
        ({"type": "show_special", "player": "Ann", "faces": [6, 6], "rule": ""}, 'the rule of event 1 is ""'),
        ({"type": "show_special", "player": "Ann", "faces": [3, 1], "rule": "x"}, "only 66 makes one"),
        ({"type": "choose", "player": "Ann"}, "event 1 has no target; add it"),
        ({"type": "choose", "player": "Ann", "target": "Dot"}, 'the target of event 1 is "Dot"'),
        ({"type": "die", "player": "Ann"}, "event 1 has no face; add it"),
        ({"type": "roll", "player": "Ann", "faces": [5, 4]}, 'the type of event 1 is "roll"; allowed are die, shake'),
    ],
)
def test_an_event_that_cannot_be_meant_is_answered_in_one_line(game: str, event: dict[str, object], line: str) -> None:
    with told_in_one_line(GameFileError, line):
        begin(setup(agreed(game))).take(event)


@both
@pytest.mark.parametrize("exposed", [[5, 4], [5], [], None])
def test_only_a_shake_leaves_a_die_beside_the_cup(game: str, exposed: object) -> None:
    playing = begin(setup(agreed(game, house_rules={"accident": "plays_on"})))
    for event in (
        {"type": "shake", "player": "Ann"},
        {"type": "exposed", "player": "Ann"},
        {"type": "announce", "player": "Ann", "value": "54"},
        {"type": "challenge", "player": "Bob"},
        {"type": "cup_lifted", "faces": [5, 4]},
        {"type": "leave", "player": "Cid"},
    ):
        if event["type"] != "shake":
            with told_in_one_line(GameFileError, "has exposed dice, but no die is left beside a cup by"):
                playing.take({**event, "exposed": exposed})
        playing = playing.take(event)


@pytest.mark.parametrize("dice", [0, 3, True, "1", None])
def test_one_die_or_two_fall_on_the_floor(dice: object) -> None:
    with told_in_one_line(GameFileError, "the dice of event 1 is"):
        begin(setup(agreed("mexican_wisconsin"))).take({"type": "die_on_floor", "player": "Ann", "dice": dice})


def test_dice_on_the_floor_and_cheats_are_wisconsins() -> None:
    for kind in ("die_on_floor", "caught_cheating"):
        with told_in_one_line(GameFileError, f'the type of event 1 is "{kind}"; allowed are die, shake'):
            begin(setup(agreed("mexican_changsha"))).take({"type": kind, "player": "Ann", "dice": 1})


KEYS = ("type", "player", "value", "faces", "exposed", "target", "pass_it_on", "dice", "rule", "face")
WORDS = ["Ann", "Bob", "54", "21", "shake", "announce", "challenge", "show_special", "cup_lifted", "choose", "exposed"]
SCALARS = st.none() | st.booleans() | st.integers(-1, 7) | st.sampled_from(WORDS) | st.floats() | st.text(max_size=3)
VALUES = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.sampled_from(WORDS), SCALARS, max_size=2)


@both
@settings(max_examples=300, deadline=None)
@given(event=st.dictionaries(st.sampled_from(KEYS), VALUES), shaken=st.booleans())
def test_whatever_stands_in_an_event_is_taken_or_answered_in_one_line(
    game: str, event: dict[str, object], shaken: bool
) -> None:
    playing = begin(setup(agreed(game)))
    if shaken:
        playing = playing.take({"type": "shake", "player": "Ann"})
    refusal = ""
    try:
        playing = playing.take(event)
    except (GameFileError, IllegalAction) as error:
        refusal = str(error)
    facts = playing.facts()

    assert refusal == "" or refusal.isprintable()
    assert json.loads(json.dumps(facts)) == facts
