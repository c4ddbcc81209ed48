"""The pages of the two games of called hands: every rule, every value, every paragraph a refusal names."""

import re
from pathlib import Path
from textwrap import wrap

import pytest

from mexico import hand_table, liars_individual, liars_stanford
from mexico.catalogue import GAMES
from mexico.game import Refusal
from mexico.house import HouseRule

DOCS = Path(__file__).resolve().parents[2] / "docs"
NAMES = ("liars_individual", "liars_stanford")
RULES = [pytest.param(name, rule, id=f"{name} {rule.name}") for name in NAMES for rule in GAMES[name].house.rules]
REFUSALS = sorted(
    {
        thing
        for module in (hand_table, liars_individual, liars_stanford)
        for thing in vars(module).values()
        if type(thing) is Refusal
    },
    key=lambda refusal: refusal.why,
)


def page(name: str) -> str:
    """Return the page of the game called *name*."""
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_the_page_has_every_rule_with_its_tag_values_default_and_source(name: str, rule: HouseRule) -> None:
    rows = [line.split("|") for line in page(name).splitlines() if f"| `{rule.name}` |" in line]
    assert len(rows) == 1
    _, tag, _, values, source, _ = (cell.strip() for cell in rows[0])
    words = [str(value).lower() for value in rule.values if rule.least is None or isinstance(value, str)]

    assert (tag, source) == (rule.tag, rule.source)
    assert all(f"`{word}`" in values for word in words)
    assert f"**`{str(rule.default).lower()}`**" in values or f"**{rule.default}**" in values
    assert rule.least is None or f"{rule.least} to {rule.most}" in values


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_no_rule_that_is_none(name: str) -> None:
    named = re.findall(r"^\| [\dA.]+ \| `([^`]+)` \|", page(name), flags=re.MULTILINE)

    assert named == [rule.name for rule in GAMES[name].house.rules]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.why)
def test_a_refusal_names_a_section_of_both_pages_and_its_source(refusal: Refusal) -> None:
    named = re.fullmatch(r"HANDS (\d)(?: / (\S+))?|MEXICO \S+(?: / \S+)?", refusal.rule)
    assert named is not None
    section, rule = named.groups()

    if section is not None:
        assert all(f"\n## {section}. " in page(name) for name in NAMES)
        assert rule is None or all(f"`{rule}`" in page(name) for name in NAMES)
    assert re.fullmatch(r"00\d(, 00\d)*|the documents are silent", refusal.source)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.why)
def test_a_refusal_has_room_on_the_display_with_a_name_of_eight_letters(refusal: Refusal) -> None:
    assert len(wrap(refusal.why.format(player="Benjamin", other="Clarissa"), 21)) <= 3


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_what_a_rule_explains_has_room_on_two_lines(name: str, rule: HouseRule) -> None:
    assert len(wrap(rule.explains, 21)) <= 2
    assert len(rule.name) <= 21
    assert all(len(str(value)) <= 19 for value in rule.values)
