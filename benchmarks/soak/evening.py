"""The table put together as the command does, on simulated devices, with people at it who mean no good.

Everything is there but pictures: folder, journal, controller, loop, buttons, lamps, display. Readings come in where the
reader's answer does. The clock is cranked by the guests, so that an evening takes no longer than its disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from random import Random

from benchmarks.soak.guests import Guests
from firmware import loop, settings
from firmware.cli_both import listen
from firmware.controller import Controller
from firmware.events import Event
from firmware.folder import StateFolder
from firmware.journal import Journal, SeenDice
from firmware.match import OnStored, Stored
from firmware.table import Table
from hardware.devices import Screen
from hardware.rig import simulated_rig
from hardware.simulated import SimulatedClock, SimulatedDisplay

SETTINGS = """
[game.house_rules]
buy_in = 3
rebuy = "yes"
[journal]
keep_pictures_games = 3
"""
"""Games short enough to end, and that somebody may leave and join again."""


class Watch:
    """Hears what happens at a table while it happens."""

    def shown(self, screen: Screen, game: int, event: int, facts: Mapping[str, object], unsaved: int) -> None:
        """Hear that *screen* is about to be seen, after *event* of *game* was stored, *unsaved* more in memory."""

    def stored(self, stored: Stored) -> None:
        """Hear that *stored* is on disk."""

    def committing(self, begun: bool) -> None:
        """Hear that a commit begins, or has ended."""


class WatchedDisplay(SimulatedDisplay):
    """A display that tells what is shown before it is seen."""

    def __init__(self, before: Callable[[Screen], None]) -> None:
        super().__init__()
        self._before = before

    def show(self, screen: Screen) -> None:
        """Tell of *screen*, then show it."""
        self._before(screen)
        super().show(screen)


class WatchedJournal(Journal):
    """A journal that tells when the disk is at work, and whose disk can refuse."""

    watch = Watch()

    def append(
        self, game: int, number: int, event: Mapping[str, object], *, jpeg: bytes | None = None, dice: SeenDice = ()
    ) -> None:
        """Store *event*, as `Journal.append`."""
        self.watch.committing(True)
        try:
            super().append(game, number, event, jpeg=jpeg, dice=dice)
        finally:
            self.watch.committing(False)

    def refuse(self, refuses: bool) -> None:
        """Let the disk be read-only, or writable again: the answer is SQLite's own."""
        self._file.execute(f"PRAGMA query_only = {int(refuses)}")


@dataclass(slots=True)
class Place:
    """Where the game is: the last event that is on disk."""

    game: int
    event: int


@contextmanager
def evening(state: Path, seed: int, watch: Watch, over: Callable[[], bool]) -> Iterator[Callable[[], None]]:
    """Switch a table on with its state in *state*; what is yielded lets the guests play until *over*.

    Parameters
    ----------
    state
        The state folder; a game that waits there goes on.
    seed
        Of the chance of everything: dice, gestures, troubles.
    watch
        Hears of everything.
    over
        Asked before every gesture.
    """
    inbox: SimpleQueue[Event] = SimpleQueue()
    clock = SimulatedClock()
    with (
        StateFolder(state).held() as folder,
        closing(WatchedJournal.open(folder.journal, keep_pictures_games=3)) as journal,
    ):
        journal.watch = watch
        last = journal.last()
        place = Place(0, 0) if last is None else Place(last.number, len(last.events))
        made: list[Controller] = []

        def told(stored: Stored) -> None:
            place.game, place.event = stored.game, stored.number
            watch.stored(stored)

        def before(screen: Screen) -> None:
            if made and made[0].match is not None:
                view = made[0].view
                game = made[0].match.number
                watch.shown(screen, game, place.event if place.game == game else 0, view.facts, view.unsaved)

        rig = replace(simulated_rig(clock), display=WatchedDisplay(before))
        listen(rig, inbox)
        guests = Guests(rig, inbox, Random(seed), journal.refuse)
        on_stored: tuple[OnStored, ...] = (told,)
        table = Table(rig, journal, settings.parse(SETTINGS), "real", guests.expect, guests.look_again, on_stored)
        controller = Controller(table)
        made.append(controller)
        guests.sit_down(controller, until=over)
        yield lambda: loop.run(controller, inbox, clock.now, (guests,))
