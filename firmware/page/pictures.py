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

from firmware.page.places import Places
from vision import overlay
from vision.types import Frame, TrayReading, as_uint8

FILMS: Final = 24
"""So many browsers may look through the camera at once: eight who sit, some who look on, and bartenders."""

WIDTH: Final = 800
QUALITY: Final = 80
STEP_S: Final = 0.03
"""So often it is looked for a newer picture where somebody waits for one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as browsers get it.

    Attributes
    ----------
    number
        Newer pictures have higher ones.
    jpeg
        The picture.
    hidings
        How often everything had been forgotten when it was taken.
    """

    number: int
    jpeg: bytes
    hidings: int = 0


class Pictures:
    """The newest pictures.

    `look`, `read` and `forget` on the camera's thread, `hide` on the game's, the rest on the server's loop. A picture
    that was taken before everything was forgotten is not handed out after it, whatever was under way.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._making = threading.Lock()
        self._number = 1
        self._hidden = False
        self._hidings = 0
        self._frame: Frame | None = None
        self._shown = Shown(0, b"")
        self._roll: tuple[int, Frame, TrayReading] | None = None
        self._roll_shown = Shown(0, b"")
        self.looking = Places(FILMS)
        """Who looks at what the camera sees."""
        self.measuring = 0
        """How many ask for figures of what it sees."""

    @property
    def wanted(self) -> bool:
        """Return whether anybody looks."""
        return bool(self.looking) or self.measuring > 0

    def look(self, frame: Frame) -> None:
        """See *frame*, which shows nothing that is hidden; it must not change any more."""
        with self._lock:
            if not self._hidden:
                self._number += 1
                self._frame = frame

    def read(self, frame: Frame, reading: TrayReading) -> int | None:
        """See what was read, and return the number under which it can be had; None while dice are hidden."""
        with self._lock:
            if self._hidden:
                return None
            self._number += 1
            self._frame = frame
            self._roll = (self._number, frame, reading)
            return self._number

    def hide(self, *, on: bool) -> bool:
        """Forget every picture and take none, or take them again. Return whether there was one."""
        with self._lock:
            self._hidden = on
        return on and self.forget()

    def forget(self) -> bool:
        """Forget every picture: dice are hidden from now on. Return whether there was one."""
        with self._lock:
            if self._frame is None and self._roll is None:
                return False
            self._number += 1
            self._hidings += 1
            self._frame = self._roll = None
            self._shown = self._roll_shown = Shown(0, b"")
            return True

    def newest(self) -> tuple[int, Frame] | None:
        """Return the newest picture and its number, None where there is none or dice are hidden. From any thread."""
        with self._lock:
            return None if self._frame is None else (self._number, self._frame)

    async def newer(self, number: int, wait_s: float) -> Shown:
        """Return the newest picture as soon as it is newer than *number*, or again after *wait_s* seconds."""
        end_s = time.monotonic() + wait_s
        while self._number <= number and time.monotonic() < end_s:
            await asyncio.sleep(STEP_S)
        while (shown := await asyncio.to_thread(self._current)).hidings != self._hidings:
            pass
        return shown

    async def roll(self) -> Shown | None:
        """Return the last throw that was read, with the reader's answer drawn on it; None where there is none."""
        shown = await asyncio.to_thread(self._last_roll)
        return shown if shown is not None and shown.hidings == self._hidings else None

    def _current(self) -> Shown:
        with self._making:
            with self._lock:
                number, frame, shown, hidings = self._number, self._frame, self._shown, self._hidings
            if shown.number == number:
                return shown
            shown = Shown(number, jpeg_of(_covered() if frame is None else frame), hidings)
            with self._lock:
                if self._hidings == hidings:
                    self._shown = shown
            return shown

    def _last_roll(self) -> Shown | None:
        with self._making:
            with self._lock:
                roll, shown, hidings = self._roll, self._roll_shown, self._hidings
            if roll is None or shown.number == roll[0]:
                return None if roll is None else shown
            number, frame, reading = roll
            shown = Shown(number, jpeg_of(overlay.draw(frame, reading)), hidings)
            with self._lock:
                if self._hidings == hidings:
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
