"""The one camera thread: picture, motion, reading; only what came to rest is sent on.

Nothing else in the program looks at pictures of the running table, and faces leave this module only as the reader's
answer.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue

import cv2

from firmware.events import IT_SEES, TOUCHED, CameraState, CupSeen, Event, Failed, Loss, Stop, TrayRead, TrayStirred
from firmware.watching import BLIND, Watching
from hardware.devices import Camera, CameraLost, EndOfStream, LockableCamera
from vision import evidence, motion
from vision.blind import CupWatch, reduce
from vision.calibration import Calibration
from vision.colour import coloured
from vision.compiled import warm_up
from vision.glance import Glance, glance
from vision.types import Fault, Frame, Gray, TrayReading, as_uint8
from vision.zone import Part

logger = logging.getLogger(__name__)

OnRead = Callable[[Frame, TrayReading], None]
OnLook = Callable[[Frame | None], None]
OnFirst = Callable[[Fault | None], None]
Job = Callable[[Camera | None], None]
"""Something to be done with the camera; it gets None where the camera is not lent."""

MOST_BYTES = 15_000
"""A picture in the journal is not larger: ten thousand rolls fit into 150 MB."""

STUCK = 75
"""After so many pictures in a row that are the same to the last bit the camera counts as lost; more than `UNPROVEN`
of vision/motion, for drawn pictures are no camera that is stuck."""

STUCK_WORDS = "the camera gives the same picture over and over; is it covered or stuck?"

FIRST_LOOKS = 10
"""The first picture may be this many pictures late: a camera needs some to get to the exposure that it is to hold."""

UNAWAITED = 3
"""While no dice are awaited one picture in so many is looked at: nobody waits for an answer, all night long."""

_RETRY_S = 0.5
_JPEG_QUALITIES = (80, 65)
_PARTS = (1.0, 0.8, 0.6, 0.4)
"""The whole picture is made smaller before the dice are."""


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
    on_look
        Called on it with every picture that shows nothing hidden, and with None while dice are hidden.
    on_stirred
        Called on it when dice that were read or refused move, are covered, or are gone.
    on_first
        Called on it once, when there is a picture, with what is wrong with its light or its place; None: nothing.
    """

    def __init__(
        self,
        camera: Camera,
        calibration: Calibration,
        inbox: SimpleQueue[Event],
        *,
        picture_width_px: int = 0,
        on_read: OnRead | None = None,
        on_look: OnLook = lambda _frame: None,
        on_stirred: Callable[[], None] = lambda: None,
        on_first: OnFirst | None = None,
    ) -> None:
        self._camera = camera
        self._calibration = calibration
        self._inbox = inbox
        self._width_px = picture_width_px
        self._on_read = on_read
        self._on_look = on_look
        self._on_stirred = on_stirred
        self._on_first = on_first
        self._watching = BLIND  # until it is told that nothing is hidden
        self._cup: CupWatch | None = None
        self._part: Part | None = None
        self._again = False
        self._lost: Loss | None = None
        self._first_looks = FIRST_LOOKS
        self._jobs = SimpleQueue[Job]()
        self._lent = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def expect(self, watching: Watching) -> None:
        """Say what may be done: how many dice the next throw must show, or nothing at all. From any thread."""
        self._watching = watching

    def look_again(self, watching: Watching) -> None:
        """Read the dice of *watching* once more, though they were read. From any thread."""
        if not self._watching.blind:
            self._watching, self._again = watching, True

    def lend(self, job: Job) -> None:
        """Let *job* have the camera on its own thread, while it is lent: then nothing is read. From any thread."""
        self._jobs.put(job)
        if self._closing.is_set() and not self._thread.is_alive():
            self._work()

    def open(self) -> None:
        """Begin to look."""
        # OpenCV's own threads wait for each other by spinning: on pictures this small that costs more than they do.
        cv2.setNumThreads(1)
        # Beside the camera: the first time on a computer this takes as long as people take to sit down.
        threading.Thread(target=warm_up, args=(self._closing.is_set,), name="compiling", daemon=True).start()
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
        finally:
            self._closing.set()
            self._work()

    def _watch(self) -> None:
        state = motion.start()
        for number in itertools.count():
            if self._closing.is_set():
                return
            self._work()
            blind, lent = self._watching.blind, self._lent
            try:
                seen = self._camera.capture()
                frame = seen.image if lent else checked(seen.image, self._calibration)
            except CameraLost as error:
                self._lose(str(error), Loss.SIZE if isinstance(error, OtherSize) else Loss.PICTURES)
                # What lay in the tray is not forgotten: dice that were read are no new throw when the camera is back.
                state = motion.resumed(state)
                self._closing.wait(_RETRY_S)
                continue
            now = self._watching  # it may be told anything at any time: this picture is looked at for that
            if blind or now.blind:
                state, self._part = motion.start(), None  # of what lay there while dice were hidden nothing is kept
                self._on_look(None)
                self._peer(frame, seen.time_s, number)
                continue
            self._cup = None
            if lent:
                state = motion.start()  # what lies there when the table goes on has yet to be seen
                self._find()
                self._on_look(frame)
                continue
            self._look_first(frame)
            self._on_look(frame)
            if not now.dice and number % UNAWAITED:
                continue
            state = self._look(state, frame, seen.low, now)

    def _work(self) -> None:
        """Take the camera back as it was calibrated when it is lent no more; do the jobs that want it."""
        self._settle()
        with suppress(Empty):
            while True:
                job = self._jobs.get_nowait()
                self._settle()  # dice may have been hidden since, and before the job was asked for
                job(self._camera if self._lent else None)

    def _settle(self) -> None:
        before, self._lent = self._lent, self._watching.lent and not self._closing.is_set()
        if before and not self._lent and isinstance(self._camera, LockableCamera) and not self._closing.is_set():
            self._camera.restore(self._calibration.held)

    def _look(self, state: motion.WatchState, frame: Frame, low: Gray | None, now: Watching) -> motion.WatchState:
        """Look *now* at a picture of the tray, say what happened, and return the state for the next one."""
        # What lies in another part of the tray was not read yet, though it may lie there for long.
        elsewhere = now.zone is not None and now.zone != self._part
        if self._again or elsewhere:
            state, self._again, self._part = motion.forgotten(state), False, now.zone
        state, happened = motion.step(state, frame, self._calibration, now.dice or None, low, now.zone)
        if now.shown and any(event.kind is motion.Watch.REFUSED for event in happened):
            state = motion.pardoned(state)
        if state.doubled >= STUCK:
            self._lose(STUCK_WORDS, Loss.MOTION)
        elif not state.doubled:
            self._find()
        for event in happened:
            self._tell(event)
        return state

    def _peer(self, frame: Frame, time_s: float, number: int) -> None:
        """Look how the cup stands, and at nothing else: a picture of hidden dice is not read and goes nowhere."""
        if number % UNAWAITED:
            return
        self._cup = self._cup or CupWatch(reduce(self._calibration.empty, self._calibration))
        self._find()
        if self._on_first is not None and self._first_looks:
            self._first_looks = 0
            self._on_first(None)
        state = self._cup.step(reduce(frame, self._calibration), time_s)
        if state is not None:
            self._inbox.put(CupSeen(state))

    def _look_first(self, frame: Frame) -> None:
        """Say once that there is a picture, and whether light and camera are still as they were calibrated."""
        if self._on_first is None or not self._first_looks:
            return
        seen = glance(frame, self._calibration)
        self._first_looks -= 1
        if isinstance(seen, Glance) or not self._first_looks:
            self._first_looks = 0
            self._on_first(None if isinstance(seen, Glance) else seen[0])

    def _lose(self, why: str, loss: Loss) -> None:
        """Say once that the camera gives nothing that can be used, and again where it then lacks something else."""
        if self._lost is not loss and not self._closing.is_set():
            self._inbox.put(CameraState(why, loss))
        self._lost = loss

    def _find(self) -> None:
        """Say once that it gives pictures again."""
        if self._lost is not None:
            self._inbox.put(IT_SEES)
        self._lost = None

    def _tell(self, event: motion.WatchEvent) -> None:
        if event.reading is None or event.picture is None:
            self._on_stirred()
            self._inbox.put(TrayStirred(TOUCHED if event.touched else str(event.kind)))
            return
        logger.debug("%s: %s", event.kind, event.reading.note)
        if self._on_read is not None:
            self._on_read(event.picture, event.reading)
        jpeg = evidence_jpeg(event.picture, event.reading, self._width_px)
        self._inbox.put(TrayRead(coloured(event.picture, event.reading), jpeg))


