"""The door of the panel: nobody comes in without the PIN, and nothing is changed but from our own page."""

from __future__ import annotations

import asyncio
import hmac
import logging
import math
from collections.abc import Awaitable, Callable
from typing import Annotated, Final

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware.folder import StateFolder
from firmware.page.commands import Command, Refused, body
from firmware.page.once import OneAtATime
from firmware.page.places import is_secure
from firmware.page.sessions import EVENING_S, Session, Sessions
from firmware.pin import PinError, PinFile, Tries
from hardware.devices import Clock

logger = logging.getLogger(__name__)

COOKIE: Final = "mexico_panel"
CSRF: Final = "x-mexico-csrf"

WAITING: Final = 4
"""So many may wait for their PIN to be tried: one is tried after the other."""

Answer = Callable[[Request], Awaitable[Response]]


class Login(Command):
    """The PIN as it was typed."""

    pin: Annotated[str, Field(max_length=64)]


class Door:
    """Who may come in.

    Parameters
    ----------
    folder
        Where the PIN is, and where wrong ones are counted.
    clock
        Of the table; sessions go by it.
    today_s
        Seconds since 1970: wrong PINs go by it, for they outlive the program.
    """

    def __init__(self, folder: StateFolder, clock: Clock, today_s: Callable[[], float]) -> None:
        self._folder = folder
        self._clock = clock
        self._today_s = today_s
        self._sessions = Sessions()
        self._one = OneAtATime()
        self._waiting = 0
        self._unsaved: Tries | None = None
        self._pin: tuple[tuple[int, int, int], PinFile] | None = None

    def routes(self) -> list[Route]:
        """Return the addresses at the door."""
        return [
            Route("/panel/session", self.session),
            Route("/panel/login", self.login, methods=["POST"]),
            Route("/panel/logout", self.looking(self.logout, changes=True), methods=["POST"]),
            Route("/panel/here", self.looking(self.here, changes=True), methods=["POST"]),
        ]

    def looking(self, answer: Answer, *, changes: bool = False) -> Answer:
        """Return *answer* for those who are logged in; one that *changes* something also wants the page's own token."""

        async def answered(request: Request) -> Response:
            session = self.entered(request)
            if changes:
                shown = request.headers.get(CSRF, "")
                if not hmac.compare_digest(shown.encode(), session.csrf.encode()):
                    raise Refused(403, "this did not come from the panel's own page; load it again")
                session.touched_s = self._clock.now()
            response = await answer(request)
            response.headers.setdefault("cache-control", "no-store")
            return response

        return answered

    def entered(self, request: Request) -> Session:
        """Return the session of a browser.

        Raises
        ------
        Refused
            If it is not logged in.
        """
        session = self._known(request)
        if session is None:
            raise Refused(401, "nobody is logged in here, or it was too long ago; type the PIN")
        return session

    def lasts(self, request: Request) -> Callable[[], bool]:
        """Return what tells whether the browser behind *request* is still logged in."""
        return lambda: self._known(request) is not None

    async def session(self, request: Request) -> Response:
        """Tell a browser whether it is logged in, and what it shows with every change."""
        session = self._known(request)
        told = {
            "pin_set": self._pin_of_today() is not None,
            "csrf": None if session is None else session.csrf,
            "wait_s": 0 if session else math.ceil(self._tries().wait_s(self._today_s())),
        }
        return JSONResponse(told, headers={"cache-control": "no-store"})

    async def login(self, request: Request) -> Response:
        """Let a browser in that knows the PIN."""
        typed = await body(request, Login)
        if self._waiting >= WAITING:
            raise Refused(429, "too many PINs are tried at once; try again in a moment")
        self._waiting += 1
        try:
            async with self._one:
                pin = await self._tried(typed.pin)
        finally:
            self._waiting -= 1
        now_s = self._clock.now()
        token = self._sessions.open(pin, now_s)
        session = self._sessions.known(token, pin, now_s)
        response = JSONResponse({"csrf": "" if session is None else session.csrf})
        response.set_cookie(
            COOKIE,
            token,
            max_age=round(EVENING_S),
            path="/",
            httponly=True,
            samesite="strict",
            secure=is_secure(request.scope),
        )
        return response

    async def logout(self, request: Request) -> Response:
        """Let a browser out."""
        self._sessions.close(request.cookies.get(COOKIE, ""))
        response = JSONResponse({"ok": True})
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    async def here(self, _request: Request) -> Response:
        """Hear that somebody touches the page."""
        return JSONResponse({"ok": True})

    async def _tried(self, typed: str) -> str:
        """Return which PIN *typed* is; wrong ones are counted before they are tried."""
        stored, tries = self._pin_of_today(), self._tries()
        if stored is None:
            raise Refused(409, "no PIN is set: nobody can log in; on the table's computer call mexico-table pin")
        wait_s = tries.wait_s(self._today_s())
        if wait_s > 0:
            raise Refused(429, f"too many wrong PINs; everybody waits, {math.ceil(wait_s)} seconds more")
        await self._note(tries, lambda: tries.count(self._today_s()))
        right = await asyncio.to_thread(stored.is_of, typed.strip())
        if not right:
            logger.warning("a wrong PIN at the panel, the %d. since the last right one", tries.wrong)
            wait_s = tries.wait_s(self._today_s())
            more = f"; everybody waits {math.ceil(wait_s)} seconds now" if wait_s else ""
            raise Refused(403, f"this is not the PIN{more}")
        if tries.wrong > 1:
            logger.warning("somebody has logged in at the panel after %d wrong PINs", tries.wrong - 1)
        await self._note(tries, tries.right)
        return stored.hash

    async def _note(self, tries: Tries, change: Callable[[], None]) -> None:
        """Store a change of *tries*; where the disk takes nothing it holds as long as the program runs."""
        try:
            await asyncio.to_thread(change)
        except OSError as error:
            self._hold(tries, error)
        else:
            self._unsaved = None

    def _hold(self, tries: Tries, error: OSError) -> None:
        logger.warning("wrong PINs are counted in memory only: %s", error)
        self._unsaved = tries

    def _tries(self) -> Tries:
        tries = self._unsaved or Tries.load(self._folder.pin_tries)
        try:
            tries.follow(self._today_s())
        except OSError as error:
            self._hold(tries, error)
        return tries

    def _known(self, request: Request) -> Session | None:
        pin = self._pin_of_today()
        token = request.cookies.get(COOKIE, "")
        return self._sessions.known(token, None if pin is None else pin.hash, self._clock.now())

    def _pin_of_today(self) -> PinFile | None:
        """Return the PIN as it is now; its file is read again only when it is another."""
        path = self._folder.pin
        try:
            at = path.stat()
        except OSError:
            return None
        mark = (at.st_ino, at.st_mtime_ns, at.st_size)
        if self._pin is None or self._pin[0] != mark:
            try:
                stored = PinFile.load(path)
            except PinError as error:
                raise Refused(503, str(error)) from None
            if stored is None:
                return None
            self._pin = mark, stored
        return self._pin[1]
