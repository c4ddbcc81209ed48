"""The pictures that the emulated Arm reads: drawn by this computer, because drawing takes longer than reading."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks.throws import calibrated, case_of
from benchmarks.throws_report import PER_SETUP
from vision import Calibration, TrayReading, calibrate, read_tray
from vision.render import Table
from vision.render.throw import throw

Reading = tuple[tuple[int, ...] | None, str | None]
"""Faces or None, fault or None."""

TABLES = tuple(range(71_000, 71_000 + 3 * PER_SETUP, PER_SETUP))
"""The first throw of each table: two under good light, one under bad."""

EVERY = 6
"""Of a table's throws each so manieth is read: of every tier some."""


def reading_of(reading: TrayReading) -> Reading:
    """Return what of *reading* must be the same on every processor."""
    return reading.faces, None if reading.fault is None else reading.fault.value


def draw_counted(folder: Path) -> None:
    """Draw into *folder* what is counted: the eight throws of two dice that `benchmarks/speed.py` times."""
    table = Table(seed=3)
    calibrate([table.empty(seed=1)], tray_mm=table.tray_mm, corners=table.corners_px).save(folder / "counted.json")
    stills = [table.picture(throw(random.Random(k), 2), seed=k) for k in range(8)]
    small = [cv2.resize(still, (640, 480), interpolation=cv2.INTER_AREA) for still in stills]
    np.savez(folder / "counted.npz", stills=np.stack(stills), small=np.stack(small))


def draw_throws(folder: Path) -> None:
    """Draw into *folder* throws on many tables, those that went wrong included."""
    for first in TABLES:
        setup = case_of(first)[0]
        calibrated(setup).save(folder / f"throws-{first}.json")
        cases = [case_of(number) for number in range(first, first + PER_SETUP, EVERY)]
        np.savez(
            folder / f"throws-{first}.npz",
            pictures=np.stack([picture for _, _, picture in cases]),
            expected=np.array([case.expected for _, case, _ in cases]),
        )


def read_throws(folder: Path) -> Iterator[tuple[str, Reading]]:
    """Read the throws that lie in *folder*: the name of each, and what was read."""
    for name in sorted(folder.glob("throws-*.json")):
        calibration = Calibration.load(name)
        with np.load(name.with_suffix(".npz")) as kept:
            pictures, expected = kept["pictures"], kept["expected"].tolist()
        for k, (picture, dice) in enumerate(zip(pictures, expected, strict=True)):
            yield f"{name.stem}-{k * EVERY}", reading_of(read_tray(picture, calibration, dice))
