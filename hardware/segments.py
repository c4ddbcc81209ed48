"""Text on seven segments: a table of letters that a four-digit display can show, all of the alphabet included.

  a
f   b
  g
e   c
  d
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

WIDTH = 4
"""Characters of the display."""

_LIT = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "A": "abcefg", "B": "cdefg", "C": "adef", "D": "bcdeg", "E": "adefg", "F": "aefg",
    "G": "acdef", "H": "bcefg", "I": "ef", "J": "bcde", "K": "acefg", "L": "def", "M": "aceg", "N": "ceg",
    "O": "cdeg", "P": "abefg", "Q": "abcfg", "R": "eg", "S": "acdfg", "T": "defg", "U": "bcdef", "V": "cde",
    "W": "bdfg", "X": "bceg", "Y": "bcdfg", "Z": "abdg", " ": "", "-": "g", "_": "d", "=": "dg", "?": "abeg",
    "!": "bd", "'": "f", "/": "beg", "[": "adef", "]": "abcd",
}  # fmt: skip

FONT: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {char: tuple(int(segment in lit) for segment in "abcdefg") for char, lit in _LIT.items()}
)
"""Character to segments a to g, 1 for lit. Of digits and letters only S looks like another: 5."""


_SPELLED = str.maketrans({"ß": "ss", "¿": "", "¡": ""})
"""What stands for characters that are more than a letter with an accent."""


def plain(text: str) -> str:
    """Return *text* in ASCII: accents dropped, and ``?`` for what has no plain form.

    Examples
    --------
    >>> plain("Zoë, 5 €"), plain("¡groß!")
    ('Zoe, 5 ?', 'gross!')
    """
    text = text.translate(_SPELLED)
    bare = (char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return "".join(char if " " <= char <= "~" else "?" for char in bare)


def fit(text: str) -> str:
    """Return *text* as exactly four characters the display can show, from the left.

    Examples
    --------
    >>> fit("p1"), fit("Mexico"), fit("~ü")
    ('P1  ', 'MEXI', '?U  ')
    """
    return "".join(char if char in FONT else "?" for char in plain(text).upper()).ljust(WIDTH)[:WIDTH]


def drawn(text: str) -> tuple[str, str, str]:
    """Return *text* drawn in three rows of ASCII, as a seven-segment display shows it.

    Examples
    --------
    >>> drawn("21")
    (' _', ' _|   |', '|_    |')
    """
    rows = ["", "", ""]
    for char in plain(text).upper():
        a, b, c, d, e, f, g = FONT.get(char, FONT["?"])
        rows[0] += f" {' _'[a]}  "
        rows[1] += f"{' |'[f]}{' _'[g]}{' |'[b]} "
        rows[2] += f"{' |'[e]}{' _'[d]}{' |'[c]} "
    return rows[0].rstrip(), rows[1].rstrip(), rows[2].rstrip()
