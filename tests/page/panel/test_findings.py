"""What the doctor finds while the table runs, and what the camera shows: nothing while dice are hidden."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from firmware import checks, computer
from firmware.events import CameraState
from firmware.page import panel as panel_module
from firmware.page.figures import figures, outline
from firmware.page.findings import STUCK_S
from firmware.page.panel_door import COOKIE
from firmware.page.sessions import IDLE_S
from firmware.page.stream import FILM_ENDS
from firmware.views import Phase, View
from hardware.devices import HardwareError, Key, Lamp, Screen
from hardware.mirror import Mirror
from hardware.rig import simulated_rig
from hardware.simulated import SimulatedDisplay
from tests.page.panel.conftest import ADDRESS, Browser, Desk
from vision.calibrating import calibrate
from vision.calibration import Calibration
from vision.render import Table
from vision.types import Fault, Frame, TrayReading

BLIND = View(phase=Phase.PLAYING, blind=True)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for a picture that does not come, nor ask what computer this is."""
    monkeypatch.setattr(panel_module, "FRESH_S", 0.1)
    monkeypatch.setattr(computer, "celsius", lambda: 51.0)
    monkeypatch.setattr(computer, "run", lambda _command: "throttled=0x0")


@pytest.fixture(scope="module")
def empty() -> Frame:
    return Table(seed=1).empty(9)


@contextmanager
def filmed(desk: Desk, browser: Browser, frame: Frame) -> Iterator[None]:
    """Let the camera give *frame* over and over while the browser asks."""
    running = True

    async def film() -> None:
        while running:
            if desk.site.pictures.wanted:
                desk.site.pictures.look(frame)
            await asyncio.sleep(0.01)

    task = browser.runner.get_loop().create_task(film())
    try:
        yield
    finally:
        running = False
        browser.runner.run(asyncio.wait_for(task, 5))


def found(browser: Browser) -> dict[str, dict[str, str]]:
    answer = browser.get("/panel/findings")
    assert answer.status_code == 200
    return {check["name"]: check for check in answer.json()["checks"]}


def test_a_table_that_is_well_says_so_of_every_part(desk: Desk, inside: Browser, empty: Frame) -> None:
    desk.clock.advance(10)
    for _ in range(100):
        desk.clock.advance(0.04)
        desk.gauges.pictured()
    with filmed(desk, inside, empty):
        checked = found(inside)

    on = {name: check["state"] for name, check in checked.items() if check["state"] != "skipped"}
    assert on == dict.fromkeys(
        ("camera", "light", "reader", "buttons", "display", "events", "storage", "computer"), "ok"
    )
    assert checked["camera"]["found"] == "gives 20 pictures a second", "the last five seconds of 4 s at 25"
    assert checked["light"]["found"].startswith("mean grey ")
    off = {name for name, check in checked.items() if check["state"] == "skipped"}
    assert off == {"lamps", "sound", "encoder", "flicker", "walk"}
    assert all("stop the table" in checked[name]["do"] for name in off)


def test_a_camera_that_is_lost_or_slow_is_told_with_what_to_do(desk: Desk, inside: Browser) -> None:
    desk.gauges.view = View(camera=CameraState("the camera gives no pictures (timeout); check its cable"))
    assert found(inside)["camera"] == {
        "name": "camera",
        "state": "failed",
        "found": "the camera gives no pictures (timeout)",
        "do": "check its cable",
    }

    desk.gauges.view, desk.panel.real = View(), True
    desk.clock.advance(10)
    for _ in range(30):
        desk.gauges.pictured()
    assert found(inside)["camera"]["found"] == "gives 6 pictures a second, 30 were asked for"


