"""Photorealistic pictures and films of calibrated trays with truth."""

import json
from collections.abc import Sequence
from dataclasses import replace
from math import dist
from pathlib import Path
from typing import Any

import pytest

from benchmarks.accuracy import calibration_of, trays
from benchmarks.clips import clips, watched
from benchmarks.variant import UNCHANGED, Variant
from hardware.pictures import load_picture
from vision import Die, read_tray
from vision.pips import Pip
from vision.tray.closeup import Closeup
from vision.tray.flat import pips_of
from vision.tray.spots import Look


@pytest.mark.slow
@pytest.mark.parametrize("setup", ["S02", "S10", "S20", "S29"])
def test_trays_are_read_right_or_refused(shared: Path, setup: str) -> None:
    folder = shared / "tray-samples"
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["setup"] == setup]
    corners = tuple((x - 0.5, y - 0.5) for x, y in rows[0]["empty_tray_corners"])
    calibration = calibration_of(folder / rows[0]["empty"], corners)

    lies, unread, misnamed, elsewhere = [], [], [], []
    for row in rows:
        reading = read_tray(load_picture(folder / row["file"]), calibration, row["dice_expected"])
        truth = tuple(sorted((die["face"] or 0 for die in row["dice"]), reverse=True))
        if reading.faces is not None and (row["expected"] == "refuse" or reading.faces != truth):
            lies.append((row["file"], reading.faces))
        if reading.faces is None and row["expected"] == "read" and row["legible"] and row["dice_expected"] == 2:
            unread.append((row["file"], reading.note))
        if reading.faces is not None:
            elsewhere += [(row["file"], die) for die in reading.dice if not _lies_there(die, row["dice"])]

        if row["expected"] == "refuse" and reading.fault not in (row["fault"], *row["also_ok"]):
            misnamed.append((row["file"], reading.fault))

    assert not lies
    assert not unread
    assert not misnamed
    assert not elsewhere


def _lies_there(die: Die, dice: Sequence[dict[str, Any]]) -> bool:
    """Whether *die* is one of *dice* of the truth: its face, in its place, turned as it is."""
    near = min(dice, key=lambda real: dist(real["centre"], die.centre_px))
    # Their first pixel has its centre at (0.5, 0.5). A one has a single pip: its turn is that of its outline.
    x, y = (value - 0.5 for value in near["centre"])
    off = abs((die.yaw_deg - near["yaw_deg"] + 45) % 90 - 45)
    return near["face"] == die.face and dist((x, y), die.centre_px) < 1.5 and off < (7 if die.face == 1 else 2)


@pytest.mark.slow
@pytest.mark.parametrize("still", ["b011", "b211"])
def test_noise_in_deep_shadow_at_the_rim_is_no_pip(shared: Path, still: str) -> None:
    case = next(case for case in trays(shared / "tray-samples") if case.path.stem == still)
    assert case.empty is not None
    # What is dark is lighter, and its noise with it: specks of it were taken for pips of a clear die.
    lighter = replace(UNCHANGED, gamma=0.8)
    calibration = calibration_of(case.empty, case.corners, lighter)

    reading = read_tray(lighter.picture(load_picture(case.path), seed=0), calibration, case.dice)

    assert reading.faces == case.faces, reading.note


@pytest.mark.slow
@pytest.mark.parametrize("still", ["b154", "b211"])
@pytest.mark.parametrize("off", [-0.4, -0.1, 0.05, 0.3])
def test_corners_a_hair_off_change_nothing(shared: Path, still: str, off: float) -> None:
    (case,) = (case for case in trays() if case.path.stem == still)
    assert case.empty is not None
    # Clear dice: red light in the black shadow of the rim stuck out of one, and noise there was pips of a side.
    calibration = calibration_of(case.empty, tuple((x + off, y) for x, y in case.corners))

    reading = read_tray(load_picture(case.path), calibration, case.dice)

    assert reading.faces == case.faces, reading.note


@pytest.mark.slow
@pytest.mark.parametrize("still", ["b011", "b144", "b154"])
def test_light_that_dice_throw_on_the_felt_is_no_die_beneath_them(shared: Path, still: str) -> None:
    (case,) = (case for case in trays() if case.path.stem == still)
    assert case.empty is not None
    assert case.dice is not None
    calibration = calibration_of(case.empty, case.corners)

    reading = read_tray(load_picture(case.path), calibration, case.dice + 1)

    assert reading.fault == "missing", reading.note


@pytest.mark.slow
@pytest.mark.parametrize("still", ["b115", "b211"])
def test_a_one_of_which_a_lamp_makes_a_two_is_told_at_the_quick_look(
    shared: Path, still: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (case,) = (case for case in trays() if case.path.stem == still)
    assert case.empty is not None
    calibration = calibration_of(case.empty, case.corners)
    looks: list[Look] = []

    def pips_seen(parts: Sequence[Closeup], look: Look) -> list[tuple[Pip, ...]]:
        looks.extend([look] * len(parts))
        return pips_of(parts, look)

    for module in ("at_once", "reader"):
        monkeypatch.setattr(f"vision.tray.{module}.pips_of", pips_seen)

    reading = read_tray(load_picture(case.path), calibration, case.dice)

    assert reading.faces == case.faces, reading.note
    assert set(looks) == {Look.QUICK}


@pytest.mark.slow
def test_every_clip_of_a_calibrated_tray_is_answered_once_and_right(shared: Path) -> None:
    films = [clip for clip in clips(shared) if clip.empty is not None]

    answers = {clip.name: [(said.faces, said.fault) for said in watched(clip)] for clip in films}

    assert films
    for clip in films:
        wanted = [((clip.faces, ""),)] if clip.faces else [((None, fault),) for fault in clip.faults]
        assert tuple(answers[clip.name]) in wanted, (clip.name, answers)


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("number", [6017, 6039])
def test_small_pips_of_another_colour_are_seen(shared: Path, number: int) -> None:
    (film,) = (clip for clip in clips(shared) if clip.path.stem == "c00")

    (said,) = watched(film, replace(Variant.by(number), size=1.0))

    assert said.faces == film.faces
