"""The report on rendered throws: tables, a reliability plot, and the worst cases to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

import cv2
import numpy as np

from vision.render.case import Case
from vision.render.setup import Setup
from vision.render.truth import LEGIBLE, truth_of
from vision.types import Frame

PER_SETUP = 50
"""How many throws are made on one table before the next is set up."""

VERDICTS = ("right", "named", "refused", "lie", "uncalibrated")
_HEADS = ("right", "refused, right name", "refused", "lies", "no calibration")
_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001)
_TILE, _ACROSS, _ROWS = 168, 6, 4
_MOST_BYTES = 150_000

Draw = Callable[[int], tuple[Setup, Case, Frame]]


class Record(TypedDict):
    """What became of one throw; `dice`: real face (0: no die there), face read, confidence of each that was seen.

    `bodies`: what its dice are made of, each once. `reader` marks the reader that read it.
    """

    number: int
    light: str
    tier: str
    kind: str
    legible: bool
    bodies: list[str]
    truth: list[Any]
    verdict: str
    said: str
    ms: float
    dice: list[Any]
    note: str
    reader: str


def write_report(records: Sequence[Record], out: Path | None, draw: Draw) -> str:
    """Return the report on *records* as Markdown; with *out* it is written there, pictures beside it."""
    if not records:
        return "no throw of this tier among these\n"
    times = [record["ms"] for record in records if record["ms"]]
    median, late = np.percentile(times or [0.0], [50, 95])
    lies = [record for record in records if record["verdict"] == "lie"]
    to_read = [record for record in records if record["legible"] and record["tier"] != "faults"]
    parts = [
        "# Rendered throws",
        f"Throws {min(record['number'] for record in records)} to {max(record['number'] for record in records)}, "
        f"{len(records)} on {len({record['number'] // PER_SETUP for record in records})} tables, "
        f"`python -m benchmarks.throws`; **{len(lies)} lies**. A lie is anything read from a picture that must be "
        f"refused, or wrong faces. `read_tray`: median {median:.1f} ms, p95 {late:.1f} ms.",
        "Every table has another tray, cloth, light and camera (35 to 60 cm up, tilted 0 to 12 degrees), every throw "
        "other dice, drawn by `vision/render/`, which shares no model of a die with the reader; the second opinion "
        "learned from dice that it and `scripts/traced` drew, on none of the tables of throws 814000 to 999999. "
        f"*Faint*: a pip differs by less than {LEGIBLE:.0f} steps of 255 from what is around it; a refusal is fair.",
        _not_shown(records),
        "What was tried on which throws, and why: [throws-history.md](throws-history.md).",
        "## By tier",
        _table(records, lambda r: f"{r['tier']}{'' if r['legible'] or r['tier'] == 'faults' else ', faint'}", "tier"),
        "## By kind",
        _table(records, lambda r: f"{r['tier']}: {r['kind']}", "kind"),
        "## By light, legible and to be read",
        _table(to_read, lambda r: r["light"], "light"),
        "## By what the dice are made of, legible and to be read",
        _table(to_read, lambda r: f"{r['tier']}: {' and '.join(r['bodies'])}", "dice"),
        "## What refused pictures were called",
        _names(records),
        "## Faces, die by die",
        "Dice that the reader put a face to, in pictures read or refused; rows are the truth, 0 is no die.",
        _confusion(records),
        "## Confidence",
        _reliability(records),
    ]
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        plot, sheet = (out.with_name(f"{out.stem}-{name}") for name in ("confidence.png", "worst.jpg"))
        cv2.imwrite(str(plot), _plot(records))
        parts += [f"![confidence against hits]({plot.name})", "## The worst", f"![the worst throws]({sheet.name})"]
        _save_small(sheet, _sheet(_worst(records), draw))
    parts += [_lie(record) for record in lies]
    text = "\n\n".join(parts) + "\n"
    if out is not None:
        out.write_text(text, encoding="utf-8")
    return text


def _not_shown(records: Iterable[Record]) -> str:
    """Return what none of the throws shows; dice that lean by little are among some (`benchmarks.throws`)."""
    leaning = (
        "dice that lean do so by 17 degrees and more. Of those that lean by "
        "8 to 17 one in fifty to two hundred is read, with the face that is up "
        "([Dice that lean by little](throws-history.md#dice-that-lean-by-little-throws-1000000-on)). "
    )
    lean_slightly = any(record["kind"].startswith("slight") for record in records)
    return (
        f"**What these throws do not show**: {'' if lean_slightly else leaning}"
        "Dice that move go 3.5 mm and more while the shutter is open; of photorealistic ones that go less "
        "one in four is read ([Dice that move](traced.md#dice-that-move))."
    )


def _lie(record: Record) -> str:
    what = f"{record['tier']}, {record['kind']}"
    return f"Lie: throw {record['number']} ({what}): read {record['said']}, truth {record['truth']}"


def _table(records: Iterable[Record], group: Callable[[Record], str], name: str) -> str:
    counts: dict[str, Counter[str]] = {}
    for record in records:
        counts.setdefault(group(record), Counter())[record["verdict"]] += 1
    seen = {verdict for count in counts.values() for verdict in count}
    used = [k for k, verdict in enumerate(VERDICTS) if verdict != "uncalibrated" or verdict in seen]
    head = f"| {name} | throws | " + " | ".join(_HEADS[k] for k in used) + " |"
    rows = [
        f"| {key} | {count.total()} | "
        + " | ".join(f"{count[VERDICTS[k]]} ({count[VERDICTS[k]] / count.total():.1%})" for k in used)
        + " |"
        for key, count in sorted(counts.items())
    ]
    return "\n".join([head, "|---" * (2 + len(used)) + "|", *rows])


def _names(records: Iterable[Record]) -> str:
    """Return a table of what should be said of a picture against what was."""
    counts: dict[str, Counter[str]] = {}
    for record in records:
        should = record["kind"] if record["tier"] == "faults" else "(to be read)"
        said = "(read)" if record["verdict"] in ("right", "lie") else record["said"]
        counts.setdefault(should, Counter())[said] += 1
    names = sorted({name for count in counts.values() for name in count if len(name) < 20})
    head = "| is | " + " | ".join(names) + " |"
    rows = []
    for key, count in sorted(counts.items()):
        rows.append(f"| {key} | " + " | ".join(str(count[name] or "") for name in names) + " |")
    return "\n".join([head, "|---" * (1 + len(names)) + "|", *rows])


def _confusion(records: Iterable[Record]) -> str:
    counts: Counter[tuple[int, int]] = Counter()
    for record in records:
        counts.update((real, read) for real, read, _ in record["dice"] if read is not None)
    rows = []
    for real in range(7):
        rows.append(f"| **{real}** | " + " | ".join(str(counts[real, read] or "") for read in range(1, 7)) + " |")
    return "\n".join(["| is \\ read | 1 | 2 | 3 | 4 | 5 | 6 |", "|---|---|---|---|---|---|---|", *rows])


def _bins(records: Iterable[Record]) -> list[tuple[float, float, int, int]]:
    """Return for each bin of confidence its edges, the dice that were given a face, and how many of them rightly."""
    pairs = [(conf, real == read) for r in records for real, read, conf in r["dice"] if read is not None]
    bins = []
    for low, high in pairwise(_EDGES):
        hits = [hit for conf, hit in pairs if low <= conf < high]
        bins.append((low, min(high, 1.0), len(hits), sum(hits)))
    return bins


def _reliability(records: Sequence[Record]) -> str:
    rows = []
    for low, high, dice, hits in _bins(records):
        share = f"{hits / dice:.2%}" if dice else ""
        rows.append(f"| {low:.2f} to {high:.2f} | {dice} | {hits} | {share} |")
    return "\n".join(["| confidence | dice | right | share |", "|---|---|---|---|", *rows])


def _plot(records: Sequence[Record]) -> Frame:
    """Return a picture of the share of right faces over the confidence, shape (300, 300, 3)."""
    picture = np.full((300, 300, 3), 255, np.uint8)
    low, side = 40, 240

    def place(x: float, y: float) -> tuple[int, int]:
        return round(low + side * x), round(20 + side * (1 - y))

    for step in range(6):
        share = step / 5
        cv2.line(picture, place(0, share), place(1, share), (225, 225, 225), 1)
        for corner in ((8, place(0, share)[1] + 4), (place(share, 0)[0] - 8, 276)):
            cv2.putText(picture, f"{share:.1f}", corner, cv2.FONT_HERSHEY_SIMPLEX, 0.35, (90, 90, 90), 1)
    cv2.line(picture, place(0, 0), place(1, 1), (180, 180, 180), 1, cv2.LINE_AA)
    points = [((a + b) / 2, hits / dice, dice) for a, b, dice, hits in _bins(records) if dice]
    for one, two in pairwise(points):
        cv2.line(picture, place(*one[:2]), place(*two[:2]), (170, 90, 30), 2, cv2.LINE_AA)
    for x, y, dice in points:
        cv2.circle(picture, place(x, y), 3 + round(np.log10(dice)), (170, 90, 30), -1, cv2.LINE_AA)
    cv2.putText(picture, "right faces over confidence", (60, 294), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40), 1)
    return picture


def _worst(records: Sequence[Record]) -> list[Record]:
    """Return the throws to look at: lies, then legible ones refused, easy ones first, then faults by a wrong name."""
    order = ("easy", "normal", "many", "hard")
    refused = [r for r in records if r["verdict"] == "refused" and r["legible"] and r["tier"] in order]
    refused.sort(key=lambda r: (order.index(r["tier"]), r["number"]))
    misnamed = [r for r in records if r["verdict"] == "refused" and r["tier"] == "faults"]
    lies = [r for r in records if r["verdict"] == "lie"]
    room = _ACROSS * _ROWS - len(lies)
    shared = refused[: max(room - min(len(misnamed), room // 3), 0)]
    return (lies + shared + misnamed)[: _ACROSS * _ROWS]


def _sheet(records: Sequence[Record], draw: Draw) -> Frame:
    """Return the pictures of *records* cut to their dice, with what is and what was said, as one picture."""
    tiles = [_tile(record, *draw(record["number"])) for record in records]
    blank = np.full((_TILE + 30, _TILE, 3), 255, np.uint8)
    tiles += [blank] * (_ACROSS if not tiles else -len(tiles) % _ACROSS)
    rows = [np.hstack(tiles[k : k + _ACROSS]) for k in range(0, len(tiles), _ACROSS)]
    return np.asarray(np.vstack(rows), np.uint8)


def _tile(record: Record, setup: Setup, case: Case, picture: Frame) -> Frame:
    points = [point for die in truth_of(setup, case, picture)["dice"] for point in die["corners_px"]]
    places = np.array(points or [(picture.shape[1] / 2, picture.shape[0] / 2)])
    middle = (places.min(axis=0) + places.max(axis=0)) / 2
    half = min(max(60.0, float(np.ptp(places, axis=0).max()) / 2 + 20), min(picture.shape[:2]) / 2 - 1)
    x, y = (int(min(max(c - half, 0), size - 2 * half)) for c, size in zip(middle, picture.shape[1::-1], strict=True))
    cut = picture[y : y + int(2 * half), x : x + int(2 * half)]
    tile = cv2.resize(cut, (_TILE, _TILE), interpolation=cv2.INTER_AREA if half > _TILE / 2 else cv2.INTER_CUBIC)
    strip = np.full((30, _TILE, 3), 255, np.uint8)
    truth = " ".join(map(str, record["truth"][:8]))
    for line, text in enumerate((f"{record['number']} {record['kind']}: {truth}"[:30], f"said {record['said']}"[:30])):
        cv2.putText(strip, text, (2, 12 + 13 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.34, (0, 0, 0), 1, cv2.LINE_AA)
    return np.vstack([tile, strip]).astype(np.uint8)


def _save_small(path: Path, picture: Frame) -> None:
    """Write *picture* as a JPEG of at most `_MOST_BYTES`."""
    for quality in range(88, 20, -6):
        _, stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(stored) <= _MOST_BYTES:
            break
    path.write_bytes(stored.tobytes())
