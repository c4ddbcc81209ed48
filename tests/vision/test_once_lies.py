"""Throws of the benchmark that were once read though they must be refused."""

import pytest

from benchmarks.throws import read_throw


@pytest.mark.slow
def test_a_die_of_the_felts_colour_that_is_all_shadow_but_for_its_pips_is_one_too_many() -> None:
    told = read_throw(303199)

    assert (told["verdict"], told["said"]) == ("named", "extra")
