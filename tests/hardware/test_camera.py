"""The contract of the live cameras: simulated, picamera2 on a stand-in module, OpenCV on a stand-in capture."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from hardware import cameras
from hardware.cameras import open_camera
from hardware.devices import CameraLost, DeviceMissing, LockableCamera
from hardware.late import LateCamera
from hardware.pi_camera import PiCamera, to_bgr
from hardware.simulated import SimulatedCamera
from hardware.usb_camera import UsbCamera
from tests.hardware.fake_cameras import COLUMNS, ON_THE_RIBBON, ON_USB, ROWS, SCENE, FakeCapture, FakePicamera2, World

AUTOMATIC = {"exposure_us": 8000.0, "gain": 2.0, "red_gain": 1.5, "blue_gain": 1.25, "focus_dioptres": 2.5}


@dataclass
class Bench:
    """A camera, and what can happen to it."""

    camera: LockableCamera
    unplug: Callable[[], None]
    stall: Callable[[], None]
    replug: Callable[[], None]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """One camera, known to a stand-in for picamera2 and one for OpenCV's capture."""
    world = World()
    monkeypatch.setattr(FakePicamera2, "world", world, raising=False)
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=FakePicamera2))
    yield world
    world.ended.set()


def usb(world: World, timeout_s: float = 0.2) -> UsbCamera:
    return UsbCamera(0, timeout_s=timeout_s, open_capture=lambda device: FakeCapture(world, device))


@pytest.fixture(params=["simulated", "pi", "usb", "late"])
def bench(request: pytest.FixtureRequest, world: World) -> Iterator[Bench]:
    """A live camera of any kind."""

    def happens(there: bool, stalled: bool) -> Callable[[], None]:
        def cause() -> None:
            world.there, world.stalled = there, stalled

        return cause

    if request.param == "simulated":
        simulated = SimulatedCamera(SCENE)
        yield Bench(simulated, simulated.unplug, simulated.stall, simulated.replug)
        return
    kinds: dict[str, Callable[[], LockableCamera]] = {
        "pi": lambda: PiCamera(timeout_s=0.2),
        "usb": lambda: usb(world),
        "late": lambda: LateCamera(lambda: PiCamera(timeout_s=0.2)),
    }
    camera = kinds[request.param]()
    yield Bench(camera, happens(False, False), happens(True, True), happens(True, False))
    world.stalled = False
    camera.close()

    assert world.open == 0


def capture_until_lost(camera: LockableCamera) -> None:
    """Take the pictures that were on their way, and then none."""
    for _ in range(10):
        camera.capture()


def test_a_picture_is_blue_green_red_and_the_callers_own(bench: Bench) -> None:
    first = bench.camera.capture()

    assert first.image.dtype == np.uint8
    assert first.image.flags.c_contiguous
    assert (first.image == SCENE).all()

    first.image[:] = 0

    assert (bench.camera.capture().image == SCENE).all()


def test_pictures_come_in_the_order_of_their_times(bench: Bench) -> None:
    times = [bench.camera.capture().time_s for _ in range(5)]

    assert times == sorted(set(times))


@pytest.mark.parametrize("cause", ["unplug", "stall"])
def test_a_lost_camera_says_so_until_it_is_back(bench: Bench, cause: str) -> None:
    bench.camera.capture()
    getattr(bench, cause)()

    with pytest.raises(CameraLost, match=r"check its cable"):
        capture_until_lost(bench.camera)
    with pytest.raises(CameraLost, match=r"check its cable"):
        bench.camera.capture()

    bench.replug()

    assert (bench.camera.capture().image == SCENE).all()


def test_a_closed_camera_is_lost_and_closes_twice(bench: Bench) -> None:
    bench.camera.close()
    bench.camera.close()

    with pytest.raises(CameraLost, match="closed"):
        bench.camera.capture()


def test_what_is_locked_can_be_stored_and_restored(bench: Bench) -> None:
    held = bench.camera.lock()

    assert held
    assert json.loads(json.dumps(held)) == held
    assert isinstance(bench.camera, LockableCamera)

    bench.camera.restore(held)

    assert bench.camera.lock() == held


def test_a_pi_camera_is_locked_at_what_its_automatics_had_found(world: World) -> None:
    camera = PiCamera()
    held = camera.lock()
    camera.close()

    assert held == AUTOMATIC
    assert world.controls == {
        "AeEnable": False,
        "ExposureTime": 8000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.5, 1.25),
        "AfMode": 0,
        "LensPosition": 2.5,
    }


