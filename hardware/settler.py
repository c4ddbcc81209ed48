"""From raw edges of many contacts to debounced ones: `hardware.edges`, with a queue in front and a thread behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import TypeAlias

from hardware import edges
from hardware.devices import Clock, Key
from hardware.edges import QUIET_S, Contact

OnChange: TypeAlias = Callable[[Key, bool, float], None]
"""``on_change(key, pressed, time_s)``, as `hardware.devices.Buttons.listen` takes it."""


class Settler:
    """Debounces a set of contacts and reports their edges, either from its own thread or when it is stepped.

    Parameters
    ----------
    sample
        Says whether the contact of a key is closed now.
    clock
        The clock whose times `edge` is given.
    quiet_s
        Seconds of silence after a reported edge.
    """

    def __init__(self, sample: Callable[[Key], bool], clock: Clock, quiet_s: float = QUIET_S) -> None:
        self._sample = sample
        self._clock = clock
        self._quiet_s = quiet_s
        self._edges: SimpleQueue[tuple[Key, bool, float] | None] = SimpleQueue()
        self._contacts: dict[Key, Contact] = {}
        self._down_from_the_start: set[Key] = set()
        self._on_change: OnChange | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    def listen(self, keys: Iterable[Key], on_change: OnChange) -> None:
        """Report the edges of *keys* from now on; a key that is down now is first heard at its next press."""
        if self._on_change is None:
            self._contacts = {key: Contact(down, down) for key in keys for down in (self._sample(key),)}
            self._down_from_the_start = {key for key, contact in self._contacts.items() if contact.closed}
        self._on_change = on_change

    def edge(self, key: Key, closed: bool, time_s: float) -> None:
        """Hand on a raw edge of the time *time_s*: no lock, no waiting, on any thread."""
        self._edges.put((key, closed, time_s))

    def step(self) -> float | None:
        """Take the edges that came and look again where it is time; return when the next look is due, in seconds."""
        try:
            while (edge := self._edges.get_nowait()) is not None:
                self._take(*edge)
        except Empty:
            pass
        now_s = self._clock.now()
        for key, contact in self._contacts.items():
            if contact.look_again_s is not None and contact.look_again_s <= now_s:
                self._believe(key, edges.look(contact, self._sample(key), now_s, self._quiet_s), now_s)
        return min((c.look_again_s for c in self._contacts.values() if c.look_again_s is not None), default=None)

    def start(self) -> None:
        """Step from a thread of its own until `close`; starting twice is starting once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Report nothing any more and end the thread; may be called twice."""
        self._closed = True
        self._on_change = None
        self._edges.put(None)  # wakes the thread
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None

    def _run(self) -> None:
        due_s = self.step()
        while not self._closed:
            try:
                edge = self._edges.get(timeout=None if due_s is None else max(0.0, due_s - self._clock.now()))
            except Empty:
                edge = None
            if edge is not None:
                self._take(*edge)
            due_s = self.step()

    def _take(self, key: Key, closed: bool, time_s: float) -> None:
        if (contact := self._contacts.get(key)) is not None:
            self._believe(key, edges.edge(contact, closed, time_s, self._quiet_s), time_s)

    def _believe(self, key: Key, after: Contact, time_s: float) -> None:
        """Keep what is believed of a contact after a look or an edge, and report what changed."""
        before, self._contacts[key] = self._contacts[key], after
        if after.closed == before.closed:
            return
        if key in self._down_from_the_start:
            self._down_from_the_start.discard(key)
        elif (on_change := self._on_change) is not None:
            on_change(key, after.closed, time_s)
