"""Cups that are drawn: what is under them is not in the picture, whatever it shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.render import Cup, RenderedDie, Table

UNDER = (RenderedDie(140, 100, 20, 4), RenderedDie(165, 118, 50, 6), RenderedDie(150, 130, 5, 2))
OTHERS = tuple(replace(die, top=7 - die.top, yaw_deg=die.yaw_deg + 31) for die in UNDER)
BESIDE = RenderedDie(60, 60, 10, 3)


@pytest.fixture(scope="module")
def small_table() -> Table:
    return Table(seed=3, size=(640, 480))


@pytest.mark.parametrize(
    "cup",
    [
        pytest.param(Cup((150, 112)), id="stands"),
        pytest.param(Cup((150, 112), tilt_deg=20, towards_deg=0), id="tilted, away from the dice's side"),
        pytest.param(Cup((150, 112), wide_mm=95, tilt_deg=12, held=True), id="held up at the front"),
    ],
)
def test_dice_that_the_camera_cannot_see_change_no_bit_of_the_picture(small_table: Table, cup: Cup) -> None:
    with_dice = small_table.picture((*UNDER, BESIDE), seed=1, cup=cup)

    assert np.array_equal(with_dice, small_table.picture((*OTHERS, BESIDE), seed=1, cup=cup))
    assert np.array_equal(with_dice, small_table.picture((BESIDE,), seed=1, cup=cup))


def test_a_die_beside_the_cup_is_seen(small_table: Table) -> None:
    cup = Cup((150, 112))
    bare = small_table.picture((), cup=cup)

    assert not np.array_equal(small_table.picture((BESIDE,), cup=cup), bare)


def test_of_a_die_that_looks_out_from_under_the_rim_only_that_is_seen(small_table: Table) -> None:
    cup = Cup((150, 112), tilt_deg=35, towards_deg=90)
    die = RenderedDie(150, 158, 0, 5)
    without, with_die = (small_table.clean(dice, cup=cup) for dice in ((), (die,)))
    whole = np.any(small_table.clean((die,)) != small_table.clean(()), axis=2)
    seen = np.any(with_die != without, axis=2)

    assert 0 < np.count_nonzero(seen) < np.count_nonzero(whole)
    assert not (seen & ~whole).any()


def test_a_cup_is_the_larger_the_nearer_it_is_held_to_the_camera(small_table: Table) -> None:
    bare = small_table.clean(()).astype(int)
    cups = [Cup((150, 112), bgr=(250, 250, 250), lift_mm=high) for high in (0, 40, 80)]
    sizes = [np.count_nonzero((small_table.clean((), cup=cup) - bare).min(axis=2) > 25) for cup in cups]

    assert sizes[0] < sizes[1] < sizes[2]


def test_a_hand_that_holds_the_cup_comes_from_the_side_at_which_the_rim_is_up(small_table: Table) -> None:
    cup = Cup((150, 112), tilt_deg=25)
    for towards, half in ((0, np.s_[:, 480:]), (180, np.s_[:, :160]), (90, np.s_[400:])):
        tilted = replace(cup, towards_deg=towards)
        free, held = (small_table.clean((), cup=one).astype(int) for one in (tilted, replace(tilted, held=True)))

        assert np.abs(held - free)[half].max() > 40


def test_two_cups_stand_at_the_ends_of_one_tray(small_table: Table) -> None:
    left, right = Cup((75, 110)), Cup((225, 110), bgr=(160, 40, 30))
    both = small_table.clean((), cups=(left, right))

    assert np.array_equal(both[:, :300], small_table.clean((), cup=left)[:, :300])
    assert np.array_equal(both[:, 340:], small_table.clean((), cup=right)[:, 340:])


def test_a_cup_of_the_felts_own_lamp_is_lit_by_it(small_table: Table) -> None:
    dim = Table(seed=3, size=(640, 480), light="dim")
    cup = Cup((150, 112), bgr=(200, 200, 200))
    x, y = (round(value) for value in small_table.project(150, 112, 85))

    assert small_table.clean((), cup=cup)[y, x].mean() > dim.clean((), cup=cup)[y, x].mean() + 40