class OtherSize(CameraLost):
    """The camera gives pictures of another size than the one that was calibrated."""


def checked(frame: Frame, calibration: Calibration) -> Frame:
    """Return *frame* if it is of the size that was calibrated.

    Raises
    ------
    OtherSize
        If it is not: the camera is there and gives nothing that can be used.
    """
    size = (frame.shape[1], frame.shape[0])
    if size != calibration.size:
        raise OtherSize(
            f"pictures are {size[0]} x {size[1]} pixels, the calibration is for "
            f"{calibration.size[0]} x {calibration.size[1]}; set the camera to that size or calibrate again"
        )
    return frame


def evidence_jpeg(picture: Frame, reading: TrayReading, width_px: int) -> bytes | None:
    """Return what *reading* rests on as a JPEG of at most `MOST_BYTES`; None for a width of 0.

    Parameters
    ----------
    picture
        What was read.
    reading
        Its dice are shown one by one above the whole picture.
    width_px
        Width of the whole picture; all of it is made smaller when that is too much for `MOST_BYTES`.
    """
    if width_px <= 0:
        return None
    strip = evidence.strip(picture, reading)
    for part in _PARTS:
        sheet = evidence.stacked(strip, evidence.whole(picture, reading, max(1, round(width_px * part))))
        for quality in _JPEG_QUALITIES:
            if (jpeg := _jpeg(sheet, quality)) is not None:
                return jpeg
    while (jpeg := _jpeg(sheet, _JPEG_QUALITIES[-1])) is None:
        size = (max(1, sheet.shape[1] * 4 // 5), max(1, sheet.shape[0] * 4 // 5))
        sheet = as_uint8(cv2.resize(sheet, size, interpolation=cv2.INTER_AREA))
    return jpeg


def _jpeg(sheet: Frame, quality: int) -> bytes | None:
    """Return *sheet* as a JPEG, None when that is larger than `MOST_BYTES`."""
    done, data = cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes() if done and data.size <= MOST_BYTES else None
