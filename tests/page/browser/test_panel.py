"""A bartender at the panel, with a phone and with a keyboard."""

from __future__ import annotations

import re
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware import settings
from firmware.page.pictures import WIDTH
from firmware.pin import PinFile
from tests.page.browser.accessible import barriers
from tests.page.browser.running import Look, Running, Start

pytestmark = pytest.mark.browser

PHONE = (360, 740)
PARTS = ("Game", "Doctor", "Camera", "Evening", "Journal", "Settings")


@pytest.fixture
def table(start: Start, tmp_path: Path) -> Running:
    """Return a table at which the computer plays one long game, and a PIN."""
    state = tmp_path / "state"
    state.mkdir()
    PinFile.of("4711").save(state / "panel.json")
    return start("--virtual", "--auto", "--seed", "3")


def come_in(page: Page, part: str = "The game") -> None:
    """Type the PIN as somebody does who has only a keyboard."""
    expect(page.get_by_label("The bartender's PIN")).to_be_focused()
    page.keyboard.type("4711")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=part)).to_be_visible()


def go(page: Page, part: str) -> None:
    page.get_by_role("navigation").get_by_role("link", name=part).click()
    expect(page.locator(f"#part-{ {'Doctor': 'findings'}.get(part, part.lower()) }")).to_be_visible()


def awaited(page: Page) -> None:
    """Wait until the first throw is read."""
    expect(page.locator("#last")).to_contain_text("rolls", timeout=60_000)


def test_a_bartender_comes_in_pauses_takes_back_and_goes_on(table: Running, look: Look, tmp_path: Path) -> None:
    page = look(f"{table.address}/panel", *PHONE)
    page.get_by_label("The bartender's PIN").fill("0000")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert").filter(has_text="This is not the PIN")).to_be_visible()
    come_in(page)
    page.reload()
    expect(page.get_by_role("heading", name="The game")).to_be_visible()
    awaited(page)

    page.route("**/panel/now", lambda route: route.fulfill(status=503, json={"error": "the journal is locked"}))
    page.reload()
    expect(page.locator("#last")).to_have_text("The journal is locked.")
    expect(page.get_by_role("button", name="Take the last throw back")).to_be_disabled()
    page.unroute("**/panel/now")
    awaited(page)

    page.get_by_label("Why").fill("a glass broke")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status").filter(has_text="The game waits.")).to_be_visible()
    expect(page.locator("#state")).to_contain_text("paused")
    expect(page.get_by_role("button", name="Pause")).to_be_disabled()
    page.get_by_role("button", name="Take the last throw back").click()
    expect(page.locator("#told")).to_contain_text("Say why")
    page.get_by_label("Why").fill("sleeve in the tray")
    page.get_by_role("button", name="Take the last throw back").click()
    expect(page.locator("#told")).to_contain_text("is taken back")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#state")).to_contain_text("a game is played")

    with closing(sqlite3.connect(tmp_path / "state" / "journal.sqlite3")) as journal:
        rows = [row[0] for row in journal.execute("SELECT event FROM events") if "panel" in row[0]]
    assert ["a glass broke" in rows[0], "sleeve in the tray" in rows[1], len(rows) >= 3] == [True] * 3
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("The bartender's PIN")).to_be_visible()


@pytest.mark.long
def test_the_parts_show_what_they_are_for_on_a_phone(table: Running, look: Look) -> None:
    page = look(f"{table.address}/panel", *PHONE, color_scheme="light", reduced_motion="reduce")
    come_in(page)
    awaited(page)
    for part in PARTS:
        go(page, part)
        if part == "Doctor":
            expect(page.locator("#checks li").first).to_contain_text("pictures a second")
        if part == "Camera":
            expect(page.locator("#histogram path")).to_have_count(3)
            expect(page.locator("#overlay .floor")).to_have_count(1)
            expect(page.locator("#film")).to_have_js_property("naturalWidth", WIDTH)
        if part == "Evening":
            expect(page.locator("#dice tr")).not_to_have_count(0)
        if part == "Journal":
            page.locator("#games a").first.click()
            page.get_by_role("button", name="Picture of event 1", exact=True).click()
            expect(page.locator("#rows img")).to_have_js_property("complete", True)
            assert page.locator("#rows img").evaluate("image => image.naturalWidth") > 0
            with page.expect_download() as download:
                page.get_by_role("link", name="Game file").click()
            assert download.value.suggested_filename == "mexico-game-1.json"
        if part == "Settings":
            expect(page.locator("#form .field").first).to_be_visible()
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], part
        assert barriers(page) == [], part
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 1920, "height": 1080})
    for part in PARTS:
        go(page, part)
        page.wait_for_timeout(300)
        assert barriers(page) == [], part


