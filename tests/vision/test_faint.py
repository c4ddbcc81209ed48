"""Things of the felt's own colour: hardly anything is new where they lie, but the grain of the felt is gone."""

import cv2
import numpy as np
import pytest

from vision import Calibration, Fault, read_tray
from vision.render import RenderedDie, Table
from vision.render.cloth import FELTS
from vision.render.pose import Colour
from vision.render.things import Thing
from vision.zone import Zone

DICE = (RenderedDie(200, 110, 20, 5), RenderedDie(240, 140, 65, 2))
NEAR_PX = 10.0


def felt_like(share: float) -> Colour:
    """Return the colour of the table's felt, so many times as light."""
    blue, green, red = (round(share * channel) for channel in FELTS["green"].cloth_bgr)
    return blue, green, red


def coaster(share: float) -> Thing:
    colour = felt_like(share)
    return Thing((90.0, 120.0), (20.0, 20.0), is_round=True, high_mm=2.0, yaw_deg=0.0, bgr=colour, mark_bgr=colour)


@pytest.mark.parametrize("share", [0.85, 0.93, 1.08])
def test_a_coaster_of_the_colour_of_the_felt_is_seen(table: Table, calibration: Calibration, share: float) -> None:
    thing = coaster(share)

    reading = read_tray(table.clean(DICE, thing=thing), calibration, 2)

    assert reading.fault is Fault.OCCLUDED
    outline = calibration.mm_to_px(thing.outline_mm(1.0, 0.0)[:, :2]).astype(np.float32)
    assert reading.unclear
    assert all(cv2.pointPolygonTest(outline, at, measureDist=True) > -NEAR_PX for at in reading.unclear)


def test_it_is_not_looked_for_in_a_part_of_the_tray_that_is_not_read(table: Table, calibration: Calibration) -> None:
    picture = table.clean(DICE, thing=coaster(0.93))

    assert read_tray(picture, calibration, 2, zone=Zone.RIGHT).faces == (5, 2)


@pytest.mark.parametrize("share", [0.88, 1.1])
def test_light_or_shade_on_the_felt_hides_no_grain(table: Table, calibration: Calibration, share: float) -> None:
    picture = table.clean(DICE).astype(np.float32)
    light = np.ones(picture.shape[:2], np.float32)
    (x, y), *_ = calibration.mm_to_px(np.array([(90.0, 120.0)]))
    cv2.circle(light, (round(x), round(y)), 80, share, cv2.FILLED)
    lit = picture * cv2.GaussianBlur(light, (0, 0), 12)[..., None]

    assert read_tray(np.clip(lit, 0, 255).astype(np.uint8), calibration, 2).faces == (5, 2)