def test_the_calibration_of_a_real_table_has_an_age(desk: Desk, inside: Browser) -> None:
    desk.panel.real = True
    assert found(inside)["calibration"]["found"] == "its file is gone"

    desk.folder.calibration.write_text("{}")
    os.utime(desk.folder.calibration, (0, time.time() - 100.2 * 86_400))
    old = found(inside)["calibration"]

    assert (old["state"], old["found"]) == ("failed", "calibrated 100 days ago")
    assert "--calibrate" in old["do"]


@pytest.mark.parametrize(
    ("grey", "words"), [pytest.param(9, "too dark", id="lamp out"), pytest.param(252, "too bright", id="glare")]
)
def test_light_that_is_wrong_is_told(desk: Desk, inside: Browser, grey: int, words: str) -> None:
    with filmed(desk, inside, np.full((60, 80, 3), grey, np.uint8)):
        light = found(inside)["light"]

    assert light["state"] == "failed"
    assert words in light["found"]


def test_refusals_of_the_last_hour_are_counted_by_fault(desk: Desk, inside: Browser) -> None:
    for _ in range(4):
        desk.gauges.read(TrayReading.refused(Fault.COCKED))
    desk.clock.advance(3601)
    for fault, times in ((Fault.OCCLUDED, 3), (Fault.UNSURE, 2)):
        for _ in range(times):
            desk.gauges.read(TrayReading.refused(fault))
    for _ in range(5):
        desk.gauges.read(TrayReading((6, 1), None))
    inside.enter()  # that was longer than a session lasts

    reader = found(inside)["reader"]

    refused = f"{Fault.OCCLUDED} 3, {Fault.UNSURE} 2"
    assert (
        reader["found"]
        == f"5 of 10 answers of the last hour were readings; refused, whether it counted or not: {refused}"
    )
    assert reader["state"] == "failed"


def test_a_button_that_stays_down_is_named_and_one_that_is_pressed_is_not(desk: Desk, inside: Browser) -> None:
    down = {Key.SEAT_3}
    desk.gauges.held = lambda: frozenset(down)
    assert found(inside)["buttons"]["state"] == "ok"
    desk.clock.advance(STUCK_S / 2)
    down.add(Key.STOP)
    assert found(inside)["buttons"]["state"] == "ok"

    desk.clock.advance(STUCK_S / 2)
    assert found(inside)["buttons"]["found"] == "down: seat_3 for 20 seconds"

    down.clear()
    assert found(inside)["buttons"]["found"] == "all are up"


def test_a_display_that_does_not_answer_is_told_until_it_does(desk: Desk, inside: Browser) -> None:
    rig = simulated_rig()
    works = True

    class Flaky(SimulatedDisplay):
        def show(self, screen: Screen) -> None:
            if not works:
                raise HardwareError("the display does not answer; check its cable")
            super().show(screen)

    mirror = Mirror(replace(rig, display=Flaky()), tuple(Lamp), lambda _shown: None)
    desk.gauges.display = lambda: mirror.lost
    works = False
    with pytest.raises(HardwareError):
        mirror.rig.display.show(Screen("A", "", (), "A"))
    assert found(inside)["display"]["found"] == "the display does not answer"

    works = True
    mirror.rig.display.show(Screen("A", "", (), "A"))
    assert found(inside)["display"]["state"] == "ok"


