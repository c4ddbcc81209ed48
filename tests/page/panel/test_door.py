"""Nobody comes to the panel without the PIN, nobody guesses it, and no other site acts in a bartender's name."""

from __future__ import annotations

import asyncio
import json
import stat
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware import pin
from firmware.page.panel_door import COOKIE, WAITING
from firmware.page.sessions import EVENING_S, IDLE_S, MOST, Sessions
from firmware.pin import FREE_TRIES, LONGEST_WAIT_S, PinError, PinFile, Tries
from tests.page.panel.conftest import PIN, Browser, Desk

if TYPE_CHECKING:
    pass

INSIDE = (
    "/panel/now",
    "/panel/findings",
    "/panel/figures",
    "/panel/outline",
    "/panel/camera",
    "/panel/settings",
    "/panel/games",
    "/panel/games/1",
    "/panel/games/1.json",
    "/panel/games/1/1.jpg",
    "/panel/evenings",
    "/panel/evenings/1",
)
CHANGES = ("/panel/order", "/panel/settings/save", "/panel/logout", "/panel/here", "/panel/dice")


# --- the PIN ---


@pytest.mark.parametrize("text", ["", "{}", '{"format":2}', "[1]", '{"format":1,"n":1e9,"r":8,"p":1}'])
def test_a_damaged_file_of_the_pin_lets_nobody_in_and_says_what_to_do(desk: Desk, text: str) -> None:
    desk.folder.pin.write_text(text)
    with pytest.raises(PinError, match="set the PIN again"):
        PinFile.load(desk.folder.pin)

    answer = desk.browser().enter()

    assert answer.status_code == 503
    assert "mexico-table pin" in answer.json()["error"]


def test_until_a_pin_is_set_nobody_comes_in(desk: Desk) -> None:
    desk.folder.pin.unlink()
    browser = desk.browser()

    assert browser.get("/panel/session").json() == {"pin_set": False, "csrf": None, "wait_s": 0}
    answer = browser.enter("")
    assert answer.status_code == 409
    assert "no PIN is set" in answer.json()["error"]
    assert browser.get("/panel/now").status_code == 401


# --- sessions ---


@pytest.mark.parametrize("address", INSIDE)
def test_nothing_of_the_panel_is_shown_to_who_is_not_logged_in(desk: Desk, address: str) -> None:
    answer = desk.browser().get(address)

    assert answer.status_code == 401
    assert "type the PIN" in answer.json()["error"]


@pytest.mark.parametrize("address", CHANGES)
def test_nothing_is_changed_by_who_is_not_logged_in(desk: Desk, address: str) -> None:
    assert desk.browser().post(address, {}).status_code == 401


def test_the_right_pin_opens_a_session_that_no_script_can_read(desk: Desk) -> None:
    browser = desk.browser()

    answer = browser.enter()

    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert "Secure" not in cookie, "it would not come back by HTTP"
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= {part.strip() for part in cookie.split(";")}
    assert browser.get("/panel/now").status_code == 200
    assert browser.get("/panel/now").headers["cache-control"] == "no-store"
    assert browser.get("/panel/session").json()["csrf"] == browser.csrf


def test_a_wrong_pin_opens_nothing(desk: Desk) -> None:
    browser = desk.browser()

    answer = browser.enter("4712")

    assert answer.status_code == 403
    assert answer.json()["error"] == "this is not the PIN"
    assert "set-cookie" not in answer.headers
    assert browser.get("/panel/now").status_code == 401


def test_who_logs_out_is_out_with_every_copy_of_the_cookie(inside: Browser) -> None:
    token = inside.client.cookies[COOKIE]

    assert inside.post("/panel/logout", {}).status_code == 200

    inside.client.cookies.set(COOKIE, token, domain="127.0.0.1", path="/")
    assert inside.get("/panel/now").status_code == 401


def test_a_session_ends_when_nobody_touches_the_page_though_it_goes_on_asking(desk: Desk, inside: Browser) -> None:
    for _ in range(2):
        desk.clock.advance(IDLE_S / 2 - 1)
        assert inside.get("/panel/now").status_code == 200
    desk.clock.advance(3)

    assert inside.get("/panel/now").status_code == 401


def test_a_page_that_is_touched_keeps_its_session_for_an_evening_at_most(desk: Desk, inside: Browser) -> None:
    for _ in range(round(EVENING_S / (IDLE_S - 1))):
        desk.clock.advance(IDLE_S - 1)
        assert inside.post("/panel/here", {}).status_code == 200
    desk.clock.advance(EVENING_S % (IDLE_S - 1) + 1)

    assert inside.post("/panel/here", {}).status_code == 401


def test_another_pin_ends_all_sessions(desk: Desk, inside: Browser) -> None:
    PinFile.of("7295").save(desk.folder.pin)

    assert inside.get("/panel/now").status_code == 401
    assert inside.enter().status_code == 403
    assert inside.enter("7295").status_code == 200


def test_of_too_many_sessions_the_longest_untouched_makes_room() -> None:
    sessions = Sessions()
    tokens = [sessions.open("pin", float(now_s)) for now_s in range(MOST + 1)]

    known = [sessions.known(token, "pin", MOST + 1.0) is not None for token in tokens]

    assert known == [False] + [True] * MOST


# --- guessing ---


