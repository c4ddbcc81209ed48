"""Calibrating from a phone, at the panel: one bartender at a time, while nobody plays."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum, auto
from typing import Annotated, Final

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware.calibrate_stages import Act, ByPhone, NotNow, Over, Standing
from firmware.events import Order
from firmware.page.commands import Command, Refused, body
from firmware.page.panel_door import Door
from firmware.page.panel_site import PanelSite
from firmware.page.pictures import jpeg_of

ELSEWHERE: Final = "somebody else calibrates at this moment; STOP at the table ends that"
GONE: Final = "no calibration is under way; begin one"

Give = Callable[[Order], Awaitable[None]]
"""Gives an order to the table; raises Refused where it refuses."""


class Move(StrEnum):
    """What opens and closes a calibration."""

    BEGIN = auto()
    SAVE = auto()
    END = auto()


Pixels = Annotated[float, Field(ge=0, le=20_000, allow_inf_nan=False)]
Corner = Annotated[list[Pixels], Field(min_length=2, max_length=2)]


class Step(Command):
    """One step; *corners* go with a look at the empty tray, clockwise from the top left, in pixels of the camera."""

    do: Annotated[Move, Field(strict=False)] | Annotated[Act, Field(strict=False)]
    corners: Annotated[list[Corner], Field(min_length=4, max_length=4)] | None = None


class PanelCalibrate:
    """The calibration of *site*, for bartenders who came in through *door*."""

    def __init__(self, site: PanelSite, door: Door, give: Give) -> None:
        self._site = site
        self._door = door
        self._give = give
        self._under_way: ByPhone | None = None
        self._whose = ""
        self._busy = False

    async def stands(self, request: Request) -> Response:
        """Return where the calibration stands."""
        return JSONResponse(self._told(self._me(request)))

    async def picture(self, request: Request) -> Response:
        """Return what is to be looked at, for whoever calibrates."""
        under_way = self._mine(self._me(request))
        picture = under_way.picture
        if picture is None:
            raise Refused(404, "there is nothing to look at yet")
        return Response(await asyncio.to_thread(jpeg_of, picture), media_type="image/jpeg")

    async def step(self, request: Request) -> Response:
        """Do one step and return where the calibration stands then."""
        me, wanted = self._me(request), await body(request, Step)
        if self._busy:
            raise Refused(409, "the last step is still under way; wait for it")
        self._busy = True
        try:
            told = await self._step(me, wanted)
        finally:
            self._busy = False
        return JSONResponse(self._told(me) | told)

    async def _step(self, me: str, wanted: Step) -> dict[str, object]:
        if wanted.do is Move.BEGIN:
            await self._begin(me)
            return {}
        under_way = self._mine(me)
        if wanted.do is Move.END:
            await self._end()
            return {"ended": "Ended: nothing was saved, the calibration is as it was before."}
        try:
            await self._give(Order.KEEP_CALIBRATING)
        except Refused as refused:
            if refused.status == 409:
                self._under_way = None
            raise
        try:
            if wanted.do is Move.SAVE:
                return await self._save(under_way)
            corners = None if wanted.corners is None else [(x, y) for x, y in wanted.corners]
            await asyncio.to_thread(under_way.act, Act(wanted.do), corners)
        except NotNow as error:
            raise Refused(409, str(error)) from None
        except Over as error:
            await self._end()
            return {"ended": str(error)}
        return {}

    async def _begin(self, me: str) -> None:
        if self._site.calibrator is None:
            raise Refused(409, "this table cannot be calibrated from the panel")
        if self._on and self._under_way is not None:
            if self._whose != me:
                raise Refused(409, ELSEWHERE)
            await self._give(Order.KEEP_CALIBRATING)
        else:
            await self._give(Order.CALIBRATE)
        self._under_way, self._whose = self._site.calibrator(), me

    async def _save(self, under_way: ByPhone) -> dict[str, object]:
        words = await asyncio.to_thread(under_way.save)
        if not self._site.real:
            await self._end()
            return {"ended": words}
        self._under_way = None
        try:
            await self._give(Order.RESTART)
        except Refused as refused:
            return {"ended": f"{words} The table takes it with its next start, and not now: {refused}."}
        return {"ended": f"{words} The table begins anew with it; log in again then."}

    async def _end(self) -> None:
        self._under_way = None
        await self._give(Order.END_CALIBRATING)

    def _me(self, request: Request) -> str:
        """Return who asks: his session, of which nobody else knows the token."""
        return self._door.entered(request).csrf

    def _mine(self, me: str) -> ByPhone:
        if self._under_way is None:
            raise Refused(409, GONE)
        if self._whose != me:
            raise Refused(409, ELSEWHERE if self._on else GONE)
        return self._under_way

    @property
    def _on(self) -> bool:
        return self._site.gauges.view.calibrating

    def _told(self, me: str) -> dict[str, object]:
        told: dict[str, object] = {
            "possible": self._site.calibrator is not None,
            "real": self._site.real,
            "on": self._on,
            "mine": self._on and self._under_way is not None and self._whose == me,
        }
        if not told["mine"] or self._under_way is None:
            return told
        return told | _in_json(self._under_way.standing)


def _in_json(standing: Standing) -> dict[str, object]:
    return {
        "stage": standing.stage,
        "said": list(standing.said),
        "picture": standing.picture,
        "size": None if standing.size is None else list(standing.size),
        "corners": None if standing.corners is None else [[round(x), round(y)] for x, y in standing.corners],
        "learned": standing.learned,
        "proved": standing.proved,
    }
