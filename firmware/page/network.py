"""Where phones find the page: the address under which this computer is known to others on its network."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from typing import Final

from firmware.page.address import url

SIOCGIFADDR: Final = 0x8915
"""Asks Linux for the IPv4 address of an interface (netdevice(7))."""

SOMEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that are kept for documents (RFC 5737, RFC 3849): nobody is there, and nothing is sent to them."""


def shared(listener: socket.socket) -> str:
    """Return what a phone on the same network opens to reach *listener*, empty where it cannot.

    Looks nothing up by name, sends nothing and never waits: what was true a while ago may have changed, so ask again.
    """
    host, port = listener.getsockname()[:2]
    address = ipaddress.ip_address(host)
    if address.is_unspecified:
        own = own_address(listener.family)
        if own is None:
            return ""
        address = ipaddress.ip_address(own)
    if address.is_loopback or (address.version == 6 and address.is_link_local):
        return ""  # a link-local address of IPv6 is none without the name of the phone's own interface
    return url(str(address), port)


def own_address(family: int) -> str | None:
    """Return this computer's own address on the network that leads out of the house, or on any; None without one."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((SOMEWHERE[socket.AddressFamily(family)], 9))  # a datagram socket only looks its route up
            found = str(probe.getsockname()[0])
        except OSError:
            found = ""
    if found and not _useless(found):
        return found
    return _of_an_interface() if family == socket.AF_INET else None


def _of_an_interface() -> str | None:
    """Return the address of the first interface that others can reach: a table whose network leads nowhere."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(asked, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # no address of IPv4, or no Linux
            found = socket.inet_ntoa(answer[20:24])
            if not _useless(found):
                return found
    return None


def _useless(address: str) -> bool:
    known = ipaddress.ip_address(address)
    return known.is_loopback or known.is_unspecified
