"""A disk that takes nothing: tried again and again, said so, and nothing put away that is not on it."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from firmware import sounds
from firmware.deadlines import Deadlines, Due
from firmware.four import four
from firmware.stage import Stage
from firmware.table import Table
from firmware.texts import words
from firmware.views import Note, Phase

logger = logging.getLogger(__name__)

TRY_DISK_S: Final = (4.0, 20.0)
"""How soon a disk that took nothing is tried again, for the first time and from then on."""


class Saver:
    """Brings to the disk what waits in memory, as a part of the controller."""

    def __init__(self, table: Table, stage: Stage, due: Deadlines) -> None:
        self._table = table
        self._stage = stage
        self._due = due

    def watch(self) -> None:
        """Let the disk be tried again soon, where something waits for it."""
        if self._stage.view.unsaved and Due.STORE not in self._due:
            self._due.set(Due.STORE, self._table.rig.clock.now() + TRY_DISK_S[0])

    def retry(self) -> None:
        """Try the disk again; while it takes nothing, say so and go on."""
        match = self._stage.on_turn()
        if match.save():
            logger.info("the disk takes everything again")
        else:
            self._stage.sound(sounds.NO)
            self._due.set(Due.STORE, self._table.rig.clock.now() + TRY_DISK_S[1])
        self._stage.show(replace(self._stage.view, unsaved=match.unsaved))
        if match.unsaved and self._stage.view.phase is Phase.PLAYING:
            self._stage.note(Note.UNSAVED)

    def at_last(self) -> int:
        """Try the disk for the last time, for the program ends; return how many events it never took."""
        match = self._stage.match
        if match is None:
            return 0
        try:
            match.save()
        except Exception as error:  # whatever else is broken: that the table ends is shown in any case
            logger.error("nothing more is stored: %s", error or repr(error))
        if match.unsaved:
            logger.error("%d events were never stored", match.unsaved)
        return match.unsaved

    def all_stored(self) -> bool:
        """Whether all of the game on the table is on disk; where it is not, say so: nothing may take its place."""
        match = self._stage.match
        if match is None or match.save():
            return True
        self.no_room("the last game is not stored yet")
        return False

    def no_room(self, why: str) -> None:
        """Say that something cannot be done, because of *why*."""
        logger.warning("not now: %s", why)
        self._stage.sound(sounds.NO)
        self._stage.show(replace(self._stage.view, words=words("no room on the disk"), trouble=four("unsaved")))
