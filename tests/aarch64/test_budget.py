"""What the count on the emulated Arm is held against; the count itself is `make aarch64`."""

import pytest

from tests.aarch64 import budget
from tests.aarch64.machine import Trouble
from tests.aarch64.workload import PARTS


def test_the_budget_that_is_checked_in_has_every_part() -> None:
    kept = budget.load()

    assert tuple(kept) == PARTS
    assert all(instructions > 100_000 for instructions in kept.values())


@pytest.mark.parametrize(
    ("counted", "is_within"),
    [
        pytest.param(1_000, True, id="as it was"),
        pytest.param(1_100, True, id="a tenth more"),
        pytest.param(1_101, False, id="more than a tenth"),
        pytest.param(500, True, id="half"),
    ],
)
def test_more_than_a_tenth_above_the_budget_is_a_failure(counted: int, is_within: bool) -> None:
    lines, within = budget.judge({"one": counted, "two": 7}, {"one": 1_000, "two": 7})

    assert within is is_within
    assert f"{counted:,} instructions" in lines[0]
    assert (budget.RENEW in lines[0]) is (counted > 1_100 or counted == 500)


def test_a_part_that_has_no_budget_is_a_failure() -> None:
    lines, within = budget.judge({"one": 1}, {"two": 1})

    assert not within
    assert budget.RENEW in lines[0]


def test_a_count_is_what_lies_between_two_marks_for_one_picture() -> None:
    assert budget.per_picture("0 1000\n1 17000\n2 20000\n3 21600\n") == {"read_tray": 1_000, "motion_step": 100}


def test_a_count_that_was_broken_off_is_no_count() -> None:
    with pytest.raises(Trouble, match="broken off"):
        budget.per_picture("0 1000\n1 17000\n2 20000\n")
