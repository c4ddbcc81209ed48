"""What the events and the start of both games of called hands have in common."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from mexico.bluff import Closed, Exposed, Revealed
from mexico.errors import GameFileError
from mexico.game import HasSeat, Left, Rolled, Seat
from mexico.hand_table import Challenged, Conceded, Rerolled
from mexico.reading import Json, a_list, a_number, a_player, a_word, nothing_hidden, the_field
from mexico.say import seen
from mexico.throw import FACES

EVENTS = ("die", "call", "reroll", "challenge", "reveal", "concede", "exposed", "leave", "close")

PRESSED: Mapping[type, str] = {Rerolled: "reroll", Challenged: "challenge", Conceded: "concede"}
"""The choices both games offer, and what the event of each is called."""

Common = Rolled | Rerolled | Challenged | Revealed | Conceded | Exposed | Left | Closed


SHOWING = ("reveal", "roll_outside", "show", "put_back")
"""The events in which dice lie open; no other may have faces, so that none is ever stored that was not shown."""


def a_seat(event: Json, players: Sequence[str], where: str) -> Seat:
    """Return the seat of the player of *event*, which must not tell of hidden dice."""
    nothing_hidden(event, SHOWING, where)
    return Seat(a_player(the_field(event, "player", where), f"the player of {where}", players))


def opener(given: Json, key: str, players: Sequence[str]) -> Seat | None:
    """Return who is to open, None when it is to be rolled for."""
    value = given.get(key)
    return None if value is None else Seat(a_player(value, f"start.{key}", players))


def common_action(event: Json, players: Sequence[str], where: str, dice: int) -> Common:
    """Return what an *event* says that both games know; *dice* is how many a hand has."""
    seat = a_seat(event, players, where)
    match event["type"]:
        case "die":
            return Rolled(seat, (a_face(the_field(event, "face", where), f"the face of {where}"),))
        case "reroll":
            return Rerolled(seat, a_number(the_field(event, "dice", where), f"the dice of {where}", 0, dice))
        case "challenge":
            return Challenged(seat)
        case "reveal":
            return Revealed(seat, faces_of(event, where, dice, dice))
        case "concede":
            return Conceded(seat)
        case "exposed":
            return Exposed(seat)
        case "leave":
            return Left(seat)
        case _:
            return Closed(seat)


def common_event(choice: HasSeat, players: Sequence[str]) -> dict[str, object]:
    """Return the event of a *choice* that both games offer."""
    event: dict[str, object] = {"type": PRESSED[type(choice)], "player": players[choice.seat]}
    return {**event, "dice": choice.dice} if isinstance(choice, Rerolled) else event


def a_face(value: object, where: str) -> int:
    """Return *value* if it is a face of a die."""
    return a_number(value, where, FACES[0], FACES[-1])


def faces_of(event: Json, where: str, least: int, most: int) -> tuple[int, ...]:
    """Return the faces of *event*, from *least* to *most* of them."""
    given = a_list(the_field(event, "faces", where), f"faces of {where}")
    faces = tuple(a_face(face, f"a face of {where}") for face in given)
    if not least <= len(faces) <= most:
        wanted = f"{most}" if least == most else f"{least} to {most}"
        raise GameFileError(f"{where} shows {len(faces)} dice; wanted are {wanted} faces, each 1 to 6")
    return faces


def a_hand(value: object, where: str, kinds: Sequence[str], example: str) -> tuple[str, tuple[int, ...]]:
    """Return the kind and the faces of a hand such as ``["full_house", 1, 6]``."""
    parts = a_list(value, where)
    if not parts:
        raise GameFileError(f"{where} is []; wanted is a hand such as {example}")
    kind = a_word(parts[0], f"the kind of {where}", kinds)
    return kind, tuple(a_face(face, f"a face of {where}") for face in parts[1:])


def no_such_hand(value: object, where: str, wanted: str) -> GameFileError:
    """Return the error for faces that no hand of that kind has."""
    return GameFileError(f"{where} is {seen(value)}; {wanted}")


def chance_of(honest: Fraction | None, caller: Seat | None, players: Sequence[str]) -> dict[str, object] | None:
    """Return how likely the call of *caller* is true, None where there is no telling."""
    if honest is None or caller is None:
        return None
    return {"kind": "claim", "player": players[caller], "chance": str(honest)}
