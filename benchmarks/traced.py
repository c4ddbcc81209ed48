"""The reader on throws that another program drew: `python -m benchmarks.traced FOLDER [OUT.md]` (docs/traced.md)."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

from benchmarks.accuracy import Case, Verdict, best_width, calibration_of, judged, tray_table, trays
from benchmarks.clips import Clip, clip_table, tray_clips
from vision.calibration import CalibrationError

Picture = TypeVar("Picture", Case, Clip)

MAKES = {"trans": "clear", "marble": "veined"}
"""What the names of dice begin with that are not of one solid colour."""


def page(folder: Path, verdicts: Sequence[Verdict]) -> str:
    """Return a Markdown page: by tier, by what dice are of, and every lie."""
    makes = _makes(folder)
    readable: dict[str, list[Verdict]] = {make: [] for make in sorted(set(makes.values()))}
    for verdict in verdicts:
        if verdict.case.faces:
            readable[makes[verdict.case.path.name]].append(verdict)
    rows = [_row(make, of_it) for make, of_it in readable.items()]
    lies = [f"Lie: `{v.case.path.name}` was read as {v.said}" for v in verdicts if v.kind == "lie"]
    tables = len({v.case.empty for v in verdicts})
    return "\n".join(
        [
            f"{len(verdicts)} throws on {tables} tables.\n",
            tray_table(verdicts, best_width(verdicts)),
            "\n| dice, of throws to be read | throws | right | refused | lies |\n|---|---|---|---|---|",
            *rows,
            "",
            *(lies or ["No lie."]),
            "",
        ]
    )


def _makes(folder: Path) -> dict[str, str]:
    """Return what the dice of each picture are of; *mixed* where they differ."""
    with open(folder / "truth.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = {}
    for row in rows:
        makes = {MAKES.get(die["colour"].split("_")[0], "solid") for die in row["dice"]}
        found[Path(row["file"]).name] = makes.pop() if len(makes) == 1 else "mixed"
    return found


def _row(make: str, verdicts: Iterable[Verdict]) -> str:
    count = Counter(verdict.kind for verdict in verdicts)
    return f"| {make} | {count.total()} | {count['right']} | {count['refused']} | {count['lie']} |"


def _of_calibrated(pictures: Iterable[Picture]) -> tuple[list[Picture], str]:
    """Return those of *pictures* whose tray can be calibrated, and a line for each that cannot."""
    all_of_them = list(pictures)
    trays_of = list({picture.empty: picture for picture in all_of_them}.values())
    # In other processes: those that read the pictures are forked from this one, in which no thread may be then.
    with ProcessPoolExecutor() as pool:
        refused = dict(zip((one.empty for one in trays_of), pool.map(_refused, trays_of), strict=True))
    told = [f"Not calibrated: `{empty.stem}`, {why}.\n" for empty, why in refused.items() if empty and why]
    return [one for one in all_of_them if not refused[one.empty]], "".join(told)


def _refused(picture: Case | Clip) -> str:
    """Return why the tray of *picture* cannot be calibrated; nothing if it can."""
    try:
        if picture.empty is not None:
            calibration_of(picture.empty, picture.corners)
    except CalibrationError as error:
        return str(error)
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.traced", description=__doc__)
    parser.add_argument("folder", type=Path, help="what scripts/traced wrote")
    parser.add_argument("out", type=Path, nargs="?", help="Markdown page that is written")
    how = parser.parse_args()
    text = ""
    if (how.folder / "truth.jsonl").exists():
        throws, told = _of_calibrated(trays(how.folder))
        text += page(how.folder, judged(throws)) + told
    if (how.folder / "clips" / "truth.jsonl").exists():
        films, told = _of_calibrated(tray_clips(how.folder))
        text += f"{clip_table(films)}\n{told}"
    print(text, end="")
    if how.out:
        how.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
