"""A browser for which there was no place comes back by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Route, expect

from firmware.page.pictures import FILMS, Pictures
from tests.page.browser.running import Look, Start
from tests.page.conftest import Desk, Serve

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


@pytest.fixture
def filmed(desk: Desk) -> Iterator[Pictures]:
    """Return the pictures of a table whose camera gives one after the other."""
    pictures, over = desk.site.pictures, threading.Event()

    def camera() -> None:
        while not over.wait(0.05):
            pictures.look(np.full((60, 80, 3), 90, np.uint8))

    thread = threading.Thread(target=camera)
    thread.start()
    yield pictures
    over.set()
    thread.join()


@pytest.mark.long
def test_a_film_that_does_not_begin_or_has_ended_begins_again_and_so_does_the_news_of_a_phone_that_slept(
    desk: Desk, filmed: Pictures, serve: Serve, look: Look
) -> None:
    filmed.looking.most = 0
    page = look(f"http://127.0.0.1:{serve(desk.site).port}")
    none = page.get_by_text("No picture.")
    expect(none).to_be_visible()
    filmed.looking.most = FILMS
    expect(none).to_be_hidden()
    expect(page.locator("#camera")).to_have_js_property("naturalWidth", 80)

    desk.site.hub._loop.call_soon_threadsafe(next(iter(filmed.looking._taken)).give_up)  # type: ignore[union-attr]
    expect(none).to_be_visible()
    expect(none).to_be_hidden()
    expect(page.locator("#camera")).to_have_js_property("naturalWidth", 80)

    with page.expect_request("**/news"):  # a phone that has slept for some seconds
        page.evaluate(
            "() => { const now = Date.now; Date.now = () => now() + 13_000;"
            "document.dispatchEvent(new Event('visibilitychange')); }"
        )
