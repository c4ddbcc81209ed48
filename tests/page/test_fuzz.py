"""Every route, with whatever a browser could send: an answer each time, never a mistake of the page."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import Message

from firmware import pin
from firmware.events import Event, Ordered
from firmware.page import panel as panel_module
from firmware.page.gauges import Gauges
from firmware.page.guard import POLICY
from firmware.page.panel_site import PanelSite
from tests.page.conftest import Desk

PIN = "4711"
FILES = ("base.css", "news.js")
INSTEAD = ("1", "0", "last", "-1", "1e9", "99999999999999999999", "%00", "x" * 300, "..")
"""What stands where an address has a number."""
Headers = tuple[tuple[str, str], ...]
PLAIN = {
    "method": "POST", "path": "/", "query": b"", "headers": (), "host": "127.0.0.1", "known": True, "body": [b"{}"],
    "breaks_off": False,
}  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "")
NAMES = (
    "host", "origin", "content-type", "content-length", "x-mexico-guest", "last-event-id", "range", "if-range",
    "cookie",
    "if-none-match", "if-modified-since", "accept", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "expect",
    "transfer-encoding", "x-forwarded-for", "authorization", "connection", "upgrade", "accept-encoding",
    "x-mexico-csrf",
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
fields = st.sampled_from((
    "seat", "on", "key", "down", "steps", "trouble", "pin", "token", "order", "reason", "game", "event", "version",
    "answers", "house_rules", "swapped", "step", "corners",
))  # fmt: skip
command = st.dictionaries(fields, leaf, max_size=3).map(json.dumps).map(str.encode)
bodies = st.just(b"{}") | command | tree.map(json.dumps).map(str.encode) | st.binary() | st.just(b"x" * 70_000)
odd = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\x00"), max_size=40)


def routes(app: Starlette) -> dict[str, BaseRoute]:
    """Return every route that *app* has, by its path: what is added to the page is tried without being named here."""
    return {str(getattr(route, "path", "")): route for route in app.routes}


def _put_in(path: str, number: str) -> str:
    """Return *path* with *number*, whatever it is, in the place of each of its numbers."""
    return re.sub(r"\{[^}]*\}", lambda _: number, path)


@lru_cache
def requests(known: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Return requests for the *known* paths, for others that begin as they do, and for paths that nobody knows."""
    templates = [f"{path}/{name}" for path in known if path == "/static" for name in FILES]
    number = st.sampled_from(INSTEAD) | st.text(max_size=9)
    there = st.tuples(st.sampled_from((*known, *templates)), number).map(lambda of: _put_in(*of))
    return st.fixed_dictionaries(
        {
            "method": st.sampled_from(("GET", "POST")) | st.sampled_from(METHODS),
            "path": there
            | there.flatmap(lambda path: st.text().map(path.__add__))
            | st.text().map("/".__add__)
            | st.text(),
            "query": st.just(b"") | st.binary(max_size=40),
            "headers": st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES) | odd), max_size=5),
            "host": st.sampled_from(("127.0.0.1", "127.0.0.1", "127.0.0.1", None)),
            "known": st.booleans(),
            "inside": st.booleans(),
            "body": st.just([b"{}"]) | command.map(lambda body: [body]) | st.lists(bodies, max_size=3),
            "breaks_off": st.sampled_from((False, False, False, True)),
        }
    )


async def asked(desk: Desk, request: dict[str, Any], token: str = "", session: Headers = ()) -> list[Message]:
    """Return what is answered, in parts; who asks goes away when nothing more comes."""
    headers = [("host", request["host"])] if request["host"] else []
    headers += session
    headers += [("x-mexico-guest", token), ("content-type", "application/json")] if request["known"] else []
    boot = desk.site.hub.run
    headers += [(name, value.replace("TOKEN", token).replace("BOOT", boot)) for name, value in request["headers"]]
    scope: MutableMapping[str, Any] = {
        "type": "http", "http_version": "1.1", "asgi": {"version": "3.0"}, "scheme": "http", "root_path": "",
        "state": {},
        "method": request["method"], "path": request["path"], "raw_path": request["path"].encode("utf-8", "replace"),
        "query_string": request["query"], "client": ("127.0.0.1", 4), "server": ("127.0.0.1", 8021),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }  # fmt: skip
    parts = list(request["body"]) or [b""]
    if request["breaks_off"]:
        parts.pop()
    answer: list[Message] = []

    async def receive() -> Message:
        if parts:
            part = parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(parts) or request["breaks_off"]}
        await asyncio.sleep(0.005)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        answer.append(message)

    desk.site.hub.serve(asyncio.get_running_loop())
    async with asyncio.timeout(20):
        await desk.app(scope, receive, send)
    return answer


