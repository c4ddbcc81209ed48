"""The manual: every paragraph a refusal names can be found there."""

import re
from pathlib import Path

from mexico import game, mexico, mexico_leave
from mexico.game import Refusal
from mexico.mexico_house import HOUSE

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
REFUSALS = [
    thing for module in (game, mexico, mexico_leave) for thing in vars(module).values() if type(thing) is Refusal
]


def paragraphs(text: str) -> set[str]:
    """Return ``5``, ``5.3``, ``A21`` ...: the sections, their numbered items, the tags."""
    found, section = set(re.findall(r"\bA\d+\b", text)), ""
    for line in text.splitlines():
        if heading := re.match(r"## (\d+)\.", line):
            section = heading[1]
            found.add(section)
        elif item := re.match(r"(\d)\. ", line):
            found.add(f"{section}.{item[1]}")
    return found


def test_every_refusal_names_paragraphs_and_house_rules_that_exist() -> None:
    known = paragraphs(MANUAL.read_text(encoding="utf-8")) | {rule.name for rule in HOUSE.rules}
    named = [word for refusal in REFUSALS for word in re.split(r"[ ,/]+", refusal.rule.removeprefix("MEXICO "))]

    assert len(REFUSALS) >= 12
    assert [word for word in named if word not in known] == []


def test_every_refusal_says_which_documents_it_rests_on() -> None:
    for refusal in REFUSALS:
        assert re.fullmatch(r"00\d(, 00\d)*|the documents are silent", refusal.source)


def test_every_open_point_is_in_the_manual() -> None:
    assert {f"A{n}" for n in range(1, 22)} <= paragraphs(MANUAL.read_text(encoding="utf-8"))
