"""Measure, and print a Markdown page: `python -m benchmarks [FILE]` also writes it to FILE."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable
from pathlib import Path

import cv2

from benchmarks.accuracy import SHARED, Verdict, best_width, judged, photo_table, photographs, tray_table, trays
from benchmarks.clips import clip_table, clips
from benchmarks.limits import limits_table
from benchmarks.speed import hobby_line, speed_table, stages_table


def page() -> str:
    """Return the whole page."""
    where = f"Python {platform.python_version()}, OpenCV {cv2.__version__}, {platform.machine()}"
    parts = ["# The reader, measured", where]
    width, why = 640, ""
    if (SHARED / "dice-photos").is_dir():
        photos = judged(photographs())
        width = best_width(v for v in photos if "oblique" not in v.case.group)
        why = ", at which it reads most photographs"
        note = f"Hobby reader: pictures {width} wide, at which it reads most of those from above right."
        parts += ["## Photographs, tray and camera unknown, number of dice given", photo_table(photos, width), note]
        parts += _lies(photos)
    if (SHARED / "tray-samples").is_dir():
        stills = judged(trays())
        best = best_width(v for v in stills if v.case.faces)
        parts += [
            "## Calibrated trays",
            tray_table(stills, best),
            f"Hobby reader: pictures {best} wide, its best here.",
        ]
        parts += _lies(stills)
    if SHARED.is_dir():
        parts += ["## Clips", clip_table(sorted(clips(), key=lambda clip: clip.name))]
    parts += ["## Speed, one core", speed_table(width, why), hobby_line()]
    parts += ["Where the milliseconds of `read_tray` go:", stages_table()]
    parts += ["## The table", limits_table()]
    return "\n\n".join(parts) + "\n"


def _lies(verdicts: Iterable[Verdict]) -> list[str]:
    return [
        f"Lie: `{v.case.path.name}` was read as {v.said}, truth {v.case.faces or v.case.fault}"
        for v in verdicts
        if v.kind == "lie"
    ]


if __name__ == "__main__":
    text = page()
    print(text, end="")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
