"""``read``, ``watch`` and ``--calibrate`` on files, as a person or a script meets them."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from firmware import seeing
from hardware.devices import CameraFrame, DeviceMissing, EndOfStream
from hardware.simulated import SimulatedCamera
from tests.rendered import calibrated
from vision import Calibration, calibrate
from vision.render import RenderedDie, Table

if TYPE_CHECKING:
    from tests.firmware.conftest import Call


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=1)


@pytest.fixture(scope="module")
def pictures(table: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty tray, two dice, a smaller picture and some that are none."""
    folder = tmp_path_factory.mktemp("pictures")
    dice = [RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 2)]
    cv2.imwrite(str(folder / "empty.png"), table.empty(1))
    cv2.imwrite(str(folder / "dice.png"), table.picture(dice, seed=2))
    cv2.imwrite(str(folder / "small.png"), np.full((240, 320, 3), 90, np.uint8))
    cv2.imwrite(str(folder / "grey.png"), np.full((240, 320), 90, np.uint8))
    cv2.imwrite(str(folder / "deep.png"), np.full((240, 320, 3), 9000, np.uint16))
    cv2.imwrite(str(folder / "glass.png"), np.full((240, 320, 4), 90, np.uint8))
    (folder / "none.jpg").write_text("no picture")
    (folder / "zero.jpg").write_bytes(b"")
    (folder / "cut.png").write_bytes((folder / "dice.png").read_bytes()[:4000])
    return folder


def corners(table: Table) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in table.corners_px)


@pytest.fixture(scope="module")
def calibration(table: Table, pictures: Path) -> Path:
    path = pictures / "cal.json"
    calibrated(table).save(path)
    return path


# --- calibrate ---


def test_a_tray_is_calibrated_from_its_picture_and_corners(
    call: Call, table: Table, pictures: Path, tmp_path: Path
) -> None:
    answer = call("--calibrate", "--from", pictures / "empty.png", "--corners", corners(table),
                  "--tray-mm", "300x220", "--die-mm", 15, "--out", tmp_path / "cal.json")  # fmt: skip

    made = Calibration.load(tmp_path / "cal.json")
    assert (answer.code, answer.err) == (0, "")
    assert (made.tray_mm, made.die_mm, made.size) == ((300.0, 220.0), 15.0, (1280, 960))
    assert "note:" not in answer.out


def test_without_out_the_calibration_is_that_of_the_table(
    call: Call, table: Table, pictures: Path, tmp_path: Path
) -> None:
    answer = call("--calibrate", "--from", pictures / "empty.png", "--corners", corners(table),
                  "--tray-mm", "300x220", "--state", tmp_path / "state")  # fmt: skip

    assert answer.code == 0
    assert Calibration.load(tmp_path / "state" / "calibration.json").die_mm == 16.0
    assert "note: photographs do not tell how the camera is to be held" in answer.out


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("times", "noted"), [(0.4, True), (0.8, False), (1.5, False), (2.5, True)])
def test_a_ruler_that_says_quite_another_height_than_the_corners_is_told(
    call: Call, table: Table, pictures: Path, calibration: Path, tmp_path: Path, times: float, noted: bool
) -> None:
    by_corners = Calibration.load(calibration).camera_height_mm

    answer = call("--calibrate", "--from", pictures / "empty.png", "--corners", corners(table), "--tray-mm", "300x220",
                  "--camera-mm", f"{times * by_corners:.0f}", "--out", tmp_path / "cal.json")  # fmt: skip

    assert answer.code == 0
    assert ("note: by the corners the camera hangs some" in answer.out) is noted


@pytest.mark.long
def test_beside_a_calibration_nothing_is_replaced_that_is_not_its_own(
    call: Call, table: Table, pictures: Path, tmp_path: Path
) -> None:
    neighbours = [tmp_path / "cal.empty.png", tmp_path / "cal.dice.png"]
    for neighbour in neighbours:
        neighbour.write_bytes((pictures / "small.png").read_bytes())
    given = ("--calibrate", "--from", pictures / "empty.png", "--corners", corners(table), "--tray-mm", "300x220")

    codes = [call(*given, "--out", tmp_path / name).code for name in ("cal.json", "cal", "cal.json")]
    with_dice = call(*given, "--dice-from", pictures / "dice.png", "--out", tmp_path / "cal.json")

    assert codes == [0, 0, 0]
    assert with_dice.code == 2
    assert f"{neighbours[1]} is there, and was not drawn by this program; name another --out" in with_dice.err
    assert all(one.read_bytes() == (pictures / "small.png").read_bytes() for one in neighbours)
    assert all(Calibration.load(tmp_path / name).tray_mm == (300.0, 220.0) for name in ("cal.json", "cal"))
    assert len(list(tmp_path.iterdir())) == 6  # each with one picture of its own


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        pytest.param("none.jpg", "1,1 9,1 9,9 1,9", "not a picture", id="no picture"),
        pytest.param("empty.png", "1,1 9,1 9,9 1,9", "too small in the picture", id="a tray of nine pixels"),
        pytest.param("empty.png", "9,1 1,1 1,9 9,9", "clockwise", id="the wrong way round"),
        pytest.param("small.png", None, "--corners", id="no tray to be found"),
    ],
)
def test_what_cannot_be_calibrated_is_told(
    call: Call, pictures: Path, tmp_path: Path, name: str, given: str | None, said: str
) -> None:
    more = () if given is None else ("--corners", given)
    answer = call("--calibrate", "--from", pictures / name, *more, "--tray-mm", "300x220", "--out", tmp_path / "c.json")

    assert answer.code == 2
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
    assert list(tmp_path.glob("c*")) == []


