"""The one way in: a picture, what is known of the tray, how many dice are expected; out comes a reading."""

from __future__ import annotations

from numbers import Integral

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.geometry import LONGEST
from vision.scene import read_scene
from vision.tray import read_calibrated
from vision.tray.deep import have_deep_networks_ready
from vision.types import Frame, TrayReading
from vision.zone import Part, Rectangle

SMALLEST = 16
"""Rows and columns that a picture has at least."""


def read_tray(
    frame: Frame,
    calibration: Calibration | None,
    dice: int | None = None,
    *,
    zone: Part | Rectangle | None = None,
    closely: bool = True,
    at_rest: bool = False,
) -> TrayReading:
    """Read the top faces of all dice in *frame*, or refuse.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        Blue-green-red, taken from about above. Never written to.
    calibration : Calibration or None
        What is known of camera, tray and light; None reads any picture of dice.
    dice : int or None
        How many dice must lie there, at least 1; None takes as many as there are.
    zone : Zone, Share, rectangle in millimetres of the tray, or None
        Only the dice that lie in this part of a calibrated tray are read, and those outside are not even reported;
        one that lies across its border is refused. None reads all of it.
    closely : bool
        Of a calibrated tray: whether dice that their pips do not tell are looked for, too. It takes ten times as long
        as the rest where nothing is found: `vision.motion` does not do it with every picture.
    at_rest : bool
        Of a calibrated tray: whether the pictures before show the same, so that nothing in it moves. Without them one
        picture has to tell, and a die that mirrors a lamp, or is of glass, may look as blurred as one that rolls.

    Returns
    -------
    TrayReading
        Every face, or the fault. What may happen at a table is a fault, never an exception.

    Raises
    ------
    ValueError
        If *frame* is no such array or not of the calibration's size, *dice* is below 1, or *zone* is no part of a
        calibrated tray.

    Examples
    --------
    >>> read_tray(np.full((240, 320, 3), 90, np.uint8), None, dice=2).fault
    <Fault.MISSING: 'missing'>
    """
    check_picture(frame, calibration)
    if dice is not None and not (_is_whole(dice) and dice >= 1):
        raise ValueError(f"{dice!r} dice; a whole number, at least 1, must be expected")
    if calibration is not None:
        return read_calibrated(frame, calibration, dice, zone, closely=closely, at_rest=at_rest)
    if zone is not None:
        raise ValueError("a zone of a tray that is not calibrated: nobody knows where it is")
    return read_scene(frame, dice)


def _is_whole(number: object) -> bool:
    return isinstance(number, Integral)


def may_show_dice(size: tuple[int, int]) -> bool:
    """Return whether dice can be seen in a picture of such width and height."""
    return min(size) >= SMALLEST and max(size) <= LONGEST * min(size)


def check_picture(frame: Frame, calibration: Calibration | None) -> None:
    """Raise ValueError if *frame* is no picture that may show dice, such as the None of a file that is not there.

    So is one of another size than the *calibration* is for, where there is one.
    """
    if not isinstance(frame, np.ndarray):
        raise ValueError(f"{type(frame).__name__} is no picture; wanted an array, rows x columns x 3 of uint8")
    is_colour = frame.dtype == np.uint8 and frame.ndim == 3 and frame.shape[2] == 3
    if not is_colour or not may_show_dice((frame.shape[1], frame.shape[0])):
        raise ValueError(
            f"a picture of shape {frame.shape} and {frame.dtype}; wanted rows x columns x 3 of uint8, {SMALLEST} x "
            f"{SMALLEST} at least and at most {LONGEST} times as long as wide"
        )
    if calibration is not None and (size := (frame.shape[1], frame.shape[0])) != calibration.size:
        shown, wanted = (f"{width}x{height}" for width, height in (size, calibration.size))
        raise ValueError(f"a picture of {shown} pixels; the calibration is for {wanted}: calibrate again")


def prepare(calibration: Calibration | None) -> None:
    """Have everything ready that the first reading with *calibration* would wait for, half a second.

    Compiled loops, networks and tables of OpenCV are loaded when they are first asked for, and an empty tray is made
    ready for what it is compared with: so a die is read that is drawn into the empty tray, or into a grey picture.
    """
    if calibration is None:
        frame, top = np.full((480, 640, 3), 90, np.uint8), np.array([[280, 200], [360, 200], [360, 280], [280, 280]])
    else:
        frame = calibration.empty.copy()
        middle, half = np.array(calibration.tray_mm) / 2, calibration.die_mm / 2
        top = calibration.mm_to_px(middle + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]), calibration.die_mm)
    cv2.fillConvexPoly(frame, np.round(top).astype(np.int32), (235, 235, 235))
    cv2.circle(frame, np.round(top.mean(axis=0)).astype(int).tolist(), round(np.ptp(top[:, 0]) / 9), (20, 20, 20), -1)
    read_tray(frame, calibration, dice=1, closely=False)
    have_deep_networks_ready()
