"""Layouts laid over pips where the side of a die is known."""

from dataclasses import replace
from math import cos, radians, sin

import pytest

from vision.layouts import SHINING
from vision.pips import Pip
from vision.tray.laying import lay

SIDE = 56.0
SPOTS = {
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    5: ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}


def pips_of(face: int, *, span: float = 0.5, wide: float = 1.0, yaw: float = 20.0, levels: int = 20) -> list[Pip]:
    """Return the pips of a die of SIDE pixels; a six's rows are *wide* times as far apart as they are long."""
    c, s = cos(radians(yaw)), sin(radians(yaw))
    places = [(x * span / 2 * SIDE, y * span / 2 * SIDE * (wide if face == 6 else 1)) for x, y in SPOTS[face]]
    return [Pip(100 + c * x - s * y, 90 + s * x + c * y, 9.0, 0.95, True, levels) for x, y in places]


def best(pips: list[Pip]) -> int:
    return max(lay(pips, SIDE), key=lambda fit: len(fit.pips)).face


@pytest.mark.parametrize("face", SPOTS)
@pytest.mark.parametrize("span", [0.40, 0.46, 0.52, 0.58])
@pytest.mark.parametrize("yaw", [0.0, 20.0, 45.0, 77.0])
def test_every_layout_of_every_set_is_found(face: int, span: float, yaw: float) -> None:
    assert best(pips_of(face, span=span, yaw=yaw)) == face


@pytest.mark.parametrize("wide", [0.52, 0.65, 0.8, 1.0])
def test_a_six_may_be_a_rectangle(wide: float) -> None:
    (six,) = {fit.face for fit in lay(pips_of(6, wide=wide), SIDE)}

    assert six == 6


@pytest.mark.parametrize("face", [4, 5, 6])
def test_a_face_with_many_pips_is_not_also_one_with_few_about_the_same_middle(face: int) -> None:
    middle = [fit for fit in lay(pips_of(face), SIDE) if abs(fit.x - 100) + abs(fit.y - 90) < 3]

    assert {fit.face for fit in middle} == {face}


def test_a_faint_pip_in_the_middle_may_shine_through_from_below() -> None:
    *corners, middle = pips_of(5)
    faint = Pip(middle.x, middle.y, middle.diameter, middle.roundness, middle.dark, 5)

    assert {4, 5} <= {fit.face for fit in lay([*corners, faint], SIDE)}


@pytest.mark.parametrize(
    ("levels", "strict", "loose"),
    [
        pytest.param(7, {2, 5}, {2, 5}, id="far fainter than those of the two"),
        pytest.param(12, {5}, {2, 5}, id="as pips of the bottom are on dice clear as glass"),
        pytest.param(17, {5}, {5}, id="hardly fainter"),
    ],
)
def test_fainter_pips_may_be_left_over(levels: int, strict: set[int], loose: set[int]) -> None:
    pips = [replace(pip, levels=20 if k in (0, 2) else levels) for k, pip in enumerate(pips_of(5))]

    assert {fit.face for fit in lay(pips, SIDE)} & {2, 5} == strict
    assert {fit.face for fit in lay(pips, SIDE, SHINING)} & {2, 5} == loose


def test_pips_of_two_polarities_make_no_face() -> None:
    one, two = pips_of(2)
    other = Pip(two.x, two.y, two.diameter, two.roundness, not two.dark, two.levels)

    assert list(lay([one, other], SIDE)) == []


@pytest.mark.parametrize("span", [0.2, 0.9])
def test_pips_too_near_or_too_far_for_the_die_make_no_face(span: float) -> None:
    assert list(lay(pips_of(2, span=span), SIDE)) == []


def test_where_the_die_lies_is_told_by_its_corner_pips() -> None:
    (fit,) = {(round(fit.x), round(fit.y), fit.side) for fit in lay(pips_of(5), SIDE)}

    assert fit == (100, 90, SIDE)


@pytest.mark.parametrize(("apart", "faces"), [(3.0, {4}), (14.0, set())])
def test_a_lamp_mirrored_in_a_pip_is_no_pip_but_one_beside_it_is(apart: float, faces: set[int]) -> None:
    pips = pips_of(4)
    one = pips[0]
    glint = Pip(one.x + apart / 2**0.5, one.y + apart / 2**0.5, 6.0, 0.9, one.dark, one.levels)

    assert {fit.face for fit in lay([*pips, glint], SIDE)} & {4, 5, 6} == faces
