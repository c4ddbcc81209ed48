"""What the caller reads off a view: lists of names, whether a cup is on the table, who sits beside whom. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from firmware.views import View

Lines: TypeAlias = Iterator[str]
"""Whole sentences, in the order in which they are said."""


def is_cup(view: View) -> bool:
    """Return whether a game with a cup is on the table, from its first event on."""
    return "to_beat" in view.facts


def listed(view: View, fact: str) -> tuple[str, ...]:
    """Return a fact that is a list of names, empty when it is not known."""
    value = view.facts.get(fact)
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()


def grown(before: View, now: View, fact: str) -> tuple[str, ...]:
    """Return who stands in the list *fact* now and did not before."""
    return tuple(name for name in listed(now, fact) if name not in listed(before, fact))


def numbers(view: View, fact: str) -> dict[str, int]:
    """Return a fact that goes by player, those of its values that are numbers."""
    return {name: value for name, value in view.table(fact).items() if isinstance(value, int)}


def beside(view: View, player: str, places: int) -> str:
    """Return who sits so many *places* on from *player* in the direction of play; empty places do not count."""
    ring = [name for name in listed(view, "seats") if name == player or name not in listed(view, "left")]
    if player not in ring:
        return ""
    steps = places if view.text("direction") != "counterclockwise" else -places
    return ring[(ring.index(player) + steps) % len(ring)]


def asked(view: View) -> str:
    """Return whose dice the camera was let look at; that need not be the seat on turn."""
    players = tuple(view.table("marks"))
    return view.player or "" if view.ask is None else players[view.ask.seat]


def one_by_one(of: Mapping[str, object] | Sequence[tuple[str, object]]) -> str:
    """Return names and what each has, as a list to be heard.

    Examples
    --------
    >>> one_by_one({"Ann": 1, "Ben": -2})
    'Ann, 1; Ben, minus 2'
    """
    pairs = of.items() if isinstance(of, Mapping) else of
    return "; ".join(f"{name}, {signed(value)}" for name, value in pairs)


def signed(value: object) -> str:
    """Return *value* with its sign as a word: a voice may swallow a dash."""
    return f"minus {-value}" if isinstance(value, int) and value < 0 else str(value)
