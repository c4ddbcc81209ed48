"""People play at the virtual table in a browser."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, expect

from tests.page.browser.running import Look, Start

pytestmark = pytest.mark.browser

SHORT = """
[game.house_rules]
preset = "one_life"
[virtual]
odd_throws = 0
"""
"""A game in which a lost round is the end: three rounds for four players."""


@pytest.fixture
def short(tmp_path: Path) -> tuple[str, ...]:
    """Return the arguments of a table at which a game is soon over and nobody waits."""
    settings = tmp_path / "settings.toml"
    settings.write_text(SHORT)
    return "--virtual", "--fast", "--seed", "7", "--settings", str(settings)


def shown(page: Page) -> str:
    """Return what the display says, as a screen reader is told."""
    return page.locator("#said").text_content() or ""


def play_on(page: Page, throw: str, stop: str) -> None:
    """Throw whenever it is one's turn, by mouse or by key, until the game is over."""
    for _ in range(400):
        over = page.get_by_text("The game is over")
        expect(page.locator("#throw:enabled").or_(over).first).to_be_visible(timeout=90_000)  # the others play on
        if over.is_visible():
            return
        may_stop = "throw or STOP" in shown(page) or "throw, or STOP" in shown(page)
        if throw:
            page.keyboard.press(stop if may_stop else throw)
        else:
            with suppress(Error):  # the turn may have passed on since it was looked
                page.locator("#stop" if may_stop else "#throw").click(timeout=1_000)
        page.wait_for_timeout(50)
    pytest.fail("the game does not end")


def lit(page: Page) -> bool:
    """Return whether any pixel of the OLED is lit."""
    return bool(
        page.evaluate(
            "() => { const c = document.getElementById('oled').getContext('2d');"
            "return c.getImageData(0, 0, 128, 64).data.some((value, place) => place % 4 === 0 && value > 99) }"
        )
    )


@pytest.mark.long
def test_a_game_against_three_computers_by_mouse(start: Start, look: Look, short: tuple[str, ...]) -> None:
    page = look(start(*short).address)

    page.get_by_role("button", name="Play against three computers").click()
    expect(page.locator(".seat.turn")).to_have_count(1)
    play_on(page, throw="", stop="")

    expect(page.locator("#said")).to_contain_text(re.compile("wins", re.IGNORECASE))
    expect(page.locator("#story li").first).to_contain_text("WINS")


@pytest.mark.long
def test_a_game_by_keyboard_alone(start: Start, look: Look, short: tuple[str, ...]) -> None:
    page = look(start(*short).address)
    expect(page.get_by_text("Press a seat to join")).to_be_visible()

    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "three":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".seat.turn")).to_have_count(1)
    page.evaluate("document.activeElement.blur()")
    play_on(page, throw="Space", stop="s")

    expect(page.locator("#story li").first).to_contain_text("WINS")


@pytest.mark.long
def test_two_guests_and_nobody_presses_for_another(start: Start, look: Look) -> None:
    table = start("--virtual", "--fast", "--seed", "7")
    ann, ben = look(table.address), look(table.address)

    ann.get_by_role("button", name="Button of seat 1,").click()
    expect(ann.locator("#top .seat").first).to_contain_text("you")
    expect(ben.locator("#top .seat").first).to_contain_text("guest")
    ben.get_by_role("button", name="Button of seat 1,").click()

    expect(ben.locator("#hint")).to_contain_text("in front of somebody else")
    expect(ann.locator("#top .seat").first).to_contain_text("A you")


@pytest.mark.long
def test_a_table_that_was_killed_goes_on_where_it_was(start: Start, look: Look, short: tuple[str, ...]) -> None:
    table = start(*short)
    page = look(table.address)
    page.get_by_role("button", name="Play against three computers").click()
    expect(page.locator("#throw:enabled")).to_be_visible()

    table.kill()
    expect(page.locator("#lost")).to_be_visible()
    start(*short, address=table.host)

    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#said")).to_contain_text("PAUSED")
    expect(page.locator("#top .seat").first).to_contain_text("you")
    expect(page.locator(".robot[aria-pressed=true]")).to_have_count(3)
    page.locator("#stop").click()
    expect(page.locator("#hint")).to_contain_text("turn")


@pytest.mark.long
def test_troubles_on_demand_are_shown_and_end(start: Start, look: Look) -> None:
    page = look(start("--virtual", "--seed", "7").address)
    expect(page.locator("#said")).not_to_be_empty()
    assert lit(page)
    page.get_by_text("Make trouble").click()

    display = page.get_by_role("button", name="Display unplugged")
    display.click()
    expect(display).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#said")).to_have_text("The display is dark")
    assert not lit(page)
    display.click()
    expect(page.locator("#said")).not_to_have_text("The display is dark")

    camera = page.get_by_role("button", name="Camera unplugged")
    camera.click()
    expect(page.locator("#said")).to_contain_text("NO CAMERA")
    camera.click()
    expect(page.locator("#said")).not_to_contain_text("NO CAMERA")


@pytest.mark.long
def test_after_a_power_cut_on_demand_the_table_comes_back(start: Start, look: Look, short: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"  # the table that begins anew has to find the same
    table = start(*short, address=address)
    page = look(table.address)
    page.get_by_role("button", name="Play against three computers").click()
    expect(page.locator("#throw:enabled")).to_be_visible()

    page.get_by_text("Make trouble").click()
    page.get_by_role("button", name="Power cut").click()

    expect(page.locator("#said")).to_contain_text("PAUSED")


def test_while_dice_are_hidden_the_camera_shows_nothing(start: Start, look: Look) -> None:
    table = start("--virtual", "--fast", "--seed", "7", "--game", "mexican_changsha")
    page = look(table.address)
    page.get_by_role("button", name="Play against three computers").click()

    for _ in range(40):
        if page.locator("#blind").is_visible():
            break
        if page.locator("#throw").is_enabled():
            page.locator("#throw").click()
        page.wait_for_timeout(200)

    expect(page.locator("#blind")).to_be_visible()
    expect(page.locator("#lens")).to_have_class(re.compile("lit"))
    assert page.request.get(f"{table.address}/roll.jpg").status == 404
