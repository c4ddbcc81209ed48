"""The journal at the panel: games and their events in words, with pictures, and game files to take away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware import audit, story, undo
from firmware.errors import JournalError
from firmware.folder import StateFolder
from firmware.journal import Archive, StoredGame, reading
from firmware.match import replayed
from firmware.page.commands import Refused
from firmware.page.once import OneAtATime
from firmware.page.panel_site import PanelSite
from mexico import gamefile
from mexico.errors import RulesError

GAMES: Final = 20
"""So many games are told at once."""

MOST: Final = 2**53

T = TypeVar("T")
Answer = Callable[[Request], Awaitable[Response]]


class PanelJournal:
    """What was played at *site*, read beside the running table."""

    def __init__(self, site: PanelSite) -> None:
        self._site = site
        self._reading = OneAtATime()

    def addresses(self) -> Iterator[tuple[str, Answer]]:
        """Yield each address and what it answers."""
        yield "/panel/games", self.games
        yield "/panel/games/{game:number}", self.game
        yield "/panel/games/{game:number}.json", self.export
        yield "/panel/games/{game:number}/{event:number}.jpg", self.picture

    async def games(self, request: Request) -> Response:
        """Return the newest games, or those before the one that is named."""
        asked = request.query_params.get("before", "")
        before = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 16 else MOST
        return JSONResponse(await self._read(lambda archive: _games(archive, before)))

    async def game(self, request: Request) -> Response:
        """Return a game in words."""
        number = request.path_params["game"]
        return JSONResponse(await self._read(lambda archive: _game(archive, number)))

    async def export(self, request: Request) -> Response:
        """Return a game as a game file to keep."""
        number = request.path_params["game"]
        text = await self._read(lambda archive: gamefile.dump(replayed(_stored(archive, number))))
        return Response(
            text,
            media_type="application/json",
            headers={"content-disposition": f'attachment; filename="mexico-game-{number}.json"'},
        )

    async def picture(self, request: Request) -> Response:
        """Return the picture that an event rests on; of the game on the table none while dice are hidden in it."""
        number, event = request.path_params["game"], request.path_params["event"]
        jpeg = await self._read(lambda archive: self._picture(archive, number, event))
        if jpeg is None:
            raise Refused(404, "no picture of this event is kept, or dice are hidden in this game")
        return Response(jpeg, media_type="image/jpeg")

    def _picture(self, archive: Archive, game: int, event: int) -> bytes | None:
        last = archive.last()
        on_table = last is not None and last.number == game
        if on_table and self._site.gauges.view.watching.blind:
            return None
        return archive.picture(game, event)

    async def _read(self, ask: Callable[[Archive], T]) -> T:
        """Return what *ask* finds in the journal, off the event loop."""

        def asked() -> T:
            with reading(self._site.folder.journal) as archive:
                return ask(archive)

        async with self._reading:
            try:
                return await asyncio.to_thread(asked)
            except JournalError as error:
                raise Refused(503, str(error)) from None


def _stored(archive: Archive, number: int) -> StoredGame:
    stored = archive.game(number)
    if stored is None:
        raise Refused(404, f"there is no game {number}; there are {archive.count()}")
    return stored


def _games(archive: Archive, before: int) -> dict[str, object]:
    newest = archive.count()
    numbers = range(min(newest, before - 1), 0, -1)
    stored = (archive.game(number) for number in numbers[:GAMES])
    told = [_head(archive, game) for game in stored if game is not None]
    return {"games": told, "more": len(numbers) > GAMES}


def _head(archive: Archive, stored: StoredGame) -> dict[str, object]:
    times = archive.times(stored.number)
    return {
        "game": stored.number,
        "name": stored.setup.get("game"),
        "kind": stored.table_kind,
        "players": stored.setup.get("players"),
        "begun": _moment(times[0]) if times else None,
        "ended": _moment(times[-1]) if times else None,
        "events": len(stored.events),
        "given_up": stored.given_up,
        "rules": stored.rules,
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="seconds")


def _game(archive: Archive, number: int) -> dict[str, object]:
    stored = _stored(archive, number)
    playing = replayed(stored)
    facts = playing.facts()
    return {
        **_head(archive, stored),
        "over": playing.over,
        "house_rules": stored.setup.get("house_rules"),
        "standing": list(story.standing(facts)),
        "rows": [
            {
                "event": row["event"],
                "time": row["time"],
                "told": row["told"],
                "counts": row["counts"] or "by" in row["what"],
                "picture": row["picture"],
                "why": row["what"].get("why") if row["what"].get("by") == [undo.PANEL] else None,
            }
            for row in audit.rows(archive, stored)
        ],
    }


class Latest:
    """Where the last game stands in the journal, and what was thrown or claimed last; for one reader at a time."""

    def __init__(self, folder: StateFolder) -> None:
        self._folder = folder
        self._game = 0
        self._telling: audit.Telling | None = None

    def stands(self) -> dict[str, object]:
        """Return it as it is now; only events that are new are played through the rules.

        Raises
        ------
        JournalError
            If the journal cannot be read, or does not follow the rules.
        """
        with reading(self._folder.journal) as archive:
            stored = archive.last()
            if stored is None:
                return {"game": 0, "event": 0, "last": None}
            if self._telling is None or self._game != stored.number or len(self._telling.told) > len(stored.events):
                self._game, self._telling = stored.number, audit.Telling(stored.setup)
            try:
                for event in stored.events[len(self._telling.told) :]:
                    self._telling.goes_on(event)
            except RulesError:
                self._telling = None
                replayed(stored)
                raise
            return {"game": stored.number, "event": len(stored.events), "last": self._last(archive, stored)}

    def _last(self, archive: Archive, stored: StoredGame) -> dict[str, object] | None:
        counting = undo.counting(stored.events)
        back = undo.last_throw([stored.events[number - 1] for number in counting])
        if back is None or self._telling is None:
            return None
        number = counting[-back]
        kept = number in archive.pictures(stored.number)
        return {"event": number, "told": self._telling.told[number - 1], "picture": kept}
