"""What is to be told apart in a heap: dice that are clear and others, shadows and sides, pips and specks."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision import Calibration
from vision.bodies import Body
from vision.candidates import Candidate
from vision.layouts import FaceFit
from vision.pips import Pip
from vision.tray.closeup import Closeup
from vision.tray.explain import weighed
from vision.tray.found import Found, Judged
from vision.tray.leaning import CERTAIN, doubt
from vision.tray.remainder import as_one, put_together, remainders
from vision.types import Fault, Gray
from vision.zone import Region

SIDE = 40.0
BODY = Body(colour=(200.0, 128.0, 128.0), fill=1.0, outline=(1.0,) * 4, contrast=90.0, evenness=1.0, stranger=0.0)


def closeup(changed: Gray) -> Closeup:
    picture = np.zeros((*changed.shape, 3), np.uint8)
    dark, delta = np.zeros_like(changed), np.full_like(changed, 90)
    return Closeup(0, 0, picture, picture, changed, changed.copy(), dark, delta, SIDE, np.eye(3))


def heap(*middles: tuple[int, int]) -> Closeup:
    """Return a closeup in which squares of a die's size are new."""
    changed = np.zeros((200, 240), np.uint8)
    for x, y in middles:
        changed[y - 20 : y + 20, x - 20 : x + 20] = 255
    return closeup(changed)


def pip(x: float, y: float, levels: int = 20) -> Pip:
    return Pip(x, y, 7.0, 0.95, True, levels)


def die(face: int, x: float, y: float, *pips: int, chance: float = 0.99) -> Judged:
    fit = FaceFit(face, x, y, 0.0, SIDE, frozenset(pips), 0.0)
    chances = np.full(7, (1 - chance) / 6, np.float32)
    chances[face] = chance
    return Judged.by(Candidate(fit, BODY, float(face)), chances)


def test_each_piece_beside_the_clear_dice_is_looked_at_by_itself() -> None:
    whole = heap((60, 60), (100, 60), (180, 150))

    pieces = remainders(whole, [die(1, 60, 60, 0)])

    assert [piece.changed[60, 100] for piece in pieces] == [255, 0]
    assert [piece.changed[150, 180] for piece in pieces] == [0, 255]
    assert not any(piece.changed[60, 60] for piece in pieces)


def test_slivers_beside_clear_dice_are_no_pieces() -> None:
    whole = heap((60, 60))
    whole.changed[40:80, 80:88] = 255

    assert remainders(whole, [die(1, 60, 60, 0)]) == []


@pytest.mark.parametrize(
    ("speck", "is_one"),
    [
        pytest.param((128, 60), True, id="a pip's width beside the piece"),
        pytest.param((200, 180), False, id="too far to be of one die"),
        pytest.param(None, False, id="nothing is left beside the piece"),
    ],
)
def test_a_piece_and_scraps_beside_it_may_be_one_die(speck: tuple[int, int] | None, is_one: bool) -> None:
    whole = heap((100, 60))
    if speck is not None:
        x, y = speck
        for mask in (whole.changed, whole.body):
            mask[y - 5 : y + 5, x - 5 : x + 5] = 255
    pieces = remainders(whole, [])

    assert len(pieces) == 1
    assert [cv2.countNonZero(one.body) for one in as_one(whole, [], pieces)] == [1700] * is_one


def test_where_there_is_no_piece_all_that_is_new_may_be_a_die() -> None:
    whole = heap((60, 60))
    whole.changed[40:80, 80:88] = 255
    clear = [die(1, 60, 60, 0)]

    assert [bool(one.changed.any()) for one in as_one(whole, clear, remainders(whole, clear))] == [True]


def test_the_dice_of_a_piece_join_the_clear_ones() -> None:
    clear, doubtful = die(1, 60, 60, 0), die(1, 100, 60, 1, chance=0.3)
    before = Found(heap((60, 60), (100, 60)), [pip(60, 60), pip(106, 66)], [clear, doubtful], [clear, doubtful], ())
    piece = Found(before.closeup, [pip(94, 54), pip(106, 66)], (), [die(2, 100, 60, 0, 1)], ())

    together = put_together(before, [clear], [piece])

    assert [c.fit.face for c in together.chosen] == [1, 2]
    assert sorted(together.chosen[1].fit.pips) == [1, 2], "a pip that was seen before has its place"
    assert len(together.pips) == 3


def test_a_pip_that_was_seen_before_speaks_against_a_die_that_does_not_explain_it() -> None:
    clear = die(1, 60, 60, 0)
    before = Found(heap((60, 60), (100, 60)), [pip(60, 60), pip(100, 60)], [clear], [clear], ())
    piece = Found(before.closeup, [pip(94, 54), pip(106, 66)], (), [die(2, 100, 60, 0, 1)], ())

    together = put_together(before, [clear], [piece])

    assert [c.fit.face for c in together.chosen] == [1], "it may be the middle of a three"


