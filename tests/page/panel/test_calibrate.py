"""Calibrating at the panel: each step and each refusal, with a camera that sees rendered trays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from firmware import calibrate_lent, calibrate_looking
from firmware.calibrate_lent import BEFORE, TRIED, LentCalibration
from firmware.events import Event, Ordered
from firmware.eyes import Eyes
from firmware.sitting import LENT_S
from firmware.views import Phase
from hardware.devices import Key
from hardware.simulated import SimulatedCamera
from tests.firmware.conftest import Bench
from tests.page.panel.conftest import Browser, Desk
from vision.calibration import Calibration, calibrate
from vision.render import RenderedDie, Table
from vision.types import Frame

Tell = Mapping[str, Any]
WRONG = ((100, 100), (200, 100), (200, 150), (100, 150))


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
    made = calibrate([table.empty(seed) for seed in range(3)], tray_mm=table.tray_mm, corners=table.corners_px)
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


def test_a_table_is_calibrated_learned_proved_saved_and_begins_anew(begin: Begin, known: Calibration) -> None:
    phone = begin()
    folder = phone.desk.folder
    said = phone.do("begin")
    assert (said["stage"], said["mine"], on(phone)) == ("empty", True, True)
    assert "300 x 220 mm" in said["said"][0]
    said = phone.empty()
    assert (said["stage"], said["size"]) == ("floor", [640, 480])
    assert "The camera is held: exposure 8.0 ms" in said["said"][0]
    assert phone.tray.did[0] == "let go"
    picture = phone.browser.get("/panel/calibrate.jpg")
    assert (picture.content[:3], picture.headers["cache-control"]) == (b"\xff\xd8\xff", "no-store")
    phone.do("yes")
    assert "what comes next" in phone.do("enough", 409)["error"]
    for learned in range(1, 4):
        phone.throw()
        assert phone.do("yes")["learned"] == learned
    assert phone.do("enough")["stage"] == "kinds"
    assert phone.do("yes")["stage"] == "proof"
    for _ in range(3):
        phone.throw()
        said = phone.do("yes")
    assert (said["stage"], said["proved"]) == ("ready", 3)
    before = folder.calibration.read_bytes()
    assert not (folder.path / BEFORE).exists()

    said = phone.do("save")

    assert "begins anew with it; log in again" in said["ended"]
    assert (phone.desk.bench.controller.running, phone.desk.bench.controller.anew) == (False, True)
    made = Calibration.load(folder.calibration)
    assert made.held == {"exposure_us": 8000.0, "gain": 1.0}
    assert made.dice
    assert folder.calibration.read_bytes() != before
    kept = Calibration.load(folder.path / BEFORE)
    assert kept.held == known.held
    assert np.array_equal(kept.empty, known.empty)


def test_leaving_half_way_leaves_the_old_calibration_and_the_camera_as_it_was(begin: Begin) -> None:
    phone = begin()
    before = phone.desk.folder.calibration.read_bytes()
    phone.do("begin")
    phone.empty()
    phone.tray.seen.clear()

    assert "nothing was saved" in phone.do("end")["ended"]

    assert not on(phone)
    assert phone.tray.seen.wait(10)
    assert phone.tray.did == ["let go", "held at 4000.0"]
    assert phone.desk.folder.calibration.read_bytes() == before
    assert "no calibration is under way" in phone.do("yes", 409)["error"]
    assert phone.browser.get("/panel/calibrate.jpg").status_code == 409
    phone.desk.bench.seat(1)
    assert phone.desk.bench.controller.view.seats


def test_a_throw_that_was_read_wrong_ends_it(begin: Begin) -> None:
    phone = begin()
    before = phone.desk.folder.calibration.read_bytes()
    phone.do("begin")
    phone.empty()
    phone.do("yes")
    phone.do("skip")
    phone.throw()

    assert "read wrong, so nothing was saved" in phone.do("no")["ended"]
    assert not on(phone)
    assert phone.desk.folder.calibration.read_bytes() == before


def test_what_is_wrong_is_said_and_the_old_picture_is_there_to_be_tapped(begin: Begin, throws: list[Frame]) -> None:
    phone = begin()
    phone.do("begin")
    phone.tray.look_at(throws[0])
    said = phone.do("look", corners=phone.corners())
    assert said["stage"] == "empty"
    assert "Not yet: the tray is not empty" in said["said"][0]
    phone.tray.darken(0.05)
    assert "dark" in phone.do("look", corners=phone.corners())["said"][0]
    phone.tray.darken(1.0)
    assert "Not yet" in phone.do("look", corners=[list(point) for point in WRONG])["said"][0]
    assert phone.empty()["stage"] == "floor"
    said = phone.do("no")
    assert (said["stage"], "tap the corners" in said["said"][0]) == ("empty", True)


def test_a_refused_throw_is_thrown_again_and_one_read_wrong_is_not_learned_from(begin: Begin, table: Table) -> None:
    phone = begin()
    phone.do("begin")
    phone.empty()
    phone.do("yes")
    phone.tray.look_at(table.empty(5))
    said = phone.do("thrown")
    assert (said["stage"], "throw again" in said["said"][0]) == ("dice", True)
    phone.throw()
    said = phone.do("no")
    assert (said["stage"], said["learned"]) == ("dice", 0)
    assert phone.do("skip")["stage"] == "proof"
    assert "keep an eye" in phone.do("skip")["said"][0]


def test_a_game_on_the_table_or_somebody_who_has_joined_is_not_disturbed(begin: Begin) -> None:
    phone = begin()
    phone.desk.bench.seat(1)
    assert "somebody has joined" in phone.do("begin", 409)["error"]
    phone.desk.bench.seat(2)
    phone.desk.bench.press(Key.STOP)
    assert phone.desk.bench.phase() is Phase.PLAYING
    assert "a game is on the table" in phone.do("begin", 409)["error"]
    phone.desk.bench = phone.desk.bench.again(phone.desk.bench.journal)
    assert phone.desk.bench.phase() is Phase.PAUSED


def test_nobody_joins_meanwhile_and_stop_gives_the_table_back(begin: Begin) -> None:
    phone = begin()
    bench = phone.desk.bench
    phone.do("begin")
    assert bench.screen.title == "CALIBRATING"
    bench.seat(1, 2)
    bench.choose(3)
    assert (bench.phase(), dict(bench.controller.view.seats), on(phone)) == (Phase.SITTING, {}, True)

    bench.press(Key.STOP)

    assert not on(phone)
    assert bench.screen.title != "CALIBRATING"
    assert "begin again" in phone.do("look", 409)["error"]
    assert phone.do("begin")["stage"] == "empty"


def test_a_phone_that_is_gone_gives_the_table_back_after_five_minutes(begin: Begin) -> None:
    phone = begin()
    phone.do("begin")
    phone.desk.bench.wait(LENT_S - 10)
    assert phone.empty()["mine"]
    phone.desk.bench.wait(LENT_S - 10)
    assert on(phone)
    phone.desk.bench.wait(11)
    assert not on(phone)
    phone.desk.gauges.view = phone.desk.bench.controller.view
    assert "begin again" in phone.do("yes", 409)["error"]


def test_of_two_bartenders_one_calibrates(begin: Begin) -> None:
    phone = begin()
    one, other = phone.desk.browsers(2)
    one.enter()
    other.enter()
    assert one.post("/panel/calibrate", {"do": "begin"}).status_code == 200

    for step in ("begin", "look", "end", "save"):
        answer = other.post("/panel/calibrate", {"do": step})
        assert answer.status_code == 409
        assert "somebody else calibrates" in answer.json()["error"]
    assert other.get("/panel/calibrate.jpg").status_code == 409
    told = other.get("/panel/calibrate").json()
    assert (told["on"], told["mine"], "stage" in told) == (True, False, False)
    assert one.get("/panel/calibrate").json()["mine"]


def test_a_virtual_table_tries_it_and_keeps_its_own(begin: Begin) -> None:
    phone = begin(real=False)
    before = phone.desk.folder.calibration.read_bytes()
    phone.do("begin")
    phone.empty()
    for step in ("yes", "skip", "skip"):
        phone.do(step)

    assert "so it is not used" in phone.do("save")["ended"]
    assert phone.desk.bench.controller.running
    assert not on(phone)
    assert phone.desk.folder.calibration.read_bytes() == before
    assert Calibration.load(phone.desk.folder.path / TRIED).size == (640, 480)


def test_a_camera_that_gives_nothing_is_said_and_nothing_hangs(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = begin()
    phone.do("begin")
    phone.tray.unplug()
    assert "check its cable" in phone.do("look", 409)["error"]
    dead = begin(looking=False)
    monkeypatch.setattr(calibrate_lent, "LOOK_S", 0.05)
    dead.do("begin")
    assert "does not answer" in dead.do("look", 409)["error"]


def test_a_disk_that_takes_nothing_keeps_the_old_file(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = begin()
    before = phone.desk.folder.calibration.read_bytes()
    phone.do("begin")
    phone.empty()
    for step in ("yes", "skip", "skip"):
        phone.do(step)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("vision.calibrate_file.replace_file", full)
        assert "No space left" in phone.do("save", 409)["error"]
    assert phone.desk.folder.calibration.read_bytes() == before
    with monkeypatch.context() as disk:
        disk.setattr(calibrate_lent, "_replace", full)
        assert "nothing was replaced" in phone.do("save", 409)["error"]
    Calibration.load(phone.desk.folder.calibration)
    assert on(phone)


def test_a_power_cut_while_it_is_saved_leaves_the_old_one(
    begin: Begin, known: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begin().desk.folder.calibration
    held = [{"exposure_us": float(number)} for number in range(3)]
    for number in range(2):  # twice, so that each of the two names of pictures is the one in use once
        calibrate_lent._replace(replace(known, held=held[number], empty=known.empty + 1), path)
        assert Calibration.load(path).held == held[number]
        with monkeypatch.context() as plug:
            plug.setattr("os.replace", _cut_at(path))
            with pytest.raises(KeyboardInterrupt):
                calibrate_lent._replace(replace(known, held=held[2]), path)
        assert Calibration.load(path).held == held[number]


def _cut_at(last: Path) -> Callable[[Path, Path], None]:
    """Return what moves files until it comes to *last*."""

    def moved(source: Path, target: Path) -> None:
        if Path(target) == last:
            raise KeyboardInterrupt
        Path(source).rename(target)

    return moved


def test_strangers_and_other_pages_do_not_calibrate(begin: Begin) -> None:
    phone = begin()
    stranger = phone.desk.browser()
    for answer in (stranger.get("/panel/calibrate"), stranger.get("/panel/calibrate.jpg"),
                   stranger.post("/panel/calibrate", {"do": "begin"})):  # fmt: skip
        assert answer.status_code == 401
    forged = phone.browser.post("/panel/calibrate", {"do": "begin"}, {"x-mexico-csrf": "guess"})
    assert forged.status_code == 403
    assert not on(phone)


@pytest.mark.parametrize(
    "step",
    [
        {},
        [],
        {"do": "dance"},
        {"do": 7},
        {"do": "look", "corners": []},
        {"do": "look", "corners": [[1, 2]] * 3},
        {"do": "look", "corners": [[1, 2, 3]] * 4},
        {"do": "look", "corners": [[-1, 2]] * 4},
        {"do": "look", "corners": [["1", 2]] * 4},
        {"do": "look", "corners": [[1e9, 2]] * 4},
        {"do": "look", "path": "/etc/passwd"},
    ],
)
def test_nonsense_is_refused(begin: Begin, step: object) -> None:
    phone = begin()
    assert phone.browser.post("/panel/calibrate", step).status_code == 400


def test_the_table_is_not_lent_by_an_order_that_nobody_answers_for(begin: Begin) -> None:
    phone = begin()
    for order in ("calibrate", "keep_calibrating", "end_calibrating"):
        assert phone.browser.post("/panel/order", {"order": order}).status_code == 400
    assert not on(phone)


def test_a_table_that_does_not_answer_is_asked_again(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.page.panel.ANSWER_S", 0.05)
    phone = begin()
    phone.do("begin")
    put, orders = phone.desk.panel.put, list[Ordered]()
    phone.desk.panel.put = orders.append  # type: ignore[assignment]
    assert "has not answered" in phone.do("look", 503)["error"]
    phone.desk.panel.put = put
    assert phone.empty()["stage"] == "floor"


def test_without_a_camera_to_lend_it_says_so(inside: Browser) -> None:
    answer = inside.post("/panel/calibrate", {"do": "begin"})
    assert (answer.status_code, inside.get("/panel/calibrate").json()["possible"]) == (409, False)


def test_what_lies_there_while_it_is_lent_is_not_read_for_the_table(begin: Begin) -> None:
    phone = begin()
    phone.do("begin")
    assert phone.desk.bench.controller.view.watching.lent
    phone.empty()
    phone.do("yes")
    phone.throw()
    assert not phone.desk.bench.stored
    assert isinstance(phone.desk.bench, Bench)
