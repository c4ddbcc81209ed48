"""Calibrating at the panel: each step, and what is looked at once more."""

from __future__ import annotations

import re

import numpy as np
import pytest

from firmware import settings
from firmware.calibrate_lent import BEFORE
from tests.page.panel.calibrate.conftest import Begin, on
from vision.calibration import Calibration
from vision.render import Table
from vision.types import Frame

WRONG = ((100, 100), (200, 100), (200, 150), (100, 150))


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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


def test_dice_that_lie_where_they_lay_teach_and_prove_nothing_more(begin: Begin) -> None:
    phone = begin()
    phone.do("begin")
    phone.empty()
    phone.do("yes")
    phone.throw()
    assert phone.do("yes")["learned"] == 1
    said = phone.do("thrown")
    assert (said["stage"], said["learned"], "no new throw" in said["said"][0]) == ("dice", 1, True)
    phone.do("skip")
    assert phone.do("thrown")["stage"] == "proof"
    phone.throw()
    assert phone.do("yes")["proved"] == 1
    said = phone.do("thrown")
    assert (said["stage"], said["proved"], "no new throw" in said["said"][0]) == ("proof", 1, True)


def test_a_refused_throw_says_that_the_dice_are_of_another_size(begin: Begin, throws: list[Frame]) -> None:
    phone = begin()
    phone.desk.panel.settings = settings.parse("[tray]\ndie_mm = 24")
    phone.do("begin")
    phone.empty()
    phone.do("yes")
    phone.tray.look_at(throws[1])
    refused, note = phone.do("thrown")["said"]

    assert "throw again" in refused
    assert re.fullmatch(
        r"Note: dice look about 1[56]\.\d mm wide, not 24; check \[tray\] die_mm in the settings\.", note
    )
