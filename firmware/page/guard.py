"""What every request must keep to before it reaches a route: a known host, a small body, no other site's page.

All as ASGI middleware, so that a stream is not gathered up. Against DNS rebinding the host must be one that cannot be
somebody else's name; against forged requests from other sites whatever changes something must come from a page of ours.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_BYTES: Final = 65_536
"""No form and no command is longer."""

POLICY: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""What a browser may do with whatever comes from here: nothing from elsewhere, in nobody's frame."""

CHANGING: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Guard:
    """Answers what must not pass, and puts `POLICY` on what does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            elif scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(POLICY)
            await send(message)

        headers = Headers(scope=scope)
        wrong = _wrong(str(scope["method"]), headers)
        if wrong is not None:
            await JSONResponse({"error": wrong[1]}, wrong[0])(scope, receive, with_policy)
            return
        await self._app(scope, _limited(receive), with_policy)


class TooLarge(Exception):
    """A body goes on beyond `BODY_BYTES`."""


def _limited(receive: Receive) -> Receive:
    """Return *receive* for bodies that do not say how long they are."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > BODY_BYTES:
            raise TooLarge
        return message

    return limited


def _wrong(method: str, headers: Headers) -> tuple[int, str] | None:
    """Return status and words for a request that must not pass, None for one that may."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not is_ours(hosts[0]):
        return 421, "this is no name of the table; open it by the address that it shows"
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()) or int(length[:12]) > BODY_BYTES:
        return 413, f"the body is too long; at most {BODY_BYTES} bytes"
    if method in CHANGING and not _of_this_site(headers, hosts[0]):
        return 403, "this came from another site; use the table's own page"
    return None


def _of_this_site(headers: Headers, host: str) -> bool:
    """Return whether a page of ours sent this; what is no browser sends neither header."""
    origin = headers.get("origin")
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    return origin is None or urlsplit(origin).netloc == host


def is_ours(host: str) -> bool:
    """Return whether *host* is an address or a name of this machine.

    Examples
    --------
    >>> is_ours("127.0.0.1:8021"), is_ours("[::1]:8021"), is_ours("localhost"), is_ours("evil.example")
    (True, True, True, False)
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in _names():
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _names() -> frozenset[str]:
    own = socket.gethostname().lower()
    return frozenset({"localhost", own, f"{own}.local"})
