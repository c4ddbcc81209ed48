"""One thread owns the game and one queue leads to it: the only place that waits."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Protocol

from firmware.events import Event

logger = logging.getLogger(__name__)


class Ticking(Protocol):
    """Something with deadlines that never waits itself."""

    @property
    def next_deadline_s(self) -> float | None:
        """Return when `tick` is due, in seconds of the loop's clock; None: no hurry."""
        ...

    def tick(self, now_s: float) -> None:
        """Do what is due."""
        ...


class Handling(Ticking, Protocol):
    """The one that decides."""

    @property
    def running(self) -> bool:
        """Return False when the program should end."""
        ...

    def handle(self, event: Event) -> None:
        """Decide what *event* leads to."""
        ...

    def failed(self, error: Exception) -> None:
        """Show that the program ends because of *error*."""
        ...


def run(
    controller: Handling,
    inbox: SimpleQueue[Event],
    clock: Callable[[], float],
    companions: Sequence[Ticking] = (),
) -> None:
    """Pump *inbox* into *controller* until it stops; an exception turns the lamps to fault and is raised on.

    Parameters
    ----------
    controller
        Decides; owns the game.
    inbox
        Where everything that happens arrives, from any thread.
    clock
        Seconds that only grow.
    companions
        Others with deadlines on the same thread, such as seats played by the computer.
    """
    parts: tuple[Ticking, ...] = (controller, *companions)
    try:
        while controller.running:
            for part in parts:
                part.tick(clock())
            wait_s = _wait_s(parts, clock())
            with suppress(Empty):
                controller.handle(inbox.get(timeout=wait_s))
    except Exception as error:
        controller.failed(error)
        raise


def _wait_s(parts: Sequence[Ticking], now_s: float) -> float | None:
    due = [part.next_deadline_s for part in parts]
    return min((max(0.0, due_s - now_s) for due_s in due if due_s is not None), default=None)
