"""One rendered table and its calibration for all tests of this folder."""

import pytest

from vision import Calibration, calibrate
from vision.render import Table


@pytest.fixture(scope="session")
def table() -> Table:
    """A tray, a camera, a lamp."""
    return Table(seed=3)


@pytest.fixture(scope="session")
def calibration(table: Table) -> Calibration:
    """What is measured from its empty tray."""
    empty = [table.empty(seed=k) for k in range(3)]
    return calibrate(empty, tray_mm=table.tray_mm, die_mm=16.0, corners=table.corners_px)


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take tables as they are calibrated: looking through them for what is wrong takes as long as reading a throw."""
    monkeypatch.setattr("vision.calibrating.findings", lambda _made, _frames: [])
