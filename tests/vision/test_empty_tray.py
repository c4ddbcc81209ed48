"""Is the tray that is calibrated empty? Dice and things of any size and colour are seen, wherever they lie."""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import cv2
import pytest

from hardware.cameras import open_camera
from hardware.pictures import load_picture
from vision import CalibrationError, calibrate
from vision.render import RenderedDie, Table
from vision.types import Frame, as_uint8

SKIN, WHITE = (120, 150, 205), (230, 230, 230)


def is_empty(
    picture: Frame, corners: Sequence[tuple[float, float]], tray_mm: tuple[float, float] = (300.0, 220.0)
) -> bool:
    try:
        calibrate([picture], tray_mm=tray_mm, corners=corners)
    except CalibrationError as error:
        if "the tray is not empty" not in str(error):
            raise
        return False
    return True


def felt(table: Table) -> tuple[int, ...]:
    """The colour of the felt in the middle of the tray."""
    x, y = (round(value) for value in table.project(150, 110, 0))
    return tuple(round(value) for value in table.empty()[y - 40 : y + 40, x - 40 : x + 40].reshape(-1, 3).mean(axis=0))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("at", [(10, 110), (290, 60), (150, 10), (150, 210), (11, 11)])
@pytest.mark.parametrize("body_bgr", [(240, 240, 240), (30, 110, 230), (190, 90, 40)])
def test_a_die_at_the_rim_is_seen(table: Table, at: tuple[float, float], body_bgr: tuple[int, int, int]) -> None:
    assert not is_empty(table.picture([RenderedDie(*at, 25, 4, body_bgr=body_bgr)]), table.corners_px, table.tray_mm)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("colour", [SKIN, WHITE, None], ids=["skin", "white", "that of the felt"])
@pytest.mark.parametrize("radius", [60, 140])
def test_what_is_smooth_is_not_felt_however_large(colour: tuple[int, ...] | None, radius: int) -> None:
    table = Table(seed=5)
    picture = table.empty()
    x, y = (round(value) for value in table.project(150, 110, 0))
    cv2.circle(picture, (x, y), radius, colour or felt(table), cv2.FILLED, cv2.LINE_AA)

    assert is_empty(table.empty(), table.corners_px, table.tray_mm)
    assert not is_empty(as_uint8(cv2.GaussianBlur(picture, (0, 0), 0.8)), table.corners_px, table.tray_mm)


@pytest.mark.long
@pytest.mark.slow
def test_photorealistic_empty_trays_are_empty_and_others_are_not(shared: Path) -> None:
    folder = shared / "tray-samples"
    rows, clips = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("truth.jsonl", "clips/truth.jsonl")
    )
    empty = {row["empty"]: row.get("empty_tray_corners", row["tray_corners"]) for row in rows + clips}

    def seen_empty(name: str, quad: Sequence[Sequence[float]]) -> bool:
        # The truth has the middle of the first pixel at a half.
        return is_empty(load_picture(folder / name), [(x - 0.5, y - 0.5) for x, y in quad])

    assert [name for name, quad in empty.items() if not seen_empty(name, quad)] == []
    assert [row["file"] for row in rows if seen_empty(row["file"], row["tray_corners"])] == []


@pytest.mark.slow
def test_dice_that_still_roll_at_the_rim_are_seen(shared: Path) -> None:
    folder = shared / "tray-samples"
    row = json.loads((folder / "clips/truth.jsonl").read_text(encoding="utf-8").splitlines()[0])
    corners = [(x - 0.5, y - 0.5) for x, y in row["tray_corners"]]

    camera = open_camera(str(folder / row["file"]))
    with closing(camera):
        frames = [camera.capture().image for _ in range(35)]

    assert not any(is_empty(frame, corners) for frame in frames[26::2])
