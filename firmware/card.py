"""The card of house rules as it is walked with the knob, and its printed form: ``python -m firmware.card``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mexico.house import PRESETS, RULES, HouseRule, Value

LINE: Final = 21
PAPER: Final = Path(__file__).parents[1] / "docs" / "card.md"


@dataclass(frozen=True, slots=True)
class Card:
    """One rule as it is shown.

    Attributes
    ----------
    name, value
        Of the rule.
    place
        Which rule it is, from 1.
    number
        Which of its values that is, from 1; 0 for one that the card does not offer.
    explains
        What the rule is about, in lines of a small display.
    """

    name: str
    value: str
    place: int
    number: int
    explains: tuple[str, ...]

    @property
    def four(self) -> str:
        """Rule and value by number, as the printed card has them."""
        return f"{self.place:02d}{self.number:02d}"


def card(place: int, value: Value) -> Card:
    """Return the card of the rule at *place*, from 0, with *value*."""
    rule = RULES[place]
    number = rule.values.index(value) + 1 if value in rule.values else 0
    return Card(rule.name, said(value), place + 1, number, tuple(textwrap.wrap(rule.explains, LINE)))


def said(value: Value) -> str:
    """Return *value* as a person reads it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def paper() -> Iterator[str]:
    """Yield the lines of the printed card."""
    yield "# The card of house rules"
    yield ""
    yield "To hang beside the table: the four-digit display shows a rule and its value by number, `1203` for the"
    yield "third value of rule 12. The bold value counts if nobody chooses. A whole number that is not listed goes into"
    yield "the settings file."
    yield ""
    yield "| no. | rule | what it is about | values |"
    yield "|---|---|---|---|"
    for place, rule in enumerate(RULES, 1):
        yield f"| {place} | `{rule.name}` | {rule.explains} | {_values(rule)} |"
    yield ""
    yield "Presets: " + "; ".join(
        f"`{name}` is " + ", ".join(f"`{rule}` {said(value)}" for rule, value in rules.items())
        for name, rules in PRESETS.items()
        if rules
    )


def _values(rule: HouseRule) -> str:
    numbered = ((number, said(value), value == rule.default) for number, value in enumerate(rule.values, 1))
    return ", ".join(f"{number} **{value}**" if usual else f"{number} {value}" for number, value, usual in numbered)


if __name__ == "__main__":
    PAPER.write_text("\n".join(paper()) + "\n", encoding="utf-8")
