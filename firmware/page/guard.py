"""What every request must keep to before it reaches a route: a known host, a small body, no other site's page.

All as ASGI middleware, so that a stream is not gathered up. Against DNS rebinding the host must be one that cannot be
somebody else's name; against forged requests from other sites whatever changes something must come from a page of ours.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import socket
import traceback
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

BODY_BYTES: Final = 65_536
"""No form and no command is longer."""

POLICY: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""What a browser may do with whatever comes from here: nothing from elsewhere, in nobody's frame."""

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Everything else may change something."""

HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?", re.IGNORECASE)
PORT: Final = re.compile(r":[0-9]{1,5}$")
LENGTH: Final = re.compile(r"0*([0-9]{1,9})")


class Guard:
    """Answers what must not pass, and puts `POLICY` on what does; what a route does not expect it answers, too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._told: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            elif scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        out = _WithPolicy(send)
        try:
            await self._pass(scope, receive, out)
        except Gone:
            logger.debug("nobody is there to be answered", exc_info=True)
        except Exception as error:
            self._tell(error)
            if out.begun:
                raise  # the server cuts the answer off, and says nothing more of it
            await JSONResponse({"error": "the page has made a mistake; the game goes on"}, 500)(scope, receive, out)

    async def _pass(self, scope: Scope, receive: Receive, out: Send) -> None:
        wrong = _wrong(str(scope["method"]), bytes(scope["query_string"]), Headers(scope=scope))
        if wrong is not None:
            await JSONResponse({"error": wrong[1]}, wrong[0])(scope, receive, out)
        else:
            await self._app(scope, _limited(receive, wanted=scope["method"] not in READING), out)

    def _tell(self, error: Exception) -> None:
        """Say what went wrong, once for each place: who caused it can do so a thousand times a second."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
        if where not in self._told:
            self._told.add(where)
            logger.error("the page has made a mistake: %s: %r", where, str(error)[:200])
            logger.debug("how it came to that", exc_info=error)


async def full(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer those for whom there is no place."""
    error = {"error": "too many browsers look at the table; try again in a while"}
    headers = {**POLICY, "retry-after": "10", "connection": "close"}
    await JSONResponse(error, 503, headers)(scope, receive, send)


class _WithPolicy:
    """Sends what comes with `POLICY`, and knows whether anything was sent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            MutableHeaders(scope=message).update(POLICY)
        try:
            await self._send(message)
        except Exception as error:
            raise Gone from error


class Gone(Exception):
    """The server does not take an answer: it has hung up, because the browser has or because it sent nonsense."""


class TooLarge(Exception):
    """A body goes on beyond `BODY_BYTES`."""


def _limited(receive: Receive, *, wanted: bool) -> Receive:
    """Return *receive* for bodies that do not say how long they are; one that nobody *wanted* is empty."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        if not wanted and message["type"] == "http.request":
            return {**message, "body": b""}
        taken += len(message.get("body", b""))
        if taken > BODY_BYTES:
            raise TooLarge
        return message

    return limited


def _wrong(method: str, query: bytes, headers: Headers) -> tuple[int, str] | None:
    """Return status and words for a request that must not pass, None for one that may."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not is_ours(hosts[0]):
        return 421, "this is no name of the table; open it by the address that it shows"
    if not query.isascii():
        return 400, "the address is no address"
    lengths = [LENGTH.fullmatch(length) for length in headers.getlist("content-length")]
    if not all(length and int(length[1]) <= BODY_BYTES for length in lengths):
        return 413, f"the body is too long; at most {BODY_BYTES} bytes"
    if _from_elsewhere(headers, hosts[0]) and not (method in READING and _opened(headers)):
        return 403, "this came from another site; use the table's own page"
    return None


def _from_elsewhere(headers: Headers, host: str) -> bool:
    """Return whether a page of another site sent this; what is no browser sends neither header."""
    if any(site not in ("same-origin", "none") for site in headers.getlist("sec-fetch-site")):
        return True
    ours = (f"http://{host}".lower(), f"https://{host}".lower())
    return any(origin.lower() not in ours for origin in headers.getlist("origin"))


def _opened(headers: Headers) -> bool:
    """Return whether somebody followed a link here, in a window of his own."""
    return headers.getlist("sec-fetch-mode") == ["navigate"] and headers.getlist("sec-fetch-dest") == ["document"]


def is_ours(host: str) -> bool:
    """Return whether *host* is an address or a name of this machine.

    Examples
    --------
    >>> is_ours("127.0.0.1:8021"), is_ours("[::1]:8021"), is_ours("localhost"), is_ours("evil.example")
    (True, True, True, False)
    """
    if HOST.fullmatch(host) is None:
        return False
    name = host.lower().rpartition(":")[0] if PORT.search(host) else host.lower()
    if name in _names():
        return True
    try:
        number = ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return (number.version == 6) == name.startswith("[")


def _names() -> frozenset[str]:
    own = socket.gethostname().lower()
    short = own.partition(".")[0]
    return frozenset({"localhost", own, short, f"{short}.local"})
