"""Mexican of Wisconsin in JSON (docs/mexican_wisconsin.md): the cup's own events, dice on the floor, and cheats."""

from collections.abc import Sequence

from mexico import mexican_words
from mexico.mexican_wisconsin import Action, Caught, OnFloor, State, honest, start
from mexico.mexican_wisconsin_house import HOUSE
from mexico.mexican_words import SHOWING, facts, opening, read, the_player
from mexico.reading import Json, a_number, nothing_hidden, the_field

__all__ = ["EVENTS", "action", "begin", "chance", "event", "facts", "read"]

EVENTS = (*mexican_words.EVENTS, "die_on_floor", "caught_cheating")
"""The types of event the game takes."""


def begin(house_rules: Json, players: Sequence[str], given: Json) -> State:
    """Return the game before its first event.

    Raises
    ------
    GameFileError
        If a house rule or something in the start is unknown or cannot be.
    """
    rules = HOUSE.check(house_rules)
    opener, clockwise = opening(given, players)
    return start(rules, len(players), opener=opener, clockwise=clockwise)


def action(event: Json, players: Sequence[str], where: str) -> Action:
    """Return what *event*, one of EVENTS, says somebody did.

    Raises
    ------
    GameFileError
        If a field is missing or cannot be.
    """
    nothing_hidden(event, SHOWING, where)
    match event["type"]:
        case "die_on_floor":
            dice = a_number(the_field(event, "dice", where), f"the dice of {where}", 1, 2)
            return OnFloor(the_player(event, players, where), dice)
        case "caught_cheating":
            return Caught(the_player(event, players, where))
        case _:
            return mexican_words.action(event, players, where)


def event(choice: Action, players: Sequence[str]) -> dict[str, object]:
    """Return the event of *choice*."""
    match choice:
        case OnFloor(seat, dice):
            return {"type": "die_on_floor", "player": players[seat], "dice": dice}
        case Caught(seat):
            return {"type": "caught_cheating", "player": players[seat]}
        case _:
            return mexican_words.event(choice, players)


def chance(state: State, players: Sequence[str]) -> dict[str, object] | None:
    """Return how likely the last claim is true, None without one (`honest`)."""
    return mexican_words.chance_of(honest(state), state, players)
