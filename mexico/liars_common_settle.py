"""What a hand of common hand costs, who opens the next one, and how the game ends (docs/liars_common.md, 6 and 7)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mexico.bluff import Ended, Penalized
from mexico.game import Fact, Seat
from mexico.liars_common_house import Mode
from mexico.liars_common_state import (
    Call,
    Counted,
    DiceLost,
    Finished,
    GameWon,
    Hand,
    HandLost,
    HandVoid,
    KnockedOut,
    State,
    WagerMoved,
    changed,
    paid,
)
from mexico.liars_odds import holds
from mexico.ring import turned

Outcome = tuple[State, tuple[Fact, ...]]
Amounts = tuple[tuple[Seat, int], ...]

DOUBLE = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a hand came out: each of *losers* loses so many *times* to *winner*; *opens* is to open the next one."""

    losers: tuple[Seat, ...]
    winner: Seat
    opens: Seat
    times: int = 1


def verdict(state: State, call: Call, bidder: Seat, *, caller_is_right: bool) -> Verdict:
    """Return how a hand came out in which the last bid was that of *bidder* (section 4)."""
    if not caller_is_right:
        out_of_turn = call.caller != state.next_to(bidder)
        return Verdict((call.caller,), bidder, call.caller, DOUBLE if call.exact or out_of_turn else 1)
    if not call.exact:
        return Verdict((bidder,), call.caller, bidder)
    others = tuple(seat for seat in turned(state.playing, bidder) if seat != call.caller)
    return Verdict(others, call.caller, bidder)


def judge(state: State, call: Call) -> Outcome:
    """All dice are shown: the count decides."""
    bid, bidder, count = state.running.bid, call.bidder, state.count
    if bid is None or bidder is None or count is None:
        raise RuntimeError("nothing was bid that dice could decide")
    right = count == bid.quantity if call.exact else count < bid.quantity
    return settle(state, verdict(state, call, bidder, caller_is_right=right), Counted(bid, count))


def settle(state: State, result: Verdict, *told: Fact) -> Outcome:
    """Take from the losers what the house agreed on, and go on with the next hand."""
    bid = state.running.bid
    odds = holds(bid, state.dice_in_play, wild_aces=state.rules.wild_aces) if bid else None
    loser = result.losers[0] if len(result.losers) == 1 else None
    were_out, lost, payments = state.out, dice_lost(state, result), wagers(state, result)

    state = put_aside(state, lost)
    penalties = _penalties(state, result, lost, were_out)
    tally = state.tally.hand_out(penalties).round_over(state.rules.end_rounds)
    finished = Finished(loser, result.winner, payments, odds)
    state = paid(replace(state, tally=tally, finished=finished), payments)
    facts = (
        *told,
        *(HandLost(seat) for seat in result.losers),
        *(DiceLost(seat, dice) for seat, dice in lost),
        *(KnockedOut(seat) for seat in state.out if seat not in were_out),
        *(WagerMoved(seat, amount) for seat, amount in payments),
        *(Penalized(seat, penalty) for seat, penalty in penalties),
    )
    state, more = _next_hand(state, result.opens)
    return state, (*facts, *more)


# --- what it costs (section 6) ---


def dice_lost(state: State, result: Verdict) -> Amounts:
    """Return how many dice each loser loses."""
    if state.rules.mode is not Mode.LOSE_A_DIE:
        return ()
    return tuple((seat, min(result.times, state.dice[seat])) for seat in result.losers)


def put_aside(state: State, lost: Amounts) -> State:
    """Return *state* without the dice *lost*; who has none left is out."""
    for seat, dice in lost:
        state = replace(state, dice=changed(state.dice, seat, -dice), lost=state.lost + dice)
    out = tuple(seat for seat, _ in lost if not state.dice[seat])
    return replace(state, out=(*state.out, *out))


def wagers(state: State, result: Verdict) -> Amounts:
    """Return what the losers of a hand pay its winner."""
    each = state.wager * result.times
    if state.rules.mode is not Mode.ROUND_WAGER:
        return ()
    return to_winner(result.winner, result.losers, each)


