"""What tests share of rendered trays."""

from vision import Calibration, calibrate
from vision.backdrop import backdrop_of
from vision.glance import Glance, glance
from vision.render import RenderedDie, Table
from vision.tray.closeup import Closeup, closeups


def calibrated(table: Table) -> Calibration:
    """Return what a calibration finds out about *table* from three pictures of it empty."""
    return calibrate([table.empty(seed) for seed in range(3)], tray_mm=table.tray_mm, corners=table.corners_px)


def closeup_of(table: Table, calibration: Calibration, *dice: RenderedDie) -> Closeup:
    """Return what is new on *table* with *dice* that lie together."""
    frame = table.picture(dice, seed=5)
    seen = glance(frame, calibration)
    assert isinstance(seen, Glance)
    (closeup,) = closeups(frame, calibration, backdrop_of(calibration), seen)
    return closeup
