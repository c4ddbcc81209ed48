"""The displays in every language: nothing missing, nothing cut off, nothing that looks like something else.

When one of these fails because of a new text: mark it where it is written (`words("...")`, `big("...")`,
`four("...")`), run ``python -m firmware.catalogues``, and write what it lists into the ``mexico.po`` of each language
(docs/languages.md).
"""

from __future__ import annotations

import ast
import gettext
import itertools
import re
import string
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel.messages.catalog import Message

from firmware import catalogues, gallery, layout, screens, settings
from firmware.card import card, paper, paper_of
from firmware.catalogues import Found
from firmware.dispute import Choice, Dispute
from firmware.errors import SettingsError, TextsError
from firmware.four import CODES, SAMPLE, SOURCE, Four, parse
from firmware.lamps import Look
from firmware.layout import BIG, WIDTH, fitted
from firmware.screens import look
from firmware.texts import ENGLISH, Kind, Language, Names, Text, Words, language, languages, places, words
from firmware.views import Note, Phase, View
from hardware.devices import Key, Screen
from hardware.segments import FONT, fit
from mexico.errors import PLACES, IllegalAction
from mexico.house import RULES
from vision.types import Fault

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

every_language = pytest.mark.parametrize("code", languages())
every_translation = pytest.mark.parametrize("code", [code for code in languages() if code != SOURCE])

LONGEST = "Benjamin"
"""A name of as many letters as a seat may have."""

NAMES = ("Annelies", LONGEST, "Clarissa", "Dorothea", "Ekkehard", "Ferdinan", "Giovanni", "Hildegar")
SAME = ("MEXICO", "the display", "is", "well")
"""The test screen of the doctor, who speaks English as every command does."""

SEATS = dict(enumerate(NAMES, 1))
FACTS: dict[str, object] = {
    "scores": dict.fromkeys(SEATS.values(), "54"),
    "units": {LONGEST: 0},
    "paid": {LONGEST: 99},
    "loser": LONGEST,
    "winner": LONGEST,
    "winner_takes": 9999,
    "subround": list(SEATS.values()),
    "lead": LONGEST,
    "stake": 999,
    "pot": 9999,
    "rolls_used": 1,
}
FULL = View(
    phase=Phase.PLAYING,
    seats=SEATS,
    facts=FACTS,
    player=LONGEST,
    dice=2,
    may_stop=True,
    rules="3FA9",
    words=LONGEST,
    unsaved=999,
)
"""A full table with the longest names and the highest amounts that are to be shown whole."""


def crowded() -> Iterator[tuple[str, Look]]:
    """Yield every state of a full table."""
    for note, stop, lead in itertools.product(Note, (True, False), ([], [LONGEST])):
        facts = FACTS | {"rolling_for_lead": lead}
        yield f"{note} {stop} {lead}", look(replace(FULL, note=note, may_stop=stop, facts=facts))
    for note, fault in itertools.product((Note.REFUSED, Note.BAD_ROLL), Fault):
        yield f"{note} {fault}", look(replace(FULL, note=note, fault=fault))
    richer = replace(FULL, note=Note.ROUND_OVER, facts=FACTS | {"units": {LONGEST: 1}})
    yield "end of a round, still in", look(richer)
    yield "before the first roll", look(replace(FULL, facts=FACTS | {"scores": {}}))
    for phase in Phase:
        yield str(phase), look(replace(FULL, phase=phase, words=""))
    for faces, seat, choice in itertools.product(((), (6,), (6, 5)), (None, 2), Choice):
        doubt = Dispute(LONGEST, faces, 2, seat, choice)
        yield f"doubt {faces} {seat} {choice}", look(replace(FULL, phase=Phase.DISPUTED, dispute=doubt, words=""))
    for place, rule in enumerate(RULES):
        yield from ((f"{rule.name} {value}", look(View(card=card(place, value)))) for value in rule.values)


def sentences() -> Iterator[tuple[str, Look]]:
    """Yield every refusal of the rules, as the display says it to the longest name."""
    of = {place: Names((LONGEST,)) for place in PLACES}
    for text in catalogues.found():
        if text.where.startswith("mexico/") and text.kind is Kind.LINE:
            refused = Words(text.text, {place: of[place] for place in places(text.text)})
            yield text.where, look(replace(FULL, note=Note.NOT_NOW, words=refused))


