"""Every route, with whatever a browser could send: an answer each time, never a mistake of the page."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.types import Message

from firmware.page.guard import POLICY
from tests.page.conftest import Desk

PATHS = (
    "/", "/board", "/BOARD", "/news", "/camera", "/roll.jpg", "/static/base.css", "/static/news.js", "/table/come",
    "/table/here",
    "/table/sit", "/table/robot", "/table/press", "/table/turn", "/table/throw", "/table/trouble", "/panel",
    "/panel/login",
)  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "")
NAMES = (
    "host", "origin", "content-type", "content-length", "x-mexico-guest", "last-event-id", "range", "if-range",
    "cookie",
    "if-none-match", "if-modified-since", "accept", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "expect",
    "transfer-encoding", "x-forwarded-for", "authorization", "connection", "upgrade", "accept-encoding",
)  # fmt: skip
VALUES = (
    "127.0.0.1", "localhost:8021", "evil.example", "http://127.0.0.1", "null", "http://[", "application/json",
    "text/plain", "0", "2",
    "65536", "65537", "-1", "bytes=0-1", "bytes=1-0,2-,-3", "bytes=-", "lines=0-1", "*", "same-origin", "cross-site",
    "navigate", "document", "gzip", "chunked", "100-continue", "TOKEN", "session=x; session=y", "BOOT-1",
    "Thu, 01 Jan 1970 00:00:00 GMT", "Basic eDp5", "websocket",
)  # fmt: skip

leaf = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(("stop", "seat_1", "hand"))
tree = st.recursive(leaf, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4))
fields = st.sampled_from(("seat", "on", "key", "down", "steps", "trouble", "pin", "token"))
command = st.dictionaries(fields, leaf, max_size=3).map(json.dumps).map(str.encode)
bodies = st.just(b"{}") | command | tree.map(json.dumps).map(str.encode) | st.binary() | st.just(b"x" * 70_000)
odd = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\x00"), max_size=40)
paths = st.sampled_from(PATHS) | st.sampled_from(PATHS).flatmap(lambda path: st.text().map(lambda more: path + more))
requests = st.fixed_dictionaries(
    {
        "method": st.sampled_from(METHODS),
        "path": paths | st.text().map("/".__add__) | st.text(),
        "query": st.just(b"") | st.binary(max_size=40),
        "headers": st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES) | odd), max_size=5),
        "host": st.sampled_from(("127.0.0.1", "127.0.0.1", "127.0.0.1", None)),
        "known": st.booleans(),
        "body": st.lists(bodies, max_size=3),
    }
)


async def asked(desk: Desk, request: dict[str, Any], token: str) -> list[Message]:
    """Return what is answered, in parts; who asks goes away when nothing more comes."""
    headers = [("host", request["host"])] if request["host"] else []
    headers += [("x-mexico-guest", token), ("content-type", "application/json")] if request["known"] else []
    boot = desk.site.hub._boot
    headers += [(name, value.replace("TOKEN", token).replace("BOOT", boot)) for name, value in request["headers"]]
    scope: MutableMapping[str, Any] = {
        "type": "http", "http_version": "1.1", "asgi": {"version": "3.0"}, "scheme": "http", "root_path": "",
        "state": {},
        "method": request["method"], "path": request["path"], "raw_path": request["path"].encode("utf-8", "replace"),
        "query_string": request["query"], "client": ("127.0.0.1", 4), "server": ("127.0.0.1", 8021),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }  # fmt: skip
    parts: Iterator[bytes] = iter(request["body"])
    answer: list[Message] = []

    async def receive() -> Message:
        part = next(parts, None)
        if part is not None:
            return {"type": "http.request", "body": part, "more_body": True}
        await asyncio.sleep(0.005)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        answer.append(message)

    desk.site.hub.serve(asyncio.get_running_loop())
    async with asyncio.timeout(20):
        await desk.app(scope, receive, send)
    return answer


@pytest.mark.parametrize("which", ["desk", "real"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(request=requests)
def test_every_request_has_an_answer(
    which: str, request: dict[str, Any], desk: Desk, real: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    asked_at = {"desk": desk, "real": real}[which]
    desk.clock.advance(0.1)
    answer = asyncio.run(asked(asked_at, request, asked_at.site.guests.admit(asked_at.clock.now())))
    begin = answer[0]
    names = [name for name, _ in begin["headers"]]

    assert begin["type"] == "http.response.start"
    assert begin["status"] < 500 or (begin["status"] == 503 and (b"retry-after", b"10") in begin["headers"])
    assert all(names.count(name.encode()) == 1 for name in POLICY)
    assert not [value for _, value in begin["headers"] if b"\r" in value or b"\n" in value]
    assert b"Traceback" not in b"".join(message.get("body", b"") for message in answer)
    assert len(asked_at.site.hub.watching) == len(asked_at.site.pictures.looking) == 0
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


ROUTES = {"/", "/board", "/BOARD", "/news", "/camera", "/roll.jpg", "/static"} | {
    path for path in PATHS if "/table/" in path
}


def test_every_route_is_tried(desk: Desk) -> None:
    there = {str(getattr(route, "path", "")) for route in desk.app.routes}

    assert {path for path in there if not path.startswith("/panel")} <= ROUTES
