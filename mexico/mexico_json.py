"""Mexico in JSON: events and the start of a game coming in, facts going out (docs/rules.md, section 10)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mexico.errors import GameFileError
from mexico.game import Ask, Left, Rolled, Seat
from mexico.mexico import legal, start
from mexico.mexico_choices import Stakes
from mexico.mexico_house import HOUSE
from mexico.mexico_state import Action, BadRoll, Finished, Rebought, Round, State, Stopped, Throws
from mexico.odds import beaten
from mexico.reading import Json, a_list, a_number, a_player, a_text, an_object, only, the_field
from mexico.say import seen
from mexico.throw import FACES

EVENTS = ("die", "roll", "stop", "bad_roll", "leave", "rebuy")
"""The types of event Mexico takes."""

START = ("units", "pot", "lead", "unit_value")
MOST_UNITS = 1_000_000


# --- coming in ---


def begin(house_rules: Json, players: Sequence[str], given: Json) -> State:
    """Return the game before its first event.

    Raises
    ------
    GameFileError
        If a house rule or something in the start is unknown or cannot be.
    """
    rules = HOUSE.check(house_rules)
    only(given, START, "start")
    units = _units(given.get("units"), players, rules.buy_in)
    pot = a_number(_or(given, "pot", 0), "start.pot", 0, MOST_UNITS)
    if pot and rules.stakes is Stakes.TOKENS:
        raise GameFileError(
            f"start.pot is {pot}, but stakes is tokens: there is no pot; leave it out or play for a pot"
        )
    worth = a_number(_or(given, "unit_value", rules.unit_value), "start.unit_value", 0, MOST_UNITS)
    lead = _lead(given.get("lead"), players, units)
    return start(replace(rules, unit_value=worth), len(players), units=units, pot=pot, lead=lead)


def _or(given: Json, key: str, otherwise: object) -> object:
    """Return what was *given* under *key*; null is not given."""
    value = given.get(key)
    return otherwise if value is None else value


def _units(given: object, players: Sequence[str], buy_in: int) -> list[int]:
    if given is None:
        return [buy_in] * len(players)
    units = an_object(given, "start.units")
    for name in units:
        a_player(name, "a name in start.units", players)
    held = [
        a_number(the_field(units, name, "start.units"), f"start.units of {name}", 0, MOST_UNITS) for name in players
    ]
    if sum(1 for holding in held if holding) < 2:
        raise GameFileError(f"start.units is {seen(dict(units))}; at least two players must hold a unit")
    return held


def _lead(given: object, players: Sequence[str], units: Sequence[int]) -> Seat | None:
    if given is None:
        return None
    lead = a_player(given, "start.lead", players)
    if not units[lead]:
        raise GameFileError(f"start.lead is {seen(given)}, who holds no unit; let somebody lead who is in the game")
    return Seat(lead)


def action(event: Json, players: Sequence[str], where: str) -> Action:
    """Return what *event*, one of EVENTS, says somebody did.

    Raises
    ------
    GameFileError
        If a field is missing or cannot be.
    """
    seat = Seat(a_player(the_field(event, "player", where), f"the player of {where}", players))
    match event["type"]:
        case "die":
            return Rolled(seat, (_face(the_field(event, "face", where), f"the face of {where}"),))
        case "roll":
            return Rolled(seat, _faces(the_field(event, "faces", where), where))
        case "stop":
            return Stopped(seat)
        case "bad_roll":
            return BadRoll(seat, a_text(the_field(event, "why", where), f"the why of {where}"))
        case "leave":
            return Left(seat)
        case _:
            return Rebought(seat)


def event(choice: Action, players: Sequence[str]) -> dict[str, object]:
    """Return the event of *choice*."""
    return {"type": "stop", "player": players[choice.seat]}


def read(state: State, players: Sequence[str], faces: Sequence[int], ask: Ask | None) -> dict[str, object]:  # noqa: ARG001 - nothing is hidden, nobody is asked
    """Return the event of a throw by the seat on turn."""
    turn = legal(state).seat
    player = None if turn is None else players[turn]
    if state.rolloff is not None:
        return {"type": "die", "player": player, "face": faces[0]}
    return {"type": "roll", "player": player, "faces": list(faces)}


def _face(value: object, where: str) -> int:
    return a_number(value, where, FACES[0], FACES[-1])


def _faces(value: object, where: str) -> tuple[int, ...]:
    faces = tuple(_face(face, f"a face of {where}") for face in a_list(value, f"faces of {where}"))
    if len(faces) != 2:
        raise GameFileError(f"{where} shows {len(faces)} dice; a roll is two faces such as [5, 2]")
    return faces


# --- going out ---


def facts(state: State, players: Sequence[str]) -> dict[str, object]:
    """Return every fact of Mexico that is known now, with the names of *players*; what is not known is None."""
    worth = state.rules.unit_value
    units = dict(zip(players, state.units, strict=True))
    return {
        **_round_facts(state, players),
        **_finished_facts(state.finished, players, worth),
        "units": units,
        "money": {name: held * worth for name, held in units.items()},
        "pot": state.pot,
        "pot_money": state.pot * worth,
        "discarded": state.discarded,
        "handed_back": state.handed_back,
        "out": _names(state.out, players),
        "left": _names(state.gone, players),
        "rounds_played": state.rounds_played,
        "winner": None if state.winner is None else players[state.winner],
        "winner_takes": None if state.winner is None else state.pot,
    }


def chance(state: State, players: Sequence[str]) -> dict[str, object] | None:
    """Return how likely the score that stands is beaten, None while none stands (`odds.beaten`)."""
    found = beaten(state)
    if found is None:
        return None
    return {
        "kind": "beaten",
        "players": _names(found.seats, players),
        "score": str(found.score),
        "next": players[found.chances[0][0]],
        "rolls": found.rolls,
        "rolling": len(found.chances),
        "by_next": str(found.by_next),
        "by_anyone": str(found.by_anyone),
        "by_everybody": str(found.by_everybody),
    }


def _round_facts(state: State, players: Sequence[str]) -> dict[str, object]:
    round_, rolloff = state.round, state.rolloff
    turn = legal(state).seat
    waiting = _names(rolloff.waiting, players) if rolloff else []
    return {
        "lead": None if round_ is None or rolloff else players[round_.lead],
        "turn": None if turn is None else players[turn],
        "cap": round_.cap if round_ else None,
        "rolls_used": round_.rolls if round_ else None if turn is None else 0,
        "order": None if round_ is None or rolloff else _names(round_.order, players),
        "subround": _names(round_.tied, players) if round_ and round_.tied else None,
        "scores": _scores(round_.throws if round_ else (), players),
        "stake": None if turn is None else state.stake,
        "lead_mexicos": _mexicos(round_) if turn is not None else None,
        "rolling_for_lead": waiting,
        "rerolling": waiting if rolloff and rolloff.again else [],
    }


def _mexicos(round_: Round | None) -> int:
    return round_.lead_mexicos if round_ else 0


def _finished_facts(done: Finished | None, players: Sequence[str], worth: int) -> dict[str, object]:
    if done is None:
        return dict.fromkeys(("loser", "paid", "paid_money", "round_stake", "round_scores", "next_lead"))
    loser = None if done.loser is None else players[done.loser]
    return {
        "loser": loser,
        "paid": {} if loser is None else {loser: done.paid},
        "paid_money": {} if loser is None else {loser: done.paid * worth},
        "round_stake": done.stake,
        "round_scores": _scores(done.throws, players),
        "next_lead": None if done.next_lead is None else players[done.next_lead],
    }


def _names(seats: Sequence[Seat], players: Sequence[str]) -> list[str]:
    return [players[seat] for seat in seats]


def _scores(throws: Throws, players: Sequence[str]) -> Mapping[str, str]:
    return {players[seat]: str(throw) for seat, throw in throws}
