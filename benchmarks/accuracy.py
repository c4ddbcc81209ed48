"""How often the reader is right, refuses and lies, on pictures with truth."""

from __future__ import annotations

import csv
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from benchmarks import hobby
from benchmarks.variant import EMPTY, UNCHANGED, Variant
from hardware.pictures import load_picture
from vision import Calibration, calibrate, prepare, read_tray

Answer = TypeVar("Answer")

SHARED = Path(__file__).resolve().parents[2] / "shared"
MOST_DICE = 6


@dataclass(frozen=True)
class Case:
    """One picture and what must be said of it: faces high to low, or None where it must be refused."""

    group: str
    path: Path
    dice: int
    faces: tuple[int, ...] | None
    fault: tuple[str, ...] = ()
    empty: Path | None = None
    corners: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What became of a case: right, refused (named: with the right fault), or a lie; and the hobby reader.

    `ms` is time of the processor, on one core; `hobby` has these two for each of `hobby.WIDTHS`.
    """

    case: Case
    kind: str
    said: str
    ms: float
    hobby: dict[int, tuple[str, float]]


def photographs(folder: Path = SHARED / "dice-photos") -> Iterator[Case]:
    """Yield the still photographs of up to `MOST_DICE` dice whose faces are known."""
    with open(folder / "truth.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            known = row["kind"] != "video" and row["faces"] and int(row["n_dice"]) <= MOST_DICE
            if known:
                faces = tuple(sorted(map(int, row["faces"].split()), reverse=True))
                group = row["id"].split("_")[0] + ("" if row["kind"] == "topdown" else ", oblique")
                yield Case(group, folder / row["file"], int(row["n_dice"]), faces)


def trays(folder: Path = SHARED / "tray-samples") -> Iterator[Case]:
    """Yield the photorealistic stills of calibrated trays."""
    with open(folder / "truth.jsonl", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            is_read = row["expected"] == "read"
            faces = tuple(sorted((die["face"] for die in row["dice"]), reverse=True)) if is_read else None
            corners = tuple((x - 0.5, y - 0.5) for x, y in row["empty_tray_corners"])
            names = () if is_read else (row["fault"], *row["also_ok"])
            tier = f"{row['tier']}, {'legible' if row['legible'] else 'barely legible'}"
            group = tier if is_read else f"fault: {row['fault']}"
            yield Case(group, folder / row["file"], row["dice_expected"], faces, names, folder / row["empty"], corners)


def judge(case: Case) -> Verdict:
    """Read the picture of *case* and say what became of it."""
    cv2.setNumThreads(1)
    picture = load_picture(case.path)
    calibration = None if case.empty is None else calibration_of(case.empty, case.corners)
    prepare(calibration)
    reading, ms = _timed(lambda: read_tray(picture, calibration, case.dice))
    tried = {}
    for width in hobby.WIDTHS:
        faces, hobby_ms = _timed(lambda: hobby.read(picture, width, case.dice))  # noqa: B023 (called at once)
        tried[width] = (kind_of(case, faces, ""), hobby_ms)
    fault = str(reading.fault)
    return Verdict(case, kind_of(case, reading.faces, fault), str(reading.faces or fault), ms, tried)


def _timed(work: Callable[[], Answer]) -> tuple[Answer, float]:
    begin = time.thread_time()
    answer = work()
    return answer, 1000 * (time.thread_time() - begin)


def kind_of(case: Case, faces: tuple[int, ...] | None, fault: str) -> str:
    """Return what became of *case*, as in `Verdict`, when *faces* or a *fault* are said."""
    if faces is not None:
        return "right" if faces == case.faces else "lie"
    return "named" if fault in case.fault else "refused"


@lru_cache(16)
def calibration_of(empty: Path, corners: tuple[tuple[float, float], ...], variant: Variant = UNCHANGED) -> Calibration:
    """Return the calibration of a tray of the samples, its *empty* picture and its *corners* changed to a *variant*."""
    frame = load_picture(empty)
    at = variant.corners(corners, frame.shape[1])
    return calibrate([variant.picture(frame, seed=EMPTY)], tray_mm=(300.0, 220.0), die_mm=16.0, corners=at)


def judged(cases: Iterable[Case]) -> list[Verdict]:
    """Judge all *cases*, on all cores."""
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(judge, cases, chunksize=4))


def best_width(verdicts: Iterable[Verdict]) -> int:
    """Return the width at which the hobby reader reads most of *verdicts*' pictures right."""
    right: Counter[int] = Counter()
    for verdict in verdicts:
        right.update(width for width, (kind, _) in verdict.hobby.items() if kind == "right")
    return max(hobby.WIDTHS, key=lambda width: right[width])


def photo_table(verdicts: Sequence[Verdict], width: int) -> str:
    """Return a Markdown table: per source the pictures, read right, refused, lies and ms, beside the hobby reader's."""
    groups = _grouped(verdicts)
    straight = [verdict for verdict in verdicts if "oblique" not in verdict.case.group]
    head = (
        "| source | pictures | right | refused | lies | ms, median | ms, p95 "
        "| hobby: right | hobby: lies | hobby: ms |\n"
        "|---|---|---|---|---|---|---|---|---|---|"
    )
    rows = [_row(group, found, width) for group, found in [*sorted(groups.items()), ("**all from above**", straight)]]
    return "\n".join([head, *rows])


def _grouped(verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.case.group, []).append(verdict)
    return groups


def _row(group: str, verdicts: Sequence[Verdict], width: int) -> str:
    total = len(verdicts)
    ours, theirs = Counter(v.kind for v in verdicts), Counter(v.hobby[width][0] for v in verdicts)
    median, late = np.percentile([v.ms for v in verdicts], [50, 95])
    hobby_ms = float(np.median([v.hobby[width][1] for v in verdicts]))
    return (
        f"| {group} | {total} | {ours['right']} ({ours['right'] / total:.0%}) | {ours['refused'] + ours['named']} "
        f"| {ours['lie']} | {median:.1f} | {late:.1f} "
        f"| {theirs['right']} ({theirs['right'] / total:.0%}) | {theirs['lie']} | {hobby_ms:.1f} |"
    )


def tray_table(verdicts: Sequence[Verdict], width: int) -> str:
    """Return a Markdown table: per tier the pictures, right, refused (right name or not), lies, ms; the hobby's."""
    head = (
        "| tier | pictures | right | refused, right name | refused, other | lies | ms, median | ms, p95 "
        "| hobby: right | hobby: lies |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    rows = []
    for group, found in sorted(_grouped(verdicts).items()):
        ours, theirs = Counter(v.kind for v in found), Counter(v.hobby[width][0] for v in found)
        median, late = np.percentile([v.ms for v in found], [50, 95])
        counts = " | ".join(str(ours[kind]) for kind in ("right", "named", "refused", "lie"))
        rows.append(
            f"| {group} | {len(found)} | {counts} | {median:.1f} | {late:.1f} | {theirs['right']} | {theirs['lie']} |"
        )
    return "\n".join([head, *rows])
