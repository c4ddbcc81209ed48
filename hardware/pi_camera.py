"""The Raspberry Pi camera, by picamera2."""

from __future__ import annotations

import importlib
import itertools
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.devices import CameraFrame, CameraLost, DeviceMissing
from hardware.opencv import cv2

SIZE_PX = (1280, 960)
LOW_PX = (640, 480)
"""Of the second stream, from which motion is told: a quarter of the pixels to look through, thirty times a second."""

FPS = 30.0
TIMEOUT_S = 2.0
"""Without a picture for this long the camera counts as lost."""

_WANTED_FORMATS = ("RGB888", "YUV420", "NV12")  # RGB888 is libcamera's name for blue-green-red in memory
_YUV = {
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
}
_USB = "/usb"  # stands in libcamera's name of a camera that hangs there, as picamera2 tells them apart as well
_FAILURES = (RuntimeError, OSError, IndexError, KeyError, ValueError, TimeoutError)


def to_bgr(array: npt.NDArray[np.uint8], pixel_format: str, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Return a picture of any format that libcamera gives as blue-green-red.

    Parameters
    ----------
    array
        The picture as picamera2 hands it over, with padding at the end of the rows.
    pixel_format
        libcamera's name of it, such as ``NV12``.
    size
        Columns and rows of the picture, without padding.

    Returns
    -------
    ndarray of uint8, shape (rows, columns, 3)
        An array of its own.

    Raises
    ------
    CameraLost
        If the format is not known here.
    """
    columns, rows = size
    if pixel_format in _YUV:
        planes = np.ascontiguousarray(array).reshape(rows * 3 // 2, -1)
        picture = np.asarray(cv2.cvtColor(planes, _YUV[pixel_format]), np.uint8)
    elif pixel_format in ("RGB888", "XRGB8888"):
        picture = array[:, :, :3]
    elif pixel_format in ("BGR888", "XBGR8888"):
        picture = array[:, :, 2::-1]
    else:
        known = ", ".join(("RGB888", "BGR888", "XRGB8888", "XBGR8888", *_YUV))
        raise CameraLost(f"the camera gives pictures as {pixel_format}; known are {known}")
    return np.array(picture[:rows, :columns], np.uint8, order="C")


class PiCamera:
    """The first Raspberry Pi camera, as a stream; one on USB is none.

    Parameters
    ----------
    size
        Columns and rows that are asked for; the camera may choose others.
    fps
        Pictures per second that are asked for.
    timeout_s
        Seconds without a picture after which the camera is lost.

    Raises
    ------
    DeviceMissing
        If picamera2 or a camera is not there.
    """

    def __init__(self, size: tuple[int, int] = SIZE_PX, fps: float = FPS, timeout_s: float = TIMEOUT_S) -> None:
        self._size = size
        self._fps = fps
        self._timeout_s = timeout_s
        self._library = _library()
        self._held: dict[str, float] = {}
        self._metadata: Mapping[str, Any] = {}
        self._camera: Any = None
        self._closed = False
        try:
            self._open()
        except _FAILURES as error:
            self._let_go()
            raise DeviceMissing(
                f"camera: it does not start ({_words(error)}); end other programs that use it, and check its cable"
            ) from error

    def capture(self) -> CameraFrame:
        """Wait for the next picture and return it.

        Raises
        ------
        CameraLost
            If none came in time. The next call starts the camera anew.
        """
        if self._closed:
            raise CameraLost("the camera is closed")
        try:
            if self._camera is None:
                self._open()
            streams = self._camera.camera_configuration()
            names = ["main", "lores"] if streams.get("lores") else ["main"]
            job = self._camera.capture_arrays(names, wait=False)
            (array, *others), self._metadata = job.get_result(timeout=self._timeout_s)
            main = streams["main"]
        except (*_FAILURES, DeviceMissing) as error:
            self._let_go()
            raise CameraLost(f"the camera gives no pictures ({_words(error)}); check its cable") from error
        stamp_ns = self._metadata.get("SensorTimestamp")
        time_s = time.monotonic() if stamp_ns is None else stamp_ns / 1e9
        image = to_bgr(array, str(main["format"]), tuple(main["size"]))
        return CameraFrame(image, time_s, _grey(others[0], streams) if others else None)

    def lock(self) -> Mapping[str, float]:
        """Hold exposure, gain, white balance and focus as they were in the last picture, and return them."""
        if not self._metadata:
            self.capture()
        seen = self._metadata
        red, blue = seen.get("ColourGains", (None, None))
        values = {
            "exposure_us": seen.get("ExposureTime"),
            "gain": seen.get("AnalogueGain"),
            "red_gain": red,
            "blue_gain": blue,
            "focus_dioptres": seen.get("LensPosition"),
        }
        # A lens that is focused on nothing near may be said to be a little beyond that.
        held = {name: max(0.0, float(value)) for name, value in values.items() if value is not None}
        self.restore(held)
        return held

    def restore(self, held: Mapping[str, float]) -> None:
        """Set and hold what `lock` returned on an earlier day, as far as this camera can."""
        self._held = dict(held)
        if self._camera is not None:
            self._apply(controls_for(held))

    def release(self) -> None:
        """Hold nothing any more: the camera is opened anew for the next picture."""
        self._held = {}
        self._let_go()

    def close(self) -> None:
        """Let go of the camera; may be called twice."""
        self._closed = True
        self._let_go()

    def _open(self) -> None:
        known = self._library.Picamera2.global_camera_info()
        # One on USB is known as well, and would start, and give MJPEG. Which to open picamera2 is told by its place in
        # this list; "Num" is another number, libcamera's own.
        places = [place for place, camera in enumerate(known) if _USB not in str(camera.get("Id", ""))]
        if not places:
            raise DeviceMissing("camera: no Raspberry Pi camera found; check its cable, or name a USB camera")
        self._camera = self._library.Picamera2(places[0])
        self._configure()
        frame_us = round(1e6 / self._fps)
        self._apply({"FrameDurationLimits": (frame_us, frame_us)} | controls_for(self._held))
        self._camera.start()

    def _configure(self) -> None:
        """Ask for the formats in turn, best with a second stream; a camera may also choose another, which is fine."""
        for low, wanted in itertools.product(({"lores": {"size": LOW_PX, "format": "YUV420"}}, {}), _WANTED_FORMATS):
            try:
                main = {"size": self._size, "format": wanted}
                self._camera.configure(self._camera.create_video_configuration(main=main, buffer_count=4, **low))
                return
            except (RuntimeError, ValueError):
                if not low and wanted == _WANTED_FORMATS[-1]:
                    raise

    def _apply(self, controls: Mapping[str, Any]) -> None:
        """Set those of *controls* that this camera has: a fixed lens has no focus."""
        there = {name: value for name, value in controls.items() if name in self._camera.camera_controls}
        if there:
            self._camera.set_controls(there)

    def _let_go(self) -> None:
        """Close the camera, on a thread: a hanging camera hangs in its own closing too."""
        camera, self._camera = self._camera, None
        self._metadata = {}
        if camera is not None:
            closing = threading.Thread(target=_close, args=(camera,), name="camera closing", daemon=True)
            closing.start()
            closing.join(self._timeout_s)


def controls_for(held: Mapping[str, float]) -> dict[str, Any]:
    """Return libcamera's controls that hold the camera at what `PiCamera.lock` returned.

    Examples
    --------
    >>> controls_for({"exposure_us": 8000.0, "gain": 2.0})
    {'AeEnable': False, 'ExposureTime': 8000, 'AnalogueGain': 2.0}
    >>> controls_for({"focus_dioptres": 2.5})
    {'AfMode': 0, 'LensPosition': 2.5}
    """
    controls: dict[str, Any] = {}
    if "exposure_us" in held and "gain" in held:
        controls |= {"AeEnable": False, "ExposureTime": round(held["exposure_us"]), "AnalogueGain": held["gain"]}
    if "red_gain" in held and "blue_gain" in held:
        controls |= {"AwbEnable": False, "ColourGains": (held["red_gain"], held["blue_gain"])}
    if "focus_dioptres" in held:
        controls |= {"AfMode": 0, "LensPosition": held["focus_dioptres"]}  # 0: libcamera's AfModeManual
    return controls


def _grey(array: npt.NDArray[np.uint8], streams: Mapping[str, Any]) -> npt.NDArray[np.uint8] | None:
    """Return the brightness of the second stream; None where it does not show what the first does."""
    (columns, rows), (wide, high) = streams["lores"]["size"], streams["main"]["size"]
    if streams["lores"]["format"] not in _YUV or abs(columns * high - rows * wide) > wide:
        return None
    return np.array(array[:rows, :columns], np.uint8, order="C")


def _library() -> Any:
    try:
        return importlib.import_module("picamera2")
    except (ImportError, ValueError, AttributeError) as error:  # a ValueError: built for another numpy
        raise DeviceMissing(
            f"camera: the library picamera2 cannot be used ({_words(error)}); on a Raspberry Pi run: "
            "sudo apt install python3-picamera2, then make venv: the environment is made anew and sees it"
        ) from None


def _close(camera: Any) -> None:
    for action in (camera.stop, camera.close):
        with suppress(*_FAILURES):
            action()


def _words(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
