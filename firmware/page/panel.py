"""The bartender's panel: which address of it shows or changes what."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Annotated, Final

from pydantic import AfterValidator, Field
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from firmware.errors import JournalError
from firmware.events import Order, Ordered
from firmware.page import number
from firmware.page.commands import Command, Refused, body
from firmware.page.figures import figures
from firmware.page.files import STATIC
from firmware.page.findings import findings
from firmware.page.once import OneAtATime
from firmware.page.panel_calibrate import PanelCalibrate
from firmware.page.panel_door import Door
from firmware.page.panel_evenings import PanelEvenings
from firmware.page.panel_journal import Latest, PanelJournal
from firmware.page.panel_settings import PanelSettings
from firmware.page.panel_site import PanelSite
from firmware.page.pictures import STEP_S, Pictures
from firmware.page.stream import FILM_ENDS, FILM_TYPE, Parts, Stream, film
from vision.types import Frame

ANSWER_S: Final = 5.0
"""So long the table may take to answer an order."""

ORDERS: Final = (Order.PAUSE, Order.RESUME, Order.VOID, Order.RESTART)

FRESH_S: Final = 2.0
"""So long a picture is waited for."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("wanted letters, digits, signs and spaces, in one line")
    return text.strip()


Reason = Annotated[str, Field(max_length=120), AfterValidator(_printable)]


class Wanted(Command):
    """An order: what, why, and after which event of which game."""

    order: Annotated[Order, Field(strict=False)]
    reason: Reason = ""
    game: Annotated[int, Field(ge=0, lt=2**53)] = 0
    event: Annotated[int, Field(ge=0, lt=2**53)] = 0


