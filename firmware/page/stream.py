"""The two streams a browser holds open: what the table shows, and what its camera sees.

Both end when the browser goes away, and end it when it is too slow to take what it is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

from starlette.types import Receive, Scope, Send

from firmware.page.hub import Hub
from firmware.page.pictures import Pictures

SEND_S: Final = 5.0
"""Who takes longer for one message is let go; his browser comes back by itself when it can."""

SIGN_OF_LIFE_S: Final = 10.0
"""After so long without news a sign of life is sent: both ends find out that way that a connection has died."""

HERE: Final = b": still here\nevent: here\ndata: {}\n\n"

FRAMES_PER_S: Final = 12.0
BOUNDARY: Final = "picture"


class Stream:
    """A response without an end: an ASGI application.

    Parameters
    ----------
    media_type
        Of the whole.
    parts
        What is sent, as it comes.
    left
        Called when it is over, however that comes.
    """

    def __init__(self, media_type: str, parts: AsyncIterator[bytes], left: Callable[[], None]) -> None:
        self._headers = [
            (b"content-type", media_type.encode()),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        self._parts = parts
        self._left = left

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the browser goes away or does not take it."""
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
            self._left()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self._headers})
        async for part in self._parts:
            async with asyncio.timeout(SEND_S):
                await send({"type": "http.response.body", "body": part, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def news(hub: Hub, last_id: str) -> AsyncIterator[bytes]:
    """Yield what *hub* has for somebody who has seen *last_id*, and then everything new, as it comes."""
    yield b"retry: 1000\n\n"
    number = hub.seen_by(last_id)
    while True:
        messages = await hub.newer(number, SIGN_OF_LIFE_S)
        if messages:
            number = messages[-1].number
        yield b"".join(message.wire for message in messages) or HERE


async def film(pictures: Pictures) -> AsyncIterator[bytes]:
    """Yield the camera's pictures as they come, at most `FRAMES_PER_S`, each as a part of a multipart response."""
    number = 0
    while True:
        shown = await pictures.newer(number, SIGN_OF_LIFE_S)
        number = shown.number
        head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(shown.jpeg)}\r\n\r\n"
        yield head.encode() + shown.jpeg + b"\r\n"
        await asyncio.sleep(1 / FRAMES_PER_S)
