"""What a journal must say, worked out a second time: every prefix of every game, and where the money is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from firmware.journal import StoredGame, reading
from mexico import gamefile
from mexico.errors import RulesError

Event = Mapping[str, object]
Facts = Mapping[str, object]

VOID, READ_AGAIN = "void", "read_again"


class Broken(Exception):
    """Something that must never be: an event is lost or changed, money came or went, or a rule was broken."""


@dataclass(slots=True)
class Book:
    """One game as the journal has it.

    Attributes
    ----------
    events
        Everything that is stored, in order.
    states
        The game after each event that counts, and before the first.
    facts
        What was known after each stored event, and before the first.
    """

    events: list[Event] = field(default_factory=list)
    states: list[gamefile.Playing] = field(default_factory=list)
    facts: list[Facts] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.states[-1].over

    def take(self, number: int, event: Event) -> None:
        """Take *event* to the rules; one that takes another back goes back to the state before that one."""
        try:
            if event.get("type") == VOID:
                self.states.pop()
            elif event.get("type") != READ_AGAIN:
                self.states.append(self.states[-1].take(event))
        except (RulesError, IndexError) as error:
            raise Broken(f"event {number}, {event}, breaks a rule: {error}") from error
        self.events.append(event)
        self.facts.append(self.states[-1].facts())
        self._count(number)

    def _count(self, number: int) -> None:
        """Count the units: all that were ever brought are in a hand, in the pot, thrown away or taken home."""
        playing, facts = self.states[-1], self.facts[-1]
        times = len(playing.setup.players) + sum(event.get("type") == "rebuy" for event in playing.events)
        brought = times * playing.rules.buy_in
        units = facts["units"]
        held = sum(units.values()) if isinstance(units, Mapping) else 0
        there = held + sum(_number(facts, name) for name in ("pot", "discarded", "handed_back"))
        if there != brought:
            raise Broken(f"after event {number} there are {there} units, {brought} were brought")


def _number(facts: Facts, name: str) -> int:
    value = facts[name]
    return value if isinstance(value, int) else 0


class Ledger:
    """The games of one journal, read again and again; what was there once must be there for ever."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.books: dict[int, Book] = {}

    @property
    def events(self) -> int:
        """Return how many events are stored, of all games."""
        return sum(len(book.events) for book in self.books.values())

    def read(self) -> None:
        """Read what the journal has now.

        Raises
        ------
        Broken
            If anything of before is gone or changed, an event breaks the rules, or units are not conserved.
        """
        with reading(self.path) as archive:
            count = archive.count()
            if count < len(self.books):
                raise Broken(f"{len(self.books)} games were stored, {count} are there")
            for number in range(max(1, len(self.books)), count + 1):
                stored = archive.game(number)
                if stored is None:
                    raise Broken(f"game {number} of {count} is not there")
                self._follow(number, stored)

    def _follow(self, number: int, stored: StoredGame) -> None:
        book = self.books.get(number)
        if book is None:
            begun = gamefile.begin(gamefile.setup(stored.setup))
            book = self.books[number] = Book(states=[begun], facts=[begun.facts()])
        known = len(book.events)
        if list(stored.events[:known]) != book.events:
            raise Broken(f"game {number}: of {known} events that were stored some are gone or changed")
        for place, event in enumerate(stored.events[known:], known + 1):
            book.take(place, event)

    def facts(self, game: int, event: int) -> Facts:
        """Return what is known after *event* of *game*, 0 for its begin.

        Raises
        ------
        Broken
            If it is not stored.
        """
        book = self.books.get(game)
        if book is None or event >= len(book.facts):
            raise Broken(f"event {event} of game {game} was shown, and is not in the journal")
        return book.facts[event]
