"""Power comes: the self-test of the table, as a part of the controller. It asks the devices and keeps the time."""

from __future__ import annotations

import logging
from dataclasses import replace

from firmware import sounds
from firmware.deadlines import Deadlines, Due
from firmware.self_test import FAULTS, NO_PICTURE, SelfTest, Trouble, stuck_four, stuck_words, troubles
from firmware.stage import Stage
from firmware.table import Table
from firmware.views import Phase
from hardware.devices import Key
from vision.types import Fault

logger = logging.getLogger(__name__)


class PowerOn:
    """The first two seconds of a table.

    A game that was found in the journal is not kept waiting: then the buttons that are down are named, and no more.
    """

    def __init__(self, table: Table, stage: Stage, due: Deadlines) -> None:
        self._table = table
        self._stage = stage
        self._due = due

    def begin(self) -> None:
        """Begin the test, if the table is to have one and nobody waits for a game."""
        view, stuck = self._stage.view, self._held(tuple(Key))
        if self._table.self_test and view.phase is Phase.SITTING:
            test = SelfTest(self._table.lamps, self._table.rig.clock.now(), stuck=stuck)
            self._due.set(Due.TEST, test.next_s)
            self._stage.show(replace(view, test=test))
            self._stage.sound(sounds.POWER_ON)
        elif stuck:
            logger.warning("%s since power came; not heard until let go: free it or check its wire", stuck_words(stuck))
            code = stuck_four(stuck[0]) if view.phase is Phase.SITTING else None
            self._stage.show(replace(view, words=stuck_words(stuck), trouble=code))

    def step(self, now_s: float) -> None:
        """Show the moment of the test that it is now."""
        if (test := self._stage.view.test) is None:
            return
        if (then := test.at(now_s)) is None:
            self.end()
            return
        self._show(then)

    def looked(self, fault: Fault | None) -> None:
        """Hear that the camera has given a picture, and what that says of light and camera."""
        if (test := self._stage.view.test) is not None:
            self._show(replace(test, picture=True, fault=fault))
            return
        if fault is not None:
            logger.warning("the first picture is not as it was calibrated: %s", fault)
        if self._stage.view.words == NO_PICTURE.line:  # it came late, and somebody may still read that there is none
            found = None if fault is None else FAULTS.get(fault)
            if found is None:
                logger.info("self-test: the first picture has come, and everything is well")
            self._tell(found)

    def _tell(self, found: Trouble | None) -> None:
        """Let what is not well stay on the display, or that all is."""
        line, code = ("", None) if found is None else (found.line, found.four)
        self._stage.show(replace(self._stage.view, test=None, words=line, trouble=code))

    def end(self) -> None:
        """End the test, because it is over or somebody has pressed; what is not well stays on the display."""
        test = self._stage.view.test
        if test is None:
            return
        self._due.clear(Due.TEST)
        test = replace(test, stuck=self._held(test.stuck))
        found = troubles(test)
        for trouble in found:
            logger.warning("self-test: %s", trouble.line)
        if not found:
            logger.info("self-test: everything is well")
        self._stage.decisions += 1
        self._tell(found[0] if found else None)

    def _show(self, test: SelfTest) -> None:
        test = replace(test, stuck=self._held(test.stuck)) if test.tried else test
        self._due.set(Due.TEST, test.next_s)
        self._stage.show(replace(self._stage.view, test=test))

    def _held(self, keys: tuple[Key, ...]) -> tuple[Key, ...]:
        """Return those of *keys* that are down now: who only leaned on a button has let go of it."""
        held = self._table.rig.buttons.held()
        return tuple(key for key in keys if key in held)
