"""Connections over which nothing gets done: they end by themselves, and keep nobody else out.

The web server is a real one; only its patience is short.
"""

from __future__ import annotations

import gc
import logging
import resource
import socket
import threading
import time
import tracemalloc
from contextlib import ExitStack

import numpy as np
import pytest

from firmware.page import connection, server
from firmware.page.guard import POLICY
from tests.page.conftest import Desk, Serve, Serving, eventually, everything, until

HOST = b"Host: 127.0.0.1\r\n"
NEWS = b"GET /news HTTP/1.1\r\n" + HOST + b"\r\n"
BOARD = b"GET /board HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have little patience."""
    monkeypatch.setattr(connection, "REQUEST_S", 0.4)
    monkeypatch.setattr(connection, "ANSWER_S", 0.4)
    monkeypatch.setattr(connection, "REFUSED_S", 0.4)
    monkeypatch.setattr(server, "KEEP_S", 1)


def well(served: Serving) -> bool:
    """Return whether the table answers others."""
    return served.ask(BOARD).startswith(b"HTTP/1.1 200 ")


def dripped(line: socket.socket, slowly: bytes) -> bool:
    """Send *slowly*, a byte every 20 ms; return whether the other end hung up before all of it was there."""
    line.settimeout(0.02)
    for place in range(len(slowly)):
        try:
            line.sendall(slowly[place : place + 1])
            if line.recv(65_536) == b"":
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


@pytest.mark.parametrize(
    ("at_once", "slowly"),
    [
        pytest.param(b"", b"", id="nothing at all"),
        pytest.param(b"GET /bo", b"a" * 500, id="an address"),
        pytest.param(b"GET /board HTTP/1.1\r\n", b"X: y\r\n" * 100, id="one header after the other"),
        pytest.param(b"POST /table/come HTTP/1.1\r\n" + HOST + b"Content-Length: 600\r\n\r\n", b" " * 599, id="a body"),
        pytest.param(
            b"POST /table/throw HTTP/1.1\r\n" + HOST + b"Content-Length: 600\r\nExpect: 100-continue\r\n\r\n",
            b" " * 599,
            id="a body that was asked for",
        ),
        pytest.param(
            b"POST /table/come HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n",
            b"1\r\n \r\n" * 100,
            id="a body in pieces without end",
        ),
        pytest.param(
            b"GET /news HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n",
            b"1\r\n \r\n" * 100,
            id="a stream that is asked for without end",
        ),
        pytest.param(
            b"POST /table/come HTTP/1.1\r\n" + HOST + b"Content-Length: 999999\r\n\r\n",
            b" " * 500,
            id="a body that was refused",
        ),
        pytest.param(BOARD.replace(b"close", b"keep-alive"), b"GET /" + b"a" * 500, id="a second request"),
    ],
)
def test_a_request_that_comes_byte_by_byte_ends(
    desk: Desk, serve: Serve, hasty: None, at_once: bytes, slowly: bytes
) -> None:
    served = serve(desk.site)
    begun = time.monotonic()
    with served.line(at_once) as line:
        if slowly:
            time.sleep(0.05)
            line.settimeout(1)
            if b"board" in at_once and b"\r\n\r\n" in at_once:
                until(line, b"</title>")
            hung_up = dripped(line, slowly)
        else:
            hung_up = line.recv(1) == b""

    assert hung_up
    assert time.monotonic() - begun < 5
    assert well(served)


def test_a_request_that_takes_its_time_is_answered(desk: Desk, serve: Serve) -> None:
    served = serve(desk.site)
    with served.line() as line:
        for place in range(0, len(BOARD), 20):
            line.sendall(BOARD[place : place + 20])
            time.sleep(0.02)

        assert everything(line).startswith(b"HTTP/1.1 200 ")


def test_a_stream_outlives_the_patience_with_requests(desk: Desk, serve: Serve, hasty: None) -> None:
    served = serve(desk.site)
    with served.line(NEWS) as line:
        until(line, b"retry: 1000")
        time.sleep(1.0)
        desk.site.hub.publish("late", dict)

        assert b"event: late" in until(line, b"event: late")


