"""What lies in the middle of a top covers a pip there, or looks like one: a network tells it where it is not plain."""

from math import hypot
from typing import TypeAlias

import cv2
import numpy as np
import pytest

from vision import Calibration, read_tray
from vision.render import RenderedDie, Table
from vision.tray import middle
from vision.types import Die, Fault, Floats, Frame

RED, CREAM, WHITE, BLACK = (30, 20, 120), (190, 220, 225), (245, 245, 245), (20, 20, 20)
GREEN, YELLOW, GREY = (60, 150, 70), (60, 200, 230), (120, 125, 125)

Colour: TypeAlias = tuple[int, int, int]
Colours: TypeAlias = tuple[Colour, Colour]
"""Of the body and of the pips."""

PIP = 0.09
"""Radius of a pip in sides."""


def thrown(table: Table, calibration: Calibration, face: int, colours: Colours) -> tuple[Frame, Die]:
    """Return a picture of a die that shows *face*, its body and pips of these *colours*, and how it is read."""
    body, pips = colours
    frame = table.picture([RenderedDie(120, 90, 25, face, body_bgr=body, pip_bgr=pips)])
    reading = read_tray(frame, calibration, 1)
    assert reading.faces == (face,), reading.note
    return frame, reading.dice[0]


def with_something(frame: Frame, die: Die, colour: Colour, radius: float) -> Frame:
    """Return *frame* with a disc, its radius in sides, in the middle of *die*, a little soft as all of it is."""
    (x0, y0), (x1, y1), *_ = die.corners_px
    side, (x, y) = hypot(x1 - x0, y1 - y0), die.centre_px
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.circle(mask, (round(16 * x), round(16 * y)), round(16 * radius * side), 255, -1, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None] / 255
    return np.round(frame * (1 - soft) + np.array(colour) * soft).astype(np.uint8)


@pytest.mark.parametrize("face", [3, 5])
@pytest.mark.parametrize("colours", [(RED, WHITE), (CREAM, BLACK)], ids=["red", "cream"])
@pytest.mark.parametrize(
    ("colour", "radius"), [(GREEN, 0.12), (YELLOW, 0.2), (YELLOW, 0.3)], ids=["crumb", "drop", "chip"]
)
def test_what_covers_the_pip_in_the_middle_is_not_read_over(
    table: Table, calibration: Calibration, face: int, colours: Colours, colour: Colour, radius: float
) -> None:
    frame, die = thrown(table, calibration, face, colours)

    reading = read_tray(with_something(frame, die, colour, radius), calibration, 1)

    assert reading.faces is None
    assert reading.fault in (Fault.UNSURE, Fault.COCKED)


@pytest.mark.parametrize("face", [2, 4])
@pytest.mark.parametrize(
    ("colours", "colour", "radius"),
    [
        pytest.param((CREAM, BLACK), GREY, PIP, id="paler than the pips"),
        pytest.param((CREAM, BLACK), BLACK, 0.05, id="smaller than the pips"),
        pytest.param((RED, WHITE), YELLOW, 0.12, id="of another colour than the pips"),
    ],
)
def test_what_looks_like_a_pip_in_the_middle_is_not_counted(
    table: Table, calibration: Calibration, face: int, colours: Colours, colour: Colour, radius: float
) -> None:
    frame, die = thrown(table, calibration, face, colours)

    reading = read_tray(with_something(frame, die, colour, radius), calibration, 1)

    assert reading.faces in (None, (face,))


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_of_a_plain_middle_the_network_is_not_asked(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, face: int
) -> None:
    def never(*_: object) -> Floats:
        raise AssertionError("asked")

    monkeypatch.setattr(middle, "second_opinions", never)

    thrown(table, calibration, face, (CREAM, BLACK))


@pytest.mark.parametrize(("chance", "fault"), [(0.9, None), (0.97, Fault.UNSURE)])
def test_what_the_network_says_of_a_middle_that_is_not_plain_counts(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, chance: float, fault: Fault | None
) -> None:
    frame, die = thrown(table, calibration, 4, (CREAM, BLACK))
    monkeypatch.setattr(middle, "second_opinions", lambda *_: np.array([[1 - chance, chance]], np.float32))

    assert read_tray(with_something(frame, die, (150, 185, 190), PIP), calibration, 1).fault is fault
