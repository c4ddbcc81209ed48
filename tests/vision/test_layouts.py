"""Six layouts as rigid patterns, a cover by whole dice, and what is drawn on a picture."""

from itertools import pairwise

import numpy as np
import pytest

from vision import Die, Fault, TrayReading
from vision.bodies import Body
from vision.candidates import Candidate
from vision.cover import choose, greedy, left_over, rival
from vision.layouts import SPAN, FaceFit, fit_faces, yaw_deg
from vision.overlay import draw
from vision.pips import Pip, find_pips

H = SPAN / 2
PLACES = {
    2: [(-H, -H), (H, H)],
    3: [(-H, -H), (0, 0), (H, H)],
    4: [(-H, -H), (H, -H), (H, H), (-H, H)],
    5: [(-H, -H), (H, -H), (0, 0), (H, H), (-H, H)],
    6: [(-H, -H), (-H, 0), (-H, H), (H, -H), (H, 0), (H, H)],
}


def pips_of(face: int, *, x: float = 100, y: float = 100, turn: float = 0.3, side: float = 60) -> list[Pip]:
    c, s = np.cos(turn), np.sin(turn)
    return [
        Pip(x + side * (c * u - s * v), y + side * (s * u + c * v), 0.2 * side, 1.0, dark=True, levels=15)
        for u, v in PLACES[face]
    ]


@pytest.mark.parametrize("face", PLACES)
@pytest.mark.parametrize("turn", [0.0, 0.4, 0.78, 1.3])
def test_a_layout_is_found_over_its_own_pips(face: int, turn: float) -> None:
    fits = list(fit_faces(pips_of(face, turn=turn), (40, 90)))

    best = max(fits, key=lambda fit: len(fit.pips))
    assert best.face == face
    assert (best.x, best.y) == pytest.approx((100, 100), abs=0.5)
    assert best.side == pytest.approx(60, rel=0.12)


@pytest.mark.parametrize(("near", "face"), [pytest.param(0.62, 6, id="asian"), pytest.param(0.5, 3, id="two threes")])
def test_rows_of_a_six_may_be_near(near: float, face: int) -> None:
    pips = [Pip(100 + near * (p.x - 100), p.y, p.diameter, 1.0, dark=True, levels=15) for p in pips_of(6, turn=0.0)]

    assert max(fit.face for fit in fit_faces(pips, (40, 90))) == face


def test_pips_of_two_sizes_are_no_face() -> None:
    big, small = pips_of(2)
    pair = [big, Pip(small.x, small.y, small.diameter / 2, 1.0, dark=True, levels=15)]

    assert list(fit_faces(pair, (40, 90))) == []


def test_dark_and_light_pips_are_no_face_together() -> None:
    one, other = pips_of(2)

    assert list(fit_faces([one, Pip(other.x, other.y, other.diameter, 1.0, dark=False, levels=15)], (40, 90))) == []


def candidate(x: float, pips: set[int], face: int = 2, weight: float = 1.0) -> Candidate:
    fit = FaceFit(face, x, 0.0, 0.0, 50.0, frozenset(pips), 0.0)
    body = Body((200.0, 128.0, 128.0), 1.0, (1.0, 1.0, 1.0, 1.0), 90.0, 1.0, 0.0)
    return Candidate(fit, body, weight)


def test_a_cover_takes_the_six_and_not_its_two_threes() -> None:
    six = candidate(100, {0, 1, 2, 3, 4, 5}, face=6, weight=6)
    threes = [candidate(90, {0, 1, 2}, face=3, weight=3), candidate(115, {3, 4, 5}, face=3, weight=3)]

    assert choose([*threes, six], 2) == [six]
    assert greedy([*threes, six], 2) == [six]


def test_a_cover_prefers_two_small_dice_to_one_that_straddles_them() -> None:
    left, right = candidate(0, {0, 1}, weight=2), candidate(100, {2, 3}, weight=2)
    across = candidate(50, {1, 2, 4}, face=3, weight=2.5)

    chosen = choose([left, right, across], None)
    assert sorted(c.fit.x for c in chosen) == [0, 100]
    assert rival(chosen, [left, right, across]) is across


def test_a_round_pip_that_no_die_explains_is_left_over_and_a_flat_one_is_not() -> None:
    pips = [*pips_of(2), Pip(300, 300, 12, 0.95, dark=True, levels=15), Pip(320, 300, 12, 0.35, dark=True, levels=15)]

    assert left_over([candidate(100, {0, 1})], pips) == [pips[2]]


def test_a_pip_is_found_once_however_soft_its_edge() -> None:
    y, x = np.mgrid[:60, :60]
    soft = 220 - 180 / (1 + np.exp((np.hypot(x - 30, y - 30) - 8) / 1.5))

    found = find_pips(soft.astype(np.uint8), diameters=(6, 40))

    assert [(round(pip.x), round(pip.y), pip.dark) for pip in found] == [(30, 30, True)]
    assert found[0].roundness > 0.95


def test_a_square_turns_within_a_quarter_counterclockwise() -> None:
    turns = [yaw_deg(angle) for angle in (0.0, np.pi / 2, -np.pi / 4, -np.pi / 6, 1e-20)]

    assert turns == pytest.approx([0.0, 0.0, 45.0, 30.0, 0.0])


def test_corners_go_clockwise_around_the_centre() -> None:
    corners = FaceFit(4, 10.0, 20.0, 0.5, 8.0, frozenset(), 0.0).corners()

    assert np.mean(corners, axis=0) == pytest.approx((10, 20))
    edges = [np.subtract(b, a) for a, b in pairwise([*corners, corners[0]])]
    assert all(a[0] * b[1] - a[1] * b[0] > 0 for a, b in pairwise(edges))


def test_the_overlay_draws_on_a_copy() -> None:
    frame = np.full((200, 320, 3), 60, np.uint8)
    die = Die(5, (100, 100), None, 0.0, 0.9, ((80, 80), (120, 80), (120, 120), (80, 120)), ((100, 100),))

    read, refused = draw(frame, TrayReading.read((die,))), draw(frame, TrayReading.refused(Fault.COCKED, "leans"))

    assert (frame == 60).all()
    assert read.shape == frame.shape
    assert read[80, 100].tolist() != [60, 60, 60]
    assert not np.array_equal(read, refused)


def test_a_reading_has_either_faces_or_a_fault() -> None:
    with pytest.raises(ValueError, match="either"):
        TrayReading((1,), Fault.UNSURE)
    with pytest.raises(ValueError, match="cannot be read"):
        TrayReading.read((Die(None, (0, 0), None, 0.0, 0.0, ((0, 0), (1, 0), (1, 1), (0, 1))),))
