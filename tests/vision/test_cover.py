"""Which of the proposed dice are taken to lie there: the ones that explain most, however many there are."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from vision.bodies import Body
from vision.candidates import Candidate
from vision.cover import choose
from vision.layouts import FaceFit

BODY = Body(colour=(80.0, 0.0, 0.0), fill=1.0, outline=(1.0, 1.0, 1.0, 1.0), contrast=99.0, evenness=1.0, stranger=0.0)
SIDE = 10.0


def candidate(pips: set[int], x: float, weight: float) -> Candidate:
    return Candidate(FaceFit(len(pips), x, 0.0, 0.0, SIDE, frozenset(pips), 0.0), BODY, weight)


def test_thirty_dice_are_found_where_the_heaviest_proposals_are_wrong() -> None:
    """One search over all of them is cut off long before it comes to the end."""
    proposed = [
        candidate(pips, 100.0 * pair + x, weight)
        for pair in range(15)
        for pips, x, weight in (
            ({10 * pair, 10 * pair + 1, 10 * pair + 2, 10 * pair + 3}, 20.0, 4.0),
            ({10 * pair, 10 * pair + 1, 10 * pair + 4}, 0.0, 2.9),
            ({10 * pair + 2, 10 * pair + 3, 10 * pair + 5}, 40.0, 2.8),
        )
    ]

    assert [len(c.fit.pips) for c in choose(proposed, None)] == [3] * 30


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("most", [None, 3])
def test_what_is_chosen_explains_as_much_as_any_choice(seed: int, most: int | None) -> None:
    rng = random.Random(seed)
    proposed = [
        candidate(set(rng.sample(range(24), rng.randint(2, 4))), rng.uniform(0, 90), rng.uniform(1, 6))
        for _ in range(9)
    ]
    possible = [
        few
        for count in range(1, (most or 9) + 1)
        for few in combinations(proposed, count)
        if not any(one.clashes(other) for one, other in combinations(few, 2))
    ]

    chosen = choose(proposed, most)

    assert tuple(c for c in proposed if c in chosen) in possible
    assert sum(c.weight for c in chosen) == pytest.approx(max(sum(c.weight for c in few) for few in possible))
