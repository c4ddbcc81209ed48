"""What is told of each event of a stored game: when, what in words, whether it counts, whether there is a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from firmware import story, undo
from firmware.journal import Archive, StoredGame
from mexico import gamefile


class Telling:
    """Tells the events of a game with *setup* one after the other; one that follows needs nothing told again."""

    def __init__(self, setup: Mapping[str, object]) -> None:
        self._playing = gamefile.begin(gamefile.setup(setup))
        self.told: list[str] = []
        """A line for each event that was told."""

    def goes_on(self, event: Mapping[str, object]) -> str:
        """Tell *event*, the next one.

        Raises
        ------
        RulesError
            If it does not follow the rules: `firmware.match.replayed` says so in a line for a person.
        """
        before = self._playing.facts()
        if event.get("type") == undo.VOID:
            self._playing = gamefile.played(self._playing.setup, self._playing.events[:-1])
        elif event.get("type") not in undo.ASIDE:
            self._playing = self._playing.take(event)
        self.told.append(story.told(len(self.told) + 1, event, before, self._playing.facts()))
        return self.told[-1]


def rows(archive: Archive, stored: StoredGame) -> Iterator[dict[str, Any]]:
    """Yield what is told of each event of *stored*, which is of *archive*.

    Raises
    ------
    RulesError
        As of `Telling.goes_on`.
    """
    count, kept = set(undo.counting(stored.events)), set(archive.pictures(stored.number))
    telling = Telling(stored.setup)
    # Of a game that goes on there may be a time more by now.
    for number, (event, stored_s) in enumerate(zip(stored.events, archive.times(stored.number), strict=False), 1):
        yield {
            "game": stored.number,
            "event": number,
            "time": datetime.fromtimestamp(stored_s).astimezone().isoformat(timespec="seconds"),
            "what": dict(event),
            "counts": number in count,
            "picture": number in kept,
            "told": telling.goes_on(event),
        }
