"""The readings of one rest: what is believed, and what is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from vision.motion.lying import was_thrown, were_touched
from vision.motion.tally import CONFIRM, LONG_PATIENCE, NOTHING, PATIENCE, Tally
from vision.types import Die, Fault, TrayReading


def die(face: int | None, x: float, yaw: float = 20.0) -> Die:
    """Return a die of 20 pixels at *x*."""
    corners = ((x - 10, 40.0), (x + 10, 40.0), (x + 10, 60.0), (x - 10, 60.0))
    return Die(face, (x, 50.0), None, yaw, 0.9, corners)


FOUR_ONE = TrayReading.read((die(4, 50), die(1, 150)))
NOT_FLAT = TrayReading.refused(Fault.COCKED, "leans")
BLURRED = TrayReading.refused(Fault.MOVING, "blurred")


def after(readings: Iterable[TrayReading]) -> TrayReading | None:
    """Return the first verdict over *readings*, None when there is none at the end."""
    tally = Tally()
    for reading in readings:
        tally = tally.add(reading)
        if (verdict := tally.verdict()) is not None:
            return verdict
    return None


def test_as_many_readings_as_agree_are_believed() -> None:
    assert after([FOUR_ONE] * (CONFIRM - 1)) is None
    assert after([FOUR_ONE] * CONFIRM) is FOUR_ONE


def test_a_blurred_first_picture_only_delays() -> None:
    assert after([BLURRED] + [FOUR_ONE] * (CONFIRM - 1)) is None
    assert after([BLURRED] + [FOUR_ONE] * CONFIRM) is FOUR_ONE


def test_one_reading_of_ten_may_say_that_a_die_leans() -> None:
    assert after([NOT_FLAT] + [FOUR_ONE] * 8) is None
    assert after([NOT_FLAT] + [FOUR_ONE] * 9) is FOUR_ONE


def test_a_rest_in_which_a_die_leans_now_and_then_is_refused() -> None:
    verdict = after(([NOT_FLAT] + [FOUR_ONE] * 3) * 4)

    assert verdict is NOT_FLAT


def test_two_faces_for_one_die_are_refused_whatever_comes_after() -> None:
    other = TrayReading.read((die(4, 50), die(3, 151)))
    verdict = after([other, *[FOUR_ONE] * 40])

    assert verdict is not None
    assert verdict.fault is Fault.UNSURE


def test_a_die_that_slides_to_its_place_is_read_there() -> None:
    sliding = TrayReading.read((die(4, 50), die(1, 130)))

    assert after([sliding, *[FOUR_ONE] * (CONFIRM + 1)]) is FOUR_ONE


@pytest.mark.parametrize(
    ("refusal", "patience"),
    [
        (NOT_FLAT, CONFIRM),
        (TrayReading.refused(Fault.UNSURE, "its pips are not clear"), PATIENCE),
        (TrayReading.refused(Fault.MISSING, "one of two"), LONG_PATIENCE),
    ],
    ids=["cocked: nothing of it is read any more", "unsure", "missing: one may be late"],
)
def test_refusals_need_patience(refusal: TrayReading, patience: int) -> None:
    assert after([refusal] * (patience - 1)) is None
    assert after([refusal] * patience) is refusal


def test_a_throw_that_three_readings_say_is_not_flat_is_refused_for_that() -> None:
    unsure = TrayReading.refused(Fault.UNSURE, "its pips are not clear")

    assert after([unsure] * 8 + [NOT_FLAT] * 2) is None
    assert after([unsure] * 8 + [NOT_FLAT] * 3) is NOT_FLAT
    five_one = TrayReading.read((die(5, 50), die(1, 150)))
    assert after([FOUR_ONE, NOT_FLAT, five_one, NOT_FLAT, NOT_FLAT]) is NOT_FLAT, "though one die was told two faces"


def test_an_empty_tray_is_known_at_once() -> None:
    empty = TrayReading.refused(Fault.MISSING, NOTHING)

    assert after([empty] * (CONFIRM - 1)) is None
    assert after([empty] * CONFIRM) is empty


def test_a_tray_in_which_something_was_seen_is_not_told_to_be_empty() -> None:
    one = TrayReading.refused(Fault.MISSING, "1 of 2 dice lie in the tray", (die(4, 50),))
    empty = TrayReading.refused(Fault.MISSING, NOTHING)

    assert after([*[one] * (LONG_PATIENCE - 1), empty]) is one
    assert after([one, *[empty] * (LONG_PATIENCE - 1)]) is one


BEFORE = FOUR_ONE.dice


@pytest.mark.parametrize(
    ("now", "thrown"),
    [
        pytest.param(BEFORE, False, id="untouched"),
        pytest.param((die(4, 51, 24.0), die(1, 149)), False, id="as untouched as a reading tells"),
        pytest.param((die(4, 65), die(1, 140)), False, id="both nudged"),
        pytest.param((die(2, 52), die(6, 149)), False, id="both turned over in their places"),
        pytest.param((die(4, 50), die(6, 250)), False, id="only one was thrown"),
        pytest.param((die(4, 50, 45.0), die(1, 250)), False, id="one turned, the other far, with the same faces"),
        pytest.param((die(2, 50, 45.0), die(1, 250)), True, id="one in an old place but turned over, the other far"),
        pytest.param((die(1, 250), die(4, 350)), False, id="both pushed far, with the same faces"),
        pytest.param((die(4, 105), die(2, 205)), True, id="both aside, one with another face"),
        pytest.param((die(4, 250), die(4, 350)), True, id="both far, one with another face"),
        pytest.param((die(4, 50),), False, id="one is gone"),
    ],
)
def test_a_throw_moves_every_die_and_far(now: tuple[Die, ...], thrown: bool) -> None:
    assert was_thrown(now, BEFORE, number=2, hidden=False, gone=False) is thrown
    assert was_thrown(tuple(reversed(now)), BEFORE, number=2, hidden=False, gone=False) is thrown


def test_the_same_faces_are_a_throw_only_where_the_tray_was_bare_before() -> None:
    far = (die(4, 250), die(1, 350))

    assert was_thrown(far, BEFORE, number=2, hidden=False, gone=True)
    assert not was_thrown(far, BEFORE, number=2, hidden=True, gone=False), "a hand rested over them, and pushed them"
    assert not was_thrown((die(4, 65), die(1, 140)), BEFORE, number=2, hidden=False, gone=True), "nudged"


def test_under_a_cup_other_faces_in_the_old_places_are_a_throw() -> None:
    other = (die(2, 52), die(6, 149))

    assert was_thrown(other, BEFORE, number=2, hidden=True, gone=False)
    assert not was_thrown(BEFORE, BEFORE, number=2, hidden=True, gone=False)


def test_a_second_die_is_news_when_any_number_may_be_thrown() -> None:
    assert was_thrown(BEFORE, BEFORE[:1], number=None, hidden=False, gone=False)
    assert not was_thrown(BEFORE, BEFORE[:1], number=2, hidden=False, gone=False)


def test_a_die_whose_face_was_not_told_is_known_by_its_place() -> None:
    unknown = tuple(replace(d, face=None) for d in BEFORE)

    assert not was_thrown(BEFORE, unknown, number=2, hidden=False, gone=False)


@pytest.mark.parametrize(
    ("now", "touched"),
    [(BEFORE, False), ((die(4, 50), die(1, 160)), True), ((die(4, 50, 40.0), die(1, 150)), True), (BEFORE[:1], True)],
    ids=["as it was", "pushed", "turned", "one taken away"],
)
def test_what_was_touched(now: tuple[Die, ...], touched: bool) -> None:
    assert were_touched(now, BEFORE) is touched


# --- how closely the next picture is looked at ---


def looks(readings: Iterable[TrayReading]) -> list[int]:
    """Return which of *readings*, from 0, are those of a close look."""
    tally, closely = Tally(), []
    for k, reading in enumerate(readings):
        if tally.looks_closely:
            closely.append(k)
        tally = tally.add(reading)
    return closely


def test_what_two_close_looks_do_not_find_is_looked_for_in_every_fifth_picture() -> None:
    assert looks([TrayReading.refused(Fault.UNSURE, "its pips are not clear")] * PATIENCE) == [0, 1, 5, 10]


def test_what_a_close_look_finds_is_looked_for_until_it_is_believed() -> None:
    unsure = TrayReading.refused(Fault.UNSURE, "its pips are not clear")

    assert looks([unsure, FOUR_ONE, unsure, *[FOUR_ONE] * 6]) == list(range(9))


def test_dice_that_still_move_do_not_use_up_the_close_looks() -> None:
    assert looks([*[BLURRED] * 4, FOUR_ONE]) == list(range(5))


def test_where_a_die_leans_too_often_to_be_read_nothing_is_looked_at_closely() -> None:
    assert looks([NOT_FLAT] * PATIENCE) == [0, 1]
