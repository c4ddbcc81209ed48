"""Dice that neither pips nor an outline told, laid where the second opinion is surest of one."""

from __future__ import annotations

from dataclasses import replace
from math import degrees

import cv2
import numpy as np
import pytest

from tests.rendered import closeup_of
from vision import Calibration
from vision.candidates import Candidate
from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.pips import Pip
from vision.render import RenderedDie, Table
from vision.tray.closeup import Closeup
from vision.tray.outlined import DIAMETER
from vision.tray.surest import lay_ones, lay_where_surest
from vision.types import Gray, as_uint8


def place_of(die: Candidate, closeup: Closeup) -> list[float]:
    return [(at + off) / PX_PER_MM - MARGIN_MM for at, off in ((die.fit.x, closeup.x), (die.fit.y, closeup.y))]


@pytest.mark.parametrize("face", range(1, 7))
def test_every_face_is_found_in_its_place(table: Table, calibration: Calibration, face: int) -> None:
    yaw = 13.0 * face
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, yaw, face))

    ((pips, die),) = lay_where_surest(closeup, [], [])

    assert die.fit.face == face
    assert len(die.fit.pips) == len(pips) == face
    assert place_of(die, closeup) == pytest.approx([150, 110], abs=1.0)
    away = (degrees(die.fit.angle) - yaw) % 90
    assert min(away, 90 - away) < 5


def test_dice_that_touch_are_found_each_in_its_place(table: Table, calibration: Calibration) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 0, 5), RenderedDie(166.2, 113, 0, 6))

    laid = {die.fit.face: place_of(die, closeup) for _, die in lay_where_surest(closeup, [], [])}

    assert laid.keys() == {5, 6}
    assert laid[5] == pytest.approx([150, 110], abs=1.0)
    assert laid[6] == pytest.approx([166.2, 113], abs=1.0)


def test_a_die_is_found_though_not_all_of_it_is_new(table: Table, calibration: Calibration) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 4))
    part: Gray = closeup.changed.copy()
    part[: part.shape[0] // 4] = 0

    assert [die.fit.face for _, die in lay_where_surest(replace(closeup, changed=part), [], [])] == [4]


def test_a_die_is_found_though_nothing_but_its_edges_is_new(table: Table, calibration: Calibration) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 4))
    inside = cv2.erode(closeup.changed, np.ones((11, 11), np.uint8), borderValue=0)
    edges = as_uint8(cv2.bitwise_and(closeup.changed, cv2.bitwise_not(inside)))

    assert [die.fit.face for _, die in lay_where_surest(replace(closeup, changed=edges), [], [])] == [4]


def test_where_nothing_is_new_or_nothing_looks_like_a_die_none_is_laid(table: Table, calibration: Calibration) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 5))
    nothing = replace(closeup, changed=np.zeros_like(closeup.changed))
    blank = np.full_like(closeup.lab, np.median(closeup.lab, axis=(0, 1)).astype(np.uint8))

    assert lay_where_surest(nothing, [], []) == []
    assert lay_where_surest(replace(closeup, lab=blank), [], []) == []


@pytest.mark.parametrize(("off", "laid"), [(0.0, []), (0.3, []), (1.0, [2])])
def test_none_is_laid_where_one_was_told(table: Table, calibration: Calibration, off: float, laid: list[int]) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 2))
    ((_, two),) = lay_where_surest(closeup, [], [])
    told = replace(two, fit=replace(two.fit, face=3, x=two.fit.x + off * closeup.side))

    assert [die.fit.face for _, die in lay_where_surest(closeup, [], [told])] == laid


@pytest.mark.parametrize("yaw", [0.0, 20.0, 45.0, 70.0])
def test_a_one_is_found_around_its_pip_though_nothing_else_of_it_is_new(
    table: Table, calibration: Calibration, yaw: float
) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, yaw, 1))
    pip = pip_in_the_middle(closeup)

    ((_, die),) = lay_ones(replace(closeup, changed=np.zeros_like(closeup.changed)), [pip], [])

    assert die.fit.face == 1
    assert place_of(die, closeup) == pytest.approx([150, 110], abs=1.0)
    away = (degrees(die.fit.angle) - yaw) % 90
    assert min(away, 90 - away) < 5


@pytest.mark.parametrize("face", [2, 3, 5])
def test_no_one_is_found_where_the_die_has_more_pips(table: Table, calibration: Calibration, face: int) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, face))

    assert lay_ones(closeup, [pip_in_the_middle(closeup)], []) == []
    assert lay_ones(closeup, [], []) == []


def pip_in_the_middle(closeup: Closeup) -> Pip:
    x, y = ((at + MARGIN_MM) * PX_PER_MM for at in (150, 110))
    return Pip(x - closeup.x, y - closeup.y, DIAMETER * closeup.side, 1.0, dark=True, levels=10)
