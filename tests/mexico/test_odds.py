"""The exact chances, against what the documents print."""

from fractions import Fraction
from itertools import product

import pytest

from mexico.odds import exceed, table
from mexico.throw import FACES, RANKING, Throw

PRINTED = """
31 94.44 99.69 99.98
32 88.89 98.78 99.86
41 83.33 97.22 99.54
42 77.78 95.06 98.90
43 72.22 92.28 97.86
51 66.67 88.89 96.30
52 61.11 84.88 94.12
53 55.56 80.25 91.22
54 50.00 75.00 87.50
61 44.44 69.14 82.85
62 38.89 62.65 77.18
63 33.33 55.56 70.37
64 27.78 47.84 62.33
65 22.22 39.51 52.95
11 19.44 35.11 47.73
22 16.67 30.56 42.13
33 13.89 25.85 36.15
44 11.11 20.99 29.77
55 8.33 15.97 22.97
66 5.56 10.80 15.76
21 0.00 0.00 0.00
"""
"""The 63 figures of document 000, in per cent, as printed there."""


def per_cent(chance: Fraction) -> str:
    """Round half up to two digits, exactly."""
    hundredths = int(chance * 10_000 + Fraction(1, 2))
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def test_of_the_63_printed_figures_62_are_right_and_the_misprint_is_the_known_one() -> None:
    printed = {(row.split()[0], n): row.split()[n] for row in PRINTED.strip().splitlines() for n in (1, 2, 3)}
    exact = {(row.score, n): per_cent(getattr(row, f"exceed_{n}")) for row in table() for n in (1, 2, 3)}
    wrong = {key: (printed[key], exact[key]) for key in exact if printed[key] != exact[key]}

    assert len(exact) == len(printed) == 63
    assert wrong == {("32", 2): ("98.78", "98.77")}
    assert exceed(Throw.of(3, 2), 2) == Fraction(80, 81)


def test_every_chance_of_one_roll_is_counted_out_over_the_36_falls() -> None:
    for row in table():
        throw = RANKING[row.rank - 1]
        beaten = sum(Throw.of(*faces) > throw for faces in product(FACES, FACES))

        assert row.exceed_1 == Fraction(beaten, 36)
        assert row.ways == sum(Throw.of(*faces) == throw for faces in product(FACES, FACES))


def test_every_chance_of_two_rolls_is_counted_out_over_the_1296_falls() -> None:
    falls = [Throw.of(*faces) for faces in product(FACES, FACES)]
    for row in table():
        throw = RANKING[row.rank - 1]
        beaten = sum(one > throw or other > throw for one, other in product(falls, falls))

        assert row.exceed_2 == Fraction(beaten, 1296)


def test_three_rolls_are_three_tries() -> None:
    for row in table():
        assert row.exceed_3 == 1 - (1 - row.exceed_1) ** 3


@pytest.mark.parametrize(
    ("chance", "exact"),
    [
        pytest.param(Fraction(1, 18) ** 2, "1/324", id="two Mexicos running are 323 to 1, not 53 to 1"),
        pytest.param(Fraction(1, 18) ** 3, "1/5832", id="three Mexicos running are 5831 to 1, not 161 to 1"),
        pytest.param(exceed(Throw.of(6, 6), 1), "1/18", id="only Mexico beats 66"),
        pytest.param(exceed(Throw.of(4, 2), 1), "7/9", id="the example of 42 is right: 28 of 36"),
        pytest.param(exceed(Throw.of(5, 4), 1), "1/2", id="54 is the median of one roll"),
    ],
)
def test_the_odds_the_documents_argue_with(chance: Fraction, exact: str) -> None:
    assert str(chance) == exact


def test_62_has_ten_scores_above_and_ten_below() -> None:
    assert Throw.of(6, 2).rank == 11
