"""One at a time on the server's loop, which may be another after the server has begun again."""

from __future__ import annotations

import asyncio


class OneAtATime:
    """A lock of whichever event loop runs: an ``async with`` block that only one is in at a time."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._lock = loop, asyncio.Lock()
        await self._lock.acquire()

    async def __aexit__(self, *_error: object) -> None:
        self._lock.release()
