"""Common hand in files and in the manual: its house rules, what cannot be meant, what its refusals name."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mexico import liars_common
from mexico.errors import GameFileError
from mexico.game import Refusal
from mexico.gamefile import parse
from mexico.house import HouseRule
from mexico.liars_common_house import HOUSE, CommonRules
from mexico.liars_common_json import EVENTS
from tests.saying import told_in_one_line

MANUAL = (Path(__file__).resolve().parents[2] / "docs" / "liars_common.md").read_text(encoding="utf-8")
REFUSALS = [thing for thing in vars(liars_common).values() if type(thing) is Refusal and thing.rule != "MEXICO 8"]
REFUSALS += liars_common.TOO_LOW.values()

NAMES = """
mode dice_each bidding wild_aces aces_biddable challenge spot_on drinks drinks.per_die drinks.when_out
drinks.while_out reveal accident announce end.rounds mark_value turn_seconds
"""


# --- house rules ---


def test_the_house_rules_are_those_of_the_specification_and_three_of_the_drinking_game() -> None:
    assert [rule.name for rule in HOUSE.rules] == NAMES.split()


def test_a_table_that_agrees_on_nothing_has_the_defaults() -> None:
    assert HOUSE.check({}) == CommonRules()


@pytest.mark.parametrize("rule", HOUSE.rules, ids=lambda rule: rule.name)
def test_every_value_is_taken_and_kept(rule: HouseRule) -> None:
    for value in rule.values:
        kept = getattr(HOUSE.check({rule.name: value}), rule.field)

        assert kept == (None if value in ("none", "difference") else value)


@pytest.mark.parametrize("rule", HOUSE.rules, ids=lambda rule: rule.name)
@pytest.mark.parametrize("wrong", ["nonsense", "", 1.0, None, [], -1, 10**9, "1"], ids=repr)
def test_a_value_that_cannot_be_is_answered_with_those_that_can(rule: HouseRule, wrong: object) -> None:
    with told_in_one_line(GameFileError, f"allowed are {rule.allowed}", f"house rule {rule.name} is "):
        HOUSE.check({rule.name: wrong})


def test_drinks_are_a_number_or_the_difference() -> None:
    assert [HOUSE.check({"drinks": drinks}).drinks for drinks in (1, 2, 99, "difference")] == [1, 2, 99, None]
    with told_in_one_line(GameFileError, "allowed are difference, or a whole number from 1 to 99"):
        HOUSE.check({"drinks": "none"})


# --- the manual ---


@pytest.mark.parametrize("rule", HOUSE.rules, ids=lambda rule: rule.name)
def test_the_manual_has_every_rule_with_its_section_values_default_and_source(rule: HouseRule) -> None:
    rows = [line.split("|") for line in MANUAL.splitlines() if re.match(rf"\| [\w.]+ \| `{rule.name}` \|", line)]
    assert len(rows) == 1
    _, tag, _, values, source, _ = (cell.strip() for cell in rows[0])
    words = [str(value).lower() for value in rule.values if rule.least is None or isinstance(value, str)]

    assert (tag, source) == (rule.tag, rule.source)
    assert all(f"`{word}`" in values for word in words)
    assert f"**`{str(rule.default).lower()}`" in values or f"**{rule.default}**" in values
    assert rule.least is None or f"{rule.least} to {rule.most}" in values


def test_every_refusal_names_sections_and_house_rules_that_exist() -> None:
    known = set(re.findall(r"^## (\d+)\.", MANUAL, re.MULTILINE)) | {rule.name for rule in HOUSE.rules}
    named = [word for refusal in REFUSALS for word in re.split(r"[ ,/]+", refusal.rule.removeprefix("LIARS "))]

    assert len(REFUSALS) == 23
    assert [word for word in named if word not in known] == []
    assert {refusal.source for refusal in REFUSALS} == {"004", "the documents are silent"}


def test_every_event_is_in_the_manual() -> None:
    assert [event for event in EVENTS if f'{{"type": "{event}", "player": P' not in MANUAL] == []


# --- files that cannot be meant ---

GAME: dict[str, Any] = {"format": 1, "game": "liars_common", "players": ["Ann", "Bob"], "start": {"opener": "Ann"}}


def text(**changes: object) -> str:
    """Return GAME as text with some keys changed."""
    return json.dumps({**GAME, **changes})


def event(kind: str, **fields: object) -> str:
    """Return GAME as text with one event by Ann; ``...`` takes a field out."""
    whole = {"type": kind, "player": "Ann", **fields}
    return text(events=[{key: value for key, value in whole.items() if value is not ...}])


MALFORMED = [
    (text(start={"opener": "Cid"}), 'start.opener is "Cid"; the players are Ann, Bob'),
    (text(start={"opener": 0}), "start.opener is 0; the players are"),
    (text(start={"lead": "Ann"}), 'start has an unknown "lead"; known are opener, wager'),
    (text(start={"wagers": 1}), "(did you mean wager?)"),
    (text(start={"wager": -1}), "start.wager is -1; wanted is a whole number from 0"),
    (text(start={"wager": True}), "start.wager is true; wanted"),
    (text(start={"wager": 1.5}), "start.wager is 1.5; wanted"),
    (text(start={"wager": "1"}), 'start.wager is "1"; wanted'),
    (text(house_rules={"tie.cap": "one"}), 'unknown house rule "tie.cap"; known are mode,'),
    (text(house_rules={"bidding": 6}), "house rule bidding is 6; allowed are a whole number from 1 to 5"),
    (text(house_rules={"bidding": True}), "house rule bidding is true; allowed"),
    (text(house_rules={"wild_aces": 1}), "house rule wild_aces is 1; allowed are true, false"),
    (text(house_rules={"drinks": "differences"}), "(did you mean difference?)"),
    (event("roll", faces=[1, 2]), 'the type of event 1 is "roll"; allowed are die, bid, challenge, spot_on,'),
    (event("bid", quantity=1, face=2, player=...), "event 1 has no player; add it"),
    (event("bid", quantity=1, face=2, player="Cid"), 'the player of event 1 is "Cid"; the players are'),
    (event("bid", face=2), "event 1 has no quantity; add it"),
    (event("bid", quantity=2), "event 1 has no face; add it"),
    (event("bid", quantity=0, face=2), "the quantity of event 1 is 0; wanted is a whole number from 1"),
    (event("bid", quantity="2", face=2), 'the quantity of event 1 is "2"; wanted'),
    (event("bid", quantity=True, face=2), "the quantity of event 1 is true; wanted"),
    (event("bid", quantity=2, face=7), "the face of event 1 is 7; wanted is a whole number from 1 to 6"),
    (event("die", face=0), "the face of event 1 is 0; wanted"),
    (event("die"), "event 1 has no face; add it"),
    (event("reveal"), "event 1 has no faces; add it"),
    (event("reveal", faces=53321), "faces of event 1 is 53321; wanted is a list"),
    (event("reveal", faces=[7]), "a face of event 1 is 7; wanted"),
    (event("reveal", faces=[2.0]), "a face of event 1 is 2.0; wanted"),
    (event("concede", to="Cid"), 'the to of event 1 is "Cid"; the players are'),
]


@pytest.mark.parametrize(("written", "line"), MALFORMED, ids=[line for _, line in MALFORMED])
def test_a_file_that_cannot_be_meant_is_answered_in_one_clear_line(written: str, line: str) -> None:
    with told_in_one_line(GameFileError, line):
        parse(written)


def test_null_is_nothing_given() -> None:
    for start in (None, {}, {"opener": None, "wager": None}):
        assert parse(text(start=start)).setup.players == ("Ann", "Bob")
