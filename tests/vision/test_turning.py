"""How a one is turned."""

from math import degrees, radians

import cv2
import numpy as np
import pytest

from vision.layouts import FaceFit
from vision.tray.turning import turn_of
from vision.types import Frame

SIDE = 56.0


def drawn(*dice: tuple[float, float, float], body: int = 200, felt: int = 90) -> Frame:
    """Return ones at x, y with a yaw in degrees, in a picture of CIE Lab."""
    picture = np.random.default_rng(1).normal(felt, 3, (160, 220, 1)).clip(0, 255).astype(np.uint8)
    for x, y, yaw in dice:
        corners = cv2.boxPoints(((x, y), (SIDE, SIDE), yaw))
        cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], body)
        cv2.polylines(picture, [np.round(corners).astype(np.int32)], True, body - 30, 2)
        cv2.circle(picture, (round(x), round(y)), 6, 30, cv2.FILLED)
    return cv2.merge([picture, np.full_like(picture, 128), np.full_like(picture, 128)]).astype(np.uint8)


def off(turn: float, yaw: float) -> float:
    """Return by how many degrees *turn* is wrong; a square is the same after a quarter."""
    away = (degrees(turn) - yaw) % 90
    return min(away, 90 - away)


def one(x: float, y: float) -> FaceFit:
    return FaceFit(1, x, y, 0.0, SIDE, frozenset((0,)), 0.0)


@pytest.mark.parametrize("yaw", [0, 17, 45, 62, 88])
@pytest.mark.parametrize("body", [200, 105])
def test_the_edges_tell_how_it_is_turned(yaw: float, body: int) -> None:
    assert off(turn_of(drawn((80, 80, yaw), body=body), one(80, 80)), yaw) < 4


@pytest.mark.parametrize("other", [5, 25, 40])
def test_a_die_that_touches_it_does_not_turn_it(other: float) -> None:
    yaw = 20
    beside = (80 + SIDE * 1.08 * np.cos(radians(yaw)), 80 + SIDE * 1.08 * np.sin(radians(yaw)), other)

    assert off(turn_of(drawn(beside, (80, 80, yaw)), one(80, 80)), yaw) < 4


def test_a_one_at_the_edge_of_the_picture_is_no_error() -> None:
    assert 0 <= turn_of(drawn((4, 156, 30)), one(4, 156)) < radians(90)
