"""Find the floor of the empty tray in a picture, nobody having said where it is."""

from vision.find_tray.search import find_floor

__all__ = ["find_floor"]
