"""Rendered throws: honest dice, in the tray, through nothing, and wrong in the way that was asked for."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from vision.render import DICE, RenderedDie, hang_camera
from vision.render.roll import roll
from vision.render.throw import ThrowKind, gap_mm, in_tray, throw
from vision.render.tray import TRAY

SETS = tuple(DICE)
KINDS = tuple(ThrowKind)


def _throws(kind: ThrowKind, count: int, dice: int = 2) -> list[tuple[RenderedDie, ...]]:
    return [throw(random.Random(f"{kind} {seed}"), dice, kind, sets=SETS) for seed in range(count)]


def test_the_same_chance_throws_the_same_dice() -> None:
    assert throw(random.Random(9), 3) == throw(random.Random(9), 3)


@pytest.mark.parametrize("kind", KINDS)
def test_dice_never_cut_one_another(kind: ThrowKind) -> None:
    tightest = (
        min(
            gap_mm(one, two)
            for dice in _throws(kind, 500 if kind is ThrowKind.FLAT else 120)
            for one, two in itertools.combinations(dice, 2)
        )
        if kind is not ThrowKind.MISSING
        else 0.0
    )

    assert tightest > -1e-6


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("outside", "rim")])
def test_dice_stay_in_the_tray(kind: ThrowKind) -> None:
    assert all(in_tray(die) for dice in _throws(kind, 200) for die in dice)


@pytest.mark.parametrize(
    ("kind", "count"),
    [(ThrowKind.MISSING, 1), (ThrowKind.EXTRA, 3), *((k, 2) for k in KINDS if k not in ("missing", "extra"))],
)
def test_how_many_dice_a_throw_shows(kind: ThrowKind, count: int) -> None:
    assert {len(dice) for dice in _throws(kind, 50)} == {count}


def test_every_face_and_every_place_is_as_likely_as_another() -> None:
    dice = [die for seed in range(1500) for die in throw(random.Random(seed))]
    faces = Counter(die.top for die in dice)
    quarters = Counter((die.x_mm > 150, die.y_mm > 110, die.yaw_deg % 90 > 45) for die in dice)

    assert sum((faces[face] - 500) ** 2 / 500 for face in range(1, 7)) < 20.5
    assert sum((count - 375) ** 2 / 375 for count in quarters.values()) < 24.3


def test_flat_dice_lie_flat_on_the_floor_and_clear_of_one_another() -> None:
    for one, two in _throws(ThrowKind.FLAT, 200):
        assert one.tilt_deg == two.tilt_deg == one.lift_mm == two.lift_mm == 0
        assert gap_mm(one, two) >= 2


def test_a_cocked_die_tilts_and_leans_on_a_wall_or_on_a_die() -> None:
    leaning_on = Counter(_leans_on(dice, 17, 40) for dice in _throws(ThrowKind.COCKED, 200))

    assert set(leaning_on) == {"wall", "die"}
    assert min(leaning_on.values()) > 50


@pytest.mark.parametrize(("kind", "on"), [(ThrowKind.SLIGHT_WALL, "wall"), (ThrowKind.SLIGHT_DIE, "die")])
def test_a_die_may_lean_by_little(kind: ThrowKind, on: str) -> None:
    assert {_leans_on(dice, 8, 17) for dice in _throws(kind, 100)} == {on}


def _leans_on(dice: tuple[RenderedDie, ...], least_deg: float, most_deg: float) -> str:
    """What the one tilted die of *dice* touches on the side on which it is raised, below the top of what it touches."""
    (die,), (other,) = ([d for d in dice if (d.tilt_deg > 0) is tilted] for tilted in (True, False))
    assert least_deg <= die.tilt_deg <= most_deg
    assert die.lift_mm == other.tilt_deg == other.lift_mm == 0
    touch_high = die.size_mm * np.sin(np.radians(die.tilt_deg))
    if touch_high < other.size_mm and abs(gap_mm(die, other)) < 1e-6:
        return "die"
    return "wall" if _to_wall_mm(die) < 1e-6 and touch_high < TRAY.rim_high else "nothing"


def _to_wall_mm(die: RenderedDie) -> float:
    """How far the die is from the nearest wall."""
    rooms = ((die.x_mm, (-1, 0, 0)), (300 - die.x_mm, (1, 0, 0)), (die.y_mm, (0, -1, 0)), (220 - die.y_mm, (0, 1, 0)))
    return min(abs(room - die.reach_mm(way)) for room, way in rooms)


@pytest.mark.parametrize(("kind", "dice"), [(ThrowKind.WALL, 2), (ThrowKind.COCKED_WALL, 2)])
def test_a_die_at_the_wall_touches_it(kind: ThrowKind, dice: int) -> None:
    assert all(min(map(_to_wall_mm, throw)) < 1e-6 for throw in _throws(kind, 100, dice))


def test_a_die_on_the_rim_lies_on_top_of_it_and_not_on_the_floor() -> None:
    for dice in _throws(ThrowKind.RIM, 60):
        (out,) = (die for die in dice if not in_tray(die))
        assert out.lift_mm in (TRAY.rim_high, TRAY.backstop_high)
        assert not TRAY.holds(out.x_mm, out.y_mm)


def test_a_die_on_the_rim_is_clear_of_a_wall_that_is_higher() -> None:
    wide, deep = TRAY.floor
    for dice in _throws(ThrowKind.RIM, 200):
        (out,) = (die for die in dice if not in_tray(die))
        if 0 < out.y_mm < deep:
            assert out.y_mm >= out.reach_mm((0, -1, 0)) - 1e-6
        else:
            assert out.reach_mm((-1, 0, 0)) - 1e-6 <= out.x_mm <= wide - out.reach_mm((1, 0, 0)) + 1e-6


def test_about_half_the_dice_of_a_heap_touch_another() -> None:
    for dice in _throws(ThrowKind.HEAP, 12, 24):
        touching = sum(any(abs(gap_mm(one, two)) < 1e-6 for two in dice if two is not one) for one in dice)
        assert len(dice) == 24
        assert touching >= 8


def test_dice_of_ones_own_are_thrown_instead_of_those_by_name() -> None:
    mine = RenderedDie(0, 0, 0, 1, size_mm=13.0)

    assert {die.size_mm for die in throw(random.Random(3), 4, pool=[mine])} == {13.0}


def test_a_stacked_die_lies_on_another_with_its_weight_above_it() -> None:
    for dice in _throws(ThrowKind.STACKED, 200):
        lower, upper = sorted(dice, key=lambda die: die.lift_mm)
        assert (lower.lift_mm, upper.lift_mm) == (0, lower.size_mm)
        assert np.hypot(upper.x_mm - lower.x_mm, upper.y_mm - lower.y_mm) < lower.size_mm / 2


def test_touching_dice_touch() -> None:
    assert max(abs(gap_mm(one, two)) for one, two in _throws(ThrowKind.TOUCHING, 200)) < 1e-6


def test_one_die_lies_outside_on_the_table_in_sight_of_every_camera() -> None:
    cameras = [hang_camera(seed, (160, 120), TRAY) for seed in range(6)]
    for dice in _throws(ThrowKind.OUTSIDE, 60):
        (out,) = (die for die in dice if not in_tray(die))
        assert out.lift_mm == -TRAY.foot
        for camera in cameras:
            x, _ = camera.project(out.centre_mm)
            assert 0 < x < 159


def test_five_dice_fit_and_five_hundred_do_not() -> None:
    assert len(throw(random.Random(1), 5)) == 5
    with pytest.raises(ValueError, match="500 dice do not fit"):
        throw(random.Random(1), 500)


@pytest.mark.parametrize("kind", [ThrowKind.STACKED, ThrowKind.TOUCHING])
def test_one_die_alone_is_neither_stacked_nor_touching(kind: ThrowKind) -> None:
    with pytest.raises(ValueError, match="needs 2 dice"):
        throw(random.Random(1), 1, kind)


@pytest.mark.parametrize(
    ("one", "two", "gap"),
    [
        pytest.param(RenderedDie(0, 0, 0, 1), RenderedDie(20, 0, 0, 1), 4, id="side by side"),
        pytest.param(RenderedDie(0, 0, 0, 1), RenderedDie(0, 0, 45, 1, lift_mm=17), 1, id="one above the other"),
        pytest.param(RenderedDie(0, 0, 0, 1), RenderedDie(10, 0, 0, 1), -6, id="one in the other"),
    ],
)
def test_the_gap_between_two_dice(one: RenderedDie, two: RenderedDie, gap: float) -> None:
    assert gap_mm(one, two) == pytest.approx(gap)


@pytest.mark.parametrize("kind", KINDS)
def test_a_roll_ends_exactly_as_the_dice_landed(kind: ThrowKind) -> None:
    landed = throw(random.Random(3), 2, kind)
    film = roll(random.Random(4), landed, 30)

    assert len(film) == 30
    assert film[-1] == landed


@pytest.fixture(scope="module")
def films() -> list[tuple[tuple[RenderedDie, ...], ...]]:
    return [roll(random.Random(seed), throw(random.Random(seed)), 40) for seed in range(25)]


def test_rolling_dice_come_in_from_the_front_meet_the_backstop_and_slow_down(
    films: list[tuple[tuple[RenderedDie, ...], ...]],
) -> None:
    for way in (way for film in films for way in zip(*film, strict=True)):
        places = np.array([die.centre_mm for die in way])
        steps = np.linalg.norm(np.diff(places[:, :2], axis=0), axis=1)
        assert places[0][1] > 220
        assert places[:, 1].min() < 24
        assert steps[5:12].mean() > 2 * steps[25:32].mean()


def test_rolling_dice_stay_above_the_floor_behind_the_walls_and_clear_the_front_rim(
    films: list[tuple[tuple[RenderedDie, ...], ...]],
) -> None:
    for die in (die for film in films for dice in film for die in dice):
        assert die.lift_mm >= -1e-6
        assert die.y_mm - die.reach_mm((0, -1, 0)) > -1e-6
        assert die.y_mm > 220 or die.reach_mm((-1, 0, 0)) - 1e-6 < die.x_mm < 300 + 1e-6 - die.reach_mm((1, 0, 0))
        assert not (212 < die.y_mm < 240 and die.moves) or die.lift_mm > TRAY.rim_high


def test_rolling_dice_hardly_ever_pass_through_one_another(
    films: list[tuple[tuple[RenderedDie, ...], ...]],
) -> None:
    assert sum(any(gap_mm(*dice) < -0.5 for dice in film) for film in films) <= 1


def test_dice_move_until_they_rest_and_never_again() -> None:
    film = roll(random.Random(8), throw(random.Random(8)), 40)
    for way in zip(*film, strict=True):
        moving = [die.moves for die in way]
        last = max(step for step, moves in enumerate(moving) if moves)
        assert 25 <= last < 39
        assert all(die == way[-1] for die in way[last + 1 :])


def test_a_roll_of_one_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="2 frames or more"):
        roll(random.Random(1), throw(random.Random(1)), 1)
