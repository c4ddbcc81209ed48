"""Debouncing, on contacts that bounce at random."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.devices import Key
from hardware.edges import Contact, look
from hardware.simulated import SimulatedButtons, SimulatedClock

QUIET_S = 0.03

gaps_ms = st.lists(st.integers(0, 120), max_size=40)


def heard_of(gaps: list[int]) -> tuple[list[tuple[float, bool]], bool]:
    """Let a contact change after each of *gaps* milliseconds; return what was reported, and how it ended."""
    contact, closed, now, reports = Contact(), False, 0.0, []

    def at(time_s: float) -> None:
        nonlocal contact
        before = contact
        contact = look(contact, closed, time_s, QUIET_S)
        if contact.closed != before.closed:
            reports.append((time_s, contact.closed))

    for gap in gaps:
        now += gap / 1000
        while contact.look_again_s is not None and contact.look_again_s <= now:
            at(contact.look_again_s)
        closed = not closed
        at(now)
    while contact.look_again_s is not None:
        at(contact.look_again_s)
    return reports, closed


@given(gaps_ms)
def test_however_a_contact_bounces_presses_and_releases_take_turns(gaps: list[int]) -> None:
    reports, _ = heard_of(gaps)

    assert [pressed for _, pressed in reports] == [n % 2 == 0 for n in range(len(reports))]


@given(gaps_ms)
def test_however_a_contact_bounces_the_last_word_is_how_it_came_to_rest(gaps: list[int]) -> None:
    reports, closed = heard_of(gaps)

    assert (reports[-1][1] if reports else False) == closed


@given(gaps_ms)
def test_no_two_edges_are_reported_within_the_quiet_time(gaps: list[int]) -> None:
    reports, _ = heard_of(gaps)

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
