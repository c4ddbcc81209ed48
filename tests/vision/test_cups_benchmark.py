"""The benchmark of cups: what its page says of the tables that were drawn."""

import pytest

from benchmarks.cups import Leak, page

UNSEEN = "No threshold was set on any of these tables."
SEEN = "The thresholds were set on tables below 1000, of which {} are drawn here."


@pytest.mark.parametrize(
    ("first", "said"),
    [
        pytest.param(1000, UNSEEN, id="the first that none was set on"),
        pytest.param(0, SEEN.format(48), id="those that they were set on"),
        pytest.param(990, SEEN.format(10), id="some of those"),
    ],
)
def test_the_page_says_whether_thresholds_were_set_on_its_tables(first: int, said: str) -> None:
    text = page([], [Leak("panel", 0, 0, 0)], range(first, first + 48))

    assert [line in text for line in (said, UNSEEN)] == [True, said == UNSEEN]
