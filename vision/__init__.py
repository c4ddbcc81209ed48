"""From a picture of the tray to the faces of the dice, or an honest refusal."""

from vision.calibration import Calibration, CalibrationError, calibrate
from vision.read import read_tray
from vision.types import Die, Fault, TrayReading

__all__ = ["Calibration", "CalibrationError", "Die", "Fault", "TrayReading", "calibrate", "read_tray"]
