"""Spots that may be pips, looked for only where something lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.tray.spots import Look, find_spots
from vision.types import Frame, Gray

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


@pytest.mark.parametrize("look", Look)
@pytest.mark.parametrize(("pip", "body"), [(30, 200), (230, 60), (150, 95)])
def test_the_pips_of_what_lies_there_are_found_where_they_are(look: Look, pip: int, body: int) -> None:
    picture, where = scene(pip=pip, body=body)

    (seen,) = find_spots([(picture, where)], (6.0, 20.0), look)
    found = [spot for spot in seen if spot.roundness > 0.8]

    assert sorted((round(spot.x), round(spot.y)) for spot in found) == [(60, 50), (80, 70)]
    assert {spot.dark for spot in found} == {pip < body}
    assert [spot.diameter for spot in found] == pytest.approx([12, 12], abs=2.0)


@pytest.mark.parametrize("look", Look)
def test_where_nothing_lies_nothing_is_found(look: Look) -> None:
    picture, where = scene()

    assert find_spots([(picture, np.zeros_like(where))], (6.0, 20.0), look) == [[]]


def test_a_light_far_off_does_not_dim_the_pips_of_a_die() -> None:
    picture, where = scene(pip=80, body=100, felt=60)
    picture[:, 120:] = 255

    (found,) = find_spots([(picture, where)], (6.0, 20.0), Look.QUICK)

    assert sorted((round(spot.x), round(spot.y)) for spot in found if spot.roundness > 0.8) == [(60, 50), (80, 70)]


@pytest.mark.parametrize("look", Look)
def test_each_closeup_has_its_own_spots(look: Look) -> None:
    dark, empty, light = scene(), scene(), scene(pip=230, body=60)
    empty[1][:] = 0

    together = find_spots([dark, empty, light], (6.0, 20.0), look)

    assert together == [find_spots([one], (6.0, 20.0), look)[0] for one in (dark, empty, light)]
    assert {len(own) > 0 for own in (together[0], together[2])} == {True}


def found_at(picture: Frame, where: Gray, look: Look) -> list[tuple[int, int]]:
    """Return where clear pips are seen, those that are darker than one side and lighter than the other once."""
    (seen,) = find_spots([(picture, where)], (6.0, 20.0), look)
    return sorted({(round(spot.x), round(spot.y)) for spot in seen if spot.roundness > 0.8 and spot.diameter > 9})


def test_the_last_look_finds_gold_pips_on_a_top_that_mirrors_a_lamp() -> None:
    picture, where = scene()
    mirrored = np.linspace(30, 210, 61).astype(np.uint8)  # the lamp's white, more of it from left to right
    picture[30:91, 40:101] = mirrored[None, :, None]
    for x, y in ((50, 60), (70, 60), (90, 60)):
        cv2.circle(picture, (x, y), 6, (30, 140, 190), cv2.FILLED, cv2.LINE_AA)

    assert found_at(picture, where, Look.LAST) == [(50, 60), (70, 60), (90, 60)]
    assert found_at(picture, where, Look.THOROUGH) != [(50, 60), (70, 60), (90, 60)]


def test_the_last_look_tells_pips_apart_that_nearly_touch() -> None:
    picture, where = scene()
    picture[where > 0] = 200
    pips = [(60, 46), (60, 60), (60, 74)]
    for x, y in pips:
        cv2.circle(picture, (x, y), 6, (40, 40, 40), cv2.FILLED, cv2.LINE_AA)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.6), np.uint8)

    assert found_at(picture, where, Look.LAST) == pips
    assert found_at(picture, where, Look.THOROUGH) != pips
