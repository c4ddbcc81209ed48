"""One game on this table: the rules' state and the journal it rests on, kept together.

An event is first tried on the rules, then stored, and only then is it the state of the match: whoever asks for facts
sees nothing that is not on disk.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from firmware.errors import JournalError
from firmware.journal import Journal, StoredGame
from mexico import gamefile, house
from mexico.choices import MexicoRules
from mexico.errors import RulesError

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stored:
    """An event that is on disk, and the facts it led to."""

    game: int
    number: int
    event: Mapping[str, object]
    facts: Mapping[str, object]
    over: bool


class OnStored(Protocol):
    """Whoever wants to hear of every event once it is on disk."""

    def __call__(self, stored: Stored) -> None:
        """Tell of *stored*."""
        ...


class Match:
    """A game and its place in the journal."""

    def __init__(
        self,
        journal: Journal,
        number: int,
        playing: gamefile.Playing,
        seats: Sequence[int],
        on_stored: Sequence[OnStored],
    ) -> None:
        self._journal = journal
        self._on_stored = tuple(on_stored)
        self.number = number
        self.playing = playing
        self.seats = tuple(seats)

    @classmethod
    def begin(
        cls,
        journal: Journal,
        setup: Mapping[str, object],
        seats: Sequence[int],
        table_kind: str,
        on_stored: Sequence[OnStored] = (),
    ) -> Match:
        """Begin a new game; it is stored when this returns."""
        playing = gamefile.begin(gamefile.setup(setup))
        number = journal.begin(setup, seats=tuple(seats), table_kind=table_kind)
        return cls(journal, number, playing, seats, on_stored)

    @classmethod
    def resume(cls, journal: Journal, stored: StoredGame, on_stored: Sequence[OnStored] = ()) -> Match:
        """Return the stored game as it was after its last event."""
        return cls(journal, stored.number, replayed(stored), stored.seats, on_stored)

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names, in the order of `seats`."""
        return self.playing.setup.players

    def seat_of(self, player: str) -> int:
        """Return the seat of *player*, counted from 1."""
        return self.seats[self.players.index(player)]

    def take(self, event: Mapping[str, object], jpeg: bytes | None = None) -> Stored:
        """Try *event* on the rules, store it, and tell of it.

        Raises
        ------
        RulesError
            If the rules refuse it; nothing has changed.
        JournalError
            If the disk refuses it; nothing has changed and nothing was told.
        """
        after = self.playing.take(event)
        number = len(after.events)
        self._journal.append(self.number, number, event, jpeg=jpeg)
        self.playing = after
        stored = Stored(self.number, number, event, after.facts(), after.over)
        for tell in self._on_stored:
            tell(stored)
        return stored

    @property
    def rules(self) -> MexicoRules:
        """Return the house rules of this game, presets and defaults filled in."""
        return house.check(self.playing.setup.house_rules)

    def give_up(self) -> None:
        """End the game before its end; its events stay in the journal."""
        self._journal.give_up(self.number)


def replayed(stored: StoredGame) -> gamefile.Playing:
    """Return the state that the stored events lead to.

    Raises
    ------
    JournalError
        If the rules of this program refuse what is stored.
    """
    try:
        playing = gamefile.begin(gamefile.setup(stored.setup))
        for event in stored.events:
            playing = playing.take(event)
    except RulesError as error:
        raise JournalError(
            f"game {stored.number} of the journal does not follow the rules: {error}; "
            "use the mexico-table that wrote it, or begin anew with --state DIR"
        ) from error
    return playing