def test_events_that_are_not_stored_and_a_full_disk_are_told(
    desk: Desk, inside: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.gauges.view = View(unsaved=3)
    monkeypatch.setattr(checks, "LEAST_FREE_BYTES", 10**18)

    checked = found(inside)

    assert checked["events"]["found"] == "3 are in memory only"
    assert checked["storage"]["state"] == "failed"


# --- the picture ---


def test_figures_of_a_picture_are_what_they_are_called() -> None:
    frame = np.zeros((40, 40, 3), np.uint8)
    frame[:10] = 255
    frame[10:20, :, 2] = 100

    told = figures(frame)

    assert (told["clipped"], told["black"]) == (0.25, 0.5)
    histogram = told["histogram"]
    assert isinstance(histogram, list)
    red, green, blue = histogram
    assert (red[0], red[25], red[63]) == (0.5, 0.25, 0.25)
    assert green == blue
    assert (green[0], green[63]) == (0.75, 0.25)
    assert told["blur_px"] is None


def test_the_outline_is_the_edge_of_the_floor() -> None:
    table = Table(seed=1)
    made: Calibration = calibrate(
        [table.empty(seed) for seed in range(3)], tray_mm=table.tray_mm, corners=table.corners_px
    )

    told: Any = outline(made)

    corners = [told["floor"][place] for place in (0, 12, 24, 36)]
    assert np.allclose(corners, table.corners_px, atol=2.0)
    assert told["size"] == list(made.size)


def test_a_bartender_gets_figures_of_a_new_picture(desk: Desk, inside: Browser, empty: Frame) -> None:
    with filmed(desk, inside, empty):
        told = inside.get("/panel/figures").json()

    assert told["size"] == [empty.shape[1], empty.shape[0]]
    assert len(told["histogram"]) == 3
    assert not desk.site.pictures.wanted, "pictures are kept only while somebody looks"


def test_while_dice_are_hidden_there_is_no_figure_and_no_light(desk: Desk, inside: Browser, empty: Frame) -> None:
    desk.gauges.view = BLIND
    desk.site.pictures.measuring = 1
    desk.site.pictures.look(empty)
    desk.site.pictures.hide(on=True)

    assert inside.get("/panel/figures").status_code == 404
    assert found(inside)["light"]["found"] == "not looked at while dice are hidden"


def test_a_picture_of_before_is_no_picture_of_now(desk: Desk, inside: Browser, empty: Frame) -> None:
    desk.site.pictures.look(empty)

    assert inside.get("/panel/figures").status_code == 404


def watch(desk: Desk, browser: Browser, until: Callable[[bytes], bool], turn: Callable[[], None]) -> bytes:
    """Look through the camera, let *turn* happen after the first picture, and return all that came until the end."""
    token = browser.client.cookies.get(COOKIE)
    got = bytearray()

    async def looked() -> None:
        ended = asyncio.Event()

        async def receive() -> dict[str, object]:
            await ended.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body" and message["body"]:
                if not got:
                    turn()
                got.extend(message["body"])
                if until(bytes(got)):
                    ended.set()

        headers = [(b"host", ADDRESS[7:].encode()), (b"cookie", f"{COOKIE}={token}".encode())]
        scope = {
            "type": "http", "method": "GET", "path": "/panel/camera", "raw_path": b"/panel/camera", "root_path": "",
            "query_string": b"", "headers": headers, "scheme": "http", "http_version": "1.1",
        }  # fmt: skip
        async with asyncio.timeout(10):
            await browser.app(scope, receive, send)

    browser.runner.run(looked())
    return bytes(got)


def test_the_film_is_dark_from_the_moment_dice_are_hidden(desk: Desk, inside: Browser, empty: Frame) -> None:
    desk.site.pictures.look(empty)
    pictures = desk.site.pictures

    def hide() -> None:
        pictures.hide(on=True)

    got = watch(desk, inside, lambda got: got.count(b"--picture") == 2, hide)

    first, second = (part.partition(b"\r\n\r\n")[2] for part in got.split(b"--picture")[1:])
    assert len(first) > 20_000, "the tray"
    assert len(second) < 1_000, "nothing but one grey"
    assert len(pictures.looking) == 0


def test_the_film_ends_with_the_session(desk: Desk, inside: Browser, empty: Frame) -> None:
    desk.site.pictures.look(empty)

    def away() -> None:
        desk.clock.advance(IDLE_S)
        desk.site.pictures.look(empty)

    got = watch(desk, inside, lambda _got: False, away)

    assert got.endswith(FILM_ENDS)
    assert got.removesuffix(FILM_ENDS).count(b"--picture") == 1
    assert not desk.site.pictures.wanted
