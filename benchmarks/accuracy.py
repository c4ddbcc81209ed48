"""How often the reader is right, refuses and lies, on pictures with truth."""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hardware.pictures import load_picture
from vision import Calibration, TrayReading, calibrate, read_tray

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
    """What became of a case: right, refused (named: with the right fault), or a lie."""

    case: Case
    kind: str
    said: str


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
            group = f"{row['tier']}, {'legible' if row['legible'] else 'barely legible'}" if is_read else "faults"
            yield Case(group, folder / row["file"], row["dice_expected"], faces, names, folder / row["empty"], corners)


def judge(case: Case) -> Verdict:
    """Read the picture of *case* and say what became of it."""
    calibration = None if case.empty is None else _calibration(case.empty, case.corners)
    reading = read_tray(load_picture(case.path), calibration, case.dice)
    return Verdict(case, _kind(case, reading), str(reading.faces or reading.fault))


def _kind(case: Case, reading: TrayReading) -> str:
    if reading.faces is not None:
        return "right" if reading.faces == case.faces else "lie"
    return "named" if str(reading.fault) in case.fault else "refused"


@cache
def _calibration(empty: Path, corners: tuple[tuple[float, float], ...]) -> Calibration:
    return calibrate([load_picture(empty)], tray_mm=(300.0, 220.0), die_mm=16.0, corners=corners)


def judged(cases: Iterable[Case]) -> list[Verdict]:
    """Judge all *cases*, on all cores."""
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(judge, cases, chunksize=4))


def photo_table(verdicts: Iterable[Verdict]) -> str:
    """Return a Markdown table: pictures, read right, refused and lies per source, and of all top-down ones."""
    groups: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.case.group, Counter())[verdict.kind] += 1
    straight = sum((count for group, count in groups.items() if "oblique" not in group), Counter())
    rows = [*sorted(groups.items()), ("**all from above**", straight)]
    head = "| source | pictures | right | refused | lies |\n|---|---|---|---|---|"
    return "\n".join([head, *(_row(group, count) for group, count in rows)])


def _row(group: str, count: Counter[str]) -> str:
    total = count.total()
    refused = count["refused"] + count["named"]
    return f"| {group} | {total} | {count['right']} ({count['right'] / total:.0%}) | {refused} | {count['lie']} |"


def tray_table(verdicts: Iterable[Verdict]) -> str:
    """Return a Markdown table: per tier the pictures, read right, refused with the right name, refused, and lies."""
    groups: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.case.group, Counter())[verdict.kind] += 1
    head = "| tier | pictures | right | refused, right name | refused, other | lies |\n|---|---|---|---|---|---|"
    kinds = ("right", "named", "refused", "lie")
    rows = (f"| {g} | {c.total()} | " + " | ".join(str(c[k]) for k in kinds) + " |" for g, c in sorted(groups.items()))
    return "\n".join([head, *rows])
