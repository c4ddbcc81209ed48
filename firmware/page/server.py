"""The web server on a thread of its own."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp

from firmware.page.connection import Connection
from firmware.page.guard import full
from firmware.page.places import Places
from firmware.page.site import Site

logger = logging.getLogger(__name__)

CONNECTIONS: Final = 500
"""More browsers than that are told to come back later."""

AT_ONCE: Final = 100
"""So many connections are taken up in one go."""

KEEP_S: Final = 10
"""A connection is kept so long for another request."""

END_S: Final = 3
QUIET_S: Final = 60.0
"""The same trouble is told once in so long."""

AGAIN_S: Final = (1.0, 5.0, 30.0)
"""A server that has ended begins again after so long, after its third end always after the last."""


@contextmanager
def serving(app: ASGIApp, site: Site, listener: socket.socket) -> Iterator[None]:
    """Serve *app* at *listener* for the time of a ``with`` block, which browsers cannot keep waiting."""
    server = Server(app, site, listener)
    server.thread.start()
    try:
        yield
    finally:
        server.end()


class Listener(socket.socket):
    """A listening socket that knows whom it let in, so that a server which dies keeps none of them waiting.

    An event loop knows a connection only a few of its turns after it has accepted it, and forgets the one whose task
    is cancelled before that: the other end would wait for an answer until the garbage is collected.
    """

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(fileno=os.dup(listening.fileno()))
        self._let_in: list[socket.socket] = []

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection and where it comes from."""
        line, address = super().accept()
        self._let_in = [*(earlier for earlier in self._let_in if earlier.fileno() >= 0), line]
        return line, address

    def __exit__(self, *_: object) -> None:
        """Close it and every connection that came by it."""
        self.close()
        for line in self._let_in:
            line.close()


class Server:
    """The web server, which begins again when it has ended though nobody wanted it to.

    Parameters
    ----------
    app
        What answers.
    site
        Whose messages it sends.
    listener
        Where browsers come.
    """

    def __init__(self, app: ASGIApp, site: Site, listener: socket.socket) -> None:
        self._app = app
        self._site = site
        self._listener = listener
        self._over = threading.Event()
        self._told_s: dict[str, float] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: uvicorn.Server | None = None
        self.thread = threading.Thread(target=self._run, name="page", daemon=True)

    def end(self) -> None:
        """Let all browsers go, and end; a server that hangs is left behind."""
        self._over.set()
        if self._loop is not None:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(self._let_go)
        self.thread.join(timeout=END_S)
        if self.thread.is_alive():
            logger.warning("the page's server did not end in time; it is left behind")
        self._listener.close()

    def _run(self) -> None:
        for number in itertools.count():
            try:
                with Listener(self._listener) as listener:
                    asyncio.run(self._serve(listener))
            except (Exception, SystemExit) as error:
                # A table without its page is still a table: lamps, display and buttons go on.
                logger.error("the page's server has ended: %r", error)
                logger.debug("how it came to that", exc_info=True)
            if self._over.wait(AGAIN_S[min(number, len(AGAIN_S) - 1)]):
                return
            logger.warning("the page's server begins again")

    async def _serve(self, listener: Listener) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._tell)
        config = uvicorn.Config(
            self._app,
            http=partial(Connection, Places(_room()), full),  # type: ignore[arg-type]
            loop="asyncio",
            log_config=None,
            log_level="critical",  # what browsers do wrong is no news, and what the page does wrong the guard says
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            backlog=AT_ONCE,
            timeout_keep_alive=KEEP_S,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16_384,
        )
        self._server = uvicorn.Server(config)
        self._site.hub.serve(self._loop)
        self._site.pictures.looking.closed = False
        if self._over.is_set():
            self._let_go()
        try:
            await self._server.serve([listener])
        finally:
            if listener.fileno() >= 0:  # an orderly end has closed it
                self._loop.remove_reader(listener)
            self._site.hub.serve(None)
            await _leave_nothing(self._server)

    def _tell(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Say what went wrong on the loop, in a line and now and then: browsers may be the cause, and fill the log."""
        what, now_s = str(context.get("message")), time.monotonic()
        if now_s - self._told_s.get(what, -QUIET_S) >= QUIET_S:
            self._told_s[what] = now_s
            logger.warning("on the page's loop: %s: %r", what[:100], context.get("exception"))

    def _let_go(self) -> None:
        self._site.hub.watching.close()
        self._site.pictures.looking.close()
        if self._server is not None:
            self._server.should_exit = True


async def _leave_nothing(server: uvicorn.Server) -> None:
    """End all connections of *server* and what is done for them."""
    while True:
        for connection in tuple(server.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # their ends are heard of before the loop's
        if not (others := asyncio.all_tasks() - {asyncio.current_task()}):
            return
        for task in others:
            task.cancel()
        await asyncio.wait(others)


def _room() -> int:
    """Return how many connections there may be: at most half of the files that may be open, the rest is the table's."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(CONNECTIONS, soft // 2 - AT_ONCE))
