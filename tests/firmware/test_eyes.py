"""The camera thread: what it sends on, and what it does when the camera fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from queue import Empty, SimpleQueue

import cv2
import numpy as np
import pytest

from firmware import eyes as eyes_module
from firmware.events import TOUCHED, CameraState, Event, Failed, Loss, Stop, TrayRead, TrayStirred
from firmware.eyes import Eyes, evidence_jpeg
from firmware.watching import BLIND, NOTHING, Watching
from hardware.devices import Camera, CameraFrame, CameraLost, EndOfStream
from hardware.simulated import SimulatedCamera
from tests.rendered import calibrated
from vision import Calibration, motion, read_tray
from vision.motion import measure
from vision.render import RenderedDie, Table
from vision.types import Fault, TrayReading
from vision.zone import Share

WAIT_S = 30.0


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=1)


@pytest.fixture(scope="module")
def calibration(table: Table) -> Calibration:
    return calibrated(table)


Open = Callable[..., SimpleQueue[Event]]


@pytest.fixture
def look(calibration: Calibration, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Open eyes on a camera; they are closed at the end."""
    monkeypatch.setattr(eyes_module, "_RETRY_S", 0.01)
    opened: list[Eyes] = []

    def begin(camera: Camera, dice: int = 2) -> SimpleQueue[Event]:
        inbox = SimpleQueue[Event]()
        eyes = Eyes(camera, calibration, inbox, picture_width_px=320)
        eyes.expect(Watching(dice))
        eyes.open()
        opened.append(eyes)
        return inbox

    yield begin
    for eyes in opened:
        eyes.close()


def until(inbox: SimpleQueue[Event], kind: type[Event]) -> list[Event]:
    """Take events until one of *kind* has come."""
    events: list[Event] = []
    while not events or not isinstance(events[-1], kind):
        try:
            events.append(inbox.get(timeout=WAIT_S))
        except Empty:
            raise AssertionError(f"no {kind.__name__} came, only {events}") from None
    return events


class Film:
    """A camera that shows pictures one after the other and then ends."""

    def __init__(self, *scenes: tuple[np.ndarray, int]) -> None:
        self._frames = iter([frame for frame, times in scenes for _ in range(times)])

    def capture(self) -> CameraFrame:
        try:
            return CameraFrame(next(self._frames), 0.0)
        except StopIteration:
            raise EndOfStream("over") from None

    def close(self) -> None:
        pass


DICE = (RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 2))


def readings(events: list[Event]) -> list[TrayRead]:
    """Return what was read or refused."""
    return [event for event in events if isinstance(event, TrayRead)]


