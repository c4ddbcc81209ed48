"""What lies on a top hides no pip, and adds none: a crumb on the middle of a five makes no four of it."""

import cv2
import numpy as np
import pytest

from vision import Calibration, Fault, read_tray
from vision.render import RenderedDie, Table
from vision.types import Frame

YAW = 20.0
OTHER = RenderedDie(200, 150, 65, 2)
CHIP, DROP, ASH = (150, 180, 220), (30, 110, 170), (70, 70, 70)
COLOURS = [pytest.param(CHIP, id="chip"), pytest.param(DROP, id="a drop of beer"), pytest.param(ASH, id="ash")]


def _spotted(
    table: Table,
    calibration: Calibration,
    face: int,
    spots: list[tuple[float, float]],
    reach: float,
    bgr: tuple[int, ...],
) -> Frame:
    """Return a picture of two dice with spots painted on the top of *face*: middles and reach in its sides."""
    die = RenderedDie(120, 100, YAW, face)
    picture = table.clean((die, OTHER))
    turn = np.deg2rad(YAW)
    for x, y in spots:
        ways = np.linspace(0, 2 * np.pi, 40)
        outline = np.stack([x + reach * np.cos(ways), y + reach * np.sin(ways)], axis=1) * die.size_mm
        turned = outline @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        px = calibration.mm_to_px(turned + np.array([die.x_mm, die.y_mm]), die.size_mm)
        cv2.fillConvexPoly(picture, np.round(px * 16).astype(np.int32), bgr, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize("bgr", COLOURS)
@pytest.mark.parametrize("face", [3, 5])
def test_what_lies_on_its_middle_pip_makes_no_other_face_of_a_die(
    table: Table, calibration: Calibration, face: int, bgr: tuple[int, ...]
) -> None:
    assert read_tray(_spotted(table, calibration, face, [], 0.0, bgr), calibration, 2).faces == (face, 2)

    reading = read_tray(_spotted(table, calibration, face, [(0.0, 0.0)], 0.2, bgr), calibration, 2)

    assert reading.fault in (Fault.UNSURE, Fault.COCKED)


@pytest.mark.parametrize("face", [2, 4])
def test_a_top_of_one_colour_has_nothing_in_its_middle(table: Table, calibration: Calibration, face: int) -> None:
    assert read_tray(_spotted(table, calibration, face, [], 0.0, ASH), calibration, 2).faces == tuple(
        sorted((face, 2), reverse=True)
    )


@pytest.mark.parametrize(
    "more",
    [
        pytest.param([(0.0, 0.0), (-0.25, 0.0), (0.25, 0.0)], id="nine"),
        pytest.param([(-0.25, 0.0), (0.25, 0.0)], id="eight"),
        pytest.param([(0.0, 0.0)], id="seven"),
    ],
)
def test_a_top_of_more_than_six_pips_is_no_face(
    table: Table, calibration: Calibration, more: list[tuple[float, float]]
) -> None:
    picture = _spotted(table, calibration, 6, more, 0.09, (25, 25, 25))

    assert read_tray(picture, calibration, 2).faces is None
