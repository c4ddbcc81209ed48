"""How high the camera hangs: corners of a floor seen straight on do not tell it, the sides of dice do."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.throws import calibrated, case_of, setup_of
from vision import Calibration, read_tray
from vision.backdrop import backdrop_of
from vision.lens import plain_lens
from vision.tray.eye import eye_told_by
from vision.tray.height import hung_as_dice_tell
from vision.types import Frame

pytestmark = pytest.mark.usefixtures("unchecked")

LOW = 716450
"""A drawn table whose camera hangs straight above it at 353 mm: its corners would have it anywhere from 300 to 600."""

THROWS = (716451, 716453, 716459, 716465)
"""Some on it in which two dice lie apart."""


CLOSE = 716473
"""One in which they lie close to each other."""


@cache
def table() -> Calibration:
    return calibrated(setup_of(LOW))


@cache
def thrown(number: int) -> Frame:
    return case_of(number)[2]


def off(calibration: Calibration) -> float:
    """Return by what part of its height the camera of *calibration* is taken to hang too high."""
    return calibration.camera_height_mm / float(setup_of(LOW).table.camera.position_mm[2]) - 1


@pytest.mark.long
def test_corners_leave_the_height_open_and_dice_tell_it() -> None:
    assert off(table()) > 0.25

    told = hung_as_dice_tell(table(), [thrown(number) for number in THROWS])

    assert abs(off(told)) < 0.15
    # Two dice in one closeup are no witnesses for each other: without what was learned they look less flat.
    before, since = (read_tray(thrown(CLOSE), known, 2) for known in (table(), told))
    assert since.faces == (5, 4)
    assert min(die.confidence for die in since.dice) > min(die.confidence for die in before.dice) + 0.03


def test_a_height_that_dice_agree_with_is_left_as_it_is() -> None:
    focal_px = setup_of(LOW).table.camera.focal_px
    known = replace(table(), lens=replace(plain_lens(table().size, 0.0), focal_px=focal_px))

    assert hung_as_dice_tell(known, [thrown(THROWS[0])]) is known
    assert hung_as_dice_tell(table(), []) is table()
    assert hung_as_dice_tell(table(), [np.zeros_like(table().empty)]) is table()


def test_what_nothing_tells_is_where_the_corners_have_it() -> None:
    eyes = backdrop_of(table()).eyes

    assert eye_told_by(eyes, [], table().camera_height_mm) is None
    assert eye_told_by(eyes, [np.linspace(0.0, 100.0, len(eyes))], table().camera_height_mm) is eyes[0]


def test_a_die_is_no_witness_for_itself() -> None:
    """Of a die alone nothing else tells how high the camera hangs: it looks as if it leant, and stays refused."""
    picture = thrown(716465).copy()
    assert read_tray(picture, table(), 2).faces == (3, 2)

    by_side = {die.face: die for die in read_tray(picture, table(), 2).dice}
    x, y = (round(v) for v in by_side[3].centre_px)
    picture[y - 60 : y + 60, x - 60 : x + 60] = table().empty[y - 60 : y + 60, x - 60 : x + 60]

    assert read_tray(picture, table(), 1).fault is not None
