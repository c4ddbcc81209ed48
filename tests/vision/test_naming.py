"""The right name for what is refused: dice that move, dice that lie on others, dice too many."""

import random
from collections.abc import Sequence
from dataclasses import replace
from math import cos, radians, sin

import cv2
import numpy as np
import pytest

from benchmarks.throws import read_throw
from vision import Calibration, Fault, read_tray
from vision.render import RenderedDie, Table
from vision.render.shadow import MOST_INSTANTS
from vision.render.things import Thing
from vision.render.throw import ThrowKind, throw
from vision.tray.naming import BLURRED, USUAL_SHARPNESS, sharpness
from vision.types import Frame, as_uint8

MOVES = BLURRED * USUAL_SHARPNESS


def die(turn_deg: float = 20) -> Frame:
    """A light square with three dark pips on dark felt, its edges as soft as a camera's."""
    picture = np.full((90, 90, 3), (40, 80, 40), np.uint8)
    turn = np.array(
        [[cos(radians(turn_deg)), -sin(radians(turn_deg))], [sin(radians(turn_deg)), cos(radians(turn_deg))]]
    )
    corners = np.array([[-28, -28], [28, -28], [28, 28], [-28, 28]]) @ turn.T + 45
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (200, 210, 220), cv2.LINE_AA, 4)
    for x, y in np.array([[-14, -14], [0, 0], [14, 14]]) @ turn.T + 45:
        cv2.circle(picture, (round(x), round(y)), 5, (30, 30, 40), cv2.FILLED, cv2.LINE_AA)
    return as_uint8(cv2.GaussianBlur(picture, (0, 0), 0.8))


def smeared(picture: Frame, length: int, turn_deg: float) -> Frame:
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1
    turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), turn_deg, 1)
    kernel = np.asarray(cv2.warpAffine(kernel, turn, (length, length)), np.float32)
    return as_uint8(cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE))


def everywhere(picture: Frame) -> float:
    return sharpness(picture, np.ones(picture.shape[:2], np.bool_))


@pytest.mark.parametrize("turn_deg", [0, 20, 45, 70])
def test_a_die_at_rest_has_steep_edges_whatever_way_it_is_crossed(turn_deg: float) -> None:
    assert everywhere(die(turn_deg)) > 1.5 * MOVES


@pytest.mark.parametrize("way_deg", [0, 20, 45, 70, 110, 160])
def test_a_die_that_moves_has_none_along_its_way(way_deg: float) -> None:
    assert everywhere(smeared(die(), 15, way_deg)) < MOVES


def test_light_and_contrast_do_not_matter_and_a_blank_is_no_error() -> None:
    half = as_uint8((die() * 0.4).astype(np.uint8))

    assert everywhere(half) == pytest.approx(everywhere(die()), rel=0.1)
    assert everywhere(np.full((20, 20, 3), 90, np.uint8)) == 0


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sort", ["red", "blue"])
def test_most_dice_that_move_are_named_so(table: Table, calibration: Calibration, sort: str) -> None:
    said = []
    for seed in range(8):
        rng = random.Random(seed)
        still, moving = throw(rng, 2, sets=(sort,))
        way, far = rng.uniform(0, 6.28), rng.uniform(4, 12)
        blurred = replace(
            moving,
            travel_mm=(far * cos(way), far * sin(way), 0.0),
            spin_deg=(rng.uniform(-25, 25), rng.uniform(-25, 25), rng.uniform(-30, 30)),
            tilt_deg=rng.uniform(3, 40),
            lift_mm=rng.uniform(0, 12),
        )
        picture = table.clean([still, blurred], most_instants=MOST_INSTANTS)
        said.append(read_tray(picture, calibration, 2).fault)

    assert None not in said
    assert said.count(Fault.MOVING) >= 7, said


def named(kind: ThrowKind, table: Table, calibration: Calibration, seeds: Sequence[int]) -> list[Fault | None]:
    return [
        read_tray(table.picture(throw(random.Random(seed), 2, kind=kind), seed=seed), calibration, 2).fault
        for seed in seeds
    ]


