"""Calibrating at the panel: what does not begin, ends half way, or is refused; the old calibration stays."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from firmware import calibrate_lent
from firmware.calibrate_lent import TRIED
from firmware.events import Ordered
from firmware.sitting import LENT_S
from firmware.views import Phase
from hardware.devices import CameraFrame, Key
from tests.firmware.conftest import Bench
from tests.page.panel.calibrate.conftest import Begin, on
from tests.page.panel.conftest import Browser
from vision.calibration import Calibration
from vision.types import Frame


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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.one_in(2)
@pytest.mark.parametrize("whole", [0, 4])
def test_a_camera_that_changes_the_size_of_its_pictures_is_said(
    begin: Begin, throws: list[Frame], monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    phone = begin()
    phone.do("begin")
    phone.empty()
    phone.do("yes")
    sizes, capture = itertools.chain([1] * whole, itertools.repeat(2)), phone.tray.capture

    def smaller() -> CameraFrame:
        seen, step = capture(), next(sizes)
        return CameraFrame(seen.image[::step, ::step].copy(), seen.time_s)

    phone.tray.look_at(throws[0])
    monkeypatch.setattr(phone.tray, "capture", smaller)

    assert "changed the size of its pictures; begin again" in phone.do("thrown", 409)["error"]


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
        disk.setattr("vision.calibration.file.replace_file", full)
        error = phone.do("save", 409)["error"]
    assert "No space left" in error
    assert "nothing was replaced" in error
    assert phone.desk.folder.calibration.read_bytes() == before
    Calibration.load(phone.desk.folder.calibration)
    assert on(phone)


def test_a_power_cut_while_it_is_saved_leaves_the_old_one(
    begin: Begin, known: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begin().desk.folder.calibration
    held = [{"exposure_us": float(number)} for number in range(3)]
    for number in range(2):  # twice, so that each of the two names of pictures is the one in use once
        replace(known, held=held[number], empty=known.empty + 1).save(path)
        assert Calibration.load(path).held == held[number]
        with monkeypatch.context() as plug:
            plug.setattr("os.replace", _cut_at(path))
            with pytest.raises(KeyboardInterrupt):
                replace(known, held=held[2]).save(path)
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


@pytest.mark.long
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
