"""Before play and after it: who sits down, what is agreed, and how a game begins, ends and makes room for the next."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from firmware import sounds
from firmware.attract import GONE_S, next_s
from firmware.deadlines import Deadlines, Due
from firmware.errors import DiskError
from firmware.four import four
from firmware.lobby import LEAST_PLAYERS, Lobby
from firmware.match import Match
from firmware.saver import Saver
from firmware.stage import Stage
from firmware.table import Table
from firmware.texts import words
from firmware.views import Note, Phase, View
from hardware.devices import SEAT_LAMPS
from mexico.errors import RulesError

logger = logging.getLogger(__name__)


LENT_S: Final = 5 * 60.0
"""So long whoever calibrates may do nothing before the table goes on without him."""


class Sitting:
    """Takes seats, house rules and games from one to the next, as a part of the controller."""

    def __init__(self, table: Table, stage: Stage, due: Deadlines, saver: Saver) -> None:
        self._table = table
        self._stage = stage
        self._due = due
        self._saver = saver
        self._lobby = self._as_agreed()

    def sit(self) -> None:
        """Show who sits at the table, and what of the card is turned up."""
        lobby, before = self._lobby, self._stage.view
        names = {seat: self._table.settings.table.names[seat - 1] for seat in lobby.joined}
        view = View(game=lobby.game, seats=names, card=lobby.on_card, rules=lobby.fingerprint, camera=before.camera)
        self._stage.show(replace(view, places=tuple(lamp for lamp in self._table.lamps if lamp in SEAT_LAMPS)))
        self._in(GONE_S if names or view.card else next_s(0))

    def pressed(self, seat: int) -> None:
        """Let *seat* join, or leave again."""
        self._lobby = replace(self._lobby.pressed(seat), card=None)
        logger.info("seat %s %s", seat, "joins" if seat in self._lobby.joined else "leaves")
        self._stage.sound(sounds.PRESSED)
        self.sit()

    def turned(self, steps: int) -> None:
        """Turn the card of house rules on."""
        self._lobby = self._lobby.turned(steps)
        self.sit()

    def chosen(self) -> None:
        """Take the next game or value on the card."""
        self._lobby = self._lobby.chosen()
        self.sit()

    def start(self) -> None:
        """Begin with who sits there, or say that they are too few or too many."""
        if self._lobby.complete:
            self._begin(self._lobby.joined, self._lobby.game, self._lobby.rules)
        else:
            self._stage.sound(sounds.NO)
            self.sit()

    def again(self) -> None:
        """Begin a rematch with the same seats and rules, those apart who have left."""
        match = self._stage.on_turn()
        if len(match.staying) >= LEAST_PLAYERS:
            setup = match.playing.setup
            self._begin(match.staying, setup.game, setup.house_rules)
        else:
            self._stage.sound(sounds.NO)

    def resume(self) -> bool:
        """Bring back the game that was interrupted, if there is one; False where there is none."""
        stored = self._table.journal.last()
        if stored is None or stored.given_up or stored.table_kind != self._table.kind:
            return False
        match = Match.resume(self._table.journal, stored, self._table.on_stored)
        if match.playing.over:
            return False
        self._stage.match = match
        logger.info("game %d was interrupted after %d events: paused", match.number, len(match.playing.events))
        return True

    def give_up(self) -> None:
        """End a game that nobody wants to go on with; its events stay in the journal."""
        match = self._stage.on_turn()
        if match.playing.over:
            self.put_away()
        elif match.may_close:
            logger.info("closing time")
            self._stage.follow(match.take({"type": "close", "player": match.sitting[match.staying[0]]}), Note.NONE)
        elif self._saver.all_stored():
            logger.info("the game is given up")
            match.give_up()
            self.put_away()

    def put_away(self) -> None:
        """Make room for the next game."""
        if self._saver.all_stored():
            self._stage.match = None
            self._due.clear(Due.NOTE, Due.STORE)
            self.sit()

    def idle(self) -> None:
        """Ask who passes by to sit down, when those who sat there, or calibrated, have gone."""
        view = self._stage.view
        if view.calibrating:
            self.take_back("nothing was done for long")
            return
        if view.phase is Phase.OVER or view.seats or view.card:
            self._lobby = self._as_agreed()
            self._in(GONE_S)  # again, where the game cannot be put away yet
            self.put_away()
            return
        self._stage.show(replace(view, idle=view.idle + 1, page_address=self._table.page_address()))
        self._in(next_s(view.idle + 1))

    def lend(self) -> str | None:
        """Lend the camera to whoever calibrates, so that nobody can join; return why not, None when it is done."""
        view = self._stage.view
        if view.calibrating:
            return "the table is being calibrated already"
        if self._stage.match is not None or view.phase is not Phase.SITTING:
            return "a game is on the table; calibrate when nobody plays, and the last game is put away"
        if view.seats:
            return "somebody has joined; calibrate when nobody sits at the table"
        logger.info("calibrating from the panel: the table is out of play")
        self._lobby = replace(self._lobby, card=None)
        self._stage.show(replace(view, calibrating=True, card=None, idle=0, words="", trouble=None))
        return self.keep_lent()

    def keep_lent(self) -> str | None:
        """Lend it for longer; return why not, None when it is done."""
        if not self._stage.view.calibrating:
            return "the calibration has ended: STOP was pressed at the table, or nothing was done for long; begin again"
        self._in(LENT_S)
        return None

    def take_back(self, why: str) -> None:
        """Let the table go on, if the camera was lent."""
        if self._stage.view.calibrating:
            logger.info("calibrating ends: %s", why)
            self.sit()

    def _as_agreed(self) -> Lobby:
        """Return the table with nobody at it, game and rules as the settings have them."""
        game = self._table.settings.game
        return Lobby(game=game.name, agreed={game.name: dict(game.house_rules)})

    def _begin(self, seats: tuple[int, ...], game: str, rules: Mapping[str, object]) -> None:
        setup = {
            "format": 1,
            "game": game,
            "house_rules": dict(rules),
            "players": [self._table.settings.table.names[seat - 1] for seat in seats],
        }
        if not self._saver.all_stored():
            return
        journal, kind = self._table.journal, self._table.kind
        try:
            self._stage.match = Match.begin(journal, setup, seats, kind, self._table.on_stored)
        except DiskError as error:
            self._saver.no_room(str(error))
            return
        except RulesError as error:
            logger.info("not begun: %s", error)
            self._stage.sound(sounds.NO)
            self._stage.show(replace(self._stage.view, words=words("not with these rules"), trouble=four("not_now")))
            return
        self._stage.sound(sounds.PRESSED)
        self._stage.play(Note.NONE)

    def _in(self, seconds: float | None) -> None:
        """Let the table be idle in so many *seconds*, or never for None."""
        self._due.set(Due.IDLE, None if seconds is None else self._table.rig.clock.now() + seconds)
