"""What a reading rests on: pictures of the dice as they were read."""

from __future__ import annotations

import numpy as np
import pytest

from vision import Calibration, evidence, overlay, read_tray
from vision.render import RenderedDie, Table
from vision.types import Die, Fault, Floats, Frame, TrayReading

DICE = (RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 2))


@pytest.fixture(scope="module")
def frame(table: Table) -> Frame:
    return table.picture(DICE, seed=1)


@pytest.fixture(scope="module")
def reading(frame: Frame, calibration: Calibration) -> TrayReading:
    return read_tray(frame, calibration, 2)


def cell(sheet: Frame, column: int) -> Frame:
    """Return the picture of one die of the strip."""
    left = evidence.GAP_PX + column * (evidence.CELL_PX + evidence.GAP_PX)
    return sheet[evidence.CAPTION_PX : evidence.CAPTION_PX + evidence.CELL_PX, left : left + evidence.CELL_PX]


def test_every_die_stands_upright_in_its_cell_the_highest_first(frame: Frame, reading: TrayReading) -> None:
    assert reading.faces == (5, 2)
    drawn, plain = (evidence.strip(frame, seen) for seen in (reading, _unmarked(reading)))
    five, two = (np.abs(cell(drawn, column).astype(int) - cell(plain, column)).max(axis=2) > 40 for column in (0, 1))
    middle = slice(evidence.CELL_PX // 2 - 8, evidence.CELL_PX // 2 + 8)

    assert drawn.shape == (24 + 96 + 24, 4 + 2 * 100, 3)
    assert five[middle, middle].any()
    assert not two[middle, middle].any()


def _unmarked(reading: TrayReading) -> TrayReading:
    """Return the same without pips."""
    dice = tuple(Die(d.face, d.centre_px, d.centre_mm, d.yaw_deg, d.confidence, d.corners_px) for d in reading.dice)
    return TrayReading.read(dice)


def test_the_top_face_fills_its_part_of_the_cell(frame: Frame, reading: TrayReading) -> None:
    body = cell(evidence.strip(frame, _unmarked(reading)), 1).min(axis=2) > 150
    edge = round(evidence.CELL_PX * (1 - evidence.FACE_PART) / 2)

    assert body[edge + 6 : -edge - 6, edge + 6 : -edge - 6].mean() > 0.85
    assert body[:8].mean() < 0.2


def test_a_refusal_shows_what_was_seen_and_says_why(frame: Frame, reading: TrayReading) -> None:
    cocked, stacked = (TrayReading.refused(fault, "", reading.dice) for fault in (Fault.COCKED, Fault.STACKED))
    sheets = [evidence.strip(frame, seen) for seen in (reading, cocked, stacked)]

    # The same dice, and of two refusals nothing differs but the fault's name, in the line above them.
    assert sheets[0].shape == sheets[1].shape == sheets[2].shape
    assert all(like_each_other(cell(sheets[0], column), cell(sheets[1], column)) for column in (0, 1))
    assert not np.array_equal(sheets[1][: evidence.CAPTION_PX], sheets[2][: evidence.CAPTION_PX])
    assert np.array_equal(sheets[1][evidence.CAPTION_PX :], sheets[2][evidence.CAPTION_PX :])


def like_each_other(one: Frame, other: Frame) -> bool:
    """Return whether two cells show the same die: all but the lines drawn on it, in the colour of the verdict."""
    return float((one == other).all(axis=2).mean()) > 0.5


def test_the_whole_picture_says_the_fault_and_the_note_in_its_first_line(frame: Frame, reading: TrayReading) -> None:
    told = [(Fault.COCKED, "leans"), (Fault.COCKED, "lies"), (Fault.COCKED, ""), (Fault.STACKED, "leans")]
    drawn = [overlay.draw(frame, TrayReading.refused(fault, note, reading.dice)) for fault, note in told]

    assert len({picture[:60].tobytes() for picture in drawn}) == len(told)
    assert len({picture[60:].tobytes() for picture in drawn}) == 1


@pytest.mark.parametrize(("dice", "rows"), [(1, 1), (6, 1), (7, 2), (30, 5)])
def test_many_dice_stand_in_rows(frame: Frame, reading: TrayReading, dice: int, rows: int) -> None:
    seen = TrayReading.read(tuple(reading.dice[0] for _ in range(dice)))

    assert evidence.strip(frame, seen).shape[0] == 24 + rows * 120


def test_dice_at_the_edge_of_the_picture_and_without_a_face_are_shown(frame: Frame) -> None:
    corners = ((-20.0, -20.0), (30.0, -18.0), (28.0, 31.0), (-22.0, 29.0))
    seen = TrayReading.refused(Fault.OUTSIDE, "", (Die(None, (4.0, 5.0), None, 3.0, 0.0, corners, ((4.0, 5.0),)),))

    assert evidence.sheet(frame, seen).shape == (144 + 960, 1280, 3)


def test_nothing_is_written_into_the_picture(frame: Frame, reading: TrayReading) -> None:
    before = frame.copy()
    evidence.strip(frame, reading)
    small = evidence.whole(frame, reading, 320)
    evidence.whole(frame, reading, 5000)
    evidence.sheet(frame, reading)

    assert np.array_equal(frame, before)
    assert small.shape == (240, 320, 3)


def test_what_could_not_be_read_is_ringed_and_the_other_dice_are_not_red(frame: Frame, reading: TrayReading) -> None:
    refused = TrayReading.refused(Fault.COCKED, dice=reading.dice)
    told = TrayReading.refused(Fault.COCKED, dice=reading.dice, unclear=((600.0, 500.0),))

    ringed = red_in(overlay.draw(frame, told)) - (600, 500)
    far = np.hypot(ringed[:, 0], ringed[:, 1])

    assert len(red_in(overlay.draw(frame, refused))) > 0
    assert far.max() - far.min() < 10
    assert np.abs(ringed.mean(axis=0)).max() < 3


def red_in(picture: Frame) -> Floats:
    """Return where *picture*, below the verdict in words, has the colour of a refusal: x and y, shape (N, 2)."""
    where = (picture == overlay.REFUSED).all(axis=2)
    where[:60] = False
    return np.argwhere(where)[:, ::-1].astype(np.float32)


@pytest.mark.parametrize("unit", [1, 2, 3])
def test_the_rim_of_what_is_written_lies_around_it_to_its_last_letter(unit: int) -> None:
    picture = np.full((40 * unit, 320 * unit, 3), 255, np.uint8)

    overlay.write(picture, "missing - 1 of 2 dice were found", (6 * unit, 20 * unit), overlay.REFUSED, unit)

    letters = np.abs(picture.astype(int) - overlay.REFUSED).max(axis=2) < 60
    rim = picture.max(axis=2) < 60
    letters_at, rim_at = (np.flatnonzero(seen.any(axis=0)) for seen in (letters, rim))
    assert np.abs(rim_at[[0, -1]] - letters_at[[0, -1]]).max() <= 2 * unit


def test_a_long_note_goes_on_in_a_second_line_and_none_of_it_is_cut_off(frame: Frame) -> None:
    short, long = (
        overlay.draw(frame, TrayReading.refused(Fault.UNSURE, note)).astype(int)
        for note in (
            "some",
            "some pips may be of the bottom of a clear die, and others of what a lamp makes of its top, or of a side",
        )
    )
    rows, columns, _ = np.nonzero(np.abs(long - frame))
    of_one_line = np.nonzero(np.abs(short - frame))[0].max()

    assert rows.max() > of_one_line + 10
    assert columns.max() < frame.shape[1] - 1
