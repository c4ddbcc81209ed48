"""The page of one table: hears of everything the table shows, and serves it."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.calibrate_stages import ByPhone
from firmware.errors import JournalError
from firmware.events import Event
from firmware.journal import StoredGame
from firmware.match import Stored, retold
from firmware.page import public
from firmware.page.address import address_of
from firmware.page.figures import outline
from firmware.page.gauges import Gauges
from firmware.page.hands import Hands
from firmware.page.history import Story
from firmware.page.panel_site import PanelSite
from firmware.page.site import Site
from firmware.texts import language
from firmware.views import Phase, View
from firmware.watching import Watching
from hardware.devices import Lamp
from hardware.mirror import Mirror, Mirrored
from hardware.rig import Rig
from vision.calibration import Calibration
from vision.types import Frame, TrayReading

logger = logging.getLogger(__name__)


def _none(_rig: Rig, _mirror: Mirror) -> Hands | None:
    """Return no hands: at a real table people sit, not browsers."""
    return None


class Page:
    """Everything that the table tells its page; each method on the thread that has something to tell."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._language = language(site.settings.table.language)
        self._story = Story()
        self._phase = Phase.SITTING
        self.gauges = Gauges()
        self._forgotten()

    def mirror(self, rig: Rig, lamps: tuple[Lamp, ...], hands: Callable[[Rig, Mirror], Hands | None] = _none) -> Rig:
        """Return *rig* behind a mirror that browsers see; *hands* gives what they may do with it."""
        mirror = Mirror(rig, lamps, self._devices)
        self.gauges.display = lambda: mirror.lost
        self.gauges.held = rig.buttons.held
        self.site.hands = hands(rig, mirror)
        return mirror.rig

    def panel(self, settings_file: Path, put: Callable[[Event], None], calibration: Calibration, *, real: bool) -> None:
        """Let bartenders come to the panel, whose orders go to the table with *put*."""
        site = self.site
        site.panel = PanelSite(
            site.settings,
            settings_file,
            site.folder,
            site.clock,
            site.pictures,
            self.gauges,
            put,
            outline(calibration),
            real,
        )

    def calibrated_with(self, calibrator: Callable[[], ByPhone]) -> None:
        """Let bartenders calibrate the table at the panel."""
        if self.site.panel is not None:
            self.site.panel.calibrator = calibrator

    def robots(self) -> frozenset[int]:
        """Return the seats that the computer plays. From any thread."""
        return self.site.guests.robots

    def view(self, view: View) -> None:
        """Hear what the table shows."""
        self.gauges.view = view
        if view.phase is Phase.PLAYING and self._phase in (Phase.SITTING, Phase.OVER):
            self._story.begins()
            self.site.hub.publish("story", self._story.told)
        self._phase = view.phase
        self.site.guests.on_turn = view.seat if view.phase is Phase.PLAYING else None
        odds = self.site.settings.page.odds
        self.site.hub.publish("game", lambda: public.game(view, self._language, odds=odds))

    def found(self, stored: StoredGame | None) -> None:
        """Take up the game that the journal ends with, if it was interrupted."""
        if stored is None or stored.given_up:
            return
        try:
            events = retold(stored)
        except JournalError as error:
            logger.warning("the page does not tell how the game began: %s", error)
            return
        if events and not events[-1].over:
            self._story.was(events)
            self.site.hub.publish("story", self._story.told)

    def stored(self, stored: Stored) -> None:
        """Hear of an event that is stored."""
        self._story.goes_on(stored)
        self.site.hub.publish("story", self._story.told)

    def expect(self, watching: Watching) -> None:
        """Hear what the camera may do: while dice are hidden there is no picture, wherever it comes from."""
        if self.site.pictures.hide(on=watching.blind):
            self._forgotten()

    def look(self, frame: Frame | None) -> None:
        """See what the camera sees; None while dice are hidden."""
        self.gauges.pictured()
        if frame is None:
            if self.site.pictures.forget():
                self._forgotten()
        elif self.site.pictures.wanted:
            self.site.pictures.look(frame)

    def stirred(self) -> None:
        """See that what was read lies there no more."""
        self.site.hub.publish("reading", dict)

    def _forgotten(self) -> None:
        """See that there is no picture any more, also for who has seen one of before: it is not to be asked for."""
        self.site.hub.publish("reading", lambda: {"gone": True})

    def read(self, frame: Frame, reading: TrayReading) -> None:
        """See what was read or refused."""
        self.gauges.read(reading)
        number = self.site.pictures.read(frame, reading)
        if number is None:
            return
        size = (frame.shape[1], frame.shape[0])
        self.site.hub.publish("reading", lambda: public.reading(number, reading, size, self._language))

    @contextmanager
    def served(self, listener: socket.socket | None) -> Iterator[None]:
        """Serve it at *listener* for the time of a ``with`` block; where there is none nobody looks."""
        if listener is None:
            yield
            return
        # A table without a page does not wait for a web server to be imported.
        from firmware.page.app import application
        from firmware.page.server import serving

        self.site.address = address_of(listener)
        logger.info("the page is at %s", self.site.address)
        with serving(application(self.site), self.site, listener):
            yield

    def _devices(self, shown: Mirrored) -> None:
        self.site.hub.publish("devices", lambda: public.devices(shown, self._language))
