"""The table's camera for other commands than the table itself: not while hidden dice lie before it."""

from __future__ import annotations

from firmware.errors import TableError
from firmware.folder import StateFolder
from firmware.journal import reading
from firmware.match import replayed
from hardware.cameras import FPS, open_camera
from hardware.devices import Camera


def open_table_camera(name: str, folder: StateFolder, fps: float = FPS) -> Camera:
    """Open the camera called *name*, a recording apart only while no dice are hidden in the game of *folder*.

    Raises
    ------
    TableError
        If there are: whoever looked would see what a player may not know.
    """
    if name in ("camera", "pi") or name.startswith(("usb", "/dev/video")):
        refuse_while_hidden(folder)
    return open_camera(name, fps)


def refuse_while_hidden(folder: StateFolder) -> None:
    """Raise TableError if the last game of *folder* was interrupted while dice were hidden."""
    with reading(folder.journal) as archive:
        stored = archive.last()
    if stored is None or stored.given_up:
        return
    playing = replayed(stored)
    if playing.legal().blind:
        raise TableError(
            f"game {stored.number} in {folder.path} has dice under a cup: no other command may look; "
            "let them be shown at the table first, or end the game there"
        )
