"""The five bidding systems: which bid may follow another, and that every bidding ends."""

from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest

from mexico.bidding import HEIGHT, SYSTEMS, Bid, faces_to_bid, matching, raises

MOST = 30
FACES = {
    f"wild aces {wild}, aces {'always' if always else 'only without wilds'}": faces_to_bid(
        wild_aces=wild, always_aces=always
    )
    for wild, always in product((True, False), repeat=2)
}
Graph = dict[Bid, Sequence[Bid]]


@cache
def graph(system: int, dice: int, faces: tuple[int, ...]) -> Graph:
    """Return every bid with those that may follow it, straight from the predicate."""
    bids = [Bid(quantity, face) for quantity, face in product(range(1, dice + 1), faces)]
    return {old: tuple(new for new in bids if SYSTEMS[system](new, old)) for old in bids}


def longest_chain(raises_of: Graph) -> int:
    """Return how many bids the longest bidding has; fail when one could go on for ever.

    Bids that nothing left may follow are taken away until none is left, each a step further from the end than the
    farthest of its raises; what can never be taken away would be a circle.
    """
    length: dict[Bid, int] = {}
    before: dict[Bid, list[Bid]] = {bid: [] for bid in raises_of}
    for old, followers in raises_of.items():
        for new in followers:
            before[new].append(old)
    open_raises = {bid: len(followers) for bid, followers in raises_of.items()}
    ready = [bid for bid, number in open_raises.items() if not number]
    while ready:
        bid = ready.pop()
        length[bid] = 1 + max((length[new] for new in raises_of[bid]), default=0)
        for old in before[bid]:
            open_raises[old] -= 1
            if not open_raises[old]:
                ready.append(old)
    assert set(length) == set(raises_of), "a bidding that goes round in a circle"
    return max(length.values())


def longest_as_reckoned(system: int, dice: int, faces: tuple[int, ...]) -> int:
    """Return the same by thinking: what is raised can take so many values."""
    return {
        1: dice * len(faces),
        2: dice * len(faces),
        3: max(dice, 6) - faces[0] + 1,
        4: len({quantity * face for quantity in range(1, dice + 1) for face in faces}),
        5: dice + len(faces) - 1,
    }[system]


def test_a_circle_of_bids_would_be_noticed() -> None:
    one, two, three = Bid(1, 2), Bid(2, 2), Bid(3, 2)

    with pytest.raises(AssertionError, match="circle"):
        longest_chain({one: (two,), two: (three,), three: (two,)})


