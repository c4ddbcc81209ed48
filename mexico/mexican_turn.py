"""How the cup goes round in the two games called Mexican: opening, shaking, announcing, calling, and what ends a round.

No game by itself. What may be announced, who is right after a call, and what a special does is for each game to say.
"""

from collections.abc import Sequence
from dataclasses import replace

from mexico.bluff import Accident, Closed, Ended, Exposed, Penalized, Tally
from mexico.game import NOT_YOURS, OVER, Fact, HasSeat, Left, Legal, Refusal, Rolled, Seat
from mexico.mexican_table import (
    Announced,
    Called,
    Challenged,
    Chosen,
    Claimed,
    Conceded,
    Hand,
    Opens,
    Penalties,
    R,
    Result,
    Seen,
    Shaken,
    Shown,
    Table,
)
from mexico.rolloff import LeadFound, LeadTied, Rolloff
from mexico.throw import Throw

SILENT = "the documents are silent"
ENDED = Refusal(OVER.why, "BLUFF 0.5", SILENT)
NOT_YOUR_TURN = Refusal(NOT_YOURS.why, "BLUFF 0.6", "002, 004")
NOT_POSSIBLE = Refusal("that cannot be done now by {player}", "BLUFF 0.6", "002, 004")
ONE_DIE_FIRST = Refusal("who opens is rolled for: {player} rolls one die", "BLUFF 0.7", SILENT)
NO_DIE = Refusal("nobody rolls for the opening now: use the cup", "BLUFF 0.7", SILENT)
REVEAL_DUE = Refusal("first {player} lifts the cup: it was called", "BLUFF 0.3", "002, 004")
CHOICE_DUE = Refusal("first {player} chooses somebody", "BLUFF 0.6", "002, 004")
NOT_OFFERED = Refusal("{player} cannot choose that one", "BLUFF 0.6", "002, 004")
CONCESSION_DUE = Refusal("the dice lie open: who lost says so", "BLUFF 0.6 / announce", "002, 004")
NOT_CALLED = Refusal("nobody called: the cup stays down", "BLUFF 0.3", "002, 004")
NO_CHOICE = Refusal("there is nobody to choose now", "BLUFF 0.6", "002, 004")
ONLY_SPOKEN = Refusal("say it aloud: this table is not told", "BLUFF 0.6 / announce", "002, 004")
SHAKEN_ALREADY = Refusal("{player} shook already: look, then announce", "BLUFF 0.6", "002, 004")
TOO_LATE = Refusal("too late: {player} shook, those dice are gone", "BLUFF 0.6", "002, 004")
NOTHING_CALLED = Refusal("there is nothing to call", "BLUFF 0.6", "002, 004")
SHAKE_FIRST = Refusal("{player} shakes first", "BLUFF 0.6", "002, 004")
NOBODY_HIDES = Refusal("no dice lie hidden under the cup", "BLUFF 0.3 / accident", SILENT)
GONE = Refusal("{player} is not in the game any more", "BLUFF 0.5", SILENT)
TWO_DICE = Refusal("{player} shows both dice", "BLUFF 0.3", "002, 004")
OTHER_DIE = Refusal("the die beside the cup of {player} was another", "BLUFF 0.2", "004")
PRESSES = (Shaken, Announced, Challenged, Shown, Chosen, Conceded)


# --- opening (0.7) ---


def begin(rules: R, seats: int, opener: Seat | None, *, clockwise: bool = True) -> Table[R]:
    """Return the table before its first event; who opens is rolled for when *opener* is None."""
    ring = tuple(Seat(seat) for seat in range(seats))
    table = Table(rules, Tally.of(seats), ring, clockwise)
    if opener is None:
        return replace(table, rolloff=Rolloff(ring))
    return replace(table, hand=Hand(opener, opener))


