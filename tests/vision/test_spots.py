"""Spots that may be pips, looked for only where something lies."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from vision.pips import Pip
from vision.spots import Seen, quick_spots, thorough_spots
from vision.types import Frame, Gray

Find = Callable[[Sequence[Seen], tuple[float, float]], list[list[Pip]]]
PIPS = ((60, 50, 6), (80, 70, 6), (140, 50, 6))
"""x, y, radius; the last lies beside the die."""


def scene(*, pip: int = 30, body: int = 200, felt: int = 90) -> tuple[Frame, Gray]:
    """Return a die with two pips and a spot on the felt, and where the die is."""
    picture = np.random.default_rng(3).normal(felt, 4, (120, 180, 3)).clip(0, 255).astype(np.uint8)
    where = np.zeros(picture.shape[:2], np.uint8)
    cv2.rectangle(where, (40, 30), (100, 90), 255, cv2.FILLED)
    picture[where > 0] = body
    for x, y, radius in PIPS:
        cv2.circle(picture, (x, y), radius, (pip, pip, pip), cv2.FILLED, cv2.LINE_AA)
    return picture, where


@pytest.mark.parametrize("find", [quick_spots, thorough_spots])
@pytest.mark.parametrize(("pip", "body"), [(30, 200), (230, 60), (150, 95)])
def test_the_pips_of_what_lies_there_are_found_where_they_are(find: Find, pip: int, body: int) -> None:
    picture, where = scene(pip=pip, body=body)

    (seen,) = find([(picture, where)], (6.0, 20.0))
    found = [spot for spot in seen if spot.roundness > 0.8]

    assert sorted((round(spot.x), round(spot.y)) for spot in found) == [(60, 50), (80, 70)]
    assert {spot.dark for spot in found} == {pip < body}
    assert [spot.diameter for spot in found] == pytest.approx([12, 12], abs=2.0)


@pytest.mark.parametrize("find", [quick_spots, thorough_spots])
def test_where_nothing_lies_nothing_is_found(find: Find) -> None:
    picture, where = scene()

    assert find([(picture, np.zeros_like(where))], (6.0, 20.0)) == [[]]


def test_a_light_far_off_does_not_dim_the_pips_of_a_die() -> None:
    picture, where = scene(pip=80, body=100, felt=60)
    picture[:, 120:] = 255

    (found,) = quick_spots([(picture, where)], (6.0, 20.0))

    assert sorted((round(spot.x), round(spot.y)) for spot in found if spot.roundness > 0.8) == [(60, 50), (80, 70)]


@pytest.mark.parametrize("find", [quick_spots, thorough_spots])
def test_each_closeup_has_its_own_spots(find: Find) -> None:
    dark, empty, light = scene(), scene(), scene(pip=230, body=60)
    empty[1][:] = 0

    together = find([dark, empty, light], (6.0, 20.0))

    assert together == [find([one], (6.0, 20.0))[0] for one in (dark, empty, light)]
    assert {len(own) > 0 for own in (together[0], together[2])} == {True}
