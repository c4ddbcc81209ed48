"""What the table shows, kept on its devices: lamps, melodies and calls as deadlines, a lost display as a state."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from firmware import signals, sounds
from firmware.lamps import Look, Pattern
from firmware.settings import Settings
from firmware.speaker import Speaker
from firmware.texts import language
from firmware.views import View
from hardware.devices import HardwareError, Lamp
from hardware.rig import Rig

logger = logging.getLogger(__name__)

REFRESH_S = 5.0
"""So often the screen is written although nothing has changed: a display that was without power meanwhile is dark until
somebody writes to it."""


class Devices:
    """Lamps, display, buzzer and voice of one rig; here words become those of the house's language.

    Raises
    ------
    SignalsError
        If the settings name a file of signals that cannot be used.
    """

    def __init__(self, rig: Rig, settings: Settings) -> None:
        self._rig = rig
        self._retry_s = settings.timing.display_retry_s
        self._language = language(settings.table.language)
        self._signals = signals.load(settings.table.signals)
        self._player = sounds.Player(rig.sound, self._signals.melodies, on=settings.sound.on)
        self._speaker = Speaker(rig.voice) if settings.sound.caller else None
        self._look: Look | None = None
        self._lit: dict[Lamp, bool] = {}
        self._lamps_due_s: float | None = None
        self._display_due_s: float | None = None
        self._display_lost = False

    @property
    def next_deadline_s(self) -> float | None:
        """Return when `tick` is due."""
        called_s = None if self._speaker is None else self._speaker.next_deadline_s
        due = (self._lamps_due_s, self._display_due_s, self._player.next_deadline_s, called_s)
        return min((due_s for due_s in due if due_s is not None), default=None)

    def show(self, look: Look) -> None:
        """Show *look* until the next one."""
        changed = self._look is None or look.layout != self._look.layout
        self._look = look
        self._set_lamps(look.lamps, self._rig.clock.now())  # before the screen, which takes its time on an I2C bus
        if changed:
            self._show_screen()

    def play(self, melody: sounds.Melody) -> None:
        """Begin *melody*."""
        self._player.play(melody, self._rig.clock.now())

    def call(self, view: View) -> None:
        """Say what there is to say of *view*, where the table has a caller."""
        if self._speaker is not None:
            self._speaker.show(view, self._rig.clock.now())

    def tick(self, now_s: float) -> None:
        """Switch lamps and tones that are due, go on with what is said, and write to the display again."""
        self._player.tick(now_s)
        if self._speaker is not None:
            self._speaker.tick(now_s)
        if self._look is None:
            return
        if self._display_due_s is not None and now_s >= self._display_due_s:
            self._show_screen()
        if self._lamps_due_s is not None and now_s >= self._lamps_due_s:
            self._set_lamps(self._look.lamps, now_s)

    def fault(self, look: Look) -> None:
        """Show *look* for the last time, and leave it there; nothing blinks any more, so its lamps stay lit."""
        self.show(look)
        for lamp in look.lamps:
            self._rig.lamps.set(lamp, True)
        # Closed here: at the end of the rig they would be switched off, before anybody has read what is wrong.
        self._rig.display.close(dark=False)
        self._rig.lamps.close(dark=False)

    def _show_screen(self) -> None:
        if self._look is None:
            return
        try:
            self._rig.display.show(self._look.screen(self._language))
        except HardwareError as error:
            if not self._display_lost:
                logger.warning("%s; the game goes on with lamps and sound", error)
            self._display_lost = True
        else:
            if self._display_lost:
                logger.info("the display answers again")
            self._display_lost = False
        self._display_due_s = self._rig.clock.now() + (self._retry_s if self._display_lost else REFRESH_S)

    def _set_lamps(self, patterns: Mapping[Lamp, Pattern], now_s: float) -> None:
        for lamp in Lamp:
            on = self._signals.lit(patterns.get(lamp, Pattern.OFF), now_s)
            if self._lit.get(lamp) is not on:
                self._rig.lamps.set(lamp, on)
                self._lit[lamp] = on
        changes = (self._signals.changes_s(pattern, now_s) for pattern in patterns.values())
        self._lamps_due_s = min((change_s for change_s in changes if change_s is not None), default=None)
