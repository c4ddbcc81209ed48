"""The web server and the table: one may hang, die or end, and the other goes on."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchmarks.soak.guests import reading
from firmware import cli, settings
from firmware.controller import Controller
from firmware.errors import PageError
from firmware.events import Pressed, TrayRead, TrayStirred
from firmware.journal import Journal
from firmware.page import server
from firmware.page.address import Address, address_of
from firmware.page.guard import Guard
from firmware.page.page import Page
from firmware.table import Table
from firmware.views import Phase
from hardware.devices import SEAT_KEYS, Key, Lamp
from hardware.rig import SimulatedRig, simulated_rig
from tests.page.conftest import Desk, Serve, Serving, eventually, everything, until

NEWS = b"GET /news HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
BOARD = b"GET /board HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
PAST_THE_BOARD = BOARD.replace(b"/board", b"/BOARD")
"""Asks for what is no file: a server that dies while it opens one leaves that to the garbage collector."""

CAMERA = NEWS.replace(b"news", b"camera")


@dataclass
class Evening:
    """A table that tells a page, and guests who play at it."""

    desk: Desk
    journal: Journal
    rig: SimulatedRig = field(default_factory=simulated_rig)

    def __post_init__(self) -> None:
        page = Page(self.desk.site)
        table = Table(
            page.mirror(self.rig, tuple(Lamp)),
            self.journal,
            settings.parse(""),
            "real",
            page.expect,
            lambda _dice: None,
            (page.stored,),
            (page.view,),
        )
        self.controller = Controller(table)

    def press(self, *keys: Key) -> None:
        """Tap *keys*."""
        for key in keys:
            self.controller.handle(Pressed(key, True, self.rig.clock.now()))
            self.controller.handle(Pressed(key, False, self.rig.clock.now()))

    def throw(self, *faces: int) -> None:
        """Let dice with *faces* be read."""
        self.controller.handle(TrayStirred("moving"))
        self.controller.handle(TrayRead(reading(*faces), b"jpeg"))

    def play(self) -> int:
        """Play a game to its end and return how many throws it took."""
        self.press(*SEAT_KEYS[:2], Key.STOP)
        self.throw(6)
        self.throw(2)
        throws = 0
        while self.controller.view.phase is not Phase.OVER:
            throws += 1
            self.throw(*((3, 1) if self.controller.view.player == "A" else (6, 5)))
            if self.controller.view.may_stop:
                self.press(Key.STOP)
            assert throws < 200
        return throws


@pytest.fixture
def evening(real: Desk, tmp_path: Path) -> Iterator[Evening]:
    with closing(Journal.open(tmp_path / "journal.sqlite3")) as journal:
        yield Evening(real, journal)


def test_a_game_is_played_to_its_end_while_the_servers_loop_hangs(
    evening: Evening, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve(evening.desk.site)
    freed, hangs = threading.Event(), threading.Event()

    def hang() -> None:
        hangs.set()
        freed.wait(60)

    with served.line(NEWS) as line:
        until(line, b"retry: 1000")
        assert served.server._loop is not None
        served.server._loop.call_soon_threadsafe(hang)
        assert hangs.wait(20)
        # What came in the same turn of the loop as the hang waits already.
        before = len(served.server._loop._ready)  # type: ignore[attr-defined]
        throws = evening.play()
        assert not freed.is_set()
        assert evening.controller.view.phase is Phase.OVER
        assert throws > 5
        waiting = len(served.server._loop._ready) - before  # type: ignore[attr-defined]
        freed.set()
        until(line, b'"phase":"over"')

    assert waiting <= 2, "nothing piles up meanwhile"


def test_a_game_is_played_to_its_end_while_the_server_dies_again_and_again(
    evening: Evening, serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "AGAIN_S", (0.01,))
    served, over = serve(evening.desk.site), threading.Event()

    def kill() -> None:
        dead: asyncio.AbstractEventLoop | None = None
        while not over.wait(0.02):
            # Each server once: a second end amid the first would leave its tasks to the tests that come next.
            if (loop := served.server._loop) is not None and loop is not dead:
                dead = loop
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(sys.exit, 3)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        for _ in range(5):
            evening.play()
            evening.press(Key.STOP)
    finally:
        over.set()
        thread.join()
    eventually(lambda: well(served), "it does not begin again")

    assert caplog.text.count("the page's server has ended") > 1
    assert not [record for record in caplog.records if record.exc_info and record.levelno > logging.DEBUG]


def well(served: Serving) -> bool:
    """Return whether the table answers."""
    try:
        return served.ask(PAST_THE_BOARD).startswith(b"HTTP/1.1 307 ")
    except OSError:
        return False


@pytest.mark.parametrize("turns", range(10))
def test_who_comes_as_a_server_dies_is_not_kept_waiting(
    desk: Desk, serve: Serve, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    monkeypatch.setattr(server, "AGAIN_S", (0.05,))
    served, come = serve(desk.site), threading.Event()
    eventually(lambda: well(served), "it does not begin")
    loop = served.server._loop
    assert loop is not None

    def die(turns: int) -> None:
        come.wait(20)
        if not turns:
            sys.exit(3)
        loop.call_soon(die, turns - 1)

    loop.call_soon_threadsafe(die, turns)
    with served.line(PAST_THE_BOARD) as line:
        come.set()
        got = everything(line)

    assert got == b"" or got.startswith(b"HTTP/1.1 307 "), "it hangs up, or the next one answers"


def test_a_server_that_died_serves_again(
    desk: Desk, serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "AGAIN_S", (0.05,))
    served = serve(desk.site)
    for number in range(3):
        with served.line(NEWS) as line:
            until(line, b"retry: 1000")
            running = served.server._server
            assert served.server._loop is not None
            served.server._loop.call_soon_threadsafe(sys.exit, 3)
            everything(line)
        eventually(lambda running=running: served.server._server is not running, "it did not begin again")  # type: ignore[misc]
        with served.line(NEWS) as line:
            desk.site.hub.publish("again", lambda number=number: {"number": number})  # type: ignore[misc]
            until(line, b'{"number":%d}' % number)
    assert len(desk.site.hub.watching) <= 1

    assert not [record for record in caplog.records if record.exc_info and record.levelno > logging.DEBUG]


def test_it_ends_at_once_although_browsers_hold_on(desk: Desk, serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    served = serve(desk.site)
    with ExitStack() as stack:
        lines = [stack.enter_context(served.line(sent)) for sent in (NEWS, CAMERA) * 5]
        lines += [stack.enter_context(served.line(sent)) for sent in (b"", b"GET /boa", BOARD.replace(b"close", b"x"))]
        eventually(lambda: len(desk.site.hub.watching) == 5 and len(desk.site.pictures.looking) == 5, "nobody looks")
        begun = time.monotonic()
        served.server.end()
        taken_s = time.monotonic() - begun
        ends = [everything(line) for line in lines]

    assert not served.server.thread.is_alive()
    assert taken_s < 3
    assert all(end.endswith(b"0\r\n\r\n") for end in ends[:10]), "the streams end as they should"
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    with pytest.raises(ConnectionRefusedError):
        served.line()


def test_it_ends_although_a_browser_takes_nothing(desk: Desk, serve: Serve) -> None:
    served = serve(desk.site)
    desk.site.hub.publish("story", lambda: {"line": "x" * 5_000_000})
    with served.line(NEWS, receive_bytes=4096) as line:
        until(line, b"retry: 1000")
        time.sleep(0.2)
        served.server.end()

        assert not served.server.thread.is_alive()


def test_a_route_that_blocks_does_not_keep_the_program(
    desk: Desk, serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "END_S", 0.5)
    freed = threading.Event()

    async def blocks(_request: Request) -> Response:
        freed.wait(30)
        return Response("done")

    served = serve(desk.site, Starlette(routes=[Route("/blocks", blocks)], middleware=[Middleware(Guard)]))
    with served.line(BOARD.replace(b"board", b"blocks")):
        time.sleep(0.2)
        begun = time.monotonic()
        served.server.end()
        taken_s = time.monotonic() - begun
        freed.set()
        served.server.thread.join(10)

    assert taken_s < 2
    assert "left behind" in caplog.text


def test_files_that_run_out_do_not_end_the_server(desk: Desk, serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    served = serve(desk.site)
    with served.line(NEWS) as line:
        until(line, b"retry: 1000")
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with served.line() as waiting, closing(socket.socket()) as late:
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
            try:
                late.connect(("127.0.0.1", served.port))
                time.sleep(0.3)
                desk.site.hub.publish("story", dict)
                until(line, b"event: story")
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            waiting.sendall(BOARD)
            assert everything(waiting).startswith(b"HTTP/1.1 200 ")

    assert not [record for record in caplog.records if record.exc_info]
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) <= 2


def test_every_answer_says_when_and_not_what_serves(desk: Desk, serve: Serve) -> None:
    head = serve(desk.site).ask(BOARD).partition(b"\r\n\r\n")[0].lower()

    assert b"\r\ndate: " in head
    assert b"\r\nserver:" not in head
    assert b"uvicorn" not in head


def test_a_connection_is_kept_for_another_request(desk: Desk, serve: Serve) -> None:
    with serve(desk.site).line(BOARD.replace(b"close", b"keep-alive") * 3) as line:
        got = b""
        while got.count(b"HTTP/1.1 200 ") < 3:
            got += line.recv(65_536)


# --- where it is found ---


def has_ipv6() -> bool:
    """Whether this machine lets anybody listen with IPv6."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


