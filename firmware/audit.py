"""What is told of each event of a stored game: when, what in words, whether it counts, whether there is a picture."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from firmware import story, undo
from firmware.journal import Archive, StoredGame
from mexico import gamefile


def rows(archive: Archive, stored: StoredGame) -> Iterator[dict[str, Any]]:
    """Yield what is told of each event of *stored*, which is of *archive*.

    Raises
    ------
    RulesError
        If it does not follow the rules: `firmware.match.replayed` says so in a line for a person.
    """
    count, kept = set(undo.counting(stored.events)), set(archive.pictures(stored.number))
    playing = gamefile.begin(gamefile.setup(stored.setup))
    played = [playing]
    # Of a game that goes on there may be a time more by now.
    for number, (event, stored_s) in enumerate(zip(stored.events, archive.times(stored.number), strict=False), 1):
        before = played[-1].facts()
        if event.get("type") == undo.VOID:
            played.pop()
        elif event.get("type") not in undo.ASIDE:
            played.append(played[-1].take(event))
        yield {
            "game": stored.number,
            "event": number,
            "time": datetime.fromtimestamp(stored_s).astimezone().isoformat(timespec="seconds"),
            "what": dict(event),
            "counts": number in count,
            "picture": number in kept,
            "told": story.told(number, event, before, played[-1].facts()),
        }
