"""Stand-ins for picamera2 and for OpenCV's capture, and the world behind them that can be unplugged and stalled."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

COLUMNS, ROWS = 64, 48
SCENE = np.full((ROWS, COLUMNS, 3), (200, 40, 120), np.uint8)  # blue-green-red

ON_THE_RIBBON = "/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a"
ON_USB = "/base/axi/pcie@120000/rp1/usb@200000-1:1.0-046d:0825"
"""What libcamera calls a camera: where it is."""


def i420(scene: npt.NDArray[np.uint8], padding: int) -> npt.NDArray[np.uint8]:
    """Return *scene* as libcamera's YUV420, every row followed by *padding* bytes of rubbish."""
    wide = np.pad(scene, ((0, 0), (0, padding), (0, 0)), mode="edge")
    return np.asarray(cv2.cvtColor(wide, cv2.COLOR_BGR2YUV_I420), np.uint8)


def nv12(scene: npt.NDArray[np.uint8], padding: int) -> npt.NDArray[np.uint8]:
    planes = i420(scene, padding)
    rows = scene.shape[0]
    chroma = planes[rows:].reshape(2, -1)
    return np.vstack([planes[:rows], chroma.T.reshape(rows // 2, -1)])


class World:
    """What stands behind the stand-ins: a camera that can be plugged, stalled, and asked what it was set to.

    Attributes
    ----------
    cameras
        Those that libcamera knows, in its order.
    sorts
        Whether picamera2 puts those on USB last, as it has since 2023; its own numbers are places in that list.
    """

    def __init__(self) -> None:
        self.there = True
        self.cameras: tuple[str, ...] = (ON_THE_RIBBON,)
        self.sorts = True
        self.stalled = False
        self.pixel_format = "RGB888"
        self.controls: dict[str, object] = {}
        self.refused: set[tuple[str, float]] = set()
        self.has = {"ExposureTime", "AnalogueGain", "AeEnable", "AwbEnable", "ColourGains", "AfMode", "LensPosition"}
        self.open = 0
        self.taken = 0
        self.low: tuple[int, int] | None = (COLUMNS // 2, ROWS // 2)
        self.ended = threading.Event()


class FakePicamera2:
    """As much of picamera2.Picamera2 as is documented and used; capturing works as its jobs do."""

    world: World

    def __init__(self, camera_num: int = 0) -> None:
        self._usb = self.global_camera_info()[camera_num]["Id"] == ON_USB
        self.world.open += 1
        self._config: dict[str, Any] = {}
        self._started = False

    @classmethod
    def global_camera_info(cls) -> list[dict[str, object]]:
        found: list[dict[str, object]] = [{"Id": name} for name in cls.world.cameras if cls.world.there]
        if not cls.world.sorts:
            return found
        for number, camera in enumerate(found):
            camera["Num"] = number
        return sorted(found, key=lambda camera: camera["Id"] == ON_USB)

    @property
    def camera_controls(self) -> dict[str, tuple[float, float, float]]:
        return dict.fromkeys(self.world.has, (0.0, 1.0, 0.5))

    def create_video_configuration(
        self, main: dict[str, object], buffer_count: int, lores: dict[str, object] | None = None
    ) -> dict[str, Any]:
        assert buffer_count >= 2
        return {"main": dict(main), "lores": lores}

    def configure(self, config: dict[str, Any]) -> None:
        if self.world.pixel_format == "NV12" and config["main"]["format"] != "NV12":
            raise RuntimeError("Failed to configure camera")
        if config["lores"] is not None and self.world.low is None:
            raise RuntimeError("lores stream is not supported by this camera")
        low = config["lores"] and {"format": "YUV420", "size": self.world.low}
        given = "MJPEG" if self._usb else self.world.pixel_format  # adjusted without an error
        self._config = {"main": {"format": given, "size": (COLUMNS, ROWS)}, "lores": low}

    def camera_configuration(self) -> dict[str, Any]:
        return self._config

    def set_controls(self, controls: dict[str, object]) -> None:
        unknown = set(controls) - self.world.has
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.world.controls |= controls

    def start(self) -> None:
        self._started = True

    def stop(self) -> None:
        self._started = False

    def close(self) -> None:
        self.world.open -= 1

    def capture_arrays(self, names: list[str], wait: bool) -> Any:
        assert self._started
        assert names == (["main", "lores"] if self._config["lores"] else ["main"])
        assert wait is False
        job: Future[tuple[list[npt.NDArray[np.uint8]], dict[str, object]]] = Future()
        if self.world.there and not self.world.stalled:
            self.world.taken += 1
            job.set_result(([self._low() if name == "lores" else self._array() for name in names], self._metadata()))
        return SimpleNamespace(get_result=lambda timeout: job.result(timeout))

    def _array(self) -> npt.NDArray[np.uint8]:
        if self.world.pixel_format == "NV12":
            return nv12(SCENE, padding=64)
        if self.world.pixel_format == "YUV420":
            return i420(SCENE, padding=64)
        return SCENE.copy()

    def _low(self) -> npt.NDArray[np.uint8]:
        assert self.world.low is not None
        return i420(np.asarray(cv2.resize(SCENE, self.world.low), np.uint8), padding=64)

    def _metadata(self) -> dict[str, object]:
        return {
            "SensorTimestamp": 33_333_000 * self.world.taken,
            "ExposureTime": 8000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.25),
            "LensPosition": 2.5,
        }


class FakeCapture:
    """As much of cv2.VideoCapture as is used; a stalled read waits as V4L2 does."""

    def __init__(self, world: World, device: int | str) -> None:
        self._world = world
        self._there = world.there
        world.open += self._there

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._there

    def read(self) -> tuple[bool, npt.NDArray[np.uint8] | None]:
        while self._world.stalled and not self._world.ended.wait(0.005):
            pass
        if not self._world.there or self._world.ended.is_set():
            return False, None
        return True, SCENE.copy()

    def set(self, prop: int, value: float) -> bool:
        if (str(prop), value) in self._world.refused:
            return False
        self._world.controls[str(prop)] = value
        return True

    def get(self, prop: int) -> float:
        return {cv2.CAP_PROP_EXPOSURE: 80.0, cv2.CAP_PROP_GAIN: 12.0}.get(prop, -1.0)

    def release(self) -> None:
        self._world.open -= self._there
        self._there = False
