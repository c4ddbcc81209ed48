"""Read any picture of dice: camera, tray and light unknown, the scale found from the dice themselves."""

from vision.scene.reader import read_scene

__all__ = ["read_scene"]