@pytest.mark.long
def test_settings_are_checked_and_the_later_of_two_bartenders_is_told(
    table: Running, look: Look, tmp_path: Path
) -> None:
    page, other = pages = [look(f"{table.address}/panel", *PHONE) for _ in range(2)]
    for window in pages:
        come_in(window)
        go(window, "Settings")
        expect(window.get_by_label("What a penalty is called")).to_be_visible()
    page.get_by_label("How long a button is held").fill("soon")
    page.get_by_role("button", name="Check and save").click()

    expect(page.locator("#told")).to_contain_text("Nothing was saved")
    expect(page.get_by_label("How long a button is held")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("How long a button is held")).to_be_focused()
    assert not (tmp_path / "state" / "settings.toml").exists()

    page.get_by_label("How long a button is held").fill("3")
    page.get_by_label("What a penalty is called").fill("drink")
    page.get_by_label("mexico.escalation").select_option("double_each")
    page.get_by_role("button", name="Check and save").click()

    expect(page.locator("#told")).to_contain_text("Saved: ")
    saved = settings.load(tmp_path / "state" / "settings.toml")
    assert (saved.timing.hold_s, saved.table.mark) == (3.0, "drink")
    assert saved.game.house_rules == {"mexico.escalation": "double_each"}
    expect(page.get_by_role("button", name="Begin anew now")).to_be_disabled()

    other.get_by_label("How fast it speaks").fill("170")
    other.get_by_label("bad_roll").select_option("reroll_both")
    other.get_by_role("button", name="Check and save").click()
    expect(other.locator("#told")).to_contain_text('table.mark is "drink" now')
    expect(other.get_by_label("How fast it speaks")).to_have_value("170")
    expect(other.get_by_label("mexico.escalation")).to_have_value("double_each")
    other.get_by_role("button", name="Check and save").click()
    expect(other.locator("#told")).to_contain_text("Saved: sound.words_per_minute")
    saved = settings.load(tmp_path / "state" / "settings.toml")
    assert (saved.table.mark, saved.timing.hold_s, saved.sound.words_per_minute) == ("drink", 3.0, 170)
    assert saved.game.house_rules == {"mexico.escalation": "double_each", "bad_roll": "reroll_both"}

    page.get_by_label("Game that is played").select_option("liars_common")
    other.get_by_label("How fast it speaks").fill("180")
    for window, told in ((page, "words_per_minute is 170"), (other, 'game.name is "liars_common"')):
        window.get_by_role("button", name="Check and save").click()
        expect(window.locator("#told")).to_contain_text(f"{told} now")
        window.get_by_role("button", name="Check and save").click()
        expect(window.locator("#told")).to_contain_text("Saved: ")
    saved = settings.load(tmp_path / "state" / "settings.toml")
    assert (saved.game.name, saved.game.house_rules, saved.sound.words_per_minute) == ("liars_common", {}, 180)


@pytest.mark.long
def test_a_pin_is_set_and_where_nobody_plays_the_program_begins_anew_with_other_settings(
    start: Start, look: Look, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    page = look(f"{start('--virtual', '--seed', '3', address=address).address}/panel", *PHONE)
    expect(page.get_by_text("mexico-table pin", exact=True)).to_be_visible()
    expect(page.get_by_label("The bartender's PIN")).to_be_hidden()
    PinFile.of("4711").save(tmp_path / "state" / "panel.json")
    page.get_by_role("button", name="look again").click()
    come_in(page)
    go(page, "Settings")
    page.get_by_label("Names of the seats, 1").fill("Zoe")
    page.get_by_role("button", name="Check and save").click()
    expect(page.locator("#told")).to_contain_text("Saved: table.names")
    page.get_by_role("button", name="Begin anew now").click()

    expect(page.get_by_label("The bartender's PIN")).to_be_visible(timeout=60_000)
    come_in(page, "Settings")
    expect(page.get_by_label("Names of the seats, 1")).to_have_value("Zoe")
    expect(page.get_by_text(re.compile("does not know yet"))).to_be_hidden()
