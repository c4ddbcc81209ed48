"""What the watch asks of the reader, and what it says itself: of a camera that was moved it asks nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.films import Picture, Studio, Watcher
from vision.motion.automaton import SURELY_STILL
from vision.motion.tally import PATIENCE
from vision.render import RenderedDie
from vision.types import Fault, TrayReading, as_uint8
from vision.zone import Zone

LANDED = (RenderedDie(90, 100, 20, 4), RenderedDie(190, 90, 55, 1))
ELSEWHERE = (RenderedDie(140, 60, 40, 4), RenderedDie(220, 150, 10, 1))
READ, EMPTY, MOVED = ("read", (4, 1)), ("empty", None), ("refused", "camera_moved")
PUSHED_PX = 16


def bumped(film: Sequence[Picture]) -> list[Picture]:
    """Return *film* as a camera takes it that was pushed aside; the reader here reads the dice all the same."""
    return [replace(picture, frame=as_uint8(np.roll(picture.frame, PUSHED_PX, axis=1))) for picture in film]


def dimmed(film: Sequence[Picture], gain: float) -> list[Picture]:
    """Return *film* in less light."""
    return [replace(picture, frame=as_uint8(np.rint(picture.frame * gain).astype(np.uint8))) for picture in film]


def test_only_after_the_first_looks_at_a_rest_the_reader_is_told_that_nothing_moves(
    watch: Watcher, studio: Studio
) -> None:
    film = [
        picture
        for dice in (LANDED, ELSEWHERE)
        for picture in studio.take(dice, 30, truth=TrayReading.refused(Fault.UNSURE))
    ]
    seen = watch(film, studio.calibration)

    of_one_rest = [False] * SURELY_STILL + [True] * (PATIENCE - SURELY_STILL)
    assert [asked.at_rest for asked in seen.asked] == 2 * of_one_rest


def test_the_reader_is_given_the_background_as_the_evening_has_changed_it(watch: Watcher, studio: Studio) -> None:
    seen = watch(dimmed([*studio.take((), 12), *studio.take(LANDED, 10)], 0.8), studio.calibration)

    assert seen.said() == [EMPTY, READ]
    assert seen.state.drift is not None
    followed = seen.state.drift.calibration
    assert followed is not studio.calibration
    assert seen.asked[0].calibration is studio.calibration
    assert seen.asked[-1].calibration is followed


@pytest.mark.parametrize("calibrated", [True, False])
def test_the_reader_is_told_how_many_dice_there_are_and_in_which_part_of_the_tray(
    watch: Watcher, studio: Studio, calibrated: bool
) -> None:
    known = studio.calibration if calibrated else None
    seen = watch(studio.take(LANDED, 10), known, 3, Zone.LEFT)

    assert seen.asked
    assert {asked[:3] for asked in seen.asked} == {(known, 3, Zone.LEFT)}


def test_a_cup_in_the_other_half_of_the_tray_covers_no_dice(watch: Watcher, studio: Studio) -> None:
    film = studio.take(LANDED[:1], 12, cup=(240.0, 110.0), truth=TrayReading.read(studio.truth(LANDED).dice[:1]))

    assert watch(film, studio.calibration, 1, Zone.LEFT).said() == [("read", (4,))]
    assert watch(film, studio.calibration, 1).said() == [("covered", None)]


def test_while_the_camera_is_not_where_it_was_no_reader_is_asked_and_then_what_lies_there_is_read(
    watch: Watcher, studio: Studio
) -> None:
    film = [*studio.take((), 10), *bumped(studio.take(LANDED, 25)), *studio.take(LANDED, 12)]
    seen = watch(film, studio.calibration)

    assert seen.said() == [EMPTY, MOVED, READ]
    assert not [number for number in seen.read if 10 <= number < 35]


@pytest.mark.parametrize("told", [0, 2])
def test_a_camera_that_is_bumped_after_a_cocked_throw_is_told_and_put_back_it_sees_the_next_throw(
    watch: Watcher, studio: Studio, told: int
) -> None:
    cocked = TrayReading.refused(Fault.COCKED, "", studio.truth(LANDED).dice[:told])
    film = [*studio.take(LANDED, 20, truth=cocked), *bumped(studio.take(LANDED, 25))]
    film += [*studio.take(LANDED, 20, truth=cocked), *studio.take((), 10), *studio.take(ELSEWHERE, 12)]
    seen = watch(film, studio.calibration)

    assert seen.said() == [("refused", "cocked"), MOVED, EMPTY, READ]
