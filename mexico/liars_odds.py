"""The exact chances of liar's dice, as fractions: the binomial formula of document 004 (docs/liars_common.md)."""

from fractions import Fraction
from math import comb

from mexico.bidding import ACE, Bid, matching
from mexico.liars_common_state import State

SIDES = 6


def chance_of_one(face: int, *, wild_aces: bool) -> Fraction:
    """Return how likely one die counts for *face*: with wild aces two sides of six do, for aces themselves one.

    Examples
    --------
    >>> chance_of_one(4, wild_aces=True), chance_of_one(1, wild_aces=True)
    (Fraction(1, 3), Fraction(1, 6))
    """
    return Fraction(2 if wild_aces and face != ACE else 1, SIDES)


def exactly(quantity: int, dice: int, one: Fraction) -> Fraction:
    """Return the chance that *quantity* of so many unknown *dice* count, when each does with chance *one*.

    Examples
    --------
    >>> exactly(1, 2, Fraction(1, 6))
    Fraction(5, 18)
    """
    return comb(dice, quantity) * one**quantity * (1 - one) ** (dice - quantity)


def at_least(quantity: int, dice: int, one: Fraction) -> Fraction:
    """Return the chance that *quantity* or more of so many unknown *dice* count.

    Examples
    --------
    >>> at_least(5, 15, Fraction(1, 3)), f"{float(at_least(5, 15, Fraction(1, 3))):.5f}"
    (Fraction(8551019, 14348907), '0.59594')
    """
    return sum((exactly(number, dice, one) for number in range(quantity, dice + 1)), start=Fraction(0))


def holds(bid: Bid, dice: int, *, wild_aces: bool) -> Fraction:
    """Return the chance that *bid* is right for somebody who sees none of the *dice* in play."""
    return at_least(bid.quantity, dice, chance_of_one(bid.face, wild_aces=wild_aces))


def expected(dice: int, one: Fraction) -> int:
    """Return the expected quantity of so many *dice*, rounded down after all is multiplied.

    Examples
    --------
    >>> expected(15, Fraction(1, 6)), expected(15, Fraction(1, 3)), expected(4, Fraction(1, 3))
    (2, 5, 1)
    """
    return int(dice * one)


def standing(state: State) -> Fraction | None:
    """Return the chance that the bid that stands is right, for somebody who sees no dice but those that lie open.

    Right is at least as many as were bid, or just as many where the bid was called spot on. From the call on, the dice
    that have been shown are counted, and only the others are unknown. None where no bid stands, or it was only spoken.
    """
    hand = state.hand
    if hand is None or hand.bid is None:
        return None
    bid, wild = hand.bid, state.rules.wild_aces
    lying = () if hand.call is None else tuple(face for _, faces in state.visible for face in faces)
    missing = bid.quantity - matching(lying, bid.face, wild_aces=wild)
    unknown, one = state.dice_in_play - len(lying), chance_of_one(bid.face, wild_aces=wild)
    if hand.call is not None and hand.call.exact:
        return exactly(missing, unknown, one) if 0 <= missing <= unknown else Fraction(0)
    return at_least(max(missing, 0), unknown, one)
