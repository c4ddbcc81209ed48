"""Mexican as it is played in Wisconsin: claim more than the last, or disbelieve; 21 costs the whole glass.

How the cup goes round is in ``mexican_turn``; here is what may be claimed, who is right, and what is shown or pressed
besides. The paragraphs named are those of ``docs/mexican_wisconsin.md``.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from mexico.bluff import FINISH, Closed, Exposed, Penalized, Penalty
from mexico.game import Ask, HasSeat, Left, Legal, Refusal, Rolled, Seat
from mexico.mexican_table import (
    Announced,
    Challenged,
    Chosen,
    Conceded,
    CupAction,
    Lifted,
    Picked,
    Result,
    Shaken,
    Shown,
    Table,
    Turned,
)
from mexico.mexican_turn import (
    ENDED,
    GONE,
    and_then,
    announce,
    anybody,
    begin,
    challenge,
    check,
    check_beside,
    check_heard,
    choose,
    lift,
    lifted,
    presses,
    settle,
    shake,
    show,
    waiting,
    why_not,
)
from mexico.mexican_wisconsin_house import Believed, FortyOne, LowClaim, Opener, WisconsinRules
from mexico.odds import under_cup
from mexico.throw import MEXICO, RANKING, Throw


@dataclass(frozen=True, slots=True)
class OnFloor:
    """So many *dice* fell on the floor, and *seat* touched them last."""

    seat: Seat
    dice: int


@dataclass(frozen=True, slots=True)
class Caught:
    """*seat* was caught in the act of cheating: the players say so."""

    seat: Seat


State = Table[WisconsinRules]
Outcome = Result[WisconsinRules]
Action = CupAction | OnFloor | Caught

SOCIAL, REVERSE, FORTY_ONE = Throw(3, 1), Throw(3, 2), Throw(4, 1)
ORDER = tuple(value for value in RANKING if value not in (SOCIAL, REVERSE))
"""The 19 values that can be claimed, lowest first."""

NOT_ENOUGH = Refusal("{player} must claim more than before", "WISCONSIN 2 / wisconsin.low_claim", "004")
MUST_PROVE = Refusal("31 and 32 are shown, never claimed", "WISCONSIN 5", "004")
NOBODY_PASSES = Refusal("nobody passes it on in this game", "WISCONSIN 2", "004")
NOTHING_BEATS = Refusal("nothing beats 21: call, or give in", "WISCONSIN 4 / wisconsin.mexican_believed", "004")
ONLY_AFTER_21 = Refusal("{player} gives in only to a claim of 21", "WISCONSIN 4", "004")
NO_SPECIAL = Refusal("that is not to be shown, put the cup back", "WISCONSIN 5 / wisconsin.41", "004")
UNDER_THE_CUP = Refusal("both dice belong under the cup: shake again", "WISCONSIN 6 / wisconsin.exposed", "004")
NOT_IN_THE_ACT = Refusal("{player} does not have the cup", "WISCONSIN 6", "004")
NO_CUP_YET = Refusal("there is no cup yet to cheat with", "WISCONSIN 6", "004")


def start(rules: WisconsinRules, seats: int, *, opener: Seat | None = None, clockwise: bool = True) -> State:
    """Return the game before its first event.

    Parameters
    ----------
    rules : WisconsinRules
        What the table has agreed on.
    seats : int
        Number of players, 2 to 8.
    opener : Seat, optional
        Who opens the first round; rolled for when None.
    clockwise : bool
        Which way play goes round at first.
    """
    return begin(rules, seats, opener, clockwise=clockwise)


def legal(state: State) -> Legal[HasSeat]:
    """Return whose action is awaited, what may be pressed, and when the dice are read."""
    now = waiting(state) or _in_play(state)
    return now if now.seat is None else replace(now, choices=(*now.choices, *_anytime(state)))


def _in_play(state: State) -> Legal[HasSeat]:
    hand, shower = state.running, state.shower
    stuck = hand.to_beat == MEXICO
    choices = presses(state, _announcements(state), unshaken=False, stuck=stuck)
    if stuck:
        choices = tuple(choice for choice in choices if not isinstance(choice, Shaken))
    beside_too = shower is not None and state.rules.exposed and hand.beside is None
    asks = () if shower is None else (Ask(shower, "show", 2), *((Ask(shower, "exposed", 1),) if beside_too else ()))
    refusals = {**why_not(state), Conceded: ONLY_AFTER_21}
    if stuck:
        refusals |= {Shaken: NOTHING_BEATS, Announced: NOTHING_BEATS}
    return Legal(hand.turn, dice=0, choices=choices, refusals=refusals, asks=asks, blind=True)


def _anytime(state: State) -> tuple[HasSeat, ...]:
    """Return what is pressed when it happens, whoever's turn it is: dice on the floor, somebody caught (section 6)."""
    floor = tuple(OnFloor(seat, dice) for seat in state.tally.playing for dice in (1, 2))
    return (*floor, *(Caught(seat) for seat in _holding(state)))


