"""The floor of an empty tray is found where it is, or not at all."""

import json
from pathlib import Path

import numpy as np
import pytest

from hardware.pictures import load_picture
from vision.find_tray import find_floor
from vision.render import Table

NEAR_PX = 12.0
"""In a picture 1280 pixels wide, four millimetres of tray: what a corner may be off."""


def off_by(found: object, corners: object) -> float:
    return float(np.abs(np.array(found) - np.array(corners)).max())


@pytest.mark.parametrize(("felt", "light", "seed"), [("green", "pendant", 3), ("red", "bar", 11), ("blue", "soft", 20)])
def test_a_floor_is_found_where_it_was_drawn_or_not_at_all(felt: str, light: str, seed: int) -> None:
    table = Table(seed=seed, felt=felt, light=light)

    found = find_floor(table.empty(), table.tray_mm)

    assert found is None or off_by(found, table.corners_px) < NEAR_PX


def test_floors_of_photographs_are_found_where_they_are_or_not_at_all(shared: Path) -> None:
    folder = shared / "tray-samples"
    rows = [
        json.loads(line)
        for name in ("truth.jsonl", "clips/truth.jsonl")
        for line in (folder / name).read_text().splitlines()
    ]
    trays = {row["empty"]: row.get("empty_tray_corners", row["tray_corners"]) for row in rows}

    found = {name: find_floor(load_picture(folder / name), (300.0, 220.0)) for name in trays}

    for name, corners in found.items():
        assert corners is None or off_by(corners, np.array(trays[name]) - 0.5) < NEAR_PX, name
    assert sum(corners is not None for corners in found.values()) >= 3


@pytest.mark.parametrize("seed", range(3))
def test_there_is_no_tray_in_noise(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (480, 640, 3), np.uint8)

    assert find_floor(noise, (300.0, 220.0)) is None


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_there_is_no_tray_in_a_picture_of_one_colour(grey: int) -> None:
    assert find_floor(np.full((480, 640, 3), grey, np.uint8), (300.0, 220.0)) is None
