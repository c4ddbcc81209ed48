"""Words for error lines: what was seen, on one line and never too long; what is allowed."""

import json
from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 60


def seen(value: object) -> str:
    """Return *value* as it would stand in a game file, in plain ASCII, cut to a readable length.

    Examples
    --------
    >>> seen("Ann"), seen(True), seen(None), seen([1, 2])
    ('"Ann"', 'true', 'null', '[1, 2]')
    """
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return shortened(text)


def shortened(text: str) -> str:
    """Return *text*, cut to a readable length."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def one_of(known: Iterable[object]) -> str:
    """Return the *known* words in a row, truth values as JSON has them.

    Examples
    --------
    >>> one_of(["free", "one"]), one_of([True, False])
    ('free, one', 'true, false')
    """
    return ", ".join(json.dumps(word) if isinstance(word, bool) else str(word) for word in known)


def did_you_mean(said: object, known: Iterable[str]) -> str:
    """Return `` (did you mean ...?)``, or nothing when no known word is near.

    Examples
    --------
    >>> did_you_mean("unit", ["units", "pot"])
    ' (did you mean units?)'
    """
    printable = [word for word in known if word.isprintable()]
    close = get_close_matches(said.lower(), printable, n=1) if isinstance(said, str) else []
    return f" (did you mean {close[0]}?)" if close else ""
