"""Where the page is found: a host and a port."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from typing import Final

from firmware.errors import PageError

TRIES: Final = 20
"""So many ports are tried in turn where none was asked for."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page is to be.

    Attributes
    ----------
    host, port
        Name or number of a network interface of this computer, and the port.
    exactly
        Whether another port will not do.
    """

    host: str
    port: int
    exactly: bool

    @classmethod
    def parse(cls, text: str, *, exactly: bool) -> Address:
        """Return the address in *text*, such as ``127.0.0.1:8021`` or ``[::1]:8021``.

        Raises
        ------
        ValueError
            If it is none.

        Examples
        --------
        >>> Address.parse("[::1]:80", exactly=True)
        Address(host='::1', port=80, exactly=True)
        """
        host, _, port = text.rpartition(":")
        host = host.removeprefix("[").removesuffix("]") if host.startswith("[") and host.endswith("]") else host
        if not host or (":" in host) != text.startswith("[") or not (port.isascii() and port.isdecimal()):
            raise ValueError(text)
        if not 0 <= int(port) <= 65_535 or "/" in host or " " in host:
            raise ValueError(text)
        try:
            host.encode("idna")
        except UnicodeError:
            raise ValueError(text) from None
        return cls(host, int(port), exactly)

    def listen(self) -> socket.socket:
        """Return a socket that listens there, or, if not *exactly*, at one of the next ports.

        Raises
        ------
        PageError
            If there is none to be had.
        """
        for number in range(self.port, self.port + (1 if self.exactly else TRIES)):
            try:
                family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
                both = self.host == "::" and socket.has_dualstack_ipv6()  # all addresses are also the older ones
                return socket.create_server((self.host, number), family=family, backlog=256, dualstack_ipv6=both)
            except OverflowError:
                break
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise PageError(
                        f"no page can be served at {self.host}:{number}: {error.strerror or error}; "
                        "name another --page-address, or --no-page"
                    ) from error
        raise PageError(
            f"{self.host}:{self.port} is taken by another program; name another --page-address, or --no-page"
        )


def address_of(listener: socket.socket) -> str:
    """Return what to type into a browser for *listener*."""
    host, port = listener.getsockname()[:2]
    return url(host, port)


def url(host: str, port: int) -> str:
    """Return the address of the page at *host* and *port*.

    Examples
    --------
    >>> url("::1", 8021)
    'http://[::1]:8021'
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