MALFORMED = [
    pytest.param(b"\r\n\r\n", id="nothing"),
    pytest.param(b"nonsense\r\n\r\n", id="nonsense"),
    pytest.param(b"GET\r\n\r\n", id="no address"),
    pytest.param(b"GET /board\r\n\r\n", id="the oldest HTTP"),
    pytest.param(b"GET /board HTTP/1.1\r\n\r\n", id="no host"),
    pytest.param(b"GET /board HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n", id="two hosts"),
    pytest.param(b"GET /bo ard HTTP/1.1\r\n" + HOST + b"\r\n", id="a space in the address"),
    pytest.param(b"GET /board HTTP/1.1\r\n" + HOST + b"X : y\r\n\r\n", id="a space before the colon"),
    pytest.param(b"GET /board HTTP/1.1\r\n" + HOST + b"X\x00: y\r\n\r\n", id="a zero in a header's name"),
    pytest.param(b"GET /board HTTP/1.1\r\n" + HOST + b"X: \x00\r\n\r\n", id="a zero in a header"),
    pytest.param(b"POST /table/come HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n", id="a negative length"),
    pytest.param(b"POST /table/come HTTP/1.1\r\n" + HOST + b"Content-Length: 1, 2\r\n\r\n", id="two lengths in one"),
    pytest.param(
        b"POST /table/come HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        id="two lengths",
    ),
    pytest.param(
        b"POST /table/come HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n", id="a zipped body"
    ),
    pytest.param(
        b"POST /table/throw HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        id="a piece of length zz",
    ),
    pytest.param(
        b"POST /table/throw HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\n",
        id="a piece as long as the world",
    ),
    pytest.param(
        b"GET /board HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 700_000 + b"\r\n\r\n", id="a header of 700,000 bytes"
    ),
    pytest.param(b"GET /" + b"a" * 700_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", id="an address of 700,000 bytes"),
    pytest.param(b"GET /board HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 100_000 + b"\r\n", id="100,000 headers"),
    pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), id="the beginning of TLS"),
    pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP 2"),
    pytest.param(bytes(range(256)) * 300, id="every byte there is"),
    pytest.param(
        NEWS.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") + b"zz\r\n", id="nonsense into a stream"
    ),
]


@pytest.mark.parametrize("sent", MALFORMED)
def test_a_malformed_request_ends_and_leaves_no_trace(
    desk: Desk, serve: Serve, hasty: None, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    served = serve(desk.site)
    try:
        answer = served.ask(sent)
    except ConnectionError:
        answer = b""

    assert not answer or answer.split(b" ")[1] in (b"400", b"404", b"405", b"413", b"421") or b"retry: 1000" in answer
    assert well(served)
    assert not caplog.records, "a browser writes nothing into the log"
    assert len(desk.site.hub.watching) == 0


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/%252e%252e/app.py", "/static/..%2fapp.py",
        "/static/..%5capp.py", "/static//etc/passwd", "/static/%2fetc%2fpasswd", "//etc/passwd", "/static/....//app.py",
        "/static/%c0%ae%c0%ae/app.py", "/static/x/../../app.py", "/../firmware/page/app.py", "/static/%00", "/static/.",
        "/static/base.css%00.png", "/static/" + "a/" * 3000, "/static/" + "a" * 5000, "/static/%",
        "/static/file:///etc/passwd", "http://evil.example/static/../app.py", "/static/\\..\\app.py", "*",
        "/static/%ff%fe", "/static/%ed%a0%80",
    ],
)  # fmt: skip
def test_no_way_leads_out_of_what_is_to_be_shown(desk: Desk, serve: Serve, path: str) -> None:
    served = serve(desk.site)
    answer = served.ask(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode("latin-1"))
    head, _, body = answer.partition(b"\r\n\r\n")

    assert head.split(b" ")[1] in (b"404", b"400")
    assert b"import" not in body
    assert b"root:" not in body
    assert len(body) < 200


def test_nothing_that_is_sent_becomes_a_header(desk: Desk, serve: Serve) -> None:
    served = serve(desk.site)
    for path in (b"/board/%0d%0aEvil:%20yes/", b"/%0d%0aEvil:%20yes", b"/board/?%0d%0aEvil:%20yes"):
        sent = (
            b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"Last-Event-ID: 1%0d%0aEvil: yes\r\nConnection: close\r\n\r\n"
        )
        head = served.ask(sent).partition(b"\r\n\r\n")[0]

        assert not [line for line in head.split(b"\r\n") if line.lower().startswith(b"evil")]


