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
