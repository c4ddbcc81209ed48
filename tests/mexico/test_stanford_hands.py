"""Six dice as a hand: every one of the 46656 throws, the order of all hands, and what a claim means."""

from collections import Counter
from itertools import pairwise, permutations, product

import pytest

from mexico.stanford_hands import GROUPS, WAYS, Claim, HandOrder, Kind, SixDice, all_hands, next_greatest, place
from mexico.throw import FACES

TABLE, RARITY = HandOrder.BY_TABLE, HandOrder.BY_RARITY

RANKED = "six five four_and_pair two_triples four straight full_house three_pairs three two_pairs pair"
OF_46656 = (6, 180, 450, 300, 1800, 720, 7200, 1800, 7200, 16200, 10800)


def hand(text: str) -> SixDice:
    """Return what the dice in *text* are."""
    return SixDice.of([int(face) for face in text])


def claim(word: str, *faces: int) -> Claim:
    """Return a claim of the kind called *word*."""
    return Claim(Kind(word), faces)


def test_all_throws_of_six_dice_are_hands_so_often_as_the_rules_say() -> None:
    counted = Counter(SixDice.of(dice).kind for dice in product(FACES, repeat=6))

    assert [counted[Kind(word)] for word in RANKED.split()] == list(OF_46656)
    assert counted == WAYS
    assert counted.total() == 6**6 == 46656


def test_every_throw_is_one_of_462_hands_and_shows_its_own_dice() -> None:
    thrown = {SixDice.of(dice) for dice in product(FACES, repeat=6)}

    assert thrown == set(all_hands(TABLE)) == set(all_hands(RARITY))
    assert len(thrown) == 462
    assert all(SixDice.of(one.dice) == one and len(one.dice) == 6 for one in thrown)


@pytest.mark.parametrize("order", HandOrder)
def test_every_hand_beats_the_one_before_and_none_are_equal(order: HandOrder) -> None:
    hands = all_hands(order)

    assert all(low.strength(order) < high.strength(order) for low, high in pairwise(hands))
    assert [place(one, order) for one in hands] == list(range(462))


@pytest.mark.parametrize("order", HandOrder)
def test_the_minimum_raise_is_the_next_greatest_hand_from_the_lowest_to_the_highest(order: HandOrder) -> None:
    walked = [all_hands(order)[0]]
    while (following := next_greatest(walked[-1], order)) is not None:
        walked.append(following)

    assert tuple(walked) == all_hands(order)
    assert walked[-1].dice == (6,) * 6


def test_the_kinds_stand_in_the_reconstructed_order() -> None:
    kinds = list(dict.fromkeys(one.kind for one in reversed(all_hands(TABLE))))

    assert kinds == RANKED.split()


def test_by_rarity_the_rarer_kind_is_higher_and_the_table_decides_between_equals() -> None:
    kinds = list(dict.fromkeys(one.kind for one in all_hands(RARITY)))
    ways = [WAYS[kind] for kind in kinds]

    assert ways == sorted(ways, reverse=True)
    assert kinds.index(Kind.PAIR) > kinds.index(Kind.TWO_PAIRS)
    assert kinds.index(Kind.TWO_TRIPLES) > kinds.index(Kind.FOUR_AND_PAIR)
    assert kinds.index(Kind.FOUR) > kinds.index(Kind.THREE_PAIRS)
    assert kinds.index(Kind.FULL_HOUSE) > kinds.index(Kind.THREE)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param("222111", "666621", id="two triples beat four"),
        pytest.param("111122", "666555", id="four and a pair beat two triples"),
        pytest.param("666421", "666321", id="the single dice decide last"),
        pytest.param("666521", "666431", id="single dice from high to low"),
        pytest.param("222331", "222116", id="full house: the pair before the single"),
        pytest.param("331124", "221165", id="two pairs: the higher pair first"),
        pytest.param("112346", "112345", id="a pair: the single dice"),
        pytest.param("123456", "666554", id="the straight beats a full house"),
    ],
)
def test_within_a_kind_the_larger_group_decides_then_the_next_then_the_single_dice(better: str, worse: str) -> None:
    assert hand(better).strength(TABLE) > hand(worse).strength(TABLE)


@pytest.mark.parametrize(
    ("said", "means"),
    [
        pytest.param(claim("three", 6), "666321", id="three sixes, as the document says"),
        pytest.param(claim("four_and_pair"), "111122", id="four and a pair, as the document says"),
        (claim("four_and_pair", 4), "444411"),
        (claim("four_and_pair", 1), "111122"),
        (claim("four_and_pair", 2, 6), "222266"),
        (claim("six"), "111111"),
        (claim("five", 3), "333331"),
        (claim("five", 1), "111112"),
        (claim("straight"), "123456"),
        (claim("full_house", 6, 5), "666551"),
        (claim("two_pairs", 5), "551132"),
        (claim("two_pairs", 1), "221143"),
        (claim("three_pairs", 6), "662211"),
        (claim("three_pairs", 1), "332211"),
        (claim("two_triples", 1), "222111"),
        (claim("pair"), "112345"),
        (claim("pair", 6, 5), "665321"),
        (claim("three", 6, 2), "666321"),
        (claim("three", 6, 4), "666421"),
    ],
)
def test_a_claim_means_the_least_hand_that_fits(said: Claim, means: str) -> None:
    assert said.hand == hand(means)


def test_no_lower_hand_of_the_kind_fits_any_claim() -> None:
    checked = 0
    for kind, groups in GROUPS.items():
        hands = [one for one in all_hands(TABLE) if one.kind is kind]
        for named in range(len(groups) + 1):
            for faces in permutations(FACES, named):
                fitting = [one for one in hands if shows(one, faces)]
                if fitting:
                    assert Claim(kind, faces).hand == fitting[0]
                    checked += 1
                else:
                    with pytest.raises(ValueError, match=f"no hand is {kind}"):
                        Claim(kind, faces)

    assert checked > 3_000


def shows(one: SixDice, faces: tuple[int, ...]) -> bool:
    """Whether the dice of *one* have each of *faces* as often as its place in the kind says."""
    counted = Counter(one.dice)
    return all(counted[face] == GROUPS[one.kind][at] for at, face in enumerate(faces))


@pytest.mark.parametrize("one", all_hands(TABLE)[::7], ids=lambda one: "".join(map(str, one.dice)))
def test_every_hand_can_be_claimed_shortly(one: SixDice) -> None:
    said = Claim.of(one)
    groups = sum(1 for count in GROUPS[one.kind] if count > 1)

    assert said.hand == one
    assert len(said.faces) >= groups
    assert len(said.faces) == groups or Claim(said.kind, said.faces[:-1]).hand != one


@pytest.mark.parametrize(
    ("kind", "faces"),
    [
        (Kind.SIX, (6, 5)),
        (Kind.FOUR_AND_PAIR, (4, 4)),
        (Kind.PAIR, (6, 5, 4, 3, 2, 1)),
        (Kind.PAIR, (7,)),
        (Kind.STRAIGHT, (6, 6)),
    ],
)
def test_a_claim_that_no_hand_fits_is_none(kind: Kind, faces: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=f"no hand is {kind}"):
        Claim(kind, faces)
