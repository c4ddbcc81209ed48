"""The page says at every moment what is to be done, and rings it: who follows that plays every game to its end."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, expect

from tests.page.browser.accessible import barriers
from tests.page.browser.running import Look, Start

pytestmark = pytest.mark.browser

KEYS = {"push": "Enter", "right": "ArrowRight", "throw": "Space", "stop": "s"}
IN_THIS_ORDER = ("push", "right", "throw")
"""What somebody does who takes the least of every menu; the seats are pressed when nothing else is asked for, and
when a claim has gone round often enough."""

PATIENCE_S = 150.0


def table(start: Start, tmp_path: Path, game: str = "mexico", rules: str = "") -> str:
    """Return the address of a table at which nobody waits."""
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[virtual]\nodd_throws = 0\n[game]\nname = "{game}"\n[game.house_rules]\n{rules}\n')
    return start("--virtual", "--fast", "--seed", "4", "--settings", str(settings)).address


def due(page: Page) -> list[str]:
    """Return what is ringed: buttons by their name, seats by their number."""
    found = page.locator(".due").evaluate_all(
        "all => all.map((one) => one.id || 'ABCDEFGH'.indexOf(one.textContent) + 1 + '')"
    )
    return [str(one) for one in found]


def act(page: Page, what: str, how: str) -> None:
    """Press *what*, by mouse, finger or key."""
    if how == "key":
        page.keyboard.press(KEYS.get(what, what))
        return
    button = page.locator(f"#{what}" if what in KEYS else f".press >> nth={'12348765'.index(what)}")
    with suppress(Error):  # the turn may have passed on since it was looked
        button.tap(timeout=2_000) if how == "finger" else button.click(timeout=2_000)


def follow(page: Page, how: str) -> None:
    """Do what is ringed whenever it is one's turn, until the game is over."""
    claimed, end_s = False, time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        hint = page.locator("#hint").text_content() or ""
        if "The game is over" in hint:
            return
        ringed = due(page) if "Your turn" in hint else []
        seats = [one for one in ringed if one.isdecimal()]
        first = next((one for one in IN_THIS_ORDER if one in ringed), None)
        if seats and (first is None or claimed):
            act(page, seats[0], how)
        elif first is not None:
            claimed = claimed or first == "push"
            act(page, first, how)
        page.wait_for_timeout(80)
    pytest.fail(f"the game does not end: {page.locator('#hint').text_content()}")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "how"),
    [
        pytest.param("mexican_changsha", "mouse", id="changsha by mouse"),
        pytest.param("liars_common", "finger", id="liar's dice by finger"),
        pytest.param("liars_stanford", "key", id="stanford by keyboard"),
    ],
)
def test_who_does_what_is_ringed_plays_a_game_with_a_cup_to_its_end(
    start: Start, look: Look, tmp_path: Path, game: str, how: str
) -> None:
    address = table(start, tmp_path, game, '"end.rounds" = 1')
    page = look(address, 390, 844, has_touch=True, is_mobile=True) if how == "finger" else look(address)
    three = page.get_by_role("button", name="Play against three computers")
    three.tap() if how == "finger" else three.click()
    page.evaluate("document.activeElement.blur()")

    follow(page, how)

    expect(page.locator("#said")).to_contain_text(re.compile("closing time|wins", re.IGNORECASE))


@pytest.mark.long
def test_who_doubts_is_told_whose_hands_it_takes(start: Start, look: Look, tmp_path: Path) -> None:
    page = look(table(start, tmp_path))
    page.get_by_role("button", name="Play against three computers").click()
    page.locator("#throw:enabled").click()
    expect(page.locator("#verdict")).not_to_be_empty()
    hint = page.locator("#hint")
    expect(hint).to_contain_text("Your turn, A: throw 2 dice", timeout=90_000)

    page.locator("#stop").hover()
    page.mouse.down()
    expect(hint).to_contain_text(re.compile(r"in doubt.*press the seats of A and 1 other"))
    page.mouse.up()
    assert due(page) == ["1", "2", "3", "4"]
    page.get_by_role("button", name="Button of seat 3,").click()

    expect(hint).to_contain_text("press the seats of A. C has pressed")
    assert due(page) == ["1"]
    page.get_by_role("button", name="Button of seat 1,").click()
    expect(hint).not_to_contain_text("in doubt")


def test_a_phone_that_lies_shows_tray_seats_and_buttons_at_once(start: Start, look: Look, tmp_path: Path) -> None:
    page = look(table(start, tmp_path), 740, 360)
    expect(page.get_by_text("Press a seat to join")).to_be_visible()

    for what in ("#throw", "#stop", "#push", "#left", "#hint", "#camera", ".press >> nth=0", ".press >> nth=7"):
        expect(page.locator(what)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 740
    assert barriers(page) == []
    wide = [
        page.locator(f".seat >> nth={seat}").evaluate("(one) => one.scrollWidth - one.clientWidth") for seat in range(8)
    ]
    assert wide == [0] * 8


@pytest.mark.long
def test_before_the_table_says_anything_the_page_says_that_it_starts(start: Start, look: Look, tmp_path: Path) -> None:
    address = table(start, tmp_path)
    page = look("about:blank")
    page.route("**/news", lambda _route: None)  # a table that is there and has said nothing yet
    page.goto(address)

    expect(page.locator("#starting")).to_be_visible()
    expect(page.locator("#hint")).to_contain_text("is starting")
    expect(page.locator("#throw")).to_be_disabled()
