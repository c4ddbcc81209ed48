"""A short way to write down a game of called hands: ``play("liars_individual", "A call pair 6", "B challenge")``."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import pytest

from mexico.errors import IllegalAction
from mexico.gamefile import Playing, begin, setup

FACES = ("reveal", "roll_outside", "show", "put_back")


def event_of(line: str) -> dict[str, Any]:
    """Return the event of *line*: ``A die 4``, ``A call pair 6``, ``A reroll 3``, ``A reveal 66532``, ``A leave``."""
    player, kind, *rest = line.split()
    event: dict[str, Any] = {"type": kind, "player": player}
    if kind in FACES:
        event["faces"] = [int(face) for face in rest[0]]
        return {**event, "dice": int(rest[1])} if len(rest) > 1 else event
    match kind:
        case "die":
            event["face"] = int(rest[0])
        case "call":
            event["hand"] = [rest[0], *map(int, rest[1:])]
        case "reroll":
            event["dice"] = int(rest[0])
    return event


def take(game: Playing, line: str) -> Playing:
    """Return *game* after *line*; one that begins with ``!`` must be refused and change nothing."""
    if not line.startswith("!"):
        return game.take(event_of(line))
    before = deepcopy((game.events, game.facts(), game.legal()))
    with pytest.raises(IllegalAction):
        game.take(event_of(line[1:]))
    assert (game.events, game.facts(), game.legal()) == before
    return game


def sit_down(game: str, rules: Mapping[str, Any] | None = None, players: Sequence[str] = "AB", **start: Any) -> Playing:
    """Return a game before its first event; A opens unless *start* says otherwise."""
    key = "first_caller" if game == "liars_individual" else "opener"
    agreed = {"game": game, "house_rules": rules or {}, "players": list(players), "start": {key: "A", **start}}
    return begin(setup(agreed))


def after(game: Playing, *lines: str) -> Playing:
    """Return *game* after *lines*."""
    for line in lines:
        game = take(game, line)
    return game


def why(game: Playing, line: str) -> str:
    """Return why *line* is refused."""
    with pytest.raises(IllegalAction) as refused:
        game.take(event_of(line))
    return refused.value.why


def facts_of(game: Playing, names: str) -> list[Any]:
    """Return the facts called *names*, in a row."""
    facts = game.facts()
    return [facts[name] for name in names.split()]


def presses(game: Playing) -> set[tuple[object, object]]:
    """Return who may press what, calls aside."""
    return {(choice["player"], choice["type"]) for choice in game.legal().choices if choice["type"] != "call"}


def calls(game: Playing) -> list[Any]:
    """Return the hands that may be called, in the order offered."""
    return [choice["hand"] for choice in game.legal().choices if choice["type"] == "call"]
