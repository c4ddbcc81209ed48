"""Rendered test cases: any one can be drawn again, and the truth about each is what the picture shows."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np
import pytest

from vision.render.case import Case, Tier, draw_case, make_case, seen_part_of, upper_face_mm
from vision.render.designs import Body, design
from vision.render.pose import RenderedDie
from vision.render.sensor import Sensor, Shot
from vision.render.setup import Setup, make_setup
from vision.render.throw import gap_mm, in_tray
from vision.render.truth import LEGIBLE, truth_of
from vision.types import Fault, Frame

SMALL = (320, 240)


@pytest.fixture(scope="module")
def setups() -> list[Setup]:
    return [make_setup(seed, is_good=seed % 3 != 2, size=SMALL) for seed in range(6)]


def _cases(setups: list[Setup], tier: Tier, count: int = 12) -> list[tuple[Setup, Case]]:
    return [(setup, make_case(setup, tier, seed)) for setup in setups for seed in range(count)]


def test_a_case_is_drawn_again_to_the_last_bit(setups: list[Setup]) -> None:
    again = make_setup(1, is_good=True, size=SMALL)
    one, two = (draw_case(setup, make_case(setup, Tier.NORMAL, 4)) for setup in (setups[1], again))

    assert np.array_equal(one, two)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("tier", [Tier.EASY, Tier.NORMAL, Tier.HARD, Tier.MANY])
def test_dice_that_must_be_read_lie_flat_in_the_tray_and_in_sight(setups: list[Setup], tier: Tier) -> None:
    for setup, case in _cases(setups, tier):
        assert case.faces == tuple(sorted((die.top for die in case.dice), reverse=True))
        assert len(case.dice) == case.expected
        assert all(die.tilt_deg == die.lift_mm == 0 and not die.moves for die in case.dice)
        assert all(in_tray(die, setup.table.shape) for die in case.dice)
        assert min(seen_part_of(die, case.dice, setup) for die in case.dice) > 0.98


@pytest.mark.long
def test_many_are_three_to_thirty(setups: list[Setup]) -> None:
    counts = [case.expected for _, case in _cases(setups, Tier.MANY, 40)]

    assert min(counts) == 3
    assert 20 < max(counts) <= 30


def test_a_fault_has_no_faces_and_is_what_it_is_called(setups: list[Setup]) -> None:
    seen = set()
    for setup, case in _cases(setups, Tier.FAULTS, 60):
        shape, kind = setup.table.shape, case.kind
        seen.add(kind)
        assert case.faces is None
        assert case.faults
        assert (kind == "missing") == (len(case.dice) < case.expected)
        assert (kind == "extra") == (len(case.dice) > case.expected)
        assert kind.startswith("outside") == any(not in_tray(die, shape) for die in case.dice)
        assert (kind == "moving") == any(die.moves for die in case.dice)
        if kind.startswith("cocked"):
            assert 17 <= max(die.tilt_deg for die in case.dice) <= 40
        if kind == "stacked":
            assert max(die.lift_mm for die in case.dice) == pytest.approx(setup.die_mm, rel=0.02)

    assert seen == {
        *("cocked_wall", "cocked_die", "stacked", "outside_table", "outside_rim", "missing", "extra", "moving"),
        *("hand", "cup", "thing", "dark", "bright", "camera_moved"),
    }


def test_what_was_left_in_the_tray_lies_beside_the_dice(setups: list[Setup]) -> None:
    for setup, case in _cases(setups, Tier.FAULTS, 60):
        if case.thing is not None:
            outline = case.thing.outline_mm(1.0, 0.0)[:, :2].astype(np.float32)
            gaps = [-cv2.pointPolygonTest(outline, (die.x_mm, die.y_mm), measureDist=True) for die in case.dice]
            assert min(gaps) > 0.75 * setup.die_mm
            assert (outline >= 0).all()
            assert (outline <= setup.table.shape.floor).all()


def test_every_fault_but_unsure_is_asked_for(setups: list[Setup]) -> None:
    names = {fault for _, case in _cases(setups, Tier.FAULTS, 60) for fault in case.faults}

    assert names == set(Fault) - {Fault.UNSURE}


def test_hard_throws_touch_and_lie_at_walls(setups: list[Setup]) -> None:
    for setup, case in _cases(setups, Tier.HARD, 20):
        wide, deep = setup.table.shape.floor
        if case.kind == "touch":
            assert abs(gap_mm(*case.dice)) < 0.05
        if case.kind == "wall":
            gaps = [
                min(die.x_mm - die.reach_mm((-1, 0, 0)), wide - die.x_mm - die.reach_mm((1, 0, 0)),
                    die.y_mm - die.reach_mm((0, -1, 0)), deep - die.y_mm - die.reach_mm((0, 1, 0)))
                for die in case.dice
            ]  # fmt: skip
            assert min(gaps) == pytest.approx(0, abs=1e-6)


def test_what_a_cup_hides_is_not_to_be_seen() -> None:
    setup = make_setup(3, is_good=True)
    under, beside = RenderedDie(100, 100, 0, 4), RenderedDie(200, 100, 0, 2)
    case = Case(Tier.FAULTS, "cup", (under, beside), 2, (Fault.OCCLUDED,), Shot(), cup=(100.0, 100.0))

    dice = truth_of(setup, case, draw_case(setup, case))["dice"]

    assert [die["visible"] for die in dice] == [0.0, 1.0]


Shown = tuple[Setup, Case, Frame]


@pytest.fixture(scope="module")
def shown() -> Shown:
    setup = make_setup(3, is_good=True)
    case = make_case(setup, Tier.EASY, 1)
    return setup, case, draw_case(setup, case)


def test_the_truth_has_each_die_where_the_picture_shows_it(shown: Shown) -> None:
    setup, case, picture = shown
    empty = setup.sensor.take(setup.table.clean(()), case.shot)
    changed = np.abs(picture.astype(int) - empty).max(axis=2) > 15
    dice = truth_of(setup, case, picture)["dice"]

    for die in dice:
        top = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(top, np.rint(np.array(die["corners_px"])).astype(np.int32), 1)
        side = math.dist(die["corners_px"][0], die["corners_px"][1])
        assert changed[top > 0].mean() > 0.8
        assert 2.5 < side / die["size_mm"] < 5
        assert die["tilt_deg"] == 0
        assert die["visible"] == 1
    assert [die["face"] for die in dice] == [die.top for die in case.dice]
    assert [die["yaw_deg"] for die in dice] == pytest.approx([-die.yaw_deg % 90 for die in case.dice], abs=0.01)


def test_a_die_is_as_faint_as_the_faintest_of_its_pips(shown: Shown) -> None:
    setup, case, picture = shown
    plain = truth_of(setup, case, picture)
    four = case.dice[0]
    places = upper_face_mm(four, np.array([four.layout.pips(4)[0], (0, 0)]))
    pip, body = (setup.pixel(place, case.shot) for place in places)
    radius_px = round(1.2 * four.layout.pip * math.dist(*plain["dice"][0]["corners_px"][:2]))
    colour = picture[round(body[1]), round(body[0])].tolist()
    painted = cv2.circle(picture.copy(), (round(pip[0]), round(pip[1])), radius_px, colour, -1)

    faint = truth_of(setup, case, np.asarray(painted, np.uint8))

    assert plain["legible"]
    assert not faint["legible"]
    assert [die["contrast"] >= LEGIBLE for die in plain["dice"]] == [True, True]
    assert [die["contrast"] >= LEGIBLE for die in faint["dice"]] == [False, True]


def test_the_corners_of_the_floor_are_given_as_the_lens_draws_them(setups: list[Setup]) -> None:
    bent = next(setup for setup in setups if setup.sensor.barrel)

    assert bent.corners_px != bent.table.corners_px
    assert bent.pixel((0, 0, 0), Shot()) == pytest.approx(bent.corners_px[0])


def _dots(size: tuple[int, int]) -> Frame:
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    for x in range(20, size[0], 70):
        for y in range(20, size[1], 60):
            cv2.circle(picture, (x, y), 3, (255, 255, 255), -1)
    return picture


@pytest.mark.parametrize("shot", [Shot(), Shot(shift_px=(6.0, -3.0)), Shot(shift_px=(-4.0, 2.0), turn_deg=1.5)])
def test_the_sensor_says_where_it_draws_a_point(shot: Shot) -> None:
    sensor = Sensor(SMALL, barrel=0.03, noise=0.5, quality=95)
    picture = sensor.take(_dots(SMALL), shot)

    for point in ((90.0, 80.0), (230.0, 140.0)):
        x, y = sensor.seen_at(point, shot)
        part = picture[round(y) - 7 : round(y) + 8, round(x) - 7 : round(x) + 8].max(axis=2).astype(float)
        rows, columns = np.mgrid[0:15, 0:15]
        assert (part * columns).sum() / part.sum() + round(x) - 7 == pytest.approx(x, abs=0.4)
        assert (part * rows).sum() / part.sum() + round(y) - 7 == pytest.approx(y, abs=0.4)


def test_exposure_white_balance_and_noise_are_what_was_asked_for() -> None:
    grey = np.full((SMALL[1], SMALL[0], 3), 118, np.uint8)
    sensor = Sensor(SMALL, blur_px=0.0, noise=2.0, sharpen=0.0, quality=100)
    plain, bright = (sensor.take(grey, Shot(gain=gain, balance_bgr=(1.2, 1, 1))) for gain in (1.0, 1.6))

    assert plain[..., 1].mean() == pytest.approx(118, abs=1)
    assert plain[..., 0].mean() == pytest.approx(118 * 1.2 ** (1 / 2.2), abs=1.5)
    assert bright[..., 1].mean() == pytest.approx(118 * 1.6 ** (1 / 2.2), abs=1.5)
    assert 1.2 < plain[..., 1].std() < 3.2


def test_another_shot_has_other_noise_and_the_same_shot_the_same() -> None:
    grey = np.full((SMALL[1], SMALL[0], 3), 118, np.uint8)
    sensor = Sensor(SMALL)

    assert np.array_equal(sensor.take(grey, Shot(seed=3)), sensor.take(grey, Shot(seed=3)))
    assert not np.array_equal(sensor.take(grey, Shot(seed=3)), sensor.take(grey, Shot(seed=4)))


@pytest.mark.parametrize("body", Body)
def test_a_shops_dice_can_be_made_and_no_two_are_alike(body: Body) -> None:
    dice = [design(random.Random(seed), 16, body) for seed in range(60)]

    assert len({(die.body_bgr, die.layout) for die in dice}) == 60
    assert all((die.clear > 0) == (body is Body.CLEAR) for die in dice)
    assert all((die.vein_bgr is not None) == (body is Body.MARBLE) for die in dice)
    assert all(_pips_fit(die) for die in dice)


def _pips_fit(die: RenderedDie) -> bool:
    """Whether no pip runs over the edge of its face or into another."""
    for face in range(1, 7):
        places, radius = die.layout.pips(face), die.layout.radius(face)
        if np.abs(places).max() + radius + 2 * die.sloppy > 0.46:
            return False
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(face, 1)]
        if face > 1 and apart.min() < 2 * radius:
            return False
    return True


def test_the_noise_of_one_picture_is_found_nowhere_in_another() -> None:
    grey = np.full((SMALL[1], SMALL[0], 3), 118, np.uint8)
    sensor = Sensor(SMALL, quality=100)
    one, two = (sensor.take(grey, Shot(seed=seed)).astype(float).mean(axis=2) - 118 for seed in (-1, -2))
    alike = np.fft.ifft2(np.fft.fft2(one) * np.conj(np.fft.fft2(two))).real / (one.size * one.std() * two.std())

    assert np.abs(alike - alike.mean()).max() < 0.05
