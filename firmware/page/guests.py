"""Who sits where at the virtual table: browsers that have taken a seat, and seats that the computer plays. Pure."""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from firmware.page.pace import Pace
from hardware.devices import SEAT_KEYS, Key

MOST: Final = 64
"""So many browsers may play or look over a shoulder at once; who has no seat makes room."""

COMMANDS_PER_S: Final = 30
"""Faster than that no hand sends commands."""

AWAY_S: Final = 30.0
"""A browser that was not heard of for so long has left its seat."""


@dataclass(slots=True)
class Guest:
    """A browser at the table.

    Attributes
    ----------
    seat
        The seat that was taken, from 1; None for none.
    address
        Where it came from.
    down
        The keys it holds down.
    heard_s
        When it was last heard of.
    pace
        How fast its hands are.
    """

    heard_s: float
    address: str = ""
    seat: int | None = None
    down: set[Key] = field(default_factory=set)
    pace: Pace = field(default_factory=lambda: Pace(COMMANDS_PER_S, 2 * COMMANDS_PER_S))


class Guests:
    """The browsers at the table and the seats of the computer; used on the server's loop only.

    Examples
    --------
    >>> guests = Guests()
    >>> ann, ben = guests.admit(0.0), guests.admit(0.0)
    >>> guests.sit(ann, 1, 0.0), guests.sit(ben, 1, 0.0)
    (True, False)
    >>> guests.may_press(ann, Key.SEAT_2, 0.0), guests.may_press(ben, Key.SEAT_2, 0.0)
    (True, False)
    """

    def __init__(self) -> None:
        self._guests: dict[str, Guest] = {}
        self._let_go: set[Key] = set()
        self.robots: frozenset[int] = frozenset()
        self.on_turn: int | None = None
        """The seat that is to act, as the table has said last."""

    def admit(self, now_s: float, address: str = "") -> str:
        """Return the secret by which a new guest, who comes from *address*, is known from now on.

        Where there are too many, one without a seat makes room: of those who come from where most come from, the one
        that was away longest. Who sits cannot be pushed out.
        """
        self._forget(now_s)
        while len(self._guests) >= MOST:
            standing = {token: guest for token, guest in self._guests.items() if guest.seat is None}
            many = Counter(guest.address for guest in standing.values())
            self._drop(min(standing, key=lambda token: (-many[standing[token].address], standing[token].heard_s)))
        token = secrets.token_urlsafe(18)
        self._guests[token] = Guest(now_s, address)
        return token

    def known(self, token: str, now_s: float) -> Guest | None:
        """Return the guest with this *token*, who is heard of now; None if there is none."""
        self._forget(now_s)
        guest = self._guests.get(token)
        if guest is not None:
            guest.heard_s = now_s
        return guest

    def seats(self, now_s: float) -> frozenset[int]:
        """Return the seats that browsers have taken."""
        self._forget(now_s)
        return frozenset(guest.seat for guest in self._guests.values() if guest.seat is not None)

    def sit(self, token: str, seat: int, now_s: float) -> bool:
        """Let a guest take *seat*, from the computer if need be; False if another guest sits there."""
        guest = self.known(token, now_s)
        if guest is None or seat in self.seats(now_s) - {guest.seat}:
            return False
        guest.seat = seat
        self.robots -= {seat}
        return True

    def stand(self, token: str, now_s: float) -> None:
        """Let a guest leave his seat."""
        if (guest := self.known(token, now_s)) is not None:
            guest.seat = None

    def robot(self, seat: int, *, on: bool, now_s: float) -> bool:
        """Let the computer play *seat* or leave it; False if a guest sits there."""
        if seat in self.seats(now_s):
            return False
        self.robots = self.robots | {seat} if on else self.robots - {seat}
        return True

    def may_press(self, token: str, key: Key, now_s: float) -> bool:
        """Return whether a guest may put his finger on *key*: not on the button of another guest.

        All others are there for everybody who sits; while nobody does, for everybody.
        """
        guest = self.known(token, now_s)
        if guest is None or not self.sits(guest, now_s):
            return False
        return key not in SEAT_KEYS or SEAT_KEYS.index(key) + 1 not in self.seats(now_s) - {guest.seat}

    def sits(self, guest: Guest, now_s: float) -> bool:
        """Return whether *guest* has taken a seat, or nobody has."""
        return guest.seat is not None or not self.seats(now_s)

    def may_throw(self, guest: Guest, now_s: float) -> bool:
        """Return whether *guest* may throw now: not for another guest, and not from beside the table."""
        return self.sits(guest, now_s) and self.on_turn not in self.seats(now_s) - {guest.seat}

    def let_go(self, guest: Guest, key: Key) -> None:
        """Let *guest* take his finger off *key*, which stays down while there is another on it."""
        if key in guest.down:
            guest.down.discard(key)
            self._let_go.add(key)

    def gone(self, now_s: float) -> frozenset[Key]:
        """Forget who is away for too long, and return the keys that nobody holds down any more, each once."""
        self._forget(now_s)
        held = set[Key]().union(*(guest.down for guest in self._guests.values()))
        left, self._let_go = frozenset(self._let_go - held), set()
        return left

    def _forget(self, now_s: float) -> None:
        for token in [token for token, guest in self._guests.items() if now_s - guest.heard_s > AWAY_S]:
            self._drop(token)

    def _drop(self, token: str) -> None:
        self._let_go |= self._guests.pop(token).down