def test_calibrating_without_a_camera_is_told(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_camera(_name: str, _fps: float) -> None:
        raise DeviceMissing("camera: none; plug one in")

    monkeypatch.setattr(seeing, "open_camera", no_camera)

    answer = call("--calibrate")
    assert (answer.code, answer.err) == (2, "mexico-table: camera: none; plug one in\n")


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.slow
def test_step_by_step_the_camera_is_looked_through_and_held(
    call: Call, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = SimulatedCamera(table.empty(1))
    monkeypatch.setattr(seeing, "open_camera", lambda _name, _fps: camera)
    monkeypatch.setattr("sys.stdin", Terminal("\ns\ns\n"))

    answer = call("--calibrate", "--corners", corners(table), "--state", tmp_path)
    assert (answer.code, answer.err) == (0, "")
    made = Calibration.load(tmp_path / "calibration.json")
    assert made.tray_mm == (300.0, 220.0)
    assert made.held["exposure_us"] > 0


# --- read ---


def test_a_calibrated_picture_is_read_with_places(call: Call, pictures: Path, calibration: Path) -> None:
    (line,) = call("read", "--json", "--dice", 2, "--calibration", calibration, pictures / "dice.png").json
    reading: dict[str, Any] = line

    assert list(reading) == ["file", "verdict", "faces", "fault", "dice", "ms"]
    assert (reading["verdict"], reading["faces"], reading["fault"]) == ("read", [5, 2], None)
    assert {tuple(die) for die in reading["dice"]} == {("face", "centre_px", "centre_mm", "yaw_deg", "confidence")}
    five = next(die for die in reading["dice"] if die["face"] == 5)
    assert five["centre_mm"] == pytest.approx([90, 90], abs=1.5)
    assert reading["ms"] > 0


def test_a_refused_picture_is_done_and_names_the_fault(call: Call, pictures: Path, calibration: Path) -> None:
    answer = call("read", "--json", "--dice", 3, "--calibration", calibration, pictures / "dice.png")
    reading = answer.json[0]

    assert answer.code == 0
    assert (reading["verdict"], reading["faces"], reading["fault"]) == ("refused", None, "missing")


def test_unreadable_files_are_told_and_the_rest_still_read(call: Call, pictures: Path) -> None:
    names = [
        "none.jpg",
        "zero.jpg",
        "cut.png",
        "gone.png",
        "",
        "loop.png",
        "dot.png",
        "grey.png",
        "deep.png",
        "glass.png",
    ]
    (pictures / "loop.png").symlink_to("loop.png")
    cv2.imwrite(str(pictures / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    answer = call("read", "--json", "--dice", 1, *(pictures / name for name in names))

    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1
    assert [sorted(line) for line in answer.json[:7]] == [["error", "file"]] * 7
    assert [line["verdict"] for line in answer.json[7:]] == ["refused"] * 3
    assert [line["file"] for line in answer.json] == [str(pictures / name) for name in names]


def test_a_picture_of_another_size_than_was_calibrated_is_told(call: Call, pictures: Path, calibration: Path) -> None:
    answer = call("read", "--calibration", calibration, pictures / "small.png")

    assert answer.code == 2
    assert "is 320 x 240 pixels, the calibration is for 1280 x 960" in answer.err


def test_the_overlay_never_writes_over_a_picture(call: Call, pictures: Path, tmp_path: Path) -> None:
    (tmp_path / "small.png").write_bytes((pictures / "small.png").read_bytes())
    before = (tmp_path / "small.png").read_bytes()
    answer = call("read", "--overlay", tmp_path, tmp_path / "small.png", pictures / "small.png", pictures / "grey.png")

    assert answer.code == 0
    names = sorted(path.name for path in tmp_path.glob("*.png"))
    assert names == ["grey.png", "small-2.png", "small-3.png", "small.png"]
    assert (tmp_path / "small.png").read_bytes() == before


def test_an_overlay_that_cannot_be_written_is_told_and_the_rest_are_read(
    call: Call, pictures: Path, tmp_path: Path
) -> None:
    # As long as a name may be, and a letter longer with the ending of a drawing.
    long = tmp_path / f"{'a' * 252}.bm"
    long.write_bytes((pictures / "small.png").read_bytes())
    answer = call("read", "--json", "--overlay", tmp_path / "drawn", long, pictures / "grey.png")

    assert answer.code == 2
    assert [line["verdict"] for line in answer.json] == ["refused"] * 2
    assert "cannot be written (File name too long); name another --overlay" in answer.err
    assert [path.name for path in (tmp_path / "drawn").iterdir()] == ["grey.png"]


def test_an_overlay_waits_for_no_pipe_of_its_name(call: Call, pictures: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "grey.png")
    answer = call("read", "--overlay", tmp_path, pictures / "grey.png")

    assert answer.code == 0
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["grey-2.png"]


@pytest.mark.parametrize("name", ["small.png", "small.jpg"])
def test_an_overlay_replaces_one_of_its_own_and_nothing_else(call: Call, tmp_path: Path, name: str) -> None:
    folder, source = tmp_path / "drawn", tmp_path / name
    folder.mkdir()
    small = np.full((240, 320, 3), 90, np.uint8)
    cv2.imwrite(str(source), small)
    cv2.imwrite(str(folder / name), small)
    before = (folder / name).read_bytes()

    for _ in range(2):
        assert call("read", "--overlay", folder, source).code == 0

    drawn = folder / name.replace(".", "-2.")
    assert sorted(folder.iterdir()) == [drawn, folder / name]
    assert (folder / name).read_bytes() == before
    assert cv2.imread(str(drawn)) is not None


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(("read", "photo.jpg", "--overlay", ""), id="overlay"),
        pytest.param(("read", "photo.jpg", "--calibration", ""), id="calibration"),
        pytest.param(("watch", ""), id="video"),
        pytest.param(("status", "--state", ""), id="state"),
    ],
)
def test_an_empty_name_is_not_the_folder_at_hand(call: Call, given: tuple[str, ...]) -> None:
    answer = call(*given)

    assert answer.code == 2
    assert "the name is empty; name a file or folder, or leave it out" in answer.err


def test_a_photograph_of_an_unknown_tray_is_read(call: Call, shared: Path) -> None:
    answer = call("read", "--json", "--dice", 6, shared / "dice-photos/photos/king/king_001.jpg")

    assert answer.json[0]["faces"] == [6, 6, 5, 5, 4, 2]
    assert answer.json[0]["dice"][0]["centre_mm"] is None  # type: ignore[index]


# --- watch ---


class Unplugged(SimulatedCamera):
    """A camera that is gone as soon as somebody looks."""

    def capture(self) -> CameraFrame:
        raise EndOfStream


def film(folder: Path, table: Table) -> Path:
    """Frames of an empty tray, then of two dice that lie there, then of an empty tray."""
    folder.mkdir()
    dice = [RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 2)]
    for number in range(26):
        frame = table.picture(dice, seed=number) if 4 <= number < 16 else table.empty(number)
        cv2.imwrite(str(folder / f"{number:03d}.png"), frame)
    return folder


@pytest.mark.slow
def test_a_throw_is_read_once(call: Call, table: Table, calibration: Path, tmp_path: Path) -> None:
    answer = call("watch", "--json", "--dice", 2, "--calibration", calibration, film(tmp_path / "film", table))

    assert (answer.code, answer.err) == (0, "")
    assert all(list(line) == ["frame", "t_s", "event", "faces", "fault"] for line in answer.json)
    (read,) = [line for line in answer.json if line["event"] == "read"]
    assert read["faces"] == [5, 2]
    assert 4 <= int(str(read["frame"])) < 16
    assert read["t_s"] == pytest.approx(int(str(read["frame"])) / 30, abs=0.006)


def test_the_camera_is_held_as_it_was_calibrated(
    call: Call, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = [table.empty(1)]
    held = {"exposure_us": 8000.0, "gain": 2.0}
    made = calibrate(empty, tray_mm=table.tray_mm, corners=table.corners_px)
    replace(made, held=held).save(tmp_path / "cal.json")
    camera = Unplugged(table.empty(1))
    monkeypatch.setattr(seeing, "open_camera", lambda _name, _fps: camera)

    call("watch", "--calibration", tmp_path / "cal.json", "--state", tmp_path, "camera")
    assert camera.lock() == held


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("gone.mp4", "there is no such file", id="no such file"),
        pytest.param("none.jpg", "not a picture", id="text"),
        pytest.param("zero.mp4", "is empty", id="nothing in it"),
    ],
)
def test_what_cannot_be_watched_is_told(call: Call, pictures: Path, name: str, said: str) -> None:
    (pictures / "zero.mp4").write_bytes(b"")

    answer = call("watch", pictures / name)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(("out", "said"), [("", "the name is empty"), ("empty.png", "would replace the photograph")])
def test_a_calibration_never_replaces_a_photograph(
    call: Call, pictures: Path, tmp_path: Path, out: str, said: str
) -> None:
    empty = tmp_path / "empty.png"
    empty.write_bytes((pictures / "empty.png").read_bytes())
    before = empty.read_bytes()

    answer = call("--calibrate", "--from", empty, "--tray-mm", "300x220", "--out", out and tmp_path / out)

    assert answer.code == 2
    assert said in answer.err
    assert {path.name for path in tmp_path.iterdir()} == {empty.name}
    assert empty.read_bytes() == before
