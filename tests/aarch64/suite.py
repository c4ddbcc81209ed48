"""The wheel and the tests on the emulated Arm: a part that takes a minute or two, or whatever can run there."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from tests.aarch64 import pictures
from tests.aarch64.machine import ROOT, install, own_python, run, say, timed

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


def everything() -> list[str | Path]:
    """Return pytest's arguments for whatever can run there; say what cannot."""
    for path, why in UNFIT.items():
        say(f"not run: {path}: {why}")
    return [f"--ignore={path}" for path in UNFIT]


def part() -> list[str | Path]:
    """Return pytest's arguments for a part that takes a minute or two; say which."""
    say(f"run are {', '.join(PART)} without what is slow; the rest by: make aarch64")
    return ["-m", "not slow", *PART]


def passes(python: Path, tests: Sequence[str | Path]) -> bool:
    """Run *tests* on *python*; return whether they pass."""
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=emulated"]
    with timed("tests"):
        done = subprocess.run([python, "-m", "pytest", *options, *tests], cwd=ROOT, check=False)
    return done.returncode == 0
