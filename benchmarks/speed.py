"""How long a picture takes, in this process, on one core."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

import vision.glance
import vision.tray.at_once
import vision.tray.judging
import vision.tray.reader
from benchmarks import hobby
from vision import Calibration, calibrate, motion, read_tray
from vision.render import Table
from vision.render.throw import throw
from vision.types import Frame

ROUNDS = 40

THROWN = tuple(throw(random.Random(k), 2) for k in range(8))

STAGES = (
    (vision.glance, "shrunk", "the picture, 3.7 MB, read and shrunk to a quarter: bandwidth"),
    (vision.tray.reader, "glance", "that, and the whole tray coarsely: light, tremble, what is new"),
    (vision.tray.reader, "closeups", "what is new, straightened; bodies and shadows"),
    (vision.tray.at_once, "pips_of", "round spots at eleven grey levels"),
    (vision.tray.at_once, "propose_flat", "layouts over them, and what lies beneath each"),
    (vision.tray.judging, "second_opinions", "the network, seven million products a die"),
    (vision.tray.at_once, "weighed", "outline, blur, what is left over"),
)
"""The parts of `read_tray` that cost something, in order, and what they do; the first is in the second."""


def speed_table(width: int, why: str = "") -> str:
    """Return a Markdown table: milliseconds per picture, median and 95th percentile, beside the hobby reader's.

    The hobby reader is timed with pictures of their own width and *width* wide; *why* tells what that is.
    """
    cv2.setNumThreads(1)
    calibration, stills = _pictures()
    small = [_shrunk(frame) for frame in stills]
    narrow = _times(lambda frame: hobby.read(frame, width, 2), stills)
    whole = _times(lambda frame: hobby.read(frame, 1280, 2), stills)
    state = motion.start()

    def follow(frame: Frame) -> None:
        nonlocal state
        state, _ = motion.step(state, frame, None, None)

    # Pictures of different throws in turn are all motion: nothing is read, only the motion step is timed.
    rows = (
        ("hobby reader, 1280x960", whole),
        (f"hobby reader, picture {width} wide{why}", narrow),
        ("`read_tray`, two dice, calibrated, 1280x960", _times(lambda f: read_tray(f, calibration, 2), stills)),
        ("`read_tray`, two dice, any scene, 1280x960", _times(lambda f: read_tray(f, None, 2), stills[:4])),
        ("motion step, 640x480", _times(follow, small)),
    )
    yardsticks = [float(np.median(times)) for times in (whole, narrow)]
    head = f"| what | median ms | p95 ms | hobby at 1280 / this | hobby at {width} / this |\n|---|---|---|---|---|"
    return "\n".join([head, *(_row(name, times, yardsticks) for name, times in rows)])


def hobby_line() -> str:
    """Return how many of the pictures that are timed the hobby reader reads at all."""
    _, stills = _pictures()
    faces = [tuple(sorted((die.top for die in thrown), reverse=True)) for thrown in THROWN]
    right = max(
        sum(hobby.read(still, width, 2) == truth for still, truth in zip(stills, faces, strict=True))
        for width in hobby.WIDTHS
    )
    timed, widths = len(stills), len(hobby.WIDTHS)
    return f"Of the {timed} pictures that are timed the hobby reader reads {right}, at the best of its {widths} widths."


def stages_table() -> str:
    """Return a Markdown table: where the milliseconds of `read_tray` go, two dice on a calibrated tray, 1280x960."""
    cv2.setNumThreads(1)
    calibration, stills = _pictures()
    spent: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as stack:
        for module, name, _ in STAGES:
            stack.enter_context(patch.object(module, name, _timed(getattr(module, name), spent[name])))
        _times(lambda frame: _one(frame, calibration, spent), stills)
    rows = [f"| `{name}` | {np.median(spent[name]):.2f} | {what} |" for _, name, what in STAGES]
    return "\n".join(["| stage | median ms | what it does |\n|---|---|---|", *rows])


def _one(frame: Frame, calibration: Calibration, spent: dict[str, list[float]]) -> None:
    """Read *frame* and make one number for each stage of what it took in all."""
    before = {name: len(times) for name, times in spent.items()}
    read_tray(frame, calibration, 2)
    for name, times in spent.items():
        times[before[name] :] = [sum(times[before[name] :])]


def _timed(work: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    def timed(*given: Any, **named: Any) -> Any:
        with _clock(spent):
            return work(*given, **named)

    return timed


@contextmanager
def _clock(spent: list[float]) -> Iterator[None]:
    begin = time.thread_time()
    yield
    spent.append(1000 * (time.thread_time() - begin))


def _pictures() -> tuple[Calibration, list[Frame]]:
    """Return a calibrated tray and eight throws of two dice in it."""
    table = Table(seed=3)
    calibration = calibrate([table.empty(seed=1)], tray_mm=table.tray_mm, corners=table.corners_px)
    return calibration, [table.picture(thrown, seed=k) for k, thrown in enumerate(THROWN)]


def _shrunk(frame: Frame) -> Frame:
    return cv2.resize(frame, (640, 480), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _times(work: Callable[[Frame], object], frames: Sequence[Frame]) -> list[float]:
    """Return the milliseconds of the processor for each of `ROUNDS` calls, after one for every picture to warm up."""
    for frame in frames:
        work(frame)
    times: list[float] = []
    for k in range(ROUNDS):
        with _clock(times):
            work(frames[k % len(frames)])
    return times


def _row(name: str, times: Sequence[float], yardsticks: Sequence[float]) -> str:
    median, late = np.percentile(times, [50, 95])
    ratios = " | ".join(f"{yardstick / median:.1f}" for yardstick in yardsticks)
    return f"| {name} | {median:.2f} | {late:.2f} | {ratios} |"
