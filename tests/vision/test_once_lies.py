"""Throws of the benchmark that were once read though they must be refused."""

import pytest

from benchmarks.throws import calibrated, read_throw
from vision import read_tray
from vision.render.case import Tier, draw_case, make_case
from vision.render.setup import LARGE, SMALL, Size, make_setup

pytestmark = pytest.mark.usefixtures("unchecked")


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "size"),
    [
        pytest.param(303199, LARGE, id="a die of the felt's colour, all shadow but for its pips, is one too many"),
        pytest.param(108441, LARGE, id="a marbled die leans on the rim, and has no outline that would show it"),
        pytest.param(401119, LARGE, id="a clear three with two pips of its bottom looks like a five"),
        pytest.param(424707, LARGE, id="a black coaster lies near a die and is taken for its shadow"),
        pytest.param(410848, LARGE, id="a black die in dim light leans on the rim, much like a shadow"),
        pytest.param(
            411470, LARGE, id="of a die of the felt's colour nothing is seen but red pips, in another's closeup"
        ),
        pytest.param(444578, LARGE, id="a die leans on the rim, its top white with the lamp and unlike its sides"),
        pytest.param(
            451421, LARGE, id="a die leans on another, its top lilac with the lamp, gold pips pale on its blue side"
        ),
        pytest.param(
            524235, LARGE, id="a marbled three leans on two others, pale with the light, pips of its sides dark"
        ),
        pytest.param(
            524585, LARGE, id="a clear three leans on another, its top white with the lamp and unlike its side"
        ),
        pytest.param(529563, LARGE, id="a three rolls on, each of its pips seen twice, all of one size"),
        pytest.param(530848, LARGE, id="a one rolls on, all streaks, its edges hardly wider one way"),
        pytest.param(449527, LARGE, id="a five rolls on, its pips of different sizes"),
        pytest.param(
            723692, LARGE, id="a four turns about a corner, its edges drawn out, and all networks are certain"
        ),
        pytest.param(509735, LARGE, id="a six rolls on beside one that lies still"),
        pytest.param(510984, LARGE, id="a clear two is a five with what shines through from its bottom"),
        pytest.param(106713, LARGE, id="a five rolls on beside a clear six"),
        pytest.param(453499, LARGE, id="a clear three rolls on, and looks flat a little beside its place"),
        pytest.param(
            459563,
            LARGE,
            id="a one leans on the rim and has nearly the outline of a flat die, its pip beside the middle",
        ),
        pytest.param(
            471199, LARGE, id="a white one leans on the rim in plain view, its pip a little beside the middle"
        ),
        pytest.param(
            458242, LARGE, id="a five leans on another, and looks flatter a sixteenth of a side beside its place"
        ),
        pytest.param(466507, LARGE, id="a clear five leans on another, and looks flat a little beside its place"),
        pytest.param(441091, LARGE, id="a five under the lamp's white shows the pip in its middle alone"),
        pytest.param(
            474904, LARGE, id="a five's corner pips lie on the edge of a mirrored lamp, that in the middle is seen"
        ),
        pytest.param(
            476914, LARGE, id="a three moves, and is laid by its outline, with pips of the size they should have"
        ),
        pytest.param(368356, LARGE, id="a two leans on the rim, its top lilac with the lamp"),
        pytest.param(
            491331, LARGE, id="a three's corner pips lie on the edge of a mirrored lamp, that in the middle is seen"
        ),
        pytest.param(561392, LARGE, id="a brown cup on a tan cloth is taken for the shadow of the die beside it"),
        pytest.param(804356, LARGE, id="a black cup is one with the faint end of two shadows, and no grain is seen"),
        pytest.param(
            623721, LARGE, id="a marbled five turns about a corner, its pips fainter the farther they are from it"
        ),
        pytest.param(625081, LARGE, id="of a marbled three, grey on white, the pip in the middle alone is seen"),
        pytest.param(
            632554, LARGE, id="a clear four is a five with the pip in the middle of its bottom, all networks certain"
        ),
        pytest.param(634735, LARGE, id="a clear five turns about a corner by little, all networks certain"),
        pytest.param(576633, LARGE, id="a clear four is a five with the pip in the middle of its bottom"),
        pytest.param(
            580675, LARGE, id="of a brown three all but its corners is the lamp's white, pips at the edge of that"
        ),
        pytest.param(588282, LARGE, id="a three half white with the lamp shows the pip in its middle"),
        pytest.param(594532, LARGE, id="of a four all but two of its corners is the lamp's white"),
        pytest.param(595855, LARGE, id="a clear three is a five with two pips of its bottom"),
        pytest.param(
            696156, LARGE, id="a green and black coaster beside a die is darker than grey felt, as a shadow is"
        ),
        pytest.param(516427, LARGE, id="a coaster of the felt's colour in the dark, beside a clear six"),
        pytest.param(699578, LARGE, id="a grey four on grey felt: little of it is new, and it is one too many"),
        pytest.param(694561, LARGE, id="of a three half of two pips lies on the edge of a lamp, and a one is certain"),
        pytest.param(731000, LARGE, id="a grey three under a lamp, its black pip in the middle lighter than the top"),
        pytest.param(700720, LARGE, id="a marbled two turns about one of its pips, the other is drawn out"),
        pytest.param(657421, LARGE, id="two fingers reach over the rim and end a millimetre from a die"),
        pytest.param(777570, LARGE, id="a two leans on the rim by 18 degrees, a light along its edge"),
        pytest.param(825806, LARGE, id="a dark one leans on the rim by 19 degrees, in its shade"),
        pytest.param(835576, LARGE, id="a clear four with the three of its bottom is a five"),
        pytest.param(662457, LARGE, id="a six leans on another, its top white with the lamp, its side marbled"),
        pytest.param(669726, LARGE, id="a clear two in a heap is a five with three pips of its bottom"),
        pytest.param(
            676590,
            LARGE,
            id="a clear two is a five with that of its bottom, to one network alone, a little beside its place",
        ),
        pytest.param(1000106, LARGE, id="a die leans on the rim by 12 degrees"),
        pytest.param(1000212, LARGE, id="a die leans on another by 11 degrees"),
        pytest.param(1000254, LARGE, id="a die leans on the rim by 14 degrees beside two others"),
        pytest.param(1012948, LARGE, id="a three leans on another by little, and looks flat a little beside its place"),
        pytest.param(1012424, LARGE, id="a three leans on another by 14 degrees, and looks flat to one network alone"),
        pytest.param(1000556, LARGE, id="a one leans on another by 15 degrees"),
        pytest.param(1004837, LARGE, id="a die leans on another by 19 degrees, its side dark, its pips blurred"),
        pytest.param(360221, SMALL, id="a three turns about the vertical, its pips drawn out along their ways"),
        pytest.param(611306, SMALL, id="a two rolls over the corner at which one of its pips is"),
        pytest.param(611935, SMALL, id="a one leans on another, and has nearly the outline of a flat die"),
        pytest.param(612277, SMALL, id="a two rolls in dim light, its pips drawn out"),
        pytest.param(361942, SMALL, id="a clear six leans on another, its pips no square"),
    ],
)
def test_it_is_refused(number: int, size: Size) -> None:
    told = read_throw(number, size)

    assert told["verdict"] in ("named", "refused"), told["said"]


@pytest.mark.slow
def test_a_clear_one_is_no_six_where_that_of_its_bottom_is_clearer_than_its_own_pip() -> None:
    setup = make_setup(4494, is_good=True)
    case = make_case(setup, Tier.HARD, 12)
    assert case.faces == (4, 1)

    assert read_tray(draw_case(setup, case), calibrated(setup), 2).faces is None
