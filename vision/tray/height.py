"""How high the camera hangs, by a ruler or by throws: the corners of a floor seen straight on leave it open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.backdrop import backdrop_of
from vision.calibration import Calibration, CalibrationError
from vision.glance import Glance, glance
from vision.lens import plain_lens
from vision.tray.at_once import LEAST_CHANCE, seen_at_once
from vision.tray.closeup import closeups
from vision.tray.eye import eye_told_by, heights_told_by
from vision.tray.found import Found
from vision.tray.opinion import ALL_TURNS, Asked, second_opinions
from vision.types import Doubles, Frame
from vision.zone import Region

HEIGHTS_MM = (150.0, 1500.0)
"""How high a camera may hang."""

AGREES_MM, MOST_TRIES = 0.05, 30
"""So near to the height that was measured the focal length is looked for, and so many times at most."""


def hung_at(known: Calibration, height_mm: float) -> Calibration:
    """Return *known* with the focal length with which its camera hangs *height_mm* above the floor.

    Raises
    ------
    CalibrationError
        When no camera hangs there, or none that sees the corners as they are.
    """
    low, high = HEIGHTS_MM
    if not low <= height_mm <= high:
        raise CalibrationError(f"a camera {height_mm:g} mm above the floor: must be {low:g} to {high:g} mm")
    hung = known
    for _ in range(MOST_TRIES):
        now = hung.camera_height_mm
        if abs(now - height_mm) < AGREES_MM:
            return hung
        # Seen straight on, height and focal length grow by the same part; what is tilted is near it.
        hung = _with_focal_length(known, hung.viewpoint.focal_px * height_mm / now)
    raise CalibrationError(f"no camera {height_mm:g} mm above the floor sees these corners; check them, and the height")


def hung_as_dice_tell(known: Calibration, throws: Sequence[Frame]) -> Calibration:
    """Return *known* with the focal length with which the camera hangs where the dice of *throws* tell that it does.

    Parameters
    ----------
    known : Calibration
        Returned as it is if its focal length is known or agrees with the dice, or its picture is too coarse to tell.
    throws : sequence of ndarray of uint8, shape (M, N, 3)
        Of the size of the calibration, of dice that lie flat, wherever they are.

    Notes
    -----
    What the sides tell is believed if the dice look flatter then. Of 44 drawn tables, with six throws of two dice each,
    the height is off by 7 % as a root mean square, by the corners alone by 13; of 27 photorealistic ones, with up to
    six, by 7 and 12. Three drawn ones are farther off than before, by 12, 18 and 25 %.
    """
    eyes = backdrop_of(known).eyes
    if not eyes:
        return known
    seen = [part for throw in throws for part in _parts_of(throw, known)]
    eye = eye_told_by(eyes, [heights_told_by(part, eyes) for part in seen], known.camera_height_mm)
    if eye is None or _look_flat(seen, eye.feet) < _look_flat(seen, backdrop_of(known).feet):
        return known
    return _with_focal_length(known, eye.focal_px)


def _look_flat(parts: Sequence[Found], feet: Doubles) -> float:
    """Return how flat the dice of *parts* look to the deep network, seen with *feet*.

    Sides that look like the felt or its shadows make a camera hang higher than it does: at 540 mm where it hung at 364
    and the corners had it at 454 (T533).
    """
    dice = [(part.closeup.seen_from(feet), die) for part in parts for die in part.chosen]
    chances = second_opinions(dice, ALL_TURNS, Asked.OF_DOUBTED)
    faces = [die.fit.face for _, die in dice]
    return float(np.log(chances[np.arange(len(dice)), faces] + LEAST_CHANCE).sum())


def _with_focal_length(known: Calibration, focal_px: float) -> Calibration:
    return replace(known, lens=replace(known.lens or plain_lens(known.size, 0.0), focal_px=focal_px))


def _parts_of(throw: Frame, known: Calibration) -> list[Found]:
    seen = glance(throw, known)
    if not isinstance(seen, Glance):
        return []
    parts = closeups(throw, known, backdrop_of(known), seen)
    return [one.part for one in seen_at_once(parts, known, Region.of(None, known.tray_mm))]
