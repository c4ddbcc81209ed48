"""Things as dark as a shadow that touch a die, or nearly do: they hide the grain of the felt, or reach too far."""

import cv2
import numpy as np
import pytest

from vision import Calibration, Fault, read_tray
from vision.render import RenderedDie, Table
from vision.render.things import Thing

DICE = (RenderedDie(150, 110, 20, 5), RenderedDie(190, 140, 65, 2))
DARK = (18, 34, 22)
NEAR_PX = 8.0


@pytest.mark.parametrize("gap_mm", [0.0, 3.0])
@pytest.mark.parametrize(
    ("half_mm", "is_round"),
    [
        pytest.param((30.0, 12.0), False, id="a lighter"),
        pytest.param((12.0, 12.0), False, id="a box of mints"),
        pytest.param((16.0, 16.0), True, id="a bottle's cap"),
        pytest.param((70.0, 4.5), False, id="a pen"),
    ],
)
def test_what_is_as_dark_as_a_shadow_beside_a_die_is_none(
    table: Table, calibration: Calibration, half_mm: tuple[float, float], is_round: bool, gap_mm: float
) -> None:
    place = (150.0, DICE[0].y_mm - 11 - half_mm[1] - gap_mm)
    thing = Thing(place, half_mm, is_round=is_round, high_mm=3.0, yaw_deg=4.0, bgr=DARK, mark_bgr=DARK)

    assert read_tray(table.clean(DICE), calibration, 2).faces == (5, 2)
    reading = read_tray(table.clean(DICE, thing=thing), calibration, 2)
    assert reading.fault is Fault.OCCLUDED
    outline = calibration.mm_to_px(thing.outline_mm(1.0, 0.0)[:, :2], thing.high_mm).astype(np.float32)
    assert reading.unclear
    assert all(cv2.pointPolygonTest(outline, at, measureDist=True) > -NEAR_PX for at in reading.unclear)
