"""Throws of the benchmark that were once read though they must be refused."""

import pytest

from benchmarks.throws import read_throw


@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(303199, id="a die of the felt's colour, all shadow but for its pips, is one too many"),
        pytest.param(108441, id="a marbled die leans on the rim, and has no outline that would show it"),
        pytest.param(401119, id="a clear three with two pips of its bottom looks like a five"),
        pytest.param(424707, id="a black coaster lies near a die and is taken for its shadow"),
        pytest.param(410848, id="a black die in dim light leans on the rim, much like a shadow"),
        pytest.param(411470, id="of a die of the felt's colour nothing is seen but red pips, in another's closeup"),
        pytest.param(444578, id="a die leans on the rim, its top white with the lamp and unlike its sides"),
        pytest.param(451421, id="a die leans on another, its top lilac with the lamp, gold pips pale on its blue side"),
        pytest.param(449527, id="a five rolls on, its pips of different sizes"),
        pytest.param(106713, id="a five rolls on beside a clear six"),
        pytest.param(453499, id="a clear three rolls on, and looks flat a little beside its place"),
        pytest.param(
            459563, id="a one leans on the rim and has nearly the outline of a flat die, its pip beside the middle"
        ),
        pytest.param(471199, id="a white one leans on the rim in plain view, its pip a little beside the middle"),
        pytest.param(458242, id="a five leans on another, and looks flatter a sixteenth of a side beside its place"),
        pytest.param(466507, id="a clear five leans on another, and looks flat a little beside its place"),
        pytest.param(441091, id="a five under the lamp's white shows the pip in its middle alone"),
        pytest.param(474904, id="a five's corner pips lie on the edge of a mirrored lamp, that in the middle is seen"),
        pytest.param(476914, id="a three moves, and is laid by its outline, with pips of the size they should have"),
    ],
)
def test_it_is_refused(number: int) -> None:
    told = read_throw(number)

    assert told["verdict"] in ("named", "refused"), told["said"]