def listening(text: str) -> socket.socket | None:
    """Return what listens at *text*; on a machine without IPv6 see that it is refused in words, and return None."""
    if has_ipv6():
        return Address.parse(text, exactly=True).listen()
    with pytest.raises(PageError, match="name another --page-address"):
        Address.parse(text, exactly=True).listen()
    return None


@pytest.mark.parametrize("host", ["é..b", "ä" * 70, "a" * 64, "a..b"])
def test_a_host_that_no_name_can_be_is_no_address(host: str) -> None:
    with pytest.raises(ValueError, match=":8021"):
        Address.parse(f"{host}:8021", exactly=True)


def test_the_page_is_found_with_ipv6(desk: Desk) -> None:
    listener = listening("[::1]:0")
    if listener is None:
        return
    assert address_of(listener).startswith("http://[::1]:")
    with closing(listener), server.serving(desk.app, desk.site, listener):
        port = listener.getsockname()[1]
        with socket.create_connection(("::1", port), timeout=20) as line:
            line.sendall(BOARD.replace(b"127.0.0.1", f"[::1]:{port}".encode()))
            assert everything(line).startswith(b"HTTP/1.1 200 ")


def test_all_addresses_of_ipv6_are_all_addresses() -> None:
    listener = listening("[::]:0")
    if listener is None:
        return
    with closing(listener), socket.create_connection(("127.0.0.1", listener.getsockname()[1]), timeout=20) as line:
        assert line.getpeername()[1] == listener.getsockname()[1]


