"""The two streams: they end, they do not fall behind, and they take no place that nobody needs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator

import numpy as np
import pytest
from starlette.types import Message, Scope

from firmware.page import stream
from firmware.page.hub import Hub
from firmware.page.pictures import FILMS, Pictures, jpeg_of
from firmware.page.places import Places
from firmware.page.stream import Stream, film, news
from tests.page.conftest import Desk
from vision.types import Frame

SCOPE: Scope = {"type": "http", "method": "GET", "client": ("127.0.0.1", 1), "headers": []}


class Browser:
    """The other end of a stream: takes what it is sent when it may, and goes when it wants."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.gone = asyncio.Event()
        self.takes = asyncio.Event()
        self.takes.set()

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        await self.takes.wait()
        self.sent.append(message)

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def ended(self) -> bool:
        return self.sent[-1].get("more_body") is False


async def counted(many: int = 1_000_000) -> AsyncGenerator[bytes, None]:
    for number in range(many):
        yield f"{number} ".encode()
        await asyncio.sleep(0)


async def rest(turns: int = 50) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)


def test_a_stream_ends_with_its_browser_and_gives_the_place_back() -> None:
    async def evening() -> None:
        places, browser = Places(1), Browser()
        running = asyncio.create_task(Stream("text/plain", counted(), places)(SCOPE, browser.receive, browser.send))
        await rest()
        assert len(places) == 1
        browser.gone.set()
        await running

        assert len(places) == 0
        assert browser.body.startswith(b"0 1 2 3 ")

    asyncio.run(evening())


def test_only_the_head_takes_no_place_and_ends() -> None:
    async def evening() -> None:
        browser = Browser()
        await Stream("text/plain", counted(), Places(0))({**SCOPE, "method": "HEAD"}, browser.receive, browser.send)

        assert browser.sent[0]["status"] == 200
        assert browser.ended
        assert browser.body == b""

    asyncio.run(evening())


def test_one_too_many_is_told_so() -> None:
    async def evening() -> None:
        places, first, second = Places(1), Browser(), Browser()
        running = asyncio.create_task(Stream("text/plain", counted(), places)(SCOPE, first.receive, first.send))
        await rest()
        await Stream("text/plain", counted(), places)(SCOPE, second.receive, second.send)
        assert second.sent[0]["status"] == 503
        assert (b"retry-after", b"10") in second.sent[0]["headers"]
        first.gone.set()
        await running

    asyncio.run(evening())


def test_who_holds_most_places_ends_well_when_another_comes() -> None:
    async def evening() -> None:
        places, greedy, other = Places(2), [Browser(), Browser()], Browser()
        running = [
            asyncio.create_task(Stream("text/plain", counted(), places, b"over")(SCOPE, one.receive, one.send))
            for one in greedy
        ]
        await rest()
        elsewhere = {**SCOPE, "client": ("192.168.1.7", 1)}
        watching = asyncio.create_task(Stream("text/plain", counted(), places)(elsewhere, other.receive, other.send))
        await rest()

        assert [one.ended for one in greedy] == [False, True]
        assert len(other.sent) > 2
        other.gone.set()
        greedy[0].gone.set()
        await asyncio.gather(watching, *running)
        assert len(places) == 0
        assert [one.body.endswith(b"over") for one in greedy] == [False, True], "who goes by himself is told nothing"

    asyncio.run(evening())


def test_what_is_sent_is_chosen_when_it_can_be_sent() -> None:
    async def evening() -> None:
        hub, browser = Hub(), Browser()
        hub.serve(asyncio.get_running_loop())
        running = asyncio.create_task(
            Stream("text/plain", news(hub, ""), Places(1))(SCOPE, browser.receive, browser.send)
        )
        await rest()
        browser.takes.clear()
        for number in range(100):
            hub.publish("table", lambda number=number: {"number": number})  # type: ignore[misc]
            await rest(3)
        browser.takes.set()
        await asyncio.sleep(0.2)
        browser.gone.set()
        await running

        assert browser.body.count(b"event: table") <= 2, "who is slow gets the newest, not all of them"
        assert b'{"number":99}' in browser.body

    asyncio.run(evening())


def test_a_stream_that_fails_gives_the_place_back_and_says_why() -> None:
    async def wrong() -> AsyncGenerator[bytes, None]:
        yield b"begun"
        raise RuntimeError("a mistake of the page")

    async def evening() -> None:
        places, browser = Places(1), Browser()
        with pytest.raises(RuntimeError, match="a mistake"):
            await Stream("text/plain", wrong(), places)(SCOPE, browser.receive, browser.send)

        assert len(places) == 0

    asyncio.run(evening())


def test_a_quiet_evening_has_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SIGN_OF_LIFE_S", 0.01)

    async def evening() -> list[bytes]:
        quiet = news(Hub(), "")
        return [await anext(quiet) for _ in range(3)]

    assert asyncio.run(evening()) == [b"retry: 1000\n\n", stream.HERE, stream.HERE]


def test_nobody_looks_through_the_camera_for_more_browsers_than_there_are_places_for(desk: Desk) -> None:
    for _ in range(FILMS):
        desk.site.pictures.looking.take("somebody", lambda: None)
    desk.site.pictures.looking.closed = True

    assert desk.client().get("/camera").status_code == 503


def test_a_picture_is_made_once_for_all_who_look(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def noted(frame: Frame) -> bytes:
        made.append(threading.get_ident())
        return jpeg_of(frame)

    monkeypatch.setattr("firmware.page.pictures.jpeg_of", noted)

    async def evening() -> set[bytes]:
        pictures = Pictures()
        pictures.look(np.full((480, 640, 3), 90, np.uint8))
        films = [film(pictures) for _ in range(FILMS)]
        return set(await asyncio.gather(*(anext(one) for one in films)))

    assert len(asyncio.run(evening())) == 1
    assert len(made) == 1
    assert made[0] != threading.get_ident(), "not on the loop"
