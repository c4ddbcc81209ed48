"""The card of house rules as it is walked with the knob, and its printed form: ``python -m firmware.card``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.four import Four, four
from firmware.layout import WIDTH
from firmware.texts import ENGLISH, Kind, Language, Text, Words, language, languages, printed
from mexico.catalogue import GAMES
from mexico.house import HouseRule, Value

PAPER_CHARS: Final = 110
PAPER: Final = Path(__file__).parents[1] / "docs" / "card.md"

TITLE: Final = printed("The card of house rules")
EXPLAINED: Final = printed(
    "To hang beside the table: the four-digit display shows a rule and its value by number, `1203` for the third "
    "value of rule 12. The bold value counts if nobody chooses. A whole number that is not listed goes into the "
    "settings file."
)
COLUMNS: Final = (printed("no."), printed("rule"), printed("what it is about"), printed("values"))
PRESET: Final = printed("Presets")
GAME: Final = Words("game", kind=Kind.RULE)
AGREED: Final = Words("all rules together", kind=Kind.RULE)
TOGETHER: Final = Words("same signs on two tables: same rules", kind=Kind.ABOUT)
WHICH: Final = Words("which game is played", kind=Kind.ABOUT)


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
        What the rule is about.
    rules
        What stands for all of them together, on the last page alone.
    """

    name: Words
    value: Text
    place: int
    number: int
    explains: Words
    rules: str = ""

    @property
    def four(self) -> Four:
        """Rule and value by number, as the printed card has them; on the last page what stands for all of them."""
        return four("rules", rules=self.rules) if self.rules else four("card", place=self.place, number=self.number)


def game_card(game: str) -> Card:
    """Return the card that says that *game* is played: number 0."""
    return Card(GAME, Words(game, kind=Kind.VALUE), 0, tuple(GAMES).index(game) + 1, WHICH)


def all_card(game: str, rules: str) -> Card:
    """Return the last page of the card of *game*: what stands for all its *rules* as they are now."""
    return Card(AGREED, f"#{rules}", len(GAMES[game].house.rules) + 1, 0, TOGETHER, rules)


def card(game: str, place: int, value: Value) -> Card:
    """Return the card of the rule of *game* at *place*, from 1, with *value*."""
    rule = GAMES[game].house.rules[place - 1]
    number = rule.values.index(value) + 1 if value in rule.values else 0
    return Card(title(rule), said(value), place, number, Words(rule.explains, kind=Kind.ABOUT))


def title(rule: HouseRule) -> Words:
    """Return what *rule* is called on a display: without its game where the whole name has no room."""
    return Words(rule.name if len(rule.name) <= WIDTH else rule.name.partition(".")[2], kind=Kind.RULE)


def said(value: Value) -> Words | str:
    """Return *value* as a person reads it: a number as it is."""
    word = spelled(value)
    return word if word.isdecimal() else Words(word, kind=Kind.VALUE)


def spelled(value: Value) -> str:
    """Return *value* in English; ``yes`` and ``no`` for what is true or false."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def paper(language: Language = ENGLISH) -> Iterator[str]:
    """Yield the lines of the printed card in *language*; rules and values keep the names that the settings file has."""
    yield f"# {language.say(TITLE)}"
    yield ""
    yield from textwrap.wrap(language.say(EXPLAINED), PAPER_CHARS)
    yield ""
    names = enumerate((language.say(Words(game, kind=Kind.VALUE)) for game in GAMES), 1)
    yield f"0 {language.say(WHICH)}: " + ", ".join(f"{number} {name}" for number, name in names)
    for game in GAMES:
        yield from _of_game(game, language)


def _of_game(game: str, language: Language) -> Iterator[str]:
    """Yield the lines of the house rules of *game*."""
    house = GAMES[game].house
    yield ""
    yield f"## {language.say(Words(game, kind=Kind.VALUE))}"
    yield ""
    yield "| " + " | ".join(map(language.say, COLUMNS)) + " |"
    yield "|---|---|---|---|"
    for place, rule in enumerate(house.rules, 1):
        about = language.say(Words(rule.explains, kind=Kind.ABOUT))
        yield f"| {place} | {_rule(rule, language)} | {about} | {_values(rule, language)} |"
    if house.presets:
        yield ""
        yield f"{language.say(PRESET)}: " + "; ".join(
            f"`{name}`: " + ", ".join(f"`{rule}` {spelled(value)}" for rule, value in rules.items())
            for name, rules in house.presets.items()
            if rules
        )


def _rule(rule: HouseRule, language: Language) -> str:
    shown = language.say(title(rule))
    return f"`{rule.name}`" if shown == title(rule).text else f"{shown}<br>`{rule.name}`"


def _values(rule: HouseRule, language: Language) -> str:
    numbered = (
        (number, language.say(said(value)), value == rule.default) for number, value in enumerate(rule.values, 1)
    )
    return ", ".join(f"{number} **{value}**" if usual else f"{number} {value}" for number, value, usual in numbered)


def paper_of(language: Language) -> Path:
    """Return where the printed card in *language* is kept."""
    return PAPER if language is ENGLISH else PAPER.with_stem(f"{PAPER.stem}.{language.code}")


if __name__ == "__main__":
    for spoken in map(language, languages()):
        paper_of(spoken).write_text("\n".join(paper(spoken)) + "\n", encoding="utf-8")
