"""The exact chances of liar's dice, against what document 004 prints and against counting."""

from fractions import Fraction
from itertools import product

import pytest

from mexico.bidding import Bid, matching
from mexico.liars_odds import at_least, chance_of_one, exactly, expected, holds

WILD, PLAIN = Fraction(1, 3), Fraction(1, 6)


def thousandths_of_a_per_cent(chance: Fraction) -> str:
    """Round half up to three digits of a per cent, exactly."""
    number = int(chance * 100_000 + Fraction(1, 2))
    return f"{number // 1000}.{number % 1000:03d}"


@pytest.mark.parametrize(
    ("quantity", "exact", "per_cent"),
    [
        pytest.param(5, Fraction(8551019, 14348907), "59.594", id="a bid of five: printed 59.5, cut and not rounded"),
        pytest.param(8, Fraction(422009, 4782969), "8.823", id="a bid of eight: printed 8.8"),
    ],
)
def test_the_figures_printed_for_fifteen_dice_with_wilds(quantity: int, exact: Fraction, per_cent: str) -> None:
    chance = holds(Bid(quantity, 4), 15, wild_aces=True)

    assert chance == at_least(quantity, 15, WILD) == exact
    assert thousandths_of_a_per_cent(chance) == per_cent


@pytest.mark.parametrize("wild", [True, False])
@pytest.mark.parametrize("face", [1, 4])
@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_every_chance_of_few_dice_is_counted_out(dice: int, face: int, wild: bool) -> None:
    falls = [matching(fall, face, wild_aces=wild) for fall in product(range(1, 7), repeat=dice)]
    one = chance_of_one(face, wild_aces=wild)

    for quantity in range(dice + 2):
        assert exactly(quantity, dice, one) == Fraction(falls.count(quantity), 6**dice)
        assert at_least(quantity, dice, one) == Fraction(sum(fall >= quantity for fall in falls), 6**dice)
        assert holds(Bid(quantity, face), dice, wild_aces=wild) == at_least(quantity, dice, one)


@pytest.mark.parametrize("one", [WILD, PLAIN])
def test_the_chances_of_all_quantities_sum_to_one(one: Fraction) -> None:
    for dice in range(1, 41):
        assert sum(exactly(quantity, dice, one) for quantity in range(dice + 1)) == 1


@pytest.mark.parametrize(
    ("dice", "plain", "wild"), [(15, 2, 5), (5, 0, 1), (4, 0, 1), (11, 1, 3), (12, 2, 4), (40, 6, 13), (1, 0, 0)]
)
def test_the_expected_quantity_is_rounded_down_after_it_is_doubled(dice: int, plain: int, wild: int) -> None:
    assert (expected(dice, PLAIN), expected(dice, WILD)) == (plain, wild)


@pytest.mark.parametrize("one", [PLAIN, WILD])
def test_the_expected_quantity_is_better_than_even_as_the_document_says(one: Fraction) -> None:
    for dice in range(1, 41):
        assert at_least(expected(dice, one), dice, one) > Fraction(1, 2)


@pytest.mark.parametrize("one", [PLAIN, WILD])
def test_no_quantity_is_more_likely_to_be_exact_than_the_expected_one(one: Fraction) -> None:
    for dice in range(1, 41):
        likely = [exactly(quantity, dice, one) for quantity in range(dice + 1)]

        assert likely[expected(dice, one)] == max(likely)
