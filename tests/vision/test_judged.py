"""When the networks are sure of a die, whatever else is seen on it."""

from dataclasses import replace

import pytest

from vision.bodies import Body
from vision.layouts import FaceFit
from vision.tray.found import Judged

CHANCES = {"chances": 0.98, "seconded": 0.98}


def judged(face: int, **told: float | None) -> Judged:
    """Return a die of *face* with what each network gives that."""
    said = {**CHANCES, **told}
    body = Body(colour=(90.0, 0.0, 0.0), fill=1.0, contrast=60.0, evenness=1.0, stranger=0.0, outline=(1.0,) * 4)
    fit = FaceFit(face, 50.0, 50.0, 0.0, 40.0, frozenset(range(face)), 0.0)
    chances = tuple(said["chances"] or 0.0 if k == face else 0.0 for k in range(7))
    die = Judged(fit, body, face * 0.9, chances)
    return replace(die, seconded=said["seconded"])


@pytest.mark.parametrize("face", range(1, 7))
def test_they_are_where_both_are(face: int) -> None:
    assert judged(face).is_sure_of_all


@pytest.mark.parametrize("network", CHANCES)
def test_they_are_not_where_one_of_them_is_not(network: str) -> None:
    # A clear two with a lamp's streak in its middle: to one of them a three.
    assert not judged(3, **{network: 0.9}).is_sure_of_all


def test_they_are_not_where_the_deep_one_was_not_asked() -> None:
    assert not judged(3, seconded=None).is_sure_of_all


def test_a_one_needs_more_it_may_be_all_that_is_seen_of_a_three() -> None:
    assert judged(3, seconded=0.96).is_sure_of_all
    assert not judged(1, seconded=0.96).is_sure_of_all


def test_pale_pips_take_a_closer_look_unless_two_networks_are_sure_from_all_sides() -> None:
    pale = replace(judged(4, chances=0.99, seconded=None), weight=4 * 0.99 * 0.4)

    assert judged(4).is_clear
    assert pale.pale
    assert not pale.is_clear
    assert replace(pale, seconded=0.98).is_clear
    assert not replace(pale, seconded=0.95).is_clear