def _die_rolled(state: Table[R], action: Rolled) -> Result[R]:
    """One die fell; when all have rolled the highest opens, and equals roll again."""
    if state.tally.closed:
        raise ENDED.error()
    if state.rolloff is None:
        raise NO_DIE.error()
    turn = state.rolloff.waiting[0]
    if action.seat != turn:
        raise NOT_YOUR_TURN.error(turn, action.seat)
    return _decide_opener(state, state.rolloff.put(turn, action.faces[0]))


def _decide_opener(state: Table[R], rolloff: Rolloff) -> Result[R]:
    if rolloff.waiting:
        return replace(state, rolloff=rolloff), ()
    highest = rolloff.highest
    if len(highest) > 1:
        return replace(state, rolloff=Rolloff(highest, again=True)), (LeadTied(highest),)
    return replace(state, rolloff=None, hand=Hand(highest[0], highest[0])), (LeadFound(highest[0]),)


def open_round(state: Table[R], opener: Seat) -> Table[R]:
    """Return the table with a new round, *opener* to shake against nothing."""
    return replace(state, hand=Hand(opener, opener), next_opener=opener)


# --- who may do what ---


def waiting(state: Table[R]) -> Legal[HasSeat] | None:
    """Return who may do what while something must come before play goes on; None in play."""
    if state.tally.closed:
        return Legal(seat=None, dice=0, choices=())
    if state.rolloff is not None:
        return Legal(state.rolloff.waiting[0], dice=1, choices=(), refusals=dict.fromkeys(PRESSES, ONE_DIE_FIRST))
    hand = state.running
    if hand.special is not None:
        choices = tuple(Chosen(hand.turn, target) for target in hand.targets)
        return Legal(
            hand.turn, dice=0, choices=choices, refusals={**dict.fromkeys(PRESSES, CHOICE_DUE), Chosen: NOT_OFFERED}
        )
    if hand.conceding:
        both = tuple(Conceded(seat) for seat in hand.duel)
        return Legal(hand.turn, dice=0, choices=both, refusals=dict.fromkeys(PRESSES, CONCESSION_DUE))
    if hand.caller is not None:
        return Legal(hand.turn, dice=2, choices=(), refusals=dict.fromkeys(PRESSES, REVEAL_DUE))
    return None


def presses(state: Table[R], announcements: Sequence[Announced], *, unshaken: bool, stuck: bool) -> tuple[HasSeat, ...]:
    """Return what may be pressed in play, the announcements in the order given.

    *unshaken*: a seat may go on without shaking, so that behind the back of a table which hears nothing the cup may
    have gone further. *stuck*: nothing higher is left to announce, and the seat on turn may give in.
    """
    hand = state.running
    if state.spoken:
        return _spoken_presses(state, unshaken=unshaken)
    found: list[HasSeat] = []
    if not hand.shaken or hand.beside is not None or hand.dropped:
        found.append(Shaken(hand.turn))
    if hand.announcer is not None:
        found.append(Challenged(hand.turn))
    found.extend(announcements)
    if stuck:
        found.append(Conceded(hand.turn))
    return tuple(found)


def _spoken_presses(state: Table[R], *, unshaken: bool) -> tuple[HasSeat, ...]:
    hand = state.running
    if hand.roller is None:
        return (Shaken(hand.turn),)
    seats = (hand.turn, *state.others(hand.turn)) if unshaken else (hand.turn,)
    again = (hand.roller,) if hand.dropped and hand.roller not in seats else ()
    shakes = tuple(Shaken(seat) for seat in (*seats, *again))
    calls = tuple(Challenged(seat) for seat in seats)
    return (*shakes, *calls, Conceded(hand.turn))


def why_not(state: Table[R]) -> dict[type, Refusal]:
    """Return why, in play, the presses that are not possible are not; a game puts its own reasons over these."""
    hand = state.running
    return {
        Shaken: SHAKEN_ALREADY,
        Announced: SHAKE_FIRST,
        Challenged: TOO_LATE if hand.shaken else NOTHING_CALLED,
        Shown: SHAKE_FIRST,
        Chosen: NO_CHOICE,
    }


