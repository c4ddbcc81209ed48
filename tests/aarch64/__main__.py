"""The table on an emulated 64-bit Arm, the processor of a Raspberry Pi: `python -m tests.aarch64` (docs/aarch64.md).

Exits with 1 when something is otherwise than it must be, with 2 when it could not be tried.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import passed
from tests.aarch64 import budget, suite
from tests.aarch64.machine import SYSTEMS, Trouble, need_programs, python_of, say, timed

FIRST = next(iter(SYSTEMS))
"""The system whose Python runs all tests and is counted; on the others libraries and wheel are tried, and a part."""

PART = (
    "firmware",
    "hardware",
    "mexico",
    "vision",
    "tests/aarch64",
    "tests/passed.py",
    *suite.PART,
    "pyproject.toml",
    "requirements-dev.txt",
)
"""What the part for CI depends on."""


def main() -> int:
    """Do what the command line asks for and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.aarch64", description=__doc__)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--ci",
        action="store_true",
        help="a part that takes some minutes; at once where nothing of it has changed since it passed",
    )
    what.add_argument("--renew", action="store_true", help="count, and make that the budget")
    what.add_argument("--fetch", action="store_true", help="only fetch and make what the others need")
    asked = parser.parse_args()
    try:
        need_programs()
        if asked.ci and (when := passed.when("aarch64", PART)):
            say(f"passed on {when}; no file that it depends on has changed since, so not run again")
            return 0
        if asked.renew:
            budget.renew(python_of(FIRST))
            return 0
        pythons = {system: python_of(system) for system in SYSTEMS}
        if asked.fetch:
            return 0
        failed = _part(pythons) if asked.ci else _everything(pythons)
    except Trouble as trouble:
        print(f"aarch64: {trouble}", file=sys.stderr)
        return 2
    say(f"FAILED: {', '.join(failed)}" if failed else "all as on this computer, and within the budget")
    if asked.ci and not failed:
        passed.remember("aarch64", PART)
    return 1 if failed else 0


def _everything(pythons: Mapping[str, Path]) -> list[str]:
    """Try all of it, and return what failed."""
    failed = [name for system, python in pythons.items() for name in _wheel(system, python)]
    failed += _budget(pythons[FIRST])
    failed += _readings(pythons[FIRST])
    failed += [name for system, python in pythons.items() if system != FIRST for name in _tests(python)]
    return failed if suite.everything_passes(pythons[FIRST]) else [*failed, "the tests"]


def _part(pythons: Mapping[str, Path]) -> list[str]:
    """Try a part on two cores, and return what failed.

    The loops of the reader are compiled anew for each, three minutes of an emulated processor: two do it at once, and
    the readings find what the count has compiled.
    """
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(_wheel, FIRST, pythons[FIRST]), pool.submit(_budget, pythons[FIRST])]
        failed = [name for one in both for name in one.result()]
        both = [pool.submit(_readings, pythons[FIRST]), pool.submit(_tests, pythons[FIRST])]
        return failed + [name for one in both for name in one.result()]


def _wheel(system: str, python: Path) -> list[str]:
    with timed(f"{system}, Python {SYSTEMS[system]}: the wheel installed and tried"):
        return [] if suite.wheel_reads(python) else [f"the wheel on {system}"]


def _budget(python: Path) -> list[str]:
    with timed("instructions"):
        lines, within = budget.judge(budget.count(python), budget.load())
    for line in lines:
        say(line)
    return [] if within else ["the budget of instructions"]


def _readings(python: Path) -> list[str]:
    return [] if budget.same_readings(python) else ["the readings"]


def _tests(python: Path) -> list[str]:
    return [] if suite.passes(python, suite.part()) else ["the tests"]


if __name__ == "__main__":
    sys.exit(main())
