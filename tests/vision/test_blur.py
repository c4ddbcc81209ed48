"""Blur one way, as of a die that moves, and blur all round, as of a lens."""

import cv2
import numpy as np
import pytest

from vision.blur import one_way
from vision.pips import Pip
from vision.types import Gray, as_uint8

PIPS = tuple(Pip(x, y, 9.0, 1.0, True, 20) for x, y in ((22.0, 22.0), (32.0, 32.0), (42.0, 42.0)))


def face() -> Gray:
    picture = np.full((64, 64), 210, np.uint8)
    for pip in PIPS:
        cv2.circle(picture, (round(pip.x), round(pip.y)), 4, 40, cv2.FILLED, cv2.LINE_AA)
    return picture


def smeared(picture: Gray, length: int, turn_deg: float) -> Gray:
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1 / length
    turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), turn_deg, 1)
    kernel = np.asarray(cv2.warpAffine(kernel, turn, (length, length)), np.float32)
    return as_uint8(cv2.filter2D(picture, -1, kernel / kernel.sum()))


@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0])
def test_what_is_out_of_focus_is_blurred_all_round(sigma: float) -> None:
    assert one_way(as_uint8(cv2.GaussianBlur(face(), (0, 0), sigma)), PIPS) > 0.9


@pytest.mark.parametrize("turn_deg", [0, 30, 45, 90, 120])
def test_what_moved_is_blurred_one_way(turn_deg: float) -> None:
    assert one_way(smeared(face(), 9, turn_deg), PIPS) < 0.67


def test_light_from_one_side_is_no_blur() -> None:
    ramp = np.linspace(0.5, 1.0, 64)
    shaded = as_uint8((face() * ramp).astype(np.uint8))

    assert one_way(as_uint8(cv2.GaussianBlur(shaded, (0, 0), 0.8)), PIPS) > 0.85


def test_pips_at_the_edge_of_a_picture_are_looked_at_all_the_same() -> None:
    assert 0 <= one_way(face()[:25, :25], PIPS[:1]) <= 1
    assert one_way(np.full((20, 20), 90, np.uint8), [Pip(1, 1, 8, 1, True, 9)]) == 0
