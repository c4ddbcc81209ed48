"""``python -m tests.virtual_pi``: build the virtual Pi, play every scenario on it, and remember that they passed."""

from __future__ import annotations

import hashlib
import sys
import time
from pathlib import Path

import pytest

from tests.virtual_pi.build import CANNOT, CannotBuildError, cache, keys, say

HERE = Path(__file__).resolve().parent
SCENARIOS = sorted(HERE.glob("scenario_*.py"))


def main(arguments: list[str]) -> int:
    """Return pytest's exit code; 0 at once where nothing has changed since all of it passed."""
    stamp = cache() / f"passed-{_key()}"
    if stamp.exists() and not arguments:
        say(f"{stamp.read_text('utf-8').strip()}; nothing it depends on has changed since, so not run again")
        return 0
    began_s = time.monotonic()
    code = int(pytest.main(["-p", "no:xdist", "-x", "-v", *map(str, SCENARIOS), *arguments]))
    if code == 0 and not arguments:
        for old in cache().glob("passed-*"):
            old.unlink()
        when = time.strftime("%Y-%m-%d %H:%M")
        stamp.write_text(f"{len(SCENARIOS)} scenarios passed on {when} in {time.monotonic() - began_s:.0f} s", "utf-8")
    return code


def _key() -> str:
    """Return a key for the Pi and for what is asserted of it."""
    total = hashlib.sha256(keys().program.encode())
    for path in sorted(HERE.glob("*.py")):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()[:16]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CannotBuildError as error:
        sys.stderr.write(f"virtual-pi: NOT BUILT, NOT RUN: {error}\n")
        sys.exit(CANNOT)
