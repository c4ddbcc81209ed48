"""How a calibration is written and read: whole or not at all, and every damage told."""

import fcntl
import json
import os
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision import Calibration, CalibrationError
from vision.calibration import beside, file
from vision.calibration.dice import DieModel
from vision.lens import Lens
from vision.render import Table
from vision.types import as_uint8

LENS = Lens((639.5, 479.5), 1280.0, -0.1, focal_px=1200.0)
DICE = (DieModel((20, 30, 200), (250, 250, 250), 16.1, 0.18, 0.25, 0.51, 0.57, 0.48, "asian", (1, 4, 6)),)


def test_a_calibration_comes_back_as_it_was_saved(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    loaded = Calibration.load(tmp_path / "cal.json")

    assert loaded.size == calibration.size
    assert loaded.corners_px == calibration.corners_px
    assert loaded.tray_mm == calibration.tray_mm
    assert np.array_equal(loaded.empty, calibration.empty)
    assert {path.name for path in tmp_path.iterdir()} == {"cal.json", "cal.empty.png"}


def test_a_save_that_ends_half_way_leaves_the_calibration_of_before(
    calibration: Calibration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibration.save(tmp_path / "cal.json")
    other = replace(calibration, empty=calibration.empty // 2, die_mm=15.0)

    def killed(target: Path, content: bytes) -> None:
        if target.suffix == ".json":
            raise KeyboardInterrupt
        target.write_bytes(content)

    with monkeypatch.context() as half_way:
        half_way.setattr(file, "replace_file", killed)
        with pytest.raises(KeyboardInterrupt):
            other.save(tmp_path / "cal.json")
    assert Calibration.load(tmp_path / "cal.json").die_mm == calibration.die_mm

    for saved in (other, calibration, other):
        saved.save(tmp_path / "cal.json")
        assert np.array_equal(Calibration.load(tmp_path / "cal.json").empty, saved.empty)
        assert len(list(tmp_path.iterdir())) == 2


def test_what_is_no_file_is_neither_replaced_nor_read(calibration: Calibration, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()

    for name in ("pipe.json", "folder.json"):
        with pytest.raises(CalibrationError, match="is no file"):
            calibration.save(tmp_path / name)
        with pytest.raises(CalibrationError, match="is no file"):
            Calibration.load(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.json", "pipe.json"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param("", "not even JSON", id="empty"),
        pytest.param("[1, 2]", "no calibration of this program", id="a list"),
        pytest.param('{"kind": "something else"}', "no calibration of this program", id="foreign"),
        pytest.param('{"kind": "mexico-table calibration", "format": 99}', "is of format 99", id="of another version"),
        pytest.param('{"kind": "mexico-table calibration", "format": true}', "is of format True", id="of no version"),
        pytest.param('{"kind": "mexico-table calibration", "format": 1.0}', "is of format 1.0", id="of a fraction"),
        pytest.param('{"kind": "mexico-table calibration", "format": 1}', "is damaged", id="half of it"),
    ],
)
def test_a_broken_old_or_foreign_file_is_refused_with_the_reason(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "cal.json").write_text(content, encoding="utf-8")
    with pytest.raises(CalibrationError, match=words):
        Calibration.load(tmp_path / "cal.json")


def save_damaged(calibration: Calibration, folder: Path, key: str, value: object) -> None:
    """Save *calibration* as cal.json in *folder*, with *value* in place of what stands under *key*."""
    calibration.save(folder / "cal.json")
    data = json.loads((folder / "cal.json").read_text(encoding="utf-8"))
    (folder / "cal.json").write_text(json.dumps({**data, key: value}), encoding="utf-8")


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
    save_damaged(calibration, tmp_path, key, value)
    with pytest.raises(CalibrationError, match=f"damaged \\({key}: "):
        Calibration.load(tmp_path / "cal.json")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("size", None, "null is no list of 2"),
        ("size", [1280, 960.5], "960.5 is no whole number"),
        ("corners_px", [[1, 2], [3, 4], [5, 6]], "\\[\\[1, 2\\], \\[3, 4\\], \\[5, 6\\]\\] is no list of 4"),
        ("corners_px", [[1], 2, 3, 4], "\\[1\\] is no list of 2"),
        ("tray_mm", ["wide", 220], '"wide" is no number'),
        ("die_mm", True, "true is no number"),
        ("die_mm", 10**400, "1000000000000000000000000000000000000\\.\\.\\. is no number"),
        ("lens", [], "\\[\\] is no object"),
        ("held", None, "null is no object"),
        ("held", {"exposure_us": -5, "gain": 1}, "exposure_us is -5, which is not 0 to 100000000"),
        ("held", {"gain": 1e9}, "gain is 1e\\+09, which is not 0 to 100000000"),
        ("held", {"": 1}, '"" is no name'),
        ("held", {"x" * 300: 1}, '"x{36}\\.\\.\\. is no name'),
        ("held", {"gain\n": 1}, '"gain\\\\n" is no name'),
        ("dice", [16], "16 is no object"),
    ],
)
def test_it_is_said_what_a_value_is_instead(
    calibration: Calibration, tmp_path: Path, key: str, value: object, words: str
) -> None:
    save_damaged(calibration, tmp_path, key, value)

    with pytest.raises(CalibrationError, match=f"damaged \\({key}: {words}\\); calibrate again"):
        Calibration.load(tmp_path / "cal.json")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("tray_mm", [0, 220], "a tray of 0x220 mm: each side must be 40 to 2000 mm"),
        ("die_mm", 0, "a die of 0 mm: must be 5 to 50 mm"),
        ("corners_px", [[0, 0], [1280, 0], [1279, 959], [0, 959]], "the corner 1280,0 lies outside the picture"),
        ("corners_px", [[0, 0], [99, 0], [99, 72], [0, 72]], "the tray is too small in the picture"),
    ],
)
def test_a_tray_that_no_picture_can_show_so_is_refused(
    calibration: Calibration, tmp_path: Path, key: str, value: object, words: str
) -> None:
    save_damaged(calibration, tmp_path, key, value)

    with pytest.raises(CalibrationError, match=rf"cal\.json: is damaged \({words}.*\); calibrate again"):
        Calibration.load(tmp_path / "cal.json")


