"""Cameras give pictures of many sizes: what moves is told in all of them."""

import numpy as np
import pytest

from tests.rendered import calibrated
from vision import motion
from vision.motion import Watch
from vision.motion.measure import is_alike, shrink, tray_mask
from vision.render import RenderedDie, Table

DICE = (RenderedDie(90, 100, 20, 4), RenderedDie(190, 90, 55, 1))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [(640, 480), (848, 636), (820, 616), (1014, 760)])
def test_a_throw_is_read_and_its_dice_are_seen_to_go(size: tuple[int, int]) -> None:
    table = Table(seed=7, size=size)
    film = [table.picture(dice, seed=k) for dice in ((), DICE, ()) for k in range(16)]
    known, state, said = calibrated(table), motion.start(), []
    for frame in film:
        state, events = motion.step(state, frame, known, 2)
        said += [event.kind for event in events]

    assert [kind for kind in said if kind in (Watch.READ, Watch.REFUSED, Watch.EMPTY)] == [
        Watch.EMPTY,
        Watch.READ,
        Watch.EMPTY,
    ]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("rows", [160, 161, 162, 163])
@pytest.mark.parametrize("columns", [212, 213, 214, 215])
def test_pictures_of_any_size_are_compared(rows: int, columns: int) -> None:
    known = calibrated(Table(seed=7, size=(4 * columns, 4 * rows)))
    frame = np.full((rows, columns, 3), 90, np.uint8)
    other = frame.copy()
    other[rows // 2 - 8 : rows // 2 + 8, columns // 2 - 8 : columns // 2 + 8] = 200
    empty, now = shrink(frame), shrink(other)
    mask = tray_mask(known, empty)

    assert is_alike(empty, empty, mask, 1.0)
    assert not is_alike(now, empty, mask, 1.0)
