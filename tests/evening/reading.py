"""Read the table's displays as an eye does: lines of small letters on pixels, and letters of seven segments."""

from __future__ import annotations

from collections.abc import Sequence

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
    return [title, *max((_below(seen, pitch) for pitch in PITCHES), key=len)]


def _title(dark: Pixels, length: int) -> str | None:
    left = (SIZE[0] - (CELL * length - 1)) // 2
    text = _text(dark[1 : 1 + ROWS + 1], left, length)
    return text if text and text == text.strip() and not dark[:TITLE_ROWS, :left].any() else None


def _below(seen: Pixels, pitch: int) -> list[str]:
    """Return the lines that stand so far apart, from the lowest up, in their order."""
    found: list[str] = []
    top = SIZE[1] - pitch if pitch == PITCHES[0] else (TITLE_ROWS + SIZE[1] - pitch * 3) // 2
    tops = range(top, TITLE_ROWS, -pitch) if pitch == PITCHES[0] else _alone(seen)
    for at in tops:
        text = _text(seen[at + 1 : at + 2 + ROWS], 0, LINE_CHARS)
        if not text or not text.strip():
            break
        found.insert(0, text.rstrip())
    return found


def _alone(seen: Pixels) -> list[int]:
    """Return where lines begin that stand alone, from the lowest up: as many as fill the middle."""
    for count in (3, 2, 1):
        top = (TITLE_ROWS + SIZE[1] - PITCHES[1] * count) // 2
        tops = [top + PITCHES[1] * k for k in range(count)]
        if all((_text(seen[at + 1 : at + 2 + ROWS], 0, LINE_CHARS) or " ").strip() for at in tops):
            return tops[::-1]
    return []


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
