"""Read the table's displays as an eye does: lines of small letters on pixels, and letters of seven segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from hardware.glyphs import COLUMNS, GLYPHS, ROWS
from hardware.oled import LINE_CHARS, SIZE
from hardware.segments import FONT, fit

CELL = COLUMNS + 1
TITLE_ROWS = 10
PITCHES = (9, 13)
"""Rows from line to line below something big, and where the lines stand alone."""

Pixels = npt.NDArray[np.bool_]
_LETTERS = {glyph: char for char, glyph in GLYPHS.items()}


def lines_of(pixels: Sequence[Sequence[bool]]) -> list[str]:
    """Return the title, and the lines below it that are of small letters."""
    seen = np.array(pixels, bool)
    title = next((text for n in range(LINE_CHARS, 0, -1) if (text := _title(~seen, n)) is not None), "")
    return [title, *max((_below(seen, tops) for tops in _places()), key=len)]


def _title(dark: Pixels, length: int) -> str | None:
    left = (SIZE[0] - (CELL * length - 1)) // 2
    text = _text(dark[1 : 1 + ROWS + 1], left, length)
    return text if text and text == text.strip() and not dark[:TITLE_ROWS, :left].any() else None


def _below(seen: Pixels, tops: Sequence[int]) -> list[str]:
    """Return the lines that begin at *tops*, from the lowest up to the first that is none, in their order."""
    found: list[str] = []
    for top in tops:
        text = _text(seen[top + 1 : top + 2 + ROWS], 0, LINE_CHARS)
        if not text or not text.strip():
            break
        found.insert(0, text.rstrip())
    return found


def _places() -> Iterator[list[int]]:
    """Yield where lines may begin, the lowest first: at the bottom, or alone in the middle, one to three of them."""
    yield list(range(SIZE[1] - PITCHES[0], TITLE_ROWS, -PITCHES[0]))
    for count in (1, 2, 3):
        first = (TITLE_ROWS + SIZE[1] - PITCHES[1] * count) // 2
        yield [first + PITCHES[1] * k for k in reversed(range(count))]


def _text(rows: Pixels, left: int, length: int) -> str | None:
    """Return so many letters, None where one of the cells is none."""
    weights = 1 << np.arange(len(rows))
    bits = (rows * weights[:, None]).sum(axis=0)
    text = ""
    for k in range(length):
        cell = tuple(int(bit) for bit in bits[left + CELL * k : left + CELL * k + COLUMNS])
        letter = _LETTERS.get(cell)
        if letter is None:
            return None
        text += letter
    return text


def same(digits: Sequence[tuple[int, ...]], four: str) -> bool:
    """Return whether *digits*, segments a to g each, look like the text *four*."""
    return list(digits) == [FONT[char] for char in fit(four)]


def letters(digits: Sequence[tuple[int, ...]]) -> str:
    """Return what *digits* may be read as."""
    return "".join(next((char for char, lit in FONT.items() if lit == seen), "?") for seen in digits)
