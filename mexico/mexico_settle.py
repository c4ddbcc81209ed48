"""How a round of Mexico ends and the next one begins: paying, leading, winning (docs/rules.md, sections 4 and 8)."""

from dataclasses import replace

from mexico.game import Fact, Seat
from mexico.mexico_choices import End, LeadTies, LoserOut, PayShort, Stakes, TieCap, TieLead, TieStake
from mexico.mexico_state import (
    Eliminated,
    Finished,
    GameWon,
    Round,
    RoundLost,
    RoundVoid,
    State,
    SubroundBegan,
)
from mexico.ring import turned
from mexico.rolloff import LeadFound, LeadTied, Rolloff

Outcome = tuple[State, tuple[Fact, ...]]


def and_then(outcome: Outcome, *before: Fact) -> Outcome:
    """Return *outcome* with the facts *before* told first."""
    state, facts = outcome
    return state, (*before, *facts)


# --- rolling one die for the lead (section 4) ---


def roll_for_lead(state: State, seats: tuple[Seat, ...], *, again: bool = False) -> State:
    """Return *state* with *seats* rolling one die each, in seat order."""
    return replace(state, rolloff=Rolloff(tuple(sorted(seats)), again=again))


def die_rolled(state: State, rolloff: Rolloff, seat: Seat, face: int) -> Outcome:
    """One die fell; when all have rolled, the highest leads and equals roll again."""
    rolloff = rolloff.put(seat, face)
    return decide_lead(replace(state, rolloff=rolloff), rolloff)


def decide_lead(state: State, rolloff: Rolloff) -> Outcome:
    """Look whether the dice thrown so far name a lead."""
    if rolloff.waiting:
        return state, ()
    highest = rolloff.highest
    if len(highest) == 1:
        return and_then(_lead_found(replace(state, rolloff=None), highest[0]), LeadFound(highest[0]))
    again = highest if state.rules.lead_roll_ties is LeadTies.TIED else rolloff.seats
    return roll_for_lead(state, again, again=True), (LeadTied(again),)


def _lead_found(state: State, seat: Seat) -> Outcome:
    if state.round is not None:
        return replace(state, round=led_by(state.round, seat)), ()
    return begin_round(state, seat), ()


def begin_round(state: State, lead: Seat) -> State:
    """Return *state* with a new round led by *lead*, everybody still in following clockwise (section 5)."""
    order = state.clockwise_from(lead)
    finished = replace(state.finished, next_lead=order[0]) if state.finished else None
    round_ = Round(leader=order[0], order=order, lead=order[0], turn=order[0])
    return replace(state, round=round_, rolloff=None, finished=finished)


def led_by(round_: Round, lead: Seat) -> Round:
    """Return *round_* not yet begun, led by *lead*."""
    order = turned(round_.order, lead)
    return replace(round_, order=order, lead=lead, turn=lead)


# --- sub-rounds (section 7) ---


def begin_subround(state: State, tied: tuple[Seat, ...], *, lead: TieLead | None = None) -> Outcome:
    """*tied*, in the order in which they rolled, play among themselves."""
    rules, old, state = state.rules, state.running, replace(state, rolloff=None)
    caps = {TieCap.FREE: None, TieCap.INHERIT: old.cap, TieCap.ONE: 1}
    sub = replace(
        old,
        order=tied,
        tied=tied,
        before=old.round_throws,
        throws=(),
        rolls=0,
        cap=caps[rules.tie_cap],
        raises=old.raises if rules.tie_stake is TieStake.CARRY else 0,
    )
    began = SubroundBegan(tied)
    match lead or rules.tie_lead:
        case TieLead.FIRST:
            return replace(state, round=led_by(sub, tied[0])), (began,)
        case TieLead.LAST:
            return replace(state, round=led_by(sub, tied[-1])), (began,)
        case TieLead.ROLLOFF:
            return roll_for_lead(replace(state, round=led_by(sub, tied[0])), tied), (began,)


# --- paying and what comes next (section 8) ---


def settle(state: State, loser: Seat) -> Outcome:
    """*loser* pays the stake of the running round, and is out when nothing is left."""
    if state.running.decider:
        return knocked_out(state, loser)
    state, facts = lose(state, loser)
    if state.units[loser] <= 0:
        state, facts = replace(state, out=(*state.out, loser)), (*facts, Eliminated(loser))
    return and_then(next_round(state, loser), *facts)


