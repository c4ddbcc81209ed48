"""Liar's dice, common hand: everybody bids on the dice of all.

Reads top to bottom: how a game starts, who may do what, what a bid, a call and a reveal do, who may come and go. What
a hand costs and who opens the next one is in ``liars_common_settle``; the paragraphs named are those of
``docs/liars_common.md``.
"""

from collections.abc import Iterator
from dataclasses import replace

from mexico.bidding import Bid, raises
from mexico.bluff import Accident, Announce, Closed, Exposed, Revealed, Tally
from mexico.game import HasSeat, Left, Legal, Ordinary, Refusal, Rolled, Seat
from mexico.liars_common_house import CommonRules, MayChallenge
from mexico.liars_common_settle import Outcome, begin_hand, game_over, judge, settle, verdict, void
from mexico.liars_common_state import Action, Bade, Call, Challenged, Conceded, SeatLeft, SpotOn, State, changed
from mexico.ring import turned
from mexico.rolloff import LeadFound, LeadTied, Rolloff

SILENT = "the documents are silent"
ORDINARY = Ordinary.of(over=("LIARS 7", "004"), turn=("LIARS 3", "004"))
OPENING = Ordinary.of(over=("LIARS 7", "004"), turn=("LIARS 1", SILENT))
ROLLING = Refusal("one die each first, to find who opens", "LIARS 1", SILENT)
ROLLED = Refusal("who opens is known: no die is rolled", "LIARS 1", SILENT)
NO_BID = Refusal("there is no bid yet that could be called", "LIARS 4", "004")
OWN_BID = Refusal("{player} cannot call his own bid", "LIARS 4 / challenge", "004")
NO_SPOT_ON = Refusal("this table plays without spot on", "LIARS 4 / spot_on", "004")
SPOKEN = Refusal("bids are only spoken at this table", "LIARS 2 / announce", "004")
TOO_MANY = Refusal("there are not so many dice in play", "LIARS 2", "004")
NO_ACES = Refusal("aces are wild here and cannot be bid", "LIARS 2 / aces_biddable", "004")
NO_RAISE = Refusal("no bid is higher than this one: it can only be called", "LIARS 3 / bidding", "004")
TOO_LOW = {
    1: Refusal("bid more of this face, or a higher face", "LIARS 3 / bidding", "004"),
    2: Refusal("bid more dice, or as many of a higher face", "LIARS 3 / bidding", "004"),
    3: Refusal("one number must be above both of the last bid", "LIARS 3 / bidding", "004"),
    4: Refusal("number times face must be higher than before", "LIARS 3 / bidding", "004"),
    5: Refusal("raise the number or the face, and lower neither", "LIARS 3 / bidding", "004"),
}
NOT_CALLED = Refusal("nobody has called: the cups stay down", "LIARS 5", "004")
SHOWING = Refusal("a bid is called: the dice are shown now", "LIARS 5", "004")
HAS_SHOWN = Refusal("{player} has shown his dice already", "LIARS 5", SILENT)
RECOUNT = Refusal("recount: {player} has another number of dice", "LIARS 5", SILENT)
COUNTED = Refusal("the count decides here, nobody concedes", "LIARS 5 / announce", "004")
CONCEDE = Refusal("all is shown: who has lost says so", "LIARS 5 / announce", SILENT)
TO_WHOM = Refusal("{player} must say who made the last bid", "LIARS 5 / announce, challenge", SILENT)
NOT_CONCERNED = Refusal("it was not the bid of {player}", "LIARS 5 / announce", SILENT)
NOT_IN = Refusal("{player} is not in the game any more", "LIARS 7", SILENT)


def start(rules: CommonRules, seats: int, *, wager: int = 1, opener: Seat | None = None) -> State:
    """Return the game before its first event.

    Parameters
    ----------
    rules : CommonRules
        What the table has agreed on.
    seats : int
        Number of players, 2 to 8.
    wager : int
        What the game or, in `Mode.ROUND_WAGER`, a hand is played for, in small coins.
    opener : Seat, optional
        Who opens the first hand; rolled for when None.
    """
    dice = (rules.dice_each,) * seats
    state = State(rules, wager, dice, Tally.of(seats), (0,) * seats)
    return replace(state, rolloff=Rolloff(state.playing)) if opener is None else begin_hand(state, opener)


def legal(state: State) -> Legal[HasSeat]:
    """Return who may bid what, who may call, or whose dice are to be shown."""
    if state.tally.closed:
        return Legal(seat=None, dice=0, choices=(), ordinary=ORDINARY)
    if state.rolloff is not None:
        first = dict.fromkeys((Bade, Challenged, SpotOn, Conceded, Revealed), ROLLING)
        return Legal(state.rolloff.waiting[0], dice=1, choices=(), refusals=first, ordinary=OPENING)
    call, entered = state.running.call, state.rules.announce is Announce.ENTERED
    if call is None:
        choices = (*_bids(state), *_calls(state))
        why = _why_no_call(state)
        return Legal(state.turn, dice=0, choices=choices, refusals=why, blind=True, ordinary=ORDINARY)
    if showing := state.showing():
        refusals = {**dict.fromkeys((Bade, Challenged, SpotOn), SHOWING), Conceded: COUNTED if entered else SHOWING}
        return Legal(showing[0], dice=state.dice[showing[0]], choices=(), refusals=refusals, ordinary=ORDINARY)
    refusals = dict.fromkeys((Bade, Challenged, SpotOn, Revealed), CONCEDE)
    return Legal(call.caller, dice=0, choices=tuple(_concessions(call)), refusals=refusals, ordinary=ORDINARY)