def test_a_pi_camera_is_only_asked_for_what_it_can(world: World) -> None:
    world.has = {"FrameDurationLimits", "ExposureTime"}
    camera = PiCamera(fps=25.0)
    camera.restore(AUTOMATIC)
    camera.close()

    assert world.controls == {"FrameDurationLimits": (40_000, 40_000), "ExposureTime": 8000}


def test_a_pi_camera_that_was_lost_holds_what_it_held_before(world: World) -> None:
    camera = PiCamera(timeout_s=0.1)
    camera.restore(AUTOMATIC)
    world.stalled = True
    with pytest.raises(CameraLost):
        camera.capture()
    world.stalled = False
    world.controls.clear()
    camera.capture()
    camera.close()

    assert world.controls["ExposureTime"] == 8000
    assert world.controls["LensPosition"] == 2.5


@pytest.mark.parametrize("pixel_format", ["NV12", "YUV420"])
def test_a_camera_that_only_gives_yuv_is_read_without_its_padding(world: World, pixel_format: str) -> None:
    world.pixel_format = pixel_format
    camera = PiCamera()
    image = camera.capture().image
    camera.close()

    assert image.shape == SCENE.shape
    assert np.abs(image.astype(int) - SCENE).max() <= 4


def test_a_pi_camera_gives_the_same_moment_small_and_grey_for_what_moves(world: World) -> None:
    camera = PiCamera()
    frame = camera.capture()
    camera.close()

    assert frame.low is not None
    assert frame.low.shape == (ROWS // 2, COLUMNS // 2)
    assert frame.low.flags.c_contiguous
    grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2YUV_I420)[0, 0]
    assert abs(int(frame.low.mean()) - int(grey)) <= 2


