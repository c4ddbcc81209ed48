"""What a reading rests on: each die as it was read, straightened, with the fitted layout and the numbers on it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision import overlay
from vision.types import Die, Doubles, Frame, Point, TrayReading, as_uint8

CELL_PX = 96
"""Side of the picture of one die."""

FACE_PART = 0.72
"""How much of it the top face fills: what is around the die is evidence as well."""

CAPTION_PX = 24
ROW = 6
"""Dice side by side."""

GAP_PX = 4
PAPER, INK, FAINT = (24, 24, 24), (235, 235, 235), (150, 150, 150)


def strip(frame: Frame, reading: TrayReading) -> Frame:
    """Return one picture of all dice of *reading*, side by side, each under its number.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        The picture that was read.
    reading : TrayReading
        A refused one shows the dice that were seen all the same.

    Returns
    -------
    ndarray of uint8, shape (rows, columns, 3)
        The verdict in words above, and per die its top face, straightened, `CELL_PX` wide, with the outline and the
        pips as they were fitted; below face, confidence and yaw. As high as needed, at least two dice wide.

    Examples
    --------
    >>> from vision.types import Fault
    >>> strip(np.zeros((48, 64, 3), np.uint8), TrayReading.refused(Fault.LIGHT)).shape
    (24, 204, 3)
    """
    colour = overlay.colour_of(reading)
    cells = [_cell(frame, die, colour) for die in _ordered(reading.dice)]
    columns = min(ROW, max(2, len(cells)))
    rows = -(-len(cells) // columns)
    wide, high = CELL_PX + GAP_PX, CELL_PX + CAPTION_PX
    sheet = np.full((CAPTION_PX + rows * high, GAP_PX + columns * wide, 3), PAPER, np.uint8)
    for number, cell in enumerate(cells):
        row, column = divmod(number, columns)
        y, x = CAPTION_PX + row * high, GAP_PX + column * wide
        sheet[y : y + high, x : x + CELL_PX] = cell
    _write(sheet, _verdict(reading), (GAP_PX, 17), colour, 0.5)
    return sheet


def cells_of(sheet: Frame, dice: int) -> list[Frame]:
    """Return the pictures of the first *dice* of a `strip` or a `sheet`, of its first row, `CELL_PX` high and wide."""
    lefts = [GAP_PX + k * (CELL_PX + GAP_PX) for k in range(min(dice, ROW))]
    bottom = CAPTION_PX + CELL_PX
    return [
        sheet[CAPTION_PX:bottom, x : x + CELL_PX]
        for x in lefts
        if sheet.shape[0] >= bottom and sheet.shape[1] >= x + CELL_PX
    ]


def whole(frame: Frame, reading: TrayReading, width_px: int) -> Frame:
    """Return the whole picture, *width_px* wide but never larger than it was, with the dice of *reading* marked."""
    scale = min(1.0, width_px / frame.shape[1])
    size = (max(1, round(frame.shape[1] * scale)), max(1, round(frame.shape[0] * scale)))
    # By halves first: the mean of two by two pixels takes a tenth of what that of other parts of them does.
    while frame.shape[1] >= 2 * size[0] and frame.shape[0] >= 2 * size[1]:
        frame = as_uint8(cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    small = as_uint8(cv2.resize(frame, size, interpolation=cv2.INTER_AREA))
    overlay.mark(small, reading, scale)
    return small


def sheet(frame: Frame, reading: TrayReading) -> Frame:
    """Return the `strip` of *reading* above its overlay: uint8, as wide as the wider of the two."""
    return stacked(strip(frame, reading), overlay.draw(frame, reading))


def stacked(above: Frame, below: Frame) -> Frame:
    """Return one picture above the other, the narrower one at the left: uint8, shape (rows, columns, 3)."""
    width = max(above.shape[1], below.shape[1])
    parts = [
        cv2.copyMakeBorder(part, 0, 0, 0, width - part.shape[1], cv2.BORDER_CONSTANT, value=PAPER)
        for part in (above, below)
    ]
    return as_uint8(np.concatenate(parts))


def _cell(frame: Frame, die: Die, colour: tuple[int, int, int]) -> Frame:
    """Return the picture of *die* with its caption, shape (CELL_PX + CAPTION_PX, CELL_PX, 3)."""
    to_cell = _upright(die.corners_px)
    face = as_uint8(cv2.warpPerspective(frame, to_cell, (CELL_PX, CELL_PX), borderMode=cv2.BORDER_REPLICATE))
    outline = np.round(_through(to_cell, die.corners_px) * 8).astype(np.int32)
    cv2.polylines(face, [outline], True, colour, 1, cv2.LINE_AA, 3)
    for x, y in _through(to_cell, die.pips_px):
        centre = (round(8 * float(x)), round(8 * float(y)))
        cv2.circle(face, centre, 8 * 5, overlay.INK, 2, cv2.LINE_AA, 3)
        cv2.circle(face, centre, 8 * 5, colour, 1, cv2.LINE_AA, 3)
    caption = np.full((CAPTION_PX, CELL_PX, 3), PAPER, np.uint8)
    _write(caption, f"{die.face or '?'}", (3, 18), INK, 0.6)
    _write(caption, f"{die.confidence:.2f}  {die.yaw_deg:.0f} deg", (20, 16), FAINT, 0.36)
    return as_uint8(np.concatenate([face, caption]))


def _upright(corners: Sequence[Point]) -> Doubles:
    """Return the homography that lays the top face in the middle of its cell, shape (3, 3)."""
    low, high = CELL_PX * (1 - FACE_PART) / 2, CELL_PX * (1 + FACE_PART) / 2
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(np.array(corners, np.float32), square), np.float64)


def _through(matrix: Doubles, points: Sequence[Point]) -> Doubles:
    """Return *points* taken through *matrix*, shape (N, 2)."""
    if not points:
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(np.array([points], np.float64), matrix)[0], np.float64)


def _ordered(dice: Sequence[Die]) -> list[Die]:
    """Return *dice* as a reading names them, from high to low; those without a face last."""
    return sorted(dice, key=lambda die: (-(die.face or 0), die.centre_px))


def _verdict(reading: TrayReading) -> str:
    if reading.faces is not None:
        return "read " + " ".join(map(str, reading.faces))
    return f"refused: {reading.fault}"


def _write(picture: Frame, text: str, at: tuple[int, int], colour: tuple[int, int, int], size: float) -> None:
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
