"""Films in which light changes, the camera stalls or a hand is laid on dice: no throw is lost, none read twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.films import Picture, Studio, Watcher
from vision.calibrating import calibrate
from vision.motion import Watch
from vision.render import RenderedDie
from vision.types import Fault, TrayReading, as_uint8

LANDED = (RenderedDie(60, 70, 20, 4), RenderedDie(110, 60, 55, 3))
FAR = (RenderedDie(140, 60, 40, 4), RenderedDie(220, 150, 10, 3))
READ, EMPTY = ("read", (4, 3)), ("empty", None)
DIM = 0.35
DARK_RED = tuple(replace(die, body_bgr=(30, 25, 100), pip_bgr=(60, 140, 160)) for die in FAR)


def lit(studio: Studio, dice: Sequence[RenderedDie], gains: Sequence[float]) -> list[Picture]:
    """Film *dice* at rest, each picture as bright as one of *gains* says."""
    drawn = studio.table.picture(dice).astype(np.float32)
    frames = (np.clip(np.rint(drawn * gain) + next(studio.noise), 0, 255) for gain in gains)
    return [Picture(as_uint8(frame), studio.truth(dice)) for frame in frames]


def pushed(studio: Studio, before: Sequence[RenderedDie], after: Sequence[RenderedDie]) -> list[Picture]:
    """Film a hand that comes, pushes dice from where they were *before* to where they are *after*, and goes."""
    film = [picture for y in (240, 190, 140) for picture in studio.take(before, hand=(150.0, float(y)))]
    for share in np.arange(1, 12) / 12:
        way = [
            replace(
                die,
                x_mm=die.x_mm + share * (to.x_mm - die.x_mm),
                y_mm=die.y_mm + share * (to.y_mm - die.y_mm),
                yaw_deg=die.yaw_deg + share * (to.yaw_deg - die.yaw_deg),
            )
            for die, to in zip(before, after, strict=True)
        ]
        film += studio.take(way, hand=(way[0].x_mm + 25, way[0].y_mm + 25))
    return film + [picture for y in (140, 190, 240) for picture in studio.take(after, hand=(150.0, float(y)))]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param((30, 10, 0), (30, 10, 0), id="both aside"),
        pytest.param((40, 20, 12), (35, 25, 30), id="both aside, and turned"),
        pytest.param((20, 0, 0), (0, 0, 15), id="one aside, the other turned where it lay"),
        pytest.param((90, 40, 0), (6, 0, 0), id="one far, the other nudged"),
        pytest.param((60, 20, 10), (60, 20, 10), id="both far"),
        pytest.param((120, 60, 20), (140, 80, 30), id="both to the other side"),
    ],
)
def test_dice_that_a_hand_pushes_aside_are_touched_and_not_thrown(
    watch: Watcher, studio: Studio, first: tuple[int, int, int], second: tuple[int, int, int]
) -> None:
    after = [
        replace(die, x_mm=die.x_mm + x, y_mm=die.y_mm + y, yaw_deg=die.yaw_deg + turn)
        for die, (x, y, turn) in zip(LANDED, (first, second), strict=True)
    ]
    seen = watch(
        [*studio.take(LANDED, 12), *pushed(studio, LANDED, after), *studio.take(after, 14)], studio.calibration
    )

    assert (seen.said(Watch.READ, Watch.REFUSED), seen.touched) == ([READ], 1)


@pytest.mark.parametrize("calibrated", [True, False])
@pytest.mark.parametrize("by", [(30, 10, 0), (120, 60, 20)], ids=["aside", "far"])
def test_dice_over_which_a_hand_rests_before_it_pushes_them_are_touched_and_not_thrown(
    watch: Watcher, studio: Studio, by: tuple[int, int, int], calibrated: bool
) -> None:
    after = [replace(die, x_mm=die.x_mm + by[0], y_mm=die.y_mm + by[1], yaw_deg=die.yaw_deg + by[2]) for die in LANDED]
    film = [*studio.take(LANDED, 12), *studio.take(LANDED, 12, hand=(80.0, 90.0)), *pushed(studio, LANDED, after)]
    seen = watch([*film, *studio.take(after, 16)], studio.calibration if calibrated else None)

    assert (seen.said(Watch.READ, Watch.REFUSED), seen.touched) == ([READ], 1)
    assert len(seen.at(Watch.COVERED)) == calibrated


@pytest.mark.one_in(2)
@pytest.mark.parametrize("gain", [0.7, 1.4])
def test_black_dice_that_are_pushed_far_in_dim_light_that_changed_are_not_taken_for_gone(
    watch: Watcher, studio: Studio, gain: float
) -> None:
    black = [replace(die, body_bgr=(25, 25, 25), pip_bgr=(200, 200, 200)) for die in LANDED]
    after = [replace(die, x_mm=die.x_mm + 120, y_mm=die.y_mm + 60, yaw_deg=die.yaw_deg + 20) for die in black]
    empty = [picture.frame for picture in lit(studio, (), [DIM] * 3)]
    known = calibrate(empty, tray_mm=studio.table.tray_mm, die_mm=16, corners=studio.table.corners_px)
    film = [*studio.take(black, 16), *pushed(studio, black, after), *studio.take(after, 16)]
    dark = (np.rint(picture.frame * np.float32(DIM * gain)) for picture in film)
    dimmed = [replace(picture, frame=as_uint8(frame)) for picture, frame in zip(film, dark, strict=True)]
    seen = watch([*lit(studio, (), [DIM] * 10), *dimmed], known)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]


def test_the_same_faces_thrown_again_are_a_new_throw(watch: Watcher, studio: Studio) -> None:
    film = [*studio.take(LANDED, 15), *studio.hand_over(LANDED)[:9]]
    film += [*studio.rolling(FAR), *studio.take(FAR, 12)]

    assert watch(film, studio.calibration).said(Watch.READ) == [READ, READ]


def test_dice_taken_away_and_put_back_are_a_new_throw(watch: Watcher, studio: Studio) -> None:
    film = [*studio.take(LANDED, 12), *studio.hand_over(LANDED), *studio.take((), 12)]
    film += [*studio.rolling(LANDED), *studio.take(LANDED, 12)]

    assert watch(film, studio.calibration).said(Watch.READ, Watch.EMPTY) == [READ, EMPTY, READ]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("gain", [0.7, 0.8, 0.85, 1.3])
def test_a_throw_is_read_though_the_light_is_another_since_the_tray_was_empty(
    watch: Watcher, studio: Studio, gain: float
) -> None:
    empty = [picture.frame for picture in lit(studio, (), [DIM] * 3)]
    known = calibrate(empty, tray_mm=studio.table.tray_mm, die_mm=16, corners=studio.table.corners_px)
    rolling = [[replace(die, x_mm=die.x_mm - x) for die in DARK_RED] for x in (80, 50, 20)]
    film = [*lit(studio, (), [DIM] * 12), *(lit(studio, dice, [DIM * gain])[0] for dice in rolling)]
    seen = watch([*film, *lit(studio, DARK_RED, [DIM * gain] * 30)], known)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]


def test_dice_that_nobody_saw_come_are_read_when_the_empty_tray_is_looked_at_again(
    watch: Watcher, studio: Studio
) -> None:
    came = [picture for share in np.linspace(0, 1, 60) for picture in between(studio, share)]
    seen = watch([*studio.take((), 12), *came, *studio.take(LANDED, 170)], studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]


def between(studio: Studio, share: float) -> list[Picture]:
    """Film a *share* of dice that fade in, as nothing real does: by so little a picture that nothing moves."""
    (empty,), (there,) = studio.take(()), studio.take(LANDED)
    mixed = empty.frame + share * (there.frame.astype(np.float32) - empty.frame)
    return [Picture(as_uint8(np.rint(mixed)), there.truth)]


@pytest.mark.parametrize("thrown", [pytest.param(True, id="a throw"), pytest.param(False, id="an empty tray")])
def test_what_lay_in_the_dark_is_looked_at_when_there_is_light_again(
    watch: Watcher, studio: Studio, thrown: bool
) -> None:
    dice = LANDED if thrown else ()
    dark = [replace(picture, truth=TrayReading.refused(Fault.LIGHT)) for picture in lit(studio, dice, [0.02] * 30)]
    film = [*studio.take((), 12), *(studio.rolling(LANDED)[:8] if thrown else ()), *dark, *studio.take(dice, 40)]
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED, Watch.EMPTY) == [
        ("empty", None),
        ("refused", "light"),
        READ if thrown else ("empty", None),
    ]


def test_where_the_light_stays_wrong_that_is_said_once(watch: Watcher, studio: Studio) -> None:
    dim = [replace(picture, truth=TrayReading.refused(Fault.LIGHT)) for picture in lit(studio, (), [0.02] * 30)]
    dim += [replace(picture, truth=dim[0].truth) for picture in lit(studio, (), np.linspace(0.02, 0.06, 200).tolist())]
    seen = watch([*studio.take((), 12), *dim], studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [("refused", "light")]


def test_a_stream_that_begins_while_dice_roll_and_stalls_shows_no_rest(watch: Watcher, studio: Studio) -> None:
    rolling = studio.rolling(LANDED)
    stalled = [rolling[9]] * 40
    seen = watch([*rolling[:10], *stalled, *rolling[10:], *studio.take(LANDED, 12)], studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]
    assert seen.read[0] > len(rolling) + 40


@pytest.mark.parametrize(
    "times",
    [(2,), (2, 1, 1), (5, *[1] * 10), (2,) * 20, (2, 1) * 20],
    ids=["its first twice", "its first twice, then two", "its first five times", "all twice", "every other twice"],
)
def test_a_camera_that_stalls_while_dice_roll_shows_no_rest_however_it_began(
    watch: Watcher, studio: Studio, times: tuple[int, ...]
) -> None:
    began = [
        picture for one, count in zip(studio.take((), len(times)), times, strict=True) for picture in [one] * count
    ]
    rolling = studio.rolling(LANDED)
    film = [*began, *rolling[:10], *[rolling[9]] * 50, *rolling[10:], *studio.take(LANDED, 12)]
    seen = watch(film, studio.calibration)

    stalled = range(len(began) + 12, len(began) + 60)
    assert not [number for number in seen.read if number in stalled]
    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]


def test_a_stream_without_any_noise_is_read(watch: Watcher, studio: Studio) -> None:
    empty, landed = studio.take(())[0], studio.take(LANDED)[0]
    on_felt = np.abs(landed.frame.astype(np.int16) - empty.frame).max(axis=2, keepdims=True) > 40
    drawn = replace(landed, frame=np.where(on_felt, landed.frame, empty.frame))
    seen = watch([*[empty] * 3, *[drawn] * 12], studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("on", [1, 5])
def test_what_blinks_on_the_felt_puts_no_throw_off_for_ever(watch: Watcher, studio: Studio, on: int) -> None:
    film = [*studio.take((), 10), *studio.rolling(LANDED), *studio.take(LANDED, 200 * on)]
    x, y = (round(value) for value in studio.table.project(250, 200))
    for number in range(10, len(film)):
        if number // on % 2:
            spot = cv2.circle(np.zeros_like(film[number].frame), (x, y), 4, (60, 60, 60), -1)
            film[number] = replace(film[number], frame=as_uint8(cv2.add(film[number].frame, spot)))
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]


def test_a_die_that_never_stops_spinning_does_not_blink(watch: Watcher, studio: Studio) -> None:
    film = studio.take((), 10)
    for turned in range(90):
        film += studio.take((LANDED[0], replace(LANDED[1], yaw_deg=25.0 * turned)))
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == []
    assert max(seen.read) < 10


@pytest.mark.parametrize("fault", [Fault.UNSURE, Fault.EXTRA])
def test_dice_that_lie_as_they_were_refused_are_not_refused_again(watch: Watcher, studio: Studio, fault: Fault) -> None:
    refused = TrayReading.refused(fault, "", studio.truth(LANDED).dice)
    film = [*studio.take(LANDED, 40), *studio.hand_over(LANDED), *studio.take(LANDED, 40)]
    for number, picture in enumerate(film):
        left = cv2.circle(picture.frame.copy(), (450, 350), 14, (60, 120, 160), -1) if number >= 50 else picture.frame
        film[number] = Picture(as_uint8(left), refused)
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [("refused", str(fault))]


@pytest.mark.parametrize(
    ("thrown", "said"), [pytest.param(True, [READ], id="thrown again"), pytest.param(False, [], id="put right by hand")]
)
def test_after_a_throw_of_which_no_die_was_told_a_bare_tray_tells_that_the_next_is_one(
    watch: Watcher, studio: Studio, thrown: bool, said: list[object]
) -> None:
    after = [replace(die, x_mm=die.x_mm + 90) for die in LANDED]
    film = studio.take(LANDED, 20, truth=TrayReading.refused(Fault.STACKED))
    film += [*studio.hand_over(LANDED)[:9], *(studio.rolling(after) if thrown else studio.hand_over(after)[9:])]
    seen = watch([*film, *studio.take(after, 12)], studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [("refused", "stacked"), *said]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("told", [0, 1, 2])
def test_dice_of_a_cocked_throw_that_a_hand_pushes_and_turns_are_not_read(
    watch: Watcher, studio: Studio, told: int
) -> None:
    cocked = TrayReading.refused(Fault.COCKED, "", studio.truth(LANDED).dice[:told])
    after = [replace(LANDED[0], x_mm=LANDED[0].x_mm + 14), replace(LANDED[1], x_mm=LANDED[1].x_mm + 60, top=6)]
    film = [*studio.take(LANDED, 20, truth=cocked), *pushed(studio, LANDED, after), *studio.take(after, 14)]
    seen = watch([*film, *studio.hand_over(after)[:9], *studio.rolling(FAR), *studio.take(FAR, 14)], studio.calibration)

    assert (seen.said(Watch.READ, Watch.REFUSED), seen.touched) == ([("refused", "cocked"), READ], 1)


def test_of_a_throw_that_is_spent_no_more_dice_are_remembered_than_there_were_places(
    watch: Watcher, studio: Studio
) -> None:
    film = studio.take(LANDED, 20, truth=TrayReading.refused(Fault.COCKED, "", studio.truth(LANDED).dice))
    for poked in range(1, 5):
        dice = [replace(die, x_mm=die.x_mm + 8 * (poked % 2), yaw_deg=die.yaw_deg + 20 * poked) for die in LANDED]
        film += [*studio.hand_over(dice), *studio.take(dice, 12)]
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [("refused", "cocked")]
    assert seen.touched == 4
    assert len(seen.state.lying) == len(LANDED)
