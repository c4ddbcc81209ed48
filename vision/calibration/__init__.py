"""What is known of camera, tray and light: measured once from the empty tray, saved, loaded, checked."""

from vision.calibration.calibration import Calibration
from vision.calibration.checks import CalibrationError
from vision.calibration.file import beside

__all__ = ["Calibration", "CalibrationError", "beside"]
