"""What tests share of rendered trays."""

from vision import Calibration, calibrate
from vision.render import Table


def calibrated(table: Table) -> Calibration:
    """Return what a calibration finds out about *table* from three pictures of it empty."""
    return calibrate([table.empty(seed) for seed in range(3)], tray_mm=table.tray_mm, corners=table.corners_px)
