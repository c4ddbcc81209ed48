"""Reading without a calibration: dice of any colour drawn flat on a cloth, and what must be refused."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from vision import Fault, read_tray
from vision.bodies import Body, cut_out
from vision.candidates import Candidate
from vision.layouts import FaceFit
from vision.pips import Pip, find_pips
from vision.render import FELTS, LAMPS, Table
from vision.render.throw import throw
from vision.scene.missed import missed_pips
from vision.scene.objections import objection
from vision.scene.pips import pips_of_any_colour
from vision.scene.second import second_opinion
from vision.scene.sight import Sight
from vision.types import Frame

H = 0.255
PLACES: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-H, -H), (H, H)],
    3: [(-H, -H), (0, 0), (H, H)],
    4: [(-H, -H), (H, -H), (H, H), (-H, H)],
    5: [(-H, -H), (H, -H), (0, 0), (H, H), (-H, H)],
    6: [(-H, -H), (-H, 0), (-H, H), (H, -H), (H, 0), (H, H)],
}
CLOTH, IVORY, BLACK, WHITE = (60, 90, 40), (205, 225, 235), (35, 30, 30), (250, 250, 250)
RED, PINK = (30, 25, 190), (170, 150, 240)


@dataclass(frozen=True)
class Drawn:
    """A die as it is drawn: colours blue-green-red."""

    face: int
    x: float
    y: float
    body: tuple[int, ...] = IVORY
    pips: tuple[int, ...] = BLACK
    turn: float = 0.4
    side: float = 70
    only: int = 6


def draw(dice: Sequence[Drawn], *, size: tuple[int, int] = (480, 640), seed: int = 1) -> Frame:
    """Draw dice four times too large, shrink, and add what a sensor adds."""
    big = np.full((4 * size[0], 4 * size[1], 3), CLOTH, np.uint8)
    for die in dice:
        c, s = np.cos(die.turn) * die.side, np.sin(die.turn) * die.side
        corners = [
            (die.x + c * u - s * v, die.y + s * u + c * v)
            for u, v in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        ]
        cv2.fillConvexPoly(big, np.rint(np.multiply(corners, 4)).astype(np.int32), die.body)
        for u, v in PLACES[die.face][: die.only]:
            middle = round(4 * (die.x + c * u - s * v)), round(4 * (die.y + s * u + c * v))
            cv2.circle(big, middle, round(0.4 * die.side), die.pips, cv2.FILLED)
    frame = cv2.GaussianBlur(cv2.resize(big, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), (3, 3), 0)
    noise = np.random.default_rng(seed).normal(0, 2, frame.shape)
    return np.asarray(np.clip(frame + noise, 0, 255), np.uint8)


def sight_of(frame: Frame) -> Sight:
    return Sight.of(
        np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2LAB), np.uint8), pips_of_any_colour(frame, diameters=(6, 60))
    )


@pytest.mark.one_in(5)
@pytest.mark.parametrize("face", PLACES)
@pytest.mark.parametrize(
    ("body", "pips"),
    [
        pytest.param(IVORY, BLACK, id="black on ivory"),
        pytest.param(BLACK, WHITE, id="white on black"),
        pytest.param(RED, WHITE, id="white on red"),
        pytest.param(RED, BLACK, id="black on red"),
        pytest.param(PINK, WHITE, id="white on pink"),
        pytest.param(WHITE, RED, id="red on white"),
    ],
)
def test_every_face_is_read_in_every_colour(face: int, body: tuple[int, ...], pips: tuple[int, ...]) -> None:
    frame = draw([Drawn(face, 200, 180, body, pips), Drawn(4, 430, 300, body, pips, turn=1.1)])

    assert read_tray(frame, None, 2).faces == tuple(sorted((face, 4), reverse=True))


def test_dice_of_opposite_colours_are_read_together() -> None:
    frame = draw([Drawn(5, 150, 150), Drawn(3, 350, 150, BLACK, WHITE), Drawn(6, 250, 330, RED, WHITE)])

    assert read_tray(frame, None, 3).faces == (6, 5, 3)
    assert read_tray(frame, None, None).faces == (6, 5, 3)


@pytest.mark.parametrize("dice", [1, 3])
def test_another_number_of_dice_than_expected_is_refused(dice: int) -> None:
    frame = draw([Drawn(6, 150, 150), Drawn(3, 400, 300, BLACK, WHITE)])

    reading = read_tray(frame, None, dice)

    assert reading.faces is None
    assert reading.fault is (Fault.MISSING if dice == 3 else Fault.EXTRA)


def test_two_dice_are_not_the_pips_of_a_giant_two() -> None:
    frame = draw([Drawn(1, 200, 180, WHITE, BLACK), Drawn(1, 420, 330, WHITE, BLACK)])

    assert read_tray(frame, None, 1).faces is None
    assert read_tray(frame, None, 2).faces == (1, 1)


def test_a_die_of_which_a_pip_is_missing_is_not_read_as_another_face() -> None:
    frame = draw([Drawn(6, 200, 180, only=5), Drawn(4, 420, 330)])

    assert read_tray(frame, None, 2).faces is None


def test_a_one_with_a_pip_like_its_own_beside_it_may_be_half_a_two() -> None:
    dice = [Drawn(1, 200, 180, RED, WHITE, turn=0.0), Drawn(4, 420, 330, RED, WHITE), Drawn(2, 480, 120, RED, WHITE)]
    alone, beside = draw(dice), draw(dice)
    cv2.rectangle(beside, (165, 114), (190, 143), (10, 8, 70), cv2.FILLED)
    cv2.ellipse(beside, (177, 130), (6, 7), 0, 0, 360, WHITE, cv2.FILLED, cv2.LINE_AA)

    assert read_tray(alone, None, 3).faces == (4, 2, 1)
    assert read_tray(beside, None, 3).faces is None


def _laid(face: int, pips: Sequence[Pip], *, outline: tuple[float, float, float, float] = (1, 1, 1, 1)) -> Candidate:
    """Return a die of 40 pixels over *pips*, which are numbers 0 and on."""
    x, y = np.mean([(p.x, p.y) for p in pips], axis=0)
    used = frozenset(range(len(pips)))
    return Candidate(FaceFit(face, x, y, 0.0, 40.0, used, 0.0), Body((200, 128, 128), 1, outline, 100, 1, 0), face)


def _said(dice: Sequence[Candidate], pips: Sequence[Pip]) -> tuple[Fault | None, str]:
    sight = Sight.of(np.full((100, 300, 3), 200, np.uint8), pips)
    return objection(dice, dice, sight, 40.0, len(dice))


@pytest.mark.parametrize(("apart", "fault"), [(50, Fault.UNSURE), (90, None)])
def test_two_ones_so_near_one_another_may_be_a_two(apart: float, fault: Fault | None) -> None:
    pips = [_pip(100), _pip(100 + apart)]
    second = replace(_laid(1, pips[1:]), fit=replace(_laid(1, pips[1:]).fit, pips=frozenset([1])))

    assert _said([_laid(1, pips[:1]), second], pips)[0] is fault


@pytest.mark.parametrize(
    ("outline", "fault"),
    [
        pytest.param((0.21, 0.27, 0.42, 0.81), Fault.UNSURE, id="half of a faint four"),
        pytest.param((0.0, 0.12, 0.3, 0.7), Fault.UNSURE, id="a pip of the top and one of a side"),
        pytest.param((0.04, 0.33, 0.78, 1.0), None, id="the least clear in a photograph"),
    ],
)
def test_two_pips_without_the_edges_of_a_die_are_no_two(
    outline: tuple[float, float, float, float], fault: Fault | None
) -> None:
    pips = [_pip(100), _pip(129)]

    assert _said([_laid(2, pips, outline=outline)], pips)[0] is fault


@pytest.mark.parametrize(("roundness", "fault"), [(0.63, Fault.OUTSIDE), (0.3, None)])
def test_a_pip_that_the_edge_of_the_picture_cuts_is_of_a_die_beyond_it(roundness: float, fault: Fault | None) -> None:
    cut = Pip(2.0, 50.0, 12.0, roundness, dark=True, levels=15)
    pips = [_pip(31), cut]

    assert _said([_laid(1, pips[:1])], pips)[0] is fault


@pytest.mark.long
def test_cloth_of_squares_is_no_dice() -> None:
    frame = np.full((480, 640, 3), CLOTH, np.uint8)
    for x in range(20, 640, 40):
        for y in range(20, 480, 40):
            cv2.rectangle(frame, (x - 10, y - 10), (x + 10, y + 10), IVORY, cv2.FILLED)

    assert read_tray(frame, None, None).faces is None
    assert read_tray(frame, None, 2).faces is None


@pytest.mark.parametrize(("body", "pips"), [(RED, WHITE), (WHITE, RED), (PINK, WHITE)])
def test_pips_are_found_by_colour_where_grey_tells_little(body: tuple[int, ...], pips: tuple[int, ...]) -> None:
    found = pips_of_any_colour(draw([Drawn(5, 300, 240, body, pips)]), diameters=(6, 40))

    on_face = [p for p in found if np.hypot(p.x - 300, p.y - 240) < 35 and 10 < p.diameter < 20]
    assert len(on_face) == 5


def test_a_square_is_no_pip_and_half_a_pip_is_one() -> None:
    gray = np.full((120, 240), 220, np.uint8)
    cv2.rectangle(gray, (40, 40), (70, 70), 30, cv2.FILLED)
    cv2.circle(gray, (150, 55), 15, 30, cv2.FILLED, cv2.LINE_AA)
    gray[:, 156:] = 220

    assert [round(pip.y) for pip in find_pips(gray, diameters=(6, 60))] == [55]


@pytest.mark.parametrize("face", PLACES)
@pytest.mark.parametrize("dark", [True, False])
def test_the_second_opinion_names_the_face_from_contrast_alone(face: int, dark: bool) -> None:
    die = Drawn(face, 300, 240, *((IVORY, BLACK) if dark else (BLACK, WHITE)))
    corners = FaceFit(face, die.x, die.y, die.turn, die.side, frozenset(), 0.0).corners()
    lab = np.asarray(cv2.cvtColor(draw([die]), cv2.COLOR_BGR2LAB), np.uint8)

    opinion = second_opinion(cut_out(lab, corners), 0.2, dark=dark)

    assert opinion.face == face
    assert opinion.margin > 0.8
    assert opinion.misfit < 0.5


def test_the_second_opinion_doubts_a_face_that_is_laid_askew() -> None:
    lab = np.asarray(cv2.cvtColor(draw([Drawn(6, 300, 240)]), cv2.COLOR_BGR2LAB), np.uint8)
    row_as_three = FaceFit(3, 300 - 0.255 * 70, 240, 0.4 + np.pi / 4, 0.71 * 70, frozenset(), 0.0)

    opinion = second_opinion(cut_out(lab, row_as_three.corners()), 0.28, dark=True)

    assert opinion.face != 3 or opinion.margin < 0.5 or opinion.misfit > 2


@pytest.mark.parametrize("hidden", range(6))
def test_a_pip_that_was_missed_is_found_where_the_layout_asks_for_it(hidden: int) -> None:
    sight = sight_of(draw([Drawn(6, 300, 240)]))
    pips = [p for p in sight.pips if 10 < p.diameter < 20]
    gone = pips.pop(hidden)

    missed = missed_pips(Sight.of(sight.lab, pips), set(), 70.0)

    assert [(round(p.x), round(p.y)) for p in missed] == [pytest.approx((gone.x, gone.y), abs=3)]


@pytest.mark.long
def test_no_pip_is_made_up_where_none_is_drawn() -> None:
    for face in (2, 3, 4, 5, 6):
        sight = sight_of(draw([Drawn(face, 300, 240)]))

        assert missed_pips(sight, set(), 70.0) == []


def test_pips_on_different_bodies_are_of_no_face_together() -> None:
    frame = np.full((100, 200, 3), 220, np.uint8)
    frame[:, 100:] = (20, 20, 160)
    sight = Sight.of(np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2LAB), np.uint8), [_pip(40), _pip(70), _pip(150)])

    assert sight.apart.tolist() == [[False, False, True], [False, False, True], [True, True, False]]


def _pip(x: float) -> Pip:
    return Pip(x, 50.0, 12.0, 1.0, dark=True, levels=15)


@pytest.mark.long
@pytest.mark.slow
def test_rendered_throws_are_read_right_or_refused_without_a_calibration() -> None:
    right, lies = 0, []
    for seed, (felt, light) in enumerate(zip(("green", "red", "sand", "black"), sorted(LAMPS), strict=False)):
        assert felt in FELTS
        table = Table(seed + 100, felt=felt, light=light)
        for k in range(5):
            dice = throw(random.Random(100 * seed + k), 1 + k)
            truth = tuple(sorted((die.top for die in dice), reverse=True))
            faces = read_tray(table.picture(dice, seed=k), None, len(dice)).faces
            right += faces == truth
            lies += [] if faces in (truth, None) else [(seed, k, faces, truth)]

    assert not lies
    assert right >= 12


@pytest.mark.parametrize("level", [0, 20, 250, 255])
def test_a_picture_all_black_or_white_is_refused_for_its_light(level: int) -> None:
    assert read_tray(np.full((480, 640, 3), level, np.uint8), None, dice=2).fault is Fault.LIGHT
