"""Five dice as a hand: every one of the 7776 throws, and the order of all that can be called."""

from collections import Counter
from itertools import pairwise, product

import pytest

from mexico.poker_hands import KINDS, FaceOrder, Kind, PokerHand, all_hands, place
from mexico.throw import FACES

SIX, ACE = FaceOrder.SIX_HIGH, FaceOrder.ACE_HIGH

WAYS = {
    "five": 6,
    "four": 150,
    "full_house": 300,
    "high_straight": 120,
    "low_straight": 120,
    "three": 1200,
    "two_pair": 1800,
    "pair": 3600,
    "runt": 480,
}


def hand(text: str) -> PokerHand:
    """Return what the dice in *text* are."""
    return PokerHand.of([int(face) for face in text])


def test_all_throws_of_five_dice_are_hands_so_often() -> None:
    counted = Counter(str(PokerHand.of(dice).kind) for dice in product(FACES, repeat=5))

    assert counted == WAYS
    assert counted.total() == 6**5 == 7776


def test_every_throw_is_a_hand_that_can_be_called() -> None:
    thrown = {PokerHand.of(dice) for dice in product(FACES, repeat=5)}

    assert thrown == set(all_hands(SIX)) == set(all_hands(ACE))
    assert len(thrown) == 72


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ("44444", ["five", 4]),
        ("22225", ["four", 2]),
        ("66111", ["full_house", 1, 6]),
        ("23456", ["high_straight"]),
        ("12345", ["low_straight"]),
        ("44432", ["three", 4]),
        ("22551", ["two_pair", 5, 2]),
        ("66532", ["pair", 6]),
        ("13456", ["runt"]),
    ],
)
def test_the_examples_of_the_document_are_what_it_says(dice: str, words: list[object]) -> None:
    assert hand(dice).words(SIX) == words


def test_the_kinds_stand_in_the_order_of_the_document() -> None:
    ranked = "five four full_house high_straight low_straight three two_pair pair runt"

    assert [str(kind) for kind in reversed(KINDS)] == ranked.split()


@pytest.mark.parametrize("order", FaceOrder)
def test_every_hand_beats_the_one_before_and_no_two_are_equal(order: FaceOrder) -> None:
    hands = all_hands(order)

    assert all(low.strength(order) < high.strength(order) for low, high in pairwise(hands))
    assert [place(one, order) for one in hands] == list(range(72))


@pytest.mark.parametrize(
    ("better", "worse", "order"),
    [
        pytest.param("66632", "55564", SIX, id="a higher three"),
        pytest.param("22233", "11166", SIX, id="full house: the three first"),
        pytest.param("11166", "11155", SIX, id="full house: then the pair"),
        pytest.param("66221", "55441", SIX, id="two pair: the better pair first"),
        pytest.param("66331", "66225", SIX, id="two pair: then the other"),
        pytest.param("66543", "55643", SIX, id="a higher pair"),
        pytest.param("66234", "11654", SIX, id="six high: ones are lowest"),
        pytest.param("11234", "66543", ACE, id="ace high: ones are highest"),
        pytest.param("66234", "22654", ACE, id="ace high: the others as ever"),
        pytest.param("11223", "66554", ACE, id="ace high: the pair of ones is the better pair"),
        pytest.param("11166", "66611", ACE, id="ace high: the three of ones first"),
        pytest.param("23456", "12345", ACE, id="ace high does not turn the straights"),
    ],
)
def test_within_a_kind_the_named_faces_decide(better: str, worse: str, order: FaceOrder) -> None:
    assert hand(better).strength(order) > hand(worse).strength(order)


@pytest.mark.parametrize(("one", "other"), [("66532", "66543"), ("13456", "12346"), ("55513", "55546")])
def test_dice_that_are_not_called_do_not_count(one: str, other: str) -> None:
    assert hand(one) == hand(other)


def test_two_pair_is_the_same_hand_whichever_is_named_first() -> None:
    assert PokerHand(Kind.TWO_PAIR, (2, 4)) == PokerHand(Kind.TWO_PAIR, (4, 2))
    assert PokerHand(Kind.TWO_PAIR, (1, 6)).words(SIX) == ["two_pair", 6, 1]
    assert PokerHand(Kind.TWO_PAIR, (1, 6)).words(ACE) == ["two_pair", 1, 6]


def test_a_full_house_is_another_hand_the_other_way_round() -> None:
    assert PokerHand(Kind.FULL_HOUSE, (1, 6)) != PokerHand(Kind.FULL_HOUSE, (6, 1))


@pytest.mark.parametrize(
    ("kind", "faces"),
    [
        (Kind.PAIR, ()),
        (Kind.PAIR, (6, 5)),
        (Kind.PAIR, (7,)),
        (Kind.TWO_PAIR, (4,)),
        (Kind.TWO_PAIR, (4, 4)),
        (Kind.FULL_HOUSE, (6, 6)),
        (Kind.RUNT, (6,)),
        (Kind.HIGH_STRAIGHT, (6,)),
    ],
)
def test_a_hand_that_is_not_called_in_full_is_none(kind: Kind, faces: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=f"no {kind} is called with"):
        PokerHand(kind, faces)