def to_winner(winner: Seat, losers: Iterable[Seat], each: int) -> Amounts:
    """Return what moves when every one of *losers* pays *winner* so much; nothing when that is nothing."""
    losers = tuple(losers)
    moved = [(seat, -each) for seat in losers] + [(winner, each * len(losers))]
    return tuple(sorted(moved)) if each and losers else ()


def _penalties(state: State, result: Verdict, lost: Amounts, were_out: tuple[Seat, ...]) -> Amounts:
    """Return the marks of a hand by seat, without those who get none."""
    rules, marks = state.rules, dict.fromkeys(range(len(state.dice)), 0)
    if rules.mode is Mode.DRINKS:
        for seat in result.losers:
            marks[seat] += result.times * _marks_of_a_hand(state, result)
    for seat, dice in lost:
        marks[seat] += dice * rules.drinks_per_die + (0 if state.dice[seat] else rules.drinks_when_out)
    for seat in were_out:
        if seat not in state.tally.gone and rules.mode is Mode.LOSE_A_DIE:
            marks[seat] += rules.drinks_while_out
    return tuple((Seat(seat), number) for seat, number in marks.items() if number)


def _marks_of_a_hand(state: State, result: Verdict) -> int:
    """Return what a hand lost once costs: fixed, or how far the bid was off, where there is something to be off by."""
    hand = state.running
    if state.rules.drinks is not None:
        return state.rules.drinks
    called_spot_on = hand.call is not None and hand.call.exact and result.winner == hand.call.caller
    if hand.bid is None or state.count is None or called_spot_on:
        return 1
    return abs(hand.bid.quantity - state.count)


# --- the next hand, and the end (section 7) ---


def begin_hand(state: State, opener: Seat) -> State:
    """Return *state* with all cups to be shaken and *opener* to bid first."""
    finished = replace(state.finished, next_opener=opener) if state.finished else None
    return replace(state, rolloff=None, hand=Hand(opener), finished=finished)


def void(state: State, opener: Seat) -> Outcome:
    """Forget the hand in play: all shake again, and *opener* bids first."""
    if state.running.call is not None:
        state = replace(state, revealed=(), count=None)
    return begin_hand(replace(state, visible=()), opener), (HandVoid(),)


def _next_hand(state: State, opener: Seat) -> Outcome:
    if state.tally.closed or len(state.playing) == 1:
        return game_over(state)
    return begin_hand(state, opener if opener in state.playing else state.next_to(opener)), ()


def game_over(state: State, *, broken_off: bool = False) -> Outcome:
    """End the game; in a game for dice the winner takes the wagers of all who sat down to it."""
    winner, payments = _winner(state, broken_off=broken_off), state.finished.payments if state.finished else ()
    if state.rules.mode is Mode.LOSE_A_DIE and winner is not None:
        payments = to_winner(winner, (Seat(seat) for seat in range(len(state.dice)) if seat != winner), state.wager)
        state = paid(state, payments)
    won = () if winner is None else (GameWon(winner),)
    moved = tuple(WagerMoved(seat, amount) for seat, amount in payments) if state.rules.mode is Mode.LOSE_A_DIE else ()
    finished = replace(state.finished or Finished(None, None), payments=payments, next_opener=None)
    tally = state.tally.close()
    state = replace(state, tally=tally, winner=winner, finished=finished, hand=None, rolloff=None)
    return state, (*won, *moved, Ended(tally.fewest))


def _winner(state: State, *, broken_off: bool) -> Seat | None:
    """Return who has won: he who is left, else he who has most when the agreed rounds are played, or nobody.

    A game for dice that is *broken off* has no winner: else who leads could take the wagers by closing the table.
    """
    match state.rules.mode:
        case Mode.LOSE_A_DIE:
            return None if broken_off and len(state.playing) > 1 else _most(state.playing, state.dice)
        case Mode.ROUND_WAGER:
            return _most(state.tally.playing, state.balance)
        case Mode.DRINKS:
            fewest = state.tally.fewest
            return fewest[0] if len(fewest) == 1 else None


def _most(seats: Iterable[Seat], held: tuple[int, ...]) -> Seat | None:
    """Return which of *seats* holds more than all others."""
    seats = tuple(seats)
    most = max(held[seat] for seat in seats)
    best = [seat for seat in seats if held[seat] == most]
    return best[0] if len(best) == 1 else None
