"""Boundaries of the other games, as game files: what the text of the rules says of the last value before a refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from mexico import gamefile

Line = tuple[str, str, dict[str, object]]

SHAKE: Line = ("A", "shake", {})


def say(player: str, value: str, **more: object) -> Line:
    return player, "announce", {"value": value, **more}


def bid(player: str, quantity: int, face: int, **more: object) -> Line:
    return player, "bid", {"quantity": quantity, "face": face, **more}


def show(player: str, *faces: int, **more: object) -> Line:
    return player, "reveal", {"faces": list(faces), **more}


OPENS: dict[str, object] = {"opener": "A"}
HANDS = (show("A", 5, 3, 3, 2, 1), show("B", 6, 6, 4, 4, 3), show("C", 6, 5, 5, 2, 1))


def played(
    game: str, rules: Mapping[str, object], players: str, events: tuple[Line, ...], facts: Mapping[str, object]
) -> str:
    start = {"first_caller": "A"} if game == "liars_individual" else OPENS
    lines: list[dict[str, object]] = [{"type": kind, "player": player, **more} for player, kind, more in events]
    expect: list[dict[str, object]] = [{"after_event": len(lines), "facts": facts}]
    file: dict[str, object] = {
        "format": 1,
        "game": game,
        "house_rules": rules,
        "players": list(players),
        "start": start,
    }
    parsed = gamefile.parse(json.dumps({**file, "events": lines, "expect": expect}))
    return "\n".join(gamefile.differences(parsed, gamefile.replay(parsed)))


@pytest.mark.parametrize(
    ("bidding", "old", "least", "not_yet"),
    [
        pytest.param(1, (3, 2), (1, 3), (15, 1), id="1: any quantity of a higher face"),
        pytest.param(2, (4, 5), (5, 4), (4, 4), id="2: five fours over four fives"),
        pytest.param(3, (5, 3), (1, 6), (5, 5), id="3: five threes want a six"),
        pytest.param(3, (4, 5), (6, 2), (5, 4), id="3: five fours do not follow four fives"),
        pytest.param(4, (3, 3), (2, 5), (4, 2), id="4: the product counts"),
        pytest.param(5, (6, 5), (6, 6), (7, 4), id="5: neither is lowered"),
    ],
)
def test_a_raise_and_what_is_none(
    bidding: int, old: tuple[int, int], least: tuple[int, int], not_yet: tuple[int, int]
) -> None:
    events = (bid("A", *old), bid("B", *not_yet, refused=True), bid("B", *least))
    rules = {"bidding": bidding, "wild_aces": False}

    assert played("liars_common", rules, "ABC", events, {"bid": list(least), "turn": "C"}) == ""


@pytest.mark.parametrize(
    ("rules", "events", "facts"),
    [
        pytest.param(
            {},
            (bid("A", 16, 6, refused=True), bid("A", 15, 6), bid("B", 15, 6, refused=True)),
            {"turn": "B"},
            id="highest",
        ),
        pytest.param(
            {"challenge": "anyone"},
            (bid("A", 5, 6), ("A", "challenge", {"refused": True}), ("C", "challenge", {}), *HANDS),
            {"loser": "C", "dice_left": {"A": 5, "B": 5, "C": 3}},
            id="out of turn and wrong: double",
        ),
        pytest.param(
            {"spot_on": True, "mode": "drinks"},
            (bid("A", 5, 6), ("B", "spot_on", {}), *HANDS),
            {"count": 5, "drinks": {"A": 1, "C": 1}},
            id="spot on: every other player",
        ),
        pytest.param(
            {"mode": "drinks", "drinks": "difference"},
            (bid("A", 8, 6), ("B", "challenge", {}), *HANDS),
            {"drinks": {"A": 3}},
            id="drinks by the difference",
        ),
        pytest.param(
            {},
            (
                bid("A", 6, 6),
                show("A", 5, 3, 3, 2, 1, refused=True),
                ("B", "challenge", {}),
                show("A", 5, 3, 3, 2, refused=True),
            ),
            {"waiting_for": "reveal of A", "revealed": []},
            id="no reveal before a call, and a recount",
        ),
    ],
)
def test_a_hand_of_liars_dice(rules: dict[str, object], events: tuple[Line, ...], facts: dict[str, object]) -> None:
    assert played("liars_common", rules, "ABC", events, facts) == ""


@pytest.mark.parametrize(
    ("game", "events"),
    [
        pytest.param("mexican_changsha", (("A", "shake", {"faces": [5, 4], "refused": True}), SHAKE), id="changsha"),
        pytest.param("mexican_wisconsin", (SHAKE, say("A", "54", faces=[5, 4], refused=True)), id="wisconsin"),
        pytest.param("liars_common", (bid("A", 2, 5, faces=[5, 5, 3, 2, 1], refused=True),), id="common hand"),
    ],
)
def test_hidden_faces_stand_in_no_event(game: str, events: tuple[Line, ...]) -> None:
    assert played(game, {}, "ABC", events, {"turn": "A"}) == ""


@pytest.mark.parametrize(
    ("game", "paragraph"),
    [("liars_common", "LIARS 3"), ("liars_individual", "HANDS 3"), ("liars_stanford", "HANDS 3")],
)
def test_another_seats_turn_is_refused_by_the_rules_of_the_game_in_play(game: str, paragraph: str) -> None:
    start = {"first_caller" if game == "liars_individual" else "opener": "A"}
    playing = gamefile.begin(gamefile.setup({"game": game, "players": ["A", "B"], "start": start}))
    call = {"type": "call", "player": "B", "hand": ["pair", 2]}
    event = {"type": "bid", "player": "B", "quantity": 1, "face": 2} if game == "liars_common" else call

    with pytest.raises(gamefile.IllegalAction, match="it is the turn of A") as refused:
        playing.take(event)
    assert refused.value.rule == paragraph
