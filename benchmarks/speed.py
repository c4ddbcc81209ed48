"""How long a picture takes, in this process, on one core."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from benchmarks import hobby
from vision import calibrate, motion, read_tray
from vision.render import Table
from vision.render_throw import throw
from vision.types import Frame

ROUNDS = 40


def speed_table(width: int) -> str:
    """Return a Markdown table: milliseconds per picture, median and 95th percentile, beside the hobby reader's.

    *width* is the one at which the hobby reader reads best.
    """
    cv2.setNumThreads(1)
    table = Table(seed=3)
    calibration = calibrate([table.empty(seed=1)], tray_mm=table.tray_mm, corners=table.corners_px)
    stills = [table.picture(throw(random.Random(k), 2), seed=k) for k in range(8)]
    small = [_shrunk(frame) for frame in stills]
    yardstick = _times(lambda frame: hobby.read(frame, width, 2), stills)
    state = motion.start()

    def follow(frame: Frame) -> None:
        nonlocal state
        state, _ = motion.step(state, frame, None, None)

    # Pictures of different throws in turn are all motion: nothing is read, only the motion step is timed.
    rows = (
        (f"hobby reader, picture {width} wide, where it reads best", yardstick),
        ("hobby reader, 1280x960", _times(lambda f: hobby.read(f, 1280, 2), stills)),
        ("`read_tray`, two dice, calibrated, 1280x960", _times(lambda f: read_tray(f, calibration, 2), stills)),
        ("`read_tray`, two dice, any scene, 1280x960", _times(lambda f: read_tray(f, None, 2), stills[:4])),
        ("motion step, 640x480", _times(follow, small)),
    )
    head = "| what | median ms | p95 ms | hobby's median / this |\n|---|---|---|---|"
    return "\n".join([head, *(_row(name, times, float(np.median(yardstick))) for name, times in rows)])


def _shrunk(frame: Frame) -> Frame:
    return cv2.resize(frame, (640, 480), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _times(work: Callable[[Frame], object], frames: Sequence[Frame]) -> list[float]:
    """Return the milliseconds of the processor for each of `ROUNDS` calls, after one for every picture to warm up."""
    for frame in frames:
        work(frame)
    times = []
    for k in range(ROUNDS):
        begin = time.thread_time()
        work(frames[k % len(frames)])
        times.append(1000 * (time.thread_time() - begin))
    return times


def _row(name: str, times: Sequence[float], yardstick: float) -> str:
    median, late = np.percentile(times, [50, 95])
    return f"| {name} | {median:.2f} | {late:.2f} | {yardstick / median:.2f} |"