def test_a_throw_is_sent_once_with_a_picture_of_every_die(look: Open, table: Table) -> None:
    events = until(look(Film((table.empty(1), 2), (table.picture(DICE, seed=1), 14))), Stop)

    (read,) = readings(events)
    assert read.reading.faces == (5, 2)
    assert all(die.body_bgr is not None for die in read.reading.dice)
    picture = cv2.imdecode(np.frombuffer(read.jpeg or b"", np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (144 + 240, 320, 3)
    assert TrayStirred("moving") in events


def test_dice_that_lie_there_are_read_once_more_when_asked(table: Table, calibration: Calibration) -> None:
    class Doubted(Film):
        taken = 0

        def capture(self) -> CameraFrame:
            self.taken += 1
            if self.taken == 20:
                eyes.look_again(Watching(2))
            return super().capture()

    noisy = [(table.picture(DICE, seed=seed), 1) for seed in range(1, 36)]
    inbox = SimpleQueue[Event]()
    eyes = Eyes(Doubted((table.empty(1), 2), *noisy), calibration, inbox)
    eyes.expect(Watching(2))
    eyes.open()
    events = until(inbox, Stop)
    eyes.close()

    assert [read.reading.faces for read in readings(events)] == [(5, 2), (5, 2)]


def test_dice_pushed_after_the_read_are_told_as_touched(look: Open, table: Table) -> None:
    pushed = (replace(DICE[0], x_mm=97.0), DICE[1])
    scenes = ((table.picture(DICE, seed=1), 14), (table.picture(pushed, seed=2), 14))
    events = until(look(Film((table.empty(1), 2), *scenes)), Stop)

    assert [read.reading.faces for read in readings(events)] == [(5, 2)]
    assert events.count(TrayStirred(TOUCHED)) == 1


class Shaky(Film):
    """A film whose camera is gone for a moment after so many pictures."""

    def __init__(self, after: int, *scenes: tuple[np.ndarray, int]) -> None:
        super().__init__(*scenes)
        self._left = after

    def capture(self) -> CameraFrame:
        self._left -= 1
        if -4 < self._left < 0:
            raise CameraLost("the cable shakes")
        return super().capture()


def test_dice_that_were_read_before_the_camera_was_lost_are_not_read_again(look: Open, table: Table) -> None:
    events = until(look(Shaky(16, (table.empty(1), 2), (table.picture(DICE, seed=1), 40))), Stop)

    assert [read.reading.faces for read in readings(events)] == [(5, 2)]
    assert [event for event in events if isinstance(event, CameraState)] == [
        CameraState("the cable shakes"),
        CameraState(None),
    ]


def test_a_camera_that_gives_one_picture_over_and_over_is_lost(look: Open, table: Table) -> None:
    alive = [(table.empty(seed), 1) for seed in range(12)]
    stuck = (table.picture(DICE, seed=99), eyes_module.STUCK + 20)
    events = until(look(Film(*alive, stuck, *alive)), Stop)

    assert [event for event in events if isinstance(event, CameraState)] == [
        CameraState(eyes_module.STUCK_WORDS, Loss.MOTION),
        CameraState(None),
    ]
    assert readings(events) == []


def test_drawn_pictures_without_noise_are_no_camera_that_is_stuck(look: Open, table: Table) -> None:
    hand = [(table.picture((), seed=seed, hand=(90.0 + 20 * seed, 110.0)), 1) for seed in range(1, 7)]
    events = until(look(Film((table.empty(1), 1), *hand, (table.picture(DICE, seed=7), 3 * eyes_module.STUCK))), Stop)

    assert [event for event in events if isinstance(event, CameraState)] == []
    assert [read.reading.faces for read in readings(events)] == [(5, 2)]


def test_an_unplugged_camera_is_said_once_and_its_return_as_well(look: Open, table: Table) -> None:
    camera = SimulatedCamera(table.empty(1))
    camera.unplug()
    inbox = look(camera)
    (lost,) = until(inbox, CameraState)
    camera.replug()
    back = until(inbox, CameraState)

    assert isinstance(lost, CameraState)
    assert "unplugged" in str(lost.lost)
    assert back == [CameraState(None)]


def test_pictures_of_another_size_are_a_lost_camera(look: Open) -> None:
    (lost,) = until(look(SimulatedCamera(np.zeros((480, 640, 3), np.uint8))), CameraState)

    assert isinstance(lost, CameraState)
    assert "640 x 480 pixels, the calibration is for 1280 x 960" in str(lost.lost)
    assert lost.loss is Loss.SIZE


def test_a_camera_that_comes_back_with_another_size_is_lost_in_another_way(look: Open) -> None:
    camera = SimulatedCamera(np.zeros((480, 640, 3), np.uint8))
    camera.unplug()
    inbox = look(camera)
    gone = until(inbox, CameraState)
    camera.replug()
    back = until(inbox, CameraState)

    assert [event.loss for event in (*gone, *back) if isinstance(event, CameraState)] == [Loss.PICTURES, Loss.SIZE]


def test_a_bug_in_the_thread_is_sent_to_the_thread_that_owns_the_game(
    look: Open, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(motion, "step", broken)
    (failed,) = until(look(SimulatedCamera(table.empty(1))), Failed)

    assert isinstance(failed, Failed)
    assert isinstance(failed.error, ZeroDivisionError)


@pytest.fixture(scope="module")
def reading(table: Table, calibration: Calibration) -> tuple[np.ndarray, TrayReading]:
    """A picture and what the reader says of it."""
    frame = table.picture(DICE, seed=1)
    return frame, read_tray(frame, calibration, 2)


def test_a_width_of_nothing_keeps_no_picture(reading: tuple[np.ndarray, TrayReading]) -> None:
    assert evidence_jpeg(*reading, 0) is None
    assert evidence_jpeg(*reading, 480) is not None


@pytest.mark.parametrize("noise", [0, 60])
@pytest.mark.parametrize("width", [64, 480, 1920])
def test_no_picture_for_the_journal_is_larger_than_15_kb(
    reading: tuple[np.ndarray, TrayReading], width: int, noise: int
) -> None:
    frame, read = reading
    grain = np.random.default_rng(1).integers(0, 1 + noise, frame.shape)
    crowd = TrayReading.refused(Fault.EXTRA, "", read.dice * 15)
    noisy = np.clip(frame.astype(int) + grain, 0, 255).astype(np.uint8)

    sizes = [len(evidence_jpeg(noisy, seen, width) or b"") for seen in (read, crowd)]
    assert all(1000 < size <= 15_000 for size in sizes)


def first_look(camera: Camera, calibration: Calibration, dice: int = 0) -> list[Fault | None]:
    """Return what eyes on *camera* say of the first picture, until the recording is over."""
    inbox, said = SimpleQueue[Event](), list[Fault | None]()
    eyes = Eyes(camera, calibration, inbox, on_first=said.append)
    eyes.expect(NOTHING)
    eyes.open()
    until(inbox, Stop)
    eyes.close()
    return said


def test_the_first_picture_is_told_once(table: Table, calibration: Calibration) -> None:
    empty, thrown = table.empty(1), table.picture(DICE, seed=1)

    assert first_look(Film((empty, 20)), calibration) == [None]
    assert first_look(Film((thrown, 20)), calibration) == [None]


def test_a_camera_may_take_some_pictures_to_find_its_exposure(table: Table, calibration: Calibration) -> None:
    dark = (table.empty(1) * 0.05).astype(np.uint8)

    assert first_look(Film((dark, 5), (table.empty(1), 20)), calibration) == [None]
    assert first_look(Film((dark, 20)), calibration) == [Fault.LIGHT]


def test_a_camera_that_was_moved_in_the_night_is_told_at_once(table: Table, calibration: Calibration) -> None:
    moved = np.roll(table.empty(1), 60, axis=1)

    assert first_look(Film((moved, 20)), calibration) == [Fault.CAMERA_MOVED]


class TwoStreams:
    """A camera whose pictures come small and grey as well."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    def capture(self) -> CameraFrame:
        frame = self._camera.capture()
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        low = cv2.resize(grey, (640, 480), interpolation=cv2.INTER_AREA)
        return replace(frame, low=np.asarray(low, np.uint8))

    def close(self) -> None:
        self._camera.close()


def test_what_moves_is_told_from_the_small_stream_and_dice_are_read_from_the_large_one(
    look: Open, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[bool]()

    def watched(frame: np.ndarray, low: np.ndarray | None = None) -> np.ndarray:
        asked.append(low is not None)
        return measure.shrink(frame, low)

    monkeypatch.setattr("vision.motion.automaton.shrink", watched)
    empty, thrown = table.empty(1), table.picture([RenderedDie(90, 90, 20, 5), RenderedDie(200, 120, 70, 3)], seed=2)
    inbox = look(TwoStreams(Film((empty, 8), (thrown, 12))))
    read = [event.reading.faces for event in until(inbox, Stop) if isinstance(event, TrayRead)]

    assert read == [(5, 3)]
    assert asked.count(True) == 20, "every picture of the stream"
    assert asked.count(False) < 20, "and the mean of some at rest, when they are read"


def test_while_no_dice_are_awaited_fewer_pictures_are_looked_at(
    look: Open, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = list[int | None]()
    step = motion.step

    def counted(
        state: motion.WatchState, frame: np.ndarray, known: Calibration, dice: int | None, *more: None
    ) -> object:
        looked.append(dice)
        return step(state, frame, known, dice, *more)

    monkeypatch.setattr(motion, "step", counted)
    until(look(Film((table.empty(1), 30)), dice=0), Stop)
    assert len(looked) == 30 // eyes_module.UNAWAITED
    looked.clear()
    until(look(Film((table.empty(1), 30)), dice=2), Stop)

    assert len(looked) == 30


def film(camera: Camera, calibration: Calibration, first: Watching, then: Watching | None = None) -> list[Event]:
    """Return what is said of *camera*, from the first reading on of *then*."""
    inbox = SimpleQueue[Event]()
    eyes = Eyes(camera, calibration, inbox)
    eyes.expect(first)
    eyes.open()
    events: list[Event] = []
    while not any(isinstance(event, Stop) for event in events):
        events.append(inbox.get(timeout=WAIT_S))
        if then is not None and readings(events):
            eyes.expect(then)
    eyes.close()
    return events


def test_dice_of_the_next_seat_are_read_though_nothing_moved(table: Table, calibration: Calibration) -> None:
    class Patient(Film):
        def capture(self) -> CameraFrame:
            time.sleep(0.001)  # lets the one who listens say what is wanted next
            return super().capture()

    both = (RenderedDie(30, 50, 20, 5), RenderedDie(110, 60, 65, 2))
    lying = [(table.picture(both, seed=seed), 1) for seed in range(1, 41)]
    events = film(
        Patient((table.empty(1), 2), *lying),
        calibration,
        Watching(1, shown=True, zone=Share(1)),
        Watching(1, shown=True, zone=Share(2)),
    )

    assert [event.reading.faces for event in readings(events)] == [(5,), (2,)]


def test_dice_hidden_while_a_picture_is_looked_at_do_not_make_it_one_of_any_number(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int | None] = []

    def step(state: motion.WatchState, _frame: object, _known: object, dice: int | None, *_more: object) -> object:
        asked.append(dice)
        return state, ()

    monkeypatch.setattr(motion, "step", step)
    inbox = SimpleQueue[Event]()
    eyes = Eyes(Film((table.empty(1), 3)), calibration, inbox, on_look=lambda _frame: eyes.expect(BLIND))
    eyes.expect(Watching(2))
    eyes.open()
    until(inbox, Stop)
    eyes.close()

    assert asked == [2]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("shown", "read"), [(True, [None, (5, 2)]), (False, [None])])
def test_a_die_that_leans_is_read_once_it_was_laid_flat_where_it_was_shown_and_not_where_it_was_thrown(
    table: Table, calibration: Calibration, shown: bool, read: list[tuple[int, ...] | None]
) -> None:
    flat = (RenderedDie(60, 60, 20, 5), RenderedDie(110, 70, 65, 2))
    leans = (flat[0], replace(flat[1], tilt_deg=25.0, tilt_axis_deg=40.0))
    scenes = [(table.picture(dice, seed=seed), 1) for dice in (leans, flat) for seed in range(1, 31)]
    events = film(Film((table.empty(1), 2), *scenes), calibration, Watching(2, shown=shown))

    assert [event.reading.faces for event in readings(events)] == read
    assert (TrayStirred(TOUCHED) in events) != shown
