"""Drawn throws that a person reads and the reader refused once: some for each way in which it reads them since."""

from unittest.mock import patch

import pytest

from benchmarks.throws import calibrated, case_of, read_throw
from vision import read_tray

pytestmark = pytest.mark.usefixtures("unchecked")


@pytest.mark.one_in(8)
@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(401316, id="by their outline: sixes whose pips touch"),
        pytest.param(508979, id="by the corners: red felt in the dark tells nothing of a camera that trembles"),
        pytest.param(515600, id="by its outline: a one whose top is half white with the lamp"),
        pytest.param(512000, id="both networks agree: a faint one"),
        pytest.param(455951, id="laid beside: clear dice lit from the side"),
        pytest.param(462315, id="by the opinion alone: black dice in the light of a window, at the rim"),
        pytest.param(478453, id="more pips than it has: a clear two on the five of its bottom"),
        pytest.param(522853, id="a six whose pips touch, of the felt's colour: holes in what is new"),
        pytest.param(523010, id="a shadow that begins in that of the rim"),
        pytest.param(602425, id="the third network is sure: a one"),
        pytest.param(622366, id="around its pip: a black one on black felt"),
        pytest.param(621233, id="climbed by the third network: a six that touches a four"),
        pytest.param(621682, id="the networks are sure that it lies still: a marbled one"),
        pytest.param(643316, id="every network is sure: a clear six beside a four"),
        pytest.param(
            813761, id="the one that tells motion is sure that it lies still: a marbled four with golden pips"
        ),
        pytest.param(643718, id="learned from traced dice: a one of two colours"),
        pytest.param(607238, id="all networks are certain: a marbled five that a closer look lost"),
        pytest.param(663366, id="all networks agree: a one whose top mirrors a lamp up to its edges"),
        pytest.param(671103, id="all networks agree: a two half white with the lamp, and nothing else on it"),
        pytest.param(788927, id="raised by the deep network: threes of two colours, heaped"),
        pytest.param(788931, id="raised by the deep network: a faint one"),
        pytest.param(711223, id="deep shade on smooth felt hides no grain"),
        pytest.param(807437, id="the deep network is sure that none leans: two ones beside each other"),
    ],
)
def test_it_is_read(number: int) -> None:
    assert read_throw(number)["verdict"] == "right"


@pytest.mark.slow
def test_what_is_told_by_an_outline_takes_a_close_look() -> None:
    setup, case, picture = case_of(493824)
    calibration = calibrated(setup)

    assert read_tray(picture, calibration, case.expected).faces == (6, 5)
    assert read_tray(picture, calibration, case.expected, closely=False).fault is not None


@pytest.mark.slow
def test_pale_pips_of_which_two_networks_are_sure_take_none() -> None:
    setup, case, picture = case_of(718065)

    with patch("vision.tray.reader.pips_of", return_value=[]) as looked_closer:
        assert read_tray(picture, calibrated(setup), case.expected).faces == case.faces

    assert all(not parts for (parts, _look), _ in looked_closer.call_args_list)
