"""The individual hand in JSON: events and the start of a game coming in, facts going out."""

from collections.abc import Sequence

from mexico.errors import GameFileError
from mexico.game import Ask, Seat
from mexico.hand_json import EVENTS as EVENTS
from mexico.hand_json import a_hand, a_seat, chance_of, common_action, common_event, no_such_hand, opener
from mexico.hand_table import MOST_REROLLS, table_facts, waiting_for
from mexico.liars_individual import SEATS, honest, legal, start
from mexico.liars_individual_house import HOUSE, Mode
from mexico.liars_individual_state import Action, Called, State
from mexico.poker_hands import DICE, KINDS, NAMED, Kind, PokerHand
from mexico.reading import Json, a_number, only, the_field

START = ("first_caller", "wager")
MOST_UNITS = 1_000_000
WAGER = 1


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
    if len(players) != len(SEATS):
        raise GameFileError(f"players has {len(players)} names; an individual hand is for exactly {len(SEATS)}")
    return start(rules, first_caller=opener(given, "first_caller", players), wager=_wager(given, rules.mode))


def _wager(given: Json, mode: Mode) -> int:
    """Return the units a round is played for."""
    if given.get("wager") is None:
        return WAGER
    wager = a_number(given["wager"], "start.wager", 0, MOST_UNITS)
    if wager and mode is Mode.DRINKS:
        raise GameFileError(
            f"start.wager is {wager}, but mode is drinks: nothing is wagered; leave it out or play for a wager"
        )
    return wager


def action(event: Json, players: Sequence[str], where: str) -> Action:
    """Return what *event*, one of EVENTS, says somebody did.

    Raises
    ------
    GameFileError
        If a field is missing or cannot be.
    """
    if event["type"] == "call":
        return Called(a_seat(event, players, where), _hand(the_field(event, "hand", where), f"the hand of {where}"))
    return common_action(event, players, where, DICE)


def _hand(value: object, where: str) -> PokerHand:
    word, faces = a_hand(value, where, KINDS, '["full_house", 1, 6]')
    kind = Kind(word)
    try:
        return PokerHand(kind, faces)
    except ValueError:
        count = NAMED.get(kind, 1)
        named = ("no face", "one face", "two different faces")[count]
        example = f'["{kind}"{"".join(f", {face}" for face in (1, 6)[:count])}]'
        raise no_such_hand(value, where, f"{kind} is called with {named}, such as {example}") from None


def event(choice: Action, players: Sequence[str]) -> dict[str, object]:
    """Return the event of *choice*."""
    if isinstance(choice, Called):
        hand: list[object] = [str(choice.hand.kind), *choice.hand.faces]
        return {"type": "call", "player": players[choice.seat], "hand": hand}
    return common_event(choice, players)


def read(state: State, players: Sequence[str], faces: Sequence[int], ask: Ask | None) -> dict[str, object]:
    """Return the event of one die for who calls first, or of five that are shown."""
    seat = legal(state).seat if ask is None else Seat(ask.seat)
    player = None if seat is None else players[seat]
    if state.table.rolloff is not None:
        return {"type": "die", "player": player, "face": faces[0]}
    return {"type": "reveal", "player": player, "faces": list(faces)}


# --- going out ---


def facts(state: State, players: Sequence[str]) -> dict[str, object]:
    """Return every fact known now, with the names of *players*; what is not known is None."""
    order, table, hand = state.rules.faces, state.table, state.hand
    turn = legal(state).seat
    first = None if table.opener is None else players[table.opener]
    return {
        "turn": None if turn is None else players[turn],
        **table_facts(table, players, state.rules.mark_value),
        "waiting_for": waiting_for(hand.challenge if hand else None, players),
        "first_caller": first,
        "call": hand.call.words(order) if hand and hand.call else None,
        "caller": players[hand.caller] if hand and hand.caller is not None else None,
        "rerolls_left": MOST_REROLLS - hand.rerolls if hand and hand.call else None,
        "hands": {players[shown.seat]: PokerHand.of(shown.faces).words(order) for shown in table.shown},
    }


def chance(state: State, players: Sequence[str]) -> dict[str, object] | None:
    """Return how likely the call that stands is true, None where there is no telling (`honest`)."""
    return chance_of(honest(state), state.hand.caller if state.hand else None, players)