def test_a_second_table_takes_the_next_port() -> None:
    with closing(Address("127.0.0.1", 0, exactly=False).listen()) as first:
        port = first.getsockname()[1]
        with closing(Address("127.0.0.1", port, exactly=False).listen()) as second:
            assert port < second.getsockname()[1] < port + 20


@pytest.mark.parametrize(
    ("address", "words"),
    [
        pytest.param("{taken}", "is taken by another program", id="a port that is taken"),
        pytest.param("203.0.113.7:8021", "no page can be served at 203.0.113.7:8021", id="another machine's address"),
        pytest.param("[2001:db8::7]:8021", "no page can be served at", id="another machine's address with IPv6"),
        pytest.param("nowhere.invalid:8021", "no page can be served at nowhere.invalid:8021", id="no name"),
        pytest.param("é..b:8021", "is no address", id="a name that cannot be one"),
        pytest.param("x" * 80 + ".example:8021", "is no address", id="a name that is too long"),
        pytest.param("127.0.0.1:80211", "is no address", id="a port that is none"),
        pytest.param("127.0.0.1", "is no address", id="no port"),
        pytest.param("http://127.0.0.1:8021", "is no address", id="with http"),
        pytest.param("::1:8021", "is no address", id="IPv6 without brackets"),
        pytest.param(":8021", "is no address", id="no host"),
    ],
)
def test_an_address_that_cannot_be_had_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str, words: str
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        where = address.format(taken=f"127.0.0.1:{taken.getsockname()[1]}")
        code = cli.run_command_line(["--virtual", "--auto", "--page-address", where, "--state", str(tmp_path)])
    said = capsys.readouterr().err

    assert code == 2
    assert words in said
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) == 1 or "Usage:" in said


def test_a_port_for_the_system_alone_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> socket.socket:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(socket, "create_server", forbidden)
    with pytest.raises(PageError, match=r"no page can be served at 127.0.0.1:80: Permission denied; name another"):
        Address.parse("127.0.0.1:80", exactly=True).listen()


# --- the whole program ---


@pytest.fixture
def program(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Return a virtual table as a process of its own, in which nobody plays."""
    command = [sys.executable, "-m", "firmware", "--state", str(tmp_path), "--page-address", "127.0.0.1:0"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
def test_the_program_ends_cleanly_while_browsers_look_on(program: subprocess.Popen[str]) -> None:
    assert program.stdout is not None
    assert program.stderr is not None
    port = int(program.stdout.readline().rpartition(":")[2])
    with ExitStack() as stack:
        for sent in (NEWS, CAMERA) * 4:
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=120))
            line.sendall(sent)
            until(line, b"HTTP/1.1 200 OK")
        begun = time.monotonic()
        program.send_signal(signal.SIGTERM)
        code = program.wait(timeout=120)
        taken_s = time.monotonic() - begun
    said = program.stderr.read()

    assert taken_s < 8
    assert code in (0, 130)
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) <= 1, said
