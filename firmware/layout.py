"""A screen before it is translated, and how its words are fitted into what the displays hold. Pure."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from firmware.four import Four
from firmware.texts import LETTERS, Language, Text
from hardware.devices import Bitmap, Screen

WIDTH: Final = 21
BIG: Final = 6
ROWS: Final = 3
FOUR: Final = 4


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A sentence that may go on over so many *rows*."""

    text: Text
    rows: int = ROWS


Line: TypeAlias = Text | Wrapped


@dataclass(frozen=True, slots=True)
class Layout:
    """A `Screen` whose words are not yet in any language; what its parts are is told there."""

    title: Text
    big: Text
    lines: tuple[Line, ...]
    four: Four | str
    picture: Bitmap | None = None

    def screen(self, language: Language) -> Screen:
        """Return the screen in *language*, fitted into what the displays hold; empty lines close up."""
        rows = [row for line in self.lines for row in _rows(language, line) if row]
        if len(rows) > ROWS:
            rows = [*rows[: ROWS - 1], cut(" ".join(rows[ROWS - 1 :]), WIDTH)]
        four = language.four(self.four)
        return Screen(
            fitted(language, self.title, WIDTH),
            fitted(language, self.big, BIG),
            tuple(rows),
            four if len(four) <= FOUR else cut(four, FOUR),
            self.picture,
        )


def fitted(language: Language, text: Text, width: int) -> str:
    """Return *text* in *language* on at most *width* characters: names give way first."""
    for said in _shorter(language, text):
        if len(said) <= width:
            return said
    return cut(said, width)


def cut(text: str, width: int) -> str:
    """Return as much of *text* as has room; a number is never shown in part, dashes stand for it.

    Examples
    --------
    >>> cut("P1000", 4)
    'P---'
    """
    return re.sub(r"\d", "-", text)[:width]


def _rows(language: Language, line: Line) -> list[str]:
    if not isinstance(line, Wrapped):
        return [fitted(language, line, WIDTH)]
    for said in _shorter(language, line.text):
        rows = textwrap.wrap(said, WIDTH, break_long_words=False, break_on_hyphens=False)
        if len(rows) <= line.rows and all(len(row) <= WIDTH for row in rows):
            return rows
    rows = textwrap.wrap(said, WIDTH)
    return [*rows[: line.rows - 1], cut(" ".join(rows[line.rows - 1 :]), WIDTH)]


def _shorter(language: Language, text: Text) -> Iterator[str]:
    """Yield *text* with names at full length, and then with ever shorter ones."""
    yield from (language.say(text, letters) for letters in range(LETTERS, -1, -1))
