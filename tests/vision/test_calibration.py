"""What a calibration accepts, keeps and refuses."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from vision import Calibration, CalibrationError, calibrate
from vision.geometry import project
from vision.render import Table


def test_a_calibration_comes_back_as_it_was_saved(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    loaded = Calibration.load(tmp_path / "cal.json")

    assert loaded.size == calibration.size
    assert loaded.corners_px == calibration.corners_px
    assert loaded.tray_mm == calibration.tray_mm
    assert np.array_equal(loaded.empty, calibration.empty)
    assert {path.name for path in tmp_path.iterdir()} == {"cal.json", "cal.empty.png"}


def test_the_tops_of_dice_are_where_the_camera_sees_them(table: Table, calibration: Calibration) -> None:
    for x, y in ((20, 20), (150, 110), (280, 200)):
        seen = project(calibration.tops, [(x, y)])[0]

        assert seen == pytest.approx(table.project(x, y, 16), abs=3.5)


def test_the_height_of_the_camera_is_found_within_a_fifth(table: Table, calibration: Calibration) -> None:
    assert calibration.camera_height_mm == pytest.approx(float(table.camera.position_mm[2]), rel=0.2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"tray_mm": (3000.0, 220.0)}, "40 to 2000 mm", id="a tray of three metres"),
        pytest.param({"tray_mm": (float("nan"), 220.0)}, "40 to 2000 mm", id="not a number"),
        pytest.param({"die_mm": 3.0}, "5 to 50 mm", id="a die of three millimetres"),
        pytest.param({"tray_mm": (100.0, 220.0)}, "do not fit a tray", id="sides exchanged"),
        pytest.param({"corners": [(0, 0), (10, 0), (10, 10)]}, "a tray has 4", id="three corners"),
        pytest.param(
            {"corners": [(100, 100), (100, 700), (1000, 700), (1000, 100)]}, "clockwise", id="counterclockwise"
        ),
        pytest.param(
            {"corners": [(-50, 100), (1000, 100), (1000, 700), (100, 700)]}, "outside the picture", id="outside"
        ),
        pytest.param({"corners": [(10, 10), (130, 10), (130, 98), (10, 98)]}, "too small", id="a tray far away"),
    ],
)
def test_what_cannot_be_right_is_refused_in_words(table: Table, change: Mapping[str, object], words: str) -> None:
    given = {"tray_mm": table.tray_mm, "die_mm": 16.0, "corners": table.corners_px, **change}
    with pytest.raises(CalibrationError, match=words):
        calibrate([table.empty()], **given)  # type: ignore[arg-type]


def test_pictures_of_two_cameras_are_refused(table: Table) -> None:
    with pytest.raises(CalibrationError, match="different sizes"):
        calibrate([table.empty(), table.empty()[::2, ::2]], tray_mm=table.tray_mm, corners=table.corners_px)


def test_no_picture_and_a_dark_picture_are_refused(table: Table) -> None:
    with pytest.raises(CalibrationError, match="no picture"):
        calibrate([], tray_mm=table.tray_mm)
    with pytest.raises(CalibrationError, match="too dark"):
        calibrate([np.zeros((960, 1280, 3), np.uint8)], tray_mm=table.tray_mm, corners=table.corners_px)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param("", "not even JSON", id="empty"),
        pytest.param("[1, 2]", "no calibration of this program", id="a list"),
        pytest.param('{"kind": "something else"}', "no calibration of this program", id="foreign"),
        pytest.param('{"kind": "mexico-table calibration", "format": 99}', "is of format 99", id="of another version"),
        pytest.param('{"kind": "mexico-table calibration", "format": 1}', "is damaged", id="half of it"),
    ],
)
def test_a_broken_old_or_foreign_file_is_refused_with_the_reason(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "cal.json").write_text(content, encoding="utf-8")
    with pytest.raises(CalibrationError, match=words):
        Calibration.load(tmp_path / "cal.json")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("size", [1280]),
        ("size", "big"),
        ("corners_px", [[1, 2]]),
        ("die_mm", "sixteen"),
        ("tray_mm", [300]),
        ("noise", None),
    ],
)
def test_a_damaged_value_is_refused(calibration: Calibration, tmp_path: Path, key: str, value: object) -> None:
    calibration.save(tmp_path / "cal.json")
    data = json.loads((tmp_path / "cal.json").read_text(encoding="utf-8"))
    (tmp_path / "cal.json").write_text(json.dumps({**data, key: value}), encoding="utf-8")
    with pytest.raises(CalibrationError, match="damaged"):
        Calibration.load(tmp_path / "cal.json")


def test_a_lost_picture_and_a_lost_file_are_refused(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    (tmp_path / "cal.empty.png").write_bytes(b"not a picture")
    with pytest.raises(CalibrationError, match=r"cal\.empty\.png"):
        Calibration.load(tmp_path / "cal.json")
    with pytest.raises(CalibrationError, match="calibrate first"):
        Calibration.load(tmp_path / "nowhere.json")


def test_saving_into_a_folder_that_is_not_there_is_one_line(calibration: Calibration, tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be written"):
        calibration.save(tmp_path / "no" / "cal.json")
