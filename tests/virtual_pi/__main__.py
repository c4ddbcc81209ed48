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
    asked = WHOLE if not arguments else PART if arguments == ["--ci"] else None
    for what in {WHOLE: (WHOLE,), PART: (WHOLE, PART), None: ()}[asked]:
        if when := passed.when(what, PARTS):
            say(f"{what} passed on {when}; no file that it depends on has changed since, so not run again")
            return 0
    scenarios = CI if asked == PART else SCENARIOS
    if left := [path.stem for path in SCENARIOS if path not in scenarios]:
        say(f"run are {', '.join(path.stem for path in CI)}; not run: {', '.join(left)}: by make virtual-pi")
    code = int(pytest.main(["-p", "no:xdist", "-x", "-v", *map(str, scenarios), *([] if asked else arguments)]))
    if code == 0 and asked:
        passed.remember(asked, PARTS)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
