"""Two dice, read as Mexico reads them."""

from collections import Counter
from itertools import pairwise, product

import pytest

from mexico.throw import FACES, LOWEST, MEXICO, RANKING, Throw

MIXED = ["31", "32", "41", "42", "43", "51", "52", "53", "54", "61", "62", "63", "64", "65"]
ORDER = [*MIXED, "11", "22", "33", "44", "55", "66", "21"]


def test_the_21_scores_stand_in_the_order_of_the_documents() -> None:
    assert [str(throw) for throw in RANKING] == ORDER
    assert [throw.rank for throw in RANKING] == list(range(1, 22))
    assert (str(LOWEST), str(MEXICO)) == ("31", "21")


def test_all_36_falls_of_two_dice_give_each_score_in_its_number_of_ways() -> None:
    falls = Counter(Throw.of(*faces) for faces in product(FACES, FACES))

    assert sum(falls.values()) == 36
    assert dict(falls) == {throw: throw.ways for throw in RANKING}
    assert sorted(falls.values()) == [1] * 6 + [2] * 15


def test_the_dice_may_lie_in_any_order() -> None:
    for one, other in product(FACES, FACES):
        assert Throw.of(one, other) == Throw.of(other, one)
        assert Throw.of(one, other).high >= Throw.of(one, other).low


def test_of_two_different_scores_one_beats_the_other_and_never_both() -> None:
    for one, other in product(RANKING, RANKING):
        assert (one > other) == (ORDER.index(str(one)) > ORDER.index(str(other)))
        assert (one == other) == (not one < other and not one > other)
    assert all(low < high for low, high in pairwise(RANKING))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param("21", "66", id="mexico beats the highest double"),
        pytest.param("11", "65", id="the lowest double beats the highest pair"),
        pytest.param("65", "64", id="then the lower die decides"),
        pytest.param("61", "54", id="the higher die decides first"),
        pytest.param("32", "31", id="31 is the lowest throw"),
    ],
)
def test_throw_order(better: str, worse: str) -> None:
    assert Throw.of(int(better[0]), int(better[1])) > Throw.of(int(worse[0]), int(worse[1]))


@pytest.mark.parametrize("faces", [(0, 0), (7, 1), (2, 5), (6, -1)])
def test_what_is_no_throw_is_refused(faces: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no throw of two dice"):
        Throw(*faces)


def test_a_throw_is_not_compared_with_a_number() -> None:
    with pytest.raises(TypeError):
        _ = Throw.of(2, 1) > 66