def check_heard(state: Table[R]) -> None:
    """Raise IllegalAction where announcements are not entered, only spoken."""
    if state.spoken and not state.tally.closed:
        raise ONLY_SPOKEN.error()


def check(now: Legal[HasSeat], action: HasSeat) -> None:
    """Raise IllegalAction unless *action* is one of the choices of *now*."""
    if now.seat is not None and action in now.choices:
        return
    if now.seat is None:
        raise ENDED.error()
    if action.seat != now.seat:
        raise NOT_YOUR_TURN.error(now.seat, action.seat)
    raise now.refusals.get(type(action), NOT_POSSIBLE).error(now.seat)


# --- the turn ---


def shake(state: Table[R], seat: Seat, beside: int | None = None) -> Table[R]:
    """*seat* shook: what was announced cannot be called any more, its dice are gone."""
    hand = state.running
    state = replace(state, visible=() if beside is None else (beside,))
    if state.spoken:
        turn = state.away(seat)
        return replace(state, hand=replace(hand.cleared(turn), roller=seat, announcer=seat, beside=beside))
    return replace(state, hand=replace(hand.cleared(seat), shaken=True, roller=seat, beside=beside))


def announce(state: Table[R], action: Announced) -> Result[R]:
    """Somebody announced: the next believes it, or calls."""
    hand = state.running
    hand = replace(
        hand,
        turn=state.away(action.seat),
        shaken=False,
        announcer=action.seat,
        before=hand.to_beat,
        to_beat=action.value,
        passed_on=action.pass_it_on,
    )
    visible = () if hand.beside is None else (hand.beside,)
    return replace(state, hand=hand, visible=visible), (Claimed(action.seat, action.value),)


def challenge(state: Table[R], seat: Seat) -> Result[R]:
    """*seat* calls: whoever announced last shows the dice. Of spoken claims that is who sits before him."""
    hand = state.running
    accused = state.away(seat, -1) if state.spoken or hand.announcer is None else hand.announcer
    state = replace(state, hand=replace(hand, caller=seat, announcer=accused, turn=accused), revealed=())
    return state, (Called(seat, accused),)


def lift(state: Table[R], throw: Throw) -> Table[R]:
    """Lay open the dice called for; where claims are spoken, the two concerned settle it."""
    hand = state.running
    accused, _ = hand.duel
    state = replace(state, visible=(throw.high, throw.low), revealed=(accused,))
    return replace(state, hand=replace(hand, conceding=True)) if state.spoken else state


def lifted(state: Table[R], faces: Sequence[int]) -> Throw:
    """Return the throw of *faces*, read after a call; a die beside the cup need not be read again.

    Raises
    ------
    IllegalAction
        If nobody called, or if these cannot be the dice.
    """
    if state.tally.closed:
        raise ENDED.error()
    hand = state.hand
    if hand is None or hand.caller is None or hand.conceding:
        raise NOT_CALLED.error()
    if len(faces) == 1 and hand.beside is not None:
        faces = (*faces, hand.beside)
    if len(faces) != 2:
        raise TWO_DICE.error(hand.turn)
    throw = Throw.of(*faces)
    check_beside(hand, throw, hand.turn)
    return throw


def check_beside(hand: Hand, throw: Throw, seat: Seat) -> None:
    """Raise IllegalAction when the die that everybody saw beside the cup is not in *throw*."""
    if hand.beside is not None and hand.beside not in (throw.high, throw.low):
        raise OTHER_DIE.error(seat)


def show(state: Table[R], action: Shown) -> Result[R]:
    """Somebody shows what he shook; what it does is for the game to say."""
    throw = action.throw
    return replace(state, visible=(throw.high, throw.low), revealed=(action.seat,)), (Seen(action.seat, throw),)


