"""Values in the JSON of a calibration: each is what it must be, or an error says what stands there instead."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LARGEST = 1e300
"""No number of a calibration comes near it; a whole number of JSON may be larger than any of floating point."""

LONGEST = 40
"""Characters of a wrong value that are repeated."""


def number(value: Any) -> float:
    """Return *value* if it is a number and not infinite, else raise ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST:
        raise ValueError(f"{_repeated(value)} is no number")
    return float(value)


def whole(value: Any) -> int:
    """Return *value* if it is a whole number, else raise ValueError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{_repeated(value)} is no whole number")
    return value


def listed(value: Any, count: int | None = None) -> list[Any]:
    """Return *value* if it is a list, of so many if *count* says so, else raise ValueError."""
    if not isinstance(value, list) or count not in (None, len(value)):
        raise ValueError(f"{_repeated(value)} is no list" + (f" of {count}" if count else ""))
    return value


def pair(value: Any) -> tuple[float, float]:
    """Return *value* if it is a list of two numbers, else raise ValueError."""
    one, other = (number(each) for each in listed(value, 2))
    return one, other


def named(value: Any) -> Mapping[str, Any]:
    """Return *value* if it is an object of JSON, else raise ValueError."""
    if not isinstance(value, dict):
        raise ValueError(f"{_repeated(value)} is no object")
    return value


def name(value: str) -> str:
    """Return *value* if it can be the name of something, else raise ValueError."""
    if not value.isidentifier() or len(value) > LONGEST:
        raise ValueError(f"{_repeated(value)} is no name")
    return value


def _repeated(value: Any) -> str:
    said = json.dumps(value, ensure_ascii=False)
    return said if len(said) <= LONGEST else said[: LONGEST - 3] + "..."
