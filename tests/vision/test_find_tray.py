"""The floor of an empty tray is found where it is, or not at all."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.pictures import load_picture
from vision.find_tray import find_floor
from vision.find_tray.agreement import Found, agreed, settled
from vision.find_tray.witness import floor_chances
from vision.lens import plain_lens
from vision.render import Table
from vision.types import Doubles, Frame

NEAR_PX = 12.0
"""In a picture 1280 pixels wide, four millimetres of tray: what a corner may be off."""


def off_by(found: object, corners: object, width: int = 1280) -> float:
    return float(np.abs(np.array(found) - np.array(corners)).max()) * 1280 / width


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("felt", "light", "seed"), [("green", "pendant", 3), ("red", "bar", 11), ("blue", "soft", 20)])
def test_a_floor_is_found_where_it_was_drawn_or_not_at_all(felt: str, light: str, seed: int) -> None:
    table = Table(seed=seed, felt=felt, light=light)

    found = find_floor(table.empty(), table.tray_mm)

    assert found is None or off_by(found, table.corners_px) < NEAR_PX


@pytest.mark.long
def test_five_of_six_rendered_floors_are_found_and_none_far_off() -> None:
    felts = ("green", "red", "blue", "sand", "purple", "black")
    tables = [Table(seed=40 + k, felt=felt, light="pendant", size=(640, 480)) for k, felt in enumerate(felts)]

    found = [find_floor(table.empty(), table.tray_mm) for table in tables]

    errors = [off_by(f, table.corners_px, 640) for f, table in zip(found, tables, strict=True) if f is not None]
    assert len(errors) >= 5
    assert max(errors) < NEAR_PX


def empty_trays(folder: Path) -> dict[str, tuple[Frame, Doubles]]:
    rows = [
        json.loads(line)
        for name in ("truth.jsonl", "clips/truth.jsonl")
        for line in (folder / name).read_text().splitlines()
    ]
    corners = {row["empty"]: np.array(row.get("empty_tray_corners", row["tray_corners"])) - 0.5 for row in rows}
    return {name: (load_picture(folder / name), found) for name, found in corners.items()}


@pytest.mark.long
def test_floors_of_photographs_are_found_where_they_are_or_not_at_all(shared: Path) -> None:
    trays = empty_trays(shared / "tray-samples")

    found = {name: find_floor(picture, (300.0, 220.0)) for name, (picture, _) in trays.items()}

    for name, (picture, corners) in trays.items():
        assert found[name] is None or off_by(found[name], corners, picture.shape[1]) < NEAR_PX, name
    assert sum(corners is not None for corners in found.values()) >= 3


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("seed", "felt", "light", "bend"), [(7009, "green", "bar", -0.05), (7022, "blue", "bar", -0.12)]
)
def test_a_floor_is_found_through_a_lens_that_bends_its_edges(seed: int, felt: str, light: str, bend: float) -> None:
    table = Table(seed=seed, felt=felt, light=light)
    lens = plain_lens((1280, 960), bend)
    rows, columns = np.mgrid[:960, :1280].astype(np.float64)
    x, y = np.moveaxis(lens.undistort(np.stack([columns, rows], axis=2)).astype(np.float32), 2, 0)
    seen = cv2.remap(table.empty(), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)

    found = find_floor(seen, table.tray_mm)

    assert found is not None
    assert off_by(found, lens.distort(np.array(table.corners_px))) < 4.0


@pytest.mark.one_in(3)
@pytest.mark.parametrize("light", [0.4, 1.3, 1.6])
def test_deep_shadows_along_two_sides_that_meet_are_not_taken_for_the_edge_of_the_floor(
    shared: Path, light: float
) -> None:
    picture, corners = empty_trays(shared / "tray-samples")["empty/S20.jpg"]

    found = find_floor(np.clip(picture * light, 0, 255).astype(np.uint8), (300.0, 220.0))

    assert found is None or off_by(found, corners, picture.shape[1]) < NEAR_PX


def test_a_sheet_of_the_right_shape_without_a_rim_is_no_tray() -> None:
    picture = np.random.default_rng(0).integers(36, 45, (960, 1280, 3), np.uint8)
    picture[151:800, 201:1080] += 80

    assert find_floor(picture, (300.0, 220.0)) is None


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(3))
def test_there_is_no_tray_in_noise(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (480, 640, 3), np.uint8)

    assert find_floor(noise, (300.0, 220.0)) is None


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_there_is_no_tray_in_a_picture_of_one_colour(grey: int) -> None:
    assert find_floor(np.full((480, 640, 3), grey, np.uint8), (300.0, 220.0)) is None


def explanation(x: float, score: float = 18, lead: float = 2, rim: float = 0.9) -> Found:
    return Found(np.array([[x, 0.0], [x + 500, 0], [x + 500, 400], [x, 400]]), score, rim, lead)


@pytest.mark.parametrize(
    ("found", "believed"),
    [
        pytest.param([explanation(0), explanation(3)], [0, 3], id="one that another lens confirms"),
        pytest.param([explanation(0), explanation(3), explanation(40, 17)], [0, 3], id="all but a worse one"),
        pytest.param([explanation(0, lead=0.2), explanation(3)], [0, 3], id="one that leads for another lens"),
        pytest.param([explanation(0), explanation(40, 17)], [], id="one that none confirms"),
        pytest.param([explanation(0, 17), explanation(3, 17), explanation(40)], [], id="a better one elsewhere"),
        pytest.param([explanation(0, lead=1), explanation(3, lead=1)], [], id="one that leads by little"),
        pytest.param([explanation(0, rim=0.2), explanation(3, 17)], [], id="one without a rim"),
        pytest.param([explanation(0, 13), explanation(3, 13)], [], id="one that explains little"),
    ],
)
def test_explanations_must_agree(found: list[Found], believed: list[float]) -> None:
    assert [one.corners[0, 0] for one in agreed(found)] == believed


def test_the_exact_place_is_the_one_at_which_most_starts_end() -> None:
    table = Table(seed=3, felt="green", light="pendant")
    empty, corners = table.empty(), np.array(table.corners_px)
    near, elsewhere = [corners + 2, corners - 2], corners + 30

    exact = settled([*near, elsewhere], empty, table.tray_mm)

    assert exact is not None
    assert off_by(exact, corners) < 3
    assert settled([near[0]], empty, table.tray_mm) is None
    assert settled([], empty, table.tray_mm) is None


@pytest.mark.parametrize(
    ("seed", "felt", "light"), [(3, "green", "pendant"), (11, "red", "bar"), (44, "black", "soft")]
)
def test_a_network_sees_the_floor_and_nothing_else(seed: int, felt: str, light: str) -> None:
    table = Table(seed=seed, felt=felt, light=light)
    drawn = np.zeros((960, 1280), np.uint8)
    cv2.fillPoly(drawn, [np.array(table.corners_px, np.int32)], 1)

    seen = floor_chances(table.empty()) > 0.5

    assert (seen & (drawn == 1)).sum() / (seen | (drawn == 1)).sum() > 0.95


@pytest.mark.parametrize("shape", [(960, 1280), (480, 640), (721, 1283), (600, 500), (3, 400)])
def test_what_the_network_sees_is_as_large_as_the_picture(shape: tuple[int, int]) -> None:
    seen = floor_chances(np.full((*shape, 3), 90, np.uint8))

    assert seen.shape == shape
    assert ((seen >= 0) & (seen <= 1)).all()
