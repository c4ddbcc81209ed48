"""The individual hand: two players, five dice and a cup each, and a call that must be higher than the last.

Reads top to bottom: how a game starts, who may do what, a turn, a call that is doubted, how a round ends. The
paragraphs named are those of ``docs/liars_individual.md``.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache

from mexico.bluff import Accident, Announce, Closed, Exposed, Revealed
from mexico.game import Ask, Fact, HasSeat, Left, Legal, Refusal, Rolled, Seat
from mexico.hand_table import (
    CONCEDE,
    DICE_DECIDE,
    MOST_REROLLS,
    NOBODY_CALLED,
    NOT_ACCUSED,
    NOT_COUNTED,
    NOTHING_CALLED,
    NOTHING_HIDDEN,
    OPENER_CALLS,
    OPENING,
    ORDINARY,
    REROLLS_USED,
    ROLL_FIRST,
    SHOW_FIRST,
    SHOWN,
    SPOKEN,
    TOO_LOW,
    UNDECIDED,
    BluffCalled,
    Challenge,
    Challenged,
    Conceded,
    HandTable,
    Rerolled,
    Reshaken,
    check_playing,
    close,
    die_rolled,
    get_up,
    lose,
)
from mexico.liars_individual_house import AutoCall, IndividualRules, Judged, Mode
from mexico.liars_individual_state import Action, Called, Hand, State
from mexico.poker_hands import DICE, FaceOrder, PokerHand, all_hands, at_least, place

DID_REROLL = Refusal("{player} has re-rolled: no bluff call before the next turn", "HANDS 3", "004")

PRESSES: tuple[type, ...] = (Called, Rerolled, Challenged, Conceded, Revealed)
SEATS = (Seat(0), Seat(1))

Outcome = tuple[State, tuple[Fact, ...]]


def start(rules: IndividualRules, *, first_caller: Seat | None = None, wager: int = 1) -> State:
    """Return the game before its first event.

    Parameters
    ----------
    rules : IndividualRules
        What the table has agreed on.
    first_caller : Seat, optional
        Who calls first; rolled for when None.
    wager : int
        Units the loser of a round pays the winner, where a round is played for a wager.
    """
    return _dealt(State(rules, wager, HandTable.of(len(SEATS), first_caller)))


def legal(state: State) -> Legal[HasSeat]:
    """Return whose turn it is, what he may press, and whether dice are due to be shown."""
    table, hand = state.table, state.hand
    if table.tally.closed:
        return Legal(seat=None, dice=0, choices=(), ordinary=ORDINARY)
    if table.rolloff is not None:
        refusals = dict.fromkeys(PRESSES, ROLL_FIRST)
        return Legal(table.rolloff.waiting[0], dice=1, choices=(), refusals=refusals, ordinary=OPENING)
    if hand is None or hand.challenge is None:
        return _spoken(state) if state.rules.announce is Announce.SPOKEN else _turn(state)
    return _showing(state, hand.challenge)


def apply(state: State, action: Action) -> Outcome:
    """Return the state after *action* and the facts that follow from it.

    Raises
    ------
    IllegalAction
        If the rules refuse the action; *state* is as it was, as always.
    """
    match action:
        case Left(seat):
            return _changed(state, *get_up(state.table, seat))
        case Closed(seat):
            return _changed(state, *close(state.table, seat))
        case Exposed(seat):
            return _exposed(state, seat)
        case Revealed():
            return _revealed(state, action)
        case Rolled():
            return _changed(state, *die_rolled(state.table, action))
    legal(state).check(action)
    match action:
        case Called(seat, hand):
            return _put_away(state, Hand(_other(seat), hand, seat, kept=state.running.kept)), ()
        case Rerolled(seat, dice):
            return _rerolled(state, seat, dice)
        case Challenged(seat):
            return _doubted(state, accused=_other(seat), by=seat)
        case Conceded(seat):
            return _lost(state, seat)


def redact(state: State, viewer: Seat | None) -> State:  # noqa: ARG001 - there is nothing to take out
    """Return what *viewer* may know: everything, no state holds dice that were not shown."""
    return state


def _other(seat: Seat) -> Seat:
    return Seat(1 - seat)


# --- who may do what (sections 3 and 4) ---


def _turn(state: State) -> Legal[HasSeat]:
    """Call higher, re-roll, or call the bluff; after a re-roll the bluff no more."""
    hand = state.running
    seat = hand.turn
    choices: list[HasSeat] = list(_raises(state))
    refusals = {Called: TOO_LOW, Conceded: DICE_DECIDE, Revealed: NOBODY_CALLED}
    if hand.call is None:
        refusals |= {Rerolled: OPENER_CALLS, Challenged: NOTHING_CALLED}
        return Legal(seat, 0, tuple(choices), refusals, blind=True, ordinary=ORDINARY)
    if hand.rerolls < MOST_REROLLS:
        choices += [Rerolled(seat, dice) for dice in range(DICE + 1)]
    if not hand.rerolls:
        choices.append(Challenged(seat))
    refusals |= {Rerolled: REROLLS_USED, Challenged: DID_REROLL}
    asks = tuple(Ask(one, "show", DICE) for one in (seat, _other(seat))) if _may_call_last(hand) else ()
    return Legal(seat, 0, tuple(choices), refusals, asks, blind=True, ordinary=ORDINARY)


def _raises(state: State) -> tuple[Called, ...]:
    """Return every call of the seat on turn that is higher than the one that stands, lowest first."""
    hand, order = state.running, state.rules.faces
    return _all_calls(hand.turn, order)[0 if hand.call is None else place(hand.call, order) + 1 :]


@cache
def _all_calls(seat: Seat, order: FaceOrder) -> tuple[Called, ...]:
    return tuple(Called(seat, hand) for hand in all_hands(order))


def _may_call_last(hand: Hand) -> bool:
    """Whether all that is left is a last call, or to show (``third_may_call``)."""
    return hand.rerolls == MOST_REROLLS and hand.challenge is None


def _spoken(state: State) -> Legal[HasSeat]:
    """Return the presses where calls are only spoken: either may call the bluff."""
    refusals = {Called: SPOKEN, Rerolled: NOT_COUNTED, Conceded: UNDECIDED, Revealed: NOBODY_CALLED}
    opener = state.table.first
    choices = Challenged(_other(opener)), Challenged(opener)
    return Legal(opener, 0, choices, refusals, blind=True, ordinary=ORDINARY)


def _showing(state: State, challenge: Challenge) -> Legal[HasSeat]:
    """Dice are due; where calls are spoken the loser says so once they lie there."""
    if challenge.waiting:
        return Legal(challenge.waiting[0], DICE, (), dict.fromkeys(PRESSES, SHOW_FIRST), ordinary=ORDINARY)
    choices = (Conceded(challenge.accused), Conceded(challenge.other))
    hidden = challenge.other not in state.table.faces
    asks = (Ask(challenge.other, "show", DICE),) if hidden else ()
    refusals = dict.fromkeys(PRESSES, CONCEDE)
    return Legal(challenge.accused, 0, choices, refusals, asks, blind=hidden, ordinary=ORDINARY)


# --- a turn (section 3) ---


def _rerolled(state: State, seat: Seat, dice: int) -> Outcome:
    """Count the re-roll; with the third the bluff is called by itself, unless the house lets him call once more."""
    hand = state.running
    hand = replace(hand, rerolls=hand.rerolls + 1, kept=_kept(hand.kept, seat, dice))
    state = _put_away(state, hand)
    may_call = state.rules.auto_call is AutoCall.THIRD_MAY_CALL and _raises(state)
    if hand.rerolls < MOST_REROLLS or may_call:
        return state, ()
    return _automatic(state)


def _kept(kept: frozenset[Seat], seat: Seat, dice: int) -> frozenset[Seat]:
    """Return who has dice that he chose to keep, after *seat* has re-rolled so many; who rolls all keeps none."""
    return kept - {seat} if dice == DICE else kept | {seat} if dice else kept


def honest(state: State) -> Fraction | None:
    """Return how likely who called last has that hand or better, for somebody who sees no dice.

    None without a call, and where he has kept some dice and re-rolled others: what he has then is his choice as much as
    chance. Also None once his dice lie there.
    """
    hand = state.hand
    if hand is None or hand.call is None or hand.caller is None or hand.caller in hand.kept:
        return None
    if hand.challenge is not None and hand.caller not in hand.challenge.waiting:
        return None
    return at_least(hand.call, state.rules.faces)


def _automatic(state: State) -> Outcome:
    return _doubted(state, accused=_other(state.running.turn), by=None)


def _doubted(state: State, *, accused: Seat, by: Seat | None) -> Outcome:
    """Wait for the dice of the accused; when three re-rolls are used up, for those of both."""
    other = _other(accused)
    waiting = (accused, other) if by is None else (accused,)
    challenge = Challenge(accused, other, waiting, automatic=by is None)
    hand = replace(state.running, challenge=challenge)
    return replace(state, table=state.table.cleared(), hand=hand), (BluffCalled(accused, by),)


# --- dice that are shown (section 4) ---


def _revealed(state: State, revealed: Revealed) -> Outcome:
    """Take dice that are due, in any order; when nobody is waited for, they decide."""
    check_playing(state.table, revealed.seat)
    hand, before = state.hand, tuple[Fact, ...]()
    if hand is not None and _may_call_last(hand):
        state, before = _automatic(state)
    challenge = _due(state, revealed.seat).shown_by(revealed.seat)
    state = replace(state, table=state.table.show(revealed), hand=replace(state.running, challenge=challenge))
    if challenge.waiting or state.running.call is None:
        return state, before
    after, told = _lost(state, _loser(state, state.running.call, challenge))
    return after, (*before, *told)


def _due(state: State, seat: Seat) -> Challenge:
    """Return the challenge for which *seat* may show his dice."""
    challenge = None if state.hand is None else state.hand.challenge
    if challenge is None:
        raise legal(state).refusals[Revealed].error(seat)
    if seat in state.table.faces:
        raise SHOWN.error(seat)
    if seat not in challenge.waiting and challenge.waiting:
        raise NOT_ACCUSED.error(seat)
    return challenge


def _loser(state: State, call: PokerHand, challenge: Challenge) -> Seat:
    """Return who lost: who had less than he called, or less than the other where hands are compared."""
    shown = {seat: PokerHand.of(faces) for seat, faces in state.table.faces.items()}
    worth = {seat: hand.strength(state.rules.faces) for seat, hand in shown.items()}
    accused, other = challenge.accused, challenge.other
    if challenge.automatic and state.rules.judged is Judged.BETTER_HAND and worth[accused] != worth[other]:
        return min(worth, key=lambda seat: worth[seat])
    return other if worth[accused] >= call.strength(state.rules.faces) else accused


# --- the end of a round (section 5) ---


def _lost(state: State, loser: Seat) -> Outcome:
    rules = state.rules
    wagered = rules.mode is Mode.ROUND_WAGER
    table, told = lose(
        state.table,
        loser,
        _other(loser),
        marks=1 if wagered else rules.drinks,
        wager=state.wager if wagered else 0,
        rounds=rules.end_rounds,
    )
    return _changed(state, table, told)


def _exposed(state: State, seat: Seat) -> Outcome:
    """Have all shake anew after a cup was lifted without a press, or play on, as the house says; nothing was read."""
    check_playing(state.table, seat)
    if state.hand is None or state.hand.challenge is not None:
        raise NOTHING_HIDDEN.error(seat)
    if state.rules.accident is Accident.PLAYS_ON:
        return state, ()
    return _put_away(state, Hand(turn=state.table.first)), (Reshaken(seat),)


def _changed(state: State, table: HandTable, told: tuple[Fact, ...]) -> Outcome:
    """Return the state with a new hand on *table*, if one can be played."""
    return _dealt(replace(state, table=table)), told


def _dealt(state: State) -> State:
    table = state.table
    if table.tally.closed or table.rolloff is not None:
        return replace(state, hand=None)
    return replace(state, hand=Hand(turn=table.first))


def _put_away(state: State, hand: Hand) -> State:
    """Return the state with *hand*; what was shown before is put away."""
    return replace(state, table=state.table.put_away(), hand=hand)
