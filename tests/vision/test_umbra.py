"""The shadow of a die begins at its foot, at any depth; what is dark and does not is no shadow of it."""

import cv2
import numpy as np
import pytest

from vision.bodies import Body
from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.layouts import FaceFit
from vision.tray.closeup import Closeup
from vision.tray.found import Found, Judged
from vision.tray.umbra import what_no_die_shades
from vision.types import Frame, Gray
from vision.zone import Region

TRAY_MM = (300.0, 220.0)
SIDE = round(16 * PX_PER_MM)
SHAPE = 12 * SIDE, 12 * SIDE
CORNER = round(MARGIN_MM * PX_PER_MM)
DIE = 3 * SIDE, 3 * SIDE
"""Where its middle is in the closeup, which begins at the corner of the floor."""

CUP = round(4.6 * SIDE), round(3.0 * SIDE)
RADIUS = round(0.6 * SIDE)

FELT = 120


def _light(*, reach: float, foot: float, end: float) -> Gray:
    """Return felt with the shadow of the die to its right: so much light is left at its foot and at its end."""
    light = np.ones(SHAPE, np.float32)
    first, last = DIE[0] + SIDE // 2, DIE[0] + SIDE // 2 + round(reach * SIDE)
    light[DIE[1] - SIDE // 2 : DIE[1] + SIDE // 2, first:last] = np.linspace(foot, end, last - first)
    return (FELT * light).astype(np.uint8)


def _seen(felt: Gray) -> Found:
    """Return a closeup of *felt* with a die in it, as it is told: all that is darker than it was has changed."""
    felt[DIE[1] - SIDE // 2 : DIE[1] + SIDE // 2, DIE[0] - SIDE // 2 : DIE[0] + SIDE // 2] = 220
    picture: Frame = cv2.merge([felt, felt, felt]).astype(np.uint8)
    changed = (np.abs(felt.astype(int) - FELT) > 6).astype(np.uint8) * 255
    darker = (felt < FELT).astype(np.uint8) * 255
    closeup = Closeup(CORNER, CORNER, picture, picture, changed, changed, darker, changed, float(SIDE), np.eye(3))
    fit = FaceFit(1, *DIE, angle=0.0, side=float(SIDE), pips=frozenset(), residual=0.0)
    body = Body(colour=(90.0, 0.0, 0.0), fill=1.0, contrast=60.0, evenness=1.0, stranger=0.0, outline=(1.0,) * 4)
    return Found(closeup, (), (), [Judged(fit, body, 1.0, chances=(0.0, 1.0, *[0.0] * 5))], ())


def _told(felt: Gray) -> tuple[float, float] | None:
    region = Region.of(None, TRAY_MM)
    return what_no_die_shades(_seen(felt), np.full((*SHAPE, 3), FELT, np.uint8), TRAY_MM, region)


@pytest.mark.parametrize(("foot", "end"), [(0.2, 0.9), (0.5, 0.5), (0.2, 0.2)])
def test_a_shadow_is_darkest_at_the_foot_of_its_die(foot: float, end: float) -> None:
    assert _told(_light(reach=2.0, foot=foot, end=end)) is None


def test_two_lamps_leave_the_darkest_at_the_foot_as_well() -> None:
    felt = _light(reach=2.0, foot=0.6, end=0.6)
    below = np.s_[DIE[1] : DIE[1] + 2 * SIDE, DIE[0] : DIE[0] + SIDE]
    felt[below] = (felt[below] * 0.6).astype(np.uint8)

    assert _told(felt) is None


@pytest.mark.parametrize("end", [0.95, 0.7, 0.45])
def test_what_is_darker_than_the_end_of_a_shadow_is_no_part_of_it(end: float) -> None:
    felt = _light(reach=2.0, foot=0.65, end=end)
    cv2.circle(felt, CUP, RADIUS, round(0.15 * FELT), cv2.FILLED)

    assert _told(felt) == pytest.approx(CUP, abs=2)


def test_what_is_no_larger_than_half_a_die_is_a_speck() -> None:
    felt = _light(reach=2.0, foot=0.65, end=0.7)
    cv2.circle(felt, CUP, RADIUS // 2, round(0.15 * FELT), cv2.FILLED)

    assert _told(felt) is None
