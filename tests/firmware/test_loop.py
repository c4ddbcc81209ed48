"""The loop, the sounds, the signals and the watchdog, without waiting."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path
from queue import SimpleQueue

import pytest

from firmware import loop, signals, sounds
from firmware.events import Event, Stop, Turned
from firmware.service import Watchdog, signals_into
from hardware.simulated import SimulatedClock, SimulatedSound


class Handler:
    """A controller that writes down what it is given, on a clock that it cranks itself."""

    def __init__(self, deadlines: list[float]) -> None:
        self.now = 0.0
        self.deadlines = deadlines
        self.heard: list[Event] = []
        self.ticks: list[float] = []
        self.failure: Exception | None = None

    @property
    def running(self) -> bool:
        return not any(isinstance(event, Stop) for event in self.heard)

    @property
    def next_deadline_s(self) -> float | None:
        return self.deadlines[0] if self.deadlines else None

    def handle(self, event: Event) -> None:
        if event == Turned(13, 0.0):
            raise ValueError("a bug")
        self.heard.append(event)

    def tick(self, now_s: float) -> None:
        self.ticks.append(now_s)
        while self.deadlines and self.deadlines[0] <= now_s:
            self.deadlines.pop(0)

    def failed(self, error: Exception) -> None:
        self.failure = error

    def clock(self) -> float:
        self.now += 0.001
        return self.now


def test_events_come_in_order_and_deadlines_are_kept() -> None:
    handler, inbox = Handler([0.005, 0.02]), SimpleQueue[Event]()
    for step in (1, 2, 3):
        inbox.put(Turned(step, 0.0))
    inbox.put(Stop("enough"))
    loop.run(handler, inbox, handler.clock)

    assert handler.heard == [Turned(1, 0.0), Turned(2, 0.0), Turned(3, 0.0), Stop("enough")]
    assert handler.ticks == sorted(handler.ticks)


def test_what_is_due_is_done_although_nothing_happens() -> None:
    handler, inbox = Handler([0.01, 0.02, 0.03]), SimpleQueue[Event]()

    class Ender:
        next_deadline_s: float | None = None

        def tick(self, now_s: float) -> None:
            if not handler.deadlines:
                inbox.put(Stop("all was done"))

    loop.run(handler, inbox, handler.clock, [Ender()])

    assert handler.deadlines == []


def test_an_error_is_shown_and_raised_on() -> None:
    handler, inbox = Handler([]), SimpleQueue[Event]()
    inbox.put(Turned(13, 0.0))
    with pytest.raises(ValueError, match="a bug"):
        loop.run(handler, inbox, handler.clock)

    assert str(handler.failure) == "a bug"


def test_a_melody_is_played_tone_by_tone_and_ends_in_silence() -> None:
    sound = SimulatedSound(SimulatedClock())
    player = sounds.Player(sound, signals.load().melodies, on=True)
    player.play(sounds.MEXICO, 0.0)
    while (due_s := player.next_deadline_s) is not None:
        player.tick(due_s - 0.001)
        player.tick(due_s)

    assert [hz for _, hz in sound.tones] == [523, 659, 784, 880, None]


def test_a_table_with_sound_off_is_silent() -> None:
    sound = SimulatedSound(SimulatedClock())
    sounds.Player(sound, signals.load().melodies, on=False).play(sounds.WON, 0.0)

    assert not sound.tones


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_signals_become_events(number: signal.Signals, code: int) -> None:
    inbox = SimpleQueue[Event]()
    before = signal.getsignal(number)
    with signals_into(inbox):
        os.kill(os.getpid(), number)

        event = inbox.get(timeout=5)
    assert isinstance(event, Stop)
    assert event.exit_code == code
    assert signal.getsignal(number) is before


def test_systemd_is_told_of_readiness_and_life(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(5)
        watchdog = Watchdog({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000000"})
        for now_s in (0.0, 1.0, 4.9, 5.0):
            watchdog.tick(now_s)
        watchdog.stopping()

        assert [systemd.recv(100) for _ in range(4)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"STOPPING=1"]
    assert watchdog.next_deadline_s == 10.0


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({}, id="no systemd"),
        pytest.param({"NOTIFY_SOCKET": "/nowhere/notify"}, id="a socket that is gone"),
        pytest.param({"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "5", "WATCHDOG_PID": "1"}, id="not for us"),
    ],
)
def test_without_a_watchdog_nothing_is_due(environment: dict[str, str]) -> None:
    watchdog = Watchdog(environment)
    watchdog.tick(0.0)

    assert watchdog.next_deadline_s is None