@cache
def every_look() -> list[tuple[str, Look]]:
    return [*gallery.looks(), *crowded(), *sentences()]


def where(text: str) -> str:
    """Return where *text* is written."""
    return ", ".join(sorted({found.where for found in catalogues.found() if found.text == text})) or "nowhere"


# --- nothing is missing ---


@every_translation
def test_every_text_is_translated(code: str) -> None:
    missing = [
        f"{message.id!r} ({where(str(message.id))}; {message.auto_comments[0]})"
        for message in catalogues.untranslated(code)
    ]

    assert not missing, (
        f"firmware/locale/{code}/LC_MESSAGES/mexico.po has no certain translation of:\n  "
        + "\n  ".join(missing)
        + "\nRun python -m firmware.catalogues, write the missing msgstr (and take away '#, fuzzy'), and run it again."
    )


@every_language
def test_a_catalogue_holds_nothing_that_no_display_says(code: str) -> None:
    used = {(found.text, found.kind or None) for found in catalogues.found()}
    unused = [
        message.id for message in catalogues.read(code) if message.id and (message.id, message.context) not in used
    ]

    assert not unused, f"firmware/locale/{code}: run python -m firmware.catalogues, which drops {unused}"


@every_language
def test_what_the_table_reads_is_what_people_wrote(code: str) -> None:
    stale = []
    for message in catalogues.read(code):
        said = Words(str(message.id), kind=Kind(message.context or ""))
        if message.id and message.string and language(code).template(said) != message.string:
            stale.append(message.id)

    assert not stale, f"firmware/locale/{code}: mexico.mo is older than mexico.po: run python -m firmware.catalogues"


@every_language
def test_no_translation_loses_or_invents_a_place(code: str) -> None:
    for message in catalogues.read(code):
        if message.id:
            assert places(str(message.string)) == places(str(message.id)), message.id


def pseudo(text: str) -> str:
    """Return *text* with every letter outside its places made another, so that one sees whether it was translated."""
    odd = {ord(letter): ord(letter) + 0xFEE0 for letter in string.ascii_letters}
    parts = []
    for literal, name, spec, _ in string.Formatter().parse(text):
        parts.append(literal.translate(odd))
        if name is not None:
            parts.append(f"{{{name}:{spec}}}" if spec else f"{{{name}}}")
    return "".join(parts)


class Pseudo(Language):
    """A language in which no English word is left."""

    def __init__(self) -> None:
        super().__init__(SOURCE, gettext.NullTranslations())
        self.asked: set[tuple[str, Kind]] = set()

    def template(self, said: Words) -> str:
        self.asked.add((said.text, said.kind))
        return pseudo(said.text)

    def four(self, four: Four | str) -> str:
        return four if isinstance(four, str) else pseudo(CODES[SOURCE][four.name]).format(**four.of)


def parts(screen: Screen) -> list[str]:
    return [screen.title, screen.big, *screen.lines, screen.four]


def test_every_text_on_a_screen_can_be_translated() -> None:
    told = {}
    names = (*NAMES, "".join(name[0] for name in NAMES), FULL.rules.strip(string.digits))
    for name, shown in every_look():
        for part in parts(shown.screen(Pseudo())):
            for word in re.findall(r"[A-Za-z]{2,}", part):
                if not any(known.startswith(word) for known in names):
                    told[part] = f"{word!r} of {part!r} on the screen {name!r}"

    assert not told, (
        "shown as it is in every language:\n  "
        + "\n  ".join(told.values())
        + '\nWrite words("...") for a line or title, big("...") for the big word, and four("name") with a code of '
        "its own in every table of firmware/four.toml."
    )


