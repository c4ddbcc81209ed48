"""What the server gives the board: facts for everybody, chances where the house shows them, a way in for QR codes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from firmware.page import stream
from firmware.page.app import application
from firmware.page.hub import Hub
from firmware.page.page import Page
from firmware.views import Note, Phase, View
from tests.page.browser.showing import Showing, golden, unserved

T = TypeVar("T")


@pytest.fixture
def shown(tmp_path: Path) -> Showing:
    return unserved(tmp_path)


def newest(page: Page, kind: str) -> dict[str, Any]:
    """Return what a browser that joins now is told of *kind*."""
    wires = [message.wire.decode() for message in page.site.hub.since(0)]
    wire = next(wire for wire in wires if f"event: {kind}\n" in wire)
    told: dict[str, Any] = json.loads(wire.partition("data: ")[2])
    return told


def ran(work: Coroutine[Any, Any, T]) -> T:
    """Return what *work* gives, on a thread of its own: this one may have a browser's loop already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def asked(page: Page, path: str) -> httpx.Response:
    """Return what the server answers to a browser that opens *path*."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(application(page.site))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as browser:
            return await browser.get(path)

    return ran(ask())


def test_the_address_in_capitals_leads_to_the_board(shown: Showing) -> None:
    """So it stands in the QR code, which is smaller that way."""
    answer = asked(shown.page, "/BOARD")

    assert (answer.status_code, answer.headers["location"]) == (307, "/board")
    assert "board.js" in asked(shown.page, "/board").text


def test_the_chance_is_told_with_every_game_that_has_one(shown: Showing) -> None:
    shown.play("mexico_whole_game", 10)

    told = newest(shown.page, "game")["chance"]
    assert (told["kind"], told["score"], told["by_next"]) == ("beaten", "53", "65/81")


@pytest.mark.parametrize("name", ["mexico_whole_game", "liars_common_calls", "mexican_changsha_round"])
def test_where_the_house_keeps_chances_to_itself_none_leaves_the_table(tmp_path: Path, name: str) -> None:
    quiet, open_ = unserved(tmp_path, "[page]\nodds = false"), unserved(tmp_path)
    for events in range(1, len(golden(name)[1])):
        quiet.play(name, events)
        open_.play(name, events)
        told, all_of_it = newest(quiet.page, "game"), newest(open_.page, "game")
        assert told["chance"] is None
        assert not {"odds", "expected"} & set(told["facts"])
        assert {**all_of_it, "chance": None, "facts": told["facts"]} == told


@pytest.mark.parametrize(
    ("name", "events", "large", "by"),
    [
        ("mexican_changsha_round", 4, "62", "B"),
        ("liars_common_calls", 2, "3x5", "B"),
        ("liars_individual_round", 6, "4422", "A"),
        ("mexico_whole_game", 10, None, None),
    ],
)
def test_what_is_claimed_is_told_with_who_claims_it(
    shown: Showing, name: str, events: int, large: str | None, by: str | None
) -> None:
    shown.play(name, events)
    claim = newest(shown.page, "game")["claim"]

    assert (claim and claim["large"], claim and claim["by"]) == (large, by)


def test_a_new_game_begins_with_an_empty_story_also_for_who_looks_on_already(shown: Showing) -> None:
    shown.play("mexico_whole_game")
    assert newest(shown.page, "story")["rounds"]
    shown.page.view(View(phase=Phase.OVER))
    shown.page.view(View(phase=Phase.PLAYING, facts={"rounds_played": 0}))

    assert newest(shown.page, "story") == {}


def test_a_throw_that_is_taken_back_at_the_very_end_keeps_the_story(shown: Showing) -> None:
    shown.play("mexico_whole_game")
    before = newest(shown.page, "story")
    shown.show(phase=Phase.DISPUTED)
    shown.show(phase=Phase.PLAYING, note=Note.DECIDED)

    assert newest(shown.page, "story") == before


def test_who_looks_on_hears_a_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a browser finds out that its line was cut, which nobody tells it."""
    monkeypatch.setattr(stream, "SIGN_OF_LIFE_S", 0.01)
    heard = stream.news(Hub(), "")

    async def three() -> list[bytes]:
        return [await anext(heard) for _ in range(3)]

    assert b"event: here\ndata: {}\n\n" in ran(three())[1]
