"""The Stanford variation: one box of six dice goes round, and every claim must be higher than the last.

Reads top to bottom: how a game starts, who may do what, a turn with dice inside and outside the box, a claim that is
doubted, how a round ends. The paragraphs named are those of ``docs/liars_stanford.md``.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

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
from mexico.liars_stanford_house import StanfordRules
from mexico.liars_stanford_state import (
    Action,
    Claimed,
    Hand,
    LaidOpen,
    Opened,
    Pressed,
    PutBack,
    RolledOutside,
    State,
)
from mexico.ring import after, turned
from mexico.stanford_hands import DICE, Claim, HandOrder, SixDice, all_hands, at_least, place

HIGHEST = Refusal("nothing is higher: {player} can only call the bluff", "HANDS 3", "004")
HAS_TAKEN = Refusal("{player} has taken the box: believed is believed", "HANDS 3", "004")
ROLLED_ONCE = Refusal("{player} opens, and has rolled outside already", "HANDS 3", "004")
TOO_MANY = Refusal("so many dice are not in the box of {player}", "HANDS 3", "004")
NOT_SO_MANY = Refusal("not the number of dice that {player} pressed", "HANDS 3", "004")
NOT_OUTSIDE = Refusal("these dice of {player} do not lie outside", "HANDS 3", "004")
OTHER_DICE = Refusal("the dice outside were others: {player} shows all six", "HANDS 4", "the documents are silent")

PRESSES: tuple[type, ...] = (
    Claimed,
    Rerolled,
    RolledOutside,
    LaidOpen,
    PutBack,
    Challenged,
    Conceded,
    Revealed,
)
HANDLING = (Rerolled, RolledOutside, LaidOpen, PutBack)

Outcome = tuple[State, tuple[Fact, ...]]


def start(rules: StanfordRules, seats: int, *, opener: Seat | None = None) -> State:
    """Return the game before its first event.

    Parameters
    ----------
    rules : StanfordRules
        What the table has agreed on.
    seats : int
        Number of players, 2 to 8.
    opener : Seat, optional
        Who opens the first round; rolled for when None.
    """
    return _dealt(State(rules, HandTable.of(seats, opener)))


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
    return _showing(hand.challenge)


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
        case RolledOutside() | LaidOpen():
            return _opened(state, action)
        case _:
            return _pressed(state, action)


def _pressed(state: State, action: Pressed) -> Outcome:
    """Take what is one of the choices: a claim whichever way it is put, or another press."""
    if isinstance(action, Claimed):
        legal(state).check(Claimed(action.seat, Claim.of(action.claim.hand)))
        return _claimed(state, action.seat, action.claim)
    legal(state).check(action)
    match action:
        case Rerolled(_, dice):
            return _rerolled(state, dice)
        case PutBack(_, faces):
            return _put_away(state, state.running.put_back(faces)), ()
        case Challenged(seat):
            return _doubted(state, seat)
        case Conceded(seat):
            return _lost(state, seat)


def redact(state: State, viewer: Seat | None) -> State:  # noqa: ARG001 - there is nothing to take out
    """Return what *viewer* may know: everything, no state holds dice that were not shown."""
    return state


# --- who may do what (sections 3 and 4) ---


def _turn(state: State) -> Legal[HasSeat]:
    """Claim more, roll, lay open or put back dice, or call the bluff as long as the box is not touched."""
    hand = state.running
    seat, opens = hand.turn, hand.claim is None
    choices: list[HasSeat] = list(_claims(state, seat))
    refusals = {
        Claimed: TOO_LOW if choices else HIGHEST,
        Conceded: DICE_DECIDE,
        Revealed: NOBODY_CALLED,
        Challenged: NOTHING_CALLED if opens else HAS_TAKEN,
        **dict.fromkeys(HANDLING, TOO_MANY if choices else HIGHEST),
        PutBack: NOT_OUTSIDE if choices else HIGHEST,
    }
    asks: tuple[Ask, ...] = ()
    if choices:
        choices += _handling(hand)
        asks = _asks(hand)
        refusals |= {Rerolled: OPENER_CALLS} if opens else {}
        if _rolls_left(hand) <= 0:
            refusals |= {RolledOutside: ROLLED_ONCE if opens else REROLLS_USED}
            refusals |= {} if opens else {Rerolled: REROLLS_USED}
    if not opens and not hand.taken:
        choices.append(Challenged(seat))
    return Legal(seat, 0, tuple(choices), refusals, asks, blind=True, ordinary=ORDINARY)


def _claims(state: State, seat: Seat) -> tuple[Claimed, ...]:
    """Return every claim of *seat* that is legal now, the least raise first."""
    claim, order = state.running.claim, state.rules.order
    return _all_claims(seat, order)[0 if claim is None else place(claim.hand, order) + 1 :]


@cache
def _all_claims(seat: Seat, order: HandOrder) -> tuple[Claimed, ...]:
    return tuple(Claimed(seat, Claim.of(hand)) for hand in all_hands(order))


def _rolls_left(hand: Hand) -> int:
    """Return how often the seat on turn may still roll; who opens has rolled all six, some of them outside."""
    return (1 if hand.claim is None else MOST_REROLLS) - hand.rolls


def _handling(hand: Hand) -> list[HasSeat]:
    """Return what may be done to the dice without the camera."""
    choices: list[HasSeat] = []
    if hand.claim is not None and _rolls_left(hand):
        counts = sorted({*range(hand.inside + 1), DICE})
        choices += [Rerolled(hand.turn, count) for count in counts]
    return [*choices, *(PutBack(hand.turn, faces) for faces in _parts(hand.outside))]


def _parts(faces: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every choice of dice among *faces*, fewest first; which of two equal ones does not matter."""
    counted = sorted(Counter(faces).items())
    takes = product(*(range(count + 1) for _, count in counted))
    parts = [
        tuple(face for (face, _), count in zip(counted, take, strict=True) for _ in range(count)) for take in takes
    ]
    return sorted((part for part in parts if part), key=lambda part: (len(part), part))


