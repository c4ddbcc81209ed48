"""A display and a camera that are not there when the table begins: each is opened as soon as it can be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from hardware.devices import Camera, CameraFrame, CameraLost, DeviceMissing, Display, LockableCamera, Screen


class LateDisplay:
    """A display that is looked for with every screen until it is there.

    Parameters
    ----------
    open_display
        Opens it, or raises `DeviceMissing`.
    """

    def __init__(self, open_display: Callable[[], Display]) -> None:
        self._open = open_display
        self._display: Display | None = None
        self._closed = False

    def show(self, screen: Screen) -> None:
        """Replace what is shown.

        Raises
        ------
        HardwareError
            If the display is not there, or does not answer. The next call tries again.
        """
        if self._closed:
            return
        if self._display is None:
            self._display = self._open()
        self._display.show(screen)

    def close(self, *, dark: bool = True) -> None:
        """Dark, or if not *dark* left as it is, if it ever was there; may be called twice."""
        self._closed = True
        if self._display is not None:
            self._display.close(dark=dark)


class LateCamera:
    """A camera that is looked for with every picture until it is there, and then holds what it is to hold.

    Parameters
    ----------
    open_camera
        Opens it, or raises `DeviceMissing`.
    """

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        self._open = open_camera
        self._camera: Camera | None = None
        self._held: Mapping[str, float] | None = None
        self._closed = threading.Event()

    def capture(self) -> CameraFrame:
        """Wait for the next picture and return it.

        Raises
        ------
        CameraLost
            If the camera is not there, or gives none. The next call tries again.
        """
        return self._found().capture()

    def lock(self) -> Mapping[str, float]:
        """Hold everything as it is now and return it."""
        camera = self._found()
        return camera.lock() if isinstance(camera, LockableCamera) else {}

    def restore(self, held: Mapping[str, float]) -> None:
        """Set and hold what `lock` returned on an earlier day, now or when the camera is there."""
        self._held = dict(held)
        if isinstance(self._camera, LockableCamera):
            self._camera.restore(held)

    def release(self) -> None:
        """Hold nothing any more."""
        self._held = None
        if isinstance(self._camera, LockableCamera):
            self._camera.release()

    def close(self) -> None:
        """Let go of the camera, if it ever was there; may be called twice."""
        self._closed.set()
        if self._camera is not None:
            self._camera.close()

    def _found(self) -> Camera:
        if self._camera is None:
            if self._closed.is_set():
                raise CameraLost("the camera is closed")
            try:
                camera = self._open()
            except DeviceMissing as error:
                raise CameraLost(str(error)) from error
            if self._held is not None and isinstance(camera, LockableCamera):
                camera.restore(self._held)
            self._camera = camera
            if self._closed.is_set():  # by another thread, while it was being opened
                camera.close()
        return self._camera