def test_no_text_goes_to_the_displays_unmarked() -> None:
    bare = []
    for path in sorted(Path(screens.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for text in shown_as_they_are(node):
                bare.append(f"firmware/{path.name}:{text.lineno}: {ast.unparse(text)}")

    assert not bare, 'not translated; write words("..."), big("...") or four("..."):\n  ' + "\n  ".join(bare)


def shown_as_they_are(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the English texts in *node* that go to the displays and are not marked for translation."""
    if isinstance(node, ast.keyword) and node.arg == "words":
        values = [node.value]
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("Layout", "Screen", "Wrapped")
    ):
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        values = [part for value in given for part in (value.elts if isinstance(value, ast.Tuple) else [value])]
    else:
        return
    for value in values:
        literals = value.values if isinstance(value, ast.JoinedStr) else [value]
        said = "".join(
            part.value for part in literals if isinstance(part, ast.Constant) and isinstance(part.value, str)
        )
        if re.search(r"[A-Za-z]{2}", said) and said not in SAME:
            yield value


# --- nothing is cut off ---


def fits(text: Found, said: str) -> bool:
    return len(said) <= (BIG if text.kind is Kind.BIG else WIDTH)


@every_language
def test_nothing_is_cut_off_on_either_display(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[str] = []

    def cut(text: str, width: int) -> str:
        lost.append(f"{text!r} has {len(text)} characters, and there is room for {width}")
        return text[:width]

    monkeypatch.setattr(layout, "cut", cut)
    told = []
    for name, shown in every_look():
        lost.clear()
        shown.screen(language(code))
        told += [f"{words} (screen {name!r})" for words in lost]

    assert not told, f"too long in {code!r}; write it shorter in its mexico.po or four.toml:\n  " + "\n  ".join(told)


@every_language
def test_a_text_that_no_screen_of_the_gallery_shows_fits_into_one_line(code: str) -> None:
    seen = Pseudo()
    for _, shown in every_look():
        shown.screen(seen)
    told = []
    for text in catalogues.found():
        if text.kind in (Kind.LINE, Kind.BIG) and (text.text, text.kind) not in seen.asked:
            said = language(code).template(Words(text.text, kind=text.kind))
            shortest = re.sub(r"{(player|players|other)}", LONGEST[:4], said)
            if not fits(text, re.sub(r"{\w+}", "99", shortest)):
                told.append(f"{said!r} for {text.text!r} ({text.where})")

    assert not told, (
        f"in {code!r} too long for a line of {WIDTH} or a big word of {BIG} characters:\n  "
        + "\n  ".join(told)
        + "\nWrite it shorter; where it has more than one line, show its screen in firmware/gallery.py."
    )


@every_language
def test_names_of_eight_letters_are_never_shortened_to_less_than_four(code: str) -> None:
    for name, shown in every_look():
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


def test_an_amount_with_too_many_digits_is_no_other_amount() -> None:
    rich = replace(FULL, facts=FACTS | {"pot": 12345, "paid": {LONGEST: 1234}})

    assert look(replace(rich, page=1)).screen(ENGLISH).four == "P---"
    assert look(replace(rich, note=Note.ROUND_OVER)).screen(ENGLISH).big == "B----"


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
def test_every_refusal_and_every_big_word_of_a_refusal_is_its_own(code: str) -> None:
    said = [look(replace(FULL, note=Note.REFUSED, fault=fault)).screen(language(code)) for fault in Fault]

    assert len({screen.big for screen in said}) == len({screen.lines[0] for screen in said}) == len(Fault)


@every_language
def test_every_value_of_a_rule_is_called_something_else(code: str) -> None:
    for place, rule in enumerate(RULES):
        said = {language(code).say(card(place, value).value) for value in rule.values}
        assert len(said) == len(rule.values), rule.name
    assert len({language(code).say(card(place, rule.default).name) for place, rule in enumerate(RULES)}) == len(RULES)


# --- the table speaks ---


def test_a_german_table_speaks_german_and_writes_english(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    bench.begin('[table]\nlanguage = "de"\nnames = ["Jürgen", "Zoë", "C", "D", "E", "F", "G", "H"]').sit(2, 6, 3)
    bench.press(Key.STOP)

    assert bench.screen.title == "Jürgen: jetzt nicht"
    assert bench.screen.big == "NEIN"
    assert " ".join(bench.screen.lines) == "Jürgen muss erst würfeln, dann STOP"
    assert "refused: Jürgen has not rolled yet" in caplog.text

    bench.throw(5, 4)
    bench.controller._doubts.open()
    assert bench.screen.title == "ZWEIFEL: Jürgen 5-4"
    bench.seat(1, 2)
    assert bench.stored[-1].event["why"] == "void this roll"
    assert bench.screen.lines == ("ungültig: nochmal", "würfeln")


@every_language
def test_the_same_evening_is_stored_in_the_same_words(bench: Bench, code: str) -> None:
    bench.begin(f'[table]\nlanguage = "{code}"').sit(2, 6, 3)
    bench.refuse(Fault.COCKED)
    bench.lose()

    assert [(one.event["type"], one.event.get("why")) for one in bench.stored] == [
        ("die", None),
        ("die", None),
        ("bad_roll", "cocked"),
        ("roll", None),
        ("stop", None),
        ("roll", None),
    ]


def test_a_language_that_is_not_there_is_said_with_those_that_are() -> None:
    with pytest.raises(SettingsError) as caught:
        settings.parse('[table]\nlanguage = "fr"', name="mine.toml")

    assert str(caught.value) == 'mine.toml: table.language is \'fr\': wanted one of "en", "de", "es", "nl"'


def test_names_with_braces_are_names(bench: Bench) -> None:
    bench.begin('[table]\nnames = ["{x}", "{0}", "C", "D", "E", "F", "G", "H"]').sit(2, 6, 3)
    bench.press(Key.STOP)

    assert bench.screen.title == "{x}: not now"
    assert bench.screen.lines[0].startswith("{x} has not rolled")


def test_a_refusal_can_be_told_in_another_order() -> None:
    refused = IllegalAction("it is the turn of {player}, not of {other}", "", "", (0, 1)).named(["Ann", "Bob"])
    text = screens.refusal(refused)

    assert ENGLISH.say(text) == refused.why == "it is the turn of Ann, not of Bob"
    assert language("es").say(text) == "le toca a Ann, no a Bob"


@every_language
def test_the_printed_card_is_up_to_date_in_every_language(code: str) -> None:
    """Where a change is meant: ``python -m firmware.card``."""
    spoken = language(code)

    assert paper_of(spoken).read_text(encoding="utf-8") == "\n".join(paper(spoken)) + "\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("[en", "not a TOML file", id="no TOML"),
        pytest.param('[de]\na = "A"', "has no table [en]", id="no English"),
        pytest.param("en = 3", "wanted a table of codes", id="no table"),
        pytest.param('[en]\na = "A"\n[de]', "de.a is missing", id="missing"),
        pytest.param('[en]\na = "A"\n[de]\na = "A"\nb = "B"', "de.b is unknown", id="unknown"),
        pytest.param("[en]\na = 1", "en.a is 1: wanted text", id="no text"),
        pytest.param('[en]\na = "ABCDE"', "it shows 5 characters; wanted 1 to 4", id="long"),
        pytest.param('[en]\na = "  "', "wanted 1 to 4", id="nothing"),
        pytest.param('[en]\na = "A%"', "seven segments cannot show %", id="no such glyph"),
        pytest.param('[en]\na = "{who}"', "wanted only these places", id="unknown place"),
        pytest.param('[en]\na = "{player}1"\n[de]\na = "A1"', "wanted the same places", id="lost place"),
    ],
)
def test_codes_that_cannot_be_shown_are_told_in_one_line(text: str, said: str) -> None:
    with pytest.raises(TextsError) as caught:
        parse(text)

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_new_text_in_the_source_is_found_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Found("a text of tomorrow", Kind.LINE, "firmware/new.py:1")
    before = list(catalogues.found())
    monkeypatch.setattr(catalogues, "found", lambda: iter([*before, new]))

    missing: list[Message] = catalogues.untranslated("de")

    assert [message.id for message in missing] == ["a text of tomorrow"]
    assert not catalogues.untranslated("en")


def test_a_doubtful_translation_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = catalogues.read("nl")
    message = doubtful.get("both again")
    assert message is not None
    message.flags.add("fuzzy")
    monkeypatch.setattr(catalogues, "read", lambda code: doubtful)

    assert [missing.id for missing in catalogues.untranslated("nl")] == ["both again"]


def test_every_language_has_its_catalogue_and_every_catalogue_its_language() -> None:
    assert sorted(path.name for path in catalogues.LOCALE.iterdir()) == sorted(languages())
