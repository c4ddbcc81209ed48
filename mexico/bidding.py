"""Bids of liar's dice, and the five systems by which one may follow another (docs/liars_common.md, section 3).

A system is a predicate and not always an order: in the fifth neither of *four fives* and *five fours* follows the
other. Each raises something that cannot grow for ever, so that every bidding ends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from mexico.throw import FACES

ACE = 1


@dataclass(frozen=True, slots=True)
class Bid:
    """At least *quantity* dice of all that are in play show *face*."""

    quantity: int
    face: int

    def __str__(self) -> str:
        return f"{self.quantity} x {self.face}"


def more_or_a_higher_face(new: Bid, old: Bid) -> bool:
    """System 1: more of the same face, or any quantity of a higher one."""
    return new.face > old.face or (new.face == old.face and new.quantity > old.quantity)


def more_or_as_many_of_a_higher_face(new: Bid, old: Bid) -> bool:
    """System 2: more of any face, or as many of a higher one."""
    return new.quantity > old.quantity or (new.quantity == old.quantity and new.face > old.face)


def a_number_above_both(new: Bid, old: Bid) -> bool:
    """System 3: quantity or face is above both numbers of the bid before."""
    return max(new.quantity, new.face) > max(old.quantity, old.face)


def a_higher_product(new: Bid, old: Bid) -> bool:
    """System 4: quantity times face is higher."""
    return new.quantity * new.face > old.quantity * old.face


def neither_lower(new: Bid, old: Bid) -> bool:
    """System 5: neither number is lower, and one is higher."""
    return new != old and new.quantity >= old.quantity and new.face >= old.face


MayFollow = Callable[[Bid, Bid], bool]
Key = Callable[[Bid], tuple[int, ...]]

SYSTEMS: Mapping[int, MayFollow] = {
    1: more_or_a_higher_face,
    2: more_or_as_many_of_a_higher_face,
    3: a_number_above_both,
    4: a_higher_product,
    5: neither_lower,
}

HEIGHT: Mapping[int, Key] = {
    1: lambda bid: (bid.face, bid.quantity),
    2: lambda bid: (bid.quantity, bid.face),
    3: lambda bid: (max(bid.quantity, bid.face), bid.quantity, bid.face),
    4: lambda bid: (bid.quantity * bid.face, bid.quantity, bid.face),
    5: lambda bid: (bid.quantity, bid.face),
}
"""How high a bid stands in each system: a bid that may follow another is always higher."""


def faces_to_bid(*, wild_aces: bool, always_aces: bool) -> tuple[int, ...]:
    """Return the faces that may be bid: aces only where they are not wild, or where the house says *always_aces*.

    Examples
    --------
    >>> faces_to_bid(wild_aces=True, always_aces=False), faces_to_bid(wild_aces=False, always_aces=False)[0]
    ((2, 3, 4, 5, 6), 1)
    """
    return FACES if always_aces or not wild_aces else FACES[1:]


@lru_cache(maxsize=4096)
def raises(system: int, old: Bid | None, dice: int, faces: tuple[int, ...]) -> tuple[Bid, ...]:
    """Return the bids that may follow *old* with so many *dice* in play, lowest first; *old* None opens.

    Examples
    --------
    >>> [str(bid) for bid in raises(5, Bid(6, 5), 7, (2, 3, 4, 5, 6))]
    ['6 x 6', '7 x 5', '7 x 6']
    """
    bids = (Bid(quantity, face) for quantity, face in product(range(1, dice + 1), faces))
    legal = (bid for bid in bids if old is None or SYSTEMS[system](bid, old))
    return tuple(sorted(legal, key=HEIGHT[system]))


def matching(dice: Sequence[int], face: int, *, wild_aces: bool) -> int:
    """Return how many of the *dice* count for a bid on *face*.

    Examples
    --------
    >>> matching([6, 1, 1, 3], 6, wild_aces=True), matching([6, 1, 1, 3], 1, wild_aces=True)
    (3, 2)
    """
    return sum(die == face or (wild_aces and die == ACE) for die in dice)