@pytest.mark.long
def test_most_stacks_are_named_so(table: Table, calibration: Calibration) -> None:
    said = named(ThrowKind.STACKED, table, calibration, range(24))

    assert None not in said
    assert said.count(Fault.STACKED) >= 21, said


def test_a_leaning_die_is_neither_moving_nor_stacked_and_a_lone_one_is_no_stack(
    table: Table, calibration: Calibration
) -> None:
    assert named(ThrowKind.COCKED_WALL, table, calibration, range(10)).count(Fault.COCKED) >= 9
    assert named(ThrowKind.MISSING, table, calibration, range(10)) == [Fault.MISSING] * 10


@pytest.mark.parametrize("radius_mm", [9.0, 12.0, 15.0])
def test_a_coin_beside_a_die_that_leans_is_no_die_that_leans_or_moves(
    table: Table, calibration: Calibration, radius_mm: float
) -> None:
    reach = (radius_mm, radius_mm)
    coin = Thing((220, 150), reach, is_round=True, high_mm=3, yaw_deg=0, bgr=(60, 120, 200), mark_bgr=(40, 90, 180))
    dice = (RenderedDie(60, 60, 10, 3), RenderedDie(150, 110, 30, 2, tilt_deg=30))

    assert read_tray(table.clean(dice), calibration, 2).fault is Fault.COCKED
    assert read_tray(table.clean(dice, thing=coin), calibration, 2).fault is Fault.OCCLUDED


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(641364, id="fingers over the rim, each smaller than a die that moves"),
        pytest.param(631899, id="a cup as dark as a shadow, but for its brim"),
        pytest.param(624528, id="a cup as dark as a shadow all over, on one of two dice"),
        pytest.param(685585, id="a cap of the felt's colour, but for its middle"),
    ],
)
def test_what_covers_dice_is_named_so(number: int) -> None:
    record = read_throw(number)

    assert (record["verdict"], record["said"]) == ("named", "occluded")


def test_a_die_that_is_not_told_and_shows_its_pips_is_not_missing() -> None:
    assert read_throw(702884)["said"] == "cocked"


def test_what_peeps_out_from_beneath_a_die_makes_a_stack(table: Table, calibration: Calibration) -> None:
    below = RenderedDie(120, 90, 10, 3)
    above = replace(below, yaw_deg=34, top=6, lift_mm=below.size_mm)

    assert read_tray(table.picture([below, above]), calibration, 2).fault is Fault.STACKED
    assert read_tray(table.picture([below]), calibration, 2).fault is Fault.MISSING


@pytest.mark.one_in(6)
@pytest.mark.parametrize("shift_mm", [2.0, 6.0])
@pytest.mark.parametrize("body_bgr", [(200, 80, 40), (60, 200, 60), (240, 240, 240)])
@pytest.mark.parametrize("dice", [2, 3, None])
def test_a_die_beneath_another_is_not_passed_over_whatever_is_said_of_the_number(
    table: Table, calibration: Calibration, shift_mm: float, body_bgr: tuple[int, int, int], dice: int | None
) -> None:
    below = RenderedDie(120, 90, 10, 3, body_bgr=body_bgr)
    above = RenderedDie(120 + shift_mm, 90 + shift_mm / 2, 34, 6, lift_mm=below.size_mm)
    apart = RenderedDie(220, 150, 50, 4)

    reading = read_tray(table.picture([below, above, apart]), calibration, dice)

    assert reading.fault in (Fault.STACKED, Fault.COCKED)
    x, y = table.project(above.x_mm, above.y_mm, above.size_mm)
    assert [max(abs(x - ring_x), abs(y - ring_y)) < 30 for ring_x, ring_y in reading.unclear] == [True]
    beside = replace(above, x_mm=150, lift_mm=0)
    assert read_tray(table.picture([below, beside, apart]), calibration, dice=3).faces == (6, 4, 3)