def _asks(hand: Hand) -> tuple[Ask, ...]:
    """Return the looks at the dice outside: as many as will lie there, those that lie there already included."""
    lying = range(len(hand.outside) + 1, DICE + 1)
    rolled = tuple(Ask(hand.turn, "outside", count) for count in lying) if _rolls_left(hand) else ()
    return (*rolled, *(Ask(hand.turn, "show", count) for count in lying))


def _spoken(state: State) -> Legal[HasSeat]:
    """Return the presses where claims are only spoken: anybody may doubt the one before him."""
    refusals = {
        **dict.fromkeys(PRESSES, NOT_COUNTED),
        Claimed: SPOKEN,
        Conceded: UNDECIDED,
        Revealed: NOBODY_CALLED,
    }
    opener = state.table.first
    ring = turned(state.table.tally.playing, after(state.table.tally.playing, opener))
    return Legal(opener, 0, tuple(map(Challenged, ring)), refusals, blind=True, ordinary=ORDINARY)


def _showing(challenge: Challenge) -> Legal[HasSeat]:
    """Six dice are due; where claims are spoken the loser says so once they lie there."""
    if challenge.waiting:
        return Legal(challenge.accused, DICE, (), dict.fromkeys(PRESSES, SHOW_FIRST), ordinary=ORDINARY)
    choices = (Conceded(challenge.accused), Conceded(challenge.other))
    return Legal(challenge.accused, 0, choices, dict.fromkeys(PRESSES, CONCEDE), ordinary=ORDINARY)


# --- a turn (section 3) ---


