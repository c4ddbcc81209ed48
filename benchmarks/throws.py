"""Rendered throws by the thousand: how often the reader is right, refuses and lies.

`python -m benchmarks.throws --first 520000 --throws 10000 --jobs 2 --out X.md` reads throws 520000 to 529999 and
writes the report. The second opinion has learned from many of those before throw 467000, from 764800 to 774799,
from 804000 to 813999, and from some sixty that were lies once: up to 777570, and of those with slight leans from
1000106 on. Ten thousand take some 30 minutes of two cores; what was read is kept and a second call goes on from there,
with the same reader.
From throw 1000000 on a die leans in all of them, in half by 8 to 17 degrees: `--first 1000000 --throws 1000`.
Throw number K is always the same throw: `--case K --dump DIR` writes its picture, the empty tray and the truth.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache, lru_cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2

import vision
from benchmarks.throws_report import PER_SETUP, Record, write_report
from vision import Calibration, CalibrationError, TrayReading, calibrate, read_tray
from vision.render.case import Case, Tier, draw_case, make_case, make_fault
from vision.render.setup import LARGE, SMALL, Setup, Size, make_setup
from vision.render.truth import DieTruth, Truth, truth_of
from vision.types import Frame

RESULTS = {LARGE: Path("build/throws.jsonl"), SMALL: Path("build/throws-small.jsonl")}
"""Where what was read is kept, by the size of the pictures: a throw's number is the same in both."""

_GOOD = {Tier.EASY: 14, Tier.NORMAL: 14, Tier.HARD: 8, Tier.MANY: 4, Tier.FAULTS: 10}
_HARD = {Tier.HARD: 30, Tier.MANY: 6, Tier.FAULTS: 14}
_TIERS = {
    is_good: [tier for tier, count in shares.items() for _ in range(count)]
    for is_good, shares in ((True, _GOOD), (False, _HARD))
}

LEANING_FROM = 1_000_000
LEANING = ("slight_die", "cocked_die", "slight_wall", "cocked_wall")
"""From this throw on a die leans, in these ways in turn."""


