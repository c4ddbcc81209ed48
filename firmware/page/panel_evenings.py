"""Statistics at the panel: evening by evening, and whether its dice are fair."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from math import inf, isfinite
from typing import Any, Literal, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware import swaps
from firmware.errors import FileError, JournalError
from firmware.journal import Span, reading
from firmware.page.commands import Command, Refused, body
from firmware.page.once import OneAtATime
from firmware.page.panel_site import PanelSite
from firmware.statistics import Book

T = TypeVar("T")
Answer = Callable[[Request], Awaitable[Response]]


class Swapped(Command):
    """Other dice are on the table from now on."""

    swapped: Literal[True]


class PanelEvenings:
    """What the evenings at *site* came to, read beside the running table."""

    def __init__(self, site: PanelSite) -> None:
        self._site = site
        self._book = Book()
        self._one = OneAtATime()

    def addresses(self) -> Iterator[tuple[str, Answer]]:
        """Yield each address and what it answers."""
        yield "/panel/evenings", self.evenings
        yield "/panel/evenings/{number:number}", self.evening

    async def evenings(self, _request: Request) -> Response:
        """Return which evenings there were, the last first."""
        return JSONResponse({"evenings": await self._read(self._listed)})

    async def evening(self, request: Request) -> Response:
        """Return what one of them came to."""
        number = request.path_params["number"]
        return JSONResponse(await self._read(lambda: self._told(number)))

    async def swap(self, request: Request) -> Response:
        """Note that other dice are on the table: the test of the dice begins anew."""
        await body(request, Swapped)

        def note() -> bool:
            swaps.note(self._site.folder.dice, time.time())
            return True

        return JSONResponse({"ok": await self._read(note)})

    def _listed(self) -> list[dict[str, object]]:
        with reading(self._site.folder.journal) as archive:
            found = list(enumerate(self._book.evenings(archive), 1))
        return [_head(number, spans) for number, spans in reversed(found)]

    def _told(self, number: int) -> dict[str, Any]:
        with reading(self._site.folder.journal) as archive:
            evenings = self._book.evenings(archive)
            if not 1 <= number <= len(evenings):
                raise Refused(404, f"there is no evening {number}; there are {len(evenings)}")
            spans = evenings[number - 1]
            until_s = inf if number == len(evenings) else evenings[number][0].begun_s
            since_s = swaps.since(swaps.noted(self._site.folder.dice), until_s)
            found = self._book.of(archive, spans, dice_since_s=since_s).to_json()
        told: dict[str, Any] = _finite({**_head(number, spans), **found})
        return told

    async def _read(self, ask: Callable[[], T]) -> T:
        """Return what *ask* finds, off the event loop, one after the other: the book is for one reader."""
        async with self._one:
            try:
                return await asyncio.to_thread(ask)
            except (JournalError, FileError) as error:
                raise Refused(503, str(error)) from None


def _head(number: int, spans: Sequence[Span]) -> dict[str, object]:
    return {
        "evening": number,
        "kind": spans[0].table_kind,
        "games": [span.number for span in spans],
        "begun": _moment(spans[0].begun_s),
        "last": _moment(spans[-1].last_s),
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="seconds")


def _finite(value: Any) -> Any:
    """Return *value* with None in the place of what JSON has no number for."""
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value