@pytest.mark.parametrize("apart", [0.0, 20.0])
def test_no_die_of_a_piece_lies_where_a_clear_one_does(apart: float) -> None:
    clear = die(1, 60, 60, 0)
    before = Found(heap((60, 60)), [pip(60, 60)], [clear], [clear], ())
    piece = Found(before.closeup, [pip(54 + apart, 54), pip(66 + apart, 66)], (), [die(2, 60 + apart, 60, 0, 1)], ())

    assert put_together(before, [clear], [piece]).chosen == [clear]


def test_dice_of_which_little_was_to_be_said_stay_where_a_piece_shows_nothing() -> None:
    clear, pale = die(1, 60, 60, 0), replace(die(1, 100, 60, 1), weight=0.2)
    before = Found(heap((60, 60), (100, 60)), [pip(60, 60), pip(100, 60, 4)], [clear, pale], [clear, pale], ())

    assert put_together(before, [clear], []).chosen == [clear, pale]


def lone(*more: Pip) -> Found:
    """Return a closeup in which a one lies, and perhaps more pips are seen."""
    whole, one = heap((100, 100)), die(1, 100, 100, 0)
    whole.lab[...] = (20, 128, 128)
    whole.lab[80:120, 80:120] = (200, 128, 128)
    cv2.circle(whole.lab, (100, 100), 4, (30, 128, 128), cv2.FILLED)
    return Found(whole, [pip(100, 100), *more], [one], [one], ())


@pytest.mark.parametrize(
    ("darker", "chance", "strictly", "fault"),
    [
        pytest.param(
            255, 0.99, False, None, id="darker than the felt in every colour, of a die that is certain: a shadow"
        ),
        pytest.param(0, 0.99, False, Fault.COCKED, id="lighter than the felt: a side"),
        pytest.param(255, 0.99, True, Fault.COCKED, id="at a first look it may be either"),
        pytest.param(255, CERTAIN - 0.02, False, Fault.COCKED, id="of a die that is not certain it may be either"),
    ],
)
def test_what_sticks_out_of_a_die_may_be_its_coloured_shadow(
    darker: int, chance: float, strictly: bool, fault: Fault | None
) -> None:
    part = lone()
    beside = np.s_[80:120, 124:138]
    part.closeup.changed[beside] = part.closeup.body[beside] = 255
    part.closeup.lab[beside] = (90, 128, 128)
    part.closeup.darker[beside] = darker
    one = die(1, 100, 100, 0, chance=chance)

    assert doubt(replace(part, chosen=[one]), one, strictly=strictly)[0] is fault


@pytest.mark.parametrize(("chance", "fault"), [(CERTAIN + 0.02, None), (CERTAIN - 0.02, Fault.UNSURE)])
def test_a_die_that_shows_more_pips_than_it_has_must_be_certain(chance: float, fault: Fault | None) -> None:
    part, one = lone(pip(110, 110, 12)), die(1, 100, 100, 0, chance=chance)

    assert doubt(replace(part, chosen=[one]), one, strictly=False)[0] is fault


@pytest.mark.parametrize(("size", "fault"), [(3, None), (11, Fault.UNSURE)])
def test_a_speck_with_a_rim_around_it_is_no_pip(calibration: Calibration, size: int, fault: Fault | None) -> None:
    part = lone(Pip(180.0, 40.0, 9.0, 0.95, True, 20))
    half = size // 2
    part.closeup.body[40 - half : 41 + half, 180 - half : 181 + half] = 255

    assert weighed(part, calibration, Region(), strictly=False).doubt[0] is fault


def test_a_die_of_a_large_heap_is_doubted_as_it_is_alone() -> None:
    part = lone()
    part.closeup.changed[80:120, 124:138] = part.closeup.body[80:120, 124:138] = 255
    part.closeup.lab[80:120, 124:138] = (90, 128, 128)
    close = part.closeup
    changed, body, darker, delta = (
        np.pad(mask, ((300, 400), (500, 200))) for mask in (close.changed, close.body, close.darker, close.delta)
    )
    lab = np.pad(close.lab, ((300, 400), (500, 200), (0, 0)))
    large = Closeup(0, 0, lab, lab, changed, body, darker, delta, SIDE, np.eye(3))
    moved = die(1, 600, 400, 0)

    alone = doubt(part, part.chosen[0], strictly=False)

    assert alone[0] is Fault.COCKED
    assert doubt(Found(large, [pip(600, 400)], [moved], [moved], ()), moved, strictly=False) == alone
