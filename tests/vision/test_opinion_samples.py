"""What the second opinion learns from: each die where it lies, and what is right of a face that was told wrongly."""

import runpy
from dataclasses import replace
from math import radians
from pathlib import Path

import numpy as np
import pytest

from vision.layouts import FaceFit
from vision.render.case import Case, Tier, make_fault
from vision.render.setup import LARGE, make_setup

SAMPLES = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "opinion_samples.py"))
TABLE = 40002
LIT_TABLE = 40003
"""A lamp hangs where dice mirror it."""

TWO = FaceFit(2, 100.0, 100.0, 0.3, 60.0, frozenset(), 0.0)


def _answer(told: FaceFit, *, is_clear: bool = True) -> int:
    corners = np.array([[70.0, 70], [130, 70], [130, 130], [70, 130]])
    answer: int = SAMPLES["_answer"](told, [SAMPLES["Shown"](2, corners, is_clear)], [TWO])
    return answer


def test_a_flat_die_is_what_it_is_whatever_face_was_told() -> None:
    assert _answer(TWO) == 2
    assert _answer(replace(TWO, face=5)) == 2


def test_a_face_laid_beside_a_die_or_askew_is_none() -> None:
    assert _answer(replace(TWO, x=112.0)) == 0
    assert _answer(replace(TWO, face=5, angle=0.3 + radians(45))) == 0


def test_of_a_die_that_nobody_can_read_only_its_own_face_is_right() -> None:
    assert _answer(TWO, is_clear=False) == 2
    assert _answer(replace(TWO, face=5), is_clear=False) == 0


def test_flat_dice_of_a_throw_are_samples_of_their_faces_and_one_that_leans_is_none() -> None:
    flat = {die.up for die in make_fault(make_setup(TABLE, is_good=True), "cocked_wall", 0).dice if die.tilt_deg < 3}

    samples = list(SAMPLES["of_drawn"](TABLE, TABLE + 1, ("cocked_wall",), {}, LARGE))

    answers = [answer for _, answer, _ in samples]
    assert set(answers) == {0, *flat}
    assert {table for _, _, table in samples} == {TABLE}
    assert all(patch.shape == (64, 64, 5) and np.isfinite(patch).all() for patch, _, _ in samples)


def test_throws_with_marbled_dice_are_samples_of_their_faces_and_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    of_marbled = SAMPLES["of_marbled"]
    few = {"MARBLED": {Tier.NORMAL: 2}, "MARBLED_LEANING": 1, "RARE_TRIES": 20}
    drawn: list[Case] = []

    def kept(_setup: object, cases: list[Case]) -> list[object]:
        drawn.extend(cases)
        return []

    for name, value in few.items():
        monkeypatch.setitem(of_marbled.__globals__, name, value)
    monkeypatch.setitem(of_marbled.__globals__, "_of_cases", kept)

    assert list(of_marbled(TABLE, TABLE + 1, ("cocked_wall",))) == []
    assert [case.kind for case in drawn] == ["cocked_wall", "any", "any"]
    assert all(any(die.vein_bgr is not None for die in case.dice) for case in drawn)


@pytest.mark.long
def test_throws_with_mirrors_are_samples_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    of_mirrors = SAMPLES["of_mirrors"]
    monkeypatch.setitem(of_mirrors.__globals__, "MOST_MIRRORS", 4)
    monkeypatch.setitem(of_mirrors.__globals__, "MIRROR_TRIES", 10)

    samples = list(of_mirrors(LIT_TABLE, LIT_TABLE + 1, ("cocked_wall",)))

    answers = {answer for _, answer, _ in samples}
    assert 0 in answers
    assert len(answers) > 2
    assert {table for _, _, table in samples} == {LIT_TABLE}


@pytest.mark.long
def test_a_clear_die_is_a_sample_of_its_face_and_one_that_moves_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    of_rare = SAMPLES["of_rare"]
    answers = {}
    for kind in ((Tier.FAULTS, "moving", 1), (Tier.HARD, "trans", 1)):
        monkeypatch.setitem(of_rare.__globals__, "RARE", (kind,))
        answers[kind[1]] = [answer for _, answer, _ in of_rare(TABLE, TABLE + 1)]

    assert 0 in answers["moving"]
    assert set(answers["trans"]) - {0}
