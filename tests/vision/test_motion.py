"""Films of a tray: one read per throw, none while anything moves, nothing under a cup."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.films import SAID, SIZE, Picture, Studio, Watcher, lighter
from vision import motion
from vision.calibrating import calibrate
from vision.motion import Watch
from vision.motion.lying import scaled
from vision.motion.tally import CLOSE_LOOKS, CONFIRM
from vision.render import RenderedDie, Table
from vision.render.roll import roll
from vision.tray.explain import NO_DIE
from vision.types import Die, Fault, Frame, TrayReading, as_uint8

LANDED = (RenderedDie(90, 100, 20, 4), RenderedDie(190, 90, 55, 1))
ELSEWHERE = (RenderedDie(140, 60, 40, 4), RenderedDie(220, 150, 10, 1))
OTHERS = (RenderedDie(140, 60, 40, 2), RenderedDie(220, 150, 10, 6))


READ = ("read", (4, 1))
EMPTY = ("empty", None)


@pytest.mark.parametrize("known", [pytest.param(True, id="calibrated"), pytest.param(False, id="unknown tray")])
def test_a_throw_is_read_once_and_soon_and_never_while_it_rolls(watch: Watcher, studio: Studio, known: bool) -> None:
    film = [*studio.take((), 10), *studio.rolling(LANDED)]
    rest = len(film)
    film += studio.take(LANDED, 40)
    seen = watch(film, studio.calibration if known else None)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]
    assert rest + 5 <= seen.at(Watch.READ)[0] <= rest + 8
    assert not [number for number in seen.read if 12 < number < rest]


def test_moving_and_settled_come_before_the_read(watch: Watcher, studio: Studio) -> None:
    seen = watch([*studio.take((), 10), *studio.rolling(LANDED), *studio.take(LANDED, 10)], studio.calibration)
    kinds = [event.kind for _, event in seen.events]

    assert kinds == [Watch.SETTLED, Watch.EMPTY, Watch.MOVING, Watch.SETTLED, Watch.READ]


def test_a_die_that_spins_in_its_place_is_not_at_rest(watch: Watcher, studio: Studio) -> None:
    film = [*studio.take((), 8), *studio.rolling(LANDED)]
    for turned in range(25):
        film += studio.take((LANDED[0], replace(LANDED[1], yaw_deg=9.0 * turned)))
    rest = len(film)
    film += studio.take((LANDED[0], replace(LANDED[1], yaw_deg=9.0 * 24)), 12)
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ) == [READ]
    assert seen.at(Watch.READ)[0] >= rest + 4


def test_a_flicker_of_the_light_moves_nothing(watch: Watcher, studio: Studio) -> None:
    film = studio.take(LANDED, 30)
    flicker = [
        Picture(as_uint8(cv2.convertScaleAbs(p.frame, alpha=1 + 0.12 * np.sin(2.1 * i))), p.truth)
        for i, p in enumerate(film)
    ]
    seen = watch(flicker, studio.calibration)

    assert seen.said(Watch.MOVING, *SAID) == [READ]


def test_dice_a_hand_passed_over_are_no_new_throw(watch: Watcher, studio: Studio) -> None:
    film = [*studio.take(LANDED, 15), *studio.hand_over(LANDED), *studio.take(LANDED, 30)]
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]
    assert seen.at(Watch.MOVING)


def test_dimmed_light_makes_no_new_throw(watch: Watcher, studio: Studio) -> None:
    film = [*studio.take(LANDED, 15), *studio.hand_over(LANDED)]
    film += [Picture(as_uint8((p.frame * 0.6).astype(np.uint8)), p.truth) for p in studio.take(LANDED, 25)]

    assert watch(film, studio.calibration).said(Watch.READ, Watch.REFUSED) == [READ]


@pytest.mark.parametrize(
    ("then", "after"),
    [pytest.param(LANDED, [], id="the dice still lie there"), pytest.param(ELSEWHERE, [READ], id="thrown again")],
)
def test_when_the_light_is_back_what_was_thrown_meanwhile_is_read(
    watch: Watcher, studio: Studio, then: Sequence[RenderedDie], after: list[object]
) -> None:
    dark = TrayReading.refused(Fault.LIGHT)
    black = (studio.table.picture(LANDED) * 0.02).astype(np.int16)
    unlit = [Picture(as_uint8(np.clip(black + next(studio.noise), 0, 255)), dark) for _ in range(40)]
    rolling = [] if then is LANDED else [*studio.take((), 3), *studio.rolling(then)]
    film = [*studio.take(LANDED, 15), *unlit, *rolling, *studio.take(then, 15)]

    assert watch(film, studio.calibration).said(Watch.READ, Watch.REFUSED) == [READ, ("refused", "light"), *after]


def test_dice_pushed_a_little_are_no_new_throw(watch: Watcher, studio: Studio) -> None:
    pushed = tuple(replace(die, x_mm=die.x_mm + 9) for die in LANDED)
    one_left = (LANDED[0], ELSEWHERE[1])
    film = [*studio.take(LANDED, 15), *studio.hand_over(LANDED), *studio.take(pushed, 20)]
    other = [*studio.take(LANDED, 15), *studio.hand_over(LANDED), *studio.take(one_left, 20)]

    seen = [watch(scenes, studio.calibration) for scenes in (film, other)]

    assert [screening.said(Watch.READ, Watch.REFUSED) for screening in seen] == [[READ]] * 2
    assert [screening.touched for screening in seen] == [1, 1]


def test_a_die_turned_over_by_a_finger_is_touched_and_not_thrown(watch: Watcher, studio: Studio) -> None:
    turned = (LANDED[0], replace(LANDED[1], top=6))
    film = [*studio.take(LANDED, 15), *studio.hand_over(LANDED), *studio.take(turned, 20), *studio.take((), 15)]
    seen = watch([*film, *studio.take(turned, 20)], studio.calibration)

    assert seen.said(Watch.READ, Watch.EMPTY) == [READ, EMPTY, ("read", (6, 4))]
    assert seen.touched == 1


def test_picking_up_one_die_after_the_other_is_no_throw(watch: Watcher, studio: Studio) -> None:
    one = studio.take(LANDED[:1], 30)
    film = [*studio.take(LANDED, 15), *studio.hand_over(LANDED), *one, *studio.hand_over(LANDED[:1])]
    seen = watch([*film, *studio.take((), 15)], studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED, Watch.EMPTY) == [READ, EMPTY]
    assert seen.touched == 0


def test_dice_of_which_none_is_made_out_were_thrown_all_the_same(watch: Watcher, studio: Studio) -> None:
    unclear = TrayReading.refused(Fault.MISSING, "1 of 2 dice lie in the tray, and one of them is not clear")
    film = [*studio.take((), 10), *studio.rolling(LANDED), *studio.take(LANDED, 30, truth=unclear)]
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.EMPTY, Watch.READ, Watch.REFUSED) == [EMPTY, ("refused", "missing")]


def test_dice_too_small_to_be_found_are_no_empty_tray(watch: Watcher, studio: Studio) -> None:
    unseen = TrayReading.refused(Fault.MISSING, "no die was found")
    bare = studio.take((), 30, truth=unseen)
    film = [*bare, *studio.rolling(LANDED), *studio.take(LANDED, 40, truth=unseen), *bare]
    seen = watch(film, None)

    assert seen.said() == [EMPTY, ("refused", "missing"), EMPTY]


def test_a_tray_that_was_never_seen_bare_is_empty_only_if_dice_were_found_there(watch: Watcher, studio: Studio) -> None:
    unseen = TrayReading.refused(Fault.MISSING, "no die was found")
    bare, small = (studio.take(dice, 40, truth=unseen) for dice in ((), LANDED))

    assert watch([*studio.rolling(LANDED), *small], None).said() == [("refused", "missing")]
    assert watch([*studio.rolling(LANDED), *studio.take(LANDED, 40), *bare], None).said() == [READ, EMPTY]


def test_a_shade_on_the_empty_tray_is_no_throw(watch: Watcher, studio: Studio) -> None:
    shaded = [
        Picture(as_uint8(cv2.ellipse(p.frame.copy(), (400, 240), (60, 40), 0, 0, 360, (12, 22, 18), -1)), p.truth)
        for p in studio.take((), 30, truth=TrayReading.refused(Fault.MISSING, NO_DIE))
    ]
    seen = watch([*studio.take((), 10), *studio.rolling(LANDED), *shaded], studio.calibration)

    assert seen.said(Watch.EMPTY, Watch.READ, Watch.REFUSED) == [EMPTY]
    assert seen.read


@pytest.mark.parametrize("seen_of_it", [0, 1])
def test_a_cocked_die_put_right_by_hand_is_not_read(watch: Watcher, studio: Studio, seen_of_it: int) -> None:
    cocked = TrayReading.refused(Fault.COCKED, "", studio.truth(LANDED).dice[:seen_of_it])
    right = (LANDED[0], replace(LANDED[1], x_mm=LANDED[1].x_mm + 6, yaw_deg=80))
    film = [*studio.take(LANDED, 30, truth=cocked), *studio.hand_over(LANDED), *studio.take(right, 30)]
    thrown = [*film, *studio.take((), 15), *studio.rolling(ELSEWHERE), *studio.take(ELSEWHERE, 15)]
    first, then = (watch(scenes, studio.calibration) for scenes in (film, thrown))

    assert first.said(Watch.READ, Watch.REFUSED) == [("refused", "cocked")]
    assert first.touched == 1
    assert then.said(Watch.READ, Watch.REFUSED) == [("refused", "cocked"), READ]


def test_a_finger_that_rests_beside_dice_that_were_read_refuses_nothing(watch: Watcher, studio: Studio) -> None:
    finger = (*LANDED, RenderedDie(250, 190, 10, 1, body_bgr=(118, 148, 204), pip_bgr=(118, 148, 204)))
    film = [*studio.take(LANDED, 15), *studio.take(finger, 30, truth=TrayReading.refused(Fault.OCCLUDED))]
    seen = watch([*film, *studio.take(LANDED, 20)], studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]
    assert len(seen.at(Watch.SETTLED)) == 3


@pytest.mark.parametrize("at", [4, 7, 10, 13])
def test_a_camera_that_stalls_while_dice_roll_shows_no_rest(watch: Watcher, studio: Studio, at: int) -> None:
    rolling = studio.rolling(LANDED)
    film = [*studio.take((), 10), *rolling[:at], *[rolling[at]] * 45, *rolling[at:], *studio.take(LANDED, 15)]
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [READ]
    assert seen.at(Watch.READ)[0] >= len(film) - 15


@pytest.mark.parametrize("gone", [2, 3, 5])
def test_pictures_that_are_dropped_or_doubled_change_nothing(watch: Watcher, studio: Studio, gone: int) -> None:
    film = [*studio.take((), 20), *studio.rolling(LANDED), *studio.take(LANDED, 40)]
    doubled = [picture for number, picture in enumerate(film) for _ in range(1 + (number % gone == 0))]

    assert watch(film[::gone], studio.calibration).said(Watch.READ, Watch.REFUSED) == [READ]
    assert watch(doubled, studio.calibration).said(Watch.READ, Watch.REFUSED) == [READ]


@pytest.mark.parametrize("gain", [0.45, 0.7, 1.5, 1.9])
def test_a_jump_of_the_exposure_is_no_motion(watch: Watcher, studio: Studio, gain: float) -> None:
    film = studio.take(LANDED, 60)
    film[20:] = [Picture(as_uint8(cv2.convertScaleAbs(p.frame, alpha=gain)), p.truth) for p in film[20:]]

    assert watch(film, studio.calibration).said(Watch.MOVING, *SAID) == [READ]
    assert watch(film[15:], studio.calibration).said(Watch.MOVING, *SAID) == [READ]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("body", [(40, 30, 190), (235, 240, 240)])
def test_a_jump_that_blows_out_one_colour_is_no_motion(
    watch: Watcher, studio: Studio, body: tuple[int, int, int]
) -> None:
    table = Table(seed=8, size=SIZE, felt="blue")
    dice = tuple(replace(die, body_bgr=body, pip_bgr=(250, 250, 250)) for die in LANDED)
    known = calibrate([table.empty(1)], tray_mm=table.tray_mm, die_mm=16, corners=table.corners_px)
    frames = [table.picture(dice, seed=number) for number in range(40)]
    frames[20:] = [as_uint8(cv2.convertScaleAbs(frame, alpha=2.2)) for frame in frames[20:]]

    assert watch([Picture(frame, studio.truth(dice)) for frame in frames], known).said(Watch.MOVING, *SAID) == [READ]


def test_a_stream_that_goes_on_after_a_gap_reads_nothing_twice(studio: Studio, watch: Watcher) -> None:
    film = studio.take(LANDED, 20)
    seen = watch(film, studio.calibration)
    state = motion.resumed(seen.state)
    for picture in studio.take(LANDED, 20):
        state, happened = motion.step(state, picture.frame, studio.calibration, 2)
        seen.events += [(0, event) for event in happened]

    assert seen.said(Watch.READ, Watch.MOVING) == [READ]


def test_pictures_of_another_size_show_no_new_throw(watch: Watcher, studio: Studio) -> None:
    film = studio.take(LANDED, 40)
    film[20:] = [Picture(as_uint8(cv2.resize(p.frame, (800, 600))), _grown(p.truth, 1.25)) for p in film[20:]]

    assert watch(film, None).said(Watch.READ, Watch.REFUSED) == [READ]


@pytest.mark.parametrize("size", [(640, 480), (320, 240)], ids=["out of focus", "too small for the reader"])
def test_dice_that_cannot_be_read_any_more_are_still_there(
    watch: Watcher, studio: Studio, size: tuple[int, int]
) -> None:
    lost = TrayReading.refused(Fault.MISSING, "no dice were found")
    film = [*studio.take(LANDED, 20), *studio.hand_over(LANDED)]
    for picture in studio.take(LANDED, 40):
        blurred = cv2.GaussianBlur(cv2.resize(picture.frame, size), (0, 0), 3.5 * size[0] / 640)
        film.append(Picture(as_uint8(blurred), lost))
    seen = watch([*film, *studio.hand_over(LANDED), *studio.take(LANDED, 20)], None)

    assert seen.said(Watch.READ, Watch.REFUSED, Watch.EMPTY) == [READ]
    assert not seen.touched


def test_dice_that_lay_there_from_the_first_picture_on_are_seen_to_go(watch: Watcher, studio: Studio) -> None:
    empty = studio.take((), 40, truth=TrayReading.refused(Fault.MISSING, "no dice were found"))
    seen = watch([*studio.take(LANDED, 20), *studio.hand_over(LANDED), *empty], None)

    assert seen.said(Watch.READ, Watch.REFUSED, Watch.EMPTY)[-1] == ("empty", None)


def test_a_picture_of_another_size_than_the_calibration_is_no_step(studio: Studio) -> None:
    for size in ((800, 600), (320, 240)):
        other = np.full((size[1], size[0], 3), 90, np.uint8)
        with pytest.raises(ValueError, match="the calibration is for 640x480"):
            motion.step(motion.start(), other, studio.calibration, 2)


def _grown(truth: TrayReading, by: float) -> TrayReading:
    return replace(truth, dice=tuple(scaled(die, by, by) for die in truth.dice))


@pytest.mark.parametrize(
    ("under", "bare", "after"),
    [
        pytest.param(LANDED, 0, [], id="untouched"),
        pytest.param(OTHERS, 0, [("read", (6, 2))], id="shaken under it"),
        pytest.param(ELSEWHERE, 1, [READ], id="taken up, shaken in it and put down, with the same faces"),
    ],
)
def test_nothing_is_read_under_a_cup(
    watch: Watcher, studio: Studio, under: tuple[RenderedDie, ...], bare: int, after: list[object]
) -> None:
    film = [*studio.take(LANDED, 12), *studio.take((), bare)]
    film += [p for y in (220.0, 170.0, 130.0) for p in studio.take(() if bare else LANDED, cup=(140.0, y))]
    first, last = len(film), len(film) + 30
    film += studio.take(under, 30, cup=(140.0, 95.0))
    film += [p for y in (130.0, 180.0, 230.0) for p in studio.take(under, cup=(140.0, y))]
    film += studio.take(under, 20)
    seen = watch(film, studio.calibration)

    assert seen.said() == [READ, ("covered", None), ("uncovered", None), *after]
    assert not [number for number in seen.read if first <= number < last]


def test_a_refused_throw_is_refused_once_with_its_fault(watch: Watcher, studio: Studio) -> None:
    cocked = TrayReading.refused(Fault.COCKED, "", studio.truth(LANDED).dice)
    film = [*studio.take((), 8), *studio.rolling(LANDED)]
    rest = len(film)
    film += studio.take(LANDED, 60, truth=cocked)
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [("refused", "cocked")]
    assert seen.at(Watch.REFUSED)[0] <= rest + 10
    assert (len([number for number in seen.read if number >= rest]), seen.closely) == (CONFIRM, CLOSE_LOOKS)


def test_every_throw_is_refused_anew_though_the_tray_is_not_seen_empty(watch: Watcher, studio: Studio) -> None:
    film = []
    for dice in (LANDED, ELSEWHERE, (RenderedDie(60, 150, 30, 5), RenderedDie(150, 110, 70, 2))):
        film += studio.take(dice, 30, truth=TrayReading.refused(Fault.COCKED, "", studio.truth(dice).dice[:1]))
    seen = watch(film, studio.calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [("refused", "cocked")] * 3


def test_gusts_of_noise_do_not_put_a_refusal_off(watch: Watcher, studio: Studio) -> None:
    film = studio.take(LANDED, 60, truth=TrayReading.refused(Fault.COCKED, "", studio.truth(LANDED).dice))
    for number in range(12, 60, 12):
        gust = film[number].frame.copy()
        gust[330:350, 300:320] += np.uint8(60)
        film[number] = replace(film[number], frame=gust)
    seen = watch(film, studio.calibration)

    assert len(seen.at(Watch.MOVING)) == 4
    assert seen.said(Watch.READ, Watch.REFUSED) == [("refused", "cocked")]


def test_readings_that_differ_die_by_die_are_never_read(watch: Watcher, studio: Studio) -> None:
    swapped = (replace(LANDED[0], top=LANDED[1].top), replace(LANDED[1], top=LANDED[0].top))
    truths = studio.truth(LANDED), studio.truth(swapped)
    film = [p for i in range(30) for p in studio.take(LANDED, truth=truths[i % 2])]

    assert truths[0].faces == truths[1].faces
    assert watch(film, studio.calibration).said(Watch.READ, Watch.REFUSED) == [("refused", "unsure")]


def test_a_second_die_may_come_late(watch: Watcher, studio: Studio) -> None:
    late = [(LANDED[0], *dice) for dice in roll(random.Random(2), LANDED[1:], 16)[3:-1]]
    film = [*studio.take((), 8), *studio.rolling(LANDED[:1]), *studio.take(LANDED[:1], 14)]
    film += [p for dice in late for p in studio.take(dice, truth=TrayReading.refused(Fault.MOVING))]
    film += studio.take(LANDED, 12)

    assert watch(film, studio.calibration).said(Watch.READ, Watch.REFUSED) == [READ]


def test_a_coarse_stream_of_which_every_other_picture_comes_twice_comes_to_rest(watch: Watcher, studio: Studio) -> None:
    rng = np.random.default_rng(6)
    grain = [np.round(rng.normal(0, 22, (SIZE[1], SIZE[0], 3))).astype(np.int16) for _ in range(5)]
    film = [*studio.take((), 12), *studio.rolling(LANDED), *studio.take(LANDED, 30)]
    noisy = [
        Picture(as_uint8(np.clip(p.frame + grain[number % 5], 0, 255).astype(np.uint8)), p.truth)
        for number, p in enumerate(film)
    ]
    doubled = [p for number, p in enumerate(noisy) for _ in range(1 + (number % 2 == 0))]

    assert watch(noisy, studio.calibration).said(Watch.READ, Watch.REFUSED) == [READ]
    assert watch(doubled, studio.calibration).said(Watch.READ, Watch.REFUSED) == [READ]


def test_a_step_changes_neither_the_state_nor_the_picture(studio: Studio) -> None:
    frames = [p.frame for p in studio.take(LANDED, 2)]
    state, _ = motion.step(motion.start(), frames[0], None, 2)
    kept = frames[1].copy()
    once, again = (motion.step(state, frames[1], None, 2)[0] for _ in range(2))

    assert np.array_equal(frames[1], kept)
    assert (once.rest.still, once.noises) == (again.rest.still, again.noises) == (1, once.noises)


def _frames(path: Path) -> Iterator[Frame]:
    video = cv2.VideoCapture(str(path))
    while (taken := video.read())[0]:
        yield as_uint8(taken[1])
    video.release()


@pytest.mark.parametrize("number", range(3))
def test_a_filmed_throw_is_read_once_after_it_rests(watch: Watcher, shared: Path, number: int) -> None:
    folder = shared / "tray-samples"
    truth = [json.loads(line) for line in (folder / "clips/truth.jsonl").read_text().splitlines()][number]
    corners = [(x - 0.5, y - 0.5) for x, y in truth["tray_corners"]]
    empty = as_uint8(np.asarray(cv2.imread(str(folder / truth["empty"]))))
    calibration = calibrate([empty], tray_mm=(300, 220), die_mm=16, corners=corners)
    quad = ((0.0, 0.0), (25.0, 0.0), (25.0, 25.0), (0.0, 25.0))
    read = TrayReading.read(tuple(Die(face, (9, 9), None, 0, 1, quad) for face in (5, 4)))
    missing = TrayReading.refused(Fault.MISSING, "", read.dice[:1])
    frames = enumerate(_frames(folder / truth["file"]))
    seen = watch([Picture(f, read if i >= truth["rest_frame"] else missing) for i, f in frames], calibration)

    assert seen.said(Watch.READ, Watch.REFUSED) == [("read", (5, 4))]
    assert seen.at(Watch.READ)[0] <= truth["rest_frame"] + 8


@pytest.mark.one_in(5)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "redder"),
    [
        *((f"tirada_{number}", 0) for number in range(1, 5)),
        pytest.param("tirada_4", -1, id="tirada_4, a level less of red, as another computer may decode it"),
    ],
)
def test_a_hand_that_throws_five_clear_dice_is_read_once(shared: Path, name: str, redder: int) -> None:
    folder = shared / "dice-photos"
    with (folder / "videos.csv").open(encoding="utf-8") as file:
        truth = next(row for row in csv.DictReader(file) if row["id"] == name and row["state"] == "rest")
    read, state = [], motion.start()
    for number, frame in enumerate(_frames(folder / f"videos/{name}.mp4")):
        state, happened = motion.step(state, lighter(frame, (0, 0, redder)), None, 5)
        read += [(number, e.reading.faces) for e in happened if e.kind is Watch.READ and e.reading is not None]

    assert [faces for _, faces in read] == [tuple(sorted(map(int, truth["faces"].split()), reverse=True))]
    assert int(truth["first_frame"]) <= read[0][0] <= int(truth["last_frame"])
