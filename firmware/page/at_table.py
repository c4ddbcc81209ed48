"""Routes of the virtual table: sit down, press, turn, throw, make trouble.

Every command is a small JSON object in a POST, by a guest who shows the secret that he was given when he came. The
secret goes in a header, which a page of another site cannot set.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware.page.commands import Command, Refused, body
from firmware.page.guests import Guest
from firmware.page.hands import Hands, Trouble
from firmware.page.pace import Pace
from firmware.page.places import address_of
from firmware.page.site import Site
from hardware.devices import Key

GUEST: Final = "x-mexico-guest"
DONE: Final = {"ok": True}

ALL_PER_S: Final = 100
"""So many commands of all guests together are carried out."""

STEPS_PER_S: Final = 60
"""So fast the knob can be turned."""

TROUBLE: Final = 5.0
"""A trouble counts as so many commands: it makes the camera draw."""

TOO_FAST: Final = "that was too fast for a hand; try again in a moment"

STANDS: Final = "others sit at the table; take a seat first"

NOTHING_TO_THROW: Final = "there is nothing to throw now: the dice still roll, or the cup stands already"


Seat = Annotated[int, Field(ge=1, le=8)]
Button = Annotated[Key, Field(strict=False)]


class Here(Command):
    """Still be there, with fingers on these buttons and on no others."""

    down: frozenset[Button] = frozenset()


class Sit(Command):
    """Take a seat, or with None leave the one that was taken."""

    seat: Seat | None


class Robot(Command):
    """Let the computer play a seat, or leave it."""

    seat: Seat
    on: bool


class Press(Command):
    """Put a finger on a button, or take it off."""

    key: Button
    down: bool


class Turn(Command):
    """Turn the knob, clockwise when positive."""

    steps: Annotated[int, Field(ge=-20, le=20)]


class Throw(Command):
    """Throw, shake or show what is awaited."""


class Make(Command):
    """Begin a trouble, or end it."""

    trouble: Annotated[Trouble, Field(strict=False)]
    on: bool


class AtTable:
    """What guests do at the virtual table of *site* with *hands*."""

    def __init__(self, site: Site, hands: Hands) -> None:
        self._site = site
        self._hands = hands
        self._pace = Pace(ALL_PER_S, 2 * ALL_PER_S)
        self._turning = Pace(STEPS_PER_S, STEPS_PER_S)
        self._shown: dict[str, object] = {}
        self._show()

    def routes(self) -> list[Route]:
        """Return the addresses of the commands."""
        commands = (self.come, self.here, self.sit, self.robot, self.press, self.turn, self.throw, self.trouble)
        return [Route(f"/table/{command.__name__}", command, methods=["POST"]) for command in commands]

    async def come(self, request: Request) -> Response:
        """Admit a browser, which shows the secret it gets with every command; it is told which run this is."""
        guest = self._site.guests.admit(self._now_s, address_of(request.scope))
        return JSONResponse({"guest": guest, "run": self._site.hub.run})

    async def here(self, request: Request) -> Response:
        """Hear that a browser is still there, and which buttons it holds: the end of a press may have been lost."""
        guest, held = self._guest(request)[1], (await body(request, Here)).down
        for key in guest.down - held:
            self._site.guests.let_go(guest, key)
        self._release()
        self._show()
        return JSONResponse(DONE)

    async def sit(self, request: Request) -> Response:
        """Let a guest take a seat or leave the one he has."""
        (token, guest), wanted = self._guest(request), await body(request, Sit)
        self._slowly(guest)
        if wanted.seat is None:
            self._site.guests.stand(token, self._now_s)
        elif wanted.seat > self._site.seats:
            raise Refused(400, f"there is no seat {wanted.seat}; this board has {self._site.seats}")
        elif not self._site.guests.sit(token, wanted.seat, self._now_s):
            raise Refused(409, f"somebody sits at seat {wanted.seat}; take another")
        return self._done()

    async def robot(self, request: Request) -> Response:
        """Let the computer play a seat or leave it."""
        guest, wanted = self._guest(request)[1], await body(request, Robot)
        if not self._site.guests.sits(guest, self._now_s):
            raise Refused(409, STANDS)
        self._slowly(guest)
        if wanted.seat > self._site.seats or not self._site.guests.robot(wanted.seat, on=wanted.on, now_s=self._now_s):
            raise Refused(409, f"seat {wanted.seat} is not free; take another")
        return self._done()

    async def press(self, request: Request) -> Response:
        """Put a guest's finger on a button or take it off."""
        (token, guest), wanted = self._guest(request), await body(request, Press)
        if not wanted.down:
            self._site.guests.let_go(guest, wanted.key)
            self._release()
        elif not self._site.guests.may_press(token, wanted.key, self._now_s):
            raise Refused(409, "that button is in front of somebody else; take a seat and press your own")
        else:
            self._slowly(guest)
            guest.down.add(wanted.key)
            self._hands.key(wanted.key, down=True)
        return JSONResponse(DONE)

    async def turn(self, request: Request) -> Response:
        """Turn the knob."""
        guest, steps = self._guest(request)[1], (await body(request, Turn)).steps
        if not self._site.guests.sits(guest, self._now_s):
            raise Refused(409, STANDS)
        self._slowly(guest)
        if not self._turning.take(abs(steps), self._now_s):
            raise Refused(429, TOO_FAST)
        self._hands.encoder.turn(steps)
        return JSONResponse(DONE)

    async def throw(self, request: Request) -> Response:
        """Throw, shake or show what is awaited."""
        guest = self._guest(request)[1]
        await body(request, Throw)
        if not self._site.guests.may_throw(guest, self._now_s):
            raise Refused(409, "somebody else is to throw; take a seat and wait for your turn")
        self._slowly(guest)
        if not self._hands.throw():
            raise Refused(409, NOTHING_TO_THROW)
        return JSONResponse(DONE)

    async def trouble(self, request: Request) -> Response:
        """Begin a trouble or end it."""
        guest, wanted = self._guest(request)[1], await body(request, Make)
        self._slowly(guest, TROUBLE)
        self._hands.trouble(wanted.trouble, on=wanted.on)
        return self._done()

    @property
    def _now_s(self) -> float:
        return self._site.clock.now()

    def _guest(self, request: Request) -> tuple[str, Guest]:
        token = request.headers.get(GUEST, "")
        guest = self._site.guests.known(token, self._now_s)
        if guest is None:
            raise Refused(401, "the table does not know this browser any more; load the page again")
        self._release()
        return token, guest

    def _slowly(self, guest: Guest, cost: float = 1.0) -> None:
        """Let hands be as fast as hands are: a queue that nobody can fill is never full."""
        if not (guest.pace.take(cost, self._now_s) and self._pace.take(cost, self._now_s)):
            raise Refused(429, TOO_FAST)

    def _release(self) -> None:
        """Let buttons come up that nobody holds down any more, also because he has left."""
        for key in self._site.guests.gone(self._now_s):
            self._hands.key(key, down=False)

    def _done(self) -> Response:
        """Let everybody see what has changed, and answer."""
        self._show()
        self._hands.wake()
        return JSONResponse(DONE)

    def _show(self) -> None:
        """Let everybody see who sits where, and what goes wrong on demand, if that is other than before."""
        shown: dict[str, object] = {
            "seats": self._site.seats,
            "taken": sorted(self._site.guests.seats(self._now_s)),
            "robots": sorted(self._site.guests.robots),
            "troubles": sorted(self._hands.troubles()),
        }
        if shown != self._shown:
            self._shown = shown
            self._site.hub.publish("guests", lambda: shown)
