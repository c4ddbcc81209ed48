"""A page that shows what a test tells it to: games from the golden transcripts, stopped anywhere, on a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from firmware.folder import StateFolder
from firmware.match import Stored
from firmware.page.address import Address
from firmware.page.page import Page
from firmware.page.site import Site
from firmware.settings import parse
from firmware.staged import Played
from firmware.undo import faces_of
from firmware.views import Note, View
from hardware.rig import simulated_rig
from mexico import gamefile
from vision.types import Die, TrayReading

GOLDEN = Path(__file__).parents[2] / "golden"
HERE = Address("127.0.0.1", 0, exactly=True)
FRAME = (96, 128)
NAMES = ("Benjamin", "Wolfgang", "Franzisk", "Hannibal", "Mariella", "Wilhelmi", "Gwendoly", "Maximili")
"""The broadest names that fit."""

Event = Mapping[str, Any]


def golden(name: str) -> tuple[gamefile.Setup, list[Event]]:
    """Return the first game of a transcript: how it begins, and the events that were accepted."""
    lines = (GOLDEN / f"{name}.txt").read_text().splitlines()
    setup, *told = [json.loads(line) for line in lines if line.startswith("{")]
    events = takewhile(lambda event: "type" in event, told)
    return gamefile.setup(setup), [event for event in events if not event.get("refused")]


@dataclass
class Showing:
    """A page and the game that it shows."""

    page: Page
    address: str = ""
    number: int = 0
    game: Played | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def board(self) -> str:
        return f"{self.address}/board"

    def begin(self, setup: gamefile.Setup) -> None:
        """Begin another game."""
        self.number += 1
        self.events = []
        self.game = Played(gamefile.begin(setup), {})
        self.page.view(View())
        self.page.view(self.game.view())

    def take(self, *events: Event, note: Note = Note.NONE) -> View:
        """Let *events* happen, and show what they led to."""
        assert self.game is not None
        for event in events:
            self.game = self.game.then(event)
            self.events.append(event)
            facts = self.game.playing.facts()
            self.page.stored(Stored(self.number, len(self.events), event, facts, self.game.playing.over))
            if faces_of(event):
                self.read(*faces_of(event))
        return self.show(self.game.view(note) if note is not Note.ROLLED else self.game.read())

    def show(self, view: View | None = None, **changed: Any) -> View:
        """Show *view*, or the game with something *changed*."""
        if view is None:
            assert self.game is not None
            view = self.game.view()
        view = replace(view, **changed)
        self.page.expect(view.watching)
        self.page.view(view)
        return view

    def play(self, name: str, events: int | None = None, note: Note = Note.NONE) -> View:
        """Play a golden game, up to so many events."""
        setup, told = golden(name)
        self.begin(setup)
        return self.take(*told[:events], note=note)

    def read(self, *faces: int) -> None:
        """Let dice that lie side by side be read."""
        dice = []
        for place, face in enumerate(faces):
            x, y = 20.0 + 18 * place, 40.0
            corners = ((x, y), (x + 12, y), (x + 12, y + 12), (x, y + 12))
            dice.append(Die(face, (x + 6, y + 6), None, 0.0, 1.0, corners))
        self.page.read(np.full((*FRAME, 3), 60, np.uint8), TrayReading.read(tuple(dice)))


def unserved(folder: Path, settings: str = "") -> Showing:
    """Return a page without a table and without a server."""
    return Showing(Page(Site(parse(settings), StateFolder(folder), simulated_rig().clock)))


@contextmanager
def showing(folder: Path, settings: str = "", address: Address = HERE) -> Iterator[Showing]:
    """Serve a page without a table for the time of a ``with`` block."""
    shown = unserved(folder, settings)
    with shown.page.served(address.listen()):
        shown.address = shown.page.site.address
        yield shown


def eight(players: Sequence[str] = NAMES) -> gamefile.Setup:
    """Return a game of Mexico with as many players as there can be, whose names are as long as they can be."""
    return gamefile.setup({"game": "mexico", "players": list(players), "start": {"lead": players[0]}})