def test_after_three_wrong_pins_everybody_waits_longer_and_longer(desk: Desk) -> None:
    now_s = 1_800_000_000.0
    desk.panel.today_s = lambda: now_s
    one, other = desk.browsers(2)
    for _ in range(FREE_TRIES):
        assert one.enter("0000").status_code == 403

    answer = other.enter()
    assert answer.status_code == 429, "from another browser, and the right one"
    assert "everybody waits, 5 seconds" in answer.json()["error"]
    assert other.get("/panel/session").json()["wait_s"] == 5

    now_s += 5.1
    assert other.enter("0000").status_code == 403
    now_s += 5.1
    assert other.enter().status_code == 429, "twice as long now"
    now_s += 5.1
    assert other.enter().status_code == 200
    assert one.enter("0000").status_code == 403, "forgotten with the right one"


def test_wrong_pins_are_not_forgotten_by_a_restart(desk: Desk) -> None:
    first = desk.browser()
    for _ in range(FREE_TRIES):
        first.enter("0000")

    assert desk.browser().enter().status_code == 429
    assert stat.S_IMODE(desk.folder.pin_tries.stat().st_mode) == 0o600


def test_a_wrong_pin_is_counted_before_it_is_tried(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def tried(_stored: PinFile, _typed: str) -> bool:
        counted.append(json.loads(desk.folder.pin_tries.read_text())["wrong"])
        return True

    monkeypatch.setattr(PinFile, "is_of", tried)
    desk.browser().enter("0000")

    assert counted == [1]
    assert json.loads(desk.folder.pin_tries.read_text())["wrong"] == 0


def test_no_wait_is_longer_than_five_minutes_and_a_clock_set_back_makes_none_longer(tmp_path: Path) -> None:
    tries = Tries(tmp_path / "tries", wrong=10**6, last_s=2e9)

    assert tries.wait_s(2e9) == LONGEST_WAIT_S
    assert tries.wait_s(2e9 + LONGEST_WAIT_S) == 0
    tries.follow(1e9)
    again = Tries.load(tmp_path / "tries")
    assert [again.wait_s(1e9 + later_s) for later_s in (0, 200, LONGEST_WAIT_S)] == [LONGEST_WAIT_S, 100, 0]
    again.follow(1e9 + 100)
    assert again.last_s == 1e9


@pytest.mark.parametrize("text", ["", "nonsense", '{"wrong":-1,"last_s":0}', '{"wrong":0,"last_s":NaN}'])
def test_a_damaged_count_of_wrong_pins_gives_no_free_tries(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tries"
    path.write_text(text)

    assert Tries.load(path).wrong == FREE_TRIES


def test_on_a_full_disk_wrong_pins_are_counted_all_the_same(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pin, "write_private", full)
    browser = desk.browser()

    answers = [browser.enter("0000").status_code for _ in range(FREE_TRIES + 1)]

    assert answers == [403, 403, 403, 429]


def test_pins_are_tried_one_after_the_other_and_never_on_the_event_loop(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    trying, threads, most = 0, set(), 0

    def slow(_stored: PinFile, _typed: str) -> bool:
        nonlocal trying, most
        trying += 1
        most = max(most, trying)
        threads.add(threading.current_thread())
        time.sleep(0.05)
        trying -= 1
        return True

    monkeypatch.setattr(PinFile, "is_of", slow)
    browser = desk.browser()

    async def many() -> list[int]:
        answers = [browser.client.post("/panel/login", json={"pin": "4711"}) for _ in range(WAITING + 5)]
        return sorted(answer.status_code for answer in await asyncio.gather(*answers))

    assert browser.runner.run(many()) == [200] * WAITING + [429] * 5
    assert most == 1
    assert threading.current_thread() not in threads


# --- other sites ---


@pytest.mark.parametrize("address", CHANGES)
def test_a_change_needs_the_token_of_our_own_page(inside: Browser, address: str) -> None:
    for shown in ("", "nonsense", "ü"):
        answer = inside.post(address, {}, headers={"x-mexico-csrf": shown.encode()})

        assert answer.status_code == 403
        assert "did not come from the panel's own page" in answer.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"origin": "http://evil.example"}, id="a page of another site"),
        pytest.param({"origin": "null"}, id="a page from a file"),
        pytest.param({"sec-fetch-site": "cross-site"}, id="as the browser says"),
        pytest.param({"host": "evil.example", "origin": "http://evil.example"}, id="a name that was bent to us"),
    ],
)
def test_what_another_site_sends_is_refused_even_with_the_token(inside: Browser, headers: dict[str, str]) -> None:
    assert inside.post("/panel/order", {"order": "pause"}, headers=headers).status_code in (403, 421)


def test_a_form_of_another_site_is_no_command(inside: Browser) -> None:
    headers = {"x-mexico-csrf": inside.csrf, "origin": "http://127.0.0.1:8021"}
    answer = inside.runner.run(inside.client.post("/panel/order", data={"order": "pause"}, headers=headers))

    assert answer.status_code == 415


@pytest.mark.parametrize("body", [{}, {"pin": 4711}, {"pin": "4" * 65}, {"pin": "4711", "more": 1}, []])
def test_what_is_no_login_is_refused_and_counts_as_no_try(desk: Desk, body: object) -> None:
    assert desk.browser().post("/panel/login", body).status_code == 400
    assert not desk.folder.pin_tries.exists()


def test_behind_a_proxy_with_https_the_cookie_goes_by_https_only(desk: Desk) -> None:
    browser = desk.browser()
    answer = browser.post("/panel/login", {"pin": PIN}, {"x-forwarded-proto": "https"})

    assert "Secure" in answer.headers["set-cookie"]


def test_thousands_of_digits_are_an_address_that_is_not_there(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    for address in ("games/{}", "games/{}.json", "games/1/{}.jpg", "evenings/{}"):
        assert desk.browser().get(f"/panel/{address}".format("9" * 5000)).status_code == 404, address

    assert not caplog.records
