"""Five dice read as a hand of poker: which hand they are, and which call beats which (docs/liars_individual.md, 2).

A call names only what makes the hand; the other dice are no part of it, so there are 72 hands to call.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import factorial, prod

from mexico.throw import FACES

DICE = 5


class Kind(StrEnum):
    """What a hand is, lowest first."""

    RUNT = "runt"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE = "three"
    LOW_STRAIGHT = "low_straight"
    HIGH_STRAIGHT = "high_straight"
    FULL_HOUSE = "full_house"
    FOUR = "four"
    FIVE = "five"


class FaceOrder(StrEnum):
    """Which face is worth most."""

    SIX_HIGH = "six_high"
    ACE_HIGH = "ace_high"


NAMED = {Kind.RUNT: 0, Kind.LOW_STRAIGHT: 0, Kind.HIGH_STRAIGHT: 0, Kind.TWO_PAIR: 2, Kind.FULL_HOUSE: 2}
"""How many faces a call names, where it is not one."""

GROUPS: dict[tuple[int, ...], Kind] = {
    (5,): Kind.FIVE,
    (4, 1): Kind.FOUR,
    (3, 2): Kind.FULL_HOUSE,
    (3, 1, 1): Kind.THREE,
    (2, 2, 1): Kind.TWO_PAIR,
    (2, 1, 1, 1): Kind.PAIR,
}
"""What equal faces make of five dice."""

STRAIGHTS: dict[tuple[int, ...], Kind] = {(2, 3, 4, 5, 6): Kind.HIGH_STRAIGHT, (1, 2, 3, 4, 5): Kind.LOW_STRAIGHT}


@dataclass(frozen=True, slots=True)
class PokerHand:
    """A hand as it is called in full: *faces* are those that make it.

    Of a full house the three stands first, of two pairs the higher number, whatever the house holds for high.

    Examples
    --------
    >>> PokerHand.of((6, 1, 6, 1, 1)).words(FaceOrder.SIX_HIGH)
    ['full_house', 1, 6]
    >>> PokerHand.of((1, 3, 4, 5, 6)).words(FaceOrder.SIX_HIGH)
    ['runt']
    """

    kind: Kind
    faces: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        count = NAMED.get(self.kind, 1)
        faces = self.faces
        if len(faces) != count or len(set(faces)) != count or not set(faces) <= set(FACES):
            raise ValueError(f"no {self.kind} is called with {faces}; wanted are {count} different faces, 1 to 6")
        if self.kind is Kind.TWO_PAIR and faces[0] < faces[1]:
            object.__setattr__(self, "faces", (faces[1], faces[0]))

    @classmethod
    def of(cls, dice: Sequence[int]) -> "PokerHand":
        """Return what five *dice* are."""
        counted = sorted(Counter(dice).items(), key=lambda item: (-item[1], -item[0]))
        kind = GROUPS.get(tuple(count for _, count in counted))
        if kind is None:
            return cls(STRAIGHTS.get(tuple(sorted(dice)), Kind.RUNT))
        return cls(kind, tuple(face for face, _ in counted)[: NAMED.get(kind, 1)])

    def strength(self, order: FaceOrder) -> tuple[int, ...]:
        """Return what the hand is compared by."""
        return KINDS.index(self.kind), *(worth(face, order) for face in self._by_worth(order))

    def words(self, order: FaceOrder) -> list[object]:
        """Return the hand as it is called where *order* is played."""
        return [str(self.kind), *self._by_worth(order)]

    def _by_worth(self, order: FaceOrder) -> tuple[int, ...]:
        """Return the faces in the order in which they count: of two pairs the better one first."""
        if self.kind is Kind.TWO_PAIR:
            return tuple(sorted(self.faces, key=lambda face: -worth(face, order)))
        return self.faces


KINDS = tuple(Kind)


def worth(face: int, order: FaceOrder) -> int:
    """Return what *face* is compared by.

    Examples
    --------
    >>> [worth(face, FaceOrder.ACE_HIGH) for face in (1, 2, 6)]
    [7, 2, 6]
    """
    return 7 if face == 1 and order is FaceOrder.ACE_HIGH else face


@cache
def all_hands(order: FaceOrder) -> tuple[PokerHand, ...]:
    """Return the 72 hands that can be called, lowest first.

    Examples
    --------
    >>> hands = all_hands(FaceOrder.SIX_HIGH)
    >>> len(hands), hands[0].kind, hands[-1].faces
    (72, <Kind.RUNT: 'runt'>, (6,))
    """
    hands = [PokerHand(kind, faces) for kind in KINDS for faces in _faces_of(kind)]
    return tuple(sorted(hands, key=lambda hand: hand.strength(order)))


def _faces_of(kind: Kind) -> list[tuple[int, ...]]:
    """Return every choice of faces that a call of *kind* can name."""
    if kind is Kind.TWO_PAIR:
        return list(combinations(FACES[::-1], 2))
    return list(permutations(FACES, NAMED.get(kind, 1)))


@cache
def _places(order: FaceOrder) -> dict[PokerHand, int]:
    return {hand: place for place, hand in enumerate(all_hands(order))}


def place(hand: PokerHand, order: FaceOrder) -> int:
    """Return how many hands are lower than *hand*."""
    return _places(order)[hand]


@cache
def at_least(hand: PokerHand, order: FaceOrder) -> Fraction:
    """Return how likely five dice, all of them just shaken, are *hand* or a better one.

    Examples
    --------
    >>> at_least(PokerHand(Kind.FIVE, (6,)), FaceOrder.SIX_HIGH), at_least(PokerHand(Kind.RUNT), FaceOrder.SIX_HIGH)
    (Fraction(1, 7776), Fraction(1, 1))
    """
    return Fraction(sum(_falls(order)[place(hand, order) :]), len(FACES) ** DICE)


@cache
def _falls(order: FaceOrder) -> tuple[int, ...]:
    """Return in how many of the 7776 falls of five dice each hand appears, the lowest hand first."""
    counted: Counter[PokerHand] = Counter()
    for dice in combinations_with_replacement(FACES, DICE):
        counted[PokerHand.of(dice)] += factorial(DICE) // prod(factorial(count) for count in Counter(dice).values())
    return tuple(counted[hand] for hand in all_hands(order))