@pytest.mark.parametrize(
    ("order", "words"),
    [
        pytest.param((0, 3, 2, 1), "the corners do not go clockwise", id="the other way round"),
        pytest.param((2, 3, 0, 1), "the corners must begin with the one at the top left", id="from the third on"),
        pytest.param((0, 1, 1, 3), "the corner .* is given twice", id="one of them twice"),
    ],
)
def test_corners_in_another_order_are_refused(
    calibration: Calibration, tmp_path: Path, order: tuple[int, ...], words: str
) -> None:
    corners = [calibration.corners_px[number] for number in order]

    test_a_tray_that_no_picture_can_show_so_is_refused(calibration, tmp_path, "corners_px", corners, words)


def test_a_lost_picture_and_a_lost_file_are_refused(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    (tmp_path / "cal.empty.png").write_bytes(b"not a picture")
    with pytest.raises(CalibrationError, match=r"cal\.empty\.png"):
        Calibration.load(tmp_path / "cal.json")
    with pytest.raises(CalibrationError, match="calibrate first"):
        Calibration.load(tmp_path / "nowhere.json")


def test_a_link_is_followed_and_not_replaced(calibration: Calibration, tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    link = tmp_path / "cal.json"
    link.symlink_to("house/cal.json")
    calibration.save(link)

    assert link.is_symlink()
    assert np.array_equal(Calibration.load(link).empty, calibration.empty)
    assert sorted(path.name for path in (tmp_path / "house").iterdir()) == ["cal.empty.png", "cal.json"]


def test_a_name_no_file_can_have_is_refused(calibration: Calibration, tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be read"):
        Calibration.load(tmp_path / ("c" * 300))
    with pytest.raises(CalibrationError, match="cannot be written"):
        calibration.save(tmp_path / ("c" * 300))


def test_a_picture_too_large_for_any_memory_is_refused(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    header = b"IHDR" + struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    checked = struct.pack(">I", len(header) - 4) + header + struct.pack(">I", zlib.crc32(header))
    (tmp_path / "cal.empty.png").write_bytes(b"\x89PNG\r\n\x1a\n" + checked)

    with pytest.raises(CalibrationError, match=r"cal\.empty\.png"):
        Calibration.load(tmp_path / "cal.json")


def test_saving_into_a_folder_that_is_not_there_is_one_line(calibration: Calibration, tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be written"):
        calibration.save(tmp_path / "no" / "cal.json")


@pytest.mark.parametrize(
    "wrong", [{"focal_px": 0.0}, {"focal_px": float("nan")}, {"focal_px": 1e9}, {"centre_px": (5e3, 9.0)}]
)
def test_a_lens_that_no_camera_has_is_not_sane(wrong: dict[str, Any]) -> None:
    assert LENS.is_sane((1280, 960))
    assert not replace(LENS, **wrong).is_sane((1280, 960))


def test_lens_hold_and_dice_come_back_as_they_were_saved(calibration: Calibration, tmp_path: Path) -> None:
    held = {"exposure_us": 8000.0, "gain": 1.5}
    replace(calibration, lens=LENS, held=held, dice=DICE).save(tmp_path / "cal.json")

    loaded = Calibration.load(tmp_path / "cal.json")
    assert (loaded.lens, loaded.held, loaded.dice) == (LENS, held, DICE)


@pytest.mark.parametrize(
    "held",
    [
        pytest.param({"exposure_us": 200_000.0, "gain": 0.0, "red_gain": 31.9, "blue_gain": 1.0}, id="a Pi's"),
        pytest.param({"focus_dioptres": 0.0}, id="focused on nothing near"),
        pytest.param({"exposure_100us": 5000.0, "white_balance_k": 65535.0, "focus_steps": 65535.0}, id="on USB"),
    ],
)
def test_what_the_cameras_of_the_table_hold_is_read(
    calibration: Calibration, tmp_path: Path, held: dict[str, float]
) -> None:
    replace(calibration, held=held).save(tmp_path / "cal.json")

    assert Calibration.load(tmp_path / "cal.json").held == held


def test_a_file_of_before_lens_and_dice_is_still_read(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    data = json.loads((tmp_path / "cal.json").read_text(encoding="utf-8"))
    old = {key: data[key] for key in data if key not in ("lens", "held", "dice", "empty_sha256")}
    (tmp_path / "cal.json").write_text(json.dumps(old), encoding="utf-8")

    loaded = Calibration.load(tmp_path / "cal.json")
    assert (loaded.lens, loaded.held, loaded.dice) == (None, {}, ())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("lens", {"centre_px": [1, 2], "unit_px": 1280, "k1": -9, "k2": 0, "focal_px": None}),
        ("lens", {"k1": 1}),
        ("held", [1]),
        ("held", {"gain": "high"}),
        ("dice", {"side_mm": 16}),
        ("dice", [{**DICE[0].to_json(), "layout": "martian"}]),
        ("dice", [{**DICE[0].to_json(), "pip": 9}]),
        ("dice", [{**DICE[0].to_json(), "seen": [7]}]),
        ("noise", -1),
        ("noise", float("nan")),
        ("size", [1e400, 2]),
    ],
)
def test_damage_in_what_is_newer_is_refused(calibration: Calibration, tmp_path: Path, key: str, value: object) -> None:
    test_a_damaged_value_is_refused(calibration, tmp_path, key, value)


@pytest.mark.parametrize("at", [40, -1000, -20])
def test_of_a_damaged_picture_nothing_is_printed_but_what_is_raised(
    calibration: Calibration, tmp_path: Path, capfd: pytest.CaptureFixture[str], at: int
) -> None:
    calibration.save(tmp_path / "cal.json")
    picture = bytearray((tmp_path / "cal.empty.png").read_bytes())
    picture[at] ^= 0xFF
    (tmp_path / "cal.empty.png").write_bytes(picture)

    with pytest.raises(CalibrationError, match=r"cal\.empty\.png, is missing or of another size"):
        Calibration.load(tmp_path / "cal.json")
    assert capfd.readouterr() == ("", "")


def test_the_picture_of_another_calibration_is_refused(calibration: Calibration, table: Table, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    cv2.imwrite(str(tmp_path / "cal.empty.png"), table.empty(77))

    with pytest.raises(CalibrationError, match="not the one it was made with"):
        Calibration.load(tmp_path / "cal.json")


def test_calibrations_of_names_that_end_alike_share_no_picture(calibration: Calibration, tmp_path: Path) -> None:
    darker = replace(calibration, empty=as_uint8(calibration.empty // 2))
    for made, name in ((calibration, "bar.2"), (darker, "bar.3")):
        made.save(tmp_path / name)

    assert (Calibration.load(tmp_path / "bar.2").empty == calibration.empty).all()
    assert (Calibration.load(tmp_path / "bar.3").empty == darker.empty).all()
    assert beside(tmp_path / "bar.json", ".empty.png") == tmp_path / "bar.empty.png"


def test_two_who_save_at_once_leave_the_calibration_of_one(calibration: Calibration, tmp_path: Path) -> None:
    target, lighter = tmp_path / "bar.json", replace(calibration, empty=as_uint8(255 - calibration.empty))
    with ThreadPoolExecutor() as at_once:
        for saved in [at_once.submit(one.save, target) for one in 3 * (calibration, lighter)]:
            saved.result()

    left = Calibration.load(target)
    assert any(np.array_equal(left.empty, one.empty) for one in (calibration, lighter))
    assert len(list(tmp_path.iterdir())) == 2


def test_a_calibration_replaces_no_neighbour_whatever_its_name(calibration: Calibration, tmp_path: Path) -> None:
    notes, important = tmp_path / "cal.json.new", tmp_path / "important.txt"
    notes.write_text("notes", encoding="utf-8")
    important.write_text("important", encoding="utf-8")
    (tmp_path / "cal.empty.png.new").symlink_to("important.txt")
    calibration.save(tmp_path / "cal.json")

    assert notes.read_text(encoding="utf-8") == "notes"
    assert important.read_text(encoding="utf-8") == "important"
    assert not (tmp_path / "cal.json").is_symlink()


def test_the_picture_of_before_stays_while_a_copy_names_it(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    (tmp_path / "backup.json").write_bytes((tmp_path / "cal.json").read_bytes())
    calibration.save(tmp_path / "cal.json")
    calibration.save(tmp_path / "cal.json")

    assert Calibration.load(tmp_path / "backup.json").empty.shape == calibration.empty.shape
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["backup.json", "cal.empty-3.png", "cal.empty.png", "cal.json"]


def test_the_picture_of_before_stays_where_it_is_wanted(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    empty = tmp_path / "cal.empty.png"
    calibration.save(tmp_path / "cal.json", keep={os.path.realpath(empty)})

    assert empty.exists()
    assert Calibration.load(tmp_path / "cal.json").empty.shape == calibration.empty.shape


def test_a_folder_that_another_program_holds_is_waited_for_and_then_told(
    calibration: Calibration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.calibration.file.LOCKED_S", 0.2)
    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with pytest.raises(CalibrationError, match="another program holds this folder"):
        calibration.save(tmp_path / "cal.json")
    os.close(held)
    calibration.save(tmp_path / "cal.json")

    assert Calibration.load(tmp_path / "cal.json").die_mm == calibration.die_mm


def test_a_pipe_or_something_endless_in_place_of_the_picture_is_told(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    for put in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        (tmp_path / "cal.empty.png").unlink()
        put(tmp_path / "cal.empty.png")
        with pytest.raises(CalibrationError, match="missing"):
            Calibration.load(tmp_path / "cal.json")


def test_a_file_too_large_for_a_calibration_is_not_read(tmp_path: Path) -> None:
    with open(tmp_path / "cal.json", "wb") as file:
        file.truncate(8_000_000_000)

    with pytest.raises(CalibrationError, match="too large"):
        Calibration.load(tmp_path / "cal.json")


def test_an_editor_may_put_a_mark_before_a_calibration(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "cal.json")
    (tmp_path / "cal.json").write_bytes(b"\xef\xbb\xbf" + (tmp_path / "cal.json").read_bytes())

    assert Calibration.load(tmp_path / "cal.json").die_mm == calibration.die_mm