def apply(state: State, action: Action) -> Outcome:
    """Return the state after *action* and the facts that follow from it.

    Raises
    ------
    IllegalAction
        If the rules refuse the action; *state* is as it was, as always.
    """
    if state.tally.closed:
        raise ORDINARY.over.error()
    match action:
        case Left(seat):
            return _leave(state, seat)
        case Closed(seat):
            return _close(state, seat)
        case Exposed(seat):
            return _exposed(state, seat)
        case Revealed():
            return _revealed(state, action)
        case Rolled():
            return _die(state, action)
        case Conceded():
            return _conceded(state, action)
        case Bade():
            _check_bid(state, action)
            hand = replace(state.running, bidder=action.seat, bid=action.bid)
            return replace(state, hand=hand, visible=()), ()
        case Challenged() | SpotOn():
            _check_call(state, action)
            return _call(state, action.seat, exact=isinstance(action, SpotOn)), ()


def redact(state: State, viewer: Seat | None) -> State:  # noqa: ARG001 - hidden dice are in no state
    """Return what *viewer* may know: everything, for what lies under the cups nobody has told."""
    return state


# --- what may be pressed (sections 2 to 4) ---


def _bids(state: State) -> Iterator[Bade]:
    if state.rules.announce is Announce.ENTERED:
        for bid in raises(state.rules.bidding, state.running.bid, state.dice_in_play, state.faces):
            yield Bade(state.turn, bid)


def _callers(state: State) -> tuple[Seat, ...]:
    """Return who may call the last bid, the one on turn first; a bid only spoken may be anybody's."""
    hand = state.running
    if state.rules.announce is Announce.SPOKEN:
        return turned(state.playing, hand.opener)
    if hand.bid is None:
        return ()
    if state.rules.challenge is MayChallenge.TURN:
        return (state.turn,)
    return tuple(seat for seat in turned(state.playing, state.turn) if seat != hand.bidder)


def _calls(state: State) -> Iterator[Challenged | SpotOn]:
    callers = _callers(state)
    yield from map(Challenged, callers)
    if state.rules.spot_on:
        yield from map(SpotOn, callers)


def _why_no_call(state: State) -> dict[type, Refusal]:
    """Return why some kinds of press are of no use while the cups are down."""
    why: dict[type, Refusal] = {Revealed: NOT_CALLED, Conceded: COUNTED}
    if state.rules.announce is Announce.SPOKEN:
        why |= {Bade: SPOKEN, Conceded: NOT_CALLED}
    elif state.running.bid is None:
        why |= {Challenged: NO_BID, SpotOn: NO_BID}
    if not state.rules.spot_on:
        why[SpotOn] = NO_SPOT_ON
    return why


def _check(state: State, action: HasSeat) -> None:
    """Raise IllegalAction unless *action* may be done: first for what nobody may do now, then for whose turn it is."""
    now = legal(state)
    if action not in now.choices and type(action) in now.refusals:
        raise now.refusals[type(action)].error(action.seat)
    now.check(action)


def _check_bid(state: State, action: Bade) -> None:
    now = legal(state)
    if action.seat == now.seat and action not in now.choices and Bade not in now.refusals:
        raise _why_no_bid(state, action.bid).error(action.seat)
    _check(state, action)


def _why_no_bid(state: State, bid: Bid) -> Refusal:
    if not any(_bids(state)):
        return NO_RAISE
    if bid.quantity > state.dice_in_play:
        return TOO_MANY
    return TOO_LOW[state.rules.bidding] if bid.face in state.faces else NO_ACES


def _check_call(state: State, action: Challenged | SpotOn) -> None:
    if action.seat not in state.playing:
        raise NOT_IN.error(action.seat)
    hand, now = state.hand, legal(state)
    if hand is not None and hand.bidder == action.seat and type(action) not in now.refusals:
        raise OWN_BID.error(action.seat)
    _check(state, action)


# --- a call, and showing the dice (sections 4 and 5) ---


def _call(state: State, caller: Seat, *, exact: bool) -> State:
    """Lift the cups: who is called shows first, then the others clockwise, the caller last."""
    hand, bidder = state.running, _bidder(state, caller)
    first = state.next_to(caller) if bidder is None else bidder
    order = (*(seat for seat in turned(state.playing, first) if seat != caller), caller)
    finished = replace(state.finished, loser=None, winner=None, odds=None) if state.finished else None
    called = replace(hand, call=Call(caller, bidder, exact, order))
    state = replace(state, hand=called, visible=(), revealed=(), finished=finished)
    return replace(state, count=state.counted())


