"""The words of the table's displays: written in English where they are needed, translated where they are shown.

What is stored, logged or printed stays English: it is a contract with those who read it. `words("{player} rolled",
player=Names(("Ann",)))` only notes a sentence down; `Language.say` translates it whole and then fills in its places, so
that a language may put them in another order. A plain str is shown as it is in every language: a name, a score.
"""

from __future__ import annotations

import gettext
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import as_file, files
from typing import Final, TypeAlias

from firmware.four import CODES, SOURCE, Four, codes

DOMAIN: Final = "mexico"
LOCALE: Final = files("firmware") / "locale"
LETTERS: Final = 8
"""Letters of the longest name that a seat can have."""


class Kind(StrEnum):
    """What a text is for: the same English word may be another one in another place."""

    LINE = ""
    BIG = "big"
    RULE = "rule"
    VALUE = "value"
    ABOUT = "about"
    PRINTED = "printed"


@dataclass(frozen=True, slots=True)
class Names:
    """Names of players in a row: where a line is too short for all of it, they are shortened and never the words.

    Attributes
    ----------
    parts
        The names.
    whole
        Whether every part must stay as it is, such as ``B54``; only the gaps between them may go then.
    """

    parts: tuple[str, ...]
    whole: bool = False

    def shown(self, letters: int) -> str:
        """Return them with at most so many *letters* each; 0: initials without gaps.

        Examples
        --------
        >>> names = Names(("Ann", "Benjamin"))
        >>> names.shown(4), names.shown(0)
        ('Ann Benj', 'AB')
        """
        parts = self.parts if self.whole else tuple(part[: letters or 1] for part in self.parts)
        return (" " if letters else "").join(parts)


@dataclass(frozen=True, slots=True)
class Words:
    """A text in English, and what stands in its places in braces."""

    text: str
    of: Mapping[str, Text | int] = field(default_factory=dict)
    kind: Kind = Kind.LINE

    def __str__(self) -> str:
        """Return the text in English, for logs."""
        return filled(self.text, {place: str(_shown(value, LETTERS)) for place, value in self.of.items()})


Text: TypeAlias = Words | Names | str


def words(text: str, /, **of: Text | int) -> Words:
    """Return a line or sentence of the displays; its translation is found by this call.

    Examples
    --------
    >>> str(words("{player} rolled", player=Names(("Ann",))))
    'Ann rolled'
    """
    return Words(text, of)


def big(text: str, /, **of: Text | int) -> Words:
    """Return the big word of a screen, of at most six characters; its translation is found by this call."""
    return Words(text, of, Kind.BIG)


def printed(text: str, /) -> Words:
    """Return a text that stands on paper, however long; its translation is found by this call."""
    return Words(text, kind=Kind.PRINTED)


def places(text: str) -> frozenset[str]:
    """Return the names of the places of *text*.

    Raises
    ------
    ValueError
        If a brace stands alone.

    Examples
    --------
    >>> sorted(places("{player} pays {paid}"))
    ['paid', 'player']
    """
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def filled(text: str, of: Mapping[str, object]) -> str:
    """Return *text* with its places filled in; a text without places is taken as it is, braces and all."""
    return text.format(**of) if of else text


class Language:
    """What the displays speak.

    Parameters
    ----------
    code
        ``"en"``, ``"de"``, ... : one of `languages`.
    catalogue
        Its translations.
    """

    def __init__(self, code: str, catalogue: gettext.NullTranslations) -> None:
        self.code = code
        self._catalogue = catalogue
        self._codes = codes(code)

    def template(self, said: Words) -> str:
        """Return the translation of *said* with its places still open; the English where there is none."""
        if said.kind is Kind.LINE:
            return self._catalogue.gettext(said.text)
        return self._catalogue.pgettext(said.kind, said.text)

    def say(self, text: Text, letters: int = LETTERS) -> str:
        """Return *text* in this language, names shortened to so many *letters*."""
        if not isinstance(text, Words):
            return str(_shown(text, letters))
        return filled(
            self.template(text),
            {
                place: self.say(value, letters) if isinstance(value, Words) else _shown(value, letters)
                for place, value in text.of.items()
            },
        )

    def four(self, four: Four | str) -> str:
        """Return *four* in this language."""
        return four if isinstance(four, str) else self._codes[four.name].format(**four.of)


def _shown(value: Text | int, letters: int) -> object:
    return value.shown(letters) if isinstance(value, Names) else value


def languages() -> tuple[str, ...]:
    """Return the languages there are, the source language first.

    Examples
    --------
    >>> languages()
    ('en', 'de', 'es', 'nl')
    """
    return tuple(CODES)


@cache
def language(code: str) -> Language:
    """Return the language *code*, one of `languages`; what it has no words for is said in English."""
    with as_file(LOCALE) as folder:
        return Language(code, gettext.translation(DOMAIN, folder, [code, SOURCE], fallback=True))


ENGLISH: Final = language(SOURCE)
