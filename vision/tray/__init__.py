"""Read a calibrated tray, or refuse to: whole, flat dice must explain everything that is new in it."""

from vision.tray.reader import read_calibrated

__all__ = ["read_calibrated"]
