"""Draw a tray with known faces: the camera of the virtual table, and truth for tests and benchmarks."""

from vision.render.cloth import FELTS
from vision.render.cup import Cup
from vision.render.light import LAMPS
from vision.render.pose import DICE, RenderedDie
from vision.render.table import Table, hang_camera
from vision.render.tray import TRAY

__all__ = ["DICE", "FELTS", "LAMPS", "TRAY", "Cup", "RenderedDie", "Table", "hang_camera"]
