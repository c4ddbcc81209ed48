"""Pictures with truth as other dice, lamps and cameras would have made them: `python -m benchmarks.variants OUT.md`.

Pictures with truth that we have not drawn are few. Each is read in variants by chance: colours exchanged, mirrored,
lighter and darker, warmer and colder, of more or less contrast, smaller and larger, less sharp, noisier, packed harder.
The empty tray of a still is changed as the still is, but for its noise.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from benchmarks import clips
from benchmarks.accuracy import Case, calibration_of, kind_of, photographs, trays
from benchmarks.clips import Clip, watched
from benchmarks.variant import Variant
from hardware.pictures import load_picture
from vision import CalibrationError, read_tray

BINS = 3
REASONS = 12
"""Parts into which each range of change is cut, and the most reasons of refusal, in the report."""

HEAD = """# Pictures with truth, changed

Every picture with truth that we have not drawn, as other dice, lamps and cameras would have made it (variants {first}
to {last}, `benchmarks/variant.py`): colours exchanged, mirrored, smaller, less sharp, of other contrast, darker,
tinted, noisier, packed harder, all at once and by chance. Measured by `python -m benchmarks.variants`.

*Named*, of what must be refused: by a right name. A clip is right when it is read once, right, and not before its dice
lie still. Pictures in which a die has hardly more than ten pixels are among them: a refusal is fair there.
"""


@dataclass(frozen=True)
class Answer:
    """What became of a picture or clip in a variant: right, named, refused, a lie, or uncalibrated; and what was said.

    `is_flat`: whether its dice lie flat and still, and should be read.
    """

    group: str
    name: str
    is_flat: bool
    number: int
    kind: str
    said: str


def read(job: tuple[int, Case | Clip]) -> Answer:
    """Read a picture or watch a clip in the variant of a number."""
    number, case = job
    cv2.setNumThreads(1)
    group, is_flat = (case.group if isinstance(case, Case) else "clips"), case.faces is not None
    try:
        kind, said = _read(case, number) if isinstance(case, Case) else _watch(case, number)
    except CalibrationError as error:
        kind, said = "uncalibrated", str(error)
    return Answer(group, case.path.name, is_flat, number, kind, said)


def _read(case: Case, number: int) -> tuple[str, str]:
    variant = Variant.by(number)
    calibration = None if case.empty is None else calibration_of(case.empty, case.corners, variant)
    reading = read_tray(variant.picture(load_picture(case.path), seed=number), calibration, case.dice)
    said = str(reading.faces) if reading.faces else f"{reading.fault}: {reading.note}"
    return kind_of(case, reading.faces, str(reading.fault)), said


def _watch(clip: Clip, number: int) -> tuple[str, str]:
    # A die in them is 25 pixels wide already.
    said = watched(clip, replace(Variant.by(number), size=1.0))
    return clips.kind_of(clip, said), ", then ".join(str(one.faces or one.fault) for one in said) or "nothing"


def page(answers: Sequence[Answer]) -> str:
    """Return a Markdown page: by group, by what was changed, and every lie."""
    heads = ("pictures", "right", "refused, right name", "refused, other", "lies", "uncalibrated")
    head = " | ".join(heads)
    groups = sorted({answer.group for answer in answers})
    rows = [_row(group, [a for a in answers if a.group == group]) for group in groups]
    numbers = {answer.number for answer in answers}
    parts = [HEAD.format(first=min(numbers), last=max(numbers))]
    parts += [f"| of | {head} |\n|{'---|' * (1 + len(heads))}", *rows, _row("**all**", answers), ""]
    parts += [f"| changed | {head} |\n|{'---|' * (1 + len(heads))}"]
    for what in ("size", "blur_px", "gamma", "gain", "noise", "quality"):
        parts += [_row(name, some) for name, some in _bins(what, [a for a in answers if a.is_flat])]
    why = Counter(a.said for a in answers if a.kind in ("refused", "uncalibrated") and a.is_flat)
    parts += ["", "Why dice that lie flat were refused:", ""]
    parts += [f"- {count}: {said}" for said, count in why.most_common(REASONS)]
    lies = [f"- Lie: `{a.name}` in variant {a.number}: {a.said}" for a in answers if a.kind == "lie"]
    return "\n".join([*parts, "", *(lies or ["No lie."])]) + "\n"


def _bins(what: str, answers: Sequence[Answer]) -> Iterable[tuple[str, list[Answer]]]:
    values = {answer.number: float(getattr(Variant.by(answer.number), what)) for answer in answers}
    few = sorted(set(values.values()))
    edges = few if len(few) <= 2 * BINS else np.linspace(few[0], few[-1], BINS + 1)[:-1].tolist()
    for low, high in zip(edges, [*edges[1:], np.inf], strict=True):
        some = [a for a in answers if low <= values[a.number] < high]
        yield f"{what} {low:.3g}" if edges is few else f"{what} from {low:.2f}", some


def _row(name: str, answers: Sequence[Answer]) -> str:
    count = Counter(answer.kind for answer in answers)
    kinds = ("right", "named", "refused", "lie", "uncalibrated")
    return f"| {name} | {len(answers)} | {' | '.join(str(count[kind]) for kind in kinds)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="Markdown page that is written")
    parser.add_argument("--first", type=int, default=0, help="number of the first variant")
    parser.add_argument("--stills", type=int, default=60, help="so many variants of the stills of calibrated trays")
    parser.add_argument("--photographs", type=int, default=6, help="and of the photographs of unknown ones")
    parser.add_argument("--clips", type=int, default=12, help="and of the clips of both")
    parser.add_argument("--jobs", type=int, default=2)
    how = parser.parse_args()
    stills = sorted(trays(), key=lambda case: str(case.empty))
    jobs: list[tuple[int, Case | Clip]] = list(product(range(how.first, how.first + how.stills), stills))
    jobs += product(range(how.first, how.first + how.photographs), photographs())
    jobs += product(range(how.first, how.first + how.clips), clips.clips())
    with ProcessPoolExecutor(how.jobs) as pool:
        answers = list(pool.map(read, jobs, chunksize=8))
    how.out.write_text(page(answers), encoding="utf-8")
    print(how.out.read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()