def _holding(state: State) -> tuple[Seat, ...]:
    """Return who may be caught in the act: who has the cup, and who has just passed it on or shows it."""
    hand = state.hand
    if hand is None:
        return ()
    return tuple(sorted({hand.turn} | ({hand.announcer} if hand.announcer is not None else set())))


def apply(state: State, action: Action) -> Outcome:
    """Return the state after *action* and the facts that follow from it.

    Raises
    ------
    IllegalAction
        If the rules refuse the action; *state* is as it was, as always.
    """
    match action:
        case Left() | Closed() | Exposed() | Rolled():
            return anybody(state, action)
        case Lifted(faces):
            return _judged(state, lifted(state, faces))
        case Shown():
            _check_shown(state, action)
            return _shown(state, action)
        case Shaken(_, beside) if beside is not None:
            _check_beside_cup(state, action)
            return shake(state, action.seat, beside), ()
        case OnFloor(seat) | Caught(seat):
            _check_happened(state, action)
            return _fell(state, action) if isinstance(action, OnFloor) else _caught(state, seat)
        case _:
            return _pressed(state, action)


def redact(state: State, viewer: Seat | None) -> State:  # noqa: ARG001 - nobody's dice are in the state
    """Return what *viewer* may know: everything, for dice under a cup are in no state."""
    return state


def _pressed(state: State, action: Shaken | Announced | Challenged | Chosen | Conceded) -> Outcome:
    if isinstance(action, Announced):
        _check_value(state, action)
    check(legal(state), action)
    match action:
        case Shaken(seat):
            return shake(state, seat), ()
        case Announced():
            return announce(state, action)
        case Challenged(seat):
            return challenge(state, seat)
        case Chosen(seat, target):
            return _imposed(state, seat, target)
        case Conceded(seat):
            return _conceded(state, seat)


# --- what may be claimed (section 2) ---


def _values(state: State) -> tuple[Throw, ...]:
    """Return what who has shaken may claim, lowest first."""
    to_beat, rules = state.running.to_beat, state.rules
    if to_beat is None or rules.low_claim is LowClaim.LET_THROUGH:
        return ORDER
    return tuple(value for value in ORDER if value > to_beat or (rules.tie_ok and value == to_beat))


def _announcements(state: State) -> tuple[Announced, ...]:
    hand = state.running
    if state.spoken or not hand.shaken:
        return ()
    return tuple(Announced(hand.turn, value) for value in _values(state))


def _check_value(state: State, action: Announced) -> None:
    """Refuse a value for what it is, where its announcer might claim another one."""
    check_heard(state)
    if waiting(state) is not None:
        return
    hand = state.running
    if action.seat == hand.turn and hand.shaken:
        if action.value not in ORDER:
            raise MUST_PROVE.error(action.seat)
        if action.value not in _values(state):
            raise NOT_ENOUGH.error(action.seat)
        if action.pass_it_on:
            raise NOBODY_PASSES.error(action.seat)


# --- who is right (sections 3 and 4) ---


def _judged(state: State, throw: Throw) -> Outcome:
    """Find who loses now that the dice called for lie open: they are at least the claim, or its maker loses."""
    state = lift(state, throw)
    if state.spoken:
        return state, ()
    hand = state.running
    accused, caller = hand.duel
    loser, winner = (caller, accused) if _is_true(state, throw) else (accused, caller)
    return _lost(state, loser, winner, FINISH if MEXICO in (throw, hand.to_beat) else 1)


def _is_true(state: State, throw: Throw) -> bool:
    """Whether *throw* is at least what was claimed last; what can only be proved is never."""
    to_beat = state.running.to_beat
    return throw in ORDER and to_beat is not None and throw >= to_beat


