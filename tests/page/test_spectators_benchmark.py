"""The benchmark of spectators: what nobody heard and a game that stands still are told."""

from __future__ import annotations

import pytest

from benchmarks.spectators import Heard, Phase, report

PUBLISHED = [(number, 10 + number / 10, "story") for number in range(20)]


def _heard(messages: int, *, slow: bool = False) -> Heard:
    return Heard(slow, [(time_s + 0.01, number, kind) for number, time_s, kind in PUBLISHED[:messages]])


def _told(*crowd: Heard, before: int = 60, stored: int = 30) -> str:
    phases = [Phase(1, 0.0, 6.0, before, 1.2, [50.0]), Phase(3, 9.0, 15.0, stored, 1.5, [50.0])]
    return report("A game", phases, [*crowd, _heard(0, slow=True)], PUBLISHED)


@pytest.mark.parametrize(
    ("heard", "line"),
    [
        pytest.param([20, 20], "20 messages in 6 s, 20 heard by all; 0 of 40 deliveries never came.", id="nothing"),
        pytest.param([20, 5], "20 messages in 6 s, 5 heard by all; 15 of 40 deliveries never came.", id="some to one"),
        pytest.param([20, 0], "20 messages in 6 s, 0 heard by all; 20 of 40 deliveries never came.", id="all to one"),
        pytest.param([5, 5], "20 messages in 6 s, 5 heard by all; 30 of 40 deliveries never came.", id="some to all"),
    ],
)
def test_what_never_came_is_told(heard: list[int], line: str) -> None:
    assert line in _told(*map(_heard, heard))


def test_what_is_heard_when_all_come_again_came_too_late() -> None:
    late = _heard(5)
    late.events.append((20.0, 99, "story"))

    assert "15 of 40 deliveries never came" in _told(_heard(20), late)


def test_a_game_that_goes_on_is_told_by_its_pace() -> None:
    text = _told(_heard(20))

    assert "| 3 | 300 | 25 % | 50 | 50 |" in text
    assert "The game went on at 0.50 times the pace" in text


def test_a_game_that_stands_still_is_told() -> None:
    text = _told(_heard(20), stored=0)

    assert "| 3 | 0 | 25 % |  | 50 |" in text
    assert "The game went on at 0.00 times the pace" in text


def test_a_game_that_stood_still_before_is_no_pace_to_compare_with() -> None:
    assert _told(_heard(20), before=0).endswith("The game stood still with the slow ones alone.")
