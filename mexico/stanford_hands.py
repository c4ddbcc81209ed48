"""Six dice as a hand, and what a claim of one means: the least hand that fits (docs/liars_stanford.md, 2).

All six dice count, so there are 462 hands, and every one but the highest has a next greatest: the minimum raise.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from mexico.throw import FACES

DICE = 6


class Kind(StrEnum):
    """What a hand is, lowest first as the table of the rules has it."""

    PAIR = "pair"
    TWO_PAIRS = "two_pairs"
    THREE = "three"
    THREE_PAIRS = "three_pairs"
    FULL_HOUSE = "full_house"
    STRAIGHT = "straight"
    FOUR = "four"
    TWO_TRIPLES = "two_triples"
    FOUR_AND_PAIR = "four_and_pair"
    FIVE = "five"
    SIX = "six"


class HandOrder(StrEnum):
    """Which kind of hand beats which."""

    BY_TABLE = "by_table"
    BY_RARITY = "by_rarity"


GROUPS: dict[Kind, tuple[int, ...]] = {
    Kind.PAIR: (2, 1, 1, 1, 1),
    Kind.TWO_PAIRS: (2, 2, 1, 1),
    Kind.THREE: (3, 1, 1, 1),
    Kind.THREE_PAIRS: (2, 2, 2),
    Kind.FULL_HOUSE: (3, 2, 1),
    Kind.STRAIGHT: (1, 1, 1, 1, 1, 1),
    Kind.FOUR: (4, 1, 1),
    Kind.TWO_TRIPLES: (3, 3),
    Kind.FOUR_AND_PAIR: (4, 2),
    Kind.FIVE: (5, 1),
    Kind.SIX: (6,),
}
"""How many dice show each face, the largest group first: every way to split six dice, and no two kinds the same."""

KIND_OF = {groups: kind for kind, groups in GROUPS.items()}

WAYS: dict[Kind, int] = {
    Kind.PAIR: 10800,
    Kind.TWO_PAIRS: 16200,
    Kind.THREE: 7200,
    Kind.THREE_PAIRS: 1800,
    Kind.FULL_HOUSE: 7200,
    Kind.STRAIGHT: 720,
    Kind.FOUR: 1800,
    Kind.TWO_TRIPLES: 300,
    Kind.FOUR_AND_PAIR: 450,
    Kind.FIVE: 180,
    Kind.SIX: 6,
}
"""In how many of the 46656 falls of six dice each kind appears."""


@dataclass(frozen=True, slots=True)
class SixDice:
    """All six dice: *faces* of the largest group first, of equal groups the higher face first.

    Examples
    --------
    >>> SixDice.of((1, 2, 6, 3, 6, 6))
    SixDice(kind=<Kind.THREE: 'three'>, faces=(6, 3, 2, 1))
    """

    kind: Kind
    faces: tuple[int, ...]

    @classmethod
    def of(cls, dice: Sequence[int]) -> "SixDice":
        """Return what six *dice* are."""
        counted = sorted(Counter(dice).items(), key=lambda item: (-item[1], -item[0]))
        return cls(KIND_OF[tuple(count for _, count in counted)], tuple(face for face, _ in counted))

    @property
    def dice(self) -> tuple[int, ...]:
        """The six dice, as the rules write them: 666321."""
        return tuple(face for face, count in zip(self.faces, GROUPS[self.kind], strict=True) for _ in range(count))

    def strength(self, order: HandOrder) -> tuple[int, ...]:
        """Return what the hand is compared by."""
        return ranking(order).index(self.kind), *self.faces


@cache
def ranking(order: HandOrder) -> tuple[Kind, ...]:
    """Return the kinds, lowest first; of two that are equally rare the table decides."""
    if order is HandOrder.BY_TABLE:
        return tuple(Kind)
    return tuple(sorted(Kind, key=lambda kind: -WAYS[kind]))


@cache
def all_hands(order: HandOrder) -> tuple[SixDice, ...]:
    """Return the 462 hands, lowest first."""
    hands = map(SixDice.of, combinations_with_replacement(FACES, DICE))
    return tuple(sorted(hands, key=lambda hand: hand.strength(order)))


@dataclass(frozen=True, slots=True)
class Claim:
    """A hand as somebody claims it: *faces* of the larger groups first; any from the right on may be left out.

    Examples
    --------
    >>> Claim(Kind.THREE, (6,)).hand.dice, Claim(Kind.FOUR_AND_PAIR).hand.dice
    ((6, 6, 6, 3, 2, 1), (1, 1, 1, 1, 2, 2))
    """

    kind: Kind
    faces: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if meant(self.kind, self.faces) is None:
            raise ValueError(f"no hand is {self.kind} with {self.faces}")

    @classmethod
    def of(cls, hand: SixDice) -> "Claim":
        """Return the shortest claim that names all groups of *hand* and means it.

        Examples
        --------
        >>> Claim.of(SixDice.of((6, 6, 6, 3, 2, 1))).words, Claim.of(SixDice.of((6, 6, 6, 5, 2, 1))).words
        (['three', 6], ['three', 6, 5])
        """
        return _shortest(hand)

    @property
    def hand(self) -> SixDice:
        """What the claim means: the least hand that fits."""
        hand = meant(self.kind, self.faces)
        if hand is None:
            raise ValueError(f"no hand is {self.kind} with {self.faces}")
        return hand

    @property
    def words(self) -> list[object]:
        """The claim as a game file has it."""
        return [self.kind.value, *self.faces]


@lru_cache(maxsize=2048)
def meant(kind: Kind, faces: tuple[int, ...]) -> SixDice | None:
    """Return the least hand of *kind* that shows *faces*, None when there is none.

    The order among hands of one kind is the same in every house.
    """
    return next((hand for hand in all_hands(HandOrder.BY_TABLE) if hand.kind is kind and _shows(hand, faces)), None)


def _shows(hand: SixDice, faces: tuple[int, ...]) -> bool:
    """Whether *hand* has each of *faces* in a group of the size that is named at that place."""
    if len(faces) > len(hand.faces) or len(set(faces)) != len(faces):
        return False
    groups = GROUPS[hand.kind]
    size = dict(zip(hand.faces, groups, strict=True))
    return all(size.get(face) == groups[place] for place, face in enumerate(faces))


@cache
def _shortest(hand: SixDice) -> Claim:
    named = sum(1 for count in GROUPS[hand.kind] if count > 1)
    while meant(hand.kind, hand.faces[:named]) != hand:
        named += 1
    return Claim(hand.kind, hand.faces[:named])


@cache
def _places(order: HandOrder) -> dict[SixDice, int]:
    return {hand: place for place, hand in enumerate(all_hands(order))}


def place(hand: SixDice, order: HandOrder) -> int:
    """Return how many hands are lower than *hand*."""
    return _places(order)[hand]


def next_greatest(hand: SixDice, order: HandOrder) -> SixDice | None:
    """Return the minimum raise over *hand*, None over the highest.

    Examples
    --------
    >>> next_greatest(Claim(Kind.THREE, (6,)).hand, HandOrder.BY_TABLE).dice
    (6, 6, 6, 4, 2, 1)
    """
    above = place(hand, order) + 1
    return all_hands(order)[above] if above < len(all_hands(order)) else None


@lru_cache(maxsize=2048)
def at_least(hand: SixDice, order: HandOrder, outside: tuple[int, ...] = ()) -> Fraction:
    """Return how likely six dice are *hand* or better: those *outside* lie open, the others were all just shaken.

    Examples
    --------
    >>> at_least(Claim(Kind.SIX, (6,)).hand, HandOrder.BY_TABLE, (6, 6, 6, 6)), at_least(
    ...     Claim(Kind.PAIR).hand, HandOrder.BY_TABLE
    ... )
    (Fraction(1, 36), Fraction(1, 1))
    """
    least, inside = hand.strength(order), DICE - len(outside)
    ways = 0
    for faces in combinations_with_replacement(FACES, inside):
        if SixDice.of((*outside, *faces)).strength(order) >= least:
            ways += factorial(inside) // prod(factorial(count) for count in Counter(faces).values())
    return Fraction(ways, len(FACES) ** inside)
