"""A browser for which there was no place comes back by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.page.browser.running import Look, Start

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_who_found_no_place_is_let_in_when_there_is_one(start: Start, look: Look) -> None:
    page = look("about:blank")
    refused: list[str] = []

    def full(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503, json={"error": "too many browsers look at the table; try again in a while"})

    page.route("**/news", full)
    page.goto(start("--virtual", "--seed", "7").address)
    expect(page.locator("#what")).to_have_text("Mexico", timeout=30_000)

    assert len(refused) == 1
