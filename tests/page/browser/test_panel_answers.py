"""The panel where answers come late, or not at all: there stands what was asked for last, or that it is old."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from firmware.page.files import STATIC
from tests.page.browser.running import Look
from tests.page.conftest import Desk, Serve

pytestmark = pytest.mark.browser

SAVED = "timing.hold_s"
FIELD = {"label": "Held for", "allowed": "seconds", "kind": "number", "key": SAVED, "value": 2, "usual": 2}
GAME = {"key": "game.name", "label": "Game", "allowed": "", "kind": "choice", "choices": ["mexico"]}
FORM = {"version": "1", "file": "settings.toml", "house_rules": {}, "games": {"mexico": []}, "waits": True,
        "fields": [{**GAME, "value": "mexico", "usual": "mexico"}, FIELD]}  # fmt: skip


def game(number: int) -> dict[str, Any]:
    return {"game": number, "name": "mexico", "players": ["A"], "begun": None, "events": 1, "rules": "",
            "standing": [], "rows": []}  # fmt: skip


@dataclass
class Table:
    """What answers the panel: at once, or when the test says so."""

    answers: dict[str, Any]
    asked: list[str] = field(default_factory=list)
    late: set[str] = field(default_factory=set)
    waiting: list[Route] = field(default_factory=list)

    def answer(self, route: Route, request: Request) -> None:
        """Answer what is asked, or keep it waiting."""
        address = request.url.partition("/panel")[2].partition("?")[0]
        self.asked.append(address)
        if address in self.late:
            self.waiting.append(route)
        elif address == "":
            route.fulfill(path=STATIC / "panel.html")
        else:
            self._say(route, address)

    def say(self) -> None:
        """Give the answers that wait, the first question's first, and none late from now on."""
        self.late.clear()
        for route in self.waiting:
            self._say(route, route.request.url.partition("/panel")[2].partition("?")[0])
        self.waiting.clear()

    def _say(self, route: Route, address: str) -> None:
        said = self.answers.get(address, {"error": "this is not known now"})
        route.fulfill(status=503 if "error" in said else 200, json=said)


@pytest.fixture
def table() -> Table:
    """Return what answers a bartender who is logged in."""
    check = {"name": "camera", "state": "ok", "found": "gives pictures", "do": ""}
    return Table({
        "/session": {"pin_set": True, "csrf": "token", "wait_s": 0}, "/now": {"game": 0, "event": 0, "last": None},
        "/games": {"games": [game(2), game(1)], "more": False}, "/games/1": game(1), "/games/2": game(2),
        "/findings": {"checks": [check]}, "/settings": FORM, "/settings/save": {"version": "2", "changed": [SAVED]},
    })  # fmt: skip


@pytest.fixture
def page(real: Desk, serve: Serve, look: Look, table: Table) -> Page:
    """Return the panel before that table."""
    opened = look("about:blank")
    opened.route("**/panel", table.answer)
    opened.route("**/panel/**", table.answer)
    opened.goto(f"http://127.0.0.1:{serve(real.site).port}/panel")
    expect(opened.locator("#last")).to_have_text("None in this game.")
    return opened


def go(page: Page, part: str) -> None:
    """Go to a *part* of the panel, and no further than its question."""
    page.evaluate("part => { location.hash = part; }", part)
    page.wait_for_timeout(100)


def test_who_leaves_the_camera_before_it_answers_leaves_no_film_running(page: Page, table: Table) -> None:
    table.late.add("/outline")
    go(page, "camera")
    go(page, "journal")
    table.say()
    page.wait_for_timeout(200)

    assert not {"/camera", "/figures"} & set(table.asked)


def test_the_journal_shows_the_game_that_was_asked_for_last_and_every_game_once(page: Page, table: Table) -> None:
    table.late.add("/games/1")
    go(page, "journal/1")
    go(page, "journal/2")
    expect(page.locator("#one-title")).to_have_text("Game 2: Mexico")
    table.say()
    page.wait_for_timeout(200)
    expect(page.locator("#one-title")).to_have_text("Game 2: Mexico")

    table.late.add("/games")
    for part in ("journal", "findings", "journal"):
        go(page, part)
    table.say()
    page.wait_for_timeout(200)
    expect(page.locator("#games li")).to_have_count(2)


def test_a_form_is_saved_once_and_no_restart_is_offered_that_has_been(page: Page, table: Table) -> None:
    go(page, "settings")
    expect(page.locator("#waits")).to_be_visible()
    page.get_by_label("Held for").fill("3")
    go(page, "game")
    table.answers["/settings"] = {**FORM, "waits": False}
    go(page, "settings")
    expect(page.locator("#waits")).to_be_hidden()
    expect(page.get_by_label("Held for")).to_have_value("3")

    table.late.add("/settings/save")
    page.get_by_role("button", name="Check and save").dblclick()
    table.say()
    expect(page.locator("#told")).to_contain_text("Saved: timing.hold_s")
    assert table.asked.count("/settings/save") == 1


def test_the_doctor_says_when_his_findings_are_old(page: Page, table: Table) -> None:
    go(page, "findings")
    expect(page.locator("#checks li")).to_have_count(1)
    del table.answers["/findings"]
    go(page, "game")
    go(page, "findings")

    expect(page.locator("#told")).to_have_text("This is not known now. What stands here was found before.")
