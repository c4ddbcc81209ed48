"""The house rules of the two games of called hands, and files about them that nobody would write."""

import json
from copy import deepcopy
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mexico.catalogue import GAMES
from mexico.errors import GameFileError
from mexico.gamefile import differences, dump, parse, replay
from mexico.house import HouseRule
from tests.saying import told_in_one_line

BLUFF = "accident announce end.rounds mark_value turn_seconds"
NAMES = {
    "liars_individual": f"mode drinks faces individual.auto_call individual.judged {BLUFF}",
    "liars_stanford": f"stanford.players stanford.order drinks {BLUFF}",
}
RULES = [pytest.param(name, rule, id=f"{name} {rule.name}") for name in NAMES for rule in GAMES[name].house.rules]


@pytest.mark.parametrize("name", NAMES)
def test_the_house_rules_are_those_of_the_specification(name: str) -> None:
    house = GAMES[name].house

    assert [rule.name for rule in house.rules] == NAMES[name].split()
    assert house.check({}) == house.defaults


def test_what_counts_when_nobody_says_anything() -> None:
    defaults = {rule.name: rule.default for name in NAMES for rule in GAMES[name].house.rules}

    assert defaults == {
        "mode": "round_wager",
        "drinks": 1,
        "faces": "six_high",
        "individual.auto_call": "at_third",
        "individual.judged": "standing_call",
        "stanford.players": "2..8",
        "stanford.order": "by_table",
        "accident": "reshake",
        "announce": "entered",
        "end.rounds": "none",
        "mark_value": 0,
        "turn_seconds": 0,
    }


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_every_value_is_taken_and_kept(name: str, rule: HouseRule) -> None:
    for value in rule.values:
        kept = getattr(GAMES[name].house.check({rule.name: value}), rule.field)

        assert kept == (None if rule.least is not None and isinstance(value, str) else value)
        assert isinstance(kept, StrEnum) == (isinstance(value, str) and rule.least is None)


@pytest.mark.parametrize(("name", "rule"), RULES)
@pytest.mark.parametrize("wrong", ["nonsense", "", 1.0, None, [], -1, 10**9, "True", "1"], ids=repr)
def test_a_value_that_cannot_be_is_answered_with_those_that_can(name: str, rule: HouseRule, wrong: object) -> None:
    with pytest.raises(GameFileError) as error:
        GAMES[name].house.check({rule.name: wrong})

    assert rule.name in str(error.value)
    assert rule.allowed in str(error.value)


# --- files ---

GAME: dict[str, dict[str, Any]] = {
    "liars_individual": {
        "format": 1,
        "game": "liars_individual",
        "house_rules": {"individual.auto_call": "third_may_call", "end.rounds": 4},
        "players": ["A", "B"],
        "start": {"first_caller": None, "wager": 3},
        "events": [
            {"type": "die", "player": "A", "face": 3},
            {"type": "die", "player": "B", "face": 2},
            {"type": "call", "player": "A", "hand": ["full_house", 1, 6]},
            {"type": "reroll", "player": "B", "dice": 2},
            {"type": "call", "player": "B", "hand": ["four", 1]},
            {"type": "challenge", "player": "A"},
            {"type": "concede", "player": "A", "refused": True},
            {"type": "reveal", "player": "B", "faces": [1, 1, 1, 1, 5]},
            {"type": "exposed", "player": "B"},
            {"type": "close", "player": "B"},
        ],
        "expect": [{"after_event": 8, "facts": {"loser": "A", "payments": {"A": -3, "B": 3}}}],
    },
    "liars_stanford": {
        "format": 1,
        "game": "liars_stanford",
        "house_rules": {"stanford.order": "by_rarity", "drinks": 2, "stanford.players": 3},
        "players": ["A", "B", "C"],
        "start": {"opener": "A"},
        "events": [
            {"type": "roll_outside", "player": "A", "faces": [6, 1], "dice": 2},
            {"type": "call", "player": "A", "hand": ["three", 6]},
            {"type": "reroll", "player": "B", "dice": 3},
            {"type": "put_back", "player": "B", "faces": [1]},
            {"type": "show", "player": "B", "faces": [6, 6]},
            {"type": "call", "player": "B", "hand": ["four", 6]},
            {"type": "challenge", "player": "C"},
            {"type": "reveal", "player": "B", "faces": [6, 6, 6, 5, 3, 2]},
            {"type": "leave", "player": "C"},
        ],
        "expect": [{"after_event": 8, "facts": {"loser": "B", "drinks": {"B": 2}}}],
    },
}
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.sampled_from([10**40, 1.0, 1e300, "A", "pair", "four", "reveal", "die", "call", "show", "put_back", "2..8"])
    | st.text(max_size=4)
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=7), max_leaves=12)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the ways to every value inside *value*, but the whole."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way for key, part in inside for way in [(*at, key), *places(part, (*at, key))]]


