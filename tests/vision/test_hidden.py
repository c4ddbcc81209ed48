"""A lamp hides pips only where it is seen, and where a fuller face would have them."""

from collections.abc import Sequence
from dataclasses import replace
from math import cos, hypot, sin

import cv2
import numpy as np
import pytest

from tests.rendered import closeup_of
from vision import Calibration
from vision.render import RenderedDie, Table
from vision.tray.flat import pips_of, propose_flat
from vision.tray.found import Found, Judged
from vision.tray.hidden import shows_all_its_pips
from vision.tray.sampling import look_under
from vision.tray.spots import Look
from vision.types import Point

RED, WHITE, CREAM = (30, 20, 120), (250, 250, 250), (190, 220, 225)
GREY, BLACK = (110, 110, 110), (20, 20, 20)
MIDDLE = (0.0, 0.0)
DIAGONALS = (((-0.25, -0.25), (0.25, 0.25)), ((-0.25, 0.25), (0.25, -0.25)))
"""In sides from the middle."""

LAMP, PALE = 255, 60
"""Levels of lightness that a lamp adds to a place, and by which a pip of the bottom of a clear die is lighter than its
top; those of the top: 150."""


def laid(table: Table, calibration: Calibration, die: RenderedDie) -> tuple[Found, Judged]:
    """Return a closeup of the only *die* in the tray, and how it is laid there."""
    part = closeup_of(table, calibration, die)
    (pips,) = pips_of([part], Look.THOROUGH)
    (candidates,) = propose_flat([(part, pips)])
    best = Judged.by(max(candidates, key=lambda c: c.weight), np.full(7, 1 / 7, np.float32))
    assert best.fit.face == die.top
    return Found(part, pips, (), [best], ()), best


def poorer(found: Found, die: Judged, face: int) -> Judged:
    """Return *die* as one of *face*, with as many of its pips: those in its middle and on a diagonal."""
    places = {1: (MIDDLE,), 2: DIAGONALS[0], 3: (MIDDLE, *DIAGONALS[0])}[face]
    own = frozenset(i for i in die.fit.pips if any(is_at(place, *at_pip(found, die, i)) for place in places))
    fit = replace(die.fit, face=face, pips=own)
    (body,) = look_under(found.closeup.lab, [fit], found.pips, edges=False)
    return replace(die, fit=fit, body=body)


def at_pip(found: Found, die: Judged, i: int) -> Point:
    return die.fit.on_face(found.pips[i].x, found.pips[i].y)


def is_at(place: Point, x: float, y: float) -> bool:
    return hypot(place[0] - x, place[1] - y) < 0.1


def lightened(found: Found, die: Judged, places: Sequence[Point], by: int) -> Found:
    """Return *found* with pips, so much lighter than what is there, at *places* of *die*."""
    lab = found.closeup.lab.copy()
    spots = np.zeros(lab.shape[:2], np.uint8)
    c, s = cos(die.fit.angle) * die.fit.side, sin(die.fit.angle) * die.fit.side
    for x, y in places:
        at = round(die.fit.x + c * x - s * y), round(die.fit.y + s * x + c * y)
        cv2.circle(spots, at, round(0.09 * die.fit.side), by, -1, cv2.LINE_AA)
    lab[..., 0] = cv2.add(lab[..., 0], spots)
    return replace(found, closeup=replace(found.closeup, lab=lab))


@pytest.fixture
def red(table: Table, calibration: Calibration, face: int) -> tuple[Found, Judged]:
    return laid(table, calibration, RenderedDie(120, 90, 0, face, body_bgr=RED, pip_bgr=WHITE))


@pytest.mark.parametrize("face", [1, 2, 3])
def test_all_pips_are_seen_of_a_top_without_a_lamp(red: tuple[Found, Judged]) -> None:
    assert shows_all_its_pips(*red)


@pytest.mark.parametrize(("face", "shown"), [(3, 1), (5, 1), (5, 3), (4, 2), (5, 2), (6, 2)])
def test_a_poorer_face_is_not_all_there_is(red: tuple[Found, Judged], shown: int) -> None:
    found, die = red
    less = poorer(found, die, shown)
    assert len(less.fit.pips) == shown

    assert not shows_all_its_pips(found, less)


@pytest.mark.parametrize(
    ("face", "lit", "all_seen"),
    [
        pytest.param(1, 1, True, id="one corner of a one: a three has two"),
        pytest.param(1, 2, False, id="two corners of a one: it may be a three"),
        pytest.param(3, 1, True, id="one free corner of a three: a five has two"),
        pytest.param(3, 2, False, id="both free corners of a three"),
        pytest.param(2, 1, True, id="one free corner of a two"),
        pytest.param(2, 2, False, id="both free corners of a two"),
    ],
)
@pytest.mark.parametrize("levels", [LAMP, PALE])
def test_what_is_light_where_a_fuller_face_has_its_pips_may_hide_them(
    red: tuple[Found, Judged], lit: int, levels: int, *, all_seen: bool
) -> None:
    found, die = red
    own = [at_pip(found, die, i) for i in die.fit.pips]
    free = next(way for way in DIAGONALS if not any(is_at(corner, *pip) for corner in way for pip in own))

    assert shows_all_its_pips(lightened(found, die, free[:lit], levels), die) is all_seen


@pytest.mark.parametrize("face", [2])
def test_the_middle_of_a_two_may_hide_that_of_a_three(red: tuple[Found, Judged]) -> None:
    found, die = red

    assert not shows_all_its_pips(lightened(found, die, [MIDDLE], LAMP), die)


@pytest.mark.parametrize("face", [1])
def test_pips_hardly_lighter_than_the_top_tell_nothing(red: tuple[Found, Judged]) -> None:
    found, die = red
    lab = found.closeup.lab.copy()
    lab[..., 0] = 100 + lab[..., 0] // 8
    colour = (100 + die.body.colour[0] / 8, *die.body.colour[1:])
    faint = replace(die, body=replace(die.body, colour=colour))

    assert not shows_all_its_pips(replace(found, closeup=replace(found.closeup, lab=lab)), faint)


def test_of_dark_pips_it_is_not_told(table: Table, calibration: Calibration) -> None:
    cream = RenderedDie(120, 90, 0, 1, body_bgr=CREAM, pip_bgr=BLACK)

    assert not shows_all_its_pips(*laid(table, calibration, cream))
