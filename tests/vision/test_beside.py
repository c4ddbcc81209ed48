"""What is new beside the dice: a shadow, or as dark as one and too wide for it."""

import cv2
import numpy as np
import pytest

from vision.tray.beside import WIDE_SHADOW, widest

SIDE = 40


@pytest.mark.parametrize(
    ("wide", "long", "is_shadow"),
    [
        pytest.param(1.2, 6.0, True, id="a long shadow, as wide as the die"),
        pytest.param(2.0, 2.0, True, id="the shadows of dice side by side"),
        pytest.param(4.0, 4.0, False, id="a cup, as dark as shade"),
        pytest.param(4.0, 1.0, True, id="a shadow in another direction"),
    ],
)
def test_what_is_wider_than_dice_shade_is_no_shadow(wide: float, long: float, is_shadow: bool) -> None:
    changed = np.zeros((400, 400), np.uint8)
    cv2.rectangle(changed, (100, 100), (100 + round(long * SIDE), 100 + round(wide * SIDE)), 255, cv2.FILLED)

    assert (widest(changed, np.zeros_like(changed), SIDE) < WIDE_SHADOW) is is_shadow


def test_what_dice_cover_of_it_and_what_is_beyond_the_picture_does_not_count() -> None:
    changed = np.full((400, 400), 255, np.uint8)
    drawn = np.zeros_like(changed)
    drawn[:, :SIDE] = 255

    assert widest(changed, drawn, SIDE) == pytest.approx((400 - SIDE) / SIDE, abs=0.1)
