"""Taking values out of JSON objects: what is not as wanted becomes one clear GameFileError."""

from collections.abc import Iterable, Mapping, Sequence

from mexico.errors import GameFileError
from mexico.say import did_you_mean, one_of, seen

Json = Mapping[str, object]


def an_object(value: object, where: str) -> Json:
    """Return *value* if it is a JSON object."""
    if not isinstance(value, Mapping):
        raise GameFileError(f"{where} is {seen(value)}; wanted is an object such as {{...}}")
    for key in value:
        if not isinstance(key, str):
            raise GameFileError(f"{where} has the key {seen(key)}; keys are text")
    return value


def a_list(value: object, where: str) -> Sequence[object]:
    """Return *value* if it is a list."""
    if not isinstance(value, list | tuple):
        raise GameFileError(f"{where} is {seen(value)}; wanted is a list such as [...]")
    return value


def a_text(value: object, where: str) -> str:
    """Return *value* if it is one printable line of text, not empty."""
    if not (isinstance(value, str) and value.strip() and value.isprintable()):
        raise GameFileError(f"{where} is {seen(value)}; wanted is one line of text, not empty")
    return value


def a_number(value: object, where: str, least: int, most: int) -> int:
    """Return *value* if it is a whole number from *least* to *most*; true and 1.0 are none."""
    if type(value) is not int or not least <= value <= most:
        raise GameFileError(f"{where} is {seen(value)}; wanted is a whole number from {least} to {most}")
    return value


def a_word(value: object, where: str, known: Iterable[str]) -> str:
    """Return *value* if it is one of the *known* words."""
    known = tuple(known)
    if not isinstance(value, str) or value not in known:
        raise GameFileError(f"{where} is {seen(value)}; allowed are {one_of(known)}{did_you_mean(value, known)}")
    return value


def a_player(value: object, where: str, players: Sequence[str]) -> int:
    """Return the seat, counted from 0, of the player called *value*."""
    if not isinstance(value, str) or value not in players:
        near = did_you_mean(value, players)
        raise GameFileError(f"{where} is {seen(value)}; the players are {names(players)}{near}")
    return players.index(value)


def the_field(data: Json, key: str, where: str) -> object:
    """Return what *data* has under *key*, which must be there."""
    if key not in data:
        near = did_you_mean(key, data)
        raise GameFileError(f"{where} has no {key}; add it{near.replace('did you mean', 'or is it')}")
    return data[key]


def nothing_hidden(event: Json, showing: Sequence[object], where: str) -> None:
    """Refuse faces, or a die beside the cup, in an event that shows none: what was not shown is never stored.

    *showing* are the events with faces; with a shake a die may come to lie in the open.
    """
    if "faces" in event and event["type"] not in showing:
        raise GameFileError(f"{where} has faces, but no dice are shown by {seen(event['type'])}; take them out")
    if "exposed" in event and event["type"] != "shake":
        raise GameFileError(
            f"{where} has exposed dice, but no die is left beside a cup by {seen(event['type'])}; take them out"
        )


def only(data: Json, known: Iterable[str], where: str) -> None:
    """Refuse keys of *data* that nobody knows."""
    known = tuple(known)
    for key in data:
        if key not in known:
            raise GameFileError(
                f"{where} has an unknown {seen(key)}; known are {one_of(known)}{did_you_mean(key, known)}"
            )


def no_near_miss(data: Json, known: Iterable[str], where: str) -> None:
    """Refuse a key that looks like a slip of the pen for a known one which is missing; other keys are remarks."""
    missing = [key for key in known if key not in data]
    for key in data:
        near = did_you_mean(key, missing)
        if key not in known and near:
            raise GameFileError(f"{where} has an unknown {seen(key)}{near}; correct it or take it out")


def names(players: Sequence[str]) -> str:
    """Return the players in a row, cut when they are many."""
    return ", ".join(seen(player)[1:-1] for player in players)
