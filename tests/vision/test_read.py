"""The whole way from a picture to a reading, on trays that were drawn: every face, every fault, no lie."""

import random
from typing import Any

import cv2
import numpy as np
import pytest
from threadpoolctl import threadpool_info

from vision import Calibration, Fault, motion, prepare, read, read_tray
from vision.render import DICE, RenderedDie, Table
from vision.render.things import Thing
from vision.render.throw import ThrowKind, throw
from vision.tray.naming import COVERED
from vision.types import Frame, TrayReading, as_uint8

SETS = ("ivory", "white", "red", "blue", "yellow")
SIXTEEN_MM = tuple(name for name in SETS if DICE[name].size_mm == 16)


def faces_of(dice: tuple[RenderedDie, ...]) -> tuple[int, ...]:
    return tuple(sorted((die.top for die in dice), reverse=True))


@pytest.mark.parametrize("known", [True, False])
def test_to_prepare_reads_a_die_and_changes_nothing(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    drawn: list[TrayReading] = []
    monkeypatch.setattr(read, "read_tray", lambda *given, **named: drawn.append(read_tray(*given, **named)))
    empty = calibration.empty.copy()

    prepare(calibration if known else None)

    assert [reading.faces for reading in drawn] == [(1,)]
    assert np.array_equal(calibration.empty, empty)


@pytest.mark.parametrize("seed", range(12))
def test_two_flat_dice_are_read_right_or_not_at_all(table: Table, calibration: Calibration, seed: int) -> None:
    dice = throw(random.Random(seed), 2, sets=SIXTEEN_MM)

    reading = read_tray(table.picture(dice, seed=seed), calibration, dice=2)

    assert reading.faces in (faces_of(dice), None), reading.note


def test_most_flat_throws_of_ivory_dice_are_read(table: Table, calibration: Calibration) -> None:
    throws = [throw(random.Random(seed), 2) for seed in range(20)]

    read = [read_tray(table.picture(dice), calibration, dice=2).faces == faces_of(dice) for dice in throws]

    assert sum(read) >= 19


@pytest.mark.parametrize("top", range(1, 7))
def test_every_face_is_read_at_every_turn(table: Table, calibration: Calibration, top: int) -> None:
    for yaw in (0, 17, 45, 71):
        picture = table.picture([RenderedDie(110, 90, yaw, top), RenderedDie(200, 140, 90 - yaw, 7 - top)])

        assert read_tray(picture, calibration, dice=2).faces == tuple(sorted((top, 7 - top), reverse=True))


@pytest.mark.parametrize("kind", [ThrowKind.COCKED, ThrowKind.STACKED, ThrowKind.OUTSIDE, ThrowKind.MISSING])
@pytest.mark.parametrize("seed", range(4))
def test_a_throw_that_went_wrong_is_never_read(
    table: Table, calibration: Calibration, kind: ThrowKind, seed: int
) -> None:
    dice = throw(random.Random(100 + seed), 2, kind=kind)

    assert read_tray(table.picture(dice, seed=seed), calibration, dice=2).faces is None


def test_one_die_of_two_is_missing_and_a_third_is_extra(table: Table, calibration: Calibration) -> None:
    three = [RenderedDie(80, 80, 10, 3), RenderedDie(150, 110, 50, 5), RenderedDie(220, 140, 30, 2)]

    assert read_tray(table.picture(three[:1]), calibration, dice=2).fault is Fault.MISSING
    assert read_tray(table.picture(three), calibration, dice=2).fault is Fault.EXTRA
    assert read_tray(table.picture(three), calibration, dice=3).faces == (5, 3, 2)
    assert read_tray(table.picture(three), calibration).faces == (5, 3, 2)


def test_a_die_that_lies_on_another_and_over_the_rim_is_cocked_and_not_outside(
    table: Table, calibration: Calibration
) -> None:
    support, clear = RenderedDie(17, 100, 10, 2), RenderedDie(200, 100, 10, 3)
    leaning = RenderedDie(8, 96, 20, 5, tilt_deg=15, tilt_axis_deg=90, lift_mm=12)

    assert read_tray(table.picture([support, leaning, clear]), calibration, dice=3).fault is Fault.COCKED


def test_an_empty_tray_is_no_reading(table: Table, calibration: Calibration) -> None:
    assert read_tray(table.empty(seed=9), calibration, dice=2).fault is Fault.MISSING
    assert read_tray(table.empty(seed=9), calibration).fault is Fault.MISSING


def test_a_hand_in_the_tray_is_occluded(table: Table, calibration: Calibration) -> None:
    dice = [RenderedDie(80, 80, 10, 3), RenderedDie(220, 60, 50, 5)]

    assert read_tray(table.picture(dice, hand=(150, 130)), calibration, dice=2).fault is Fault.OCCLUDED


def test_what_is_larger_than_any_heap_of_dice_is_refused_before_its_pips_are_looked_for(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = table.picture([RenderedDie(80, 80, 10, 3), RenderedDie(220, 60, 50, 5)])
    half = frame[:, : frame.shape[1] // 2]
    half[:] = np.random.default_rng(1).integers(0, 120, half.shape)
    monkeypatch.setattr("vision.tray.flat.find_spots", lambda *_: pytest.fail("pips are looked for"))

    reading = read_tray(frame, calibration, dice=2)

    assert (reading.fault, reading.note) == COVERED


def test_a_die_is_reported_where_it_lies(table: Table, calibration: Calibration) -> None:
    reading = read_tray(table.picture([RenderedDie(120, 80, 30, 4)]), calibration, dice=1)

    assert reading.dice[0].centre_mm == pytest.approx((120, 80), abs=1.5)
    assert reading.dice[0].yaw_deg == pytest.approx(60, abs=3)  # drawn clockwise, told counterclockwise
    assert reading.dice[0].centre_px == pytest.approx(table.project(120, 80, 16), abs=4)
    assert len(reading.dice[0].pips_px) == 4
    assert 0.5 < reading.dice[0].confidence <= 1


def test_a_little_more_light_changes_nothing_and_darkness_is_named(table: Table, calibration: Calibration) -> None:
    picture = table.picture([RenderedDie(110, 90, 20, 6), RenderedDie(200, 140, 60, 1)])

    assert read_tray(lit(picture, 1.25), calibration, dice=2).faces == (6, 1)
    assert read_tray(lit(picture, 0.75), calibration, dice=2).faces == (6, 1)
    assert read_tray(lit(picture, 0.15), calibration, dice=2).fault is Fault.LIGHT


def test_a_camera_that_trembles_reads_and_one_that_was_bumped_says_so(table: Table, calibration: Calibration) -> None:
    picture = table.picture([RenderedDie(110, 90, 20, 6), RenderedDie(200, 140, 60, 1)])

    assert read_tray(moved(picture, 2, -2), calibration, dice=2).faces == (6, 1)
    assert read_tray(moved(picture, 30, 12), calibration, dice=2).fault is Fault.CAMERA_MOVED


def test_reading_never_writes_to_the_picture(table: Table, calibration: Calibration) -> None:
    picture = table.picture([RenderedDie(110, 90, 20, 6)])
    picture.setflags(write=False)

    assert read_tray(picture, calibration, dice=1).faces == (6,)
    assert read_tray(picture, None, dice=1).faces in ((6,), None)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        pytest.param(np.zeros((480, 640), np.uint8), "rows x columns x 3", id="grey"),
        pytest.param(np.zeros((480, 640, 4), np.uint8), "rows x columns x 3", id="four channels"),
        pytest.param(np.zeros((480, 640, 3), np.uint16), "uint8", id="16 bit"),
        pytest.param(np.zeros((4, 4, 3), np.uint8), "rows x columns x 3", id="tiny"),
        pytest.param(np.zeros((16, 45_000, 3), np.uint8), "times as long", id="long"),
    ],
)
def test_what_only_a_bug_can_pass_in_is_an_error(frame: Frame, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_tray(frame, None, dice=2)
    with pytest.raises(ValueError, match=words):
        motion.step(motion.start(), frame, None, 2)


def test_a_picture_of_another_size_than_the_calibration_is_an_error(calibration: Calibration) -> None:
    with pytest.raises(ValueError, match="640x480 pixels; the calibration is for 1280x960"):
        read_tray(np.zeros((480, 640, 3), np.uint8), calibration, dice=2)


@pytest.mark.parametrize("dice", [0, -1, float("nan"), 2.0, "2"])
def test_what_is_no_number_of_dice_cannot_be_expected(calibration: Calibration, dice: Any) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        read_tray(calibration.empty, calibration, dice=dice)


@pytest.mark.parametrize("frame", [None, "tray.jpg", [[0]]])
def test_what_is_no_picture_at_all_is_told_so(calibration: Calibration, frame: Any) -> None:
    with pytest.raises(ValueError, match="is no picture"):
        read_tray(frame, calibration)


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_no_throw(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (480, 640, 3), np.uint8)

    assert read_tray(noise, None, dice=2).faces is None


def lit(picture: Frame, gain: float) -> Frame:
    return as_uint8(np.clip(picture.astype(np.float32) * gain, 0, 255))


def moved(picture: Frame, dx: float, dy: float) -> Frame:
    shift = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
    size = picture.shape[1::-1]
    return as_uint8(cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE))


@pytest.mark.parametrize("at", [(60.0, 160.0), (240.0, 60.0)])
def test_a_flat_dark_thing_apart_from_the_dice_is_no_shadow(
    table: Table, calibration: Calibration, at: tuple[float, float]
) -> None:
    coaster = Thing(at, (20.0, 20.0), is_round=True, high_mm=3.0, yaw_deg=0.0, bgr=(22, 40, 28), mark_bgr=(18, 30, 22))
    dice = (RenderedDie(150, 110, 20, 5), RenderedDie(190, 140, 65, 2))

    assert read_tray(table.clean(dice), calibration, 2).faces == (5, 2)
    assert read_tray(table.clean(dice, thing=coaster), calibration, 2).fault is Fault.OCCLUDED


def test_small_matrices_are_multiplied_by_one_thread() -> None:
    used = {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}
    built_with = np.show_config("dicts")["Build Dependencies"]["blas"]["name"]

    # Of another BLAS than OpenBLAS, such as a Mac's, nobody can tell how many threads it uses.
    assert used == {1} or (not used and "openblas" not in built_with)


def test_a_one_amid_dice_of_its_colour_is_read_though_no_edge_of_it_differs(
    table: Table, calibration: Calibration
) -> None:
    tops = ((2, 5, 3), (4, 1, 6), (3, 6, 4))
    dice = tuple(RenderedDie(120 + 16.05 * i, 100 + 16.05 * j, 0, tops[j][i]) for i in range(3) for j in range(3))

    reading = read_tray(table.picture(dice), calibration, dice=9)

    assert reading.faces == faces_of(dice), reading.note


def test_a_refusal_says_where(table: Table, calibration: Calibration) -> None:
    flat = [RenderedDie(60, 60, 10, 3), RenderedDie(240, 150, 50, 5)]
    leaning = RenderedDie(150, 110, 30, 2, tilt_deg=30)

    reading = read_tray(table.picture([*flat, leaning]), calibration, dice=3)

    assert reading.fault is not None
    (x, y), (wanted_x, wanted_y) = reading.unclear[0], table.project(150, 110, 16)
    assert len(reading.unclear) == 1
    assert max(abs(x - wanted_x), abs(y - wanted_y)) < 30


def test_what_is_read_has_nothing_unclear(table: Table, calibration: Calibration) -> None:
    reading = read_tray(table.picture([RenderedDie(60, 60, 10, 3), RenderedDie(240, 150, 50, 5)]), calibration, dice=2)

    assert (reading.faces, reading.unclear) == ((5, 3), ())
