"""What the camera sees, for browsers: the newest picture, and the last throw that was read.

While dice are hidden there is no picture, none is kept, and the last throw is forgotten. A picture becomes a JPEG only
where somebody looks, on the server's side, once for all who look.
"""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision import overlay
from vision.types import Frame, TrayReading, as_uint8

WIDTH: Final = 800
QUALITY: Final = 80
STEP_S: Final = 0.03
"""So often it is looked for a newer picture where somebody waits for one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as browsers get it, and its number."""

    number: int
    jpeg: bytes


class Pictures:
    """The newest pictures. `look`, `read` and `blind` on the camera's thread, the rest on the server's loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 1
        self._frame: Frame | None = None
        self._shown = Shown(0, b"")
        self._roll: tuple[int, Frame, TrayReading] | None = None
        self._roll_shown = Shown(0, b"")
        self.looking = 0
        """How many browsers look at what the camera sees."""

    def look(self, frame: Frame) -> None:
        """See *frame*, which shows nothing that is hidden; it must not change any more."""
        with self._lock:
            self._number += 1
            self._frame = frame

    def read(self, frame: Frame, reading: TrayReading) -> int:
        """See what was read, and return the number under which it can be had."""
        with self._lock:
            self._number += 1
            self._frame = frame
            self._roll = (self._number, frame, reading)
            return self._number

    def blind(self) -> bool:
        """Forget every picture: dice are hidden from now on. Return whether there was one."""
        with self._lock:
            if self._frame is None and self._roll is None:
                return False
            self._number += 1
            self._frame = self._roll = None
            self._shown = self._roll_shown = Shown(0, b"")
            return True

    async def newer(self, number: int, wait_s: float) -> Shown:
        """Return the newest picture as soon as it is newer than *number*, or again after *wait_s* seconds."""
        end_s = time.monotonic() + wait_s
        while self._number <= number and time.monotonic() < end_s:
            await asyncio.sleep(STEP_S)
        return await asyncio.to_thread(self._current)

    async def roll(self) -> Shown | None:
        """Return the last throw that was read, with the reader's answer drawn on it; None where there is none."""
        return await asyncio.to_thread(self._last_roll)

    def _current(self) -> Shown:
        with self._lock:
            number, frame, shown = self._number, self._frame, self._shown
        if shown.number == number:
            return shown
        shown = Shown(number, jpeg_of(_covered() if frame is None else frame))
        with self._lock:
            hidden = frame is not None and self._frame is None
            if self._number == number:
                self._shown = shown
        return self._current() if hidden else shown

    def _last_roll(self) -> Shown | None:
        with self._lock:
            roll, shown = self._roll, self._roll_shown
        if roll is None or shown.number == roll[0]:
            return None if roll is None else shown
        number, frame, reading = roll
        shown = Shown(number, jpeg_of(overlay.draw(frame, reading)))
        with self._lock:
            if self._roll is None:
                return None
            if self._roll[0] == number:
                self._roll_shown = shown
        return shown


def jpeg_of(frame: Frame) -> bytes:
    """Return *frame* as a JPEG of at most `WIDTH` pixels across."""
    wide = frame.shape[1]
    if wide > WIDTH:
        size = (WIDTH, round(frame.shape[0] * WIDTH / wide))
        frame = as_uint8(cv2.resize(frame, size, interpolation=cv2.INTER_AREA))
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise RuntimeError("a picture of the tray cannot be made a JPEG")
    return data.tobytes()


def _covered() -> Frame:
    """Return what is shown where nothing may be."""
    return np.full((120, 160, 3), 24, np.uint8)
