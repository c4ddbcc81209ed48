"""The Stanford variation in JSON: events and the start of a game coming in, facts going out."""

from collections import Counter
from collections.abc import Sequence

from mexico.errors import GameFileError
from mexico.game import Ask, Seat
from mexico.hand_json import EVENTS as COMMON
from mexico.hand_json import a_hand, a_seat, chance_of, common_action, common_event, faces_of, no_such_hand, opener
from mexico.hand_table import MOST_REROLLS, table_facts, waiting_for
from mexico.liars_stanford import honest, legal, start
from mexico.liars_stanford_house import HOUSE
from mexico.liars_stanford_state import Action, Claimed, LaidOpen, PutBack, RolledOutside, State
from mexico.reading import Json, a_number, only, the_field
from mexico.stanford_hands import DICE, GROUPS, Claim, Kind, SixDice, next_greatest

EVENTS = (*COMMON, "roll_outside", "show", "put_back")
"""The types of event the Stanford variation takes."""

START = ("opener",)
ASKED = {"outside": "roll_outside", "show": "show"}


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
    if rules.players is not None and len(players) > rules.players:
        raise GameFileError(
            f"players has {len(players)} names, and stanford.players is {rules.players}: let fewer play, or raise it"
        )
    return start(rules, len(players), opener=opener(given, "opener", players))


def action(event: Json, players: Sequence[str], where: str) -> Action:
    """Return what *event*, one of EVENTS, says somebody did.

    Raises
    ------
    GameFileError
        If a field is missing or cannot be.
    """
    match event["type"]:
        case "call":
            hand = _claim(the_field(event, "hand", where), f"the hand of {where}")
            return Claimed(a_seat(event, players, where), hand)
        case "roll_outside":
            faces = faces_of(event, where, 1, DICE)
            return RolledOutside(a_seat(event, players, where), faces, _pressed(event, where))
        case "show":
            return LaidOpen(a_seat(event, players, where), faces_of(event, where, 1, DICE), _pressed(event, where))
        case "put_back":
            return PutBack(a_seat(event, players, where), tuple(sorted(faces_of(event, where, 1, DICE))))
        case _:
            return common_action(event, players, where, DICE)


def _pressed(event: Json, where: str) -> int | None:
    """Return how many dice he said it would be; may be left out."""
    pressed = event.get("dice")
    return None if pressed is None else a_number(pressed, f"the dice of {where}", 1, DICE)


def _claim(value: object, where: str) -> Claim:
    word, faces = a_hand(value, where, tuple(Kind), '["full_house", 6, 5]')
    kind = Kind(word)
    try:
        return Claim(kind, faces)
    except ValueError:
        sizes = ", ".join(map(str, GROUPS[kind]))
        raise no_such_hand(
            value, where, f"{kind} is {sizes} equal dice: name their faces in that order, or fewer of them"
        ) from None


def event(choice: Action, players: Sequence[str]) -> dict[str, object]:
    """Return the event of *choice*."""
    if isinstance(choice, Claimed):
        return {"type": "call", "player": players[choice.seat], "hand": choice.claim.words}
    if isinstance(choice, PutBack):
        return {"type": "put_back", "player": players[choice.seat], "faces": list(choice.faces)}
    return common_event(choice, players)


def read(state: State, players: Sequence[str], faces: Sequence[int], ask: Ask | None) -> dict[str, object]:
    """Return the event of one die for who opens, of all six, or of those outside.

    What lay outside before is no news: the event has the others, and how many were pressed.
    """
    seat = legal(state).seat if ask is None else Seat(ask.seat)
    player = None if seat is None else players[seat]
    if ask is not None and state.hand is not None:
        before = state.hand.outside
        news = list((Counter(faces) - Counter(before)).elements())
        return {"type": ASKED[ask.what], "player": player, "faces": news, "dice": ask.dice - len(before)}
    if state.table.rolloff is not None:
        return {"type": "die", "player": player, "face": faces[0]}
    return {"type": "reveal", "player": player, "faces": list(faces)}


# --- going out ---


def facts(state: State, players: Sequence[str]) -> dict[str, object]:
    """Return every fact known now, with the names of *players*; what is not known is None."""
    table, hand = state.table, state.hand
    turn = legal(state).seat
    known = table_facts(table, players, state.rules.mark_value)
    if hand and not table.lying:
        known["visible"] = list(hand.outside)
    claim = hand.claim if hand else None
    least = next_greatest(claim.hand, state.rules.order) if claim else None
    return {
        "turn": None if turn is None else players[turn],
        **known,
        "waiting_for": waiting_for(hand.challenge if hand else None, players),
        "first_caller": None,
        "call": claim.words if claim else None,
        "call_means": list(claim.hand.dice) if claim else None,
        "minimum_raise": Claim.of(least).words if least else None,
        "caller": players[hand.claimer] if hand and hand.claimer is not None else None,
        "rerolls_left": MOST_REROLLS - hand.rolls if hand and claim else None,
        "inside": hand.inside if hand else None,
        "hands": {players[shown.seat]: _said(shown.faces) for shown in table.shown},
    }


def _said(faces: Sequence[int]) -> list[object]:
    return Claim.of(SixDice.of(faces)).words


def chance(state: State, players: Sequence[str]) -> dict[str, object] | None:
    """Return how likely the claim that stands is true, None where there is no telling (`honest`)."""
    return chance_of(honest(state), state.hand.claimer if state.hand else None, players)
