"""``python -m tests.virtual_pi``: build the virtual Pi, play every scenario on it, and remember that they passed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from tests import passed
from tests.virtual_pi.build import PROGRAM, say

SCENARIOS: Final = sorted(Path(__file__).resolve().parent.glob("scenario_*.py"))
PARTS: Final = (*PROGRAM, "tests/virtual_pi", "tests/passed.py")
"""What the scenarios depend on."""


def main(arguments: list[str]) -> int:
    """Return pytest's exit code; 0 at once where nothing has changed since all of it passed."""
    if not arguments and (when := passed.when("virtual-pi", PARTS)):
        say(f"all scenarios passed on {when}; no file that they depend on has changed since, so not run again")
        return 0
    code = int(pytest.main(["-p", "no:xdist", "-x", "-v", *map(str, SCENARIOS), *arguments]))
    if code == 0 and not arguments:
        passed.remember("virtual-pi", PARTS)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
