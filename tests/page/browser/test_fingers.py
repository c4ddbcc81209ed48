"""Fingers on the virtual table's buttons: none is lost, and none stays on a button that nobody holds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from firmware.page import public
from firmware.page.guests import AWAY_S
from firmware.texts import language
from firmware.views import View
from hardware.devices import Key
from tests.page.browser.running import Look
from tests.page.conftest import PATIENCE_S, Desk, Serve

pytestmark = pytest.mark.browser

LATENCY_MS = 150


def show(desk: Desk, **view: Any) -> None:
    """Let everybody see a table of which this is known."""
    desk.site.hub.publish("game", lambda: public.game(View(**view), language("en")))


@pytest.fixture
def page(desk: Desk, serve: Serve, look: Look) -> Page:
    """Return the page of a table at which A has joined and nobody sits, over a slow network."""
    show(desk, seats={1: "A"})
    opened = look("about:blank")
    opened.route("**/camera?*", lambda route: route.abort())  # there is none, and a window waits for its picture
    opened.goto(f"http://127.0.0.1:{serve(desk.site, desk.app).port}")
    expect(opened.locator("#hint")).to_contain_text("One more, at least")
    line = opened.context.new_cdp_session(opened)
    line.send("Network.enable")
    slow = {"offline": False, "latency": LATENCY_MS, "downloadThroughput": -1, "uploadThroughput": -1}
    line.send("Network.emulateNetworkConditions", slow)
    return opened


def asked(page: Page) -> list[Any]:
    """Return a list into which every command of *page* goes from now on, signs of life apart."""
    sent: list[Any] = []

    def hear(request: Request) -> None:
        command = request.url.rpartition("/")[2]
        if "/table/" in request.url and command != "here":
            sent.append({command: json.loads(request.post_data or "{}")})

    page.on("request", hear)
    return sent


def seat(page: Page, number: int) -> Any:
    return page.get_by_role("button", name=f"Button of seat {number},")


def press(key: Key, *, down: bool) -> dict[str, object]:
    return {"press": {"key": str(key), "down": down}}


def wait(page: Page, true: Callable[[], bool], what: str) -> None:
    """Wait until something is *true*, and hear meanwhile of what *page* sends."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_s, what
        page.wait_for_timeout(20)


def none_held(desk: Desk, page: Page) -> None:
    """Wait until no button is down."""
    hands = desk.site.hands
    assert hands is not None
    wait(page, lambda: not hands.buttons.held(), f"down stay {hands.buttons.held()}")


def test_a_quick_tap_takes_a_free_seat_and_joins_and_who_takes_over_a_seat_that_plays_presses_nothing(
    desk: Desk, page: Page
) -> None:
    sent = asked(page)
    seat(page, 2).click(delay=30)
    expect(seat(page, 2)).to_have_accessible_name("Button of seat 2, not joined, you")
    wait(page, lambda: len(sent) == 3, f"{sent}")
    none_held(desk, page)

    assert sent == [{"sit": {"seat": 2}}, press(Key.SEAT_2, down=True), press(Key.SEAT_2, down=False)]
    page.evaluate("sessionStorage.clear()")
    page.reload()
    sent = asked(page)
    seat(page, 1).click(delay=30)
    expect(seat(page, 1)).to_have_accessible_name("Button of seat 1, A, you")
    page.wait_for_timeout(2 * LATENCY_MS)

    assert press(Key.SEAT_1, down=True) not in sent


def lose_the_end(route: Route) -> None:
    """Let no end of a press come to the table."""
    route.abort() if '"down":false' in (route.request.post_data or "") else route.continue_()


def test_a_finger_whose_end_nobody_tells_comes_off_all_the_same(desk: Desk, page: Page) -> None:
    hands = desk.site.hands
    assert hands is not None
    for key, on_keyboard, meanwhile in ((Key.STOP, "s", ""), (Key.STOP, "s", "Control"), (Key.CONFIRM, "Enter", "Tab")):
        page.keyboard.down(on_keyboard)
        wait(page, lambda key=key: key in hands.buttons.held(), f"{key} does not go down")  # type: ignore[misc]
        if meanwhile:
            page.keyboard.down(meanwhile)
            page.keyboard.up(on_keyboard)
            page.keyboard.up(meanwhile)
        else:  # the end is told to another window
            page.evaluate("window.dispatchEvent(new Event('blur'))")
        none_held(desk, page)
        page.keyboard.up(on_keyboard)

    page.route("**/table/press", lose_the_end)
    page.locator("#stop").click()
    none_held(desk, page)


def test_a_click_of_a_screen_reader_presses_and_enter_presses_once(page: Page) -> None:
    sent = asked(page)
    stop = page.locator("#stop")
    stop.evaluate("button => button.click()")
    stop.focus()
    page.keyboard.press("Enter")
    wait(page, lambda: len(sent) >= 4, f"{sent}")
    page.wait_for_timeout(LATENCY_MS)

    assert sent == [press(Key.STOP, down=True), press(Key.STOP, down=False)] * 2


def hang_up(desk: Desk) -> None:
    """End the news of all browsers, which come back by themselves."""
    loop = desk.site.hub._loop
    assert loop is not None
    for place in tuple(desk.site.hub.watching._taken):
        loop.call_soon_threadsafe(place.give_up)


def test_who_was_away_does_not_bring_back_a_computer_that_others_have_sent_home(desk: Desk, page: Page) -> None:
    page.get_by_role("button", name="Let the computer play seat 3").click()
    expect(page.locator(".robot[aria-pressed=true]")).to_have_count(1)
    sent = asked(page)
    desk.site.guests.robots = frozenset()
    desk.clock.advance(AWAY_S + 1.0)
    hang_up(desk)
    wait(page, lambda: {"come": {}} in sent, f"{sent}")
    expect(page.locator(".robot[aria-pressed=true]")).to_have_count(0)

    assert sent[sent.index({"come": {}}) :] == [{"come": {}}]
    assert desk.site.guests.robots == frozenset()
