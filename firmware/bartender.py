"""What a bartender decides at the panel: a game waits, goes on, loses a throw; the table is calibrated, begins anew."""

from __future__ import annotations

import logging
from typing import Final

from firmware import dispute, undo
from firmware.doubts import Doubts
from firmware.events import Order, Ordered, Stop
from firmware.sitting import Sitting
from firmware.stage import Stage
from firmware.texts import words
from firmware.views import Note, Phase

logger = logging.getLogger(__name__)

NO_GAME: Final = "no game is on the table"


class Bartender:
    """Carries orders out as a part of the controller, and says why where it does not."""

    def __init__(self, stage: Stage, doubts: Doubts, sitting: Sitting) -> None:
        self._stage = stage
        self._doubts = doubts
        self._sitting = sitting

    def take(self, event: Ordered) -> None:
        """Carry *event* out, or answer why not."""
        match event.order:
            case Order.PAUSE:
                why = self._pause(event)
            case Order.RESUME:
                why = self._resume(event)
            case Order.VOID:
                why = self._void(event)
            case Order.RESTART:
                why = self._restart()
            case Order.CALIBRATE:
                why = self._sitting.lend()
            case Order.KEEP_CALIBRATING:
                why = self._sitting.keep_lent()
            case Order.END_CALIBRATING:
                self._sitting.take_back("at the panel")
                why = None
        if why is not None:
            logger.info("refused at the panel: %s", why)
        event.answer(why)

    def _pause(self, event: Ordered) -> str | None:
        match, phase = self._stage.match, self._stage.view.phase
        if match is None or phase not in (Phase.PLAYING, Phase.DISPUTED):
            return "the game waits already" if phase is Phase.PAUSED else f"{NO_GAME} that could wait"
        self._doubts.dropped()
        match.note(undo.PAUSE, (undo.PANEL,), event.reason)
        self._stage.pause(f"at the panel: {event.reason}")
        return None

    def _resume(self, event: Ordered) -> str | None:
        match = self._stage.match
        if match is None or self._stage.view.phase is not Phase.PAUSED:
            return NO_GAME if match is None else "no game waits to go on"
        logger.info("the game goes on, from the panel: %s", event.reason)
        match.note(undo.RESUME, (undo.PANEL,), event.reason)
        self._stage.play(Note.NONE)
        self._doubts.goes_on()
        return None

    def _void(self, event: Ordered) -> str | None:
        match, view = self._stage.match, self._stage.view
        if match is None:
            return NO_GAME
        if event.seen is not None and event.seen != (match.number, match.rows):
            return "something else has happened at the table meanwhile; look again at what was thrown last"
        if view.dispute is not None and view.dispute.found:
            return "dice found after a power cut are asked about first: settle that at the table"
        doubt = dispute.about(match)
        if doubt is None:
            return "nothing can be taken back: a round that is over stays as it is, and so does what was before a shake"
        if doubt.by_all:
            return "dice were hidden in this round: only all seats together may take anything back, at the table"
        logger.info("the last roll is void, from the panel: %s", event.reason)
        self._doubts.dropped()
        self._stage.wait()
        match.void((undo.PANEL,), event.reason)
        self._stage.fresh_throw = False
        if view.phase is Phase.PAUSED:
            self._stage.show(self._stage.seen(Phase.PAUSED, Note.NONE))
        else:
            again = words("void: say it again") if doubt.claim else words("void: throw again")
            self._stage.play(Note.DECIDED, words=again)
        return None

    def _restart(self) -> str | None:
        match, phase = self._stage.match, self._stage.view.phase
        if phase not in (Phase.SITTING, Phase.OVER):
            return "a game is being played; the program begins anew only when nobody plays"
        if match is not None and not match.save():
            return "the last game is not stored yet: make room on the disk first"
        self._stage.end(Stop("it is to begin anew, from the panel", anew=True))
        return None
