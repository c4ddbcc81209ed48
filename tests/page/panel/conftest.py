"""A panel before a table: simulated devices, a clock that is cranked by hand, and a browser without a window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from firmware import pin, settings
from firmware.folder import StateFolder
from firmware.journal import Journal
from firmware.page.app import application
from firmware.page.gauges import Gauges
from firmware.page.panel_site import PanelSite
from firmware.page.site import Site
from hardware.rig import simulated_rig
from hardware.simulated import SimulatedClock
from tests.firmware.conftest import Bench

PIN = "4711"
ADDRESS = "http://127.0.0.1:8021"


@dataclass
class Desk:
    """A table with a panel, and what the tests turn."""

    bench: Bench
    folder: StateFolder
    gauges: Gauges
    site: Site
    panel: PanelSite
    runner: asyncio.Runner

    @property
    def clock(self) -> SimulatedClock:
        """The table's clock."""
        return self.bench.rig.clock

    def browser(self) -> Browser:
        """Return a browser before a server of its own that nobody is logged in with."""
        return self.browsers(1)[0]

    def browsers(self, number: int) -> list[Browser]:
        """Return so many browsers before one server."""
        app = application(self.site)
        return [Browser(self.runner, app, _client(app)) for _ in range(number)]


def _client(app: Starlette) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=ADDRESS)


@dataclass
class Browser:
    """A browser at the panel."""

    runner: asyncio.Runner
    app: Starlette
    client: httpx.AsyncClient
    csrf: str = ""

    def get(self, address: str) -> httpx.Response:
        """Look at *address*."""
        return self.runner.run(self.client.get(address))

    def post(self, address: str, data: object, headers: Mapping[str, str | bytes] | None = None) -> httpx.Response:
        """Send a command as the panel's own page does, apart from *headers*."""
        ours: dict[str, Any] = {"x-mexico-csrf": self.csrf, "origin": ADDRESS, "sec-fetch-site": "same-origin"}
        return self.runner.run(self.client.post(address, json=data, headers=ours | dict(headers or {})))

    def enter(self, typed: str = PIN) -> httpx.Response:
        """Type a PIN."""
        answer = self.post("/panel/login", {"pin": typed})
        self.csrf = answer.json().get("csrf", "")
        return answer


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hashing take no time: how long it does is no concern of most tests."""
    monkeypatch.setattr(pin, "COST", 2)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Return a table at which nobody plays yet, its PIN set."""
    folder = StateFolder(tmp_path)
    pin.PinFile.of(PIN).save(folder.pin)
    rig = simulated_rig()
    gauges = Gauges(rig.clock.now)
    with closing(Journal.open(folder.journal)) as journal, asyncio.Runner() as runner:
        bench = Bench(rig, journal).begin()
        chosen = settings.parse("")
        site = Site(chosen, folder, rig.clock)

        def put(event: Any) -> None:
            bench.controller.handle(event)
            gauges.view = bench.controller.view

        panel = PanelSite(chosen, folder.settings, folder, rig.clock, site.pictures, gauges, put, real=False)
        site.panel = panel
        yield Desk(bench, folder, gauges, site, panel, runner)


@pytest.fixture
def inside(desk: Desk) -> Browser:
    """Return a browser that a bartender is logged in with."""
    browser = desk.browser()
    assert browser.enter().status_code == 200
    return browser


@pytest.fixture
def play(desk: Desk) -> Callable[[], Bench]:
    """Let three seats play until the first of them is on turn."""

    def played() -> Bench:
        desk.bench.sit(3, 6, 3, 2)
        desk.gauges.view = desk.bench.controller.view
        return desk.bench

    return played