async def logged_in(desk: Desk) -> Headers:
    """Return what a browser shows that a bartender has just logged in with; wrong PINs of before are forgiven."""
    desk.site.folder.pin_tries.unlink(missing_ok=True)
    began, *rest = await asked(desk, {**PLAIN, "path": "/panel/login", "body": [json.dumps({"pin": PIN}).encode()]})
    cookie = dict(began["headers"])[b"set-cookie"].decode().partition(";")[0]
    csrf = json.loads(b"".join(message["body"] for message in rest))["csrf"]
    return ("cookie", cookie), ("x-mexico-csrf", csrf)


@pytest.fixture(params=["virtual", "real"])
def house(request: pytest.FixtureRequest, desk: Desk, real: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return a table of either kind, with a panel that has a PIN; it has all the routes that there are."""
    monkeypatch.setattr(pin, "COST", 2)
    monkeypatch.setattr(panel_module, "FRESH_S", 0.0)
    house = desk if request.param == "virtual" else real
    site = house.site
    pin.PinFile.of(PIN).save(site.folder.pin)

    def put(event: Event) -> None:
        if isinstance(event, Ordered):
            event.answer("nobody plays")

    gauges = Gauges(site.clock.now)
    file = site.folder.settings
    site.panel = PanelSite(site.settings, file, site.folder, site.clock, site.pictures, gauges, put, real=False)
    return house


@pytest.mark.one_in(2)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_request_has_an_answer(data: st.DataObject, house: Desk, caplog: pytest.LogCaptureFixture) -> None:
    request = data.draw(requests(tuple(sorted(routes(house.app)))))
    house.clock.advance(0.1)

    async def answered() -> list[Message]:
        session = await logged_in(house) if request["inside"] else ()
        return await asked(house, request, house.site.guests.admit(house.clock.now()), session)

    answer = asyncio.run(answered())
    begin = answer[0]
    names = [name for name, _ in begin["headers"]]

    assert begin["type"] == "http.response.start"
    assert begin["status"] < 500 or (begin["status"] == 503 and (b"retry-after", b"10") in begin["headers"])
    assert all(names.count(name.encode()) == 1 for name in POLICY)
    assert not [value for _, value in begin["headers"] if b"\r" in value or b"\n" in value]
    assert b"Traceback" not in b"".join(message.get("body", b"") for message in answer)
    assert len(house.site.hub.watching) == len(house.site.pictures.looking) == 0
    loud = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert all("wrong PIN" in record.getMessage() for record in loud)


def test_every_route_is_there_and_the_panel_opens_to_nobody_who_is_not_logged_in(house: Desk) -> None:
    statuses: dict[tuple[str, bool], int] = {}
    for path, route in routes(house.app).items():
        methods = getattr(route, "methods", None) or {"GET"}
        for inside in (False, True):
            method = "GET" if "GET" in methods else min(methods)
            to = re.sub(r"\{[^}]*\}", "1", path) + ("/base.css" if path == "/static" else "")

            async def answered(method: str = method, to: str = to, inside: bool = inside) -> int:
                session = await logged_in(house) if inside else ()
                token = house.site.guests.admit(house.clock.now())
                return int((await asked(house, {**PLAIN, "method": method, "path": to}, token, session))[0]["status"])

            statuses[path, inside] = asyncio.run(answered())

    assert 405 not in statuses.values(), "each is asked as it wants to be"
    assert all(status < 500 for status in statuses.values())
    behind = {path for path, _ in statuses if path.startswith("/panel/")} - {"/panel/session", "/panel/login"}
    assert len(behind) >= 19
    assert {path for path in behind if statuses[path, False] != 401} == set()
    assert {path for path in behind if statuses[path, True] == 401} == set()
