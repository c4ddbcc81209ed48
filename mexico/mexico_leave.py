"""Getting up from the table, and coming back to it (docs/rules.md, section 9, A19)."""

from dataclasses import replace

from mexico.game import OVER, Refusal, Seat
from mexico.mexico_choices import Leave, Rebuy
from mexico.mexico_settle import (
    Outcome,
    and_then,
    begin_round,
    changed,
    decide_lead,
    knocked_out,
    lose,
    move,
    next_round,
    won,
)
from mexico.mexico_state import BoughtIn, SeatLeft, State
from mexico.rolloff import Rolloff

SILENT = "the documents are silent"
NOT_IN = Refusal("{player} is not in the game any more", "MEXICO 9 / leave", SILENT)
NO_REBUY = Refusal("{player} may not buy in again: this table plays without", "MEXICO 9 / rebuy", SILENT)
STILL_IN = Refusal("{player} is still in the game and cannot buy in again", "MEXICO 9 / rebuy", SILENT)
HAS_LEFT = Refusal("{player} left the game and cannot come back", "MEXICO 9 / rebuy", SILENT)
OWES_MORE = Refusal("{player} owes as much as a buy-in brings", "MEXICO 9 / rebuy, pay.short", SILENT)
NOT_BETWEEN = Refusal("{player} may buy in only before the first roll of a round", "MEXICO 9 / rebuy", SILENT)


def leave(state: State, seat: Seat) -> Outcome:
    """*seat* gets up; whoever leaves a round he still has a part in has lost it."""
    if state.winner is not None:
        raise OVER.error()
    if seat in state.out:
        raise NOT_IN.error(seat)
    round_ = state.round
    if round_ is None or round_.untouched:
        return _leave_between(state, seat)
    if seat not in round_.order:
        return _gone(state, seat)
    if round_.decider:
        state, facts = _gone(state, seat)
        return and_then(knocked_out(state, seat), *facts)
    state, lost = lose(state, seat)
    state, facts = _gone(state, seat)
    return and_then(next_round(state, seat), *lost, *facts)


def _gone(state: State, seat: Seat) -> Outcome:
    """Take *seat* out; what he holds goes to the pot, or with him."""
    units = max(state.units[seat], 0)
    if state.rules.leave is Leave.HOLDING_TO_POT:
        state = move(state, seat, units)
    else:
        kept = changed(state.units, seat, -units)
        state = replace(state, units=kept, handed_back=state.handed_back + units)
    return replace(state, out=(*state.out, seat), gone=(*state.gone, seat)), (SeatLeft(seat, units),)


def _leave_between(state: State, seat: Seat) -> Outcome:
    """Leave before the first roll of a round: nobody loses it, the rest play it."""
    state, facts = _gone(state, seat)
    if len(state.playing) == 1:
        return and_then(won(state, state.playing[0]), *facts)
    if state.round is not None:
        return begin_round(state, state.round.lead), facts
    if state.rolloff is not None:
        return and_then(_leave_rolloff(state, state.rolloff, seat), *facts)
    return state, facts


def _leave_rolloff(state: State, rolloff: Rolloff, seat: Seat) -> Outcome:
    rolloff = rolloff.without(seat)
    if len(rolloff.seats) == 1:
        return begin_round(state, rolloff.seats[0]), ()
    return decide_lead(replace(state, rolloff=rolloff), rolloff)


def rebuy(state: State, seat: Seat) -> Outcome:
    """*seat*, who is out, brings a new holding and plays from the next round on."""
    _check_rebuy(state, seat)
    brings = state.rules.buy_in
    state = replace(
        state,
        units=changed(state.units, seat, brings),
        brought=state.brought + brings,
        out=tuple(other for other in state.out if other != seat),
    )
    return begin_round(state, state.running.lead), (BoughtIn(seat, brings),)


def _check_rebuy(state: State, seat: Seat) -> None:
    if state.winner is not None:
        raise OVER.error()
    if state.rules.rebuy is Rebuy.NO:
        raise NO_REBUY.error(seat)
    if seat in state.gone:
        raise HAS_LEFT.error(seat)
    if seat not in state.out:
        raise STILL_IN.error(seat)
    if state.round is None or not state.round.untouched:
        raise NOT_BETWEEN.error(seat)
    if state.units[seat] + state.rules.buy_in <= 0:
        raise OWES_MORE.error(seat)
