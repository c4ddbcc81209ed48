"""Of dice whose edges and pips are all that is seen the watch does not say that the tray is empty."""

import cv2
import numpy as np
import pytest

from benchmarks.throws import calibration_of, case_of
from benchmarks.throws_report import PER_SETUP
from vision import Calibration, motion
from vision.motion import Watch, WatchEvent
from vision.motion.cover import Tray, what_lies
from vision.render import Table
from vision.render.setup import LARGE, SMALL, Size
from vision.types import Fault, Frame

FAINT = [
    pytest.param(692172, SMALL, id="two of the felt's colour"),
    pytest.param(692529, SMALL, id="dim light"),
    pytest.param(694454, SMALL, id="clear ones"),
    pytest.param(749288, LARGE, id="a large picture"),
]


def thrown(number: int, size: Size) -> tuple[Frame, Calibration, int]:
    """Return the picture of a throw of the benchmark, its calibrated tray, and how many dice are expected."""
    _, case, frame = case_of(number, size)
    calibration = calibration_of(number - number % PER_SETUP, size)
    assert isinstance(calibration, Calibration)
    return frame, calibration, case.expected


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize(("number", "size"), FAINT)
def test_dice_that_are_hardly_seen_lie_there(number: int, size: Size) -> None:
    frame, calibration, _ = thrown(number, size)

    assert what_lies(frame, calibration) is Tray.DICE


@pytest.mark.slow
def test_what_a_glance_does_not_see_and_the_reader_does_is_refused_and_not_empty() -> None:
    frame, calibration, dice = thrown(748472, LARGE)
    assert what_lies(frame, calibration) is Tray.EMPTY

    state = motion.start()
    said: list[WatchEvent] = []
    for _ in range(40):
        state, happened = motion.step(state, frame, calibration, dice)
        said += happened

    assert [event.kind for event in said] == [Watch.SETTLED, Watch.REFUSED]
    assert said[-1].reading is not None
    assert said[-1].reading.fault is Fault.MISSING


@pytest.mark.parametrize("light", [0.85, 1.0, 1.12])
def test_an_empty_tray_is_empty_in_another_light(table: Table, calibration: Calibration, light: float) -> None:
    empty = cv2.convertScaleAbs(table.empty(9), alpha=light)

    assert what_lies(np.asarray(empty, np.uint8), calibration) is Tray.EMPTY
