"""A game with a cup that is played for its screens: the rules make the facts, nobody throws. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from firmware.claims import said_of
from firmware.dispute import OF_A_CLAIM, OF_A_THROW, Dispute
from firmware.screens import refusal
from firmware.texts import Text
from firmware.undo import CLAIMS, faces_of
from firmware.views import Labels, Note, Phase, View, seen
from mexico import gamefile
from mexico.errors import IllegalAction

Event = Mapping[str, object]
RULES: Final = "93FA"
"""What stands for the fingerprint, so that a new house rule makes no other picture."""

WHO: Final = ("player", "target", "to")
"""Keys of an event that say who."""

HOUSE: Final = Labels("mark", {"smoochy": "smoochy", "perform": "performs"})


@dataclass(frozen=True, slots=True)
class Played:
    """A game as far as it was played: as much of a match as a view is made of.

    Attributes
    ----------
    playing
        The game.
    names
        What those are called who are one letter in the events.
    labels
        What the house calls things.
    faces, by
        What was read last, and of whom.
    unsaved
        As of a match.
    """

    playing: gamefile.Playing
    names: Mapping[str, str]
    labels: Labels = HOUSE
    faces: tuple[int, ...] = ()
    by: str = ""
    unsaved: int = 0

    @property
    def sitting(self) -> Mapping[int, str]:
        """Return who sits where."""
        return dict(enumerate(self.playing.setup.players, 1))

    @property
    def rules(self) -> Any:
        """Return the house rules."""
        return self.playing.rules

    def then(self, *events: Event) -> Played:
        """Return the game after *events*, every one of which the rules accept."""
        playing, faces, by = self.playing, self.faces, self.by
        for event in map(self._named, events):
            by = str(event.get("player") or playing.legal().player)
            playing, faces = playing.take(event), faces_of(event)
        return replace(self, playing=playing, faces=faces, by=by)

    def _named(self, event: Event) -> Event:
        return {key: self.names.get(str(value), value) if key in WHO else value for key, value in event.items()}

    def view(self, note: Note = Note.NONE) -> View:
        """Return what the table shows now."""
        phase = Phase.OVER if self.playing.over else Phase.PLAYING
        return replace(seen(self, phase, note, View(), self.labels), rules=RULES)

    def read(self, note: Note = Note.ROLLED) -> View:
        """Return what the table shows when dice were read last."""
        return replace(self.view(note), faces=self.faces, words=self.by)

    def entries(self) -> Iterator[View]:
        """Yield what the table shows of everything that can be chosen, from the first entry of the menu on."""
        view = self.view()
        for place in range(len(view.menu.entries)):
            yield replace(view, menu=replace(view.menu, place=place))

    def refuses(self, event: Event) -> View:
        """Return what the table shows when the rules refuse *event*."""
        try:
            self.playing.take(self._named(event))
        except IllegalAction as error:
            return self.says(refusal(error))
        raise ValueError(f"{event} is no mistake here")

    def says(self, text: Text) -> View:
        """Return what the table shows when something may not be done now."""
        return replace(self.view(Note.NOT_NOW), words=text)

    def asks(self, what: str) -> View:
        """Return what the table shows when somebody lets it look at *what*."""
        ask = next(ask for ask in self.playing.legal().asks if ask.what == what)
        return replace(self.view(), ask=ask)

    def doubts(self, *, everybody: bool = False) -> View:
        """Return what the table shows when the last event is doubted."""
        event, on_turn = self.playing.events[-1], self.view().seat
        if event["type"] in CLAIMS:
            doubt = Dispute(self.by, (), 0, on_turn, choices=OF_A_CLAIM, claim=said_of(event).large)
        else:
            needed = len(self.sitting) if everybody else 2
            choices = OF_A_CLAIM if self.view().blind else OF_A_THROW
            doubt = Dispute(
                self.by, self.faces, len(self.faces), on_turn, choices=choices, needed=needed, by_all=everybody
            )
        return replace(self.view(), phase=Phase.DISPUTED, dispute=doubt)


def play(
    game: str, seats: str = "ABC", opener: str = "", names: Mapping[str, str] | None = None, **rules: object
) -> Played:
    """Return *game* before its first event.

    Parameters
    ----------
    game
        Which one.
    seats
        A letter for each player.
    opener
        Who begins; rolled for when empty.
    names
        What the players are called, by letter.
    rules
        House rules, with ``__`` for the dot in their names.
    """
    called = names or {}
    key = "first_caller" if game == "liars_individual" else "opener"
    agreed = {
        "game": game,
        "players": [called.get(seat, seat) for seat in seats],
        "house_rules": {name.replace("__", "."): value for name, value in rules.items()},
        "start": {key: called.get(opener, opener)} if opener else {},
    }
    return Played(gamefile.begin(gamefile.setup(agreed)), called)
