"""Drawn evenings through the watch, by number: `python -m benchmarks.streams` (docs/watching.md).

Between throws hands push dice, rest over them and pass, cups are put over them, lamps are turned, the camera stalls and
loses pictures. Evening K is always the same one.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

import cv2

from benchmarks.happenings import Evening, Scene
from benchmarks.throws import calibrated
from vision import motion
from vision.calibration import Calibration, CalibrationError
from vision.motion import Watch, WatchEvent
from vision.motion.automaton import OF_THE_TABLE
from vision.motion.tally import SPENT
from vision.render.designs import Body, design
from vision.render.sensor import Shot
from vision.render.setup import Setup, make_setup
from vision.types import Frame

SIZE = (640, 480)
HAPPENINGS = (6, 10)

LOST = (0.0, 0.0, 0.2)
"""The part of its pictures that a camera loses, each as often."""


class Came(StrEnum):
    """What became of a throw, or what was said that should not have been."""

    RIGHT = "read right"
    SPENT = "refused for how its dice lay"
    REFUSED = "refused otherwise"
    LATER = "refused, and read right after a hand had been there"
    TOUCHED = "taken for touched"
    NOTHING = "no verdict"
    LIE = "read wrong"
    EARLY = "read before it lay still"
    SECOND = "read again"


READ = (Came.RIGHT, Came.LIE)

OVER = (*READ, Came.LATER, Came.SPENT)
"""What is not read any more until it is thrown again."""


@dataclass(frozen=True)
class Told:
    """What became of one throw of an evening; *again* where its faces were those of the throw before.

    Throw 0 is the bare tray before the first.
    """

    evening: int
    throw: int
    again: bool
    came: Came


def evening(number: int) -> list[Told] | None:
    """Return what was told on the evening *number*; None where its tray cannot be calibrated."""
    cv2.setNumThreads(1)
    setup = make_setup(number, is_good=number % 2 == 0, size=SIZE)
    try:
        known = calibrated(setup)
    except CalibrationError:
        return None
    rng = random.Random(f"stream {number}")
    pool = [design(rng, setup.die_mm, rng.choice(tuple(Body)))] * 2
    played = Evening(rng, pool, setup.table.shape)
    film = filmed(setup, played.scenes(rng.randint(*HAPPENINGS)), random.Random(f"film {number}"))
    return judged(number, played, watched(film, known))


def filmed(setup: Setup, scenes: Iterable[Scene], rng: random.Random) -> Iterator[tuple[Scene, Frame]]:
    """Yield *scenes* as the camera of *setup* gives them: each with noise of its own, repeated or lost."""
    draw = lru_cache(2)(lambda scene: setup.table.clean(scene.dice, hand=scene.hand, cup=scene.cup))
    lost, last = rng.choice(LOST), None
    for scene in scenes:
        if last is None or not scene.repeats:
            shot = Shot(gain=scene.light, seed=rng.randrange(1 << 30))
            last = setup.sensor.take(draw(replace(scene, light=1.0)), shot)
        if rng.random() >= lost:
            yield scene, last


def watched(film: Iterable[tuple[Scene, Frame]], known: Calibration) -> Iterator[tuple[Scene, WatchEvent]]:
    """Yield what the watch says of a *film* of two dice, each with what was there."""
    state = motion.start()
    for scene, frame in film:
        state, events = motion.step(state, frame, known, 2)
        for event in events:
            yield scene, event


def judged(number: int, played: Evening, events: Iterable[tuple[Scene, WatchEvent]]) -> list[Told]:
    """Return what became of every throw of the evening that was *played*, and what should not have been said."""
    came: dict[int, Came] = {}
    more: list[tuple[int, Came]] = []
    for scene, event in events:
        throw, what = scene.landed, _what(scene, event, played)
        first = came.get(throw)
        if what in READ and throw and first in OVER:
            what = Came.SECOND
        if what in (Came.EARLY, Came.SECOND) or (what in READ and not throw):
            more.append((throw, what))
        elif what is Came.RIGHT and first is Came.REFUSED:
            came[throw] = Came.LATER
        elif what is not None and (first is None or what is Came.LIE):
            came[throw] = what
    throws = [(k, came.get(k, Came.NOTHING)) for k in range(1, len(played.thrown) + 1)]
    faces = [None, *played.thrown]
    return [Told(number, k, k > 1 and faces[k] == faces[k - 1], what) for k, what in (*throws, *more)]


def _what(scene: Scene, event: WatchEvent, played: Evening) -> Came | None:
    """Return what *event* makes of the throw that lies in *scene*, were it the first of it; None if nothing."""
    if event.kind is Watch.READ and event.reading is not None:
        if scene.rolls:
            return Came.EARLY
        is_right = scene.landed and event.reading.faces == played.thrown[scene.landed - 1]
        return Came.RIGHT if is_right else Came.LIE
    if event.kind is Watch.REFUSED and event.reading is not None and event.reading.fault not in OF_THE_TABLE:
        return Came.SPENT if event.reading.fault in SPENT else Came.REFUSED
    return Came.TOUCHED if event.touched else None


def report(told: Iterable[Told]) -> str:
    """Return a Markdown table of what became of the throws, and a line for each that it should not have."""
    every = list(told)
    count = Counter((one.again, one.came) for one in every)
    head = "| of throws | with other faces than before | with the same |\n|---|---|---|"
    rows = [f"| {came} | {count[False, came]} | {count[True, came]} |" for came in Came]
    wrong = (Came.LIE, Came.EARLY, Came.SECOND, Came.NOTHING, Came.TOUCHED)
    lines = [f"- evening {one.evening}, throw {one.throw}: {one.came}" for one in every if one.came in wrong]
    return "\n".join((head, *rows, "", *lines))


def main() -> None:
    """Play the evenings that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streams", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="number of the first evening")
    parser.add_argument("--evenings", type=int, default=60, help="how many")
    parser.add_argument("--jobs", type=int, default=2, help="how many are drawn at once")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.evenings)
    with ProcessPoolExecutor(options.jobs) as pool:
        played = [told for told in pool.map(evening, numbers) if told is not None]
    print(f"{len(played)} of {len(numbers)} evenings, from number {options.first} on; the others' trays are refused.\n")
    print(report(one for told in played for one in told))


if __name__ == "__main__":
    main()
