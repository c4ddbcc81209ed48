"""The displays in every language: nothing is cut off, and nothing looks like something else."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from firmware import layout, settings
from firmware.card import card
from firmware.four import CODES, SAMPLE
from firmware.lamps import Look
from firmware.layout import WIDTH, fitted
from firmware.screens import look
from firmware.texts import ENGLISH, Names, Text, Words, language, languages, words
from firmware.views import Note, View
from hardware.segments import FONT, fit
from mexico.catalogue import GAMES
from vision.types import Fault

every_language = pytest.mark.parametrize("code", languages())
LONGEST = "Benjamin"
Looks = list[tuple[str, Look]]


@every_language
def test_nothing_is_cut_off_on_either_display(code: str, every_look: Looks, monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[str] = []

    def cut(text: str, width: int) -> str:
        lost.append(f"{text!r} has {len(text)} characters, and there is room for {width}")
        return text[:width]

    monkeypatch.setattr(layout, "cut", cut)
    told = []
    for name, shown in every_look:
        lost.clear()
        shown.screen(language(code))
        told += [f"{words} (screen {name!r})" for words in lost]

    assert not told, f"too long in {code!r}; write it shorter in its mexico.po or four.toml:\n  " + "\n  ".join(told)


@every_language
def test_names_of_eight_letters_are_never_shortened_to_less_than_four(code: str, every_look: Looks) -> None:
    for name, shown in every_look:
        for text in (shown.layout.title, *shown.layout.lines):
            if isinstance(text, Words) and any(of == Names((LONGEST,)) for of in text.of.values()):
                said = fitted(language(code), text, WIDTH)
                assert LONGEST[:4] in said, f"{name}: {said!r} leaves no room for a name"


def test_a_cut_text_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    broad = replace(look(View()), layout=replace(look(View()).layout, title=words("a title that nobody has room for")))
    monkeypatch.setattr(layout, "cut", lambda text, width: pytest.fail(f"cut: {text}"))

    with pytest.raises(pytest.fail.Exception, match="a title that nobody has room for"):
        broad.screen(ENGLISH)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(words("{player}: throw or STOP", player=Names((LONGEST,))), "Benjam: throw or STOP", id="a name"),
        pytest.param(
            words("again: {players}", players=Names(("Ann", "Benjamin", "Clara"))),
            "again: Ann Benj Clar",
            id="three names",
        ),
        pytest.param(Names(tuple(f"{name}54" for name in "ABCDEFG"), whole=True), "A54B54C54D54E54F54G54", id="scores"),
        pytest.param(words("stake {stake}  pot {pot}", stake=10**6, pot=10**7), "stake -------  pot --", id="a number"),
    ],
)
def test_what_is_too_long_loses_letters_of_names_first_and_never_part_of_a_number(text: Text, shown: str) -> None:
    assert fitted(ENGLISH, text, WIDTH) == shown


def test_an_amount_with_too_many_digits_is_no_other_amount(full: View) -> None:
    rich = replace(full, facts={**full.facts, "pot": 12345, "paid": {LONGEST: 12345}})

    assert look(replace(rich, page=1)).screen(ENGLISH).four == "P---"
    assert look(replace(rich, note=Note.ROUND_OVER)).screen(ENGLISH).big == "B-----"


# --- nothing looks like something else ---


def lit(four: str) -> tuple[tuple[int, ...], ...]:
    return tuple(FONT[char] for char in fit(four))


@every_language
def test_all_codes_look_different_on_seven_segments(code: str) -> None:
    shown = {name: lit(text.format(**SAMPLE)) for name, text in CODES[code].items()}
    alike = [pair for pair in itertools.combinations(shown, 2) if shown[pair[0]] == shown[pair[1]]]

    assert not alike, f"[{code}] in four.toml: these codes look the same: {alike}"


@every_language
def test_pot_and_stake_look_like_no_seat(code: str) -> None:
    seats = {FONT[letter] for letter in settings.load().table.names}

    assert not {lit(CODES[code][name])[0] for name in ("pot", "stake")} & seats


@every_language
def test_every_refusal_and_every_big_word_of_a_refusal_is_its_own(code: str, full: View) -> None:
    said = [look(replace(full, note=Note.REFUSED, fault=fault)).screen(language(code)) for fault in Fault]

    assert len({screen.big for screen in said}) == len({screen.lines[0] for screen in said}) == len(Fault)


@every_language
def test_every_value_of_a_rule_is_called_something_else(code: str) -> None:
    for game, entry in GAMES.items():
        titles = set()
        for place, rule in enumerate(entry.house.rules, 1):
            said = {language(code).say(card(game, place, value).value) for value in rule.values}
            titles.add(language(code).say(card(game, place, rule.default).name))
            assert len(said) == len(rule.values), rule.name
        assert len(titles) == len(entry.house.rules)
