"""Any camera by the name a person gives it."""

from __future__ import annotations

from hardware.devices import Camera, DeviceMissing
from hardware.file_camera import open_recording

FPS = 30.0
CAMERA_NAMES = "camera, pi, usb, usb:1, /dev/video0 or the path of a recording"


def open_camera(name: str = "camera", fps: float = FPS) -> Camera:
    """Open the camera called *name*.

    Parameters
    ----------
    name
        `camera`: the Raspberry Pi camera or else the first USB camera; `pi`; `usb` or `usb:1`; a device such as
        ``/dev/video0``; or the path of a video, a picture or a folder of pictures.
    fps
        Pictures per second that a live camera is asked for.

    Raises
    ------
    DeviceMissing
        If there is no such camera.
    PictureError
        If the recording cannot be played.
    """
    if name == "camera":
        return _any_camera(fps)
    if name == "pi":
        return _pi(fps)
    kind, _, number = name.partition(":")
    if kind == "usb":
        if number.isascii() and (number.isdecimal() or number == ""):
            return _usb(int(number or "0"), fps)
        raise DeviceMissing(f"camera: {name!r} is not one; known are {CAMERA_NAMES}")
    return _usb(name, fps) if name.startswith("/dev/video") else open_recording(name)


def _any_camera(fps: float) -> Camera:
    try:
        return _pi(fps)
    except DeviceMissing as no_pi:
        try:
            return _usb(0, fps)
        except DeviceMissing as no_usb:
            raise DeviceMissing(f"{no_pi}; and {no_usb}") from None


def _pi(fps: float) -> Camera:
    from hardware.pi_camera import PiCamera

    return PiCamera(fps=fps)


def _usb(device: int | str, fps: float) -> Camera:
    from hardware.usb_camera import UsbCamera

    return UsbCamera(device, fps=fps)
