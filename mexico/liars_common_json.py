"""Liar's dice, common hand, in JSON: events and the start of a game coming in, facts going out."""

from collections.abc import Sequence

from mexico.bidding import Bid
from mexico.bluff import Closed, Exposed, Revealed
from mexico.game import Ask, Left, Rolled, Seat
from mexico.liars_common import legal, start
from mexico.liars_common_house import HOUSE
from mexico.liars_common_state import Action, Bade, Call, Challenged, Conceded, Finished, SpotOn, State
from mexico.liars_odds import chance_of_one, expected, standing
from mexico.reading import Json, a_list, a_number, a_player, nothing_hidden, only, the_field
from mexico.throw import FACES

EVENTS = ("die", "bid", "challenge", "spot_on", "reveal", "concede", "exposed", "leave", "close")
"""The types of event common hand takes."""

START = ("opener", "wager")
MOST_WAGER = 1_000_000
MOST_DICE = 80


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
    wager, opener = given.get("wager"), given.get("opener")
    return start(
        rules,
        len(players),
        wager=a_number(1 if wager is None else wager, "start.wager", 0, MOST_WAGER),
        opener=None if opener is None else Seat(a_player(opener, "start.opener", players)),
    )


def action(event: Json, players: Sequence[str], where: str) -> Action:
    """Return what *event*, one of EVENTS, says somebody did.

    Raises
    ------
    GameFileError
        If a field is missing or cannot be.
    """
    nothing_hidden(event, ("reveal",), where)
    seat = _seat(event, "player", players, where)
    match event["type"]:
        case "die":
            return Rolled(seat, (_face(the_field(event, "face", where), f"the face of {where}"),))
        case "bid":
            return Bade(seat, _bid(event, where))
        case "challenge":
            return Challenged(seat)
        case "spot_on":
            return SpotOn(seat)
        case "reveal":
            faces = a_list(the_field(event, "faces", where), f"faces of {where}")
            return Revealed(seat, tuple(_face(face, f"a face of {where}") for face in faces))
        case "concede":
            to = event.get("to")
            return Conceded(seat, None if to is None else _seat(event, "to", players, where))
        case "exposed":
            return Exposed(seat)
        case "leave":
            return Left(seat)
        case _:
            return Closed(seat)


def _seat(event: Json, key: str, players: Sequence[str], where: str) -> Seat:
    return Seat(a_player(the_field(event, key, where), f"the {key} of {where}", players))


def _bid(event: Json, where: str) -> Bid:
    quantity = a_number(the_field(event, "quantity", where), f"the quantity of {where}", 1, MOST_DICE)
    return Bid(quantity, _face(the_field(event, "face", where), f"the face of {where}"))


def _face(value: object, where: str) -> int:
    return a_number(value, where, FACES[0], FACES[-1])


def event(choice: Action, players: Sequence[str]) -> dict[str, object]:
    """Return the event of *choice*: a bid, a call, or a concession."""
    player = players[choice.seat]
    match choice:
        case Bade(bid=bid):
            return {"type": "bid", "player": player, "quantity": bid.quantity, "face": bid.face}
        case Conceded(to=to):
            return {"type": "concede", "player": player, **({} if to is None else {"to": players[to]})}
        case SpotOn():
            return {"type": "spot_on", "player": player}
        case _:
            return {"type": "challenge", "player": player}


def read(state: State, players: Sequence[str], faces: Sequence[int], ask: Ask | None) -> dict[str, object]:  # noqa: ARG001 - this game asks for no look at hidden dice
    """Return the event of the dice of the seat on turn: one rolled for who opens, or all of his after a call."""
    turn = legal(state).seat
    player = None if turn is None else players[turn]
    if state.rolloff is not None:
        return {"type": "die", "player": player, "face": faces[0]}
    return {"type": "reveal", "player": player, "faces": list(faces)}


# --- going out ---


def facts(state: State, players: Sequence[str]) -> dict[str, object]:
    """Return every fact of common hand that is known now, with the names of *players*; what is not known is None."""
    rolloff = state.rolloff
    waiting = _names(rolloff.waiting, players) if rolloff else []
    return {
        "turn": _name(legal(state).seat, players),
        "direction": "clockwise",
        "seats": [name for seat, name in enumerate(players) if seat not in state.tally.gone],
        "rolling_for_lead": waiting,
        "rerolling": waiting if rolloff and rolloff.again else [],
        **_hand_facts(state, players),
        **_dice_facts(state, players),
        **_finished_facts(state.finished or Finished(None, None), players),
        **state.tally.facts(players, state.rules.mark_value),
        "balance": dict(zip(players, state.balance, strict=True)),
        "winner": _name(state.winner, players),
        "to_beat": None,
        "call": None,
        "rerolls_left": None,
        "first_caller": None,
    }


def chance(state: State, players: Sequence[str]) -> dict[str, object] | None:
    """Return how likely the bid that stands is right, None without one (`liars_odds.standing`)."""
    right, hand = standing(state), state.hand
    if right is None or hand is None or hand.bidder is None:
        return None
    return {"kind": "claim", "player": players[hand.bidder], "chance": str(right)}


def _hand_facts(state: State, players: Sequence[str]) -> dict[str, object]:
    hand = state.hand
    bid, call = (hand.bid, hand.call) if hand else (None, None)
    one = chance_of_one(bid.face if bid else FACES[-1], wild_aces=state.rules.wild_aces)
    return {
        "opener": _name(hand.opener if hand else None, players),
        "bid": [bid.quantity, bid.face] if bid else None,
        "bidder": _name(hand.bidder if hand else None, players),
        "expected": expected(state.dice_in_play, one),
        **_call_facts(call, players),
        "waiting_for": _waiting_for(state, players),
    }


def _call_facts(call: Call | None, players: Sequence[str]) -> dict[str, object]:
    return {
        "caller": _name(call.caller if call else None, players),
        "called": _name(call.bidder if call else None, players),
        "called_spot_on": call.exact if call else None,
    }


def _waiting_for(state: State, players: Sequence[str]) -> str | None:
    if state.hand is None or state.hand.call is None:
        return None
    showing = state.showing()
    return f"reveal of {players[showing[0]]}" if showing else "concede"


def _dice_facts(state: State, players: Sequence[str]) -> dict[str, object]:
    lying = [face for _, faces in state.visible for face in faces]
    return {
        "dice_left": dict(zip(players, state.dice, strict=True)),
        "dice_in_play": state.dice_in_play,
        "dice_lost": state.lost,
        "dice_taken": state.taken,
        "out": _names(state.out, players),
        "visible": {players[seat]: list(faces) for seat, faces in state.visible},
        "revealed": _names(state.revealed, players),
        "count": state.count,
        "counts": {str(face): lying.count(face) for face in FACES} if lying else {},
    }


def _finished_facts(done: Finished, players: Sequence[str]) -> dict[str, object]:
    return {
        "loser": _name(done.loser, players),
        "winner_of_round": _name(done.winner, players),
        "payments": {players[seat]: amount for seat, amount in done.payments},
        "odds": None if done.odds is None else str(done.odds),
        "next_opener": _name(done.next_opener, players),
    }


def _name(seat: Seat | None, players: Sequence[str]) -> str | None:
    return None if seat is None else players[seat]


def _names(seats: Sequence[Seat], players: Sequence[str]) -> list[str]:
    return [players[seat] for seat in seats]
