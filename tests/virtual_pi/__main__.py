"""``python -m tests.virtual_pi``: build the virtual Pi, play every scenario on it, and remember that they passed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from tests import passed
from tests.virtual_pi.build import PROGRAM, say

HERE: Final = Path(__file__).resolve().parent
SCENARIOS: Final = sorted(HERE.glob("scenario_*.py"))
CI: Final = [path for path in SCENARIOS if path.stem[9:] in ("1_install", "4_power", "6_bookworm")]
"""What CI has time for: the installation as the page has it, dice that are thrown and read, and the plug pulled."""

PARTS: Final = (*PROGRAM, "tests/virtual_pi", "tests/passed.py")
"""What the scenarios depend on."""

WHOLE, PART = "virtual-pi", "virtual-pi/ci"


def main(arguments: list[str]) -> int:
    """Return pytest's exit code; 0 at once where nothing has changed since all of it passed, or CI's part for CI."""
    whole, part = not arguments, arguments == ["--ci"]
    for what in (WHOLE, PART) if part else (WHOLE,) if whole else ():
        if when := passed.when(what, PARTS):
            say(f"{what} passed on {when}; no file that it depends on has changed since, so not run again")
            return 0
    if part:
        left = [path.stem.removeprefix("scenario_") for path in SCENARIOS if path not in CI]
        say(f"run are {', '.join(path.stem for path in CI)}; not run: {', '.join(left)}: by make virtual-pi")
    words = ["-p", "no:xdist", "-x", "-v", *map(str, CI if part else SCENARIOS), *([] if part else arguments)]
    code = int(pytest.main(words))
    if code == 0 and (whole or part):
        passed.remember(WHOLE if whole else PART, PARTS)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
