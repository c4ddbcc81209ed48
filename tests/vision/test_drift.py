"""The background follows the evening; a camera that was bumped is noticed, a light that changes is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.rendered import calibrated
from vision import Calibration, drift, motion, read_tray
from vision.corners import camera_moved, corner_shifts
from vision.drift import Drift, follow
from vision.motion import Watch
from vision.render import LAMPS, RenderedDie, Table
from vision.types import Fault, Frame, as_uint8

SIZE = (640, 480)
DICE = (RenderedDie(90, 100, 20, 4), RenderedDie(190, 90, 55, 1))


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=7, size=SIZE)


@pytest.fixture(scope="module")
def calibration(table: Table) -> Calibration:
    return calibrated(table)


def bumped(frame: Frame, right: float = 0.0, down: float = 0.0, turned: float = 0.0, larger: float = 1.0) -> Frame:
    """Return *frame* as a camera sees it that was bumped."""
    matrix = cv2.getRotationMatrix2D((frame.shape[1] / 2, frame.shape[0] / 2), turned, larger)
    matrix[:, 2] += np.array([right, down])
    return as_uint8(cv2.warpAffine(frame, matrix, frame.shape[1::-1], borderMode=cv2.BORDER_REFLECT))


@pytest.mark.parametrize("dice", [(), DICE], ids=["empty", "with dice"])
def test_the_corners_are_found_to_a_part_of_a_pixel(table: Table, calibration: Calibration, dice: object) -> None:
    frame = bumped(table.picture(DICE if dice else (), seed=5), 2.3, -1.6)
    shifts = corner_shifts(calibration, frame)

    assert len([shift for shift in shifts if shift is not None]) == 4
    assert shifts == tuple(pytest.approx((2.3, -1.6), abs=0.5) for _ in range(4))


def test_corners_are_looked_for_in_a_picture_hardly_higher_than_a_die(table: Table, calibration: Calibration) -> None:
    ribbon = replace(calibration, size=(640, 60), empty=calibration.empty[200:260])
    still = table.picture(DICE, seed=5)
    pushed = bumped(still, right=8.0)

    assert corner_shifts(ribbon, still[200:260]) == tuple(pytest.approx((0, 0), abs=0.5) for _ in range(4))
    assert not camera_moved(ribbon, still[200:260])
    assert camera_moved(ribbon, pushed[200:260])


@pytest.mark.parametrize(
    "bump",
    [
        pytest.param({"right": 8.0}, id="pushed"),
        pytest.param({"right": 6.0}, id="pushed by little"),
        pytest.param({"turned": 0.6}, id="turned by little"),
        pytest.param({"right": -15.0, "down": 20.0}, id="pushed far"),
        pytest.param({"turned": 1.0}, id="turned"),
        pytest.param({"larger": 1.03}, id="lowered"),
    ],
)
def test_a_bumped_camera_is_noticed_with_dice_in_the_tray(
    table: Table, calibration: Calibration, bump: dict[str, float]
) -> None:
    now = bumped(table.picture(DICE, seed=5), **bump)

    assert camera_moved(calibration, now)
    assert read_tray(now, calibration, 2).fault is Fault.CAMERA_MOVED


@pytest.mark.parametrize("light", sorted(LAMPS))
def test_another_lamp_does_not_move_the_camera(table: Table, calibration: Calibration, light: str) -> None:
    other = Table(seed=table.seed, size=SIZE, light=light)

    assert not camera_moved(calibration, other.picture(DICE, seed=5))


@pytest.mark.parametrize("hidden", [(240.0, 200.0), (40.0, 190.0)])
def test_a_hand_over_a_corner_does_not_move_the_camera(
    table: Table, calibration: Calibration, hidden: tuple[float, float]
) -> None:
    assert not camera_moved(calibration, table.picture(DICE, seed=5, hand=hidden))


def test_the_background_follows_a_light_that_changes(table: Table, calibration: Calibration) -> None:
    now = Drift.begin(calibration)
    for number in range(12):
        now = follow(now, scaled(table.empty(number), 1 + 0.03 * number))
    wanted = scaled(table.empty(50), 1.33)

    assert far(now.calibration.empty, wanted) < 0.4 * far(calibration.empty, wanted)
    assert now.original is calibration
    assert now.calibration.corners_px == calibration.corners_px


def test_an_empty_tray_replaces_three_tenths_of_the_background(table: Table, calibration: Calibration) -> None:
    bright = follow(Drift.begin(calibration), scaled(table.empty(1), 1.2))
    now = scaled(table.empty(2), 0.82)
    was = bright.calibration.empty.astype(np.float32)

    dimmed = follow(bright, now)

    assert far(dimmed.calibration.empty, was + drift.SHARE * (now - was)) < 0.29  # rounded


def test_a_lamp_that_is_turned_to_one_side_is_followed(table: Table, calibration: Calibration) -> None:
    now = Drift.begin(calibration)
    slope = np.linspace(-1, 1, SIZE[0])[None, :, None]
    for number in range(25):
        now = follow(
            now, as_uint8(np.rint(table.empty(number) * (1 + 0.02 * number * slope)).clip(0, 255).astype(np.uint8))
        )
    wanted = as_uint8(np.rint(table.empty(50) * (1 + 0.48 * slope)).clip(0, 255).astype(np.uint8))

    assert far(now.calibration.empty, wanted) < 0.4 * far(calibration.empty, wanted)


def scaled(frame: Frame, gain: float) -> Frame:
    return as_uint8(cv2.convertScaleAbs(frame, alpha=gain))


def far(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    return float(np.abs(one.astype(float) - other).mean())


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param({"dice": DICE}, id="dice"),
        pytest.param({"dice": DICE[:1]}, id="one die"),
        pytest.param({"dice": (), "hand": (150.0, 190.0)}, id="a hand"),
        pytest.param({"dice": (), "cup": (150.0, 110.0)}, id="a cup"),
    ],
)
def test_nothing_that_lies_there_is_learned(table: Table, calibration: Calibration, scene: dict[str, object]) -> None:
    before = Drift.begin(calibration)

    assert follow(before, table.picture(seed=9, **scene)) is before  # type: ignore[arg-type]


@pytest.mark.parametrize("gain", [0.2, 3.0])
def test_the_dark_and_the_glare_are_not_learned(table: Table, calibration: Calibration, gain: float) -> None:
    before = Drift.begin(calibration)

    assert follow(before, scaled(table.empty(9), gain)) is before


def test_a_bumped_tray_is_not_learned(table: Table, calibration: Calibration) -> None:
    before = Drift.begin(calibration)

    assert follow(before, bumped(table.empty(9), 12.0)) is before


def test_what_seeps_in_slowly_is_never_learned_whole(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange = table.picture(DICE, seed=9).astype(np.float32)
    empty = table.empty(9).astype(np.float32)
    now = Drift.begin(calibration)
    monkeypatch.setattr(drift, "STRANGE", 9.0)
    for step in range(60):
        now = follow(now, as_uint8(np.rint(empty + (strange - empty) * step / 60).astype(np.uint8)))
    x, y = (round(value) for value in table.project(DICE[0].x_mm, DICE[0].y_mm, 16))
    die = np.s_[y - 8 : y + 8, x - 8 : x + 8]

    assert far(now.calibration.empty[die], calibration.empty[die]) > 5
    assert far(now.calibration.empty[die], calibration.empty[die]) < 0.25 * far(strange[die], empty[die])


def test_a_mount_that_sags_does_not_shift_the_background(table: Table, calibration: Calibration) -> None:
    now = Drift.begin(calibration)
    for number in range(20):
        now = follow(now, bumped(scaled(table.empty(number), 0.9), 2.6, -1.7))

    assert far(now.calibration.empty, scaled(table.empty(3), 0.9)) < far(calibration.empty, scaled(table.empty(3), 0.9))
    assert max(np.hypot(*shift) for shift in corner_shifts(calibration, now.calibration.empty) if shift) < 0.6


def test_the_watch_brings_the_background_up_to_date_and_tells_of_a_bump(table: Table, calibration: Calibration) -> None:
    dim = [scaled(table.empty(number), 0.8) for number in range(12)]
    bump = [bumped(scaled(table.empty(20 + number), 0.8), 9.0, 4.0) for number in range(30)]
    state = motion.start()
    said: list[motion.WatchEvent] = []
    for frame in dim:
        state, happened = motion.step(state, frame, calibration, 2)
        said += happened
    assert state.drift is not None
    followed = state.drift.calibration
    for frame in bump:
        state, happened = motion.step(state, frame, calibration, 2)
        said += happened

    assert far(followed.empty, dim[0]) < far(calibration.empty, dim[0])
    assert [event.kind for event in said] == [Watch.SETTLED, Watch.EMPTY, Watch.MOVING, Watch.SETTLED, Watch.REFUSED]
    assert said[-1].reading is not None
    assert said[-1].reading.fault is Fault.CAMERA_MOVED
