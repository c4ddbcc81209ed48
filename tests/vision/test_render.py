"""The rendered table: same seed, same picture; what it claims about its picture is where it claims."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.render import DICE, FELTS, LAMPS, TRAY, RenderedDie, Table, hang_camera
from vision.render.camera import looking_down
from vision.render.dice import shade
from vision.render.light import LAMPS as LAMPS_BY_NAME
from vision.render.pose import ASIAN, WESTERN, Layout, face_axes, turn
from vision.render.skin import trace
from vision.types import Frame

FACES = range(1, 7)


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=4, felt="green", size=(640, 480))


def _portrait(die: RenderedDie, size: int = 240) -> Frame:
    """The die from straight above through a very long lens, lit by a white sheet, in linear grey on grey 128."""
    camera = looking_down(
        (0, 0), (size, size), height_mm=20000, tilt_deg=0, tilt_towards_deg=0, turn_deg=0, px_per_mm=size / 20
    )
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float32)
    rays = camera.rays(columns.ravel(), rows.ravel())
    hits = trace(die, camera.position_mm, rays)
    light = shade(die, hits, rays, (LAMPS_BY_NAME["soft"],), np.ones(3, np.float32), [])
    picture = np.full(size * size, 128, np.uint8)
    picture[hits.rays] = np.clip(light.mean(axis=0) * 255, 0, 255).astype(np.uint8)
    return picture.reshape(size, size)


def _dark_spots(grey: Frame) -> int:
    count, _, stats, _ = cv2.connectedComponentsWithStats((grey < 60).astype(np.uint8))
    return sum(int(stats[spot, cv2.CC_STAT_AREA]) > 60 for spot in range(1, count))


def test_the_same_seed_gives_the_same_picture_to_the_last_bit(table: Table) -> None:
    dice = [RenderedDie(90, 100, 20, 4), RenderedDie(180, 70, 55, 1)]
    again = Table(seed=4, felt="green", size=(640, 480))

    assert np.array_equal(table.picture(dice, seed=7), again.picture(dice, seed=7))


def test_another_seed_changes_the_noise_and_nothing_else(table: Table) -> None:
    one, two = table.empty(1).astype(int), table.empty(2).astype(int)

    assert (one != two).mean() > 0.5
    assert abs((one - two).mean()) < 0.05
    assert np.abs(one - two).max() <= 16


def test_another_table_hangs_its_camera_elsewhere(table: Table) -> None:
    other = Table(seed=5, felt="green", size=(640, 480))

    assert other.corners_px != table.corners_px
    assert not np.array_equal(other.empty(), table.empty())


def test_a_picture_is_blue_green_red_bytes_of_the_size_asked_for(table: Table) -> None:
    picture = table.picture([RenderedDie(90, 100, 20, 4)])

    assert picture.shape == (480, 640, 3)
    assert picture.dtype == np.uint8


def test_drawing_dice_leaves_the_tray_as_it_was(table: Table) -> None:
    before = table.empty(3)
    table.picture([RenderedDie(90, 100, 20, 4)], seed=3, hand=(90, 100), cup=(200, 100))

    assert np.array_equal(table.empty(3), before)


def test_only_the_die_its_shadow_and_its_light_change_the_picture(table: Table) -> None:
    changed = np.abs(table.picture([RenderedDie(90, 100, 20, 4)]).astype(int) - table.empty()).max(axis=2) > 0
    rows, columns = np.nonzero(changed)
    x, y = table.project(90, 100)

    assert np.hypot(columns - x, rows - y).max() < 90
    assert changed[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4].all()


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations(FACES, 2)))
def test_two_different_faces_look_different(table: Table, one: int, two: int) -> None:
    pictures = [table.picture([RenderedDie(150, 110, 15, face)]).astype(int) for face in (one, two)]

    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 60).sum() > 15


@pytest.mark.parametrize("layout", [pytest.param(WESTERN, id="western"), pytest.param(ASIAN, id="asian")])
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("yaw_deg", [0, 33])
def test_a_face_seen_from_above_has_as_many_pips_as_it_counts(layout: Layout, face: int, yaw_deg: float) -> None:
    ink = (0, 0, 0)
    die = RenderedDie(0, 0, yaw_deg, face, layout=replace(layout, red=()), body_bgr=(230, 230, 230), pip_bgr=ink)

    assert _dark_spots(_portrait(die)) == face


def test_the_pips_of_the_top_face_are_where_the_layout_has_them() -> None:
    die = RenderedDie(0, 0, 30, 6, body_bgr=(230, 230, 230), pip_bgr=(0, 0, 0))
    _, _, _, centres = cv2.connectedComponentsWithStats((_portrait(die) < 60).astype(np.uint8))
    angle = np.radians(30)
    along = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    expected = WESTERN.pips(6) * 16 @ along * 12 + 119.5

    assert {tuple(np.rint(spot / 4)) for spot in centres[1:]} == {tuple(np.rint(spot / 4)) for spot in expected}


@pytest.mark.parametrize("clockwise", [False, True])
def test_opposite_faces_sum_to_seven(clockwise: bool) -> None:
    axes = face_axes(clockwise)

    assert all(np.array_equal(axes[face][2], -axes[7 - face][2]) for face in FACES)


@pytest.mark.parametrize("top", FACES)
def test_the_face_below_and_the_face_on_top_sum_to_seven(top: int) -> None:
    die = RenderedDie(0, 0, 77, top)

    assert (die.up, die.facing((0, 0, -1))) == (top, 7 - top)


@pytest.mark.parametrize(
    ("layout", "sense"),
    [
        pytest.param(WESTERN, -1, id="western: one, two, three anticlockwise around their corner"),
        pytest.param(ASIAN, 1, id="chinese: one, two, three clockwise around their corner"),
    ],
)
def test_the_handedness_of_a_die(layout: Layout, sense: int) -> None:
    corner = np.sum([face_axes(layout.clockwise)[face][2] for face in (1, 2, 3)], axis=0) / np.sqrt(3)
    die = RenderedDie(0, 0, 0, 1, layout=layout)
    up = turn(*_onto_the_vertical(die.rotation @ corner))
    one, two, three = ((up @ die.rotation @ face_axes(layout.clockwise)[face][2])[:2] for face in (1, 2, 3))

    assert _turning(one, two) == _turning(two, three) == _turning(three, one) == sense


def _onto_the_vertical(way: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[list[float], float]:
    """Axis and angle of the turn that makes the unit vector *way* point at the viewer above."""
    flat = float(np.hypot(way[0], way[1]))
    return [way[1] / flat, -way[0] / flat, 0.0], float(np.degrees(np.arctan2(flat, way[2])))


def _turning(
    one: np.ndarray[tuple[int], np.dtype[np.float64]], two: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> int:
    """1 when *two* is clockwise of *one* in a picture whose y goes down, else -1."""
    return int(np.sign(one[0] * two[1] - one[1] * two[0]))


def test_a_western_die_with_its_one_up_and_its_two_in_front_has_the_three_on_the_right() -> None:
    die = RenderedDie(0, 0, 0, 1)

    assert (die.facing((0, 0, 1)), die.facing((0, 1, 0)), die.facing((1, 0, 0))) == (1, 2, 3)


def test_yaw_turns_a_die_clockwise_in_the_picture() -> None:
    die = RenderedDie(0, 0, 90, 1)

    assert die.facing((-1, 0, 0)) == 2


def test_a_positive_tilt_about_an_axis_to_the_right_raises_the_front() -> None:
    die = RenderedDie(0, 0, 0, 1, tilt_deg=30, tilt_axis_deg=0)

    assert (die.rotation @ [0, 1, 0])[2] == pytest.approx(0.5)


def test_a_die_rests_on_the_floor_however_it_is_tilted() -> None:
    die = RenderedDie(0, 0, 20, 3, tilt_deg=35, tilt_axis_deg=80)
    sharp = die.centre_mm[2] - np.abs(die.rotation[2]).sum() * 8

    assert die.centre_mm[2] == pytest.approx(die.reach_mm((0, 0, -1)))
    assert -1.5 < sharp < 0


def test_a_die_turned_to_its_own_rotation_stays_as_it_was() -> None:
    die = RenderedDie(10, 20, 50, 5, tilt_deg=25, tilt_axis_deg=100, lift_mm=3)
    again = die.turned_to(die.rotation).placed(die.centre_mm)

    assert np.allclose(again.rotation, die.rotation)
    assert np.allclose(again.centre_mm, die.centre_mm)
    assert again.top == 5


@pytest.mark.parametrize("felt", FELTS)
def test_the_floors_corners_are_where_the_felt_ends(felt: str) -> None:
    table = Table(seed=6, felt=felt, size=(640, 480))
    outline = np.array(table.corners_px)
    edges = np.roll(outline, -1, axis=0) - outline
    shape = np.zeros((480, 640), np.uint8)
    cv2.fillConvexPoly(shape, np.rint(outline * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    floor = next(number for number, face in enumerate(table.still.faces) if face.extent == (300, 220))
    both = (shape > 0) & (table.still.label == floor)

    assert all(edges[:, 0] * [1, 0, -1, 0] + edges[:, 1] * [0, 1, 0, -1] > 0)
    assert both.sum() > 0.99 * max((shape > 0).sum(), (table.still.label == floor).sum())


def test_the_halved_picture_shows_the_same_scene() -> None:
    large, small = Table(seed=8), Table(seed=8, size=(640, 480))
    down = cv2.resize(large.empty(), (640, 480), interpolation=cv2.INTER_AREA)
    ratio = (np.array(large.corners_px) + 0.5) / (np.array(small.corners_px) + 0.5)

    assert np.allclose(ratio, 2)
    assert np.abs(down.astype(int) - small.empty()).mean() < 4


@pytest.mark.parametrize("seed", range(40))
def test_the_floor_lies_in_the_picture_with_room_around_it(seed: int) -> None:
    camera = hang_camera(seed, (160, 120), TRAY)
    corners = camera.project([[0, 0, 0], [300, 0, 0], [300, 220, 0], [0, 220, 0]])

    assert 350 <= camera.position_mm[2] <= 600
    assert camera.axes[2][2] < -np.cos(np.radians(12.01))
    assert (corners > 4).all()
    assert (corners < [155, 115]).all()


@pytest.mark.parametrize("light", LAMPS)
def test_a_die_throws_a_shadow_away_from_the_lamp(light: str) -> None:
    table = Table(seed=2, felt="sand", size=(640, 480), light=light)
    fall = table.empty().astype(int).sum(axis=2) - table.picture([RenderedDie(150, 110, 0, 1)]).astype(int).sum(axis=2)
    away = np.array([150, 110]) - np.array(table.lights[0].position_mm[:2])
    away = away / np.linalg.norm(away)
    behind, before = (_mean_at(fall, table, 150 + s * 12 * away[0], 110 + s * 12 * away[1]) for s in (1, -1))

    assert behind > 5
    assert behind > before


def _mean_at(values: np.ndarray[tuple[int, int], np.dtype[np.int_]], table: Table, x_mm: float, y_mm: float) -> float:
    x, y = (round(c) for c in table.project(x_mm, y_mm))
    return float(values[y - 2 : y + 3, x - 2 : x + 3].mean())


def test_the_upper_of_two_stacked_dice_hides_the_lower(table: Table) -> None:
    lower, upper = RenderedDie(150, 110, 0, 5), RenderedDie(152, 111, 0, 1, lift_mm=16, body_bgr=(20, 20, 200))
    one, two = table.picture([lower, upper]), table.picture([upper, lower])
    x, y = (round(c) for c in table.project(156, 111, 32))

    assert np.array_equal(one, two)
    assert one[y, x, 2] > 2 * int(one[y, x, 1])


def test_a_die_in_motion_is_smeared_along_its_way(table: Table) -> None:
    still = RenderedDie(150, 110, 0, 5)
    moving = replace(still, travel_mm=(20.0, 0.0, 0.0))
    changed = [
        np.ptp(np.nonzero(np.abs(table.picture([die]).astype(int) - table.empty()).max(axis=2) > 25)[1])
        for die in (still, moving)
    ]

    assert changed[1] > changed[0] + 15


@pytest.mark.parametrize("name", DICE)
def test_every_kind_of_die_stands_out_from_the_felt(table: Table, name: str) -> None:
    die = replace(DICE[name], x_mm=150, y_mm=110, yaw_deg=20, top=5)
    changed = np.abs(table.picture([die]).astype(int) - table.empty()).max(axis=2) > 12

    assert changed.sum() > 0.6 * (die.size_mm * table.camera.focal_px / table.camera.position_mm[2]) ** 2


def test_a_hand_covers_what_it_reaches_for_and_comes_from_the_front(table: Table) -> None:
    changed = np.abs(table.picture([], hand=(150, 110)).astype(int) - table.empty()).max(axis=2) > 25
    x, y = (round(c) for c in table.project(150, 135, 40))
    _, back = (round(c) for c in table.project(150, 60))

    assert changed[y, x]
    assert changed[-1].any()
    assert not changed[:back].any()


def test_a_cup_hides_the_dice_under_it(table: Table) -> None:
    with_dice = table.picture([RenderedDie(150, 110, 0, 5)], cup=(150, 110))

    assert np.array_equal(with_dice, table.picture([], cup=(150, 110)))


def test_a_die_without_such_a_face_is_refused() -> None:
    with pytest.raises(ValueError, match="no face 7"):
        RenderedDie(0, 0, 0, 7)


def test_a_felt_nobody_sells_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match=r"tartan.*green"):
        Table(felt="tartan")
