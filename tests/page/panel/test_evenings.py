"""Statistics at the panel: evening by evening, and the test of the dice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.firmware.conftest import Bench
from tests.page.panel.conftest import Browser, Desk

Play = Callable[[], Bench]


def test_an_evening_is_told_by_seat_and_grows_with_the_game(inside: Browser, play: Play) -> None:
    assert inside.get("/panel/evenings").json() == {"evenings": []}
    bench = play()
    bench.throw(5, 4)

    (evening,) = inside.get("/panel/evenings").json()["evenings"]
    assert (evening["evening"], evening["games"], evening["kind"]) == (1, [1], "real")
    told = inside.get("/panel/evenings/1").json()
    assert (told["rolls"], told["mexicos"]) == (1, 0)
    assert {seat["name"]: seat["rolls"] for seat in told["seats"]} == {"A": 1, "B": 0, "C": 0}
    assert told["fairness"]["found"][0]["counts"] == [0, 1, 1, 1, 1, 1]

    bench.throw(2, 1)
    assert inside.get("/panel/evenings/1").json()["mexicos"] == 1


def test_after_the_dice_were_swapped_they_are_counted_anew(inside: Browser, play: Play) -> None:
    bench = play()
    bench.throw(5, 4)

    assert inside.post("/panel/dice", {"swapped": True}).json() == {"ok": True}

    assert inside.get("/panel/evenings/1").json()["fairness"]["throws"] == 0
    bench.throw(6, 4)
    assert inside.get("/panel/evenings/1").json()["fairness"]["throws"] == 1


@pytest.mark.parametrize("body", [{}, {"swapped": False}, {"swapped": "yes"}, {"swapped": True, "more": 1}])
def test_only_a_swap_is_a_swap(desk: Desk, inside: Browser, body: object) -> None:
    assert inside.post("/panel/dice", body).status_code == 400
    assert not desk.folder.dice.exists()


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999", "-1", "x"])
def test_an_evening_that_was_not_is_told(inside: Browser, play: Play, number: str) -> None:
    play()

    assert inside.get(f"/panel/evenings/{number}").status_code == 404