def read(text: str) -> bool:
    """Whether *text* is a game file; one that is not must say why in a line, one that is must be replayed."""
    try:
        file, wrong = parse(text), ""
    except GameFileError as error:
        file, wrong = None, str(error)
    if file is None:
        assert wrong.isprintable()
        return False
    assert all(line.isprintable() for line in differences(file, list(replay(file))))
    assert parse(dump(file)) == file
    return True


@pytest.mark.parametrize("name", NAMES)
def test_the_game_itself_comes_out_as_it_says(name: str) -> None:
    file = parse(json.dumps(GAME[name]))

    assert differences(file, replay(file)) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_file_with_one_value_replaced(name: str, data: st.DataObject) -> None:
    game = deepcopy(GAME[name])
    place = data.draw(st.sampled_from(places(game)))
    holder: Any = game
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = data.draw(VALUES)

    read(json.dumps(game))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_with_one_value_missing(name: str) -> None:
    readable = []
    for place in places(GAME[name]):
        game = deepcopy(GAME[name])
        holder: Any = game
        for key in place[:-1]:
            holder = holder[key]
        del holder[place[-1]]
        readable.append(read(json.dumps(game)))

    assert 0 < sum(readable) < len(readable)


def event(name: str, **fields: object) -> str:
    """Return a game whose only event has *fields*."""
    return json.dumps({**GAME[name], "expect": [], "events": [fields]})


ONE, SIX = "liars_individual", "liars_stanford"
WRONG = [
    (event(ONE, type="call", player="A"), "event 1 has no hand; add it"),
    (event(ONE, type="call", player="A", hand="pair"), 'the hand of event 1 is "pair"; wanted is a list'),
    (event(ONE, type="call", player="A", hand=[]), 'the hand of event 1 is []; wanted is a hand such as ["full_house"'),
    (event(ONE, type="call", player="A", hand=["par", 6]), "(did you mean pair?)"),
    (event(ONE, type="call", player="A", hand=["pair", 7]), "a face of the hand of event 1 is 7; wanted is a whole"),
    (event(ONE, type="call", player="A", hand=["pair"]), 'pair is called with one face, such as ["pair", 1]'),
    (event(ONE, type="call", player="A", hand=["full_house", 6]), 'two different faces, such as ["full_house", 1, 6]'),
    (event(ONE, type="call", player="A", hand=["runt", 1]), 'runt is called with no face, such as ["runt"]'),
    (event(ONE, type="roll_outside", player="A", faces=[6]), 'the type of event 1 is "roll_outside"; allowed are die,'),
    (event(ONE, type="shake", player="A"), 'the type of event 1 is "shake"; allowed are die, call'),
    (event(ONE, type="reveal", player="A"), "event 1 has no faces; add it"),
    (event(ONE, type="reveal", player="A", faces=[1] * 6), "event 1 shows 6 dice; wanted are 5 faces"),
    (
        event(ONE, type="challenge", player="A", faces=[1] * 5),
        'event 1 has faces, but no dice are shown by "challenge"',
    ),
    (event(SIX, type="call", player="A", hand=["three", 6, 6]), "three is 3, 1, 1, 1 equal dice: name their faces"),
    (event(SIX, type="call", player="A", hand=["two_pair", 6]), "(did you mean two_pairs?)"),
    (event(SIX, type="roll_outside", player="A", faces=[]), "event 1 shows 0 dice; wanted are 1 to 6 faces"),
    (event(SIX, type="roll_outside", player="A", faces=[6], dice=0), "the dice of event 1 is 0; wanted is a whole"),
    (event(SIX, type="put_back", player="A", faces=6), "faces of event 1 is 6; wanted is a list"),
    (event(SIX, type="reroll", player="A", dice=7), "the dice of event 1 is 7; wanted is a whole number from 0 to 6"),
]


@pytest.mark.parametrize(("written", "line"), WRONG, ids=[line for _, line in WRONG])
def test_an_event_that_cannot_be_meant_is_answered_in_one_clear_line(written: str, line: str) -> None:
    with told_in_one_line(GameFileError, line):
        parse(written)
