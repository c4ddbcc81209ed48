"""Debouncing, on contacts that bounce at random."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.devices import Key
from hardware.edges import Contact, edge, look
from hardware.simulated import SimulatedButtons, SimulatedClock

QUIET_S = 0.03

gaps_ms = st.lists(st.integers(0, 120), max_size=40)
late_ms = st.lists(st.integers(0, 400), min_size=40, max_size=40)


def heard_of(gaps: list[int], late: list[int] | None = None) -> tuple[list[tuple[float, bool]], bool]:
    """Let a contact change after each of *gaps* milliseconds; return what was reported, and how it ended.

    Every edge is told *late* by so many milliseconds, with the time at which it was; none overtakes another.
    """
    times = [gap / 1000 for gap in accumulate(gaps)]
    told = accumulate((time_s + n / 1000 for time_s, n in zip(times, late or [0] * len(times), strict=False)), max)
    contact, now, reports = Contact(), 0.0, list[tuple[float, bool]]()

    def believe(after: Contact, time_s: float) -> None:
        nonlocal contact
        if after.closed != contact.closed:
            reports.append((time_s, after.closed))
        contact = after

    def look_until(end_s: float) -> None:
        nonlocal now
        while contact.look_again_s is not None and contact.look_again_s <= end_s:
            now = max(now, contact.look_again_s)
            believe(look(contact, bisect_left(times, now) % 2 == 1, now, QUIET_S), now)

    for number, (time_s, told_s) in enumerate(zip(times, told, strict=True)):
        look_until(told_s)
        now = told_s
        believe(edge(contact, number % 2 == 0, time_s, QUIET_S), time_s)
    look_until(inf)
    return reports, len(gaps) % 2 == 1


@given(gaps_ms, late_ms)
def test_however_a_contact_bounces_presses_and_releases_take_turns(gaps: list[int], late: list[int]) -> None:
    reports, _ = heard_of(gaps, late)

    assert [pressed for _, pressed in reports] == [n % 2 == 0 for n in range(len(reports))]


@given(gaps_ms, late_ms)
def test_however_a_contact_bounces_the_last_word_is_how_it_came_to_rest(gaps: list[int], late: list[int]) -> None:
    reports, closed = heard_of(gaps, late)

    assert (reports[-1][1] if reports else False) == closed


@given(gaps_ms, late_ms)
def test_no_two_edges_are_reported_within_the_quiet_time(gaps: list[int], late: list[int]) -> None:
    reports, _ = heard_of(gaps, late)

    assert all(later - earlier >= QUIET_S - 1e-9 for (earlier, _), (later, _) in pairwise(reports))


@given(st.lists(st.integers(0, 2), min_size=1, max_size=12))
def test_a_burst_of_bounces_is_one_press_at_the_time_of_the_first_touch(bounces: list[int]) -> None:
    gaps = [50, *(bounces if len(bounces) % 2 == 0 else bounces[:-1])]
    reports, closed = heard_of(gaps)

    assert closed
    assert reports == [(0.05, True)]


@pytest.mark.parametrize("tap_ms", [1, 5, 29, 30, 31, 200])
def test_a_tap_of_any_length_is_one_press_and_one_release(tap_ms: int) -> None:
    reports, _ = heard_of([10, tap_ms])

    assert [pressed for _, pressed in reports] == [True, False]
    assert reports[1][0] == pytest.approx(max(0.01 + tap_ms / 1000, 0.01 + QUIET_S))


bounces_ms = st.lists(st.integers(0, 2), max_size=10).map(lambda gaps: gaps[: len(gaps) // 2 * 2])


@given(bounces_ms, st.integers(80, 600), bounces_ms, late_ms)
def test_a_press_that_bounces_is_one_however_late_its_edges_are_told(
    down: list[int], for_ms: int, up: list[int], late: list[int]
) -> None:
    reports, _ = heard_of([50, *down, for_ms, *up], late)

    assert [pressed for _, pressed in reports] == [True, False]
    assert reports[0] == (0.05, True)


def test_two_presses_told_together_after_a_third_of_a_second_are_two() -> None:
    reports, _ = heard_of([50, 80, 100, 80], [350, 275, 180, 105])

    assert reports == [(0.05, True), (0.13, False), (0.23, True), (0.31, False)]


@given(st.lists(st.tuples(st.sampled_from((Key.STOP, Key.SEAT_1)), st.booleans(), st.integers(0, 60)), max_size=30))
def test_two_buttons_pressed_at_once_do_not_disturb_each_other(moves: list[tuple[Key, bool, int]]) -> None:
    def heard(only: frozenset[Key]) -> list[tuple[Key, bool, float]]:
        clock, inbox = SimulatedClock(), list[tuple[Key, bool, float]]()
        buttons = SimulatedButtons(clock)
        buttons.listen(lambda *edge: inbox.append(edge))
        for key, pressed, gap_ms in moves:
            if key in only:
                (buttons.press if pressed else buttons.release)(key)
            clock.advance(gap_ms / 1000)
        clock.advance(1.0)
        return inbox

    both = heard(frozenset({Key.STOP, Key.SEAT_1}))

    for key in (Key.STOP, Key.SEAT_1):
        assert [edge for edge in both if edge[0] == key] == heard(frozenset({key}))
