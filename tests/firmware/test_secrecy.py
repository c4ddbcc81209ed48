"""Dice under a cup: nothing that is stored, shown, said or sent depends on them, nor when it is.

The whole table is driven picture by picture: the camera thread looks at rendered cups, and what it sends goes to the
controller at once, on a clock that only the film moves on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Semaphore

import numpy as np
import pytest

from firmware.events import CameraState, CupSeen, Event, Failed, Pressed, Stop, TrayRead, TrayStirred, Turned
from firmware.eyes import Eyes
from firmware.journal import Journal
from firmware.views import Phase
from firmware.watching import BLIND, Watching
from hardware.devices import SEAT_KEYS, CameraFrame, EndOfStream, Key, Lamp
from hardware.rig import simulated_rig
from tests.firmware.conftest import Bench, Call, at_the
from vision import Calibration, motion
from vision.blind import CupState
from vision.render import Cup, RenderedDie, Table
from vision.types import Frame, TrayReading

FRAME_S = 1 / 30
WAIT_S = 120.0
REST = 20
MIDDLE = (150.0, 110.0)
PAIRS = [((1, 1), (6, 6)), ((2, 1), (5, 4)), ((3, 1), (6, 2))]


def lying(faces: Sequence[int]) -> tuple[RenderedDie, ...]:
    """Return dice as they lie under the cup, or in the open when it is lifted."""
    return tuple(RenderedDie(MIDDLE[0] + 26 * k - 13, MIDDLE[1], 20 + 40 * k, face) for k, face in enumerate(faces))


class Lockstep:
    """A camera that gives one picture whenever it is told to, and tells when it was done with."""

    def __init__(self) -> None:
        self._given: SimpleQueue[CameraFrame | None] = SimpleQueue()
        self._asked = Semaphore(0)

    def capture(self) -> CameraFrame:
        self._asked.release()
        given = self._given.get()
        if given is None:
            raise EndOfStream("over")
        return given

    def give(self, frame: Frame, time_s: float) -> None:
        """Give *frame* once the last one was done with."""
        assert self._asked.acquire(timeout=WAIT_S)
        self._given.put(CameraFrame(frame.copy(), time_s))

    def done(self) -> None:
        """Wait until the picture that was given was looked at."""
        assert self._asked.acquire(timeout=WAIT_S)
        self._asked.release()

    def close(self) -> None:
        self._given.put(None)


class Evening:
    """A table before a film: journal and state folder, devices, and eyes on a thread of their own."""

    def __init__(self, folder: Path, calibration: Calibration, game: str) -> None:
        self.journal = Journal.open(folder / "journal.sqlite3")
        self.bench = Bench(simulated_rig(), self.journal)
        self.camera = Lockstep()
        self.inbox: SimpleQueue[Event] = SimpleQueue()
        self.eyes = Eyes(self.camera, calibration, self.inbox, picture_width_px=320)
        self.sent: list[tuple[int, Event]] = []
        self.frames = 0
        self.bench.expect = self.eyes.expect
        self.bench.begin(at_the(game))
        self.eyes.open()

    def see(self, frame: Frame, times: int = REST) -> None:
        """Let *frame* be before the lens for so many pictures."""
        for _ in range(times):
            self.frames += 1
            self.camera.give(frame, self.frames * FRAME_S)
            self.camera.done()
            self.bench.rig.clock.advance(FRAME_S)
            self._pump()
            self.bench.controller.tick(self.bench.rig.clock.now())

    def _pump(self) -> None:
        while True:
            try:
                event = self.inbox.get_nowait()
            except Empty:
                return
            self.sent.append((self.frames, event))
            self.bench.controller.handle(event)

    def close(self) -> None:
        self.camera.close()
        self.eyes.close()
        self.journal.close()


@pytest.fixture
def evening(
    tmp_path: Path, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Evening]]:
    """Return what opens a table in a folder of its own; the time of day stands still."""
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    opened: list[Evening] = []

    def begin(name: str, game: str = "mexican_changsha") -> Evening:
        folder = tmp_path / name
        folder.mkdir()
        opened.append(Evening(folder, calibration, game))
        return opened[-1]

    yield begin
    for one in opened:
        one.close()


def a_hand(evening: Evening, table: Table, hidden: Sequence[int]) -> None:
    """Play a hand of Changsha's Mexican over *hidden* dice: shaken, peeked at, exposed by accident, claimed, shaken."""
    empty, dice = table.empty(5), lying(hidden)
    standing = table.picture(dice, seed=6, cup=MIDDLE)
    peeked = table.picture(dice, seed=7, cup=Cup(MIDDLE, tilt_deg=30, held=True))
    exposed = table.picture(dice, seed=8)
    bench = evening.bench
    bench.sit(2, 6, 2)
    evening.see(empty)
    evening.see(standing)
    evening.see(peeked)
    evening.see(standing)
    evening.see(exposed)
    evening.see(empty)
    evening.see(standing)
    bench.choose(3)
    evening.see(peeked)
    evening.see(standing)


