"""Mexico: two dice, three rolls, and the lowest pays.

Reads top to bottom: how a game starts, who may do what, what a roll does, how a turn and a round end. What a round
costs and who leads the next one is in ``mexico_settle``; the paragraphs named are those of ``docs/rules.md``.
"""

from collections.abc import Sequence
from dataclasses import replace

from mexico.game import HasSeat, Left, Legal, Refusal, Rolled, Seat
from mexico.mexico_choices import AllMexico, BadRolls, LastPlayer, MexicoRules, NonleadAfter, TieLead, TieMexico
from mexico.mexico_leave import leave, rebuy
from mexico.mexico_settle import Outcome, and_then, begin_round, begin_subround, die_rolled, roll_for_lead, settle, void
from mexico.mexico_state import Action, BadRoll, Mexico, Rebought, Round, Scored, State, Stopped
from mexico.throw import LOWEST, Throw

MUST_ROLL_FIRST = Refusal(
    "{player} has not rolled yet: at least one roll, then STOP", "MEXICO 5.1, 5.4", "000, 001, 003"
)
LAST_MUST_ROLL = Refusal(
    "everybody before {player} has Mexico: {player} rolls until 21 or until no roll is left",
    "MEXICO 5.3 / mexico.last_player",
    "000",
)
NO_STOP_FOR_LEAD = Refusal(
    "the lead is rolled for: {player} rolls one die, there is nothing to stop", "MEXICO 4", "000"
)


def start(
    rules: MexicoRules,
    seats: int,
    *,
    units: Sequence[int] | None = None,
    pot: int = 0,
    lead: Seat | None = None,
) -> State:
    """Return the game before its first event.

    Parameters
    ----------
    rules : MexicoRules
        What the table has agreed on.
    seats : int
        Number of players, 2 to 8.
    units : sequence of int, optional
        What each seat holds; `rules.buy_in` each when left out. Who holds nothing is out.
    pot : int
        Units already in the pot.
    lead : Seat, optional
        Who leads the first round; rolled for when None.
    """
    holdings = (rules.buy_in,) * seats if units is None else tuple(units)
    out = tuple(Seat(seat) for seat, held in enumerate(holdings) if held <= 0)
    state = State(rules, holdings, brought=sum(holdings) + pot, pot=pot, out=out)
    return roll_for_lead(state, state.playing) if lead is None else begin_round(state, lead)


def legal(state: State) -> Legal[HasSeat]:
    """Return whose turn it is, how many dice a roll must show, and whether STOP counts."""
    if state.winner is not None:
        return Legal(seat=None, dice=0, choices=())
    if state.rolloff is not None:
        return Legal(state.rolloff.waiting[0], dice=1, choices=(), refusals={Stopped: NO_STOP_FOR_LEAD})
    round_ = state.running
    if not round_.rolls:
        return Legal(round_.turn, dice=2, choices=(), refusals={Stopped: MUST_ROLL_FIRST})
    if round_.after_chain and state.rules.last_player is LastPlayer.MUST_ROLL:
        return Legal(round_.turn, dice=2, choices=(), refusals={Stopped: LAST_MUST_ROLL})
    return Legal(round_.turn, dice=2, choices=(Stopped(round_.turn),))


def apply(state: State, action: Action) -> Outcome:
    """Return the state after *action* and the facts that follow from it.

    Raises
    ------
    IllegalAction
        If the rules refuse the action; *state* is as it was, as always.
    """
    match action:
        case Left(seat):
            return leave(state, seat)
        case Rebought(seat):
            return rebuy(state, seat)
        case BadRoll():
            legal(state).check_turn(action)
            return _bad_roll(state)
        case Rolled(seat, faces):
            legal(state).check(action)
            if state.rolloff is not None:
                return die_rolled(state, state.rolloff, seat, faces[0])
            return _rolled(state, Throw.of(*faces))
        case Stopped():
            legal(state).check(action)
            return _end_turn(state, state.running)


