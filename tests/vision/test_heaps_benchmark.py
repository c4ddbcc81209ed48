"""The benchmark of heaps: what it leaves out is counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import heaps
from benchmarks.heaps import LeftOut, report
from vision import CalibrationError, Fault, TrayReading
from vision.render.case import Case, Tier
from vision.render.pose import RenderedDie
from vision.render.sensor import Shot
from vision.render.setup import SMALL, Setup, make_setup


def _calibrated(setup: Setup) -> None:
    if setup.seed == 2:
        raise CalibrationError("glare")


def _heap(setup: Setup, _: tuple[int, int], seed: int) -> Case:
    if setup.seed == 3 or seed == 1:
        raise ValueError("no room")
    return Case(Tier.MANY, "heap", (RenderedDie(150, 110, 0, 1),), 1, (), Shot())


def test_tables_and_throws_that_are_left_out_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = make_setup(1, is_good=True, size=SMALL)
    monkeypatch.setattr(heaps, "make_setup", lambda number, **_: replace(setup, seed=number))
    monkeypatch.setattr(heaps, "calibrated", _calibrated)
    monkeypatch.setattr(heaps, "make_heap", _heap)
    monkeypatch.setattr(heaps, "draw_case", lambda *_: np.zeros((480, 640, 3), np.uint8))
    monkeypatch.setattr(heaps, "read_tray", lambda *_: TrayReading.refused(Fault.UNSURE))
    left_out = LeftOut()
    read = [heap for heap, _ in heaps.heaps((1, 2, 3), left_out)]

    assert [heap.name for heap in read] == ["1/0", "1/2"]
    assert left_out == LeftOut(tables=1, throws=4)
    assert "Left out are 1 tables that the calibration refuses, and 4 throws without room." in report(
        read, left_out, ""
    )
