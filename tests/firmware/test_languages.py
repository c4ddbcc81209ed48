"""The displays in every language: nothing is missing, and what is stored stays English.

When one of these fails because of a new text: mark it where it is written (`words("...")`, `big("...")`,
`four("...")`), run ``python -m firmware.catalogues``, and write what it lists into the ``mexico.po`` of each language
(docs/languages.md).
"""

from __future__ import annotations

import ast
import gettext
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel.messages.catalog import Message

from firmware import catalogues, screens, settings
from firmware.card import paper, paper_of
from firmware.catalogues import Found
from firmware.errors import SettingsError, TextsError
from firmware.four import CODES, SOURCE, Four, parse
from firmware.lamps import Look
from firmware.layout import BIG, WIDTH
from firmware.texts import ENGLISH, Kind, Language, Words, language, languages, places
from firmware.views import View
from hardware.devices import Key, Screen
from mexico.errors import IllegalAction
from tests.saying import told_in_one_line
from vision.types import Fault

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

every_language = pytest.mark.parametrize("code", languages())
Looks = list[tuple[str, Look]]
every_translation = pytest.mark.parametrize("code", [code for code in languages() if code != SOURCE])

OF_THE_HOUSE = ("pushup", "hug", "sings")
"""What a house calls things in the gallery: shown as it is, like a name."""

SAME = ("MEXICO", "the display", "is", "well")
"""The test screen of the doctor, who speaks English as every command does."""


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


def test_every_text_on_a_screen_can_be_translated(every_look: Looks, full: View) -> None:
    told = {}
    seated = full.seats.values()
    names = (*seated, "".join(name[0] for name in seated), full.rules.strip(string.digits), *OF_THE_HOUSE)
    for name, shown in every_look:
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


def fits(text: Found, said: str) -> bool:
    return len(said) <= (BIG if text.kind is Kind.BIG else WIDTH)


@every_language
def test_a_text_that_no_screen_of_the_gallery_shows_fits_into_one_line(code: str, every_look: Looks) -> None:
    seen = Pseudo()
    for _, shown in every_look:
        shown.screen(seen)
    told = []
    for text in catalogues.found():
        if text.kind in (Kind.LINE, Kind.BIG) and (text.text, text.kind) not in seen.asked:
            said = language(code).template(Words(text.text, kind=text.kind))
            shortest = re.sub(r"{(player|players|other)}", "Benj", said)
            if not fits(text, re.sub(r"{\w+}", "99", shortest)):
                told.append(f"{said!r} for {text.text!r} ({text.where})")

    assert not told, (
        f"in {code!r} too long for a line of {WIDTH} or a big word of {BIG} characters:\n  "
        + "\n  ".join(told)
        + "\nWrite it shorter; where it has more than one line, show its screen in firmware/gallery.py."
    )


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
    with told_in_one_line(TextsError, said):
        parse(text)


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
