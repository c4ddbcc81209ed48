"""Game files: what is read, written, replayed and compared."""

import json
from typing import Any

import pytest

from mexico.gamefile import (
    GameFile,
    GameFileError,
    IllegalAction,
    Playing,
    begin,
    differences,
    dump,
    parse,
    replay,
    setup,
)

GAME: dict[str, Any] = {
    "format": 1,
    "game": "mexico",
    "house_rules": {"tie.cap": "one"},
    "players": ["Ann", "Bob", "Cid"],
    "start": {"units": {"Ann": 5, "Bob": 4, "Cid": 5}, "pot": 1, "lead": "Ann", "unit_value": 2},
    "events": [
        {"type": "roll", "player": "Ann", "faces": [5, 2]},
        {"type": "stop", "player": "Bob", "refused": True},
        {"type": "stop", "player": "Ann"},
    ],
    "expect": [{"after_event": 2, "facts": {"turn": "Ann", "cap": None}}, {"after_event": 3, "facts": {"cap": 1}}],
}


def text(**changes: object) -> str:
    """Return GAME as text with some keys changed; ``...`` takes one out."""
    return json.dumps({key: value for key, value in {**GAME, **changes}.items() if value is not ...})


def test_a_good_file_has_no_differences() -> None:
    file = parse(text())

    assert differences(file, replay(file)) == []
    assert [(step.event, step.accepted) for step in replay(file)] == [(1, True), (2, False), (3, True)]


def test_a_refused_event_says_why_and_leaves_the_facts() -> None:
    before, refused, _ = replay(parse(text()))

    assert refused.why is not None
    assert refused.why.startswith("it is the turn of Ann, not of Bob")
    assert refused.facts == before.facts


def test_why_an_event_is_refused_names_it_by_its_place_in_the_file() -> None:
    refused = [{"type": "stop", "player": "Bob"}, {"type": "shake", "player": "Ann"}, {"type": "roll", "player": "Ann"}]
    file = parse(text(events=[{**event, "refused": True} for event in refused], expect=[]))
    whys = [step.why or "" for step in replay(file)]

    assert whys[1].startswith('the type of event 2 is "shake"')
    assert whys[2].startswith("event 3 has no faces")
    with pytest.raises(GameFileError, match=r"^event 1 has no faces"):
        begin(file.setup).take(refused[2])


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        pytest.param(
            {"expect": [{"after_event": 3, "facts": {"cap": 2}}]}, "after event 3: cap is 1, expected 2", id="a fact"
        ),
        pytest.param(
            {"expect": [{"after_event": 3, "facts": {"cap": True}}]},
            "after event 3: cap is 1, expected true",
            id="true",
        ),
        pytest.param(
            {"events": [{"type": "roll", "player": "Ann", "faces": [5, 2], "refused": True}], "expect": []},
            "event 1: accepted, but the file wants it refused",
            id="accepted",
        ),
        pytest.param(
            {"events": [{"type": "stop", "player": "Ann"}], "expect": []},
            "event 1: refused: Ann has not rolled yet",
            id="refused",
        ),
    ],
)
def test_every_difference_is_told_in_a_line(changes: dict[str, object], difference: str) -> None:
    file = parse(text(**changes))
    (line,) = differences(file, replay(file))

    assert line.startswith(difference)


def test_the_order_of_names_in_an_expected_fact_does_not_matter() -> None:
    file = parse(text(expect=[{"after_event": 1, "facts": {"units": {"Cid": 5, "Ann": 5, "Bob": 4}}}]))

    assert differences(file, replay(file)) == []


def test_what_is_dumped_is_parsed_back_equal_and_stays_as_it_is() -> None:
    file = parse(text())

    assert parse(dump(file)) == file
    assert dump(parse(dump(file))) == dump(file)


def test_a_game_being_played_is_dumped_with_its_events_as_given() -> None:
    event = {"type": "roll", "player": "Ann", "faces": [2, 5], "remark": "off the backstop"}
    game = begin(parse(text()).setup).take(event)
    file = parse(dump(game))

    assert file == GameFile(game.setup, (event,))
    assert begin(file.setup).take(file.events[0]) == game


def test_an_event_kept_cannot_be_changed_from_outside() -> None:
    event: dict[str, Any] = {"type": "roll", "player": "Ann", "faces": [2, 5]}
    game = begin(parse(text()).setup).take(event)
    event["faces"][0] = 6

    assert game.events == ({"type": "roll", "player": "Ann", "faces": [2, 5]},)


def test_start_and_house_rules_may_be_left_out_and_what_is_null_is_left_out() -> None:
    bare = setup({"game": "mexico", "players": ["Ann", "Bob"]})
    null = {"game": "mexico", "players": ["Ann", "Bob"], "house_rules": None, "start": None}
    nulls = {"units": None, "pot": None, "lead": None, "unit_value": None}

    assert begin(bare) == begin(setup(null))
    assert begin(setup({**null, "start": nulls})).facts() == begin(bare).facts()
    assert begin(bare).facts()["units"] == {"Ann": 5, "Bob": 5}
    assert setup({**null, "house_rules": {"mexico.max_multiplier": None}}).house_rules == {
        "mexico.max_multiplier": "none"
    }


def test_a_remark_in_a_file_is_read_over() -> None:
    assert parse(text(id="X-1", title="a remark", note={"by": "Ann"})) == parse(text())


def test_legal_says_who_may_do_what() -> None:
    game = begin(parse(text()).setup)
    assert (game.legal().seat, game.legal().player, game.legal().dice, game.legal().may_stop) == (0, "Ann", 2, False)

    assert game.take({"type": "roll", "player": "Ann", "faces": [5, 2]}).legal().may_stop is True
    assert begin(setup({"game": "mexico", "players": ["Ann", "Bob"]})).legal().dice == 1


def test_names_may_hold_braces() -> None:
    game = begin(setup({"game": "mexico", "players": ["{0}", "{x}"], "start": {"lead": "{x}"}}))

    with pytest.raises(IllegalAction, match=r"it is the turn of \{x\}, not of \{0\}"):
        game.take({"type": "stop", "player": "{0}"})


@pytest.mark.parametrize(
    "event",
    [
        {"type": "roll", "player": "Ann", "faces": [7, 1]},
        {"type": "roll", "player": "Dot", "faces": [6, 1]},
        {"type": "roll", "player": "Ann", "faces": [6]},
        {"type": "shout", "player": "Ann"},
        {},
    ],
)
def test_a_malformed_event_that_is_to_be_refused_is_refused(event: dict[str, object]) -> None:
    file = parse(text(events=[{**event, "refused": True}], expect=[]))

    assert differences(file, replay(file)) == []


@pytest.mark.parametrize(
    "event", [None, 7, [], "stop", {"type": "roll"}, {"type": "roll", "player": "Ann", "faces": "52"}]
)
def test_an_event_that_is_none_is_no_event_of_a_running_game_either(event: Any) -> None:
    game: Playing = begin(parse(text()).setup)

    with pytest.raises(GameFileError, match="event 1"):
        game.take(event)


@pytest.mark.parametrize("data", [None, [], "x", {}, {1: 2}])
def test_what_is_no_setup_is_refused_in_one_line(data: Any) -> None:
    with pytest.raises(GameFileError):
        setup(data)
