"""JSON as a game file may hold it: nothing twice, nothing endless, no number that is none."""

import json
import math
from typing import NoReturn

from mexico.errors import GameFileError
from mexico.say import seen, shortened

DEEPEST = 20
TOO_DEEP = f"lists or objects are nested too deeply; a game file needs fewer than {DEEPEST} levels"


def parsed(text: str) -> object:
    """Return what stands in *text*.

    Raises
    ------
    GameFileError
        If it is no JSON, names a key twice, holds NaN or what becomes an infinity, or is nested too deeply.
    """
    if not text.strip():
        raise GameFileError("the game file is empty; wanted is one JSON object such as {...}")
    try:
        found = json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise GameFileError(f"no JSON in line {error.lineno}, column {error.colno}: {error.msg}; correct it") from None
    except RecursionError:
        raise GameFileError(TOO_DEEP) from None
    except GameFileError:
        raise
    except ValueError as error:
        raise GameFileError(f"no JSON: {seen(str(error))[1:-1]}; correct it") from None
    return _shallow(found)


def _shallow(found: object) -> object:
    """Return *found* unless it is nested deeper than any game file."""
    level = [found]
    for _ in range(DEEPEST):
        inside = [
            value.values() if isinstance(value, dict) else value for value in level if isinstance(value, dict | list)
        ]
        level = [value for values in inside for value in values]
    if level:
        raise GameFileError(TOO_DEEP)
    return found


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise GameFileError(f"{seen(key)} stands twice in one object; keep one of the two")
        found[key] = value
    return found


def _no_constant(word: str) -> NoReturn:
    raise GameFileError(f"{shortened(word)} is no number of a game file; wanted are whole numbers")


def _finite(word: str) -> float:
    """Return the number *word*; one that only an infinity could stand for would be written as a word nobody reads."""
    number = float(word)
    return number if math.isfinite(number) else _no_constant(word)
