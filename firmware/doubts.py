"""Disputes at the table: from a held STOP to what two seats, or the bartender, decide."""

from __future__ import annotations

import logging
from dataclasses import replace

from firmware import dispute, sounds
from firmware.dispute import BARTENDER, Choice
from firmware.events import TrayRead
from firmware.stage import Stage
from firmware.table import Table
from firmware.undo import VOID
from firmware.views import Note, Phase

logger = logging.getLogger(__name__)


class Doubts:
    """The dispute on the table, if there is one; the view holds what is shown of it."""

    def __init__(self, table: Table, stage: Stage) -> None:
        self._table = table
        self._stage = stage
        self._reading_for: tuple[str, ...] = ()
        self.confirm_down = False

    def open(self) -> bool:
        """Open a dispute about the last throw; False where none may be taken back."""
        match = self._stage.match
        doubt = None if match is None else dispute.about(match)
        if doubt is None:
            return False
        logger.info("the roll of %s, %s, is disputed", doubt.player, "-".join(map(str, doubt.faces)) or "refused")
        self._stage.sound(sounds.PRESSED)
        self._stage.wait()
        self._stage.show(replace(self._stage.seen(Phase.DISPUTED, Note.NONE), dispute=doubt))
        return True

    def pressed(self, seat: int, now_s: float) -> None:
        """Count the hand of *seat*; with that of the seat on turn and one other, do what is offered."""
        view = self._stage.view
        if view.dispute is None or seat not in view.seats or self._reading_for:
            return
        doubt = view.dispute.pressed(seat, now_s)
        self._stage.sound(sounds.PRESSED)
        self._stage.show(replace(view, dispute=doubt))
        if doubt.agreed:
            self._decide(tuple(name for other, name in view.seats.items() if other in doubt.hands))

    def stopped(self) -> None:
        """Go back to the game; with the encoder held down it is the bartender who decides alone."""
        if self.confirm_down:
            self._decide((BARTENDER,))
            return
        logger.info("the dispute is over, nothing is changed")
        self._reading_for = ()
        self._stage.play(Note.NONE)

    def confirmed(self) -> None:
        """Pause, if that is offered: it takes nobody else's hand."""
        doubt = self._stage.view.dispute
        if doubt is not None and doubt.choice is Choice.PAUSE:
            self._stage.pause("in a dispute")

    def stirred(self) -> None:
        """Read nothing again: the dice no longer lie as they were read."""
        if self._reading_for:
            self._reading_for = ()
            logger.info("the dice were moved before they were read again")
            self._stage.sound(sounds.NO)
            self._stage.show(replace(self._stage.view, words="the dice were moved"))

    def read(self, event: TrayRead) -> bool:
        """Take *event* for the throw that was to be read again; False where none was."""
        match, by = self._stage.match, self._reading_for
        if not by or match is None:
            return False
        self._reading_for = ()
        stored, words = dispute.read_again(match, by, event.reading, event.jpeg)
        logger.info("read again, by %s: %s", " and ".join(by), words)
        self._stage.fresh_throw = stored.event.get("type") != VOID
        self._stage.play(Note.NOT_NOW, words=words)
        return True

    def _decide(self, by: tuple[str, ...]) -> None:
        """Do what is offered, in the name of *by*."""
        match, view = self._stage.match, self._stage.view
        if match is None or view.dispute is None or view.dispute.choice is Choice.PAUSE:
            self._stage.sound(sounds.NO)
        elif view.dispute.choice is Choice.READ_AGAIN:
            self._reading_for = by
            self._stage.show(replace(view, words="reading again"))
            self._table.look_again(view.dispute.dice)
        else:
            logger.info("the last roll is void, by %s", " and ".join(by))
            match.void(by, Choice.VOID)
            self._stage.fresh_throw = False
            self._stage.play(Note.NOT_NOW, words="void: throw again")
