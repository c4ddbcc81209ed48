"""The two streams a browser holds open: what the table shows, and what its camera sees.

Both end when the browser goes away, when it is too slow to take what it is sent (`connection.py`), and when somebody
else needs the place. What is sent is chosen when it can be sent: who is slow gets the newest, and nothing that was
shown before the table went blind.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from typing import Final

import numpy as np
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from firmware.page.hub import Hub
from firmware.page.pictures import Pictures, jpeg_of
from firmware.page.places import Places, address_of

SIGN_OF_LIFE_S: Final = 10.0
"""After so long without news a sign of life is sent: both ends find out that way that a connection has died."""

HERE: Final = b": still here\nevent: here\ndata: {}\n\n"

FRAMES_PER_S: Final = 12.0
BOUNDARY: Final = "picture"
FILM_TYPE: Final = f"multipart/x-mixed-replace; boundary={BOUNDARY}"

Parts = AsyncGenerator[bytes, None]


class Stream:
    """A response without an end: an ASGI application.

    Parameters
    ----------
    media_type
        Of the whole.
    parts
        What is sent, as it comes.
    places
        For how many this is; who gets no place is told to try again later.
    last
        What is sent at the end to a browser that is still there.
    """

    def __init__(self, media_type: str, parts: Parts, places: Places, last: bytes = b"") -> None:
        self._headers = [
            (b"content-type", media_type.encode()),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        self._parts = parts
        self._places = places
        self._last = last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the browser goes away, or has to."""
        async with aclosing(self._parts):
            if scope["method"] == "HEAD":
                await self._begin(send)
                await _end(send)
                return
            enough = asyncio.Event()
            place = self._places.take(address_of(scope), enough.set)
            if place is None:
                await later("too many browsers look at the table")(scope, receive, send)
                return
            try:
                await self._begin(send)
                if await _first(self._send(send), _gone(receive), enough.wait()) != 1:
                    await _end(send, self._last)
            finally:
                self._places.leave(place)

    async def _begin(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self._headers})

    async def _send(self, send: Send) -> None:
        async for part in self._parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
            # Nothing to send, but it waits until the part is on its way: the next is chosen only then.
            await send({"type": "http.response.body", "body": b"", "more_body": True})


def later(why: str) -> Response:
    """Return the answer for somebody for whom there is no room."""
    return JSONResponse({"error": f"{why}; try again in a while"}, 503, {"retry-after": "10"})


async def _first(*doings: Coroutine[None, None, object]) -> int:
    """Return which of *doings* was over first, as a number from 0; the others are ended."""
    tasks = [asyncio.create_task(doing) for doing in doings]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        first = min(tasks.index(task) for task in done)
        tasks[first].result()
        return first
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _end(send: Send, last: bytes = b"") -> None:
    await send({"type": "http.response.body", "body": last, "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def news(hub: Hub, last_id: str) -> Parts:
    """Yield what *hub* has for somebody who has seen *last_id*, and then everything new, as it comes."""
    yield b"retry: 1000\n\n"
    number = hub.seen_by(last_id)
    while True:
        messages = await hub.newer(number, SIGN_OF_LIFE_S)
        if messages:
            number = messages[-1].number
        yield b"".join(message.wire for message in messages) or HERE


async def film(pictures: Pictures) -> Parts:
    """Yield the camera's pictures as they come, at most `FRAMES_PER_S`, each as a part of a multipart response."""
    number = 0
    while True:
        shown = await pictures.newer(number, SIGN_OF_LIFE_S)
        number = shown.number
        yield _part(shown.jpeg)
        await asyncio.sleep(1 / FRAMES_PER_S)


def _part(jpeg: bytes) -> bytes:
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
    return head.encode() + jpeg + b"\r\n"


FILM_ENDS: Final = _part(jpeg_of(np.zeros((1, 1, 3), np.uint8))) + f"--{BOUNDARY}--\r\n".encode()
"""A film ends with a single pixel: by that a browser tells one that has ended from a tray in which nothing moves."""
