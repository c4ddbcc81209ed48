"""Mexican as it is played in Changsha: announce more than the last, or call; some rolls are better shown.

How the cup goes round is in ``mexican_turn``; here is what may be announced, who is right after a call, and what the
specials do. The paragraphs named are those of ``docs/mexican_changsha.md``.
"""

from dataclasses import replace
from fractions import Fraction

from mexico.bluff import Announce, Closed, Exposed
from mexico.game import Ask, HasSeat, Left, Legal, Refusal, Rolled, Seat
from mexico.mexican_changsha_house import ChangshaRules, Equal, Mexican, OpenerTest, Special, Test, Unshaken
from mexico.mexican_table import (
    Announced,
    Challenged,
    Chosen,
    Conceded,
    CupAction,
    Lifted,
    Picked,
    Result,
    RuleMade,
    Shaken,
    Shown,
    Swapped,
    Table,
    Turned,
)
from mexico.mexican_turn import (
    and_then,
    announce,
    anybody,
    begin,
    challenge,
    check,
    check_heard,
    choose,
    go_on,
    lift,
    lifted,
    presses,
    settle,
    shake,
    show,
    waiting,
    why_not,
)
from mexico.odds import under_cup
from mexico.throw import MEXICO, RANKING, Throw

State = Table[ChangshaRules]
Outcome = Result[ChangshaRules]

REVERSE, SOCIAL, SWITCHAROO = Throw(3, 1), Throw(4, 1), Throw(5, 1)
JUDGEMENT_DAY, SMOOCHY, RULES = Throw(6, 1), Throw(5, 5), Throw(6, 6)

NOT_ENOUGH = Refusal("{player} must announce more than before", "CHANGSHA 2", "002")
SHOW_21 = Refusal("21 is shown, never announced", "CHANGSHA 4 / changsha.mexican", "002")
SHOW_SPECIALS = Refusal(
    "a special is shown, never announced", "CHANGSHA 4 / changsha.special", "the documents are silent"
)
NO_SPECIAL = Refusal("that is no special here, put the cup back", "CHANGSHA 4", "002")
NOT_PASSED_ON = Refusal("{player} shakes first: it was not passed on", "CHANGSHA 5 / changsha.unshaken", "002")
ALWAYS_SHAKE = Refusal("{player} shakes first, always", "CHANGSHA 5 / changsha.unshaken", "002")
UNDER_THE_CUP = Refusal("both dice belong under the cup: shake again", "CHANGSHA 2", "002")
ONLY_STUCK = Refusal("{player} can still announce or call", "CHANGSHA 2", "002")


