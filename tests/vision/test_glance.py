"""The first look at a picture: is the tray where it was, is there light, and where lies something."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision import Calibration, Fault
from vision.backdrop import backdrop_of, shrunk
from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.glance import Glance, glance
from vision.render import RenderedDie, Table
from vision.tray.closeup import closeups
from vision.tremble import ALIKE
from vision.types import Frame, as_uint8

DICE = (RenderedDie(80, 80, 10, 3), RenderedDie(220, 140, 50, 5))


def shifted(frame: Frame, dx: int, dy: int) -> Frame:
    rows, columns = frame.shape[:2]
    padded = np.pad(frame, ((40, 40), (40, 40), (0, 0)), mode="edge")
    return as_uint8(np.ascontiguousarray(padded[40 - dy : 40 - dy + rows, 40 - dx : 40 - dx + columns]))


@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (3, -2), (-5, 1)])
def test_a_trembling_mount_is_measured(table: Table, calibration: Calibration, dx: int, dy: int) -> None:
    seen = glance(shifted(table.picture(DICE), dx, dy), calibration)

    assert isinstance(seen, Glance)
    assert seen.shift == pytest.approx((dx, dy), abs=0.6)


@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (3, -2), (-5, 1)])
def test_its_corners_tell_where_the_felt_shows_nothing_but_noise(calibration: Calibration, dx: int, dy: int) -> None:
    dark = replace(calibration, empty=_without_grain(calibration.empty, calibration, seed=1))
    backdrop = backdrop_of(dark)
    now = shifted(_without_grain(calibration.empty, calibration, seed=2), dx, dy)

    seen = glance(now, dark)

    assert backdrop.pattern.shift_of(shrunk(now, backdrop.shrink))[1] < ALIKE
    assert isinstance(seen, Glance)
    assert seen.shift == pytest.approx((dx, dy), abs=0.3)


def test_a_bumped_camera_has_moved(table: Table, calibration: Calibration) -> None:
    assert _fault(shifted(table.picture(DICE), 25, -12), calibration) is Fault.CAMERA_MOVED


@pytest.mark.parametrize("gain", [0.02, 0.2, 6.0])
def test_too_little_and_too_much_light_is_named_and_no_moved_camera(
    table: Table, calibration: Calibration, gain: float
) -> None:
    lit = as_uint8(np.clip(table.picture(DICE) * gain, 0, 255).astype(np.uint8))

    assert _fault(lit, calibration) is Fault.LIGHT


def test_a_glance_leaves_the_backdrop_as_it_was(table: Table, calibration: Calibration) -> None:
    picture = table.picture(DICE)

    first, second, third = (glance(picture, calibration) for _ in range(3))

    assert isinstance(first, Glance)
    assert isinstance(third, Glance)
    assert isinstance(second, Glance)
    assert second.shift == pytest.approx(first.shift, abs=1e-3)
    assert third.shift == pytest.approx(first.shift, abs=1e-3)


def test_the_closeups_hold_the_dice_and_do_not_overlap(table: Table, calibration: Calibration) -> None:
    picture = table.picture(DICE)
    seen = glance(picture, calibration)
    assert isinstance(seen, Glance)

    parts = closeups(picture, calibration, backdrop_of(calibration), seen)

    covered = np.zeros(backdrop_of(calibration).view.shape[:2], int)
    for part in parts:
        rows, columns = part.body.shape
        covered[part.y : part.y + rows, part.x : part.x + columns] += 1
    assert covered.max() == 1
    for die in DICE:
        x, y = (round((mm + 16) * 3.5) for mm in (die.x_mm, die.y_mm))
        assert covered[y, x] == 1


def test_nothing_is_looked_at_closely_in_an_empty_tray(table: Table, calibration: Calibration) -> None:
    picture = table.empty(seed=5)
    seen = glance(picture, calibration)
    assert isinstance(seen, Glance)

    assert closeups(picture, calibration, backdrop_of(calibration), seen) == []


def test_where_only_a_strip_of_a_die_looks_new_the_closeup_holds_the_die(
    table: Table, calibration: Calibration
) -> None:
    picture = table.picture([RenderedDie(120, 90, 0, 3)])
    seen = glance(picture, calibration)
    assert isinstance(seen, Glance)
    x, y, wide, high = cv2.boundingRect(seen.changed)
    strip = np.zeros_like(seen.changed)
    strip[y : y + high, x : x + wide // 4] = seen.changed[y : y + high, x : x + wide // 4]

    (part,) = closeups(picture, calibration, backdrop_of(calibration), replace(seen, changed=strip))

    middle_x, middle_y = (120 + MARGIN_MM) * PX_PER_MM - part.x, (90 + MARGIN_MM) * PX_PER_MM - part.y
    rows, columns = part.changed.shape
    assert min(middle_x, columns - middle_x, middle_y, rows - middle_y) > part.side / 2


@pytest.mark.parametrize("size", [(480, 640), (481, 639), (243, 322)])
def test_shrinking_takes_whole_pixels(size: tuple[int, int]) -> None:
    assert shrunk(np.zeros((*size, 3), np.uint8), 4).shape == (size[0] // 2 // 2, size[1] // 2 // 2, 3)


def _fault(frame: Frame, calibration: Calibration) -> Fault | None:
    seen = glance(frame, calibration)
    return None if isinstance(seen, Glance) else seen[0]


def _without_grain(frame: Frame, calibration: Calibration, seed: int) -> Frame:
    """Return *frame* with a floor of one colour, all of it in the dark, under the noise of a picture of its own."""
    plain = frame.copy()
    corners = np.round(np.array(calibration.corners_px)).astype(np.int32)
    cv2.fillConvexPoly(plain, corners, [float(value) for value in np.median(frame.reshape(-1, 3), axis=0)])
    noise = np.random.default_rng(seed).normal(0, 6, frame.shape)
    return as_uint8(np.clip(np.rint(plain / 3 + noise), 0, 255).astype(np.uint8))
