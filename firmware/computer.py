"""The computer that the table runs on: how warm it is, and what a Raspberry Pi says of its power."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

THERMAL: Final = Path("/sys/class/thermal/thermal_zone0/temp")
HWMON: Final = Path("/sys/class/hwmon")
MODEL: Final = Path("/proc/device-tree/model")
UNDER_VOLTAGE, SLOWED = 0x1, 0xE
"""Bits of what ``vcgencmd get_throttled`` says of this moment."""

SINCE_START: Final = 16
"""So many bits higher the same is said of all the time since the computer was started."""

Run = Callable[[Sequence[str]], str | None]
"""Runs a command and returns what it prints, None where there is no such program, or where it fails."""


def run(command: Sequence[str]) -> str | None:
    """Return what *command* prints, None where there is no such program, or where it fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None


def on_a_pi(model: Path | None = None) -> bool:
    """Return whether this computer is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in (model or MODEL).read_text(errors="replace")
    except OSError:
        return False


def celsius() -> float | None:
    """Return how warm the computer is, in degrees Celsius; None where it does not say."""
    try:
        return int(THERMAL.read_text()) / 1000
    except (OSError, ValueError):
        return None


def throttled(run: Run) -> int | None:
    """Return the bits of what ``vcgencmd get_throttled`` says, None where it does not answer."""
    said = run(("vcgencmd", "get_throttled"))
    try:
        return None if said is None else int(said.partition("=")[2], 16)
    except ValueError:
        return None


def undervolted() -> bool | None:
    """Return whether the kernel of a Raspberry Pi says that its voltage is too low; None where it says nothing of it.

    It is asked where ``vcgencmd`` does not answer: anybody may, and of this moment it says the same.
    """
    for sensor in HWMON.glob("hwmon*"):
        try:
            if (sensor / "name").read_text().strip() == "rpi_volt":
                return int((sensor / "in0_lcrit_alarm").read_text()) != 0
        except (OSError, ValueError):
            continue
    return None