def test_a_websocket_is_answered_as_if_it_were_none(desk: Desk, serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    upgrade = (
        b"GET /board HTTP/1.1\r\n" + HOST + b"Connection: Upgrade, close\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )

    assert not serve(desk.site).ask(upgrade).startswith(b"HTTP/1.1 101")
    assert not caplog.records


def test_who_never_reads_the_camera_is_let_go_and_costs_no_memory(desk: Desk, serve: Serve, hasty: None) -> None:
    served = serve(desk.site)
    noise = np.random.default_rng(3).integers(0, 256, (480, 640, 3), np.uint8)
    over = threading.Event()

    def camera() -> None:
        while not over.wait(0.02):
            desk.site.pictures.look(noise)

    thread = threading.Thread(target=camera)
    thread.start()
    tracemalloc.start()
    try:
        with ExitStack() as stack:
            for _ in range(4):
                line = stack.enter_context(
                    served.line(b"GET /camera HTTP/1.1\r\n" + HOST + b"\r\n", receive_bytes=4096)
                )
                until(line, b"image/jpeg")
            eventually(lambda: len(desk.site.pictures.looking) == 0, "nobody was let go")
        gc.collect()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        over.set()
        thread.join()

    assert most < 12_000_000


def test_who_never_reads_the_news_is_let_go(desk: Desk, serve: Serve, hasty: None) -> None:
    served = serve(desk.site)
    with served.line(NEWS, receive_bytes=4096) as never, served.line(NEWS) as reads:
        until(never, b"retry: 1000")
        until(reads, b"retry: 1000")
        eventually(lambda: len(desk.site.hub.watching) == 2, "nobody looks on")
        reads.settimeout(5.0)
        end_s = time.monotonic() + 15
        while len(desk.site.hub.watching) == 2 and time.monotonic() < end_s:
            desk.site.hub.publish("story", lambda: {"line": "x" * 60_000})
            until(reads, b"event: story")

        assert len(desk.site.hub.watching) == 1
        desk.site.hub.publish("last", dict)
        until(reads, b"event: last")


def test_who_asks_for_a_file_and_never_reads_it_is_let_go(desk: Desk, serve: Serve, hasty: None) -> None:
    served = serve(desk.site)
    with served.line(receive_bytes=4096) as line:
        line.setblocking(False)
        sent, asked = 0, b"GET /static/base.css HTTP/1.1\r\n" + HOST + b"\r\n"
        end_s = time.monotonic() + 15
        hung_up = False
        while not hung_up and time.monotonic() < end_s:
            try:
                sent += line.send(asked[sent % len(asked) :])
            except BlockingIOError:
                time.sleep(0.01)
            except ConnectionError:
                hung_up = True
        assert hung_up

    assert well(served)


def test_a_full_house_says_so_and_a_single_telephone_does_not_fill_it(
    desk: Desk, serve: Serve, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CONNECTIONS", 5)
    monkeypatch.setattr(connection, "WITHOUT_A_PLACE", 2)
    who = ["greedy"]
    monkeypatch.setattr(connection, "whose", lambda _host: who[0])
    served = serve(desk.site)
    with ExitStack() as stack:
        lines = [stack.enter_context(served.line(NEWS)) for _ in range(5)]
        for line in lines:
            until(line, b"retry: 1000")
        refused = served.ask(BOARD)
        assert refused.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 10" in refused
        assert all(name.encode() in refused for name in POLICY)

        who[0] = "another"
        assert well(served)
        lines[-1].settimeout(5.0)
        everything(lines[-1])  # who came last has made room
        for line in lines[:-1]:
            line.settimeout(0.05)
            with pytest.raises(TimeoutError):
                everything(line)


def test_a_thousand_connections_at_once_end_and_the_table_goes_on(
    desk: Desk, serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = 2500 if hard in (-1, resource.RLIM_INFINITY) else min(hard, 2500)
    many = min(1000, (allowed - 500) // 2)  # both ends are this program's; fewer where the machine allows no more
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))
    served = serve(desk.site)
    answers: list[bytes] = []
    try:
        with ExitStack() as stack:
            lines = []
            for _ in range(many):
                line = stack.enter_context(socket.socket())
                line.setblocking(False)
                line.connect_ex(("127.0.0.1", served.port))
                lines.append(line)
            for line in lines:
                line.settimeout(15.0)
                try:
                    line.sendall(BOARD)
                    answers.append(everything(line)[:13])
                except (ConnectionError, TimeoutError):
                    answers.append(b"")
        assert well(served)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert set(answers) <= {b"HTTP/1.1 200 ", b"HTTP/1.1 503 ", b""}
    assert answers.count(b"HTTP/1.1 200 ") >= 400
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_files_are_left_for_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = []
    for soft in (256, 1024, 20_000, resource.RLIM_INFINITY):
        monkeypatch.setattr(resource, "getrlimit", lambda _what, soft=soft: (soft, soft))
        rooms.append(server._room())

    assert rooms == [28, 412, 500, 500]
