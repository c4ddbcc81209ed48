"""The wheel and the tests on the emulated Arm: a part that takes a minute or two, or whatever can run there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import NamedTuple

import cv2
import numpy as np

from tests import passed
from tests.aarch64 import pictures
from tests.aarch64.machine import install, own_python, run, say, timed

PART = (
    "tests/hardware",
    "tests/firmware/test_settings.py",
    "tests/firmware/test_journal.py",
    "tests/mexico/test_golden.py",
)
"""Where libraries that were compiled for Arm do their work: decoding and drawing, SQLite, pydantic; and the rules."""

STILLS = 3

UNFIT = {
    "tests/page/browser": "a browser is started, which is this computer's and no Arm's",
    "tests/firmware/test_soak.py": "measures memory, and the emulator's would be measured",
    "tests/test_repository.py": "makes environments with this computer's Python",
    "tests/virtual_pi": "puts another computer together with the programs of this one",
    "tests/aarch64": "is what runs them",
}
"""What is left out even where everything runs, and why."""


def wheel_reads(python: Path) -> bool:
    """Install the wheel alone and let its program read pictures: the same dice as on this computer."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        pictures.draw_counted(folder)
        run([own_python(), "-m", "build", "--wheel", "--no-isolation", "-o", folder, "."])
        install(next(folder.glob("*.whl")), python, folder / "site")
        stills = []
        with np.load(folder / "counted.npz") as kept:
            for k, still in enumerate(kept["stills"][:STILLS]):
                stills.append(str(folder / f"{k}.png"))
                cv2.imwrite(stills[-1], still)
        words = ["read", "--json", "--dice", "2", "--calibration", str(folder / "counted.json"), *stills]
        here = _faces(run([own_python(), "-m", "firmware", *words]).stdout)
        # Begun in an empty folder, so that nothing but the wheel can be found.
        (folder / "empty").mkdir()
        program = [str(folder / "site" / "bin" / "mexico-table"), *words]
        there = _faces(run(program, cwd=folder / "empty", env={"PYTHONPATH": str(folder / "site")}).stdout)
    say(f"the wheel reads {there}, and on this computer {here}")
    return here == there and len(here) == STILLS


def _faces(lines: str) -> list[tuple[list[int] | None, str | None]]:
    told = [json.loads(line) for line in lines.splitlines()]
    return [(one.get("faces"), one.get("fault")) for one in told]


_DRAWN = ("render", "render_benchmark", "render_case", "render_cup", "render_look", "render_outside", "render_throw")
_PLAYED = ("tests/firmware", "tests/page", "tests/evening")

QUICK, SLOW = "not slow", "slow"
"""Marks of pytest: what takes more than five seconds here takes minutes there."""


class Group(NamedTuple):
    """Tests that pass or fail together: where they are, what else they depend on, which of them."""

    where: tuple[str, ...]
    others: tuple[str, ...]
    marks: str = QUICK


EVERYTHING = ("mexico", "vision", "hardware", "firmware", "scripts", "tests")

GROUPS = {
    "evenings": Group(_PLAYED, EVERYTHING, SLOW),
    "table": Group(
        (*_PLAYED, "tests/test_build_page.py", "tests/test_passed.py", "tests/test_traced_films.py"),
        EVERYTHING,
    ),
    "reader": Group(("tests/vision",), ("vision", "benchmarks", "tests/rendered.py")),
    "calibration": Group(
        tuple(f"tests/vision/test_{name}.py" for name in ("calibrate_target", "calibration", "find_tray")),
        ("vision", "tests/rendered.py", "tests/vision"),
    ),
    "renderer": Group(
        tuple(f"tests/vision/test_{name}.py" for name in _DRAWN),
        ("vision", "benchmarks", "tests/rendered.py", "tests/vision"),
    ),
    "stream": Group(
        tuple(f"tests/vision/test_{name}.py" for name in ("drift", "evidence", "motion", "motion_tally")),
        ("vision", "tests/rendered.py", "tests/vision"),
    ),
    "devices": Group(("tests/hardware",), ("mexico", "hardware")),
    "slow": Group(
        ("tests/mexico", "tests/vision", "tests/hardware"),
        ("mexico", "vision", "hardware", "benchmarks", "tests/golden", "tests/rendered.py"),
        SLOW,
    ),
    "rules": Group(("tests/mexico",), ("mexico", "tests/golden")),
}
"""The tests that can run there, in groups that take up to an hour and a half, two at a time and the longest first. What
is beneath a folder and in a group of its own with the same marks is not in the folder's."""

COMMON = ("tests/conftest.py", "tests/aarch64", "pyproject.toml", "requirements-dev.txt")
"""What every group depends on."""


def everything_passes(python: Path) -> bool:
    """Run the groups that have not passed with the files that are there, two at a time; say what cannot run."""
    for path, why in UNFIT.items():
        say(f"not run: {path}: {why}")
    with ThreadPoolExecutor(2) as pool:
        return all(list(pool.map(lambda name: _group_passes(python, name), GROUPS)))


def _group_passes(python: Path, name: str) -> bool:
    where, others, marks = GROUPS[name]
    what, files = f"aarch64/{name}", (*where, *others, *COMMON)
    if when := passed.when(what, files):
        say(f"{name} passed on {when}; no file that they depend on has changed since, so not run again")
        return True
    elsewhere = {path for group in GROUPS.values() if group.marks == marks for path in group.where} - set(where)
    ignored = [f"--ignore={path}" for path in (*UNFIT, *sorted(elsewhere))]
    if not passes(python, [*ignored, "-m", marks, *where]):
        return False
    passed.remember(what, files)
    return True


def part() -> list[str | Path]:
    """Return pytest's arguments for a part that takes a minute or two; say which."""
    say(f"run are {', '.join(PART)} without what is slow; the rest by: make aarch64")
    return ["-m", QUICK, *PART]


_COMPILING = Lock()


def passes(python: Path, tests: Sequence[str | Path]) -> bool:
    """Run *tests* on *python*, show what they said once they are done, and return whether they pass."""
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=emulated", "--all"]
    # They take three minutes there, which no test should have to wait for, and are kept.
    with _COMPILING, timed("the reader's loops, compiled"):
        run([python, "-c", "from vision.compiled import warm_up; warm_up()"])
    with timed(f"tests {tests[-1]}"):
        done = run([python, "-m", "pytest", *options, *tests], check=False)
    print(done.stdout, done.stderr, flush=True)
    return done.returncode == 0
