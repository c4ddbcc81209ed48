"""Blur one way, as of a die that moves, and blur all round, as of a lens."""

import cv2
import numpy as np
import pytest

from vision.pips import Pip
from vision.tray.blur import is_blurred_one_way, narrow_one_way, steep_one_way
from vision.types import Frame, Gray, as_uint8

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


def in_colour(light: Gray) -> Frame:
    """Return a picture in CIE Lab that is as light and grey."""
    return as_uint8(cv2.merge([light, np.full_like(light, 128), np.full_like(light, 128)]))


def moved(light: Gray) -> bool:
    return is_blurred_one_way(in_colour(light), PIPS, steep_one_way(light, PIPS))


@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0])
def test_what_is_out_of_focus_is_blurred_all_round(sigma: float) -> None:
    seen = as_uint8(cv2.GaussianBlur(face(), (0, 0), sigma))

    assert steep_one_way(seen, PIPS) > 0.9
    assert narrow_one_way(in_colour(seen), PIPS) > 0.9
    assert not moved(seen)


@pytest.mark.parametrize("turn_deg", [0, 30, 45, 90, 120])
def test_what_moved_is_blurred_one_way(turn_deg: float) -> None:
    seen = smeared(face(), 9, turn_deg)

    assert steep_one_way(seen, PIPS) < 0.67
    assert narrow_one_way(in_colour(seen), PIPS) < 0.81
    assert moved(seen)


def test_light_from_one_side_is_no_blur() -> None:
    ramp = np.linspace(0.5, 1.0, 64)
    shaded = as_uint8((face() * ramp).astype(np.uint8))

    assert steep_one_way(as_uint8(cv2.GaussianBlur(shaded, (0, 0), 0.8)), PIPS) > 0.85


def test_veins_of_the_colour_of_the_pips_are_no_blur() -> None:
    veined = face()
    for pip in PIPS[:2]:
        # Along a vein of its own colour a pip has no edges: those of the third are seen.
        cv2.line(veined, (round(pip.x) - 12, round(pip.y)), (round(pip.x) + 12, round(pip.y)), 40, 9)
    veined = as_uint8(cv2.GaussianBlur(veined, (0, 0), 1.0))

    assert steep_one_way(veined, PIPS) < 0.7
    assert not moved(veined)


def test_pips_at_the_edge_of_a_picture_are_looked_at_all_the_same() -> None:
    plain = np.full((20, 20), 90, np.uint8)
    at_edge = [Pip(1, 1, 8, 1, True, 9)]

    assert 0 <= steep_one_way(face()[:25, :25], PIPS[:1]) <= 1
    assert steep_one_way(plain, at_edge) == 0
    assert is_blurred_one_way(in_colour(plain), at_edge, 0.0)