def _bidder(state: State, caller: Seat) -> Seat | None:
    """Return whose bid *caller* calls; None where it was only spoken and could be anybody's."""
    if state.rules.announce is Announce.ENTERED:
        return state.running.bidder
    in_turn = state.rules.challenge is MayChallenge.TURN or len(state.playing) == 2
    return state.before(caller) if in_turn else None


def _revealed(state: State, action: Revealed) -> Outcome:
    """Open the dice of one seat; seats may be shown in any order, as long as each shows what it has left."""
    seat, call = action.seat, state.hand.call if state.hand else None
    if call is None or not state.showing():
        raise legal(state).refusals[Revealed].error(seat)
    if seat not in call.order:
        raise NOT_IN.error(seat)
    if seat in state.revealed:
        raise HAS_SHOWN.error(seat)
    if len(action.faces) != state.dice[seat]:
        raise RECOUNT.error(seat)
    visible = (*state.visible, (seat, action.faces))
    state = replace(state, visible=visible, revealed=(*state.revealed, seat))
    state = replace(state, count=state.counted())
    return (state, ()) if state.showing() or state.count is None else judge(state, call)


def _bidders(call: Call) -> tuple[Seat, ...]:
    """Return whose the last bid may have been: that of the one called, or of anybody but the caller."""
    return call.order[:-1] if call.bidder is None else (call.bidder,)


def _concessions(call: Call) -> Iterator[Conceded]:
    """Yield who may say that he has lost a hand whose bids were only spoken: the caller, or whose bid it was."""
    bidders = _bidders(call)
    yield from map(Conceded, bidders)
    for bidder in bidders:
        yield Conceded(call.caller, bidder if call.bidder is None else None)


def _conceded(state: State, action: Conceded) -> Outcome:
    seat, refusals = action.seat, legal(state).refusals
    call = state.hand.call if state.hand else None
    if call is None or Conceded in refusals:
        raise refusals[Conceded].error(seat)
    if seat not in state.playing:
        raise NOT_IN.error(seat)
    is_right = seat != call.caller
    bidder = seat if is_right else call.bidder if action.to is None else action.to
    if bidder is None:
        raise TO_WHOM.error(seat)
    if bidder not in _bidders(call):
        raise NOT_CONCERNED.error(bidder)
    return settle(state, verdict(state, call, bidder, caller_is_right=is_right))


# --- rolling one die for who opens (section 1) ---


def _die(state: State, action: Rolled) -> Outcome:
    if state.rolloff is None:
        raise ROLLED.error(action.seat)
    legal(state).check(action)
    return _look(state, state.rolloff.put(action.seat, action.faces[0]))


def _look(state: State, rolloff: Rolloff) -> Outcome:
    """Look whether the dice rolled so far, or those who still roll, name who opens."""
    if rolloff.waiting:
        return replace(state, rolloff=rolloff), ()
    highest = rolloff.highest
    if len(highest) == 1:
        return begin_hand(state, highest[0]), (LeadFound(highest[0]),)
    return replace(state, rolloff=Rolloff(highest, again=True)), (LeadTied(highest),)


# --- what needs nobody's turn (sections 5 and 7) ---


def _exposed(state: State, seat: Seat) -> Outcome:
    """Let all shake again after a cup was lifted that nobody had called, or let it pass."""
    if state.hand is None:
        raise ROLLING.error(seat)
    if state.hand.call is not None:
        raise SHOWING.error(seat)
    if seat not in state.playing:
        raise NOT_IN.error(seat)
    return void(state, state.hand.opener) if state.rules.accident is Accident.RESHAKE else (state, ())


def _leave(state: State, seat: Seat) -> Outcome:
    """*seat* takes its dice away: the hand in play, if it had a part in it, counts for nobody."""
    if seat in state.tally.gone:
        raise NOT_IN.error(seat)
    dice, opener = state.dice[seat], state.hand.opener if state.hand else seat
    state = replace(
        state,
        tally=state.tally.without(seat),
        dice=changed(state.dice, seat, -dice),
        taken=state.taken + dice,
        out=(*state.out, seat) if dice else state.out,
    )
    if not dice:
        return state, (SeatLeft(seat),)
    if state.rolloff is not None:
        state, facts = _look(state, state.rolloff.without(seat))
    else:
        state, facts = void(state, opener if opener != seat else state.next_to(seat))
    if len(state.playing) == 1:
        state, facts = game_over(state)
    return state, (SeatLeft(seat), *facts)


def _close(state: State, seat: Seat) -> Outcome:
    if seat in state.tally.gone:
        raise NOT_IN.error(seat)
    if state.hand is not None:
        state, _ = void(state, state.hand.opener)
    return game_over(state, broken_off=True)
