"""Draw what was seen on the picture it was seen in."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Die, Frame, TrayReading

READ = (80, 220, 60)
REFUSED = (40, 60, 240)
SEEN = (235, 235, 235)
INK = (0, 0, 0)

RING = 0.9
"""Radius, in sides of a die, of the ring about what is not clear."""

USUAL_SIDE = 1 / 22
"""Side of a die in widths of the picture, where none was seen."""


def draw(frame: Frame, reading: TrayReading) -> Frame:
    """Return a copy of *frame* with the dice of *reading*, their faces and pips, and the verdict in words.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        The picture that was read.
    reading : TrayReading
        Green when it was read, red when it was refused; where it is known what could not be read, red rings are around
        that, and the dice are white.

    Returns
    -------
    ndarray of uint8, shape (M, N, 3)
    """
    drawn = frame.copy()
    mark(drawn, reading)
    unit = _unit(frame)
    for row, line in enumerate(_lines(_verdict(reading), frame.shape[1] - 12 * unit, unit)):
        write(drawn, line, (6 * unit, (16 + 18 * row) * unit), colour_of(reading), unit)
    return drawn


def mark(picture: Frame, reading: TrayReading, scale: float = 1.0) -> None:
    """Draw the dice of *reading* into *picture*, which is *scale* times as large as the one that was read."""
    colour, unit = SEEN if reading.unclear else colour_of(reading), _unit(picture)
    for die in reading.dice:
        _draw_die(picture, die, scale, colour, unit)
    radius = round(RING * scale * _side(picture, reading, scale))
    for x, y in reading.unclear:
        centre = (round(x * scale), round(y * scale))
        for ink, width in ((INK, 4), (REFUSED, 2)):
            cv2.circle(picture, centre, radius, ink, width * unit, cv2.LINE_AA)
    # Last, for no line of another die, and no ring, may lie on a number.
    for die in reading.dice:
        x, y = _outline(die, scale).max(axis=0)
        write(picture, f"{die.face or '?'}", (int(x), int(y)), colour, unit)


def _side(picture: Frame, reading: TrayReading, scale: float) -> float:
    """Return the side of a die in pixels of the picture that was read."""
    sides = sorted(math.dist(*die.corners_px[:2]) for die in reading.dice)
    return sides[len(sides) // 2] if sides else USUAL_SIDE * picture.shape[1] / scale


def colour_of(reading: TrayReading) -> tuple[int, int, int]:
    """Return the colour, blue-green-red, in which *reading* is drawn."""
    return READ if reading.fault is None else REFUSED


def _unit(picture: Frame) -> int:
    longer: int = max(picture.shape[:2])
    return max(1, round(longer / 640))


def _verdict(reading: TrayReading) -> str:
    if reading.faces is not None:
        return "read " + " ".join(map(str, reading.faces))
    return f"refused: {reading.fault}" + (f" - {reading.note}" if reading.note else "")


def _lines(text: str, width: int, unit: int) -> list[str]:
    """Return *text* in lines of at most *width* pixels, as `write` writes them."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        (pixels, _), _ = cv2.getTextSize(longer, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, unit)
        lines = [*lines, word] if lines[-1] and pixels > width else [*lines[:-1], longer]
    return lines


def _outline(die: Die, scale: float) -> npt.NDArray[np.int32]:
    return np.round(np.array(die.corners_px) * scale).astype(np.int32)


def _draw_die(drawn: Frame, die: Die, scale: float, colour: tuple[int, int, int], unit: int) -> None:
    cv2.polylines(drawn, [_outline(die, scale)], True, colour, unit, cv2.LINE_AA)
    dot = max(1, round(2 * unit * min(1.0, scale)))
    for x, y in die.pips_px:
        cv2.circle(drawn, (round(x * scale), round(y * scale)), dot, colour, cv2.FILLED, cv2.LINE_AA)


def write(picture: Frame, text: str, at: tuple[int, int], colour: tuple[int, int, int], unit: int) -> None:
    """Write *text* into *picture* in *colour*, with a dark rim, *unit* times as large as is read on 640 pixels."""
    # Bold letters are wider than others: a rim of bold ones would lie beside what it is around.
    for ink, shift in (*((INK, shift) for shift in _AROUND), (colour, (0, 0))):
        where = (at[0] + unit * shift[0], at[1] + unit * shift[1])
        cv2.putText(picture, text, where, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, ink, unit, cv2.LINE_AA)


_AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
