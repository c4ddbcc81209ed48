"""The camera thread while its camera is lent: for a job, and for none where dice are hidden."""

from __future__ import annotations

from queue import SimpleQueue

from firmware.events import Event
from firmware.eyes import Eyes
from firmware.watching import BLIND, LENT, Watching
from hardware.devices import Camera
from hardware.simulated import SimulatedCamera
from tests.firmware.test_eyes import WAIT_S
from vision import Calibration
from vision.render import Table


def test_the_camera_is_lent_for_a_job_only_while_the_table_says_so(calibration: Calibration, table: Table) -> None:
    inbox, got = SimpleQueue[Event](), SimpleQueue[Camera | None]()
    camera = SimulatedCamera(table.empty(1))
    eyes = Eyes(camera, calibration, inbox)
    eyes.expect(Watching(2))
    eyes.open()
    try:
        eyes.lend(got.put)
        assert got.get(timeout=WAIT_S) is None
        eyes.expect(LENT)
        eyes.lend(got.put)
        assert got.get(timeout=WAIT_S) is camera
        eyes.expect(BLIND)
        eyes.lend(got.put)
        assert got.get(timeout=WAIT_S) is None  # dice are hidden from now on
    finally:
        eyes.close()
    eyes.lend(got.put)
    assert got.get(timeout=WAIT_S) is None  # nobody waits for a camera that is closed


def test_a_job_asked_for_after_dice_were_hidden_gets_no_camera_though_another_had_it_just_now(
    calibration: Calibration, table: Table
) -> None:
    got = SimpleQueue[Camera | None]()
    eyes = Eyes(SimulatedCamera(table.empty(1)), calibration, SimpleQueue[Event]())

    def hide(camera: Camera | None) -> None:
        got.put(camera)
        eyes.expect(BLIND)
        eyes.lend(got.put)

    eyes.expect(LENT)
    eyes.lend(hide)
    eyes.open()
    try:
        assert got.get(timeout=WAIT_S) is not None
        assert got.get(timeout=WAIT_S) is None
    finally:
        eyes.close()


def test_a_camera_of_another_size_can_be_calibrated(calibration: Calibration) -> None:
    inbox, seen = SimpleQueue[Event](), SimpleQueue[object]()
    other = SimulatedCamera(Table(seed=1, size=(640, 480)).empty(1))
    eyes = Eyes(other, calibration, inbox, on_look=lambda frame: seen.put(None if frame is None else frame.shape))
    eyes.expect(LENT)
    eyes.open()
    try:
        assert seen.get(timeout=WAIT_S) == (480, 640, 3)
    finally:
        eyes.close()
    assert inbox.empty()
