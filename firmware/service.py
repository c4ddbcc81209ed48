"""The program as a service: signals into the queue, and systemd told over its socket when there is one."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from types import FrameType

from firmware.events import Event, Stop

logger = logging.getLogger(__name__)

INTERRUPTED = 128 + signal.SIGINT


def looked_after() -> bool:
    """Return whether systemd has begun this program as a service, and does so again when it ends."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


@contextmanager
def signals_into(inbox: SimpleQueue[Event]) -> Iterator[None]:
    """Turn Ctrl-C and SIGTERM into `Stop` events; a second Ctrl-C ends the program at once."""

    def on_signal(number: int, _frame: FrameType | None) -> None:
        inbox.put(Stop("interrupted", INTERRUPTED) if number == signal.SIGINT else Stop("asked to end"))
        if number == signal.SIGINT:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Watchdog:
    """Tells systemd that the table is ready and alive; without ``NOTIFY_SOCKET`` it does nothing.

    A part of the loop: if the loop hangs, the messages stop and systemd starts the table anew.
    """

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        env = dict(os.environ) if environment is None else environment
        self._address = env.get("NOTIFY_SOCKET", "")
        self._every_s = _half_of(env.get("WATCHDOG_USEC", ""), env.get("WATCHDOG_PID", ""))
        self._due_s: float | None = None
        self._ready = False

    @property
    def next_deadline_s(self) -> float | None:
        """Return when the next sign of life is due, None without a watchdog."""
        return self._due_s

    def tick(self, now_s: float) -> None:
        """Say READY once, and WATCHDOG whenever it is due."""
        if not self._address:
            return
        if not self._ready:
            self._ready = True
            self._say("READY=1")
        if self._every_s is not None and (self._due_s is None or now_s >= self._due_s):
            self._due_s = now_s + self._every_s
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the table is ending on purpose."""
        if self._address:
            self._say("STOPPING=1")

    def _say(self, message: str) -> None:
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.sendto(message.encode(), address)


def _half_of(microseconds: str, pid: str) -> float | None:
    if not microseconds.isdecimal() or int(microseconds) == 0 or (pid and pid != str(os.getpid())):
        return None
    return int(microseconds) / 2_000_000
