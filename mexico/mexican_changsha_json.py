"""Mexican of Changsha in JSON (docs/mexican_changsha.md): the cup's own events, and the rules made at the table."""

from collections.abc import Sequence

from mexico import mexican_words
from mexico.mexican_changsha import State, honest, start
from mexico.mexican_changsha_house import HOUSE
from mexico.mexican_words import EVENTS, action, event, opening, read
from mexico.reading import Json

__all__ = ["EVENTS", "action", "begin", "chance", "event", "facts", "read"]


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


def facts(state: State, players: Sequence[str]) -> dict[str, object]:
    """Return every fact known now; *rules_made* lists the rules that 66 brought, each with who made it."""
    made = [{"player": players[seat], "rule": rule} for seat, rule in state.made]
    return {**mexican_words.facts(state, players), "rules_made": made}


def chance(state: State, players: Sequence[str]) -> dict[str, object] | None:
    """Return how likely the last claim is true, None without one (`honest`)."""
    return mexican_words.chance_of(honest(state), state, players)
