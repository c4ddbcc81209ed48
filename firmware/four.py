"""What the four characters say: short codes by name, in every language, from the packaged ``four.toml``.

Codes are no sentences that could be put into another language word by word: each language has its own table of them,
side by side in one file, so that one sees at once whether two look alike.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from firmware.errors import TextsError
from firmware.toml import tables_of
from hardware.segments import WIDTH, fit

SOURCE: Final = "en"
SAMPLE: Final[Mapping[str, object]] = {
    "player": "A",
    "other": "C",
    "roll": 1,
    "most": 3,
    "score": "54",
    "units": 2,
    "seats": 8,
    "seat": 3,
    "place": 1,
    "number": 1,
    "dice": 3,
    "quantity": 12,
    "face": 5,
    "hand": "FH16",
    "rules": "93FA",
}
"""What may stand in a code, with a value of usual length."""


@dataclass(frozen=True, slots=True)
class Four:
    """A code by its name in ``four.toml``, and what stands in its places."""

    name: str
    of: Mapping[str, object] = field(default_factory=dict)


def four(name: str, /, **of: object) -> Four:
    """Return the code *name* of ``four.toml``."""
    return Four(name, of)


def parse(text: str, name: str = "four.toml") -> Mapping[str, Mapping[str, str]]:
    """Return the codes of each language in the TOML *text*.

    Raises
    ------
    TextsError
        If it is no such file: all problems in one line.
    """
    tables = tables_of(text, name, TextsError)
    if SOURCE not in tables:
        raise TextsError(f"{name} has no table [{SOURCE}]: it holds the codes that every language must have")
    problems = [problem for language, table in tables.items() for problem in _problems(language, table, tables[SOURCE])]
    if problems:
        raise TextsError(f"{name}: {'; '.join(problems)}")
    return MappingProxyType(tables)


def _problems(language: str, table: object, source: object) -> Iterator[str]:
    if not isinstance(table, dict) or not isinstance(source, dict):
        yield f"{language} is {table!r}: wanted a table of codes"
        return
    yield from (f"{language}.{name} is missing: every language needs it" for name in source.keys() - table.keys())
    for name, code in table.items():
        if name not in source:
            yield f"{language}.{name} is unknown: the table [{SOURCE}] has no such code"
        elif (wrong := _wrong(code, str(source[name]))) is not None:
            yield f"{language}.{name} is {code!r}: {wrong}"


def _wrong(code: object, source: str) -> str | None:
    if not isinstance(code, str):
        return "wanted text"
    try:
        shown = code.format(**SAMPLE)
        same = _places(code) == _places(source)
    except (KeyError, ValueError, IndexError):
        return f"wanted only these places: {', '.join('{' + place + '}' for place in SAMPLE)}"
    if not same:
        return f"wanted the same places in braces as in {source!r}"
    if len(shown) > WIDTH or not shown.strip():
        return f"it shows {len(shown)} characters; wanted 1 to {WIDTH}"
    odd = sorted({char for char in shown if char != "?" and fit(char).startswith("?")})
    return f"seven segments cannot show {' '.join(odd)}" if odd else None


def _places(code: str) -> list[tuple[str | None, str | None]]:
    """Return the places of *code* with how each is written, in any order."""
    return sorted(
        ((name, spec) for _, name, spec, _ in string.Formatter().parse(code) if name is not None),
        key=lambda at: str(at),
    )


CODES: Final = parse((files("firmware") / "four.toml").read_text(encoding="utf-8"))
"""The codes by language, the source language first, and by name."""


def codes(language: str) -> Mapping[str, str]:
    """Return the codes of *language*."""
    return CODES[language]
