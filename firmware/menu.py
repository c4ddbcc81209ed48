"""What the seat on turn may claim or do, walked with the knob: only what is legal, the least raise first. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from firmware.claims import Said, said_of, said_of_ask
from mexico.game import Ask
from mexico.gamefile import Legal

Event = Mapping[str, object]

CLAIMS: Final = ("announce", "bid", "call")
"""Events that raise what was claimed before: the first on the menu."""

BUTTONS: Final = ("challenge", "stop")
"""Events that have a button of their own."""

SHOW: Final = "show"
"""The ask that STOP answers: the holder lets everybody see what he has."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing on the menu: an event of the rules, or a press that lets the camera look."""

    does: Event | Ask
    said: Said


@dataclass(frozen=True, slots=True)
class Menu:
    """What may be chosen now.

    Attributes
    ----------
    entries
        Claims from the least raise up, then everything else.
    place
        Which of them is shown; None before the knob was turned.
    """

    entries: tuple[Entry, ...] = ()
    place: int | None = None

    @property
    def chosen(self) -> Entry | None:
        """Return the entry that is shown, None for none."""
        return None if self.place is None else self.entries[self.place]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the types of the events on it, each once, in order."""
        types = (entry.does.what if isinstance(entry.does, Ask) else str(entry.does["type"]) for entry in self.entries)
        return tuple(dict.fromkeys(types))

    def turned(self, steps: int) -> Menu:
        """Return the menu turned on: to the right from the least raise up, to the left from its end."""
        if not self.entries or not steps:
            return self
        begin = (-1 if steps > 0 else 0) if self.place is None else self.place
        return replace(self, place=(begin + steps) % len(self.entries))


def the_show(legal: Legal) -> Ask | None:
    """Return what STOP lets be seen; None where nothing may be, or it is to be chosen how many dice."""
    shows = [ask for ask in legal.asks if ask.what == SHOW]
    if len({ask.dice for ask in shows}) != 1:
        return None
    return next((ask for ask in shows if ask.seat == legal.seat), shows[0])


def menu(legal: Legal) -> Menu:
    """Return what may be chosen with the knob when *legal* may be done."""
    offered = [choice for choice in legal.choices if choice["type"] not in BUTTONS]
    claims = [choice for choice in offered if choice["type"] in CLAIMS]
    rest = [choice for choice in offered if choice["type"] not in CLAIMS]
    by_stop = the_show(legal) is not None
    asks = [ask for ask in legal.asks if ask.what != SHOW or not by_stop]
    return Menu(
        (
            *(Entry(choice, said_of(choice)) for choice in claims),
            *(Entry(ask, said_of_ask(ask)) for ask in asks),
            *(Entry(choice, said_of(choice)) for choice in rest),
        )
    )