def start(rules: ChangshaRules, seats: int, *, opener: Seat | None = None, clockwise: bool = True) -> State:
    """Return the game before its first event.

    Parameters
    ----------
    rules : ChangshaRules
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
    now = waiting(state)
    if now is None:
        return _in_play(state)
    if state.hand is not None and state.hand.special == SMOOCHY:
        return replace(now, choices=(*now.choices, Conceded(state.hand.turn)))
    return now


def _in_play(state: State) -> Legal[HasSeat]:
    hand, shower = state.running, state.shower
    choices = presses(
        state,
        _announcements(state),
        unshaken=state.rules.unshaken is not Unshaken.NEVER,
        stuck=not _values(state) and (hand.shaken or hand.announcer is not None),
    )
    return Legal(
        hand.turn,
        dice=0,
        choices=choices,
        refusals={**why_not(state), **_refusals(state)},
        asks=() if shower is None else (Ask(shower, "show", 2),),
        blind=True,
    )


def apply(state: State, action: CupAction) -> Outcome:
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
        case _:
            return _pressed(state, action)


def redact(state: State, viewer: Seat | None) -> State:  # noqa: ARG001 - nobody's dice are in the state
    """Return what *viewer* may know: everything, for dice under a cup are in no state."""
    return state


def _pressed(state: State, action: Shaken | Announced | Challenged | Chosen | Conceded) -> Outcome:
    now = legal(state)
    if isinstance(action, Announced):
        _check_value(state, action)
    if isinstance(action, Shaken) and action.beside is not None:
        check(now, Shaken(action.seat))
        raise UNDER_THE_CUP.error(action.seat)
    check(now, action)
    match action:
        case Shaken(seat):
            return shake(state, seat), ()
        case Announced():
            return announce(state, action)
        case Challenged(seat):
            return challenge(state, seat)
        case Chosen(seat, target):
            return _chosen(state, seat, target)
        case Conceded(seat):
            return _conceded(state, seat)


# --- what may be announced (sections 2, 4 and 5) ---


def _values(state: State) -> tuple[Throw, ...]:
    """Return what may be announced by somebody whose turn to announce it is, lowest first."""
    to_beat = state.running.to_beat
    return tuple(value for value in RANKING if (to_beat is None or value > to_beat) and not _only_shown(state, value))


def _only_shown(state: State, value: Throw) -> Refusal | None:
    """Return why *value* is shown and not announced, None when it may be announced."""
    if value == MEXICO:
        return SHOW_21 if state.rules.mexican is Mexican.MUST_SHOW else None
    hidden = state.rules.special is Special.ON_SHOW or value not in specials(state.rules)
    return None if hidden else SHOW_SPECIALS


def _announcements(state: State) -> tuple[Announced, ...]:
    hand = state.running
    if state.spoken or not (hand.shaken or _may_leave_unshaken(state)):
        return ()
    return tuple(Announced(hand.turn, value, on) for on in (False, True) for value in _values(state))


def _may_leave_unshaken(state: State) -> bool:
    hand = state.running
    if hand.announcer is None:
        return False
    match state.rules.unshaken:
        case Unshaken.ALWAYS:
            return True
        case Unshaken.ONLY_AFTER_PASS_IT_ON:
            return hand.passed_on
        case Unshaken.NEVER:
            return False


def _refusals(state: State) -> dict[type, Refusal]:
    hand = state.running
    found: dict[type, Refusal] = {Conceded: ONLY_STUCK}
    if state.rules.announce is Announce.ENTERED and not hand.shaken and hand.announcer is not None:
        found[Announced] = ALWAYS_SHAKE if state.rules.unshaken is Unshaken.NEVER else NOT_PASSED_ON
    return found


def _check_value(state: State, action: Announced) -> None:
    """Refuse a value for what it is, where its announcer might announce another one."""
    check_heard(state)
    if waiting(state) is not None or action.seat != state.running.turn:
        return
    if state.running.shaken or _may_leave_unshaken(state):
        refusal = _only_shown(state, action.value) or (None if action.value in _values(state) else NOT_ENOUGH)
        if refusal is not None:
            raise refusal.error(action.seat)


# --- the call (section 3) ---


def _judged(state: State, throw: Throw) -> Outcome:
    """Find who loses now that the dice called for lie open: the liar, or who called."""
    state = lift(state, throw)
    if state.spoken:
        return state, ()
    accused, caller = state.running.duel
    loser, winner = (accused, caller) if _bluffed(state, throw) else (caller, accused)
    return settle(state, {loser: 1}, loser, loser=loser, winner=winner)


def honest(state: State) -> Fraction | None:
    """Return how likely who announced last wins a call, for somebody who sees no dice; None where he cannot be called.

    Held against what the house holds them against: the value that was to beat, or the one announced (section 3).
    """
    if state.hand is None or not state.hand.claimed:
        return None
    return under_cup(lambda throw: not _bluffed(state, throw))


def _bluffed(state: State, throw: Throw) -> bool:
    rules, hand = state.rules, state.running
    if rules.special is Special.MUST_SHOW and throw in specials(rules) and hand.roller == hand.announcer:
        return True
    if hand.before is None and rules.opener_test is OpenerTest.ALWAYS_TRUE:
        return False
    if hand.before is None or rules.test is Test.ANNOUNCED:
        return hand.to_beat is not None and throw < hand.to_beat
    if throw == hand.before:
        return rules.equal is Equal.BLUFF
    return throw < hand.before


def _conceded(state: State, seat: Seat) -> Outcome:
    """Somebody gives in: he has nothing left to announce, owns up, or does not want to be kissed."""
    hand = state.running
    if hand.special == SMOOCHY:
        return settle(state, {}, seat)
    if hand.conceding:
        accused, caller = hand.duel
        return settle(state, {seat: 1}, seat, loser=seat, winner=caller if seat == accused else accused)
    return settle(state, {seat: 1}, seat, loser=seat, winner=hand.announcer)


# --- the specials (section 4) ---


def specials(rules: ChangshaRules) -> frozenset[Throw]:
    """Return the rolls besides 21 that do something in this house."""
    known = {
        REVERSE: rules.reverse,
        SOCIAL: rules.social,
        SWITCHAROO: rules.switcharoo,
        JUDGEMENT_DAY: rules.judgement_day,
        SMOOCHY: rules.smoochy,
        RULES: rules.rules,
    }
    return frozenset(throw for throw, on in known.items() if on)


def _check_shown(state: State, action: Shown) -> None:
    now = legal(state)
    if now.seat is None or state.hand is None or action.seat != state.shower:
        check(now, action)
    if action.throw != MEXICO and action.throw not in specials(state.rules):
        raise NO_SPECIAL.error(action.seat)


def _shown(state: State, action: Shown) -> Outcome:
    """Do what the special that lies open does; it need not beat anything."""
    state, told = show(state, action)
    seat = action.seat
    neighbour = state.away(seat)
    if action.throw == MEXICO:
        return and_then(settle(state, {neighbour: 1}, neighbour, loser=neighbour, winner=seat), *told)
    if action.throw == SOCIAL:
        return and_then(settle(state, dict.fromkeys((seat, *state.others(seat)), 1), seat), *told)
    if action.throw == REVERSE:
        state = state.turned()
        return go_on(state, state.away(seat)), (*told, Turned(state.clockwise))
    if action.throw == SWITCHAROO:
        return and_then(_swapped(state, seat), *told)
    if action.throw == JUDGEMENT_DAY:
        return choose(state, seat, action.throw, state.others(seat)), told
    if action.throw == SMOOCHY:
        return choose(state, neighbour, action.throw, _both_sides(state, neighbour)), told
    made = () if action.rule is None else ((seat, action.rule),)
    state = replace(state, made=(*state.made, *made))
    return and_then(settle(state, {}, neighbour), *told, RuleMade(seat, action.rule))


def _swapped(state: State, seat: Seat) -> Outcome:
    """*seat* swaps places with the second next; of two players each stays where he is."""
    other = state.away(seat, 2)
    if other == seat:
        return go_on(state, state.away(seat)), ()
    state = state.swapped(seat, other)
    return go_on(state, state.away(seat)), (Swapped(seat, other),)


def _both_sides(state: State, seat: Seat) -> tuple[Seat, ...]:
    return tuple(dict.fromkeys((state.away(seat), state.away(seat, -1))))


def _chosen(state: State, seat: Seat, target: Seat) -> Outcome:
    """Judgement day: the chosen gets a mark and opens. Smoochy: the way the kiss goes; who chose it opens."""
    if state.running.special == SMOOCHY:
        return and_then(settle(state, {}, seat), Picked(seat, target))
    perform = Picked(seat, target, state.rules.perform)
    return and_then(settle(state, {target: 1}, target), perform)
