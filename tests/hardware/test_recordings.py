"""Videos and folders of pictures, played as cameras whose stream ends."""

from __future__ import annotations

import logging
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from hardware.cameras import open_camera
from hardware.devices import Camera, CameraFrame, CameraLost, DeviceMissing, EndOfStream
from hardware.file_camera import open_recording
from hardware.pictures import PictureError

ROWS, COLUMNS = 48, 64


def grey(level: int) -> npt.NDArray[np.uint8]:
    return np.full((ROWS, COLUMNS, 3), level, np.uint8)


def video(path: Path, frames: int = 20, codec: str = "MJPG", fps: float = 25.0) -> Path:
    """Write a video that grows brighter with every frame."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), fps, (COLUMNS, ROWS))
    assert writer.isOpened()
    grain = np.random.default_rng(0).integers(0, 7, (ROWS, COLUMNS, 3), np.uint8)  # so that a frame takes some bytes
    for number in range(frames):
        writer.write(grey(10 * number) + grain)
    writer.release()
    return path


def play(camera: Camera) -> list[CameraFrame]:
    """Return all frames, to the end of the stream."""
    frames = []
    try:
        while True:
            frames.append(camera.capture())
    except EndOfStream:
        return frames


def levels(frames: list[CameraFrame]) -> list[float]:
    return [float(round(frame.image.mean() - 3, -1)) for frame in frames]


@pytest.mark.parametrize(("name", "codec"), [("a.avi", "MJPG"), ("a.mp4", "mp4v")])
def test_a_video_is_played_frame_by_frame_with_its_own_times(tmp_path: Path, name: str, codec: str) -> None:
    frames = play(open_recording(video(tmp_path / name, codec=codec)))

    assert levels(frames) == [10.0 * number for number in range(20)]
    assert [frame.time_s for frame in frames] == pytest.approx([number / 25 for number in range(20)])
    assert {(frame.image.shape, frame.image.dtype) for frame in frames} == {((ROWS, COLUMNS, 3), np.dtype(np.uint8))}


@pytest.mark.parametrize("name", ["20:15.mp4", "2026-11-29T20:15:00.mp4", "http:a.mp4"])
def test_a_colon_in_the_name_of_a_video_makes_it_no_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    video(tmp_path / "a.mp4", codec="mp4v").rename(tmp_path / name)
    monkeypatch.chdir(tmp_path)

    assert len(play(open_recording(name))) == 20


def test_the_end_of_a_video_stays_the_end(tmp_path: Path) -> None:
    camera = open_recording(video(tmp_path / "a.avi", frames=3))
    play(camera)

    assert play(camera) == []


def test_a_video_that_was_cut_off_in_a_frame_plays_up_to_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = video(tmp_path / "a.avi")
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 4])
    frames = play(open_recording(path))

    assert 3 <= len(frames) < 20
    assert levels(frames) == [10.0 * number for number in range(len(frames))]
    assert "cut off after" in caplog.text
    assert all(later.time_s > earlier.time_s for earlier, later in pairwise(frames))


def test_a_video_without_its_index_is_refused(tmp_path: Path) -> None:
    path = video(tmp_path / "a.mp4", codec="mp4v")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    with pytest.raises(PictureError, match=r"holds no frame that can be decoded; allowed are MP4"):
        open_recording(path)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        pytest.param(lambda path: None, "there is no such file", id="missing"),
        pytest.param(lambda path: path.touch(), r"is empty \(0 bytes\)", id="empty"),
        pytest.param(lambda path: path.write_bytes(b"no video" * 99), "holds no frame", id="something else"),
        pytest.param(lambda path: path.mkdir(), "holds no pictures", id="an empty folder"),
    ],
)
def test_what_is_no_video_is_refused_in_one_line(tmp_path: Path, make: object, says: str) -> None:
    path = tmp_path / "a.mp4"
    assert callable(make)
    make(path)

    with pytest.raises(PictureError, match=says) as caught:
        open_recording(path)
    assert "\n" not in str(caught.value)


def test_a_closed_video_is_a_lost_camera_and_closes_twice(tmp_path: Path) -> None:
    camera = open_recording(video(tmp_path / "a.avi"))
    camera.close()
    camera.close()

    with pytest.raises(CameraLost, match="closed"):
        camera.capture()


def test_a_folder_is_played_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for number in (10, 9, 1, 100):
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), grey(number))
    (tmp_path / "notes.txt").write_text("not a picture")
    frames = play(open_recording(tmp_path))

    assert [int(frame.image[0, 0, 0]) for frame in frames] == [1, 9, 10, 100]
    assert [frame.time_s for frame in frames] == pytest.approx([0, 1 / 30, 2 / 30, 3 / 30])


def test_a_damaged_picture_in_a_folder_is_left_out_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), grey(number))
    (tmp_path / "1.png").write_bytes(b"hurt")
    with caplog.at_level(logging.WARNING):
        frames = play(open_recording(tmp_path))

    assert [int(frame.image[0, 0, 0]) for frame in frames] == [0, 2]
    assert "left out" in caplog.text
    assert "1.png" in caplog.text


def test_a_folder_of_damaged_pictures_only_is_an_error(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.png").write_bytes(b"hurt")
    camera = open_recording(tmp_path)

    with pytest.raises(PictureError, match=r"1\.png: is not a picture"):
        camera.capture()
    with pytest.raises(EndOfStream):
        camera.capture()


def test_one_picture_stands_still_for_a_second(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), grey(50))
    frames = play(open_recording(tmp_path / "a.png"))

    assert len(frames) == 30
    assert frames[-1].time_s == pytest.approx(29 / 30)
    frames[0].image[:] = 0
    assert frames[1].image.all()


def test_a_damaged_picture_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"hurt")

    with pytest.raises(PictureError, match="is not a picture"):
        open_recording(tmp_path / "a.jpg")


def test_nothing_is_printed_about_a_damaged_video(tmp_path: Path) -> None:
    cut = video(tmp_path / "cut.mp4", codec="mp4v")
    cut.write_bytes(cut.read_bytes()[:-200])
    torn = video(tmp_path / "torn.avi")
    torn.write_bytes(torn.read_bytes()[:-999])
    (tmp_path / "text.mp4").write_text("text")
    script = (
        "import sys; from hardware.file_camera import *; from hardware.devices import *\n"
        "import logging; logging.disable()\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n        camera = open_recording(path)\n        while True: camera.capture()\n"
        "    except HardwareError: pass"
    )
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    run = subprocess.run([sys.executable, "-W", "default", "-c", script, *paths], capture_output=True, text=True)

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_a_camera_is_opened_by_the_path_of_a_recording(tmp_path: Path) -> None:
    assert len(play(open_camera(str(video(tmp_path / "a.avi", frames=4))))) == 4


@pytest.mark.parametrize("name", ["usb:x", "usb:²", "usb:-1", "usb:1:2"])
def test_a_camera_that_cannot_be_meant_names_those_that_can(name: str) -> None:
    with pytest.raises(DeviceMissing, match=r"known are camera, pi, usb, usb:1, /dev/video0"):
        open_camera(name)
