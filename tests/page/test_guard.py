"""What never reaches a route, and what is on every answer."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.websockets import WebSocketDisconnect

from firmware.page.guard import BODY_BYTES, POLICY, Guard, is_ours
from tests.page.conftest import Desk, TestClient

OWN = socket.gethostname().lower()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:8021", "[::1]", "[::1]:8021", "localhost", "LOCALHOST:8021", "192.168.1.7:80", OWN,
     f"{OWN.partition('.')[0]}.local:8021", "[fe80::1]:8021"],
)  # fmt: skip
def test_the_table_answers_to_its_own_addresses_and_names(desk: Desk, host: str) -> None:
    assert desk.client(host=host).get("/board").status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8021", "127.0.0.1.evil.example", "localhost.evil.example", "evil@localhost",
     "localhost/evil", "localhost?", "localhost#", "localhost:80:80", "localhost:", "[::1", "::1", "[127.0.0.1]",
     "127.0.0.1\t", "127.1", "2130706433", "0x7f.1", "١٢٧.0.0.1", "127.0.0.1, evil.example", "", " ", "[", "]", "[]",
     "½", "localhost\x85", "a" * 5000, "localhost:" + "9" * 5000],
    ids=repr,
)  # fmt: skip
def test_a_name_that_could_be_somebody_elses_is_refused(desk: Desk, host: str) -> None:
    answer = desk.client().get("/board", headers={"host": host.encode()})

    assert answer.status_code == 421
    assert not is_ours(host)


def test_two_hosts_are_none(desk: Desk) -> None:
    answer = desk.client().get("/board", headers=[("host", "127.0.0.1"), ("host", "evil.example")])

    assert answer.status_code == 421


ELSEWHERE = [
    pytest.param({"origin": "http://evil.example"}, id="another site"),
    pytest.param({"origin": "http://127.0.0.1:3000"}, id="another port of this machine"),
    pytest.param({"origin": "null"}, id="a page in a frame without rights"),
    pytest.param({"origin": "http://["}, id="an origin that is no address"),
    pytest.param({"origin": "http://evil.example\xbd"}, id="an origin with a character that becomes another"),
    pytest.param({"origin": "http://127.0.0.1.evil.example"}, id="an origin that begins like ours"),
    pytest.param({"origin": "http://127.0.0.1@evil.example"}, id="an origin with our address as a user"),
    pytest.param({"origin": ""}, id="no origin"),
    pytest.param({"sec-fetch-site": "cross-site"}, id="the browser says so"),
    pytest.param({"sec-fetch-site": "same-site"}, id="the browser says it is a neighbour"),
    pytest.param({"sec-fetch-site": "nonsense"}, id="the browser says nonsense"),
    pytest.param({"origin": "http://127.0.0.1", "sec-fetch-site": "cross-site"}, id="one of two is wrong"),
]


@pytest.mark.parametrize("headers", ELSEWHERE)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "NONSENSE"])
def test_nothing_is_changed_from_another_site(desk: Desk, method: str, headers: dict[str, str]) -> None:
    sent = {name: value.encode("latin-1") for name, value in headers.items()}
    answer = desk.client().request(method, "/table/come", headers=sent)

    assert answer.status_code == 403
    assert desk.site.guests.seats(0.0) == frozenset()


@pytest.mark.parametrize("headers", ELSEWHERE)
@pytest.mark.parametrize("path", ["/news", "/camera", "/roll.jpg", "/static/news.js", "/board"])
def test_nothing_is_looked_at_by_another_site(desk: Desk, path: str, headers: dict[str, str]) -> None:
    sent = {name: value.encode("latin-1") for name, value in headers.items()}

    assert desk.client().get(path, headers=sent).status_code == 403


def test_a_link_from_elsewhere_may_be_followed_but_not_framed(desk: Desk) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}

    assert desk.client().get("/board", headers=link).status_code == 200
    assert desk.client().get("/board", headers=link | {"sec-fetch-dest": "iframe"}).status_code == 403
    assert desk.client().post("/table/come", headers=link).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "http://127.0.0.1"}, {"origin": "https://127.0.0.1"}, {"sec-fetch-site": "same-origin"},
     {"sec-fetch-site": "none"}],
    ids=str,
)  # fmt: skip
def test_the_tables_own_page_may_change_something(desk: Desk, headers: dict[str, str]) -> None:
    assert desk.client().post("/table/come", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "length",
    [str(BODY_BYTES + 1), "9" * 12, "9" * 5000, "0" * 5000 + "99999", "-1", "+1", "1_0", "1.0", "", "٣", "0x10"],
    ids=lambda length: length[:12],
)
def test_a_length_that_is_too_much_or_none_is_refused(desk: Desk, length: str) -> None:
    answer = desk.client().post("/table/come", headers={"content-length": length.encode()}, content=b"{}")

    assert answer.status_code == 413


def test_a_body_without_a_length_is_cut_off_where_it_is_too_long(desk: Desk) -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        for _ in range(1000):
            taken += 1
            yield b" " * 1024

    guest = desk.guest()
    answer = guest.post("/table/throw", content=endless(), headers={"content-type": "application/json"})

    assert answer.status_code == 413
    assert desk.thrown == 0


def test_a_body_of_just_the_length_that_may_be_is_taken(desk: Desk) -> None:
    sent = b"{}" + b" " * (BODY_BYTES - 2)
    answer = desk.guest().post("/table/throw", content=sent, headers={"content-type": "application/json"})

    assert answer.status_code == 200
    assert desk.thrown == 1


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200), ("GET", "/board", 200), ("HEAD", "/news", 200), ("HEAD", "/camera", 200),
        ("GET", "/roll.jpg", 404), ("GET", "/nowhere", 404), ("GET", "/static/base.css", 200),
        ("GET", "/static/", 404), ("POST", "/static/base.css", 405), ("POST", "/board", 405),
        ("GET", "/table/come", 405),
        ("OPTIONS", "/table/come", 405), ("TRACE", "/board", 405), ("CONNECT", "/board", 405),
        ("POST", "/table/sit", 401), ("GET", "/board/", 307),
    ],
)  # fmt: skip
def test_the_policy_is_on_every_answer(desk: Desk, method: str, path: str, status: int) -> None:
    answer = desk.client().request(method, path, follow_redirects=False)

    assert answer.status_code == status
    assert POLICY.items() <= dict(answer.headers).items()
    assert "access-control-allow-origin" not in answer.headers
    assert "server" not in answer.headers


def test_a_mistake_of_the_page_is_one_answer_and_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def wrong(_request: Request) -> Response:
        raise RuntimeError("what only\nthe bar may know")

    async def late(_request: Request) -> Response:
        async def parts() -> object:
            yield b"begun"
            raise RuntimeError("too late")

        return StreamingResponse(parts())  # type: ignore[arg-type]

    app = Starlette(routes=[Route("/wrong", wrong), Route("/late", late)], middleware=[Middleware(Guard)])
    client = TestClient(app, "http://127.0.0.1", raise_server_exceptions=False)
    answers = [client.get("/wrong") for _ in range(50)]
    client.get("/late")

    assert {answer.status_code for answer in answers} == {500}
    assert "bar may know" not in answers[0].text
    assert POLICY.items() <= dict(answers[0].headers).items()
    assert len(caplog.records) == 2, "a line for each place, however often it fails"
    assert not [record for record in caplog.records if record.exc_info or "\n" in record.getMessage()]
    assert {record.levelno for record in caplog.records} == {logging.ERROR}


def test_there_are_no_websockets(desk: Desk) -> None:
    with pytest.raises(WebSocketDisconnect), desk.client().websocket_connect("/news"):
        pass


def test_a_redirect_stays_at_the_table(desk: Desk) -> None:
    for path in (
        "/board/",
        "/news/",
        "//evil.example/board/",
        "/board/%0d%0aset-cookie:%20a=b/",
        "/%2f%2fevil.example/",
    ):
        answer = desk.client().get(f"http://127.0.0.1{path}", follow_redirects=False)

        assert "set-cookie" not in answer.headers
        assert answer.headers.get("location", "http://127.0.0.1/").startswith("http://127.0.0.1/")


def test_plain_text_is_no_command(desk: Desk) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = desk.guest().post("/table/throw", content="{}", headers={"content-type": kind})

        assert answer.status_code == 415
    assert desk.thrown == 0


def test_a_file_is_not_read_in_a_thousand_pieces(desk: Desk) -> None:
    pieces = "bytes=" + ",".join(f"{start}-{start + 1}" for start in range(0, 3000, 3))
    answer = desk.client().get("/static/base.css", headers={"range": pieces})

    assert answer.status_code in (200, 206, 400, 416)
    assert len(answer.content) < 300_000


def test_a_body_that_nobody_wants_is_not_kept(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 8192

    for _ in range(20):
        for path in ("/board", "/static/base.css"):
            assert desk.client().request("GET", path, content=endless()).status_code == 200
    assert not caplog.records
