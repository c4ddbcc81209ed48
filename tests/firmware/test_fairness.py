"""The test of the dice: that it may be looked at all the time, what it finds, and which dice it may look at."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from itertools import product
from math import exp, lgamma, log

import pytest

from benchmarks.fairness import FAIR, loaded, pairs
from firmware.dice_colours import TELLS, WARM_UP, Apart, named
from firmware.fairness import ALPHA, FIRM, Evidence, Fall, Watch, fairness, falls_of
from mexico.throw import FACES

RED, WHITE = "#b41e20", "#f0f0ee"


def after(*throws: Sequence[int]) -> Evidence:
    evidence = Evidence()
    for faces in throws:
        evidence.see(faces)
    return evidence


def then(evidence: Evidence, faces: Sequence[int]) -> float:
    further = copy.deepcopy(evidence)
    further.see(faces)
    return further.now


PASTS = [(), ((6, 6),), ((6, 6), (6, 1), (6,), (5, 2)), tuple((face,) for face in (1, 2, 2, 3, 3, 3, 6) * 30)]


@pytest.mark.parametrize("past", PASTS)
def test_no_throw_of_fair_dice_is_expected_to_change_the_evidence(past: tuple[tuple[int, ...], ...]) -> None:
    evidence = after(*past)

    assert sum(then(evidence, (face,)) for face in FACES) / 6 == pytest.approx(evidence.now, rel=1e-9)
    assert sum(then(evidence, fall) for fall in product(FACES, FACES)) / 36 == pytest.approx(evidence.now, rel=1e-9)


def beta(*values: float) -> float:
    return sum(map(lgamma, values)) - lgamma(sum(values))


@pytest.mark.parametrize("past", PASTS)
def test_the_evidence_is_the_ratio_of_likelihoods_in_closed_form(past: tuple[tuple[int, ...], ...]) -> None:
    evidence = after(*past)
    counts, total = evidence.counts, sum(evidence.counts)
    free = exp(beta(*(FIRM + count for count in counts)) - beta(*[FIRM] * 6) + total * log(6))
    one_face = [
        exp(
            beta(FIRM + count, 5 * FIRM + total - count)
            - beta(FIRM, 5 * FIRM)
            + count * log(6)
            + (total - count) * log(6 / 5)
        )
        for count in counts
    ]

    assert evidence.now == pytest.approx((free + sum(one_face) / 6) / 2, rel=1e-9)


def test_in_what_order_dice_are_told_means_nothing() -> None:
    assert after((6, 1), (2, 3)).now == pytest.approx(after((3, 2), (1, 6)).now, rel=1e-12)


def test_fair_dice_come_to_an_alarm_no_more_often_than_is_said() -> None:
    rng, runs = random.Random(5), 300
    alarms = 0
    for _ in range(runs):
        watch = Watch(alpha=0.05)
        for number, pair in enumerate(pairs(rng, FAIR, FAIR)):
            watch.see(Fall(pair))
            if number == 300:
                break
        alarms += watch.alarm

    assert alarms <= 0.05 * runs


@pytest.mark.parametrize("six", [0.25, 0.30])
def test_dice_that_show_six_too_often_are_found_within_an_evening(six: float) -> None:
    found = fairness(map(Fall, pairs(random.Random(7), loaded(six), loaded(six))))

    assert found.alarm
    assert found.found[0].odd_face == 6
    assert found.advice.startswith("swap the dice: they showed six ")
    assert found.advice.endswith("fair dice come to this in at most one evening of 1000")


def test_a_face_that_hardly_ever_falls_is_found_as_well() -> None:
    shunned = (0.02, *((1 - 0.02) / 5,) * 5)

    assert "they showed one only " in fairness(map(Fall, pairs(random.Random(7), shunned, shunned))).advice


def test_the_one_loaded_die_of_two_is_named_by_its_colour() -> None:
    rolls = pairs(random.Random(1), loaded(0.3), FAIR)
    found = fairness(
        Fall(pair, (RED, WHITE)) if n % 2 else Fall(pair[::-1], (WHITE, RED)) for n, pair in enumerate(rolls)
    )
    pool, *dice = found.found

    assert {finding.name for finding in dice} == {"the red die", "the white die"}
    assert sum(pool.counts) == 4000
    assert [sum(finding.counts) for finding in dice] == [2000, 2000]
    assert [finding.name for finding in dice if finding.alarm_after] == ["the red die"]
    assert found.advice.startswith("swap the red die: it showed six ")
    assert [finding.needed for finding in (pool, *dice)] == [2 / ALPHA, 4 / ALPHA, 8 / ALPHA]


def test_an_alarm_stays_however_the_dice_fall_afterwards() -> None:
    watch = Watch()
    for _ in range(12):
        watch.see(Fall((6, 6)))
    reached = watch.report().found[0].alarm_after
    for n in range(600):
        watch.see(Fall(((n % 6) + 1,)))
    now = watch.report().found[0]

    assert reached is not None
    assert now.alarm_after == reached
    assert now.evidence < now.needed <= now.peak
    assert watch.report().alarm


def test_evidence_without_bounds_stays_a_number() -> None:
    assert fairness([Fall((6, 6))] * 2000).found[0].peak < 1e305


# --- which dice count ---


def roll(*faces: int) -> dict[str, object]:
    return {"type": "roll", "player": "A", "faces": list(faces)}


def test_dice_thrown_in_the_open_count_also_where_the_throw_was_taken_back() -> None:
    events: list[dict[str, object]] = [
        {"type": "die", "player": "A", "face": 4},
        roll(2, 5),
        {"type": "void", "event": 2, "by": ["A", "B"], "why": "void this roll"},
        {"type": "bad_roll", "player": "A", "why": "cocked"},
        roll(1, 1),
    ]

    assert [fall.faces for fall in falls_of(events)] == [(4,), (5, 2), (1, 1)]


def test_of_a_throw_that_was_read_again_only_the_second_reading_counts() -> None:
    events = [roll(6, 5), {"type": "void", "event": 1, "by": ["A", "B"], "why": "read it again"}, roll(6, 4)]

    assert [fall.faces for fall in falls_of(events)] == [(6, 4)]


def test_a_throw_that_was_read_again_alike_counts_and_one_that_was_found_does_not() -> None:
    again: dict[str, object] = {"type": "read_again", "event": 1, "by": ["A", "B"]}

    assert len(falls_of([roll(6, 5), again])) == 1
    assert falls_of([roll(6, 5), {**again, "why": "count this roll"}]) == ()


@pytest.mark.parametrize("kind", ["cup_lifted", "show_special", "reveal", "roll_outside", "show"])
def test_dice_that_somebody_knew_before_they_were_read_never_count(kind: str) -> None:
    assert falls_of([{"type": kind, "player": "A", "faces": [6, 6]}]) == ()


def test_colours_that_do_not_belong_to_the_faces_are_not_believed() -> None:
    events = [roll(2, 5), roll(2, 5)]
    seen = {1: ((5, RED), (2, WHITE)), 2: ((5, RED), (3, WHITE))}

    assert falls_of(events, seen) == (Fall((5, 2), (RED, WHITE)), Fall((5, 2)))


# --- two dice told apart ---


def told(colours: Sequence[tuple[str, str]]) -> tuple[Apart, list[tuple[int, tuple[int, ...]]]]:
    apart = Apart()
    return apart, [(first, tuple(faces)) for pair in colours for first, faces in apart.see((1, 2), pair)]


def test_dice_of_one_colour_are_never_told_apart() -> None:
    assert told([(RED, RED)] * 100)[1] == []


def test_dice_of_colours_that_are_alike_are_not_told_apart() -> None:
    assert told([(RED, "#c02830"), ("#b41e50", "#a01010")] * 50)[1] == []


def test_dice_that_only_now_and_then_look_different_are_not_told_apart() -> None:
    assert told([(RED, WHITE), (RED, RED)] * 50)[1] == []


def test_each_die_keeps_its_number_whichever_is_told_first() -> None:
    apart, found = told([(RED, WHITE), (WHITE, RED)] * 10)

    assert found == [(0, (1, 2)), (0, (2, 1))] * 10
    assert named(apart.colours) == ("red", "white")


def test_nothing_is_told_apart_before_the_warm_up_is_over() -> None:
    assert told([(RED, WHITE)] * (WARM_UP - 1))[1] == []


def test_other_dice_get_other_numbers() -> None:
    apart, found = told([(RED, WHITE)] * 20 + [("#1c469e", "#e8c024")] * 30)

    assert {first for first, _ in found} == {0, 2}
    assert named(apart.colours) == ("red", "white", "blue", "yellow")


def test_a_die_that_shines_once_is_still_the_same() -> None:
    _, found = told([(RED, WHITE)] * 20 + [("#d89090", WHITE), (WHITE, "#d89090")])

    assert found[-2:] == [(0, (1, 2)), (0, (2, 1))]


def test_dice_of_one_colour_that_come_after_two_are_not_told_apart_by_which_is_higher() -> None:
    pink = "#d87c7c"
    _, found = told([(RED, WHITE)] * 20 + [(pink, pink)] * 30)

    assert len(found) == 20


def test_single_dice_and_throws_without_colours_are_told_nothing_of() -> None:
    apart = Apart()

    assert [list(apart.see((6,), (RED,))), list(apart.see((6, 5), ()))] == [[], []]
    assert TELLS > 0
