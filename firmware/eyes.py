"""The one camera thread: picture, motion, reading; only what came to rest is sent on.

Nothing else in the program looks at pictures of the running table, and faces leave this module only as the reader's
answer.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue

import cv2

from firmware.events import CameraState, Event, Failed, Stop, TrayRead, TrayStirred
from hardware.devices import Camera, CameraLost, EndOfStream
from vision import motion
from vision.calibration import Calibration
from vision.types import Frame, TrayReading

logger = logging.getLogger(__name__)

OnRead = Callable[[Frame, TrayReading], None]

_RETRY_S = 0.5
_JPEG_QUALITY = 70


class Eyes:
    """Looks at the tray on a thread of its own and puts what it sees into the queue.

    Parameters
    ----------
    camera
        Where pictures come from.
    calibration
        What is known of the tray.
    inbox
        Where events go.
    picture_width_px
        Width of the picture that goes with a reading; 0 for none.
    on_read
        Called on the camera thread with every picture that was read or refused.
    """

    def __init__(
        self,
        camera: Camera,
        calibration: Calibration,
        inbox: SimpleQueue[Event],
        *,
        picture_width_px: int = 0,
        on_read: OnRead | None = None,
    ) -> None:
        self._camera = camera
        self._calibration = calibration
        self._inbox = inbox
        self._width_px = picture_width_px
        self._on_read = on_read
        self._expected = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def expect(self, dice: int) -> None:
        """Say how many dice the next throw must show; 0 when none is awaited. From any thread."""
        self._expected = dice

    def open(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking; waits until the last picture is done with."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)

    def _run(self) -> None:
        try:
            self._watch()
        except EndOfStream:
            self._inbox.put(Stop("the recording is over"))
        except Exception as error:
            logger.debug("the camera thread ends", exc_info=True)
            self._inbox.put(Failed(error))

    def _watch(self) -> None:
        state, lost = motion.start(), False
        while not self._closing.is_set():
            try:
                frame = checked(self._camera.capture().image, self._calibration)
            except CameraLost as error:
                if not lost and not self._closing.is_set():
                    self._inbox.put(CameraState(str(error)))
                lost = True
                self._closing.wait(_RETRY_S)
                continue
            if lost:
                self._inbox.put(CameraState(None))
                state, lost = motion.start(), False
            state, happened = motion.step(state, frame, self._calibration, self._expected or None)
            for event in happened:
                self._tell(event, frame)

    def _tell(self, event: motion.WatchEvent, frame: Frame) -> None:
        if event.reading is None:
            self._inbox.put(TrayStirred(str(event.kind)))
            return
        logger.debug("%s: %s", event.kind, event.reading.note)
        if self._on_read is not None:
            self._on_read(frame, event.reading)
        self._inbox.put(TrayRead(event.reading, small_jpeg(frame, self._width_px)))


def checked(frame: Frame, calibration: Calibration) -> Frame:
    """Return *frame* if it is of the size that was calibrated.

    Raises
    ------
    CameraLost
        If it is not: the camera is there and gives nothing that can be used.
    """
    size = (frame.shape[1], frame.shape[0])
    if size != calibration.size:
        raise CameraLost(
            f"pictures are {size[0]} x {size[1]} pixels, the calibration is for "
            f"{calibration.size[0]} x {calibration.size[1]}; set the camera to that size or calibrate again"
        )
    return frame


def small_jpeg(frame: Frame, width_px: int) -> bytes | None:
    """Return *frame* shrunk to *width_px* as a JPEG, None for a width of 0."""
    if width_px <= 0:
        return None
    rows, columns = frame.shape[:2]
    scale = min(1.0, width_px / columns)
    size = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return data.tobytes() if done else None
