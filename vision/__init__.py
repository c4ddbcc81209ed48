"""From a picture of the tray to the faces of the dice, or an honest refusal."""

from threadpoolctl import threadpool_limits

from vision.calibrating import calibrate
from vision.calibration import Calibration, CalibrationError
from vision.read import prepare, read_tray
from vision.types import Die, Fault, TrayReading

__all__ = ["Calibration", "CalibrationError", "Die", "Fault", "TrayReading", "calibrate", "prepare", "read_tray"]

# The reader's matrices are small: on them a second thread of BLAS only spins and waits, and where other programs want
# the cores as well a reading took three times as long. Told here, after numpy and OpenCV have loaded theirs.
threadpool_limits(limits=1, user_api="blas")
