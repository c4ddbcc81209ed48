"""What is known of camera, tray and light: measured once from the empty tray, saved, loaded, checked."""

from vision.calibration.calibration import Calibration
from vision.calibration.checks import CalibrationError
from vision.calibration.file import EMPTY, beside

__all__ = ["EMPTY", "Calibration", "CalibrationError", "beside"]