def shown(evening: Evening) -> list[object]:
    """Return everything that left the table until now: screens, lamps with their times, tones, what the eyes sent."""
    rig = evening.bench.rig
    return [list(rig.display.screens), list(rig.lamps.changes), list(rig.sound.tones), evening.sent]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_same_hand_with_other_hidden_dice_leaves_the_same_bytes(
    evening: Callable[..., Evening],
    table: Table,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    pair: tuple[tuple[int, ...], ...],
) -> None:
    caplog.set_level(logging.DEBUG)
    left = []
    for name, hidden in zip(("one", "other"), pair, strict=True):
        caplog.clear()
        played = evening(name)
        a_hand(played, table, hidden)
        types = [str(stored.event["type"]) for stored in played.bench.stored]
        logs = [record.getMessage().replace(str(tmp_path / name), "") for record in caplog.records]
        played.journal.close()
        files = {path.name: path.read_bytes() for path in sorted((tmp_path / name).rglob("*")) if path.is_file()}
        left.append((types, logs, shown(played), files, played.bench.controller.view))

    assert left[0][0] == ["die", "die", "shake", "exposed", "shake", "announce"]
    assert left[0] == left[1]


def test_a_blind_camera_runs_no_reader_and_keeps_no_picture(
    evening: Callable[..., Evening], table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a picture of hidden dice was looked at")

    played = evening("one")
    played.bench.sit(2, 6, 2)
    monkeypatch.setattr(motion, "step", never)
    monkeypatch.setattr("firmware.eyes.evidence_jpeg", never)
    monkeypatch.setattr("firmware.eyes.glance", never)
    for scene in (table.empty(1), table.picture(lying((6, 6)), seed=1), table.picture(lying((6, 6)), cup=MIDDLE)):
        played.see(scene)

    assert not [event for _, event in played.sent if isinstance(event, Failed | TrayRead | TrayStirred)]
    assert [event.state for _, event in played.sent if isinstance(event, CupSeen)] == [
        CupState.EMPTY,
        CupState.LIFTED,
        CupState.COVERED,
    ]


def test_a_lift_without_a_press_reads_nothing_and_with_one_it_does(
    evening: Callable[..., Evening], table: Table
) -> None:
    played = evening("one")
    a_hand(played, table, (5, 4))
    played.see(table.picture(lying((5, 4)), seed=9))
    assert not [event for _, event in played.sent if isinstance(event, TrayRead)]
    played.see(table.picture(lying((5, 4)), seed=9, cup=MIDDLE))

    played.bench.seat(2)
    played.see(table.picture(lying((5, 4)), seed=9, cup=MIDDLE), 5)
    played.see(table.picture(lying((5, 4)), seed=10), 30)

    (read,) = [event for _, event in played.sent if isinstance(event, TrayRead)]
    assert read.reading.faces == (5, 4)
    assert played.bench.stored[-1].event["type"] == "cup_lifted"


def test_eyes_are_blind_until_they_are_told_otherwise(table: Table, calibration: Calibration) -> None:
    camera, inbox = Lockstep(), SimpleQueue[Event]()
    eyes = Eyes(camera, calibration, inbox)
    eyes.look_again(Watching(2))
    eyes.open()
    frames = [table.picture(lying((5, 4)), seed=seed) for seed in range(2)]
    for number in range(40):
        camera.give(frames[number % 2], number * FRAME_S)
    camera.done()
    camera.close()
    eyes.close()
    sent = [inbox.get_nowait() for _ in range(inbox.qsize())]

    assert {type(event) for event in sent} == {CupSeen, Stop}


def test_a_picture_that_was_taken_while_blind_is_not_read_when_the_camera_may_see_again(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    stepped: list[np.ndarray] = []
    step = motion.step

    def noted(state: motion.WatchState, frame: Frame, *rest: object) -> object:
        stepped.append(frame)
        return step(state, frame, *rest)  # type: ignore[arg-type]

    class Late(Lockstep):
        def capture(self) -> CameraFrame:
            taken = super().capture()
            eyes.expect(Watching(2) if taken.image[0, 0, 0] == 1 else BLIND)
            return taken

    monkeypatch.setattr(motion, "step", noted)
    camera, inbox = Late(), SimpleQueue[Event]()
    eyes = Eyes(camera, calibration, inbox)
    eyes.open()
    frames = [table.picture(lying((5, 4)), seed=number) for number in range(3)]
    for number, opens in enumerate((0, 1, 1)):
        frames[number][0, 0, 0] = opens
        camera.give(frames[number], number * FRAME_S)
    camera.done()
    camera.close()
    eyes.close()

    assert [np.array_equal(frame, frames[2]) for frame in stepped] == [True]


def test_a_crash_while_blind_comes_back_blind(evening: Callable[..., Evening], table: Table, tmp_path: Path) -> None:
    played = evening("one")
    a_hand(played, table, (5, 4))
    claimed = played.bench.controller.view.text("to_beat")
    played.journal.close()
    with closing(Journal.open(tmp_path / "one" / "journal.sqlite3")) as journal:
        again = Bench(simulated_rig(), journal).begin()

        assert again.phase() is Phase.PAUSED
        assert again.expected == [BLIND] * len(again.expected)
        assert Lamp.BLIND in again.rig.lamps.lit
        assert again.controller.view.text("to_beat") == claimed
        again.press(Key.STOP)
        again.controller.handle(TrayRead(TrayReading((6, 6), None), b"jpeg"))
        assert [str(stored.event["type"]) for stored in again.stored] == []


@pytest.mark.parametrize("command", [("watch", "camera"), ("--calibrate",), ("doctor",)], ids=" ".join)
def test_no_other_command_looks_at_hidden_dice(
    call: Call, evening: Callable[..., Evening], table: Table, tmp_path: Path, command: tuple[str, ...]
) -> None:
    played = evening("one")
    a_hand(played, table, (5, 4))
    played.journal.close()
    answer = call(*command, "--state", tmp_path / "one")

    assert answer.code == 2
    assert "has dice under a cup" in answer.err
    assert answer.err.count("\n") == 1


def test_the_camera_that_comes_and_goes_tells_nothing_more(evening: Callable[..., Evening], table: Table) -> None:
    played = evening("one")
    a_hand(played, table, (5, 4))
    played.bench.controller.handle(CameraState("unplugged"))
    played.bench.controller.handle(CameraState(None))
    played.bench.controller.handle(Turned(1, 0.0))
    played.bench.controller.handle(Pressed(SEAT_KEYS[0], True, 0.0))

    assert played.bench.controller.view.watching == BLIND
