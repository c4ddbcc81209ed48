"""Getting up in the middle of a game, and buying in again: a seat held down, and pressed once more."""

from __future__ import annotations

import logging

from firmware.deadlines import Deadlines, Due
from firmware.stage import Stage
from firmware.views import Note, Phase
from mexico.errors import RulesError

logger = logging.getLogger(__name__)

ASKED = {"leave": Note.LEAVING, "rebuy": Note.BUYING_IN}
"""How a seat is asked whether it means that."""


class Comings:
    """The seat buttons while a game is played."""

    def __init__(self, stage: Stage, due: Deadlines, hold_s: float) -> None:
        self._stage = stage
        self._due = due
        self._hold_s = hold_s
        self._seat = 0
        self._kind = ""

    def pressed(self, seat: int, *, down: bool, now_s: float) -> None:
        """Count how long *seat* is held, or take its second press for a yes."""
        view = self._stage.view
        if not down or view.phase is not Phase.PLAYING or seat not in view.seats:
            self._due.clear(Due.SEAT)
        elif view.note in ASKED.values() and seat == self._seat:
            self._do(view.seats[seat])
        else:
            self._seat = seat
            self._due.set(Due.SEAT, now_s + self._hold_s)

    def held(self) -> None:
        """Ask the seat that was held whether it means that."""
        view = self._stage.view
        name, out = view.seats.get(self._seat), view.facts.get("out")
        if name is None or view.phase is not Phase.PLAYING:
            return
        is_out = isinstance(out, (list, tuple)) and name in out
        self._kind = "rebuy" if is_out and self._stage.on_turn().has_rebuys else "leave"
        self._stage.note(ASKED[self._kind], words=name)

    def _do(self, name: str) -> None:
        try:
            stored = self._stage.on_turn().take({"type": self._kind, "player": name})
        except RulesError as error:
            self._stage.not_now(error)
            return
        logger.info("%s %s", name, "leaves" if self._kind == "leave" else "buys in again")
        self._stage.follow(stored, Note.NONE)
