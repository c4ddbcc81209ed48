"""The camera thread: what it sends on, and what it does when the camera fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue

import cv2
import numpy as np
import pytest

from firmware import eyes as eyes_module
from firmware.events import CameraState, Event, Failed, Stop, TrayRead, TrayStirred
from firmware.eyes import Eyes, small_jpeg
from hardware.devices import Camera, CameraFrame, EndOfStream
from hardware.simulated import SimulatedCamera
from vision import Calibration, calibrate, motion
from vision.render import RenderedDie, Table

WAIT_S = 30.0


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=1)


@pytest.fixture(scope="module")
def calibration(table: Table) -> Calibration:
    return calibrate([table.empty(seed) for seed in range(3)], tray_mm=table.tray_mm, corners=table.corners_px)


Open = Callable[..., SimpleQueue[Event]]


@pytest.fixture
def look(calibration: Calibration, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Open eyes on a camera; they are closed at the end."""
    monkeypatch.setattr(eyes_module, "_RETRY_S", 0.01)
    opened: list[Eyes] = []

    def begin(camera: Camera, dice: int = 2) -> SimpleQueue[Event]:
        inbox = SimpleQueue[Event]()
        eyes = Eyes(camera, calibration, inbox, picture_width_px=320)
        eyes.expect(dice)
        eyes.open()
        opened.append(eyes)
        return inbox

    yield begin
    for eyes in opened:
        eyes.close()


def until(inbox: SimpleQueue[Event], kind: type[Event]) -> list[Event]:
    """Take events until one of *kind* has come."""
    events: list[Event] = []
    while not events or not isinstance(events[-1], kind):
        try:
            events.append(inbox.get(timeout=WAIT_S))
        except Empty:
            raise AssertionError(f"no {kind.__name__} came, only {events}") from None
    return events


class Film:
    """A camera that shows pictures one after the other and then ends."""

    def __init__(self, *scenes: tuple[np.ndarray, int]) -> None:
        self._frames = iter([frame for frame, times in scenes for _ in range(times)])

    def capture(self) -> CameraFrame:
        try:
            return CameraFrame(next(self._frames), 0.0)
        except StopIteration:
            raise EndOfStream("over") from None

    def close(self) -> None:
        pass


def test_a_throw_is_sent_once_with_a_small_picture(look: Open, table: Table) -> None:
    dice = table.picture([RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 2)], seed=1)
    events = until(look(Film((table.empty(1), 2), (dice, 14))), Stop)

    (read,) = [event for event in events if isinstance(event, TrayRead)]
    assert read.reading.faces == (5, 2)
    picture = cv2.imdecode(np.frombuffer(read.jpeg or b"", np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (240, 320, 3)
    assert TrayStirred("moving") in events


def test_an_unplugged_camera_is_said_once_and_its_return_as_well(look: Open, table: Table) -> None:
    camera = SimulatedCamera(table.empty(1))
    camera.unplug()
    inbox = look(camera)
    (lost,) = until(inbox, CameraState)
    camera.replug()
    back = until(inbox, CameraState)

    assert isinstance(lost, CameraState)
    assert "unplugged" in str(lost.lost)
    assert back == [CameraState(None)]


def test_pictures_of_another_size_are_a_lost_camera(look: Open) -> None:
    (lost,) = until(look(SimulatedCamera(np.zeros((480, 640, 3), np.uint8))), CameraState)

    assert isinstance(lost, CameraState)
    assert "640 x 480 pixels, the calibration is for 1280 x 960" in str(lost.lost)


def test_a_bug_in_the_thread_is_sent_to_the_thread_that_owns_the_game(
    look: Open, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(motion, "step", broken)
    (failed,) = until(look(SimulatedCamera(table.empty(1))), Failed)

    assert isinstance(failed, Failed)
    assert isinstance(failed.error, ZeroDivisionError)


def test_a_width_of_nothing_keeps_no_picture() -> None:
    frame = np.zeros((96, 128, 3), np.uint8)

    assert small_jpeg(frame, 0) is None
    assert small_jpeg(frame, 4000) is not None
