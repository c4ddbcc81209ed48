"""The games with a cup: the knob claims, a seat calls, STOP shows, and the cup is seen and not what is in it.

What the camera may do follows from the rules alone (`View.watching`): this part only takes presses to them, and what
was seen of the cup.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from firmware import sounds
from firmware.menu import the_show
from firmware.stage import Stage
from firmware.texts import Words, words
from firmware.views import Note, Phase
from mexico.bluff import Accident
from mexico.errors import RulesError
from mexico.game import Ask
from vision.blind import CupState, Shakes

logger = logging.getLogger(__name__)

LONG = 40
STRIDE = 10
FAST_S = 0.08
"""A menu of more entries is walked in strides when a detent comes so soon after the last."""

TURN_FIRST = words("turn to choose")
NOTHING_TO_SHOW = words("nothing to show now")


class Cups:
    """Takes what is claimed, called and shown to the rules, and what was seen of the cup."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._shakes = _standing()
        self._stood = False
        self._turned_s = -FAST_S

    # --- the knob ---

    def turned(self, steps: int, time_s: float) -> bool:
        """Walk the menu of the seat on turn, a long one in strides when turned fast; False where there is none."""
        view = self._stage.view
        if not view.menu.entries:
            return False
        fast = time_s - self._turned_s < FAST_S and len(view.menu.entries) > LONG and view.menu.place is not None
        self._turned_s = time_s
        steps *= STRIDE if fast else 1
        self._stage.note(Note.NONE)
        self._stage.show(replace(self._stage.view, menu=view.menu.turned(steps), ask=None))
        return True

    def confirm(self) -> bool:
        """Do what the menu shows; False where there is none."""
        view = self._stage.view
        if not view.menu.entries:
            return False
        entry = view.menu.chosen
        if entry is None:
            self._stage.sound(sounds.NO)
            self._stage.note(Note.NOT_NOW, words=TURN_FIRST)
        elif isinstance(entry.does, Ask):
            self._ask(entry.does)
        else:
            self._take(entry.does)
        return True

    # --- buttons ---

    def called(self, seat: int) -> None:
        """Take the press of *seat* for a call, if it may call."""
        view = self._stage.view
        name = view.seats.get(seat)
        if name in view.callers:
            self._take({"type": "challenge", "player": name})

    def stop(self) -> None:
        """Let the holder show what he has, or hide it again before the cup was lifted."""
        view = self._stage.view
        show = the_show(self._stage.on_turn().playing.legal())
        if view.ask is not None:
            logger.info("%s hides it again", view.player)
            self._stage.play(Note.NONE)
        elif show is None:
            self._stage.sound(sounds.NO)
            self._stage.note(Note.NOT_NOW, words=NOTHING_TO_SHOW)
        else:
            self._ask(show)

    def _ask(self, ask: Ask) -> None:
        """Let the camera look, once."""
        logger.info("%s lets %d dice be seen: %s", self._stage.view.player, ask.dice, ask.what)
        self._stage.sound(sounds.PRESSED)
        self._stage.note(Note.NONE)
        shows = self._stage.on_turn().players[ask.seat]  # with spoken claims not always the seat on turn
        self._stage.show(replace(self._stage.view, ask=ask, player=shows))
        self._stage.decisions += 1

    def _take(self, event: Mapping[str, object]) -> None:
        try:
            stored = self._stage.on_turn().take(event)
        except RulesError as error:
            self._stage.not_now(error)
            return
        logger.info("%s: %s", event.get("player"), " ".join(str(value) for value in event.values()))
        self._stage.sound(sounds.PRESSED)
        self._stage.follow(stored, Note.NONE)

    # --- the cup ---

    def seen(self, state: CupState) -> None:
        """Take a cup that went away and stands again for a shake, and one that was lifted for an accident."""
        view = self._stage.view
        if view.phase is not Phase.PLAYING or not view.blind or view.ask is not None:
            self._shakes, self._stood = _standing(), False
            return
        if self._shakes.step(state):
            self._shaken()
        if state is CupState.LIFTED and self._stood:
            self._lifted()
        self._stood = self._stood or state is CupState.COVERED

    def _shaken(self) -> None:
        view = self._stage.view
        shake = {"type": "shake", "player": view.player}
        if shake in self._stage.on_turn().playing.legal().choices:
            self._take(shake)

    def _lifted(self) -> None:
        """Nothing was read of dice that somebody saw; what follows is the rules' business."""
        view = self._stage.view
        shake = {"type": "shake", "player": view.player}
        if shake in self._stage.on_turn().playing.legal().choices:
            return  # the dice are picked up to be shaken
        logger.info("the cup was lifted and nobody called: nothing is read")
        try:
            stored = self._stage.on_turn().take({"type": "exposed", "player": view.player})
        except RulesError as error:
            logger.info("not an accident: %s", error)
            return
        self._stage.sound(sounds.REFUSED)
        again = self._stage.on_turn().rules.accident is Accident.RESHAKE
        self._stage.follow(stored, Note.NOT_NOW, words=lifted(by_stop=view.may_show, again=again))


def lifted(*, by_stop: bool, again: bool) -> Words:
    """Return that a cup was lifted and not read, what to press the next time, and whether to shake *again* now."""
    then = words("Shake again") if again else words("Play on")
    if by_stop:
        return words("not read: press STOP or a seat first. {then}", then=then)
    return words("not read: a seat has to call first. {then}", then=then)


def _standing() -> Shakes:
    """Return what counts shakes, as if a cup stood there: to put one into an empty tray ends the first shake."""
    shakes = Shakes()
    shakes.step(CupState.COVERED)
    return shakes
