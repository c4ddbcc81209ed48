"""From a picture of the tray to the faces of the dice, or an honest refusal."""

from vision.types import Die, Fault, TrayReading

__all__ = ["Die", "Fault", "TrayReading"]
