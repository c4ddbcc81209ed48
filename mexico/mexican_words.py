"""The two games called Mexican in JSON: what their events have in common, and the facts that both tell."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from mexico.bluff import Closed, Exposed
from mexico.errors import GameFileError
from mexico.game import Ask, Left, Rolled, Seat
from mexico.mexican_table import (
    Announced,
    Challenged,
    Chosen,
    Conceded,
    CupAction,
    Hand,
    Lifted,
    R,
    Shaken,
    Shown,
    Table,
)
from mexico.reading import Json, a_list, a_number, a_player, a_text, a_word, nothing_hidden, only, the_field
from mexico.say import seen
from mexico.throw import FACES, RANKING, Throw

EVENTS = (
    "die",
    "shake",
    "announce",
    "challenge",
    "cup_lifted",
    "show_special",
    "choose",
    "concede",
    "exposed",
    "leave",
    "close",
)
"""The types of event that both games take."""

SHOWING = ("cup_lifted", "show_special")
"""Those in which dice lie open; of a shake it is said only what lies beside the cup."""

PLAIN: Mapping[str, type[Challenged | Conceded | Exposed | Left | Closed]] = {
    "challenge": Challenged,
    "concede": Conceded,
    "exposed": Exposed,
    "leave": Left,
    "close": Closed,
}
"""Those that say who, and nothing else."""

START = ("opener", "direction")
DIRECTIONS = ("clockwise", "counterclockwise")
MAKES_A_RULE = Throw(6, 6)


# --- coming in ---


def opening(given: Json, players: Sequence[str]) -> tuple[Seat | None, bool]:
    """Return who opens, None to roll for it, and whether play goes clockwise, as *given* at the start."""
    only(given, START, "start")
    opener = given.get("opener")
    seat = None if opener is None else Seat(a_player(opener, "start.opener", players))
    direction = given.get("direction")
    return seat, direction is None or a_word(direction, "start.direction", DIRECTIONS) == DIRECTIONS[0]


def action(event: Json, players: Sequence[str], where: str) -> CupAction:
    """Return what *event*, one of EVENTS, says somebody did.

    Raises
    ------
    GameFileError
        If a field is missing or cannot be.
    """
    nothing_hidden(event, SHOWING, where)
    if event["type"] == "cup_lifted":
        return Lifted(_faces(event, where, (1, 2)))
    seat = the_player(event, players, where)
    match event["type"]:
        case "die":
            return Rolled(seat, (_face(the_field(event, "face", where), f"the face of {where}"),))
        case "shake":
            return Shaken(seat, _beside(event, where))
        case "announce":
            return Announced(seat, _value(event, where), _truth(event, "pass_it_on", where))
        case "show_special":
            return _shown(event, seat, where)
        case "choose":
            target = the_field(event, "target", where)
            return Chosen(seat, Seat(a_player(target, f"the target of {where}", players)))
        case plain:
            return PLAIN[str(plain)](seat)


def the_player(event: Json, players: Sequence[str], where: str) -> Seat:
    """Return whose event it is."""
    return Seat(a_player(the_field(event, "player", where), f"the player of {where}", players))


def _face(value: object, where: str) -> int:
    return a_number(value, where, FACES[0], FACES[-1])


def _faces(event: Json, where: str, counts: Sequence[int]) -> tuple[int, ...]:
    given = a_list(the_field(event, "faces", where), f"faces of {where}")
    faces = tuple(_face(face, f"a face of {where}") for face in given)
    if len(faces) not in counts:
        raise GameFileError(f"{where} shows {len(faces)} dice; under the cup lie two, such as [5, 2]")
    return faces


def _beside(event: Json, where: str) -> int | None:
    """Return the die beside the cup; that none lies there may be said as well."""
    given = event.get("exposed")
    faces = a_list([] if given is None else given, f"exposed of {where}")
    if len(faces) > 1:
        raise GameFileError(
            f"exposed of {where} is {seen(given)}; one die may lie beside the cup, such as [5], else shake again"
        )
    return _face(faces[0], f"exposed of {where}") if faces else None


def _value(event: Json, where: str) -> Throw:
    values = {str(throw): throw for throw in RANKING}
    return values[a_word(the_field(event, "value", where), f"the value of {where}", values)]


def _truth(event: Json, key: str, where: str) -> bool:
    value = event.get(key, False)
    if not isinstance(value, bool):
        raise GameFileError(f"{key} of {where} is {seen(value)}; allowed are true, false")
    return value


def _shown(event: Json, seat: Seat, where: str) -> Shown:
    throw = Throw.of(*_faces(event, where, (2,)))
    rule = event.get("rule")
    if rule is None:
        return Shown(seat, throw)
    if throw != MAKES_A_RULE:
        raise GameFileError(f"{where} makes a rule with {throw}; only 66 makes one: take the rule out")
    return Shown(seat, throw, a_text(rule, f"the rule of {where}"))


def event(choice: CupAction, players: Sequence[str]) -> dict[str, object]:
    """Return the event of a *choice* that both games offer."""
    match choice:
        case Announced(seat, value, pass_it_on):
            passed = {"pass_it_on": True} if pass_it_on else {}
            return {"type": "announce", "player": players[seat], "value": str(value), **passed}
        case Chosen(seat, target):
            return {"type": "choose", "player": players[seat], "target": players[target]}
        case Challenged(seat):
            return {"type": "challenge", "player": players[seat]}
        case Conceded(seat):
            return {"type": "concede", "player": players[seat]}
        case Shaken(seat):
            return {"type": "shake", "player": players[seat]}
        case _:
            raise TypeError(f"{choice} is never a choice")


def read(state: Table[R], players: Sequence[str], faces: Sequence[int], ask: Ask | None) -> dict[str, object]:
    """Return the event of dice that were read: a die for the opening, those called for, or those of *ask*."""
    if ask is not None:
        player = players[ask.seat]
        if ask.what == "exposed":
            return {"type": "shake", "player": player, "exposed": list(faces)}
        return {"type": "show_special", "player": player, "faces": list(faces)}
    if state.rolloff is not None:
        return {"type": "die", "player": players[state.rolloff.waiting[0]], "face": faces[0]}
    return {"type": "cup_lifted", "faces": list(faces)}


# --- going out ---

NOTHING: Mapping[str, object] = {
    "bid": None,
    "count": None,
    "dice_left": {},
    "payments": {},
    "call": None,
    "rerolls_left": None,
    "first_caller": None,
    "out": [],
}
"""Facts of the other games with a cup, which mean nothing here."""


def facts(state: Table[R], players: Sequence[str]) -> dict[str, object]:
    """Return every fact known now, with the names of *players*; what is not known is None."""
    hand, over = state.hand, state.tally.closed
    rolling = [players[seat] for seat in state.rolloff.waiting] if state.rolloff else []
    return {
        "turn": _name(_turn(state), players),
        "direction": DIRECTIONS[0 if state.clockwise else 1],
        "seats": [players[seat] for seat in state.ring],
        "opener": _name(hand.opener if hand else None, players),
        "next_opener": _name(None if over else state.next_opener, players),
        "waiting_for": _waiting_for(hand, players),
        "to_beat": str(hand.to_beat) if hand and hand.to_beat else None,
        **state.tally.facts(players, state.rules.mark_value),
        "visible": list(state.visible),
        "revealed": [players[seat] for seat in state.revealed],
        "rolling_for_lead": rolling,
        "rerolling": rolling if state.rolloff and state.rolloff.again else [],
        "loser": _name(state.loser, players),
        "winner_of_round": _name(state.winner, players),
        **NOTHING,
    }


def chance_of(honest: Fraction | None, state: Table[R], players: Sequence[str]) -> dict[str, object] | None:
    """Return how likely the last claim is true, as the game holds dice against it; None without one."""
    if honest is None or state.hand is None or state.hand.announcer is None:
        return None
    return {"kind": "claim", "player": players[state.hand.announcer], "chance": str(honest)}


def _name(seat: Seat | None, players: Sequence[str]) -> str | None:
    return None if seat is None else players[seat]


def _turn(state: Table[R]) -> Seat | None:
    if state.rolloff is not None:
        return state.rolloff.waiting[0]
    return state.hand.turn if state.hand else None


def _waiting_for(hand: Hand | None, players: Sequence[str]) -> str | None:
    """Return what must come before play goes on, None in ordinary turns."""
    if hand is None or hand.in_play:
        return None
    if hand.special is not None:
        return f"choice of {players[hand.turn]}"
    if hand.conceding:
        return " or ".join([f"concession of {players[hand.duel[0]]}", players[hand.duel[1]]])
    return f"reveal of {players[hand.turn]}"
