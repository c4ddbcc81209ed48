"""What runs on the emulated Arm: `python -m tests.aarch64.workload count|read FOLDER`, with the pictures in FOLDER.

`count` marks for the plugin (instructions.c) where what is counted begins and ends; `read` prints readings as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from tests.aarch64.pictures import read_throws
from vision import Calibration, motion, read_tray
from vision.types import Frame

MARK = 0x5EED0000
"""A file descriptor that no program has: closing this one, or one a little above, says something to the plugin."""

PARTS = ("read_tray", "motion_step")
"""What is counted, in order: part K begins with mark 2 K and ends with mark 2 K + 1."""

PICTURES = 8

WARM, COUNTED = 2, 2
"""So many times all pictures are gone through, before the count and for it."""


def count(folder: Path) -> None:
    """Read the table's pictures and watch them, with marks about it."""
    calibration = Calibration.load(folder / "counted.json")
    with np.load(folder / "counted.npz") as kept:
        stills, small = list(kept["stills"]), list(kept["small"])
    state = motion.start()

    def follow(frame: Frame) -> None:
        # Pictures of different throws in turn are all motion: nothing is read, only the motion step is counted.
        nonlocal state
        state, _ = motion.step(state, frame, None, None)

    _marked(0, lambda frame: read_tray(frame, calibration, 2), stills)
    _marked(1, follow, small)


def _marked(part: int, work: Callable[[Frame], object], frames: Iterable[Frame]) -> None:
    for _ in range(WARM):
        for frame in frames:
            work(frame)
    gc.collect()
    _mark(2 * part)
    for _ in range(COUNTED):
        for frame in frames:
            work(frame)
    _mark(2 * part + 1)


def _mark(number: int) -> None:
    with suppress(OSError):
        os.close(MARK + number)


def main(what: str, folder: Path) -> None:
    """Do what was asked for."""
    cv2.setNumThreads(1)
    if what == "count":
        count(folder)
    else:
        print(json.dumps(dict(read_throws(folder))))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