def lose(state: State, loser: Seat) -> Outcome:
    """*loser* pays for the running round; who plays on is not looked at yet."""
    stake, holding = state.stake, state.units[loser]
    paid = stake if state.rules.pay_short is PayShort.OWES else min(stake, holding)
    finished = Finished(loser, paid, stake, state.running.round_throws)
    state = move(state, loser, paid)
    return replace(state, finished=finished, rounds_played=state.rounds_played + 1), (RoundLost(loser, stake, paid),)


def move(state: State, seat: Seat, paid: int) -> State:
    """*paid* units go from the hand of *seat* to the pot, or out of the game when tokens are played for."""
    units = changed(state.units, seat, -paid)
    if state.rules.stakes is Stakes.TOKENS:
        return replace(state, units=units, discarded=state.discarded + paid)
    return replace(state, units=units, pot=state.pot + paid)


def changed(units: tuple[int, ...], seat: Seat, by: int) -> tuple[int, ...]:
    """Return *units* with the holding of *seat* changed *by* so many."""
    return (*units[:seat], units[seat] + by, *units[seat + 1 :])


def void(state: State) -> Outcome:
    """Everybody had Mexico and the house lets nobody pay: the same lead leads again; the round does not count."""
    old = state.running
    if old.decider:
        return and_then(begin_subround(state, old.order, lead=TieLead.FIRST), RoundVoid())
    finished = Finished(None, 0, state.stake, old.round_throws)
    return begin_round(replace(state, finished=finished), old.leader), (RoundVoid(),)


def next_round(state: State, loser: Seat) -> Outcome:
    """*loser* has paid: somebody has won, or somebody leads the next round, or it is rolled for."""
    playing, rules = state.playing, state.rules
    if len(playing) == 1:
        return won(state, playing[0])
    if rules.end is End.ROUNDS and state.rounds_played >= rules.end_rounds:
        return _count_up(state)
    lead = _next_lead(state, loser)
    if lead is None:
        return roll_for_lead(replace(state, round=None), playing), ()
    return begin_round(state, lead), ()


def _next_lead(state: State, loser: Seat) -> Seat | None:
    """Return who leads after *loser* lost, None when it is to be rolled for."""
    left = state.clockwise_from(loser)[0]
    if left == loser:
        return loser
    match state.rules.lead_if_loser_out:
        case LoserOut.LEFT:
            return left
        case LoserOut.ROLLOFF:
            return None
        case LoserOut.SAME_LEAD:
            return state.clockwise_from(state.running.leader)[0]
        case LoserOut.NEXT_LOWEST:
            return _next_lowest(state, left)


def _next_lowest(state: State, left: Seat) -> Seat:
    """Return who showed least, the loser apart, where the round was lost; of equals the first to roll."""
    shown = [(throw, seat) for seat, throw in state.running.throws if seat in state.playing]
    return min(shown, key=lambda entry: entry[0])[1] if shown else left


def won(state: State, winner: Seat) -> Outcome:
    """End the game; the pot stays on the table, counted, for *winner* to take."""
    return replace(state, winner=winner, round=None, rolloff=None), (GameWon(winner, state.pot),)


# --- a set number of rounds: most units win, a tie is played out (section 9, A1) ---


def _count_up(state: State) -> Outcome:
    """Find who holds most after the last round; the tied play it out in the order of that round."""
    order = state.clockwise_from(state.running.leader)
    most = max(state.units[seat] for seat in order)
    round_ = replace(state.running, decider=True, lead_mexicos=0, raises=0)
    return begin_decider(replace(state, round=round_), tuple(seat for seat in order if state.units[seat] == most))


def begin_decider(state: State, best: tuple[Seat, ...]) -> Outcome:
    """*best* hold equally much: each sub-round takes its loser out of the running until one is left."""
    if len(best) == 1:
        return won(state, best[0])
    return begin_subround(replace(state, round=replace(state.running, best=best)), best)


def knocked_out(state: State, loser: Seat) -> Outcome:
    """*loser* of a decider keeps what he holds but cannot win any more."""
    best = (seat for seat in state.running.best if seat != loser and seat in state.playing)
    return begin_decider(state, tuple(best))
