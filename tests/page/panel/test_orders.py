"""Orders from the panel: through the table's queue, with a reason, answered in a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware.events import Order, Ordered
from firmware.page import panel as panel_module
from firmware.views import Phase
from tests.firmware.conftest import Bench
from tests.page.panel.conftest import Browser, Desk

Play = Callable[[], Bench]


def last_row(bench: Bench) -> dict[str, object]:
    stored = bench.journal.last()
    assert stored is not None
    return dict(stored.events[-1])


def test_a_bartender_lets_the_game_wait_and_go_on(inside: Browser, play: Play) -> None:
    bench = play()

    assert inside.post("/panel/order", {"order": "pause", "reason": "ein Glas, größer"}).json() == {"ok": True}
    assert bench.phase() is Phase.PAUSED
    assert last_row(bench) == {"type": "pause", "by": ["panel"], "why": "ein Glas, größer"}

    assert inside.post("/panel/order", {"order": "resume"}).status_code == 200
    assert bench.phase() is Phase.PLAYING


def test_the_page_tells_the_last_throw_and_takes_it_back_with_a_reason(inside: Browser, play: Play) -> None:
    bench = play()
    bench.throw(5, 4)

    now = inside.get("/panel/now").json()
    assert (now["game"], now["event"], now["last"]["event"]) == (1, 4, 4)
    assert "rolls 54" in now["last"]["told"]

    order = {"order": "void", "reason": "sleeve", "game": now["game"], "event": now["event"]}
    assert inside.post("/panel/order", order).status_code == 200
    assert last_row(bench) == {"type": "void", "event": 4, "by": ["panel"], "why": "sleeve"}
    assert inside.get("/panel/now").json()["last"]["event"] == 3


def test_of_two_bartenders_who_take_the_same_throw_back_one_is_told(desk: Desk, play: Play) -> None:
    one, other = desk.browsers(2)
    one.enter()
    other.enter()
    bench = play()
    bench.throw(5, 4)
    order = {"order": "void", "reason": "sleeve", "game": 1, "event": 4}

    assert one.post("/panel/order", order).status_code == 200
    answer = other.post("/panel/order", order)

    assert answer.status_code == 409
    assert "something else has happened at the table meanwhile" in answer.json()["error"]
    stored = bench.journal.last()
    assert stored is not None
    assert [event["type"] for event in stored.events].count("void") == 1


def test_who_takes_a_throw_back_says_why(inside: Browser, play: Play) -> None:
    bench = play()
    bench.throw(5, 4)

    for reason in ("", "   "):
        answer = inside.post("/panel/order", {"order": "void", "reason": reason, "game": 1, "event": 4})
        assert answer.status_code == 400
        assert "says why" in answer.json()["error"]
    assert last_row(bench)["type"] == "roll"


@pytest.mark.parametrize(
    "order",
    [
        {},
        {"order": "dance"},
        {"order": "pause", "reason": "x" * 121},
        {"order": "pause", "reason": "two\nlines"},
        {"order": "pause", "reason": "\x1b[2J"},
        {"order": "pause", "reason": 7},
        {"order": "void", "reason": "why"},
        {"order": "void", "reason": "why", "game": 0, "event": 4},
        {"order": "void", "reason": "why", "game": 1},
        {"order": "void", "reason": "why", "game": -1},
        {"order": "void", "reason": "why", "event": 2**60},
        {"order": "pause", "faces": [6, 6]},
        [],
    ],
)
def test_what_is_no_order_is_refused_and_nothing_happens(inside: Browser, play: Play, order: object) -> None:
    bench = play()

    assert inside.post("/panel/order", order).status_code == 400
    assert bench.phase() is Phase.PLAYING
    assert last_row(bench)["type"] == "die"


def test_an_order_that_cannot_be_carried_out_is_answered_in_a_sentence(inside: Browser) -> None:
    answer = inside.post("/panel/order", {"order": "pause"})

    assert answer.status_code == 409
    assert answer.json() == {"error": "no game is on the table that could wait"}


def test_a_table_that_does_not_answer_is_told_and_may_answer_later(
    desk: Desk, inside: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel_module, "ANSWER_S", 0.05)
    orders: list[Ordered] = []
    desk.panel.put = orders.append  # type: ignore[assignment]

    answer = inside.post("/panel/order", {"order": "pause"})

    assert answer.status_code == 503
    assert [order.order for order in orders] == [Order.PAUSE]
    orders[0].answer(None)  # nobody waits any more, and nobody minds
    assert inside.get("/panel/now").status_code == 200


def test_a_restart_ends_the_table_and_is_refused_while_somebody_plays(inside: Browser, play: Play) -> None:
    bench = play()
    assert inside.post("/panel/order", {"order": "restart"}).status_code == 409
    assert bench.controller.running
