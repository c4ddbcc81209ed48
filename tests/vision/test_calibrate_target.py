"""The printed target tells the lens, or why it does not."""

import cv2
import numpy as np
import pytest

from vision import CalibrationError
from vision.calibration.target import (
    SQUARE_MM,
    SQUARES,
    Sighting,
    black_rectangles,
    floor_by_target,
    lens_from_target,
    sight,
)
from vision.lens import Lens
from vision.types import Doubles, Frame

SIZE = (1280, 960)
FOCAL = 1400.0
LENS = Lens((645.0, 470.0), FOCAL, -0.17, 0.02, FOCAL)
DOTS_MM = 8
PAPER_MM = (SQUARES[0] * SQUARE_MM, SQUARES[1] * SQUARE_MM)


@pytest.fixture(scope="module")
def sheet() -> Frame:
    """The target as it is printed, `DOTS_MM` dots a millimetre, with a white edge of 10 mm."""
    wide, high = ((round(side) + 20) * DOTS_MM for side in PAPER_MM)
    drawn = np.full((high, wide), 255, np.uint8)
    for x, y, width, height in black_rectangles():
        left, top = round((x + 10) * DOTS_MM), round((y + 10) * DOTS_MM)
        drawn[top : top + round(height * DOTS_MM), left : left + round(width * DOTS_MM)] = 0
    return cv2.GaussianBlur(drawn, (0, 0), 1.2).astype(np.uint8)


def sheet_to_picture(tilt_deg: float, towards_deg: float) -> Doubles:
    """Return the homography from millimetres of the sheet to the picture without distortion."""
    axis = np.array([np.cos(np.radians(towards_deg)), np.sin(np.radians(towards_deg)), 0.0]) * np.radians(tilt_deg)
    turn = cv2.Rodrigues(axis)[0]
    middle = np.array([PAPER_MM[0] / 2, PAPER_MM[1] / 2, 0])
    shift = np.array([0.0, 0.0, 440.0]) - turn @ middle
    camera = np.array([[FOCAL, 0, LENS.centre_px[0]], [0, FOCAL, LENS.centre_px[1]], [0, 0, 1]])
    return np.asarray(camera @ np.column_stack([turn[:, 0], turn[:, 1], shift]), np.float64)


def photograph(sheet: Frame, tilt_deg: float, towards_deg: float) -> Frame:
    to_sheet = np.linalg.inv(sheet_to_picture(tilt_deg, towards_deg))
    rows, columns = np.mgrid[: SIZE[1], : SIZE[0]].astype(np.float64)
    flat = LENS.undistort(np.stack([columns, rows], axis=2))
    mm = cv2.perspectiveTransform(flat, to_sheet)
    x, y = np.moveaxis(((mm + 10) * DOTS_MM).astype(np.float32), 2, 0)
    seen = cv2.remap(sheet, x, y, cv2.INTER_LINEAR, borderValue=(90, 90, 90))
    noise = np.random.default_rng(int(towards_deg)).normal(0, 2, seen.shape)
    grey = np.clip(seen * 0.8 + 20 + noise, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture(scope="module")
def sightings(sheet: Frame) -> list[Sighting]:
    views = [(3.0, 40.0), *((25.0, towards) for towards in (0.0, 90.0, 180.0, 270.0))]
    return [sight(photograph(sheet, *view), "photo") for view in views]


def test_the_target_is_black_squares_and_58_markers() -> None:
    black = black_rectangles()

    assert sum(width == SQUARE_MM for _, _, width, _ in black) == 59
    assert all(0 <= x <= PAPER_MM[0] - width and 0 <= y <= PAPER_MM[1] - high for x, y, width, high in black)


def test_five_photographs_tell_focal_length_axis_and_bend(sightings: list[Sighting]) -> None:
    lens, error_px = lens_from_target(sightings)

    assert lens.focal_px == pytest.approx(FOCAL, rel=0.01)
    assert lens.centre_px == pytest.approx(LENS.centre_px, abs=3)
    assert lens.k1 == pytest.approx(LENS.k1, abs=0.01)
    assert error_px < 0.3


def test_one_photograph_straight_on_tells_the_bend_and_leaves_the_focal_length_open(
    sightings: list[Sighting],
) -> None:
    lens, _ = lens_from_target(sightings[:1])
    grid = np.array([[x, y] for x in (100.0, 640.0, 1180.0) for y in (80.0, 480.0, 880.0)])
    one, other = lens.undistort(grid), LENS.undistort(grid)
    between, _ = cv2.findHomography(one, other, 0)
    off = cv2.perspectiveTransform(one[None], between)[0] - other

    assert lens.focal_px is None
    assert np.abs(off).max() < 1.0


def test_the_target_measures_the_floor_it_lies_on(sightings: list[Sighting]) -> None:
    lens, _ = lens_from_target(sightings)
    floor = np.array([[-20.0, -20.0], [280.0, -20.0], [280.0, 200.0], [-20.0, 200.0]])
    seen = LENS.distort(cv2.perspectiveTransform(floor[None], sheet_to_picture(3, 40))[0].astype(np.float64))

    measured = floor_by_target(sightings[0], lens, seen.tolist())
    assert measured == pytest.approx((300.0, 220.0), abs=1.0)
    assert floor_by_target(sightings[0], lens, (seen * 0.5).tolist()) is None


def test_a_picture_without_the_target_is_refused() -> None:
    with pytest.raises(CalibrationError, match=r"holiday\.jpg: 0 of the target's 96 corners"):
        sight(np.full((480, 640, 3), 90, np.uint8), "holiday.jpg")


def test_pictures_of_two_cameras_and_a_crumpled_sheet_are_refused(sightings: list[Sighting]) -> None:
    first, *_ = sightings
    with pytest.raises(CalibrationError, match="different sizes"):
        lens_from_target([first, Sighting(first.sheet_mm, first.px, (640, 480))])
    shaken = np.random.default_rng(0).normal(0, 6, first.px.shape).astype(np.float32)
    with pytest.raises(CalibrationError, match="lay it flat"):
        lens_from_target([Sighting(first.sheet_mm, first.px + shaken, SIZE)])
