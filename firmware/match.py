"""One game on this table: the rules' state and the journal it rests on, kept together.

An event is first tried on the rules, then stored, and only then is it the state of the match: whoever asks for facts
sees nothing that is not on disk. Only where the disk takes nothing, full or read-only, does the game go on in memory,
and says so: `Match.unsaved` events wait until there is room.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from firmware import undo
from firmware.errors import DiskError, JournalError
from firmware.journal import Journal, SeenDice, StoredGame
from mexico import gamefile
from mexico.catalogue import GAMES
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


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw or a claim that may still be taken back.

    Attributes
    ----------
    number
        Of its event in the journal, from 1.
    back
        How many events are to be taken back with it, itself among them.
    event
        As it was stored.
    before
        The game before it.
    """

    number: int
    back: int
    event: Mapping[str, object]
    before: gamefile.Playing

    @property
    def player(self) -> str:
        """Return whose it was."""
        return str(self.event.get("player") or self.before.legal().player or "")

    @property
    def faces(self) -> tuple[int, ...]:
        """Return what was read, empty where it was refused or is a claim."""
        return undo.faces_of(self.event)

    @property
    def dice(self) -> int:
        """Return how many dice were thrown or shown."""
        return self.before.legal().dice or len(self.faces)

    def read_as(self, faces: Sequence[int]) -> Mapping[str, object]:
        """Return its event had it shown *faces*."""
        of = next((key for key in ("faces", "exposed") if key in self.event), None)
        return self.before.read(faces) if of is None else {**self.event, of: list(faces)}


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
        rows: Sequence[Mapping[str, object]] = (),
    ) -> None:
        self._journal = journal
        self._on_stored = tuple(on_stored)
        self._rows = len(rows)
        self._waiting: list[tuple[Stored, bytes | None, SeenDice]] = []
        self._counting = undo.counting(rows)
        self._deeds = max((n for n, row in enumerate(rows, 1) if row.get("type") not in undo.NOTED), default=0)
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
        number = journal.begin(setup, seats=tuple(seats), table_kind=table_kind, rules=playing.fingerprint)
        return cls(journal, number, playing, seats, on_stored)

    @classmethod
    def resume(cls, journal: Journal, stored: StoredGame, on_stored: Sequence[OnStored] = ()) -> Match:
        """Return the stored game as it was after its last event."""
        return cls(journal, stored.number, replayed(stored), stored.seats, on_stored, stored.events)

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names, in the order of `seats`."""
        return self.playing.setup.players

    @property
    def staying(self) -> tuple[int, ...]:
        """Return the seats that have not left the game."""
        left = {event.get("player") for event in self.playing.events if event.get("type") == "leave"}
        return tuple(seat for seat, name in self.sitting.items() if name not in left)

    @property
    def may_close(self) -> bool:
        """Return whether the game can be ended at any time and be counted."""
        return self._knows("close")

    @property
    def has_rebuys(self) -> bool:
        """Return whether it is a game in which who is out may buy in again, if the house allows it."""
        return self._knows("rebuy")

    def _knows(self, kind: str) -> bool:
        return kind in GAMES[self.playing.setup.game].words.EVENTS

    @property
    def sitting(self) -> Mapping[int, str]:
        """Return who sits at each seat: as they joined, until a game lets players change places."""
        order = self.playing.facts().get("seats")
        names = order if isinstance(order, list) and len(order) == len(self.seats) else self.players
        return dict(zip(self.seats, map(str, names), strict=True))

    def seat_of(self, player: str) -> int:
        """Return the seat of *player*, counted from 1."""
        return next(seat for seat, name in self.sitting.items() if name == player)

    def take(self, event: Mapping[str, object], jpeg: bytes | None = None, dice: SeenDice = ()) -> Stored:
        """Try *event* on the rules, store it with the picture and the dice it rests on, and tell of it.

        Raises
        ------
        RulesError
            If the rules refuse it; nothing has changed.
        JournalError
            If the journal is broken; nothing has changed and nothing was told.
        """
        after = self.playing.take(event)
        stored = self._append(event, after, jpeg, dice)
        self._counting = (*self._counting, stored.number)
        return stored

    @property
    def doubtful(self) -> Throw | None:
        """Return the last throw, if it may still be taken back: it is of this round, or has just ended the last one."""
        events = self.playing.events
        back = undo.last_throw(events)
        if back is None:
            return None
        before = gamefile.played(self.playing.setup, events[:-back])
        was, now = before.facts(), self.playing.facts()
        same_round = was.get("rounds_played") == now.get("rounds_played")
        # What ended a round is part of it until something else happens.
        if not same_round and self._counting[-1] != self._deeds:
            return None
        # In a round that has begun since, the first one once its opener is known, dice may lie under a cup.
        opened = bool(was.get("rolling_for_lead")) and not now.get("rolling_for_lead")
        if (opened or not same_round) and not undo.only_followed(events[-back:]):
            return None
        return Throw(self._counting[-back], back, events[-back], before)

    def picture(self, event: int) -> bytes | None:
        """Return the JPEG that *event* rests on, None if none is kept or the disk does not give it."""
        waiting = {stored.number: jpeg for stored, jpeg, _ in self._waiting}
        if event in waiting:
            return waiting[event]
        try:
            return self._journal.picture(self.number, event)
        except DiskError as error:
            logger.warning("the picture of event %d is not shown: %s", event, error)
            return None

    def void(self, by: Sequence[str], why: str) -> Stored:
        """Take back the last throw, and what followed from it; the events stay, and an event says who did it.

        Raises
        ------
        RulesError
            If no throw may be taken back; nothing has changed.
        JournalError
            If the journal is broken.
        """
        throw = self.doubtful
        if throw is None:
            raise RulesError("a round that is over stays as it is")
        for _ in range(throw.back):
            after = gamefile.played(self.playing.setup, self.playing.events[:-1])
            stored = self._append({"type": undo.VOID, "event": self._counting[-1], "by": list(by), "why": why}, after)
            self._counting = self._counting[:-1]
        return stored

    def confirm(self, by: Sequence[str], jpeg: bytes | None = None, why: str | None = None) -> Stored:
        """Store that the last throw stands: it was read again with the same faces, or else *why*."""
        throw = self.doubtful
        number = None if throw is None else throw.number
        row = {"type": undo.READ_AGAIN, "event": number, "by": list(by), **({} if why is None else {"why": why})}
        return self._append(row, self.playing, jpeg)

    def note(self, kind: str, by: Sequence[str], why: str) -> Stored:
        """Store something of the evening that changes nothing in the game: one of `undo.NOTED`."""
        return self._append({"type": kind, "by": list(by), "why": why}, self.playing)

    @property
    def rows(self) -> int:
        """Return how many rows the journal has of it, events that no longer count among them."""
        return self._rows

    def _append(
        self,
        event: Mapping[str, object],
        after: gamefile.Playing,
        jpeg: bytes | None = None,
        dice: SeenDice = (),
    ) -> Stored:
        """Store *event*, after which the game is *after*, and tell of it; where the disk takes nothing, let it wait."""
        stored = Stored(self.number, self._rows + 1, event, after.facts(), after.over)
        self._waiting.append((stored, jpeg, dice))
        try:
            self._store()
        except DiskError as error:
            if len(self._waiting) == 1:
                logger.warning("the game goes on in memory: %s", error)
        except JournalError:
            self._waiting.pop()
            raise
        self._rows, self.playing = stored.number, after
        if event.get("type") not in undo.NOTED:
            self._deeds = stored.number
        return stored

    @property
    def unsaved(self) -> int:
        """Return how many events are in memory only, because the disk took nothing."""
        return len(self._waiting)

    def save(self) -> bool:
        """Try to store what waits; return whether all of it is on disk now."""
        try:
            self._store()
        except DiskError:
            return False
        return True

    def _store(self) -> None:
        while self._waiting:
            stored, jpeg, dice = self._waiting[0]
            self._journal.append(self.number, stored.number, stored.event, jpeg=jpeg, dice=dice)
            self._waiting.pop(0)
            for tell in self._on_stored:
                tell(stored)

    @property
    def rules(self) -> Any:
        """Return the house rules of this game, presets and defaults filled in."""
        return self.playing.rules

    def give_up(self) -> None:
        """End the game before its end; its events stay in the journal."""
        try:
            self._journal.give_up(self.number)
        except DiskError as error:
            logger.warning("after a restart the game will be found again: %s", error)


def replayed(stored: StoredGame) -> gamefile.Playing:
    """Return the state that the stored events lead to.

    Raises
    ------
    JournalError
        If the rules of this program refuse what is stored.
    """
    with _by_the_rules(stored):
        return gamefile.played(gamefile.setup(stored.setup), tuple(undo.game_events(stored.events)))


def retold(stored: StoredGame) -> tuple[Stored, ...]:
    """Return every event of *stored* with the facts it led to when it happened, also those that count no longer.

    Raises
    ------
    JournalError
        If the rules of this program refuse what is stored.
    """
    events: list[Stored] = []
    with _by_the_rules(stored):
        playing = gamefile.begin(gamefile.setup(stored.setup))
        for number, event in enumerate(stored.events, 1):
            if event.get("type") == undo.VOID:
                playing = gamefile.played(playing.setup, tuple(undo.game_events(stored.events[:number])))
            elif event.get("type") not in undo.ASIDE:
                playing = playing.take(event)
            events.append(Stored(stored.number, number, event, playing.facts(), playing.over))
    return tuple(events)


@contextmanager
def _by_the_rules(stored: StoredGame) -> Iterator[None]:
    """Refuse a journal that the rules of this program do not follow."""
    try:
        yield
    except (RulesError, ValueError) as error:
        raise JournalError(
            f"game {stored.number} of the journal does not follow the rules: {error}; "
            "use the mexico-table that wrote it, or begin anew with --state DIR"
        ) from error
