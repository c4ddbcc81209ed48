"""The web server on a thread of its own."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from firmware.page.hub import Hub

logger = logging.getLogger(__name__)

CONNECTIONS: Final = 500
"""More browsers than that are told to come back later."""

END_S: Final = 3


@contextmanager
def serving(app: ASGIApp, hub: Hub, listener: socket.socket) -> Iterator[None]:
    """Serve *app* at *listener* for the time of a ``with`` block, which browsers cannot keep waiting."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=_run, args=(server, hub, listener), name="page", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(timeout=END_S)
        if thread.is_alive():
            logger.warning("the page's server did not end in time; it is left behind")
        listener.close()


def _run(server: uvicorn.Server, hub: Hub, listener: socket.socket) -> None:
    async def serve() -> None:
        hub.serve(asyncio.get_running_loop())
        try:
            await server.serve([listener])
        finally:
            hub.serve(None)

    try:
        asyncio.run(serve())
    except Exception:
        # A table without its page is still a table: lamps, display and buttons go on.
        logger.exception("the page's server has ended")
