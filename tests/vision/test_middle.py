"""What lies in the middle of a top covers a pip there, or looks like one: a network tells it where it is not plain."""

import runpy
from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import pytest

from tests.vision.test_hidden import DIAGONALS, LAMP, MIDDLE, at_pip, is_at, laid, lightened
from tests.vision.test_opinion import best_of, parts_of
from vision import Calibration, read_tray
from vision.render import RenderedDie, Table
from vision.tray import middle
from vision.tray.opinion import COVERED, PATCH, SIDES, patch_of
from vision.types import Die, Fault, Floats, Frame, Point

RED, CREAM, WHITE, BLACK = (30, 20, 120), (190, 220, 225), (245, 245, 245), (20, 20, 20)
GREEN, YELLOW, GREY = (60, 150, 70), (60, 200, 230), (120, 125, 125)

Colour: TypeAlias = tuple[int, int, int]
Colours: TypeAlias = tuple[Colour, Colour]
"""Of the body and of the pips."""

SCRIPTS = Path(__file__).parents[2] / "scripts"

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


@pytest.mark.parametrize(
    ("face", "shown", "levels", "may"),
    [
        pytest.param(4, 4, 0, False, id="a four"),
        pytest.param(2, 2, 0, False, id="a two"),
        pytest.param(4, 4, 255, True, id="a glint in the middle of a four"),
        pytest.param(5, 4, 235, True, id="a five whose middle pip a glint left little of"),
        pytest.param(3, 2, 255, True, id="a three whose middle pip a glint covers whole"),
    ],
)
def test_a_glint_in_the_middle_may_cover_a_pip(
    table: Table, calibration: Calibration, face: int, shown: int, levels: int, *, may: bool
) -> None:
    found, die = laid(table, calibration, RenderedDie(120, 90, 0, face, body_bgr=CREAM, pip_bgr=BLACK))
    own = frozenset(i for i in die.fit.pips if shown == face or not is_at(MIDDLE, *at_pip(found, die, i)))
    less = replace(die, fit=replace(die.fit, face=shown, pips=own))

    assert middle.may_cover_its_middle(lightened(found, die, [MIDDLE], levels), less) is may


def test_a_glint_near_the_middle_may_cover_its_pip(table: Table, calibration: Calibration) -> None:
    found, die = laid(table, calibration, RenderedDie(120, 90, 0, 4, body_bgr=CREAM, pip_bgr=BLACK))
    lab = found.closeup.lab.copy()
    cv2.circle(lab, (round(die.fit.x), round(die.fit.y)), round(0.05 * die.fit.side), (150, 128, 140), -1, cv2.LINE_AA)
    traced = replace(found, closeup=replace(found.closeup, lab=lab))

    assert middle.may_cover_its_middle(lightened(traced, die, [(0.06, 0.0)], LAMP), die)


@pytest.mark.parametrize(
    ("face", "where", "levels", "may"),
    [
        pytest.param(5, (MIDDLE,), 0, False, id="a five"),
        pytest.param(3, (MIDDLE,), 40, True, id="a two with a glint in its middle"),
        pytest.param(5, (MIDDLE,), 40, True, id="a four with one"),
        pytest.param(5, (MIDDLE,), 10, False, id="a five whose middle pip is lighter, and no glare"),
        pytest.param(5, (*DIAGONALS[0], *DIAGONALS[1]), 20, True, id="a four with the mirror of a dim lamp"),
        pytest.param(5, DIAGONALS[0], 20, False, id="a five under a lamp on one diagonal"),
        pytest.param(6, DIAGONALS[0], 20, False, id="a six has no middle"),
    ],
)
def test_a_glint_may_be_the_pip_in_the_middle(
    table: Table, calibration: Calibration, face: int, where: Sequence[Point], levels: int, *, may: bool
) -> None:
    found, die = laid(table, calibration, RenderedDie(120, 90, 0, face, body_bgr=RED, pip_bgr=CREAM))

    assert middle.may_cover_its_middle(lightened(found, die, where, levels), die) is may


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


def test_samples_of_it_are_dice_as_they_are_and_with_something_on_their_middles(
    table: Table, calibration: Calibration, tmp_path: Path
) -> None:
    of_stored = runpy.run_path(str(SCRIPTS / "covered_samples.py"))["of_stored"]
    faces = [1, 2, 3, 4, 5, 6]
    parts = [parts_of(table.picture([RenderedDie(120, 90, 25, face)]), calibration)[0] for face in faces]
    patches = [patch_of(part, best_of(part)).astype(np.float16) for part in parts]
    np.savez(tmp_path / "stored.npz", x=np.stack(patches), y=np.array(faces), table=np.full(6, 7))

    samples = list(of_stored([str(tmp_path / "stored.npz")], 1))

    bare = [patch for patch, answer, _ in samples if answer != COVERED]
    covered = [patch for patch, answer, _ in samples if answer == COVERED]
    assert all((own == patch).all() for own, patch in zip(bare, patches[1:5], strict=True))
    assert 0 < len(covered) <= len(bare)
    assert {seed for *_, seed in samples} == {7}
    # What lies on a top changes nothing of the felt around it.
    beyond = np.hypot(*np.indices((PATCH, PATCH)) - (PATCH - 1) / 2) > 0.7 * PATCH / SIDES
    for patch in covered:
        beneath = min(bare, key=lambda own: float(np.abs(own[beyond] - patch[beyond]).max()))
        assert np.abs(patch[beyond] - beneath[beyond]).max() < 0.01
        assert np.isfinite(patch).all()
        assert np.abs(patch - beneath)[..., :3].max() > 0.1
