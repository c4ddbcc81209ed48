"""Many dice in one tray: how often all of them are read, by their number and by what they are made of.

`python -m benchmarks.heaps --first 50000 --tables 64 --out docs/heaps.md` draws three throws of 13 to 30 dice on each
of so many tables, two of three under good light, and reads them; some ten minutes of one core.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import dist
from pathlib import Path

import cv2
import numpy as np

from benchmarks.throws import calibrated
from vision import CalibrationError, TrayReading, read_tray
from vision.overlay import draw
from vision.render.case import draw_case, make_heap
from vision.render.setup import make_setup
from vision.render.truth import DieTruth, Truth, truth_of
from vision.types import Frame

DICE = (13, 30)
A_TABLE = 3
NEAR = 1.0
"""Sides of a die within which a die that was not read is marked, or it is not told where it lies."""

WHY = """Every die must be read for the throw to be, so one in fifty lost loses half of the throws of thirty. Of the
dice that cost a reading, in this order: pips of the bottom shine through a clear die, and a two over a five looks
much like a five of which a lamp hides three pips; a lamp is mirrored in a shining top and its pips are gone, or a
white pip in it is no lighter than the lamp; veins of marble run into pips of their colour. So: dice of one opaque
colour, dull rather than shining, and no lamp where a mirror in the tray would show it.

A picture that was refused is drawn with red rings around what was not clear, on the guests' pages and with `read
--overlay`: lay those dice anew, all watching, and take the hand away; what was refused when dice are shown is read
once it lies otherwise. With `reveal = in_place` no more dice than one seat has are read at a time, and a refusal
costs that seat's part alone (docs/liars_common.md)."""


@dataclass(frozen=True)
class Heap:
    """What became of one throw."""

    name: str
    truth: Truth
    reading: TrayReading
    ms: float

    @property
    def verdict(self) -> str:
        """Right, refused or a lie."""
        if self.reading.faces is None:
            return "refused"
        return "right" if list(self.reading.faces) == self.truth["faces"] else "lie"

    @property
    def made_of(self) -> str:
        """Of what its dice are made, and whether a person could read them."""
        clear = any(die["material"] == "clear" for die in self.truth["dice"])
        return f"{'some clear' if clear else 'all opaque'}{'' if self.truth['legible'] else ', faint'}"

    @property
    def number(self) -> str:
        """About how many dice."""
        count = len(self.truth["dice"])
        return next(f"{low} to {high}" for low, high in ((13, 19), (20, 25), (26, 30)) if count <= high)


@dataclass
class LeftOut:
    """How many tables the calibration refused, and how many throws on the others had no room."""

    tables: int = 0
    throws: int = 0

    def __str__(self) -> str:
        """Say so in a sentence."""
        return f"Left out are {self.tables} tables that the calibration refuses, and {self.throws} throws without room."


def heaps(tables: Sequence[int], left_out: LeftOut) -> Iterator[tuple[Heap, Frame]]:
    """Yield the throws on *tables*, each with its picture; what cannot be thrown or read is counted in *left_out*."""
    for number in tables:
        setup = make_setup(number, is_good=number % 3 != 2)
        try:
            calibration = calibrated(setup)
        except CalibrationError:
            left_out.tables += 1
            continue
        for seed in range(A_TABLE):
            try:
                case = make_heap(setup, DICE, seed)
            except ValueError:
                left_out.throws += 1
                continue
            picture = draw_case(setup, case)
            begin = time.thread_time()
            reading = read_tray(picture, calibration, case.expected)
            ms = 1000 * (time.thread_time() - begin)
            yield Heap(f"{number}/{seed}", truth_of(setup, case, picture), reading, ms), picture


def _table(read: Sequence[Heap], group: Callable[[Heap], str], name: str) -> str:
    counts: dict[str, Counter[str]] = {}
    for heap in read:
        counts.setdefault(group(heap), Counter())[heap.verdict] += 1
    rows = [
        f"| {key} | {count.total()} | {count['right']} ({count['right'] / count.total():.0%}) | {count['lie']} |"
        for key, count in sorted(counts.items())
    ]
    return "\n".join([f"| {name} | throws | read | lies |", "|---|---|---|---|", *rows])


def _marks(read: Sequence[Heap]) -> str:
    """Return how many places refusals mark, and whether dice that were not found, or wrongly, are among them."""
    refused = [heap for heap in read if heap.verdict == "refused"]
    places = [len(heap.reading.unclear) for heap in refused]
    lost = [(heap, die) for heap in refused for die in heap.truth["dice"] if not _is_found(heap.reading, die)]
    marked = sum(any(_apart(die, at) < NEAR for at in heap.reading.unclear) for heap, die in lost)
    told = sum(1 <= count <= 3 for count in places)
    return (
        f"Of {len(refused)} refusals {told} mark one to three places, {sum(p > 3 for p in places)} more, "
        f"{places.count(0)} none. Of {len(lost)} dice that were not found or not as what they are, {marked} are marked."
    )


def _is_found(reading: TrayReading, die: DieTruth) -> bool:
    return any(seen.face == die["face"] and _apart(die, seen.centre_px) < 0.5 for seen in reading.dice)


def _apart(die: DieTruth, at: tuple[float, float]) -> float:
    """Return how far *at* is from the middle of *die*, in its sides."""
    return dist(die["centre_px"], at) / dist(*die["corners_px"][:2])


def report(read: Sequence[Heap], left_out: LeftOut, call: str) -> str:
    """Return the page on *read*, which *call* has drawn but for what was *left_out*, as Markdown."""
    fair = [heap for heap in read if heap.truth["legible"]]
    median, late = np.percentile([heap.ms for heap in read], [50, 95])
    return "\n\n".join(
        [
            "# Many dice in one tray",
            f"{len(read)} drawn throws of {DICE[0]} to {DICE[1]} dice, read once each, `{call}`; "
            f"**{sum(heap.verdict == 'lie' for heap in read)} lies**. `read_tray` takes {median:.0f} ms as a median, "
            f"{late:.0f} at p95. {left_out}",
            _table(read, lambda heap: heap.made_of, "dice"),
            "*Faint*: a pip of one die at least hardly differs from what is around it, and a refusal is fair.",
            _table(fair, lambda heap: heap.number, "legible, by number"),
            _table(fair, lambda heap: heap.truth["light"], "legible, by light"),
            "How photorealistic ones are read stands in docs/traced.md, *One deep network*.",
            "## Where it is",
            _marks(read),
            "## What loses a reading",
            WHY,
        ]
    )


def main() -> None:
    """Read what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.heaps", description=__doc__)
    parser.add_argument("--first", type=int, default=50_000, help="number of the first table")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--out", type=Path, help="write the page here")
    parser.add_argument("--refused", type=Path, help="write what was not read into this folder, with marks")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    read, left_out = [], LeftOut()
    for heap, picture in heaps(range(options.first, options.first + options.tables), left_out):
        read.append(heap)
        if heap.verdict == "lie":
            print(f"lie: {heap.name}: {heap.reading.faces}, truth {heap.truth['faces']}", flush=True)
        if heap.verdict != "right" and options.refused is not None:
            options.refused.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(options.refused / f"{heap.name.replace('/', '_')}.jpg"), draw(picture, heap.reading))
    call = f"python -m benchmarks.heaps --first {options.first} --tables {options.tables}"
    text = report(read, left_out, call) + "\n" if read else f"Nothing was thrown. {left_out}\n"
    if options.out is not None:
        options.out.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
