"""Films of throws through the watch over the stream, as `mexico-table watch` runs it: when it reads, and what."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from benchmarks.accuracy import SHARED, calibration_of
from benchmarks.variant import UNCHANGED, Variant
from hardware.cameras import open_camera
from hardware.devices import EndOfStream
from vision import motion


@dataclass(frozen=True)
class Clip:
    """A film and the truth about it: *rest* is the first picture in which every die certainly lies still for good.

    `faces` from high to low; None where the throw must be refused with one of `faults`. `exact` where *rest* is known
    to the picture; else dice may lie still a little earlier.
    """

    name: str
    path: Path
    dice: int
    rest: int | None
    faces: tuple[int, ...] | None
    faults: tuple[str, ...]
    exact: bool
    empty: Path | None = None
    corners: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Said:
    """One verdict of the watch: at which picture, faces or fault."""

    frame: int
    faces: tuple[int, ...] | None
    fault: str


def clips(shared: Path = SHARED) -> Iterator[Clip]:
    """Yield the clips of calibrated trays and the filmed throws of unknown ones."""
    yield from tray_clips(shared / "tray-samples")
    folder = shared / "dice-photos"
    for row in csv.DictReader(_lines(folder / "videos.csv")):
        if row["state"] == "rest":
            faces = tuple(sorted(map(int, row["faces"].split()), reverse=True))
            path = folder / "videos" / f"{row['id']}.mp4"
            yield Clip(f"{row['id']}, filmed", path, len(faces), int(row["first_frame"]), faces, (), False)


def tray_clips(folder: Path) -> Iterator[Clip]:
    """Yield the clips in *folder*, which is in the form of the tray samples; none where it has none."""
    for line in _lines(folder / "clips" / "truth.jsonl"):
        row = json.loads(line)
        is_read = row["expected"] == "read"
        faces = tuple(sorted(row["final_faces"], reverse=True)) if is_read else None
        names = () if is_read else (row["fault"], *row["also_ok"])
        corners = tuple((x - 0.5, y - 0.5) for x, y in row["tray_corners"])
        path, empty = folder / row["file"], folder / row["empty"]
        name = f"{Path(row['file']).stem}, {row['scenario']}"
        yield Clip(name, path, row["dice_expected"], row["rest_frame"], faces, names, True, empty, corners)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def watched(clip: Clip, variant: Variant = UNCHANGED) -> list[Said]:
    """Return what the watch says of the throw in *clip*, picture by picture, each of them changed to a *variant*."""
    cv2.setNumThreads(1)
    calibration = None if clip.empty is None else calibration_of(clip.empty, clip.corners, variant)
    camera = open_camera(str(clip.path))
    state, number, said = motion.start(), -1, []
    try:
        while True:
            seen = camera.capture()
            number += 1
            picture = variant.picture(seen.image, seed=number)
            state, happened = motion.step(state, picture, calibration, clip.dice)
            for event in happened:
                if event.reading is not None:
                    said.append(Said(number, event.reading.faces, str(event.reading.fault or "")))
    except EndOfStream:
        return said
    finally:
        camera.close()


def clip_table(films: Iterable[Clip]) -> str:
    """Return a Markdown table: per clip the picture at rest, the picture of the verdict, what it was, false reads."""
    names = ("clip", "at rest", "verdict at", "after", "said", "truth", "right", "false reads")
    head = f"| {' | '.join(names)} |\n{'|---' * len(names)}|"
    return "\n".join([head, *(_row(clip, watched(clip)) for clip in films)])


def _row(clip: Clip, said: list[Said]) -> str:
    reads = [one for one in said if one.faces is not None]
    last = reads[0] if reads else said[-1] if said else None
    truth = _digits(clip.faces) if clip.faces else " or ".join(clip.faults)
    false = len(_false_reads(clip, said))
    if last is None:
        return f"| {clip.name} | {clip.rest} | | | nothing | {truth} | no | {false} |"
    right = last.faces == clip.faces if last.faces else last.fault in clip.faults
    after = "" if clip.rest is None else f"{last.frame - clip.rest:+d}"
    what = _digits(last.faces) if last.faces else last.fault
    verdict = "yes" if right else "no"
    return f"| {clip.name} | {clip.rest} | {last.frame} | {after} | {what} | {truth} | {verdict} | {false} |"


def _false_reads(clip: Clip, said: Sequence[Said]) -> set[int]:
    """Return the pictures of *clip* at which dice were read wrong, before they lay still, or once more."""
    reads = [one for one in said if one.faces is not None]
    early = [one for one in reads if clip.exact and clip.rest is not None and one.frame < clip.rest]
    wrong = [one for one in reads if one.faces != clip.faces]
    return {one.frame for one in early + wrong + reads[1:]}


def kind_of(clip: Clip, said: Sequence[Said]) -> str:
    """Return what became of *clip*, as in `benchmarks.accuracy.Verdict`, when the watch *said* this of it."""
    if _false_reads(clip, said):
        return "lie"
    if any(one.faces for one in said):
        return "right"
    return "named" if said and said[-1].fault in clip.faults else "refused"


def _digits(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))
