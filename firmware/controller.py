"""Decides: every event of the table goes in here, and what lamps, display and buzzer do comes out. It never waits.

The faces of a throw reach the rules only as the answer of the reader (`TrayRead`); everything that happened is stored
by the `Match` before any of it is shown.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from typing import Unpack

from firmware import sounds
from firmware.attract import GONE_S
from firmware.bartender import Bartender
from firmware.comings import Comings
from firmware.cups import Cups
from firmware.deadlines import Deadlines, Due
from firmware.devices import Devices
from firmware.doubts import Doubts
from firmware.errors import FirmwareError, JournalError
from firmware.events import (
    TOUCHED,
    CameraState,
    CupSeen,
    Event,
    Failed,
    FirstPicture,
    Ordered,
    Pressed,
    Stop,
    TrayRead,
    TrayStirred,
    Turned,
)
from firmware.four import four
from firmware.match import Match, Stored
from firmware.out_of_order import out_of_order
from firmware.power_on import PowerOn
from firmware.saver import Saver
from firmware.screens import look, refusal
from firmware.screens_cup import in_time
from firmware.sitting import Sitting
from firmware.story import game_told, round_told
from firmware.table import Table
from firmware.texts import words
from firmware.umpire import Umpire
from firmware.views import Labels, Note, Phase, Shown, View, seen, shown_s
from hardware.devices import SEAT_KEYS, HardwareError, Key
from mexico.errors import RulesError

logger = logging.getLogger(__name__)

GIVE_UP = words("push again: give up")
NOT_STORED = 2
"""Exit code where the program ends and the disk never took what happened."""


class Controller:
    """Owns the game; call `handle` and `tick` from one thread only."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._settings = table.settings
        self._devices = Devices(table.rig, table.settings)
        self._labels = Labels(table.settings.table.mark, table.settings.table.specials.model_dump())
        self.match: Match | None = None
        self._view = View()
        self._due = Deadlines()
        self.fresh_throw = True
        self._umpire = Umpire(self)
        self._doubts = Doubts(table, self, self._umpire, self._due)
        self._cups = Cups(self)
        self._comings = Comings(self, self._due, table.settings.timing.hold_s)
        self._saver = Saver(table, self, self._due)
        self._sitting = Sitting(table, self, self._due, self._saver)
        self._bartender = Bartender(self, self._doubts, self._sitting)
        self._power_on = PowerOn(table, self, self._due)
        self._shows = False
        self.running = True
        self.exit_code = 0
        self.anew = False
        self.decisions = 0
        self._resume()
        self._power_on.begin()
        self._shows = True  # nothing flashes up before it is known what there is to show
        self._show()

    def _resume(self) -> None:
        """Go on with the game that the journal ends with, if it was interrupted."""
        try:
            found = self._sitting.resume()
        except JournalError as error:
            self.failed(error)  # no loop runs yet that would show it
            raise
        if not found:
            self._sitting.sit()
            return
        self.fresh_throw = False
        self._doubts.woke()
        self.pause("found in the journal")

    # --- what others may see ---

    @property
    def view(self) -> View:
        """Return what the table shows now."""
        return self._view

    def sound(self, melody: sounds.Melody) -> None:
        """Begin *melody*."""
        self._devices.play(melody)

    def show(self, view: View) -> None:
        """Show *view* from now on."""
        self._view = view
        self._show()

    @property
    def next_deadline_s(self) -> float | None:
        """Return when `tick` is due."""
        due = (self._due.next_s, self._devices.next_deadline_s)
        return min((due_s for due_s in due if due_s is not None), default=None)

    # --- what comes in ---

    def handle(self, event: Event) -> None:
        """Decide what *event* leads to, store it, and show it."""
        match event:
            case Pressed():
                self._pressed(event)
            case Turned(steps, time_s):
                self._turned(steps, time_s)
            case TrayRead() | TrayStirred() | CupSeen():
                self._tray(event)
            case CameraState():
                self._camera(event)
            case FirstPicture(fault):
                self._power_on.looked(fault)
            case Failed(error):
                raise error
            case Ordered():
                self._power_on.end()
                self._bartender.take(event)
            case Stop():
                self.end(event)

    def tick(self, now_s: float) -> None:
        """Do what is due at *now_s*."""
        for due in self._due.passed(now_s):
            match due:
                case Due.HOLD if not self._doubts.open():
                    self.pause("held STOP")
                case Due.NOTE:
                    self.note(Note.NONE)
                case Due.TURN:
                    self._time_is_up()
                case Due.SEAT:
                    self._comings.held()
                case Due.HANDS:
                    self._doubts.lower(now_s)
                case Due.STORE:
                    self._saver.retry()
                case Due.TEST:
                    self._power_on.step(now_s)
                case Due.IDLE:
                    self._sitting.idle()
        self._devices.tick(now_s)

    def end(self, stop: Stop) -> None:
        """End the program; what waits for the disk is brought to it if that is possible."""
        logger.info("the table ends: %s", stop.why)
        self.running, self.exit_code, self.anew = False, stop.exit_code, stop.anew
        if self._saver.at_last():
            self.exit_code = stop.exit_code or NOT_STORED

    def failed(self, error: Exception) -> None:
        """Store what waits, if that is possible, and turn the lamps to *fault*: *error* ends the program."""
        known = isinstance(error, (FirmwareError, HardwareError, OSError))
        level = logging.INFO if known else logging.ERROR
        logger.log(level, "the table ends: %s; the journal is %s", error, self._table.journal.path)
        with suppress(HardwareError, OSError):
            self._devices.fault(out_of_order(error, lost=self._saver.at_last()))

    # --- buttons ---

    def _pressed(self, event: Pressed) -> None:
        self._power_on.end()
        if self._view.calibrating:
            self._while_lent(event)
        elif event.key is Key.STOP:
            self._stop_button(event)
        elif event.key is Key.CONFIRM:
            self._doubts.confirm_down = event.down
            if event.down:
                self._confirm()
        elif event.key in SEAT_KEYS:
            self._seat(SEAT_KEYS.index(event.key) + 1, event)

    def _while_lent(self, event: Pressed) -> None:
        """STOP gives the table back to those who stand at it; until then nothing else does anything."""
        if event.down and event.key is Key.STOP:
            self._sitting.take_back("STOP was pressed")
        elif event.down:
            self.sound(sounds.NO)

    def _seat(self, seat: int, event: Pressed) -> None:
        tapped = Due.SEAT in self._due
        self._comings.pressed(seat, down=event.down, now_s=event.time_s)
        if not event.down:
            if tapped and self._view.phase is Phase.PLAYING:
                self._cups.called(seat)
            return
        if self._view.phase is Phase.SITTING:
            self._sitting.pressed(seat)
        else:
            self._doubts.pressed(seat, event.time_s)

    def _stop_button(self, event: Pressed) -> None:
        """In a game STOP counts when it is let go, so that holding it can mean something else; elsewhere at once."""
        if self._view.phase in (Phase.PLAYING, Phase.OVER):
            if event.down:
                self._due.set(Due.HOLD, event.time_s + self._settings.timing.hold_s)
            elif Due.HOLD in self._due:
                self._due.clear(Due.HOLD)
                self._stop_turn() if self._view.phase is Phase.PLAYING else self._go_on()
        elif event.down:
            self._due.clear(Due.HOLD)
            self._go_on()

    def _go_on(self) -> None:
        match self._view.phase:
            case Phase.SITTING:
                self._sitting.start()
            case Phase.DISPUTED:
                self._doubts.stopped()
            case Phase.PAUSED:
                logger.info("the game goes on")
                self.play(Note.NONE)
                self._doubts.goes_on()
            case Phase.OVER:
                self._sitting.again()

    def _confirm(self) -> None:
        match self._view.phase:
            case Phase.SITTING:
                self._sitting.chosen()
            case Phase.OVER:
                self._sitting.put_away()
            case Phase.PLAYING:
                if not self._cups.confirm():
                    self._turned(1, self._now_s())
            case Phase.DISPUTED:
                self._doubts.confirmed()
            case Phase.PAUSED if self._view.words != GIVE_UP:
                self.note(Note.NOT_NOW, words=GIVE_UP, trouble=four("give_up"))
            case Phase.PAUSED:
                self._sitting.give_up()

    def _turned(self, steps: int, time_s: float) -> None:
        self._power_on.end()
        if self._view.calibrating:
            return
        if self._view.phase is Phase.SITTING:
            self._sitting.turned(steps)
        elif self._view.dispute is not None:
            self.show(replace(self._view, dispute=self._view.dispute.turned(steps), page=0))
        elif self._view.phase is not Phase.PLAYING or not self._cups.turned(steps, time_s):
            self.show(replace(self._view, page=self._view.page + steps))

    def _stop_turn(self) -> None:
        player = self._view.player
        if player is None:
            return
        if self.on_turn().may_close:
            self._cups.stop()
            return
        try:
            stored = self.on_turn().take({"type": "stop", "player": player})
        except RulesError as error:
            self.not_now(error)
            return
        logger.info("%s stops", player)
        self._devices.play(sounds.PRESSED)
        self.follow(stored, Note.NONE)

    def not_now(self, error: RulesError) -> None:
        """Say that the rules refuse something."""
        self._devices.play(sounds.NO)
        logger.info("refused: %s", error)
        self.note(Note.NOT_NOW, words=refusal(error))

    # --- the tray ---

    def _tray(self, event: TrayRead | TrayStirred | CupSeen) -> None:
        match event:
            case TrayRead() if not self._doubts.read(event):
                self._umpire.read(event)
            case TrayStirred(what):
                self._stirred(what)
            case CupSeen(state):
                self._cups.seen(state)

    def _stirred(self, what: str) -> None:
        if what in ("moving", "empty", "covered"):
            self.fresh_throw = True
            self._doubts.stirred()
        elif what == TOUCHED and self._view.phase is Phase.PLAYING:
            logger.info("the dice were touched after they were read: not counted")
            if self._view.note in (Note.NONE, Note.ROLLED, Note.MEXICO):
                self._devices.play(sounds.NO)
                self.note(Note.NOT_NOW, words=words("touched: not counted"))

    def _camera(self, state: CameraState) -> None:
        level = logging.WARNING if state.lost else logging.INFO
        logger.log(level, "%s", state.lost or "the camera gives pictures again")
        self._view = replace(self._view, camera=state)
        self._due.clear(Due.TURN)
        self._time_the_turn()
        self._show()

    # --- the evening ---

    def on_turn(self) -> Match:
        """Return the game on the table; there is one."""
        if self.match is None:
            raise RuntimeError("no game is on the table")
        return self.match

    def pause(self, why: str) -> None:
        """Let the game wait until STOP is pressed."""
        if self.match is None:
            return
        logger.info("paused: %s", why)
        self.wait()
        self.show(self.seen(Phase.PAUSED, Note.NONE))

    def wait(self) -> None:
        """Let nothing be due."""
        self._due.clear(*(due for due in Due if due is not Due.STORE))

    def follow(self, stored: Stored, note: Note, **shown: Unpack[Shown]) -> None:
        """Show what an event that is now on disk has led to."""
        if stored.facts.get("rounds_played") != self._view.facts.get("rounds_played"):
            note = Note.ROUND_OVER
            logger.info("the round is over: %s", round_told(stored.facts))
        if stored.over:
            logger.info("the game is over: %s", game_told(stored.facts))
            self._devices.play(sounds.WON)
        self.play(note, **shown)

    def play(self, note: Note, **shown: Unpack[Shown]) -> None:
        """Let the game wait for its next throw or press, and show *note* until then or for its time."""
        match = self.on_turn()
        phase = Phase.OVER if match.playing.over else Phase.PLAYING
        self._in(GONE_S if phase is Phase.OVER else None, Due.IDLE)
        self._view = replace(self.seen(phase, note), moment=self._view.moment + 1, **shown)
        self._in(shown_s(note, self._settings.timing), Due.NOTE)
        self._time_the_turn()
        self._saver.watch()
        self.decisions += 1
        self._show()

    def _time_the_turn(self) -> None:
        """Let the time of a turn run from its beginning, as long as the table can see what is thrown."""
        limit_s = 0 if self.match is None else self.match.rules.turn_seconds
        waiting = self._view.phase is Phase.PLAYING and self._view.camera.lost is None
        if not limit_s or not waiting:
            self._due.clear(Due.TURN)
        elif Due.TURN not in self._due or not self._view.number("rolls_used"):
            self._in(limit_s, Due.TURN)

    def seen(self, phase: Phase, note: Note) -> View:
        """Return the game as it is stored, in *phase*."""
        return seen(self.on_turn(), phase, note, self._view, self._labels)

    def note(self, note: Note, **shown: Unpack[Shown]) -> None:
        """Show *note* over the game as it is."""
        plain = replace(self._view, note=note, fault=None, words="", trouble=None, moment=self._view.moment + 1)
        self._in(shown_s(note, self._settings.timing), Due.NOTE)
        self.show(replace(plain, **shown))

    def _in(self, seconds: float | None, due: Due) -> None:
        """Let *due* be in so many *seconds*, or never for None."""
        self._due.set(due, None if seconds is None else self._now_s() + seconds)

    def _time_is_up(self) -> None:
        """STOP for a player who has rolled; a reminder of what is awaited for anybody else (A20)."""
        if self._view.may_stop:
            logger.info("the time of %s is up", self._view.player)
            self._stop_turn()
        else:
            self._devices.play(sounds.NO)
            self.note(Note.NOT_NOW, words=in_time(self._view))

    def _now_s(self) -> float:
        return self._table.rig.clock.now()

    def _show(self) -> None:
        self._table.expect(self._view.watching)
        if self._shows:
            self._devices.show(look(self._view))
            self._devices.call(self._view)
            for tell in self._table.on_view:
                tell(self._view)
