"""The computer that the table runs on: how warm it is, and what a Raspberry Pi says of its power."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

THERMAL: Final = Path("/sys/class/thermal/thermal_zone0/temp")
UNDER_VOLTAGE, SLOWED = 0x1, 0xE
"""Bits of what ``vcgencmd get_throttled`` says of this moment."""

SINCE_START: Final = 16
"""So many bits higher the same is said of all the time since the computer was started."""

Run = Callable[[Sequence[str]], str | None]
"""Runs a command and returns what it prints, None where there is no such program."""


def run(command: Sequence[str]) -> str | None:
    """Return what *command* prints, None where there is no such program."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None


def celsius() -> float | None:
    """Return how warm the computer is, in degrees Celsius; None where it does not say."""
    try:
        return int(THERMAL.read_text()) / 1000
    except (OSError, ValueError):
        return None


def throttled(run: Run) -> int | None:
    """Return the bits of what ``vcgencmd get_throttled`` says, None where there is no such program."""
    said = run(("vcgencmd", "get_throttled"))
    try:
        return None if said is None else int(said.partition("=")[2], 16)
    except ValueError:
        return None
