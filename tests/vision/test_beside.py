"""What is new beside the dice: a shadow, or as dark as one and too wide for it; or a hand over the rim."""

import cv2
import numpy as np
import pytest

from vision.bodies import Body
from vision.candidates import Candidate
from vision.geometry import MARGIN_MM, PX_PER_MM, view_size
from vision.layouts import FaceFit
from vision.pips import Pip
from vision.tray.beside import WIDE_SHADOW, farthest, pips_on_bodies, reaches_in, widest
from vision.tray.closeup import Closeup
from vision.tray.found import Found, Judged
from vision.zone import Rectangle, Region

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

    assert (widest(changed, np.zeros_like(changed), SIDE).size < WIDE_SHADOW) is is_shadow


def test_what_dice_cover_of_it_and_what_is_beyond_the_picture_does_not_count() -> None:
    changed = np.full((400, 400), 255, np.uint8)
    drawn = np.zeros_like(changed)
    drawn[:, :SIDE] = 255

    size, at = widest(changed, drawn, SIDE)
    assert size == pytest.approx((400 - SIDE) / SIDE, abs=0.1)
    assert at is not None
    assert at[0] == pytest.approx(220, abs=2)


def test_it_is_told_where_what_reaches_too_far_ends() -> None:
    changed, drawn = np.zeros((2, 400, 400), np.uint8)
    drawn[20:60, 20:60] = changed[20:60, 20:60] = changed[35:50, 60:300] = 255

    size, at = farthest(changed, drawn, SIDE)

    assert size == pytest.approx(240 / SIDE, rel=0.05)
    assert at is not None
    assert at[0] == pytest.approx(299, abs=1)


TRAY_MM = (300.0, 220.0)
BACK: Rectangle = (0.0, 0.0, 300.0, 110.0)
FRONT: Rectangle = (0.0, 110.0, 300.0, 220.0)


@pytest.mark.parametrize(
    ("deep_mm", "end_mm", "read", "reaches"),
    [
        pytest.param((215.0, 260.0), 0.0, None, True, id="a finger from beyond the view, its tip on the floor"),
        pytest.param((222.0, 260.0), 0.0, None, False, id="a die that the rim mirrors"),
        pytest.param((215.0, 260.0), 4.0, None, False, id="it does not reach the end of the view"),
        pytest.param((215.0, 260.0), 0.0, FRONT, True, id="into the part that is read"),
        pytest.param((215.0, 260.0), 0.0, BACK, False, id="into another part"),
    ],
)
def test_what_reaches_in_comes_from_beyond_the_view_over_the_rim(
    deep_mm: tuple[float, float], end_mm: float, read: Rectangle | None, *, reaches: bool
) -> None:
    wide, deep = view_size(TRAY_MM)
    body = np.zeros((deep, wide), np.uint8)
    first, last = (round((mm + MARGIN_MM) * PX_PER_MM) for mm in deep_mm)
    body[first : min(last, deep - round(end_mm * PX_PER_MM)), 400:480] = 255
    view = np.zeros((deep, wide, 3), np.uint8)
    closeup = Closeup(0, 0, view, view, body, body, np.zeros_like(body), body, 16 * PX_PER_MM, np.eye(3))
    region = Region.of(read, TRAY_MM)

    assert reaches_in(Found(closeup, (), (), (), ()), np.zeros_like(body), TRAY_MM, region) is reaches


@pytest.mark.parametrize(
    ("deep_mm", "levels", "count"),
    [
        pytest.param(230.0, 8, 0, id="faint, in the rim: mirrored"),
        pytest.param(230.0, 16, 1, id="as clear as those of the die, on the rim"),
        pytest.param(200.0, 8, 1, id="faint, on the floor"),
    ],
)
def test_a_faint_pip_that_the_rim_mirrors_is_none(deep_mm: float, levels: int, count: int) -> None:
    wide, deep = view_size(TRAY_MM)
    body = np.full((deep, wide), 255, np.uint8)
    view = np.zeros((deep, wide, 3), np.uint8)
    closeup = Closeup(0, 0, view, view, body, body, np.zeros_like(body), body, 16 * PX_PER_MM, np.eye(3))
    one = FaceFit(1, 100.0, 100.0, 0.0, closeup.side, frozenset({0}), 0.0)
    die = Candidate(one, Body((50, 128, 128), 1.0, (0, 0, 0, 0), 40.0, 1.0, 0.0), 1.0)
    y = (deep_mm + MARGIN_MM) * PX_PER_MM
    pips = [Pip(100, 100, 12, 0.9, dark=False, levels=20), Pip(200, y, 12, 0.9, dark=False, levels=levels)]
    found = Found(closeup, pips, (), [Judged.by(die, np.full(7, 0.9, np.float32))], ())

    assert pips_on_bodies(found, np.zeros_like(body), TRAY_MM, Region.of(None, TRAY_MM)) == count