def go_on(state: Table[R], turn: Seat) -> Table[R]:
    """After a special that hands out nothing: *turn* shakes against the same value, the dice shown are nobody's."""
    return replace(state, hand=state.running.cleared(turn), tally=state.tally.hand_out(()))


def choose(state: Table[R], seat: Seat, special: Throw, targets: tuple[Seat, ...]) -> Table[R]:
    """Wait for *seat* to choose one of *targets*."""
    return replace(state, hand=replace(state.running, turn=seat, special=special, targets=targets))


# --- the end of a round ---


def settle(
    state: Table[R], penalties: Penalties, opener: Seat, *, loser: Seat | None = None, winner: Seat | None = None
) -> Result[R]:
    """Hand out *penalties*, each seat's once; *opener* opens the next round unless that was the last."""
    tally = state.tally.hand_out(penalties.items()).round_over(state.rules.end_rounds)
    state = replace(put_away(state), tally=tally, loser=loser, winner=winner)
    told: tuple[Fact, ...] = tuple(Penalized(seat, penalty) for seat, penalty in penalties.items())
    if tally.closed:
        return replace(state, hand=None), (*told, Ended(tally.fewest))
    return open_round(state, opener), (*told, Opens(opener))


def put_away(state: Table[R]) -> Table[R]:
    """Return the table of a round that is gone: no die lies beside the cup, what was shown still lies there."""
    return replace(state, visible=()) if len(state.visible) == 1 else state


def and_then(outcome: Result[R], *before: Fact) -> Result[R]:
    """Return *outcome* with the facts *before* told first."""
    state, facts = outcome
    return state, (*before, *facts)


# --- what anybody may do ---


def anybody(state: Table[R], action: Left | Closed | Exposed | Rolled) -> Result[R]:
    """Do what needs no cup in the hand: leave, close, lift it by accident, roll one die for the opening."""
    match action:
        case Left():
            return _leave(state, action)
        case Closed():
            return _close(state, action)
        case Exposed():
            return _exposed(state, action)
        case Rolled():
            return _die_rolled(state, action)


def _exposed(state: Table[R], action: Exposed) -> Result[R]:
    """Let whose dice were seen before anybody called shake again, against what he had to beat (0.3)."""
    _check_in(state, action.seat)
    hand = state.hand
    if hand is None or hand.roller is None or not hand.in_play:
        raise NOBODY_HIDES.error()
    if state.rules.accident is Accident.PLAYS_ON:
        return state, ()
    if state.spoken:
        return replace(state, hand=hand.cleared(hand.roller), visible=()), ()
    if not hand.shaken and hand.announcer is not None:
        hand = replace(hand, turn=hand.announcer, to_beat=hand.before)
    return replace(state, hand=hand.cleared(hand.turn), visible=()), ()


def _leave(state: Table[R], action: Left) -> Result[R]:
    """Somebody gets up: the round is void, nobody is penalized, and its opener opens again, or the next after him."""
    seat = action.seat
    _check_in(state, seat)
    state = put_away(replace(state, tally=state.tally.without(seat)))
    if state.tally.closed:
        return _over(state)
    if state.rolloff is not None:
        return _decide_opener(state, state.rolloff.without(seat))
    opener = state.running.opener
    return open_round(state, state.away(seat) if opener == seat else opener), ()


def _close(state: Table[R], action: Closed) -> Result[R]:
    """End the game: it is closing time."""
    _check_in(state, action.seat)
    return _over(put_away(replace(state, tally=state.tally.close())))


def _over(state: Table[R]) -> Result[R]:
    return replace(state, hand=None, rolloff=None), (Ended(state.tally.fewest),)


def _check_in(state: Table[R], seat: Seat) -> None:
    if state.tally.closed:
        raise ENDED.error()
    if seat in state.tally.gone:
        raise GONE.error(seat)
