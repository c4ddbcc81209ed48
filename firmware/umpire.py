"""What becomes of a throw that came to rest: a roll, a bad roll, or a word why it is not counted."""

from __future__ import annotations

import logging
from dataclasses import replace

from firmware import sounds
from firmware.caller_seen import asked
from firmware.events import TrayRead
from firmware.match import Stored
from firmware.stage import Stage
from firmware.texts import Words, words
from firmware.throws import AGAIN, BAD_ROLLS, FLAT, THROW_ANEW, as_wanted, seen_dice
from firmware.views import Note, Phase, what_happened
from mexico.errors import RulesError
from vision.types import Fault, TrayReading

logger = logging.getLogger(__name__)


class Umpire:
    """Takes readings to the rules; the faces of a throw reach them in no other way."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def read(self, event: TrayRead) -> None:
        """Count *event* as the throw of the seat on turn, or say why not."""
        view = self._stage.view
        if view.phase is not Phase.PLAYING or view.player is None or not view.watching.dice:
            logger.info("dice in the tray while nobody is to roll: not counted")
            return
        if not self._stage.fresh_throw and not view.revealing:
            logger.info("dice that lay there before are no roll")
            self._refuse(Fault.UNSURE, THROW_ANEW)
            return
        self.count(event)

    def count(self, event: TrayRead) -> None:
        """Count *event*, of which it is settled that it is a throw of the seat on turn."""
        reading = as_wanted(event.reading, self._stage.view.awaited)
        if reading.fault is not None:
            self._bad(reading.fault, event.jpeg)
        else:
            self._roll(reading, event.jpeg)

    def _roll(self, reading: TrayReading, jpeg: bytes | None) -> None:
        before, faces = self._stage.view, reading.faces or ()
        player = before.player
        try:
            match = self._stage.on_turn()
            stored = match.take(match.playing.read(faces, before.ask), jpeg, seen_dice(reading))
        except RulesError as error:
            self._stage.not_now(error)
            # One look was asked for, and had: what lies there is hidden again.
            self._stage.show(replace(self._stage.view, ask=None))
            return
        logger.info("%s %s %s", asked(before), "shows" if before.showing else "rolls", "-".join(map(str, faces)))
        note = what_happened(before, stored.facts, faces)
        self._stage.sound({Note.MEXICO: sounds.MEXICO, Note.ROUND_OVER: sounds.ROUND_OVER}.get(note, sounds.READ))
        self._stage.follow(stored, note, faces=faces, words=player or "")

    def _bad(self, fault: Fault, jpeg: bytes | None) -> None:
        """Refuse a throw in words; what was seen of the dice themselves is stored, and the house rule decides."""
        view = self._stage.view
        then = words("again") if view.dice == 1 else FLAT if view.revealing else AGAIN["reroll_both"]
        if fault in BAD_ROLLS and not view.revealing and (stored := self._stored_bad(fault, jpeg)) is not None:
            then = AGAIN[str(self._stage.on_turn().rules.bad_roll)] if view.dice == 2 else then
            logger.info("%s: %s, %s", view.player, fault, then)
            self._stage.sound(sounds.REFUSED)
            self._stage.follow(stored, Note.BAD_ROLL, fault=fault, words=then)
            return
        self._refuse(fault, then)

    def _stored_bad(self, fault: Fault, jpeg: bytes | None) -> Stored | None:
        """Return what a bad roll has led to, None where the rules take none now."""
        event = {"type": "bad_roll", "player": self._stage.view.player, "why": str(fault)}
        try:
            return self._stage.on_turn().take(event, jpeg)
        except RulesError as error:
            logger.info("not stored as a bad roll: %s", error)
            return None

    def _refuse(self, fault: Fault, then: Words) -> None:
        logger.info("%s: %s, %s", self._stage.view.player, fault, then)
        self._stage.sound(sounds.REFUSED)
        self._stage.decisions += 1
        self._stage.note(Note.REFUSED, fault=fault, words=then)
