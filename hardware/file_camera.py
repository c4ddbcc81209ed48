"""Pictures, folders of pictures and videos from disk, as cameras whose stream ends."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hardware.devices import Camera, CameraFrame, CameraLost, EndOfStream
from hardware.opencv import cv2
from hardware.pictures import SUFFIXES, Frame, PictureError, StrPath, load_picture, shown

__all__ = ["PictureCamera", "PictureError", "VideoCamera", "load_picture", "open_recording"]

DEFAULT_FPS = 30.0
MAX_FPS = 1000.0
LONGEST_GAP_S = 10.0
"""A longer gap between two frames is taken for a wrong time in the file."""

ALLOWED_VIDEOS = "MP4, MOV, MKV, WebM, AVI or MJPEG"

_log = logging.getLogger(__name__)


def open_recording(path: StrPath) -> Camera:
    """Return a camera that plays back what stands at *path*.

    Parameters
    ----------
    path
        A video; a folder of pictures, played in the order of their names, one per frame; or one picture, played for
        a second as if the table stood still.

    Raises
    ------
    PictureError
        If there is nothing that can be played: what was found, what is allowed, what to do.
    """
    file = Path(path)
    if os.path.isdir(file):
        return PictureCamera(_pictures_in(file))
    if file.suffix.lower() in SUFFIXES:
        load_picture(file)
        return PictureCamera([file], hold=round(DEFAULT_FPS))
    return VideoCamera(file)


class PictureCamera:
    """Still pictures, one after the other.

    Parameters
    ----------
    pictures
        The files. One that cannot be read is left out with a line in the log, as long as there is another.
    fps
        Pictures per second of the camera's own clock.
    hold
        How many frames each picture stays before the lens.
    """

    def __init__(self, pictures: Sequence[StrPath], *, fps: float = DEFAULT_FPS, hold: int = 1) -> None:
        self._waiting = list(pictures)
        self._fps = fps
        self._hold = hold
        self._image: Frame | None = None
        self._left = 0
        self._taken = 0
        self._closed = False

    def capture(self) -> CameraFrame:
        """Return the next frame at once.

        Raises
        ------
        EndOfStream
            After the last picture.
        PictureError
            If not one of the pictures could be read.
        """
        if self._closed:
            raise CameraLost("the recording is closed")
        while self._left == 0:
            self._next()
        if self._image is None:
            raise EndOfStream("no more pictures")
        self._left -= 1
        self._taken += 1
        return CameraFrame(self._image.copy(), (self._taken - 1) / self._fps)

    def close(self) -> None:
        """Let go of the pictures; may be called twice."""
        self._closed = True
        self._image = None

    def _next(self) -> None:
        """Read the next picture that can be read."""
        if not self._waiting:
            raise EndOfStream(f"no more pictures after {self._taken}")
        path = self._waiting.pop(0)
        try:
            self._image = load_picture(path)
            self._left = self._hold
        except PictureError as error:
            if not self._waiting and self._taken == 0:
                raise
            _log.warning("left out: %s", error)


class VideoCamera:
    """A video file, one frame after the other, as fast as it is asked for.

    It reads one frame ahead: of a video that was cut off, the last frame may be half a picture, and is left out.

    Raises
    ------
    PictureError
        If the file is missing, a folder, empty, or not a video that can be decoded.
    """

    def __init__(self, path: StrPath) -> None:
        self._name = shown(path)
        _check_video_file(path, self._name)
        # FFmpeg takes what stands before a colon for a protocol, but not after a slash.
        self._video = cv2.VideoCapture(os.path.abspath(path), _backend())
        self._fps = _sensible(self._video.get(cv2.CAP_PROP_FPS), MAX_FPS) or DEFAULT_FPS
        self._announced = _sensible(self._video.get(cv2.CAP_PROP_FRAME_COUNT), math.inf)
        self._taken = 0
        self._closed = False
        self._next = self._read(None)
        if self._next is None:
            self._video.release()
            raise PictureError(
                f"{self._name}: holds no frame that can be decoded; allowed are {ALLOWED_VIDEOS}, "
                "whole from the beginning"
            )

    def capture(self) -> CameraFrame:
        """Return the next frame at once, with its time in the video.

        Raises
        ------
        EndOfStream
            After the last whole frame, wherever the file was cut off.
        """
        if self._closed:
            raise CameraLost(f"{self._name}: the video is closed")
        frame = self._next
        if frame is not None:
            self._next = self._read(frame)
        if frame is not None and self._next is None and self._announced > self._taken + 1:
            _log.warning("%s: cut off after %d of %d frames", self._name, self._taken, self._announced)
            frame = None
        if frame is None:
            raise EndOfStream(f"{self._name}: over after {self._taken} frames")
        self._taken += 1
        return frame

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self._closed = True
        self._next = None
        self._video.release()

    def _read(self, before: CameraFrame | None) -> CameraFrame | None:
        """Read one frame; its time is its own, or one frame after *before* where the file has no sensible times."""
        try:
            good, image = self._video.read()
        except cv2.error:
            return None
        if not good or image is None:
            return None
        frame: Frame = np.asarray(image, np.uint8)
        if frame.ndim == 2:
            frame = np.repeat(frame[:, :, np.newaxis], 3, axis=2)
        if before is None:
            return CameraFrame(frame, 0.0)
        own_s = self._video.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        later = math.isfinite(own_s) and before.time_s < own_s < before.time_s + LONGEST_GAP_S
        return CameraFrame(frame, own_s if later else before.time_s + 1.0 / self._fps)


def _sensible(value: float, most: float) -> float:
    """Return *value* if a video can mean it, else 0."""
    return value if math.isfinite(value) and 0 < value <= most else 0.0


def _backend() -> int:
    """Return FFmpeg where OpenCV has it: the readers it tries after that print about damaged files."""
    return cv2.CAP_FFMPEG if cv2.videoio_registry.hasBackend(cv2.CAP_FFMPEG) else cv2.CAP_ANY


def _check_video_file(path: StrPath, name: str) -> None:
    try:
        with Path(path).open("rb") as file:
            start = file.read(1)
    except FileNotFoundError:
        raise PictureError(f"{name}: there is no such file; check the name") from None
    except PermissionError:
        raise PictureError(f"{name}: may not be read by this user; change its permissions") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(f"{name}: cannot be read ({reason}); a video file is wanted here") from None
    if not start:
        raise PictureError(f"{name}: is empty (0 bytes); record or copy the video again")


def _pictures_in(folder: Path) -> list[Path]:
    try:
        pictures = [file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file()]
    except OSError as error:
        raise PictureError(f"{shown(folder)}: cannot be read ({error.strerror}); change its permissions") from None
    if not pictures:
        raise PictureError(f"{shown(folder)}: holds no pictures; put {', '.join(sorted(SUFFIXES))} files into it")
    return sorted(pictures, key=_by_number)


def _by_number(file: Path) -> tuple[list[tuple[int, str]], str]:
    """Order ``9.jpg`` before ``10.jpg``."""
    parts = re.findall(r"\d+|\D+", file.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], file.name
