"""Calibrating at the panel: a bartender with a phone, and a camera that sees rendered trays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from queue import SimpleQueue
from typing import Any

import pytest

from firmware import calibrate_looking
from firmware.calibrate_lent import LentCalibration
from firmware.events import Event
from firmware.eyes import Eyes
from hardware.simulated import SimulatedCamera
from tests.page.panel.conftest import Browser, Desk
from tests.rendered import calibrated
from vision.calibration import Calibration
from vision.render import RenderedDie, Table
from vision.types import Frame

Tell = Mapping[str, Any]


class Tray(SimulatedCamera):
    """A camera above a rendered tray that can be held still."""

    def __init__(self, scene: Frame) -> None:
        super().__init__(scene)
        self.did: list[str] = []
        self.seen = threading.Event()

    def restore(self, held: Mapping[str, float]) -> None:
        self.did.append(f"held at {held.get('exposure_us')}")
        super().restore(held)
        self.seen.set()

    def release(self) -> None:
        self.did.append("let go")
        super().release()


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=1, size=(640, 480))


@pytest.fixture(scope="module")
def known(table: Table) -> Calibration:
    made = calibrated(table)
    return replace(made, held={"exposure_us": 4000.0})


@pytest.fixture(scope="module")
def throws(table: Table) -> list[Frame]:
    """Return pictures of two dice each."""
    return [
        table.picture([RenderedDie(90, 80 + 20 * n, 20.0 * n, face), RenderedDie(200, 120, 33, 7 - face)], seed=n)
        for n, face in enumerate((1, 2, 3))
    ]


class Phone:
    """A bartender with a phone, and what is put before the camera."""

    def __init__(self, desk: Desk, browser: Browser, tray: Tray, table: Table, throws: list[Frame]) -> None:
        self.desk, self.browser, self.tray, self._table, self._throws = desk, browser, tray, table, throws
        self._thrown = 0

    def do(self, step: str, status: int = 200, **more: object) -> Tell:
        """Do a step and return what the table says."""
        answer = self.browser.post("/panel/calibrate", {"do": step, **more})
        assert answer.status_code == status, answer.text
        return dict(answer.json())

    def corners(self) -> list[list[float]]:
        return [[float(x), float(y)] for x, y in self._table.corners_px]

    def empty(self) -> Tell:
        """Look at the empty tray, the corners tapped."""
        self.tray.look_at(self._table.empty(4))
        return self.do("look", corners=self.corners())

    def throw(self, *, read: bool = True) -> Tell:
        """Throw and have it read."""
        self.tray.look_at(self._throws[self._thrown % len(self._throws)])
        self._thrown += 1
        said = self.do("thrown")
        assert ("I read" in said["said"][0]) is read, said
        return said


@pytest.fixture
def begin(
    desk: Desk,
    inside: Browser,
    table: Table,
    known: Calibration,
    throws: list[Frame],
    monkeypatch: pytest.MonkeyPatch,
    floors_are_kept: None,
) -> Iterator[Callable[..., Phone]]:
    """Return what gives a bartender a table that can be calibrated, whose eyes are open."""
    monkeypatch.setattr(calibrate_looking, "WARM_UP_FRAMES", 1)
    monkeypatch.setattr(calibrate_looking, "EMPTY_FRAMES", 2)
    opened: list[Eyes] = []

    def begun(*, real: bool = True, looking: bool = True) -> Phone:
        tray = Tray(table.empty(2))
        inbox = SimpleQueue[Event]()
        eyes = Eyes(tray, known, inbox)
        desk.bench.expect = eyes.expect
        eyes.expect(desk.bench.controller.view.watching)
        desk.panel.real = real
        desk.panel.calibrator = lambda: LentCalibration(eyes, known, desk.folder, desk.panel.settings, real=real)
        known.save(desk.folder.calibration)
        if looking:
            eyes.open()
            opened.append(eyes)
        return Phone(desk, inside, tray, table, throws)

    yield begun
    for eyes in opened:
        eyes.close()


Begin = Callable[..., Phone]


def on(phone: Phone) -> bool:
    """Return whether the table is out of play."""
    return phone.desk.bench.controller.view.calibrating


def size(phone: Phone) -> tuple[float, float]:
    return Calibration.load(phone.desk.folder.calibration).tray_mm
