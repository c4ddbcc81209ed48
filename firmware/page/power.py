"""A power cut on demand: the program ends in the middle of whatever it does, and begins anew."""

from __future__ import annotations

import os
import sys
import termios
from contextlib import suppress


def _terminal() -> list[int | list[bytes | int]] | None:
    """Return how the terminal is set, None without one."""
    with suppress(termios.error, ValueError, OSError):
        return termios.tcgetattr(sys.stdin.fileno())
    return None


_TERMINAL = _terminal()
"""How it was when the program began: one that ends without a chance to clean up leaves it to the next."""


def pull_the_plug() -> None:
    """End the program where it is, as a power cut does: nothing is closed, stored or said. The same begins anew."""
    if _TERMINAL is not None:
        with suppress(termios.error, ValueError, OSError):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, _TERMINAL)
    os.execv(sys.executable, [sys.executable, "-m", "firmware", *sys.argv[1:]])  # noqa: S606 (its own arguments)
