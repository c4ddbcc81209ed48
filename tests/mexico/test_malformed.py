"""Files that cannot be meant: each is answered in one clear line, and never with another error."""

import json
from typing import Any

import pytest

from mexico.catalogue import GAMES
from mexico.gamefile import GameFileError, parse
from tests.saying import told_in_one_line

GAME: dict[str, Any] = {
    "format": 1,
    "game": "mexico",
    "players": ["Ann", "Bob", "Cid"],
    "start": {"lead": "Ann"},
    "events": [{"type": "roll", "player": "Ann", "faces": [5, 2]}, {"type": "stop", "player": "Ann"}],
}


def text(**changes: object) -> str:
    """Return GAME as text with some keys changed; ``...`` takes one out."""
    return json.dumps({key: value for key, value in {**GAME, **changes}.items() if value is not ...})


def units(**held: object) -> str:
    """Return GAME as text with these units at the start."""
    return text(start={"units": held})


def roll(faces: object) -> dict[str, object]:
    """Return a roll by Ann."""
    return {"type": "roll", "player": "Ann", "faces": faces}


def expect(after: object, **facts: object) -> str:
    """Return GAME as text with one expectation."""
    return text(expect=[{"after_event": after, "facts": facts}])


MALFORMED = [
    ("", "the game file is empty"),
    (" \n ", "the game file is empty"),
    ("{", "no JSON in line 1, column 2"),
    ("[1, 2]", "a game file is [1, 2]; wanted is an object"),
    ("7", "a game file is 7; wanted is an object"),
    ('{"format": NaN}', "NaN is no number of a game file"),
    ('{"format": 1, "note": 1e999}', "1e999 is no number of a game file; wanted are whole numbers"),
    ('{"format": 1, "note": -1e999}', "-1e999 is no number of a game file"),
    ('{"format": 1, "note": ' + "1" * 400 + ".0}", f"{'1' * 60}... is no number of a game file"),
    ('{"game": 1, "game": 2}', '"game" stands twice'),
    ("[" * 100_000, "nested too deeply"),
    ('{"a": ' + "[" * 100 + "]" * 100 + "}", "nested too deeply"),
    ('{"format": 1' + "0" * 5000 + "}", "no JSON"),
    (text(format=...), "the game file has no format; add it"),
    (text(format=2), "format is 2; this program reads format 1"),
    (text(format=True), "format is true; this program reads format 1"),
    (text(format="1"), 'format is "1"'),
    (text(game=...), "the game file has no game; add it"),
    (text(game="mexic"), f'game is "mexic"; allowed are {", ".join(GAMES)} (did you mean mexico?)'),
    (text(game=["mexico"]), f'game is ["mexico"]; allowed are {", ".join(GAMES)}'),
    (text(players=...), "the game file has no players; add it"),
    (text(players=["Ann"]), "players has 1 names; a game has 2 to 8 players"),
    (text(players=[f"P{n}" for n in range(9)]), "players has 9 names"),
    (text(players=["Ann", "Bob", "Ann"]), 'players has "Ann" twice'),
    (text(players="AB"), 'players is "AB"; wanted is a list'),
    (text(players=["Ann", 2]), "a player's name is 2; wanted is one line of text"),
    (text(players=["Ann", " "]), "a player's name is"),
    (text(players=["Ann", "B\nob"]), "a player's name is"),
    (text(players=["Ann", "\ud800"]), "a player's name is"),
    (text(players=["Ann", "B" * 41]), "at most 40 characters"),
    (text(house_rules={"tie.kap": "one"}), 'unknown house rule "tie.kap"; known are preset,'),
    (text(house_rules={"max_rolls": 6}), "house rule max_rolls is 6; allowed are a whole"),
    (text(house_rules={"max_rolls": 3.0}), 'house rule "max_rolls" is 3.0'),
    (text(house_rules={"buy_in": True}), "house rule buy_in is true"),
    (text(house_rules=["tie.cap"]), "house_rules is"),
    (text(start=[]), "start is []; wanted is an object"),
    (units(Ann=5, Bob=5), "start.units has no Cid; add it"),
    (units(Ann=-1, Bob=5, Cid=5), "start.units of Ann is -1"),
    (units(Ann=True, Bob=5, Cid=5), "start.units of Ann is true"),
    (units(Ann=5.0, Bob=5, Cid=5), "start.units of Ann is 5.0"),
    (units(Ann=0, Bob=5, Cid=0), "at least two players must hold"),
    (units(Ann=5, Bob=5, Cid=5, Dot=5), 'is "Dot"; the players'),
    (text(start={"units": [5, 5, 5]}), "start.units is [5, 5, 5]; wanted is an object"),
    (text(start={"lead": "Dot"}), 'start.lead is "Dot"; the players are Ann, Bob, Cid'),
    (text(start={"lead": 0}), "start.lead is 0; the players are"),
    (text(start={"units": {"Ann": 5, "Bob": 5, "Cid": 0}, "lead": "Cid"}), "holds no unit"),
    (text(start={"pot": -1}), "start.pot is -1; wanted is a whole number from 0"),
    (text(start={"unit_value": "5"}), 'start.unit_value is "5"'),
    (text(start={"unit": {}}), '"unit"; known are units, pot, lead, unit_value (did you mean'),
    (text(start={"pot": 1}, house_rules={"stakes": "tokens"}), "there is no pot"),
    (text(events={}), "events is {}; wanted is a list"),
    (text(events=..., expect=[{"after_event": 2, "facts": {}}]), "after_event is 2; the file has the events 1 to 0"),
    (text(events=["stop"]), 'event 1 is "stop"; wanted is an object'),
    (text(events=[{"player": "Ann"}]), "event 1 has no type; add it"),
    (
        text(events=[{"type": "rol", "player": "Ann"}]),
        'the type of event 1 is "rol"; allowed are die, roll, stop, bad_roll, leave, rebuy (did you mean roll?)',
    ),
    (text(events=[{"type": "stop"}]), "event 1 has no player; add it"),
    (text(events=[{"type": "stop", "player": "Dot"}]), 'the player of event 1 is "Dot"; the players'),
    (
        text(events=[{"type": "die", "player": "Ann", "face": 7}]),
        "the face of event 1 is 7; wanted is a whole number from 1 to 6",
    ),
    (text(events=[roll([0, 1])]), "a face of event 1 is 0"),
    (text(events=[roll([True, 1])]), "a face of event 1 is true"),
    (text(events=[roll([5])]), "event 1 shows 1 dice"),
    (text(events=[roll([5, 5, 5])]), "event 1 shows 3 dice"),
    (text(events=[roll(52)]), "faces of event 1 is 52; wanted"),
    (text(events=[{"type": "roll", "player": "Ann", "face": 5}]), "no faces; add it (or is it face?)"),
    (text(events=[{"type": "bad_roll", "player": "Ann"}]), "event 1 has no why; add it"),
    (text(events=[{"type": "bad_roll", "player": "Ann", "why": 1}]), "the why of event 1 is 1"),
    (text(events=[{"type": "stop", "player": "Ann", "refused": "yes"}]), 'refused of event 1 is "yes"'),
    (expect(4), "after_event is 4; the file has the events 1 to 2"),
    (expect(0), "after_event is 0"),
    (expect(True), "after_event is true"),
    (text(expect=[{"facts": {}}]), "an entry of expect has no after_event; add it"),
    (text(expect=[{"after_event": 1}]), "an entry of expect has no facts; add it"),
    (text(expect=[{"after_event": 1, "facts": []}]), "facts of expect is []"),
    (expect(1, stakes=1), 'unknown fact "stakes" (did you mean stake?)'),
    (text(expect=7), "expect is 7; wanted is a list"),
    (text(start=..., strat={}), 'an unknown "strat" (did you mean start?)'),
]


@pytest.mark.parametrize(("written", "line"), MALFORMED, ids=[line for _, line in MALFORMED])
def test_a_file_that_cannot_be_meant_is_answered_in_one_clear_line(written: str, line: str) -> None:
    with told_in_one_line(GameFileError, line):
        parse(written)
