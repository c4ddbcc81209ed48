"""A browser's connection, which does not last when nothing comes of it.

The web server waits for as long as a request takes to come and an answer takes to go. Here both have their time, and
there are only so many connections: files that are open are counted, and the journal needs some, too.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from typing import Any, Final

from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware.page.places import Place, Places, whose

logger = logging.getLogger(__name__)

REQUEST_S: Final = 10.0
"""A request is there after so long, from its first byte to its last, or the connection ends."""

ANSWER_S: Final = 10.0
"""What is sent is taken after so long, all that waits of it, or the connection ends; the browser comes back by itself
when it can."""

REFUSED_S: Final = 2.0
"""Who is to be told that there is no place has so long to ask."""

BUFFER_BYTES: Final = 131_072
"""So much waits in the system for a browser that is slow, and nothing in this program."""

WITHOUT_A_PLACE: Final = 100
"""So many beyond those who have a place are told that there is none; the rest is hung up on."""


class Connection(H11Protocol):
    """One connection of a browser.

    Parameters
    ----------
    places
        For how many there is room.
    full
        What answers those for whom there is none.
    **server
        As the server gives them.
    """

    def __init__(self, places: Places, full: ASGIApp, **server: Any) -> None:
        super().__init__(**server)
        self._places = places
        self._full = full
        self._place: Place | None = None
        self._coming: asyncio.TimerHandle | None = None
        self._going: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, and wait for a request."""
        super().connection_made(transport)
        _bounded(transport)
        self._place = self._places.take(whose(self.client[0] if self.client else ""), transport.abort)
        if self._place is None:
            if len(self.connections) > self._places.most + WITHOUT_A_PLACE:
                transport.abort()
            self.app = self._full
        self._coming = self.loop.call_later(REQUEST_S if self._place else REFUSED_S, transport.abort)

    def data_received(self, data: bytes) -> None:
        """Take what comes, and be patient with it for a while."""
        try:
            super().data_received(data)
        except Exception:
            # Nonsense after the answer has begun: there is no way to say so any more, and nobody else it concerns.
            logger.debug("a browser is hung up on", exc_info=True)
            self.transport.abort()
        cycle = self.cycle
        if cycle is not None and not cycle.more_body and not cycle.response_complete:
            _call_off(self._coming)
            self._coming = None
        elif self._coming is None:
            self._coming = self.loop.call_later(REQUEST_S, self.transport.abort)

    def pause_writing(self) -> None:
        """Be patient for a while with a browser that does not take what it is sent."""
        super().pause_writing()
        if self._going is None:
            self._going = self.loop.call_later(ANSWER_S, self.transport.abort)

    def resume_writing(self) -> None:
        """See that it has taken everything."""
        super().resume_writing()
        _call_off(self._going)
        self._going = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        _call_off(self._coming)
        _call_off(self._going)
        if self._place is not None:
            self._places.leave(self._place)
        super().connection_lost(exc)


def _call_off(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def _bounded(transport: asyncio.Transport) -> None:
    """Let nothing wait in this program, and only so much in the system, and find out when the other end has gone."""
    transport.set_write_buffer_limits(high=0)
    line = transport.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
    if sys.platform == "linux":
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(2 * ANSWER_S * 1000))