@pytest.mark.parametrize("low", [None, (COLUMNS // 2, ROWS // 4)], ids=["none", "another part of the picture"])
def test_a_camera_without_a_second_stream_of_the_same_view_has_one(world: World, low: tuple[int, int] | None) -> None:
    world.low = low
    camera = PiCamera()
    frame = camera.capture()
    camera.close()

    assert frame.low is None
    assert (frame.image == SCENE).all()


@pytest.mark.parametrize(
    ("pixel_format", "pixel"),
    [("RGB888", (1, 2, 3)), ("BGR888", (3, 2, 1)), ("XRGB8888", (1, 2, 3, 0)), ("XBGR8888", (3, 2, 1, 0))],
)
def test_libcameras_names_of_formats_are_told_apart(pixel_format: str, pixel: tuple[int, ...]) -> None:
    array = np.tile(np.array(pixel, np.uint8), (4, 6, 1))

    assert (to_bgr(array, pixel_format, (5, 4)) == (1, 2, 3)).all()
    assert to_bgr(array, pixel_format, (5, 4)).shape == (4, 5, 3)


def test_a_lens_that_is_said_to_be_beyond_infinity_is_held_there(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakePicamera2, "_metadata", lambda _: {"LensPosition": -0.02})
    camera = PiCamera()

    assert camera.lock() == {"focus_dioptres": 0.0}

    camera.close()


def test_an_unknown_format_is_a_lost_camera_that_names_the_known_ones() -> None:
    with pytest.raises(CameraLost, match=r"SRGGB10; known are RGB888, BGR888"):
        to_bgr(np.zeros((4, 4), np.uint8), "SRGGB10", (4, 4))


def test_a_usb_camera_is_locked_by_switching_its_automatics_off(world: World) -> None:
    camera = usb(world)

    assert camera.lock() == {"exposure_100us": 80.0, "gain": 12.0}
    assert world.controls[str(cv2.CAP_PROP_AUTO_EXPOSURE)] == 1
    assert world.controls[str(cv2.CAP_PROP_EXPOSURE)] == 80.0

    camera.close()


def test_without_picamera2_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)

    with pytest.raises(DeviceMissing, match=r"^camera: the library picamera2 .*sudo apt install python3-picamera2"):
        PiCamera()


def test_without_a_camera_on_the_pi_a_line_says_so(world: World) -> None:
    world.there = False

    with pytest.raises(DeviceMissing, match=r"^camera: no Raspberry Pi camera found; check its cable"):
        PiCamera()


def test_without_a_usb_camera_a_line_says_where_it_was_looked_for(world: World) -> None:
    world.there = False

    with pytest.raises(DeviceMissing, match=r"^camera: no USB camera at /dev/video0; check its cable"):
        usb(world)


def test_the_pi_camera_is_preferred_to_a_usb_camera(world: World) -> None:
    camera = open_camera()

    assert isinstance(camera, PiCamera)

    camera.close()


def test_a_camera_on_usb_alone_is_left_to_opencv_though_picamera2_knows_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.cameras = (ON_USB,)
    monkeypatch.setattr(cameras, "_usb", lambda *_: usb(world))
    camera = open_camera()

    assert isinstance(camera, UsbCamera)
    assert (camera.capture().image == SCENE).all()

    camera.close()


def test_a_camera_on_usb_is_no_raspberry_pi_camera(world: World) -> None:
    world.cameras = (ON_USB,)

    with pytest.raises(DeviceMissing, match=r"^camera: no Raspberry Pi camera found; check its cable"):
        PiCamera()


@pytest.mark.parametrize("sorts", [True, False], ids=["picamera2 puts USB last", "picamera2 has libcamera's order"])
@pytest.mark.parametrize("order", [(ON_USB, ON_THE_RIBBON), (ON_THE_RIBBON, ON_USB)], ids=["USB first", "USB last"])
def test_beside_a_camera_on_usb_the_one_on_the_ribbon_is_taken(
    world: World, order: tuple[str, ...], sorts: bool
) -> None:
    world.cameras, world.sorts = order, sorts
    camera = open_camera()

    assert isinstance(camera, PiCamera)
    assert (camera.capture().image == SCENE).all()

    camera.close()


def test_a_camera_is_asked_for_the_pictures_a_second_that_the_house_wants(world: World) -> None:
    world.has = {"FrameDurationLimits"}
    open_camera("camera", 20.0).close()

    assert world.controls == {"FrameDurationLimits": (50_000, 50_000)}


def test_in_the_dark_a_simulated_camera_sees_next_to_nothing() -> None:
    camera = SimulatedCamera(SCENE)
    camera.darken(0.02)

    assert camera.capture().image.max() <= 4

    camera.darken(1.0)
    camera.look_at(SCENE // 2)

    assert (camera.capture().image == SCENE // 2).all()


def test_a_simulated_camera_in_real_time_waits_between_pictures() -> None:
    waited = list[float]()
    camera = SimulatedCamera(SCENE, fps=25.0, wait=waited.append)
    camera.capture()
    camera.capture()

    assert waited == [0.04, 0.04]


def test_a_picamera2_that_does_not_fit_this_environment_is_one_line_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)

    with pytest.raises(DeviceMissing, match=r"^camera: .*numpy.dtype size changed.*make venv"):
        PiCamera()


def test_a_pi_camera_that_is_let_go_finds_everything_by_itself_again(world: World) -> None:
    camera = PiCamera()
    camera.restore(AUTOMATIC)
    camera.release()
    world.controls.clear()
    camera.capture()
    camera.close()

    assert not set(world.controls) - {"FrameDurationLimits"}


def test_a_usb_camera_that_is_let_go_is_opened_anew_and_holds_nothing(world: World) -> None:
    camera = usb(world)
    camera.lock()
    camera.release()
    del world.controls[str(cv2.CAP_PROP_EXPOSURE)]
    camera.capture()

    assert str(cv2.CAP_PROP_EXPOSURE) not in world.controls
    assert automatics(world) == [3, 1, 1]

    camera.close()


def test_a_usb_camera_of_which_nothing_is_held_finds_everything_by_itself(world: World) -> None:
    """The controls are the device's: what another program locked is locked still."""
    first = usb(world)
    first.lock()
    first.close()
    assert automatics(world) == [1, 0, 0]
    second = usb(world)
    second.restore({})
    second.capture()
    second.capture()

    assert automatics(world) == [3, 1, 1]

    second.close()


def test_a_usb_camera_that_sets_its_aperture_as_well_finds_its_exposure(world: World) -> None:
    world.refused = {(str(cv2.CAP_PROP_AUTO_EXPOSURE), 3)}
    camera = usb(world)
    camera.capture()

    assert automatics(world) == [0, 1, 1]

    camera.close()


def automatics(world: World) -> list[object]:
    """Return what the automatic exposure, white balance and focus are set to."""
    props = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
    return [world.controls[str(prop)] for prop in props]
