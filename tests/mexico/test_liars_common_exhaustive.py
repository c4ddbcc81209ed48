"""Small games of common hand, played out in every way there is."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from math import factorial

import pytest

from mexico import liars_common
from mexico.bidding import Bid
from mexico.bluff import Revealed, Tally
from mexico.game import Seat
from mexico.liars_common_house import CommonRules, MayChallenge
from mexico.liars_common_state import Action, Bade, Challenged, SpotOn, State

SEATS = 3
FACES = range(1, 7)
A, B, C = Seat(0), Seat(1), Seat(2)


def between_hands(state: State) -> State:
    """Return *state* without what is only told of hands that are over: what follows does not rest on it."""
    return replace(
        state,
        finished=None,
        visible=(),
        revealed=(),
        count=None,
        tally=Tally.of(SEATS),
    )


def after_all(state: State, actions: Iterable[Action]) -> State:
    """Return the state that *actions* lead to."""
    for action in actions:
        state, _ = liars_common.apply(state, action)
    return state


def every_fall(state: State, lying: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], State]]:
    """Yield what may lie under the cups, a die each, and the state after all of it was shown."""
    now = liars_common.legal(state)
    if now.seat is None or not now.dice:
        yield lying, state
        return
    assert now.dice == 1
    for face in FACES:
        yield from every_fall(after_all(state, [Revealed(now.seat, (face,))]), (*lying, face))


def left_hand_of(state: State, seat: Seat) -> Seat:
    """Return the next seat with dice, thought out without the rules' own ring."""
    return next(Seat(n % SEATS) for n in range(seat + 1, seat + 1 + SEATS) if state.dice[n % SEATS])


def dice_after(state: State, bidder: Seat, call: Challenged | SpotOn, lying: tuple[int, ...]) -> list[int]:
    """Return how many dice each should have after *call* when *lying* is shown: section 4 in other words."""
    bid = state.running.bid
    assert bid is not None
    count = lying.count(bid.face) + (lying.count(1) if state.rules.wild_aces and bid.face != 1 else 0)
    dice = list(state.dice)
    if isinstance(call, SpotOn):
        losers = [seat for seat in range(SEATS) if seat != call.seat] if count == bid.quantity else [call.seat]
    else:
        losers = [call.seat] if count >= bid.quantity else [bidder]
    for seat in losers:
        dice[seat] = 0
    return dice


def calls_of(state: State) -> Iterator[Challenged | SpotOn]:
    """Yield the calls that are legal now."""
    for choice in liars_common.legal(state).choices:
        if isinstance(choice, Challenged | SpotOn):
            yield choice


def check_call(state: State, call: Challenged | SpotOn) -> set[State]:
    """Assert what every fall of the dice does after *call*; return the hands that begin then."""
    bidder = state.running.bidder
    assert bidder is not None
    called = after_all(state, [call])
    begun: set[State] = set()
    for lying, end in every_fall(called):
        dice = dice_after(state, bidder, call, lying)

        assert list(end.dice) == dice
        assert sum(end.dice) + end.lost == SEATS
        assert end.tally.closed == (sum(dice) == 1)
        if end.tally.closed:
            assert end.winner == dice.index(1)
            assert end.balance[end.winner] == SEATS - 1
        else:
            loser = bidder if dice[bidder] != state.dice[bidder] else call.seat
            assert end.running.opener == (loser if dice[loser] else left_hand_of(end, loser))
            begun.add(between_hands(end))
    return begun


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("system", "wild", "spot_on", "challenge"),
    [
        (2, False, False, MayChallenge.TURN),
        pytest.param(4, True, False, MayChallenge.TURN, marks=pytest.mark.slow),
        pytest.param(2, True, True, MayChallenge.ANYONE, marks=pytest.mark.slow),
    ],
)
def test_three_players_with_a_die_each_in_every_way(
    system: int, wild: bool, spot_on: bool, challenge: MayChallenge
) -> None:
    """Every bid that may be made, every call, every fall of the dice, to the end of every game."""
    rules = CommonRules(dice_each=1, bidding=system, wild_aces=wild, spot_on=spot_on, challenge=challenge)
    todo = [liars_common.start(rules, SEATS, opener=A)]
    seen = set(todo)
    while todo:
        state = todo.pop()
        calls = list(calls_of(state))
        bids = [choice for choice in liars_common.legal(state).choices if isinstance(choice, Bade)]
        assert bids or calls
        following = {after_all(state, [bid]) for bid in bids}
        for call in calls:
            following |= check_call(state, call)
        todo += following - seen
        seen |= following

    at_first = {state.running.bid for state in seen if state.dice == (1, 1, 1)}
    faces = range(2 if wild else 1, 7)
    assert at_first == {None, *(Bid(quantity, face) for quantity in (1, 2, 3) for face in faces)}
    assert {state.dice for state in seen} == {(1, 1, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0)}


# --- five dice each: who loses each hand is all that matters ---


def lost_by(state: State, loser: Seat) -> State:
    """Return *state* after a hand that *loser* lost: it is bid round until he has bid, and his bid is called."""
    number = 0
    while state.running.bidder != loser:
        number += 1
        state = after_all(state, [Bade(state.turn, Bid(number, 6))])
    state = after_all(state, [Challenged(state.turn)])
    while dice := liars_common.legal(state).dice:
        seat = liars_common.legal(state).seat
        assert seat is not None
        state = after_all(state, [Revealed(seat, (2,) * dice)])
    return state


def challenge_lost_by(state: State, loser: Seat) -> State:
    """Return *state* after a hand that *loser* lost by challenging a bid that was right."""
    number = 0
    while state.turn != loser or not number:
        number += 1
        state = after_all(state, [Bade(state.turn, Bid(number, 6))])
    state = after_all(state, [Challenged(loser)])
    while dice := liars_common.legal(state).dice:
        seat = liars_common.legal(state).seat
        assert seat is not None
        state = after_all(state, [Revealed(seat, (6,) * dice)])
    return state


@cache
def sequences(dice: tuple[int, ...]) -> int:
    """Return in how many orders three players can lose their *dice*, one at a time, until one has some left."""
    if sum(map(bool, dice)) == 1:
        return 1
    return sum(sequences((*dice[:seat], left - 1, *dice[seat + 1 :])) for seat, left in enumerate(dice) if left)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("lose", [lost_by, challenge_lost_by])
@pytest.mark.parametrize("opener", [A, B, C])
def test_five_dice_each_with_every_sequence_of_losers(lose: Callable[[State, Seat], State], opener: Seat) -> None:
    """Every order in which dice can be lost, to the end: sequences that lead to the same table are played on as one."""
    start = liars_common.start(CommonRules(), SEATS, opener=opener)
    ways = {between_hands(start): 1}
    ended, hands = 0, 0
    while ways:
        further: dict[State, int] = {}
        for state, number in ways.items():
            for loser in state.playing:
                end = lose(state, loser)
                assert end.finished is not None
                assert end.finished.loser == loser
                assert end.dice == tuple(left - (seat == loser) for seat, left in enumerate(state.dice))
                assert sum(end.dice) + end.lost == 15
                if len(end.playing) == 1:
                    assert (end.tally.closed, end.winner) == (True, end.playing[0])
                    ended += number
                else:
                    opens = loser if end.dice[loser] else left_hand_of(end, loser)
                    assert end.running.opener == end.finished.next_opener == opens
                    later = between_hands(end)
                    further[later] = further.get(later, 0) + number
        ways, hands = further, hands + 1

    assert ended == sequences((5, 5, 5)) == factorial(15) // factorial(5) ** 3 == 756_756
    assert hands == 14