def redact(state: State, viewer: Seat | None) -> State:  # noqa: ARG001 - the bluffing games hide, Mexico does not
    """Return what *viewer* may know: everything, the dice lie open."""
    return state


# --- a turn (sections 5.1 to 5.5) ---


def _rolled(state: State, throw: Throw) -> Outcome:
    """Both dice lie: the turn goes on, or ends, or the dice pass with a Mexico."""
    round_ = state.running.put(throw)
    state = replace(state, round=round_)
    if throw.is_mexico and round_.turn == round_.lead and _mexico_passes(state, round_):
        return _mexico(state, round_)
    if round_.rolls >= _rolls_allowed(state, round_) or (throw.is_mexico and state.rules.auto_end_on_21):
        return _end_turn(state, round_)
    return state, ()


def _bad_roll(state: State) -> Outcome:
    """Let a bad roll be rolled again without counting, or count it as the lowest throw (A16)."""
    if state.rolloff is None and state.rules.bad_roll is BadRolls.COUNTS_AS_31:
        return _rolled(state, LOWEST)
    return state, ()


def _rolls_allowed(state: State, round_: Round) -> int:
    return state.rules.max_rolls if round_.cap is None else round_.cap


def _end_turn(state: State, round_: Round) -> Outcome:
    """Keep what lies there as the score; the lead's number of rolls is the cap of those who follow."""
    throw = dict(round_.throws)[round_.turn]
    scored = Scored(round_.turn, throw)
    if round_.turn == round_.lead and round_.cap is None:
        round_ = replace(round_, cap=round_.rolls)
    if throw.is_mexico and round_.turn != round_.lead and _follower_raises(state, round_):
        round_ = replace(round_, raises=round_.raises + 1)
    if round_.turn == round_.last:
        return and_then(_end_round(replace(state, round=round_)), scored)
    return replace(state, round=round_.passed_on()), (scored,)


# --- Mexico (sections 5.2, 5.3, 6 and A7, A9, A12) ---


def _mexico_passes(state: State, round_: Round) -> bool:
    return not round_.tied or state.rules.tie_mexico is not TieMexico.PLAIN


def _mexico_counts(state: State, round_: Round) -> bool:
    """Whether a lead's Mexico counts for the stake here."""
    if round_.tied and state.rules.tie_mexico is not TieMexico.FULL:
        return False
    return not round_.after_chain or state.rules.last_counts


def _follower_raises(state: State, round_: Round) -> bool:
    """Whether the 21 of a follower counts as a further Mexico: only after one of a lead."""
    if state.rules.nonlead_after is not NonleadAfter.RAISES or round_.raises == 0:
        return False
    return not round_.tied or state.rules.tie_mexico is TieMexico.FULL


def _mexico(state: State, round_: Round) -> Outcome:
    """Pass the dice on, the lead is safe; when nobody is left to take them, everybody has Mexico."""
    if _mexico_counts(state, round_):
        round_ = replace(round_, lead_mexicos=round_.lead_mexicos + 1, raises=round_.raises + 1)
    state = replace(state, round=round_)
    shown = Mexico(round_.turn, state.stake)
    if round_.after_chain:
        return and_then(_all_mexico(state), shown)
    lead = round_.next_turn()
    return replace(state, round=replace(round_.passed_on(), lead=lead)), (shown,)


def _all_mexico(state: State) -> Outcome:
    if state.rules.all_mexico is AllMexico.VOID:
        return void(state)
    return begin_subround(state, state.running.order, lead=TieLead.FIRST)


# --- the end of a round (sections 5.6 and 7) ---


def _end_round(state: State) -> Outcome:
    """Everybody has rolled: the lowest loses, the tied for lowest play on among themselves."""
    round_ = state.running
    shown = dict(round_.throws)
    lowest = min(shown.values())
    tied = tuple(seat for seat in round_.order if shown[seat] == lowest)
    return settle(state, tied[0]) if len(tied) == 1 else begin_subround(state, tied)
