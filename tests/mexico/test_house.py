"""The house rules: names, values, defaults, presets, and what is said when one is wrong."""

from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import pytest

from mexico.errors import GameFileError
from mexico.house import HouseRule
from mexico.mexico_choices import MexicoRules
from mexico.mexico_house import HOUSE

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "rules.md"

NAMES = """
preset end end.rounds buy_in unit_value stakes units_per_loss pay.short max_rolls lead_roll.ties lead.if_loser_out
mexico.escalation mexico.max_multiplier mexico.nonlead_after mexico.last_player mexico.all mexico.last_counts tie.lead
tie.cap tie.mexico tie.stake auto_end_on_21 bad_roll rebuy leave turn_seconds
"""


def test_the_house_rules_are_those_of_the_specification() -> None:
    assert [rule.name for rule in HOUSE.rules] == NAMES.split()
    assert [rule.field for rule in HOUSE.rules] == [spec.name for spec in fields(MexicoRules)]


def test_a_table_that_agrees_on_nothing_has_the_defaults() -> None:
    assert HOUSE.check({}) == MexicoRules()


@pytest.mark.parametrize("rule", HOUSE.rules, ids=lambda rule: rule.name)
def test_every_value_is_taken_and_kept(rule: HouseRule) -> None:
    for value in rule.values:
        kept = getattr(HOUSE.check({rule.name: value}), rule.field)

        assert kept == (None if value == "none" and rule.least is not None else value)
        assert isinstance(kept, StrEnum) == (isinstance(value, str) and rule.least is None)
    assert rule.default in rule.values
    assert getattr(MexicoRules(), rule.field) in (rule.default, None)


@pytest.mark.parametrize("rule", HOUSE.rules, ids=lambda rule: rule.name)
@pytest.mark.parametrize("wrong", ["nonsense", "", 1.0, None, [], -1, 10**9, "True", "1"], ids=repr)
def test_a_value_that_cannot_be_is_answered_with_those_that_can(rule: HouseRule, wrong: object) -> None:
    with pytest.raises(GameFileError) as error:
        HOUSE.check({rule.name: wrong})

    line = str(error.value)
    assert rule.name in line
    assert rule.allowed in line
    assert "\n" not in line


@pytest.mark.parametrize("name", ["buy_in", "max_rolls", "units_per_loss"])
def test_true_is_not_one(name: str) -> None:
    with pytest.raises(GameFileError, match="is true; allowed are a whole number from 1"):
        HOUSE.check({name: True})


@pytest.mark.parametrize("name", ["mexico.last_counts", "auto_end_on_21"])
def test_one_is_not_true(name: str) -> None:
    with pytest.raises(GameFileError, match="is 1; allowed are true, false"):
        HOUSE.check({name: 1})


def test_an_unknown_name_is_answered_with_all_the_known_ones() -> None:
    with pytest.raises(GameFileError) as error:
        HOUSE.check({"tie.caps": "free"})

    assert all(rule.name in str(error.value) for rule in HOUSE.rules)
    assert '"tie.caps"' in str(error.value)
    assert "did you mean tie.cap?" in str(error.value)


@pytest.mark.parametrize("rule", [rule for rule in HOUSE.rules if rule.least is not None], ids=lambda rule: rule.name)
def test_a_number_may_be_any_from_the_least_to_the_most(rule: HouseRule) -> None:
    assert (rule.allows(rule.least), rule.allows(rule.most)) == (True, True)
    assert (rule.allows((rule.least or 0) - 1), rule.allows((rule.most or 0) + 1)) == (False, False)


def test_a_value_that_is_nearly_right_is_guessed() -> None:
    with pytest.raises(GameFileError, match=r"did you mean double_each\?"):
        HOUSE.check({"mexico.escalation": "doubel_each"})


def test_one_life_is_one_unit_each_and_no_doubling() -> None:
    rules = HOUSE.check({"preset": "one_life"})

    assert (rules.buy_in, rules.units_per_loss, rules.escalation) == (1, 1, "off")


def test_a_rule_named_as_well_wins_over_its_preset() -> None:
    assert HOUSE.check({"preset": "one_life", "buy_in": 2}).buy_in == 2
    assert HOUSE.check({"buy_in": 2, "preset": "one_life"}).buy_in == 2


@pytest.mark.parametrize("preset", HOUSE.presets)
def test_a_preset_is_made_of_rules_a_table_could_agree_on(preset: str) -> None:
    assert HOUSE.check({"preset": preset}) == HOUSE.check({**HOUSE.presets[preset], "preset": preset})


@pytest.mark.parametrize("rule", HOUSE.rules, ids=lambda rule: rule.name)
def test_the_manual_has_every_rule_with_its_tag_values_default_and_source(rule: HouseRule) -> None:
    lines = MANUAL.read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines if line.startswith("| A") and f" | `{rule.name}` |" in line]
    assert len(rows) == 1
    _, tag, _, values, source, _ = (cell.strip() for cell in rows[0])
    words = [str(value).lower() for value in rule.values if rule.least is None or isinstance(value, str)]

    assert (tag, source) == (rule.tag, rule.source)
    assert all(f"`{word}`" in values for word in words)
    assert f"**`{str(rule.default).lower()}`" in values or f"**{rule.default}**" in values
    assert rule.least is None or f"{rule.least} to {rule.most}" in values
