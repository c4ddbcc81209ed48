"""How many instructions a picture may cost, counted on the emulated Arm, which no other program's load changes.

`budget.toml` has what was counted when it was last renewed. More than a tenth above it is a failure.
"""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.aarch64 import pictures
from tests.aarch64.machine import ROOT, Trouble, run, say, timed
from tests.aarch64.workload import COUNTED, MARK, PARTS, PICTURES

BUDGET = Path(__file__).with_name("budget.toml")

SOURCE = Path(__file__).with_name("instructions.c")

ALLOWED = 10
"""So many per cent more than the budget are still within it."""

RENEW = "make aarch64-budget"

STEADY = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""What keeps two counts of the same program alike: they differ by a few in a hundred thousand."""


def count(python: Path) -> dict[str, int]:
    """Return for each of `PARTS` how many instructions one picture costs *python*."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        pictures.draw_counted(folder)
        plugin, told = folder / "instructions.so", folder / "instructions.txt"
        flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-DPLUGIN_VERSION={_plugin_version()}"]
        run(["gcc", *flags, "-o", plugin, SOURCE])
        watched = {"QEMU_PLUGIN": f"{plugin},out={told},mark={MARK}"}
        run([python, "-m", "tests.aarch64.workload", "count", folder], env={**STEADY, **watched})
        return per_picture(told.read_text())


def per_picture(told: str) -> dict[str, int]:
    """Return the instructions a picture of what the plugin wrote: a line for each mark, with the count so far.

    Raises
    ------
    Trouble
        When marks are missing.
    """
    marks = [tuple(map(int, line.split())) for line in told.splitlines()]
    if [mark for mark, _ in marks] != list(range(2 * len(PARTS))):
        raise Trouble(
            f"the count was broken off: marks {[mark for mark, _ in marks]}, wanted 0 to {2 * len(PARTS) - 1}"
        )
    counts = [instructions for _, instructions in marks]
    calls = COUNTED * PICTURES
    return {part: (counts[2 * k + 1] - counts[2 * k]) // calls for k, part in enumerate(PARTS)}


def judge(counted: Mapping[str, int], budget: Mapping[str, int]) -> tuple[list[str], bool]:
    """Return a line for each part, and whether all are within their budget."""
    if set(counted) != set(budget):
        return [f"the budget has {sorted(budget)}, counted were {sorted(counted)}: {RENEW}"], False
    lines, within = [], True
    for part, instructions in counted.items():
        kept = budget[part]
        line = f"{part}: {instructions:,} instructions a picture, {instructions / kept - 1:+.1%} of the budget {kept:,}"
        if 100 * instructions > (100 + ALLOWED) * kept:
            within = False
            line += f"; {ALLOWED} % more are allowed. Make it cheaper, or accept it: {RENEW}"
        elif 100 * instructions < (100 - ALLOWED) * kept:
            line += f"; so that it stays so: {RENEW}"
        lines.append(line)
    return lines, within


def load(path: Path = BUDGET) -> dict[str, int]:
    """Return the budget that is checked in."""
    budget: dict[str, int] = tomllib.loads(path.read_text(encoding="utf-8"))["instructions"]
    return budget


def renew(python: Path) -> None:
    """Count, and make that the budget."""
    counted = count(python)
    asked = "import cv2, numpy, platform; print(platform.python_version(), cv2.__version__, numpy.__version__)"
    versions = run([python, "-c", asked]).stdout.split()
    parts = [f"{part} = {instructions}" for part, instructions in counted.items()]
    head = (
        f"# Instructions that one picture may cost on a 64-bit Arm, {ALLOWED} % more allowed. Written by `{RENEW}`",
        "# with Python {}, OpenCV {}, NumPy {} (docs/aarch64.md).".format(*versions),
        "[instructions]",
    )
    BUDGET.write_text("\n".join([*head, *parts, ""]), encoding="utf-8")
    say(f"{BUDGET.relative_to(ROOT)} is now: {', '.join(parts)}")


def same_readings(python: Path) -> bool:
    """Read throws of many tables here and on *python*, and say which readings differ."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with timed("throws drawn"):
            pictures.draw_throws(folder)
        here = json.loads(json.dumps(dict(pictures.read_throws(folder))))
        with timed("throws read"):
            there = json.loads(run([python, "-m", "tests.aarch64.workload", "read", folder]).stdout)
    different = [name for name in here if here[name] != there.get(name)]
    for name in different:
        say(f"{name}: {here[name]} on this computer, {there.get(name)} on Arm")
    say(
        f"{len(here)} throws, {sum(faces is not None for faces, _ in here.values())} of them read, "
        f"{len(different)} otherwise than on this computer"
    )
    return not different and len(here) > 0


def _plugin_version() -> int:
    """Return the version of the plugin interface to declare, which QEMU asks for exactly."""
    program = shutil.which("qemu-aarch64") or "qemu-aarch64"
    found = re.search(r"version (\d+)", run([program, "--version"]).stdout)
    return 1 if found is None or int(found[1]) < 9 else 2
