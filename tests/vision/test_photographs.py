"""Real photographs of dice with truth: refusing is allowed, lying is not; a floor on how many are read."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from hardware.pictures import load_picture
from vision import read_tray

FLOORS = {
    "karo": 13,
    "king": 20,
    "krajz": 24,
    "lk": 24,
    "marc": 12,
    "ryan": 3,
    "scim": 4,
    "matt": 25,
}
"""Pictures of up to six dice that must be read right, of 14, 20, 25, 25, 12, 3, 5 and, every other one, 38."""

MOST = 30
"""From more pictures of one source every other one is read; `python -m benchmarks` reads them all."""

MIXED = ("ryan_", "marc_", "king_00", "krajz_00", "karo_01", "lk_00")
"""Some of every source."""


@pytest.mark.slow
@pytest.mark.parametrize("source", FLOORS)
def test_photographs_are_read_right_or_refused(shared: Path, source: str) -> None:
    folder = shared / "dice-photos"
    outcome: Counter[str] = Counter()
    lies = []
    with open(folder / "truth.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["id"].startswith(source + "_") and row["faces"]]
    for row in rows[:: 1 + (len(rows) > MOST)]:
        truth = tuple(sorted(map(int, row["faces"].split()), reverse=True))
        reading = read_tray(load_picture(folder / row["file"]), None, dice=int(row["n_dice"]))
        outcome["right" if reading.faces == truth else "refused" if reading.faces is None else "lie"] += 1
        if reading.faces not in (truth, None):
            lies.append(f"{row['id']}: {reading.faces}, truth {truth}")

    assert not lies
    assert outcome["right"] >= FLOORS[source], outcome


def _rows(folder: Path, *sources: str) -> list[dict[str, str]]:
    with open(folder / "truth.csv", newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["id"].startswith(sources)]


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("wrong_by", [-1, 1])
def test_a_photograph_with_another_number_of_dice_than_expected_is_refused(shared: Path, wrong_by: int) -> None:
    folder = shared / "dice-photos"
    some = _rows(folder, *MIXED)[wrong_by > 0 :: 5]  # a die too few said of some, one too many of others
    dice = {row["id"]: (row["file"], int(row["n_dice"]) + wrong_by) for row in some}

    said = {name: read_tray(load_picture(folder / file), None, n).faces for name, (file, n) in dice.items() if n}

    assert {name: faces for name, faces in said.items() if faces is not None} == {}


@pytest.mark.slow
def test_a_photograph_with_no_number_of_dice_given_is_read_right_or_refused(shared: Path) -> None:
    folder = shared / "dice-photos"
    lies = {}
    for row in _rows(folder, *MIXED)[::3]:
        faces = read_tray(load_picture(folder / row["file"]), None, None).faces
        if faces not in (None, tuple(sorted(map(int, row["faces"].split()), reverse=True))):
            lies[row["id"]] = faces

    assert lies == {}