@pytest.mark.one_in(5)
@pytest.mark.parametrize("faces", FACES.values(), ids=FACES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_bidding_ends_with_one_to_thirty_dice(system: int, faces: tuple[int, ...]) -> None:
    for dice in range(1, MOST + 1):
        assert longest_chain(graph(system, dice, faces)) == longest_as_reckoned(system, dice, faces)


@pytest.mark.parametrize("faces", FACES.values(), ids=FACES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_bid_that_may_follow_stands_higher(system: int, faces: tuple[int, ...]) -> None:
    height = HEIGHT[system]

    for old, followers in graph(system, MOST, faces).items():
        assert all(height(new) > height(old) for new in followers)


@pytest.mark.parametrize("faces", FACES.values(), ids=FACES)
@pytest.mark.parametrize("dice", [1, 3, 6, 15, MOST])
@pytest.mark.parametrize("system", SYSTEMS)
def test_first_and_last_bids(system: int, dice: int, faces: tuple[int, ...]) -> None:
    """The lowest bid follows nothing; the last ones leave only the call."""
    bids = graph(system, dice, faces)
    first = {bid for bid in bids if not any(bid in followers for followers in bids.values())}
    last = {bid for bid, followers in bids.items() if not followers}
    height = HEIGHT[system]

    assert min(bids, key=height) == Bid(1, faces[0])
    assert raises(system, None, dice, faces)[0] == Bid(1, faces[0])
    if system == 3:
        assert first == {bid for bid in bids if max(bid.quantity, bid.face) == faces[0]}
        assert last == {bid for bid in bids if max(bid.quantity, bid.face) == max(dice, 6)}
    else:
        assert first == {Bid(1, faces[0])}
        assert last == {Bid(dice, 6)}


def test_the_lowest_bid_of_three_players_is_one_two_and_the_highest_fifteen_sixes() -> None:
    bids = raises(2, None, 15, faces_to_bid(wild_aces=True, always_aces=False))

    assert (bids[0], bids[-1], len(bids)) == (Bid(1, 2), Bid(15, 6), 75)


@pytest.mark.parametrize(("system", "ways"), [(1, 2775), (2, 2775), (3, 2590), (4, 2732), (5, 1725)])
def test_how_many_raises_there_are_over_all_bids_of_fifteen_dice(system: int, ways: int) -> None:
    assert sum(map(len, graph(system, 15, (2, 3, 4, 5, 6)).values())) == ways


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_raises_offered_are_those_of_the_predicate_lowest_first(system: int) -> None:
    for dice, faces in product((1, 2, 7, 15), ((2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6))):
        for old, followers in graph(system, dice, faces).items():
            offered = raises(system, old, dice, faces)

            assert sorted(offered, key=HEIGHT[system]) == list(offered)
            assert set(offered) == set(followers)


def bid(words: str) -> Bid:
    """Return the bid of ``4x5``: four fives."""
    quantity, face = words.split("x")
    return Bid(int(quantity), int(face))


@pytest.mark.parametrize(
    ("system", "old", "legal", "illegal"),
    [
        pytest.param(1, "3x2", "4x2 1x3 15x3 1x6", "3x2 2x2", id="1: more twos, or any quantity of threes"),
        pytest.param(1, "3x4", "4x4 1x5", "15x3 4x2", id="1: the face is never lowered"),
        pytest.param(2, "4x4", "5x2 5x3 5x4 5x6 4x5 4x6", "4x4 4x3 3x6", id="2: five of any face, or four fives"),
        pytest.param(2, "4x5", "5x4", "4x4", id="2: five fours after four fives"),
        pytest.param(3, "5x3", "6x2 6x3 1x6 15x2", "5x4 5x5 4x5 1x5", id="3: the least bid has a six"),
        pytest.param(3, "4x5", "6x4 1x6", "5x4 5x5", id="3: no five fours after four fives"),
        pytest.param(3, "5x6", "7x2 7x6", "6x6 6x2", id="3: above six only the quantity is raised"),
        pytest.param(4, "3x3", "2x5 5x2 2x6 4x3", "3x3 1x6 4x2 3x2", id="4: the product is ten at least"),
        pytest.param(4, "2x6", "3x5 7x2", "3x4 4x3 6x2", id="4: an equal product is no raise"),
        pytest.param(5, "6x5", "6x6 7x5 7x6", "6x5 7x4 5x6", id="5: six sixes or seven fives"),
        pytest.param(5, "4x4", "5x5 15x6", "3x6 5x3", id="5: both may be raised, none lowered"),
        *(pytest.param(system, "4x4", "7x6", "4x4", id=f"{system}: seven sixes over four fours") for system in SYSTEMS),
    ],
)
def test_the_examples_of_the_document(system: int, old: str, legal: str, illegal: str) -> None:
    offered = raises(system, bid(old), 15, (1, 2, 3, 4, 5, 6))

    assert [words for words in legal.split() if bid(words) not in offered] == []
    assert [words for words in illegal.split() if bid(words) in offered] == []


@pytest.mark.parametrize(
    ("wild", "always", "least"), [(True, False, 2), (True, True, 1), (False, False, 1), (False, True, 1)]
)
def test_aces_are_bid_only_without_wilds_unless_the_house_says_always(wild: bool, always: bool, least: int) -> None:
    assert faces_to_bid(wild_aces=wild, always_aces=always) == tuple(range(least, 7))


@pytest.mark.parametrize(
    ("face", "wild", "count"),
    [(6, True, 5), (6, False, 3), (1, True, 2), (1, False, 2), (4, True, 2), (4, False, 0)],
)
def test_aces_count_as_every_face_where_they_are_wild(face: int, wild: bool, count: int) -> None:
    assert matching([6, 6, 6, 1, 1, 2, 3, 5], face, wild_aces=wild) == count
