"""The page as an application: which address shows what."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from firmware.page import at_table, commands
from firmware.page.files import STATIC
from firmware.page.guard import BODY_BYTES, Guard, TooLarge
from firmware.page.panel import Panel
from firmware.page.site import Site
from firmware.page.stream import FILM_ENDS, FILM_TYPE, Stream, film, news


def application(site: Site) -> Starlette:
    """Return what answers browsers for *site*."""
    watching = Watching(site)
    routes: list[BaseRoute] = [
        Route("/board", watching.board),
        Route("/BOARD", watching.to_the_board),  # as the QR code says it
        Route("/news", watching.news),
        Route("/roll.jpg", watching.roll),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    if site.hands is None:
        routes.append(Route("/", watching.to_the_board))
    else:
        routes += [Route("/", watching.table), Route("/camera", watching.camera)]
        routes += at_table.AtTable(site, site.hands).routes()
    if site.panel is not None:
        routes += Panel(site.panel).routes()
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard)],
        exception_handlers={
            404: _not_here,
            405: _not_so,
            commands.Refused: commands.refused,
            TooLarge: _too_large,
            ClientDisconnect: _nobody_left,
        },
    )


class Watching:
    """What anybody may look at: it changes nothing."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def to_the_board(self, _request: Request) -> Response:
        """Lead to the board; from ``/`` as well, for at a real table people sit and not browsers."""
        return RedirectResponse("/board")

    async def table(self, _request: Request) -> Response:
        """Return the page of the virtual table."""
        return FileResponse(STATIC / "table.html")

    async def board(self, _request: Request) -> Response:
        """Return the page of the board."""
        return FileResponse(STATIC / "board.html")

    async def news(self, request: Request) -> Stream:
        """Return what the table shows, and goes on to show."""
        hub = self._site.hub
        return Stream("text/event-stream", news(hub, request.headers.get("last-event-id", "")), hub.watching)

    async def camera(self, _request: Request) -> Stream:
        """Return what the camera sees, and goes on to see; a dark picture while dice are hidden."""
        pictures = self._site.pictures
        return Stream(FILM_TYPE, film(pictures), pictures.looking, FILM_ENDS)

    async def roll(self, _request: Request) -> Response:
        """Return the picture of the last throw that was read."""
        shown = await self._site.pictures.roll()
        if shown is None:
            return JSONResponse({"error": "no throw was read yet, or dice are hidden"}, 404)
        return Response(shown.jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})


async def _not_here(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": "there is nothing at this address; the board is at /board"}, 404)


async def _not_so(request: Request, error: Exception) -> Response:
    headers = getattr(error, "headers", None)
    return JSONResponse({"error": f"{request.method} does nothing at this address"}, 405, headers)


async def _too_large(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": f"the body is too long; at most {BODY_BYTES} bytes"}, 413)


async def _nobody_left(_request: Request, _error: Exception) -> Response:
    return Response(status_code=400)  # whoever asked has gone
