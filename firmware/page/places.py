"""How many may be there at once, and who makes room: nobody can take all places, however many he asks for. Pure."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.types import Scope


@dataclass(eq=False, slots=True)
class Place:
    """A place that was taken.

    Attributes
    ----------
    address
        Whose it is.
    give_up
        Called when somebody else needs it more.
    """

    address: str
    give_up: Callable[[], None]


@dataclass(slots=True)
class Places:
    """So many places; used on the server's loop only.

    While there are any, whoever comes gets one. When all are taken, the address that holds most of them gives up the
    one it took last, if the one who comes holds fewer: a single telephone shuts nobody out, and a crowd behind one
    router of the house is not sent away while there is room.

    Attributes
    ----------
    most
        How many there are.
    closed
        Whether nobody gets one any more.

    Examples
    --------
    >>> places, gone = Places(2), []
    >>> one, two = places.take("phone", lambda: gone.append(1)), places.take("phone", lambda: gone.append(2))
    >>> places.take("phone", lambda: None) is None
    True
    >>> places.take("other", lambda: None) is None, gone
    (False, [2])
    """

    most: int
    closed: bool = False
    _taken: dict[Place, None] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return how many are taken."""
        return len(self._taken)

    def take(self, address: str, give_up: Callable[[], None]) -> Place | None:
        """Return a place for somebody at *address*; None if there is none for him."""
        if self.closed or (len(self._taken) >= self.most and not self._make_room(address)):
            return None
        place = Place(address, give_up)
        self._taken[place] = None
        return place

    def leave(self, place: Place) -> None:
        """Give *place* back; may be called twice."""
        self._taken.pop(place, None)

    def close(self) -> None:
        """Let everybody give up, and nobody come any more."""
        self.closed = True
        for place in list(self._taken):
            place.give_up()

    def _make_room(self, address: str) -> bool:
        held = Counter(place.address for place in self._taken)
        greediest, most = max(held.items(), key=lambda item: item[1], default=("", 0))
        if most <= held[address] + 1:
            return False
        last = next(place for place in reversed(self._taken) if place.address == greediest)
        self.leave(last)
        last.give_up()
        return True


def whose(host: str) -> str:
    """Return who is behind a numeric *host*: with IPv6 one telephone has a whole network of addresses.

    Examples
    --------
    >>> whose("192.168.1.7"), whose("::ffff:192.168.1.7"), whose("2001:db8:1:2:aaaa::1"), whose("nonsense")
    ('192.168.1.7', '192.168.1.7', '2001:db8:1:2::', 'nonsense')
    """
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if number.version == 4:
        return str(number)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((int(number), 64), strict=False).network_address)


def address_of(scope: Scope) -> str:
    """Return who sends a request.

    Somebody on this computer may be a proxy, which says for whom it asks; everybody else speaks for himself.
    """
    said = _forwarded(scope, "for")
    return whose(_peer(scope) if said is None else said)


def is_secure(scope: Scope) -> bool:
    """Return whether a request came by HTTPS: to a proxy on this computer, which says so."""
    said = _forwarded(scope, "proto")
    return (scope.get("scheme") if said is None else said.lower()) == "https"


def _peer(scope: Scope) -> str:
    return str((scope.get("client") or ("", 0))[0])


def _forwarded(scope: Scope, what: str) -> str | None:
    """Return what a proxy on this computer says last of the request it passes on; None if none says anything."""
    said = Headers(scope=scope).getlist(f"x-forwarded-{what}")
    return said[-1].rpartition(",")[2].strip() if said and _is_this_computer(_peer(scope)) else None


def _is_this_computer(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
