"""Dice whose pips were not seen at once, laid where their outline fits."""

from __future__ import annotations

from dataclasses import replace
from math import degrees

import cv2
import numpy as np
import pytest

from tests.rendered import closeup_of
from vision import Calibration
from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.pips import Pip
from vision.render import RenderedDie, Table
from vision.tray.outlined import lay_by_outline, shows_else, shows_more, shows_nothing_else
from vision.types import as_uint8


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(("x", "y", "yaw"), [(150, 110, 0), (60, 60, 33), (240, 170, 71)])
def test_every_face_is_seen_where_its_outline_is(
    table: Table, calibration: Calibration, face: int, x: float, y: float, yaw: float
) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(x, y, yaw, face))

    laid = {die.fit.face: (pips, die) for pips, die in lay_by_outline(closeup, [], [])}

    assert face in laid
    pips, die = laid[face]
    assert len(die.fit.pips) == face
    assert die.weight > face / 2
    middle = [(at + off) / PX_PER_MM - MARGIN_MM for at, off in ((die.fit.x, closeup.x), (die.fit.y, closeup.y))]
    assert middle == pytest.approx([x, y], abs=1.5)
    away = (degrees(die.fit.angle) - yaw) % 90
    assert min(away, 90 - away) < 5
    assert all(pips[i].dark for i in die.fit.pips)


def test_no_face_is_laid_that_has_more_pips_than_are_seen(table: Table, calibration: Calibration) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 2))

    assert [die.fit.face for _, die in lay_by_outline(closeup, [], [])] == [2]


def test_a_pip_that_was_found_where_the_face_has_none_is_something_else(table: Table, calibration: Calibration) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 4))
    ((pips, four),) = ((pips, die) for pips, die in lay_by_outline(closeup, [], []) if die.fit.face == 4)
    middle = replace(pips[0], x=four.fit.x, y=four.fit.y, levels=20)

    ((more, same),) = ((pips, die) for pips, die in lay_by_outline(closeup, [middle], []) if die.fit.face == 4)

    assert not shows_else(pips, four)
    assert shows_else(more, same)


@pytest.mark.parametrize(("face", "less"), [(3, 1), (5, 1), (5, 3), (4, 2), (3, 2)])
def test_a_face_of_fewer_pips_leaves_some_of_a_fuller_one(
    table: Table, calibration: Calibration, face: int, less: int
) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, face))
    ((_, die),) = (found for found in lay_by_outline(closeup, [], []) if found[1].fit.face == face)

    assert shows_nothing_else(closeup, die.fit)
    assert not shows_nothing_else(closeup, replace(die.fit, face=less))


@pytest.mark.parametrize("face", [1, 2, 5])
def test_pips_that_lie_together_off_their_places_speak_against_a_die(
    table: Table, calibration: Calibration, face: int
) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, face))
    ((pips, _),) = ((pips, die) for pips, die in lay_by_outline(closeup, [], []) if die.fit.face == face)
    off = [replace(pip, x=pip.x + 0.08 * closeup.side, levels=20) for pip in pips]

    assert face in [die.fit.face for _, die in lay_by_outline(closeup, pips, [])]
    assert face not in [die.fit.face for _, die in lay_by_outline(closeup, off, [])]


@pytest.mark.parametrize(
    ("face", "off", "more"),
    [
        pytest.param(5, 0.0, True, id="more of them"),
        pytest.param(2, 0.0, False, id="fewer, which it may have had from those that were seen"),
        pytest.param(3, 0.0, False, id="as many"),
        pytest.param(5, 1.0, False, id="more, on the die beside it"),
    ],
)
def test_pips_that_were_told_before_speak_against_a_face_with_fewer(
    table: Table, calibration: Calibration, face: int, off: float, more: bool
) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 3))
    ((_, three),) = ((pips, die) for pips, die in lay_by_outline(closeup, [], []) if die.fit.face == 3)
    told = replace(three, fit=replace(three.fit, face=face, x=three.fit.x + off * closeup.side))

    assert shows_more([told], three) is more


def test_on_a_blank_die_there_is_no_face(table: Table, calibration: Calibration) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 5))
    blank = np.full_like(closeup.lab, np.median(closeup.lab[closeup.body > 0], axis=0).astype(np.uint8))

    assert lay_by_outline(replace(closeup, lab=blank), [], []) == []


@pytest.mark.parametrize("shape", ["long", "small", "nothing"])
def test_what_has_not_the_outline_of_one_die_is_none(table: Table, calibration: Calibration, shape: str) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 5))
    rows, columns = closeup.body.shape
    body = np.zeros_like(closeup.body)
    if shape == "long":
        body[rows // 3 : rows // 2, :] = 255
    elif shape == "small":
        cv2.circle(body, (columns // 2, rows // 2), round(closeup.side / 4), 255, cv2.FILLED)

    assert lay_by_outline(replace(closeup, body=as_uint8(body)), [], []) == []


def test_pips_that_were_known_are_kept_before_those_that_are_looked_for(table: Table, calibration: Calibration) -> None:
    closeup = closeup_of(table, calibration, RenderedDie(150, 110, 20, 3))
    beside = Pip(2.0, 2.0, 9.0, 0.9, dark=True, levels=12)

    ((pips, three),) = ((pips, die) for pips, die in lay_by_outline(closeup, [beside], []) if die.fit.face == 3)

    assert pips[0] == beside
    assert three.fit.pips == {1, 2, 3}