def _claimed(state: State, seat: Seat, claim: Claim) -> Outcome:
    """Pass the box on with what lies outside it."""
    turn = after(state.table.tally.playing, seat)
    hand = state.running
    return _put_away(state, Hand(turn, claim, seat, outside=hand.outside, kept=hand.kept)), ()


def _rerolled(state: State, dice: int) -> Outcome:
    """Count a roll in the box; who rolls all six has put those outside back."""
    hand = state.running
    outside = () if dice == DICE else hand.outside
    kept = dice < hand.inside and (hand.kept or dice > 0)
    return _put_away(state, replace(hand, taken=True, rolls=hand.rolls + 1, outside=outside, kept=kept)), ()


def _opened(state: State, action: Opened) -> Outcome:
    """Keep the faces of dice that were rolled, or laid, beside the box."""
    now = legal(state)
    seat = now.check_turn(action)
    hand = state.hand
    if hand is None or not now.asks or (isinstance(action, RolledOutside) and not _rolls_left(hand)):
        raise now.refusals[type(action)].error(seat)
    if action.pressed not in (None, len(action.faces)):
        raise NOT_SO_MANY.error(seat)
    if len(action.faces) > hand.inside:
        raise TOO_MANY.error(seat)
    hand = hand.put_outside(action.faces)
    if isinstance(action, RolledOutside):
        hand = replace(hand, rolls=hand.rolls + 1)
    return _put_away(state, hand), ()


def honest(state: State) -> Fraction | None:
    """Return how likely who claimed last has that hand or better, for somebody who sees only what lies open.

    None without a claim, and where dice in the box were chosen to stay there or put back: what is in it then is choice
    as much as chance. Also None once the next has touched the dice, and once they lie there.
    """
    hand = state.hand
    if hand is None or hand.claim is None or hand.taken or hand.kept:
        return None
    if hand.challenge is not None and not hand.challenge.waiting:
        return None
    return at_least(hand.claim.hand, state.rules.order, hand.outside)


def _doubted(state: State, seat: Seat) -> Outcome:
    """Wait for the dice of the one who claimed; where claims are spoken, of the one before *seat*."""
    hand = state.running
    accused = turned(state.table.tally.playing, seat)[-1] if hand.claimer is None else hand.claimer
    hand = replace(hand, challenge=Challenge(accused, seat, (accused,)))
    return replace(state, table=state.table.cleared(), hand=hand), (BluffCalled(accused, seat),)


# --- dice that are shown (section 4) ---


def _revealed(state: State, revealed: Revealed) -> Outcome:
    """Take all six dice of the accused: he has what he claimed, or better, or has lost."""
    seat = revealed.seat
    check_playing(state.table, seat)
    challenge = None if state.hand is None else state.hand.challenge
    if challenge is None:
        raise legal(state).refusals[Revealed].error(seat)
    if seat != challenge.accused:
        raise NOT_ACCUSED.error(seat)
    if not challenge.waiting:
        raise SHOWN.error(seat)
    hand = state.running
    if not hand.fits(revealed.faces):
        raise OTHER_DICE.error(seat)
    state = replace(state, table=state.table.show(revealed), hand=replace(hand, challenge=challenge.shown_by(seat)))
    if hand.claim is None:
        return state, ()
    order = state.rules.order
    true = SixDice.of(revealed.faces).strength(order) >= hand.claim.hand.strength(order)
    return _lost(state, challenge.other if true else seat)


# --- the end of a round (section 5) ---


def _lost(state: State, loser: Seat) -> Outcome:
    challenge, rules = state.running.challenge, state.rules
    if challenge is None:
        raise RuntimeError("nobody's bluff is called")
    winner = challenge.other if loser == challenge.accused else challenge.accused
    table, told = lose(state.table, loser, winner, marks=rules.drinks, wager=0, rounds=rules.end_rounds)
    return _changed(state, table, told)


def _exposed(state: State, seat: Seat) -> Outcome:
    """Have the hand begun anew after the box was lifted without a press, or play on; nothing was read."""
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