class Panel:
    """What a bartender who is logged in sees of *site*, and does with it."""

    def __init__(self, site: PanelSite) -> None:
        self._site = site
        self._door = Door(site.folder, site.clock, site.today_s)
        self._measuring = OneAtATime()
        self._asking = OneAtATime()
        self._reading = OneAtATime()
        self._latest = Latest(site.folder)
        self._measured: tuple[int, dict[str, object]] | None = None

    def routes(self) -> list[BaseRoute]:
        """Return the addresses of the panel."""
        number.register()
        open_to, journal, settings = self._door.looking, PanelJournal(self._site), PanelSettings(self._site)
        evenings, calibrate = PanelEvenings(self._site), PanelCalibrate(self._site, self._door, self._give)
        return [
            Route("/panel", self.page),
            *self._door.routes(),
            Route("/panel/now", open_to(self.now)),
            Route("/panel/order", open_to(self.order, changes=True), methods=["POST"]),
            Route("/panel/findings", open_to(self.findings)),
            Route("/panel/figures", open_to(self.figures)),
            Route("/panel/outline", open_to(self.outline)),
            Route("/panel/camera", _Film(self._camera), methods=["GET"]),
            Route("/panel/calibrate", open_to(calibrate.stands), methods=["GET"]),
            Route("/panel/calibrate", open_to(calibrate.step, changes=True), methods=["POST"]),
            Route("/panel/calibrate.jpg", open_to(calibrate.picture)),
            Route("/panel/settings", open_to(settings.form)),
            Route("/panel/settings/save", open_to(settings.save, changes=True), methods=["POST"]),
            Route("/panel/dice", open_to(evenings.swap, changes=True), methods=["POST"]),
            *(Route(address, open_to(answer)) for address, answer in (*journal.addresses(), *evenings.addresses())),
        ]

    async def page(self, _request: Request) -> Response:
        """Return the page of the panel, which shows nothing before somebody has logged in."""
        return FileResponse(STATIC / "panel.html", headers={"cache-control": "no-cache"})

    # --- the game ---

    async def now(self, _request: Request) -> Response:
        """Return where the game stands, and what was thrown last."""
        view = self._site.gauges.view
        try:
            async with self._reading:
                stored = await asyncio.to_thread(self._latest.stands)
        except JournalError as error:
            raise Refused(503, str(error)) from None
        return JSONResponse({"phase": view.phase, "game_name": view.game, "unsaved": view.unsaved, **stored})

    async def order(self, request: Request) -> Response:
        """Give an order to the table, and return what became of it."""
        wanted = await body(request, Wanted)
        if wanted.order is Order.VOID and not wanted.reason:
            raise Refused(400, "reason: who takes a throw back says why; it stands in the journal")
        if wanted.order is Order.VOID and not (wanted.game and wanted.event):
            raise Refused(400, "event: who takes a throw back says after which event of which game he has seen it")
        if wanted.order not in ORDERS:
            raise Refused(400, "order: this is asked for at another place")
        await self._give(wanted.order, wanted.reason, (wanted.game, wanted.event) if wanted.game else None)
        return JSONResponse({"ok": True})

    async def _give(self, order: Order, reason: str = "", seen: tuple[int, int] | None = None) -> None:
        """Give an order to the table and wait for what becomes of it."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[str | None] = loop.create_future()

        def answer(why: str | None) -> None:
            def settle() -> None:
                if not answered.done():
                    answered.set_result(why)

            with suppress(RuntimeError):  # the server has ended this very moment: nobody waits any more
                loop.call_soon_threadsafe(settle)

        self._site.put(Ordered(order, reason, seen, answer))
        try:
            async with asyncio.timeout(ANSWER_S):
                why = await answered
        except TimeoutError:
            raise Refused(503, "the table has not answered; look at what it shows before you try again") from None
        if why is not None:
            raise Refused(409, why)

    # --- the parts ---

    async def findings(self, _request: Request) -> Response:
        """Return what the doctor finds while the table runs."""
        async with self._asking:
            figures = await self._figures()
            checks = await asyncio.to_thread(lambda: list(findings(self._site, figures)))
        told = [{"name": check.name, "state": check.state, "found": check.found, "do": check.do} for check in checks]
        return JSONResponse({"checks": told})

    # --- the camera ---

    async def outline(self, _request: Request) -> Response:
        """Return where the floor of the tray is in the picture."""
        return JSONResponse(self._site.outline)

    async def figures(self, _request: Request) -> Response:
        """Return figures of the newest picture."""
        found = await self._figures()
        if found is None:
            raise Refused(404, "there is no picture: dice are hidden, or the camera gives none")
        return JSONResponse(found)

    async def _figures(self) -> dict[str, object] | None:
        """Return figures of a picture that is new, None where there is none; measured once for all who ask."""
        pictures = self._site.pictures
        async with self._measuring, _measured(pictures):
            seen = await _fresh(pictures)
            if seen is None or self._site.gauges.view.watching.blind:
                return None
            number, frame = seen
            if self._measured is None or self._measured[0] != number:
                self._measured = number, await asyncio.to_thread(figures, frame)
            return None if pictures.newest() is None else self._measured[1]

    def _camera(self, request: Request) -> Stream:
        """Return what the camera sees, and goes on to see, as long as somebody is logged in."""
        self._door.entered(request)
        pictures = self._site.pictures
        parts = _while(self._door.lasts(request), film(pictures))
        return Stream(FILM_TYPE, parts, pictures.looking, FILM_ENDS)


class _Film:
    """A route whose answer has no end."""

    def __init__(self, begin: Callable[[Request], Stream]) -> None:
        self._begin = begin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._begin(Request(scope, receive))(scope, receive, send)


async def _while(lasts: Callable[[], bool], parts: Parts) -> Parts:
    async with aclosing(parts):
        async for part in parts:
            if not lasts():
                return
            yield part


async def _fresh(pictures: Pictures) -> tuple[int, Frame] | None:
    """Return a picture that was taken from now on, None where none comes."""
    before = pictures.newest()
    end_s = time.monotonic() + FRESH_S
    while time.monotonic() < end_s:
        seen = pictures.newest()
        if seen is not None and (before is None or seen[0] > before[0]):
            return seen
        await asyncio.sleep(STEP_S)
    return None


@asynccontextmanager
async def _measured(pictures: Pictures) -> AsyncIterator[None]:
    """Let pictures come for the time of a ``with`` block: they are kept only while somebody looks."""
    pictures.measuring += 1
    try:
        yield
    finally:
        pictures.measuring -= 1
