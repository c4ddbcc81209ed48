"""A USB camera, by OpenCV, with a watchdog: OpenCV itself may wait for a picture for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, Full, Queue, SimpleQueue
from typing import Any

import numpy as np

from hardware.devices import CameraFrame, CameraLost, DeviceMissing
from hardware.opencv import cv2

SIZE_PX = (1280, 960)
FPS = 30.0
TIMEOUT_S = 2.0
"""Without a picture for this long the camera counts as lost."""

_OFF = {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_AUTO_WB: 0, cv2.CAP_PROP_AUTOFOCUS: 0}
"""What switches V4L2's automatics off; 1 is its manual exposure."""

_ON = {cv2.CAP_PROP_AUTO_EXPOSURE: (3, 0), cv2.CAP_PROP_AUTO_WB: (1,), cv2.CAP_PROP_AUTOFOCUS: (1,)}
"""What switches them on, the first that the camera takes: most set the time alone (3), some the aperture as well (0).
They are the device's own, and stay off when it is closed."""

_HELD = {
    "exposure_100us": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "white_balance_k": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus_steps": cv2.CAP_PROP_FOCUS,
}


class _Reader(threading.Thread):
    """Reads pictures until it is told to stop or the camera stops giving any; keeps only the newest."""

    def __init__(self, capture: Any) -> None:
        super().__init__(name="usb camera", daemon=True)
        self._capture = capture
        self._stopping = threading.Event()
        self.newest: Queue[CameraFrame | None] = Queue(maxsize=1)
        self.tasks: SimpleQueue[Callable[[Any], None]] = SimpleQueue()

    def run(self) -> None:
        """Read, stamp, put; between two pictures do what was asked, as OpenCV is not safe across threads."""
        try:
            while not self._stopping.is_set():
                self._work()
                good, image = self._capture.read()
                if not good or image is None:
                    break
                self._put(CameraFrame(np.asarray(image, np.uint8), time.monotonic()))
        except cv2.error:
            pass
        finally:
            self._put(None)
            self._capture.release()

    def stop(self) -> None:
        """End after the picture that is being waited for; the thread lets go of the camera itself."""
        self._stopping.set()

    def _work(self) -> None:
        while True:
            try:
                self.tasks.get_nowait()(self._capture)
            except Empty:
                return

    def _put(self, frame: CameraFrame | None) -> None:
        while True:
            try:
                self.newest.put_nowait(frame)
                return
            except Full:
                try:
                    self.newest.get_nowait()
                except Empty:
                    continue


class UsbCamera:
    """A USB camera.

    Parameters
    ----------
    device
        Number of the camera, from 0, or its path such as ``/dev/video0``.
    size
        Columns and rows that are asked for; the camera may choose others.
    fps
        Pictures per second that are asked for.
    timeout_s
        Seconds without a picture after which the camera is lost.
    open_capture
        Opens the device; `cv2.VideoCapture` outside of tests.

    Raises
    ------
    DeviceMissing
        If there is no such camera.
    """

    def __init__(
        self,
        device: int | str = 0,
        size: tuple[int, int] = SIZE_PX,
        fps: float = FPS,
        timeout_s: float = TIMEOUT_S,
        open_capture: Callable[[Any], Any] = cv2.VideoCapture,
    ) -> None:
        self._device = device
        self._size = size
        self._fps = fps
        self._timeout_s = timeout_s
        self._open_capture = open_capture
        self._held: dict[str, float] = {}
        self._closed = False
        self._hanging: _Reader | None = None
        self._reader: _Reader | None = self._open()
        if self._reader is None:
            raise DeviceMissing(
                f"camera: no USB camera at {self._name}; check its cable and `ls /dev/video*`, or name another one"
            )

    def capture(self) -> CameraFrame:
        """Wait for the next picture and return it.

        Raises
        ------
        CameraLost
            If none came in time. The next call opens the camera anew.
        """
        if self._closed:
            raise CameraLost("the camera is closed")
        if self._reader is None:
            self._reader = self._reopen()
        try:
            frame = self._reader.newest.get(timeout=self._timeout_s)
        except Empty:
            frame = None
        if frame is None:
            self._let_go()
            raise CameraLost(f"the USB camera at {self._name} gives no pictures; check its cable")
        return frame

    def lock(self) -> Mapping[str, float]:
        """Hold exposure, gain, white balance and focus as they are now, and return them."""
        answer: Queue[dict[str, float]] = Queue()
        if self._reader is None:
            self.capture()
        if self._reader is not None:
            self._reader.tasks.put(lambda capture: answer.put(_hold_still(capture)))
        try:
            self._held = answer.get(timeout=self._timeout_s)
        except Empty:
            self._let_go()
            raise CameraLost(f"the USB camera at {self._name} does not answer; check its cable") from None
        return dict(self._held)

    def restore(self, held: Mapping[str, float]) -> None:
        """Set and hold what `lock` returned on an earlier day, as far as this camera can; of nothing, find it all."""
        self._held = dict(held)
        if self._reader is not None:
            self._reader.tasks.put(lambda capture: _set(capture, held))

    def release(self) -> None:
        """Hold nothing any more: the camera is opened anew for the next picture, and finds everything by itself."""
        self._held = {}
        self._let_go()

    def close(self) -> None:
        """Let go of the camera; may be called twice."""
        self._closed = True
        self._let_go()
        if self._hanging is not None:
            self._hanging.join(self._timeout_s)

    @property
    def _name(self) -> str:
        return f"/dev/video{self._device}" if isinstance(self._device, int) else self._device

    def _open(self) -> _Reader | None:
        capture = self._open_capture(self._device)
        if not capture.isOpened():
            capture.release()
            return None
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        _set(capture, self._held)
        reader = _Reader(capture)
        reader.start()
        return reader

    def _reopen(self) -> _Reader:
        """Open the camera anew, but not while the thread before still waits in it: it would be busy."""
        if self._hanging is not None:
            self._hanging.join(self._timeout_s)
            if self._hanging.is_alive():
                raise CameraLost(f"the USB camera at {self._name} hangs; check its cable, or plug it in again")
        reader = self._open()
        if reader is None:
            raise CameraLost(f"the USB camera at {self._name} is not there; check its cable")
        return reader

    def _let_go(self) -> None:
        """Tell the thread to end; it may hang in OpenCV, and nothing can be done about that."""
        if self._reader is not None:
            self._reader.stop()
            self._hanging, self._reader = self._reader, None


def _hold_still(capture: Any) -> dict[str, float]:
    """Switch the automatics off, keep what they had arrived at, and return it; -1 is OpenCV's "has none"."""
    values = {name: float(capture.get(prop)) for name, prop in _HELD.items()}
    held = {name: value for name, value in values.items() if value >= 0}
    _set(capture, held)
    return held


def _set(capture: Any, held: Mapping[str, float]) -> None:
    """Set what is *held*, the automatics off; switch them on where nothing is."""
    for prop, off in _OFF.items():
        if held:
            capture.set(prop, off)
        else:
            any(capture.set(prop, on) for on in _ON[prop])
    for name, value in held.items():
        if name in _HELD:
            capture.set(_HELD[name], value)
