"""Disputes at the table: from a held STOP, or dice found after a power cut, to what two seats or one bartender say."""

from __future__ import annotations

import logging
from dataclasses import replace

from firmware import dispute, sounds
from firmware.deadlines import Deadlines, Due
from firmware.dispute import BARTENDER, Choice, Dispute
from firmware.events import TrayRead
from firmware.match import Match
from firmware.stage import Stage
from firmware.table import Table
from firmware.texts import words
from firmware.throws import THROW_ANEW
from firmware.umpire import Umpire
from firmware.undo import VOID
from firmware.views import Note, Phase
from firmware.watching import Watching

logger = logging.getLogger(__name__)


class Doubts:
    """The dispute on the table, if there is one; the view holds what is shown of it."""

    def __init__(self, table: Table, stage: Stage, umpire: Umpire, due: Deadlines) -> None:
        self._due = due
        self._table = table
        self._stage = stage
        self._umpire = umpire
        self._reading_for: tuple[str, ...] = ()
        self._after_cut = False
        self._found: TrayRead | None = None
        self.confirm_down = False

    def open(self) -> bool:
        """Open a dispute about the last throw; False where none may be taken back."""
        match = self._stage.match
        doubt = None if match is None else dispute.about(match)
        if doubt is None:
            return False
        logger.info("the roll of %s, %s, is disputed", doubt.player, "-".join(map(str, doubt.faces)) or "refused")
        self._ask(doubt)
        return True

    def _ask(self, doubt: Dispute) -> None:
        self._stage.sound(sounds.PRESSED)
        self._stage.wait()
        self._stage.show(replace(self._stage.seen(Phase.DISPUTED, Note.NONE), dispute=doubt))

    def woke(self) -> None:
        """Hear that the power was off: what lies in the tray may be a throw that nobody saw come to rest."""
        self._after_cut = True

    def goes_on(self) -> None:
        """Hear that the game goes on; what was found in the tray before is asked about now."""
        match, found = self._stage.match, self._found
        if match is not None and found is not None and not self._find(match, found):
            self._umpire.read(found)

    def pressed(self, seat: int, now_s: float) -> None:
        """Count the hand of *seat*; with that of the seat on turn and one other, do what is offered."""
        view = self._stage.view
        if view.dispute is None or seat not in view.seats or self._reading_for:
            return
        doubt = view.dispute.pressed(seat, now_s)
        self._stage.sound(sounds.PRESSED)
        self._raise(doubt)
        if doubt.agreed:
            self._decide(tuple(name for other, name in view.seats.items() if other in doubt.hands))

    def lower(self, now_s: float) -> None:
        """Take down the hands that were up too long for another to join them."""
        doubt = self._stage.view.dispute
        if doubt is not None and not self._reading_for:
            self._raise(replace(doubt, hands=doubt.still_up(now_s)))

    def _raise(self, doubt: Dispute) -> None:
        """Show the hands of *doubt* for as long as they count."""
        self._due.set(Due.HANDS, doubt.lowered_s)
        self._stage.show(replace(self._stage.view, dispute=doubt))

    def stopped(self) -> None:
        """Go back to the game; with the encoder held down it is the bartender who decides alone."""
        doubt = self._stage.view.dispute
        if self.confirm_down and doubt is not None and not doubt.by_all:
            self._decide((BARTENDER,))
            return
        logger.info("the dispute is over, nothing is changed")
        self._reading_for = ()
        if self._found is None:
            self._stage.play(Note.NONE)
        else:
            self._found = None
            self._stage.play(Note.NOT_NOW, words=THROW_ANEW)

    def confirmed(self) -> None:
        """Pause, if that is offered: it takes nobody else's hand; else let four digits show what was read."""
        view = self._stage.view
        if view.dispute is not None and view.dispute.choice is Choice.PAUSE:
            self._stage.pause("in a dispute")
        else:
            self._stage.show(replace(view, page=1 - view.page))

    def dropped(self) -> None:
        """Read nothing again: somebody has decided otherwise."""
        self._reading_for = ()

    def stirred(self) -> None:
        """Read nothing again, and ask about nothing: the dice no longer lie as they were read or found."""
        found, self._after_cut, self._found = self._found, False, None
        if found is not None and self._stage.view.phase is Phase.DISPUTED:
            self._stage.play(Note.NONE)
        if self._reading_for:
            self._reading_for = ()
            logger.info("the dice were moved before they were read again")
            self._stage.sound(sounds.NO)
            self._stage.show(replace(self._stage.view, words=words("the dice were moved")))

    def read(self, event: TrayRead) -> bool:
        """Take *event* as the throw to be read again, or what a power cut left; False where it is neither."""
        match, by = self._stage.match, self._reading_for
        if self._after_cut and match is not None:
            return self._find(match, event)
        if not by or match is None:
            return False
        self._reading_for = ()
        stored, outcome = dispute.read_again(match, by, event.reading, event.jpeg)
        logger.info("read again, by %s: %s", " and ".join(by), outcome)
        self._stage.fresh_throw = stored.event.get("type") != VOID
        self._stage.play(Note.DECIDED, words=outcome)
        return True

    def _find(self, match: Match, found: TrayRead) -> bool:
        """Ask whether *found* is to count, once the game goes on; False where it is no throw of its own."""
        self._found = found
        if self._stage.view.phase is Phase.PAUSED:
            return True
        self._after_cut = False
        doubt = dispute.about_find(match, found)
        if doubt is None:
            self._found = None
            return False
        logger.info("%s were found after the power cut", "-".join(map(str, doubt.faces)))
        self._ask(doubt)
        return True

    def _decide(self, by: tuple[str, ...]) -> None:
        """Do what is offered, in the name of *by*."""
        match, view = self._stage.match, self._stage.view
        if match is None or view.dispute is None or view.dispute.choice is Choice.PAUSE:
            self._stage.sound(sounds.NO)
        elif view.dispute.choice is Choice.READ_AGAIN:
            self._reading_for = by
            self._stage.show(replace(view, words=words("reading again")))
            doubt = view.dispute
            self._table.look_again(Watching(doubt.dice, zone=view.zone_of(doubt.player)))
        elif self._found is not None:
            logger.info("what was found counts, by %s", " and ".join(by))
            found, self._found = self._found, None
            self._umpire.count(found)
            match.confirm(by, why=Choice.COUNT)
        else:
            logger.info("the last roll is void, by %s", " and ".join(by))
            match.void(by, Choice.VOID)
            self._stage.fresh_throw = False
            again = words("void: say it again") if view.dispute.claim else words("void: throw again")
            self._stage.play(Note.DECIDED, words=again)
