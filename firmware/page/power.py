"""The program begins anew: after a power cut on demand, in the middle of whatever it does, or when it has ended."""

from __future__ import annotations

import os
import sys
import termios
from contextlib import suppress
from typing import NoReturn

from firmware.service import looked_after


def _terminal() -> list[int | list[bytes | int]] | None:
    """Return how the terminal is set, None without one."""
    with suppress(termios.error, ValueError, OSError):
        return termios.tcgetattr(sys.stdin.fileno())
    return None


_TERMINAL = _terminal()
"""How it was when the program began: one that ends without a chance to clean up leaves it to the next."""


def pull_the_plug() -> NoReturn:
    """End the program where it is, as a power cut does: nothing is closed, stored or said. The same begins anew."""
    if _TERMINAL is not None:
        with suppress(termios.error, ValueError, OSError):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, _TERMINAL)
    begin_anew()


def begin_anew_if_alone() -> None:
    """Begin anew, but where systemd has begun the program: it does so again, and a program that stays it would kill."""
    if not looked_after():
        begin_anew()


def begin_anew() -> NoReturn:
    """Let the same program, called in the same way, take the place of this one."""
    os.execv(sys.executable, [sys.executable, "-m", "firmware", *sys.argv[1:]])  # noqa: S606 (its own arguments)