def has_good_light(number: int) -> bool:
    """Return whether throw *number* lies under good light: two of three tables do."""
    return (number // PER_SETUP) % 3 != 2


def tier_of(number: int) -> Tier:
    """Return the tier of throw *number*."""
    if number >= LEANING_FROM:
        return Tier.FAULTS
    return _TIERS[has_good_light(number)][(7 * number) % PER_SETUP]


@lru_cache(maxsize=2)
def setup_of(number: int, size: Size = LARGE) -> Setup:
    """Return the table on which throw *number*, a multiple of `PER_SETUP`, is made."""
    return make_setup(number // PER_SETUP, is_good=has_good_light(number), size=size)


def thrown(setup: Setup, number: int) -> Case:
    """Return what lies on *setup* in throw *number*."""
    if number >= LEANING_FROM:
        return make_fault(setup, LEANING[number % len(LEANING)], number)
    return make_case(setup, tier_of(number), number)


def case_of(number: int, size: Size = LARGE) -> tuple[Setup, Case, Frame]:
    """Return throw *number*: its table, what lies there, and its picture, of *size*."""
    setup = setup_of(number - number % PER_SETUP, size)
    case = thrown(setup, number)
    return setup, case, draw_case(setup, case)


def read_throw(number: int, size: Size = LARGE) -> Record:
    """Read throw *number* in a picture of *size* and say what became of it."""
    setup, case, picture = case_of(number, size)
    truth = truth_of(setup, case, picture)
    calibration = calibration_of(number - number % PER_SETUP, size)
    if isinstance(calibration, str):
        return _record(number, truth, "uncalibrated", calibration)
    begin = time.thread_time()
    reading = read_tray(picture, calibration, case.expected)
    ms = 1000 * (time.thread_time() - begin)
    said = "refused" if reading.fault is not None else "right" if reading.faces == case.faces else "lie"
    if said == "refused" and reading.fault in case.faults:
        said = "named"
    found = _matched(truth["dice"], reading)
    return _record(number, truth, said, str(reading.faces or reading.fault), ms, found, reading.note)


def _record(
    number: int, truth: Truth, verdict: str, said: str, ms: float = 0.0, dice: Sequence[Any] = (), note: str = ""
) -> Record:
    return {
        "number": number,
        "light": truth["light"],
        "tier": truth["tier"],
        "kind": truth["kind"],
        "legible": truth["legible"],
        "bodies": sorted({die["material"] for die in truth["dice"]}),
        "truth": truth["faces"] or truth["faults"],
        "verdict": verdict,
        "said": said,
        "ms": round(ms, 2),
        "dice": list(dice),
        "note": note[:200],
        "reader": reader_mark(),
    }


@cache
def reader_mark() -> str:
    """Return a mark of the reader and the renderer as they are: another one if any of their files is another."""
    kept = Path(vision.__file__).parent.rglob("*")
    # What Python and Numba keep of what they compiled is none of the files, and comes while they run.
    files = sorted(path for path in kept if path.is_file() and path.parent.name != "__pycache__")
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()[:12]


def _matched(truth: Sequence[DieTruth], reading: TrayReading) -> list[tuple[int, int | None, float]]:
    """Return for each die that was seen the face of the real one there (0: none), the face read, and the confidence."""
    pairs = []
    for die in reading.dice:
        near = min(truth, key=lambda real: _apart(real, die.centre_px), default=None)
        real = 0 if near is None or _apart(near, die.centre_px) > _side_px(near) * 0.6 else near["face"]
        pairs.append((real, die.face, round(die.confidence, 4)))
    return pairs


def _apart(real: DieTruth, centre_px: tuple[float, float]) -> float:
    return float(((real["centre_px"][0] - centre_px[0]) ** 2 + (real["centre_px"][1] - centre_px[1]) ** 2) ** 0.5)


def _side_px(real: DieTruth) -> float:
    return _apart({**real, "centre_px": real["corners_px"][0]}, real["corners_px"][1])


@lru_cache(maxsize=2)
def calibration_of(number: int, size: Size = LARGE) -> Calibration | str:
    """Return the calibration of the table of throw *number*, or why there is none."""
    try:
        return calibrated(setup_of(number, size))
    except CalibrationError as error:
        return str(error)


def calibrated(setup: Setup) -> Calibration:
    """Return the calibration of *setup* from pictures of it empty, its corners told."""
    return calibrate(setup.empty(), tray_mm=setup.table.tray_mm, die_mm=setup.die_mm, corners=setup.corners_px)


def _read_all(numbers: Sequence[int], size: Size) -> list[Record]:
    cv2.setNumThreads(1)
    return [read_throw(number, size) for number in numbers]


def _by_table(numbers: Iterable[int]) -> list[list[int]]:
    return [list(group) for _, group in groupby(sorted(numbers), key=lambda number: number // PER_SETUP)]


def run(numbers: Sequence[int], results: Path, jobs: int, size: Size = LARGE) -> Iterator[Record]:
    """Yield the records of *numbers*; those that *results* has are not read again, the others are added to it.

    Raises
    ------
    ValueError
        If *results* has some of another reader.
    """
    stored = _stored(results)
    if any(record.get("reader") != reader_mark() for record in stored):
        raise ValueError(f"{results}: holds throws that another reader read; name other --results, or give --fresh")
    known = {record["number"]: record for record in stored}
    yield from (known[number] for number in numbers if number in known)
    tables = _by_table(number for number in numbers if number not in known)
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text("".join(json.dumps(record) + "\n" for record in known.values()), encoding="utf-8")
    with ProcessPoolExecutor(max_workers=jobs) as pool, open(results, "a", encoding="utf-8") as file:
        for done in as_completed([pool.submit(_read_all, table, size) for table in tables]):
            for record in done.result():
                file.write(json.dumps(record) + "\n")
                yield record
            file.flush()


def _stored(results: Path) -> list[Record]:
    if not results.exists():
        return []
    with open(results, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def dump(number: int, folder: Path, size: Size = LARGE) -> None:
    """Write picture, empty tray, truth and calibration corners of throw *number* into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    setup, case, picture = case_of(number, size)
    truth = {
        **truth_of(setup, case, picture),
        "number": number,
        "die_mm": setup.die_mm,
        "tray_mm": setup.table.tray_mm,
        "empty_corners_px": setup.corners_px,
    }
    cv2.imwrite(str(folder / f"{number:05d}.png"), picture)
    cv2.imwrite(str(folder / f"{number:05d}_empty.png"), setup.empty()[0])
    (folder / f"{number:05d}.json").write_text(json.dumps(truth, indent=1), encoding="utf-8")


def main() -> None:
    """Read what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throws", description=__doc__)
    parser.add_argument("--throws", type=int, default=1000, help="read throws 0 to THROWS - 1")
    parser.add_argument("--first", type=int, default=0, help="begin with this throw instead of 0")
    parser.add_argument("--tier", choices=[tier.value for tier in Tier], help="only throws of this tier")
    parser.add_argument("--small", action="store_true", help="pictures of 640x480, which films are")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--results", type=Path, help="what has been read, of pictures of one size; goes on there")
    parser.add_argument("--fresh", action="store_true", help="forget what has been read before")
    parser.add_argument("--out", type=Path, help="write the report here, pictures beside it")
    parser.add_argument("--case", type=int, action="append", help="read this throw only, and say what came of it")
    parser.add_argument("--dump", type=Path, help="with --case: write picture and truth into this folder")
    options = parser.parse_args()
    size = SMALL if options.small else LARGE
    results = options.results or RESULTS[size]
    for number in options.case or ():
        if options.dump:
            dump(number, options.dump, size)
        print(json.dumps(read_throw(number, size)))
    if options.case:
        return
    if options.fresh:
        results.unlink(missing_ok=True)
    numbers = [n for n in range(options.first, options.first + options.throws) if options.tier in (None, tier_of(n))]
    records = []
    try:
        for record in run(numbers, results, options.jobs, size):
            records.append(record)
            if record["verdict"] == "lie":
                print(json.dumps(record), flush=True)
    except ValueError as error:
        parser.error(str(error))
    text = write_report(sorted(records, key=lambda record: record["number"]), options.out, partial(case_of, size=size))
    print(text, end="")


if __name__ == "__main__":
    main()