def honest(state: State) -> Fraction | None:
    """Return how likely the last claim is true, for somebody who sees at most a die beside the cup, None without."""
    if state.hand is None or not state.hand.claimed:
        return None
    return under_cup(lambda throw: _is_true(state, throw), state.hand.beside)


def _conceded(state: State, seat: Seat) -> Outcome:
    """Somebody gives in: to a claim of 21, or because the dice that lie open say so."""
    hand = state.running
    if hand.conceding:
        accused, caller = hand.duel
        winner = caller if seat == accused else accused
        return _lost(state, seat, winner, FINISH if state.visible == (MEXICO.high, MEXICO.low) else 1)
    whole = state.rules.mexican_believed is Believed.CONCEDE_AND_FINISH
    return _lost(state, seat, hand.announcer, FINISH if whole else 1)


def _lost(state: State, loser: Seat, winner: Seat | None, penalty: Penalty) -> Outcome:
    opener = loser if state.rules.opener is Opener.DRINKER else state.away(loser)
    return settle(state, {loser: penalty}, opener, loser=loser, winner=winner)


# --- what is shown (section 5) ---


def _check_shown(state: State, action: Shown) -> None:
    now = legal(state)
    if now.seat is None or state.hand is None or action.seat != state.shower:
        check(now, action)
    shown = {SOCIAL, REVERSE} | ({FORTY_ONE} if state.rules.forty_one is not FortyOne.PLAIN else set())
    if action.throw not in shown:
        raise NO_SPECIAL.error(action.seat)
    check_beside(state.running, action.throw, action.seat)


def _shown(state: State, action: Shown) -> Outcome:
    """Do what was proved: after a social or a reverse all rolls are void, and who rolled it opens again."""
    state, told = show(state, action)
    if action.throw == SOCIAL:
        return and_then(_social(state, action.seat), *told)
    if action.throw == REVERSE:
        return and_then(_reverse(state, action.seat), *told)
    return choose(state, action.seat, action.throw, state.others(action.seat)), told


def _social(state: State, seat: Seat, target: Seat | None = None) -> Outcome:
    """Everybody drinks once, *target* once more."""
    drinks = {drinker: 1 + (drinker == target) for drinker in (seat, *state.others(seat))}
    return settle(state, drinks, seat)


def _reverse(state: State, seat: Seat, target: Seat | None = None) -> Outcome:
    """Play turns round; *target*, if there is one, drinks."""
    state = state.turned()
    drinks: dict[Seat, Penalty] = {} if target is None else {target: 1}
    return and_then(settle(state, drinks, seat), Turned(state.clockwise))


def _imposed(state: State, seat: Seat, target: Seat) -> Outcome:
    """41 where it does something: a drink for the one chosen, then as a social or a reverse."""
    then = _social if state.rules.forty_one is FortyOne.IMPOSE_THEN_SOCIAL else _reverse
    return and_then(then(state, seat, target), Picked(seat, target))


# --- sloppy dice and cheating (section 6) ---


def _check_beside_cup(state: State, action: Shaken) -> None:
    """Let a die lie beside the cup with the shake, or right after it while nothing is claimed."""
    just_shaken = state.hand is not None and action.seat == state.shower and state.hand.beside is None
    if not just_shaken:
        check(legal(state), Shaken(action.seat))
    if not state.rules.exposed:
        raise UNDER_THE_CUP.error(action.seat)


def _check_happened(state: State, action: OnFloor | Caught) -> None:
    if state.tally.closed:
        raise ENDED.error()
    if action.seat in state.tally.gone:
        raise GONE.error(action.seat)
    if isinstance(action, Caught) and state.hand is None:
        raise NO_CUP_YET.error()
    if isinstance(action, Caught) and action.seat not in _holding(state):
        raise NOT_IN_THE_ACT.error(action.seat)


def _fell(state: State, action: OnFloor) -> Outcome:
    """Hand out a drink for each die on the floor; the turn goes on, and dice not claimed yet may be shaken again."""
    state = replace(state, tally=state.tally.hand_out([(action.seat, action.dice)]))
    if state.hand is not None and state.shower is not None:
        state = replace(state, hand=replace(state.hand, dropped=True))
    return state, (Penalized(action.seat, action.dice),)


def _caught(state: State, seat: Seat) -> Outcome:
    """Caught in the act: a drink, and the next player rolls fresh."""
    return settle(state, {seat: 1}, state.away(seat), loser=seat)
