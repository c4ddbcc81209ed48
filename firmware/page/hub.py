"""What the table shows, on its way to any number of browsers.

Every message has a number and is the whole of its kind: a newer one takes its place. Who joins gets the newest of each
kind, who was away for a moment those that are newer than what he has seen, and who is slow misses what was replaced
meanwhile. So nothing is queued for anybody, and memory is the same for one spectator and for two hundred.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from firmware.page.places import Places

logger = logging.getLogger(__name__)

Make = Callable[[], Mapping[str, object]]

WATCHING: Final = 400
"""So many browsers may be told what the table shows."""

APART_S: Final = 0.025
"""Messages go out in bundles at least so far apart: a lamp that flickers costs two hundred browsers no more."""

EACH_S: Final = 0.0005
"""And so far for everybody who looks on: however many they are, they take the same part of the computer."""


@dataclass(slots=True)
class Message:
    """Something that the table shows from now on.

    Attributes
    ----------
    number
        Counts all messages from 1.
    head
        Its number and kind, as a browser gets them.
    make
        Gives what it says; called once, where the first browser wants it.
    """

    number: int
    head: str
    make: Make
    _wire: bytes | None = None

    @property
    def wire(self) -> bytes:
        """Return it as a browser gets it: one event of an event stream of HTML; a mere comment if it cannot be made."""
        if self._wire is None:
            try:
                text = json.dumps(self.make(), separators=(",", ":"), ensure_ascii=False)
                self._wire = f"{self.head}data: {text}\n\n".encode()
            except Exception as error:
                # A mistake of the page: whoever looks on does not see this message, and everything else.
                logger.error("message %d of the page cannot be made: %r", self.number, error)
                logger.debug("how it came to that", exc_info=True)
                self._wire = b": a message is missing\n\n"
        return self._wire


class Hub:
    """The newest messages; `publish` from any thread, everything else on the server's loop."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(4)
        """Which run of the program this is: numbers of another mean nothing."""
        self._lock = threading.Lock()
        self._number = 0
        self._newest: dict[str, Message] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self._told = True
        self._told_s = 0.0
        self.watching = Places(WATCHING)
        """Who is told what the table shows; on the server's loop only."""

    @property
    def number(self) -> int:
        """Return the number of the newest message."""
        return self._number

    def publish(self, kind: str, make: Make) -> None:
        """Let everybody see what *make* gives as the newest of its *kind*; who publishes does not wait for that."""
        with self._lock:
            self._number += 1
            self._newest[kind] = Message(self._number, f"id: {self.run}-{self._number}\nevent: {kind}\n", make)
            loop, told = self._loop, self._told
            self._told = False
        # A server that hangs is told once: what it has to do later does not pile up.
        if loop is not None and told:
            with suppress(RuntimeError):  # the loop was closed this very moment: nobody is there to be told
                loop.call_soon_threadsafe(self._wake, loop)

    def serve(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Wake those who wait on *loop* from now on; nobody for None."""
        with self._lock:
            self._loop = loop
            self._told = True
        self._news, self._told_s = asyncio.Event(), 0.0
        self.watching.closed = loop is None

    def since(self, number: int) -> list[Message]:
        """Return what there is to see for who has seen everything up to *number*, oldest first, each kind once."""
        with self._lock:
            newer = [message for message in self._newest.values() if message.number > number]
        return sorted(newer, key=lambda message: message.number)

    def seen_by(self, last_id: str) -> int:
        """Return up to which number the browser has seen everything whose last message had *last_id*.

        An id of another run of the program, of none or of nonsense counts as having seen nothing.

        Examples
        --------
        >>> hub = Hub()
        >>> hub.publish("table", dict)
        >>> hub.seen_by("nonsense"), hub.seen_by(f"{hub.run}-1"), hub.seen_by(f"{hub.run}-9")
        (0, 1, 0)
        """
        run, _, number = last_id.partition("-")
        if run != self.run or not number.isascii() or not number.isdecimal() or len(number) > 15:
            return 0
        return int(number) if int(number) <= self._number else 0

    async def newer(self, number: int, wait_s: float) -> list[Message]:
        """Return what is newer than *number* as soon as there is something; nothing after *wait_s* seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                while not (found := self.since(number)):
                    await self._news.wait()
                return found
        return []

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        wait_s = self._told_s + max(APART_S, EACH_S * len(self.watching)) - loop.time()
        if wait_s > 0:
            loop.call_later(wait_s, self._tell, loop)
        else:
            self._tell(loop)

    def _tell(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            self._told = True
        self._told_s = loop.time()
        news, self._news = self._news, asyncio.Event()
        news.set()
