"""The catalogues of translations: ``python -m firmware.catalogues`` finds every text and brings them up to date.

Each language has its ``locale/CODE/LC_MESSAGES/mexico.po``, which people write, and a ``.mo`` beside it, which the
table reads. Both are kept, so that a bare clone speaks every language without a step (docs/adr/0007). Babel is needed
here and only here: it comes with the environment of ``make test``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from firmware.card import AGREED, GAME, TOGETHER, WHICH, spelled, title
from firmware.four import SOURCE
from firmware.layout import BIG, WIDTH
from firmware.texts import DOMAIN, Kind, Words, languages
from mexico.catalogue import GAMES
from mexico.house import HouseRule

ROOT: Final = Path(__file__).parents[1]
LOCALE: Final = Path(__file__).parent / "locale"
PACKAGES: Final = ("firmware", "mexico")
MARKS: Final[Mapping[str, Kind]] = {"words": Kind.LINE, "big": Kind.BIG, "printed": Kind.PRINTED, "Refusal": Kind.LINE}
"""Calls whose first argument is a text of the displays."""

LIMITS: Final = {
    Kind.LINE: f"a line of {WIDTH} characters; a refusal of the rules has three",
    Kind.BIG: f"at most {BIG} characters",
    Kind.RULE: f"a title, at most {WIDTH} characters",
    Kind.VALUE: f"at most {WIDTH - 2} characters",
    Kind.ABOUT: f"two lines of {WIDTH} characters",
    Kind.PRINTED: "on paper, as long as it takes",
}
"""What a translator must keep to."""


@dataclass(frozen=True, slots=True)
class Found:
    """A text in the source: in English, what it is for, and where it stands."""

    text: str
    kind: Kind
    where: str


def found() -> Iterator[Found]:
    """Yield every text that the displays or the printed card can show."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).glob("*.py")):
            yield from _in_file(path)
    for text in (GAME, WHICH, AGREED, TOGETHER, *(Words(game, kind=Kind.VALUE) for game in GAMES)):
        yield Found(text.text, text.kind, "mexico/catalogue.py")
    for game, entry in GAMES.items():
        for rule in entry.house.rules:
            yield from _of_rule(rule, f"house rules of {game}")


def _of_rule(rule: HouseRule, where: str) -> Iterator[Found]:
    yield Found(title(rule).text, Kind.RULE, where)
    yield Found(rule.explains, Kind.ABOUT, where)
    for value in map(spelled, rule.values):
        if not value.isdecimal():
            yield Found(value, Kind.VALUE, where)


def _in_file(path: Path) -> Iterator[Found]:
    with path.open("rb") as source:
        for line, mark, texts, _ in extract_python(source, dict.fromkeys(MARKS), [], {}):
            given: object = texts  # one text for a call with one argument, a tuple for one with more
            text = given[0] if isinstance(given, (tuple, list)) else given
            if isinstance(text, str) and text:
                yield Found(text, MARKS[str(mark)], f"{path.parent.name}/{path.name}:{line}")


def template() -> Catalog:
    """Return a catalogue of every text, with nothing translated."""
    catalogue = Catalog(domain=DOMAIN)
    for text in found():
        catalogue.add(text.text, context=text.kind or None, auto_comments=[LIMITS[text.kind]])
    return catalogue


def read(code: str, folder: Path = LOCALE) -> Catalog:
    """Return the catalogue of the language *code*, an empty one where there is none yet."""
    path = po_of(code, folder)
    if not path.exists():
        return Catalog(locale=code, domain=DOMAIN, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code, domain=DOMAIN)


def po_of(code: str, folder: Path = LOCALE) -> Path:
    """Return where the catalogue of *code* is kept."""
    return folder / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def wanted(code: str) -> Catalog:
    """Return the catalogue of *code* with every text of the source and no other; what is new has no translation.

    English needs only what a display has no room for in the words of the source.
    """
    catalogue = read(code)
    catalogue.update(template(), no_fuzzy_matching=True, update_header_comment=False, update_creation_date=False)
    catalogue.obsolete.clear()
    catalogue.header_comment = f"# What the displays say in {code}; see docs/languages.md."
    catalogue.project, catalogue.version = "mexico-table", ""
    catalogue.last_translator = catalogue.language_team = "the mexico-table makers"
    catalogue.msgid_bugs_address, catalogue.revision_date = "", catalogue.creation_date
    if code == SOURCE:
        for message in [message for message in catalogue if message.id and not message.string]:
            catalogue.delete(message.id, message.context)
    return catalogue


def as_po(catalogue: Catalog) -> bytes:
    """Return *catalogue* as a PO file."""
    file = BytesIO()
    write_po(file, catalogue, width=100, no_location=True, sort_output=True)
    return file.getvalue().rstrip() + b"\n"


def as_mo(catalogue: Catalog) -> bytes:
    """Return *catalogue* as the MO file that gettext reads."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def untranslated(code: str) -> list[Message]:
    """Return the texts that *code* has no translation for, or only a doubtful one."""
    return [message for message in wanted(code) if message.id and (not message.string or message.fuzzy)]


def main() -> None:
    """Bring every catalogue up to date with the source, and compile it."""
    for code in languages():
        catalogue = wanted(code)
        path = po_of(code)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_po(catalogue))
        path.with_suffix(".mo").write_bytes(as_mo(catalogue))
        for message in untranslated(code):
            print(f"{path.relative_to(ROOT)}: {message.id!r} is not translated: {message.auto_comments[0]}")  # noqa: T201


if __name__ == "__main__":
    main()
