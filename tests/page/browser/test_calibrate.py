"""Calibrating from a phone, all the way: four taps, a throw that is read, and a table that goes on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import httpx
import numpy as np
import pytest
from playwright.sync_api import Error, Page, expect

from firmware.pin import PinFile
from tests.page.browser.running import Look, Running, Start
from vision.calibration import Calibration
from vision.render import Table

pytestmark = pytest.mark.browser

SEED = 3

SEARCH_MS = 120_000
"""The floor is sought for some seconds of a whole core, beside the table's own drawing and reading."""


@pytest.fixture
def table(start: Start, tmp_path: Path) -> Running:
    """Return a virtual table at which nobody sits, and a PIN."""
    state = tmp_path / "state"
    state.mkdir()
    PinFile.of("4711").save(state / "panel.json")
    return start("--virtual", "--seed", str(SEED))


def press(page: Page, name: str) -> None:
    page.locator("#calibrate").get_by_role("button", name=name, exact=True).click()


def says(page: Page, words: str, timeout: int | None = None) -> None:
    expect(page.locator("#c-said")).to_contain_text(words, timeout=timeout)


def begin(page: Page) -> None:
    """Begin; a busy computer may say that the table did not answer in time, and is asked again."""
    wanted = page.locator("#c-said").filter(has_text="Take everything out of the tray")
    for _ in range(4):
        press(page, "Calibrate the table")
        with suppress(Error):
            wanted.wait_for(timeout=15_000)
            return
    raise AssertionError(page.locator("#calibrate").inner_text())


class Thrower:
    """Somebody at the virtual table who throws."""

    def __init__(self, table: Running) -> None:
        self._throws = f"{table.address}/table/throw"
        self._who = {"x-mexico-guest": httpx.post(f"{table.address}/table/come").json()["guest"]}

    def throw(self, page: Page) -> None:
        """Throw until a throw is read, for now and then one is odd."""
        for _ in range(6):
            assert httpx.post(self._throws, json={}, headers=self._who).json() == {"ok": True}
            page.wait_for_timeout(3500)  # they roll for a while, and lie still
            press(page, "Thrown: read it")
            expect(page.locator("#c-buttons button").first).to_be_enabled()
            if "Is this right?" in page.locator("#c-said").inner_text():
                return
        raise AssertionError("no throw was read")


@pytest.mark.long
def test_a_table_is_calibrated_with_four_taps_on_a_phone(table: Running, look: Look, tmp_path: Path) -> None:
    page = look(f"{table.address}/panel#camera", 360, 740)
    page.get_by_label("The bartender's PIN").fill("4711")
    page.get_by_role("button", name="Log in").click()
    begin(page)
    page.wait_for_timeout(1500)
    press(page, "The tray is empty: look")
    says(page, "Is the green line on the edge of the floor", SEARCH_MS)
    press(page, "No")
    says(page, "Then tap the corners")
    picture = page.locator("#c-img")
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    assert box is not None
    for x, y in Table(seed=SEED).corners_px:
        picture.click(position={"x": x * box["width"] / 1280, "y": y * box["height"] / 960})
    expect(page.get_by_label("bottom left, y")).not_to_have_value("")
    for number, (x, y) in enumerate(Table(seed=SEED).corners_px):  # put right with the keyboard: a finger is broad
        page.locator("#c-fields input").nth(2 * number).fill(f"{x:.1f}")
        page.locator("#c-fields input").nth(2 * number + 1).fill(f"{y:.1f}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    press(page, "The tray is empty: look")
    says(page, "Is the green line on the edge of the floor", SEARCH_MS)
    press(page, "Yes")
    press(page, "Do not learn the dice")
    says(page, "The proof")
    Thrower(table).throw(page)
    press(page, "Yes")
    says(page, "Right: 1 of 3")
    press(page, "Skip the proof")  # all three are in tests/page/panel
    says(page, "Not proved")
    press(page, "Save")

    expect(page.locator("#told")).to_contain_text("the table goes on")
    expect(page.get_by_role("button", name="Calibrate the table")).to_be_enabled()
    made = Calibration.load(tmp_path / "state" / "calibration.virtual.json")
    assert np.allclose(made.corners_px, Table(seed=SEED).corners_px, atol=0.1)
