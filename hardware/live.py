"""A picture of text that stays in its place on a terminal: the little of terminfo that this needs.

No library in between: the larger ones ask the terminal questions and read the answers from the keyboard's input.
"""

from __future__ import annotations

import curses
import os
import re
from collections.abc import Sequence
from typing import TextIO

_PADDING = re.compile(r"\$<[^>]*>")
_NEEDED = ("home", "el", "ed")


class LiveScreen:
    """The whole terminal, given back as it was by `close`.

    Parameters
    ----------
    stream
        A terminal, as `live_screen` has found out.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._put(_capability("smcup") + _capability("civis"))

    def draw(self, lines: Sequence[str]) -> None:
        """Replace what is on the terminal by *lines*, as much of them as there is room for."""
        size = os.get_terminal_size(self._stream.fileno())
        end = _capability("el")
        columns, height = size.columns or 80, size.lines or 24  # a serial line does not say: 0
        rows = (line[: max(1, columns - 1)] + end for line in fitted(lines, max(1, height - 1)))
        self._put(_capability("home") + "\r\n".join(rows) + _capability("ed"))

    def close(self) -> None:
        """Show the cursor and what was on the terminal before."""
        self._put(_capability("ed") + _capability("cnorm") + _capability("rmcup"))

    def _put(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def fitted(lines: Sequence[str], rows: int) -> list[str]:
    """Return as many of *lines* as *rows* have room for; the lowest that say nothing are left out first.

    Examples
    --------
    >>> fitted(["+--+", "|A |", "|  |", "+--+", "", "keys"], 4)
    ['+--+', '|A |', '+--+', 'keys']
    """
    kept = list(lines)
    for place in reversed(range(len(lines))):
        if len(kept) > rows and not lines[place].strip(" |"):
            del kept[place]
    return kept[:rows]


def live_screen(stream: TextIO) -> LiveScreen | None:
    """Return a live screen on *stream*; None for a pipe, a file, or a terminal that cannot move its cursor."""
    if not stream.isatty():
        return None
    try:
        curses.setupterm(fd=stream.fileno())
    except (curses.error, OSError, ValueError):
        return None
    return LiveScreen(stream) if all(map(_capability, _NEEDED)) else None


def _capability(name: str) -> str:
    """Return what must be written for the terminfo capability *name*; nothing where the terminal lacks it."""
    return _PADDING.sub("", (curses.tigetstr(name) or b"").decode("latin-1"))
