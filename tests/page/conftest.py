"""The page of a table without a table: simulated devices, what they heard, and a web server on this machine."""

from __future__ import annotations

import random
import socket
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest
from starlette.applications import Starlette

from firmware import settings
from firmware.folder import StateFolder
from firmware.page.app import application
from firmware.page.hands import Hands
from firmware.page.server import Server
from firmware.page.site import Site
from firmware.virtual import Hand, VirtualTray
from hardware.devices import SEAT_KEYS, Lamp
from hardware.mirror import Mirror
from hardware.rig import simulated_rig
from hardware.simulated import SimulatedClock

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it recommends the successor of httpx
    from starlette.testclient import TestClient as TestClient

PATIENCE_S = 20.0


@dataclass
class Desk:
    """A page, the simulated devices behind it, and what these heard."""

    site: Site
    clock: SimulatedClock
    heard: list[object] = field(default_factory=list)
    thrown: int = 0
    idle: bool = False

    @cached_property
    def app(self) -> Starlette:
        """The application, one for all browsers."""
        return application(self.site)

    def client(self, **headers: str) -> TestClient:
        """Return a browser that has not come to the table."""
        return TestClient(self.app, "http://127.0.0.1", raise_server_exceptions=False, headers=headers)

    def guest(self) -> TestClient:
        """Return one that has."""
        client = self.client()
        client.headers["x-mexico-guest"] = client.post("/table/come").json()["guest"]
        return client


@pytest.fixture(scope="session")
def tray() -> Iterator[VirtualTray]:
    with closing(VirtualTray(3, roll_s=0.0)) as opened:
        yield opened


@pytest.fixture
def desk(tmp_path: Path, tray: VirtualTray) -> Desk:
    """Return the page of a virtual table."""
    rig = simulated_rig()
    desk = Desk(Site(settings.parse(""), StateFolder(tmp_path), rig.clock), rig.clock)
    rig.buttons.listen(lambda key, down, _time_s: desk.heard.append((str(key), down)))
    rig.encoder.listen(lambda steps, _time_s: desk.heard.append(steps))

    def throw() -> bool:
        desk.thrown += 1
        return not desk.idle

    desk.site.hands = Hands(
        rig.buttons,
        rig.encoder,
        throw=throw,
        tray=tray,
        hand=Hand(tray, random.Random(3), odd_throws=0),
        mirror=Mirror(rig, tuple(Lamp), lambda _shown: None),
        wake=lambda: None,
        pull_the_plug=lambda: desk.heard.append("plug"),
    )
    assert len(SEAT_KEYS) == desk.site.seats
    return desk


@pytest.fixture
def real(tmp_path: Path) -> Desk:
    """Return the page of a real table: nobody's hands are in it."""
    clock = SimulatedClock()
    return Desk(Site(settings.parse(""), StateFolder(tmp_path), clock), clock)


@dataclass
class Serving:
    """A page that is served on this machine."""

    server: Server
    site: Site
    port: int

    def line(self, sent: bytes = b"", *, receive_bytes: int = 0) -> socket.socket:
        """Return a connection to it, over which *sent* has gone."""
        line = socket.socket()
        if receive_bytes:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        line.settimeout(PATIENCE_S)
        try:
            line.connect(("127.0.0.1", self.port))
            line.sendall(sent)
        except OSError:
            line.close()
            raise
        return line

    def ask(self, sent: bytes) -> bytes:
        """Return all that comes back for *sent* until the connection ends."""
        with self.line(sent) as line:
            return everything(line)


def everything(line: socket.socket) -> bytes:
    """Return all that comes until the other end hangs up, in whichever way."""
    got = b""
    try:
        while data := line.recv(65_536):
            got += data
    except ConnectionError:
        pass
    return got


def until(line: socket.socket, words: bytes) -> bytes:
    """Return what comes, up to *words* at least."""
    got = b""
    while words not in got:
        data = line.recv(65_536)
        assert data, got
        got += data
    return got


def eventually(true: Callable[[], bool], what: str) -> None:
    """Wait until something is *true*."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_s, what
        time.sleep(0.01)


Serve = Callable[..., Serving]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return what serves the page of a site, with another application if need be."""
    with ExitStack() as stack:

        def served(site: Site, app: Starlette | None = None) -> Serving:
            listener = socket.create_server(("127.0.0.1", 0))
            server = Server(app or application(site), site, listener)
            port = listener.getsockname()[1]
            server.thread.start()
            stack.callback(server.end)
            return Serving(server, site, port)

        yield served
