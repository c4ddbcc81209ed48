"""How high the camera hangs, by a ruler or by throws: the corners of a floor seen straight on leave it open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.backdrop import backdrop_of
from vision.calibration import Calibration, CalibrationError
from vision.glance import Glance, glance
from vision.lens import plain_lens
from vision.tray.at_once import seen_at_once
from vision.tray.closeup import closeups
from vision.tray.eye import heights_told_by, likeliest
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
    Of 72 drawn tables, with six throws of two dice each, the height is off by 6 % as a root mean square; by the corners
    alone by 12.
    """
    eyes = backdrop_of(known).eyes
    if len(eyes) < 2:
        return known
    told = [costs for throw in throws for costs in _told_by(throw, known)]
    eye = likeliest(eyes, told, known.camera_height_mm)
    if eye is None:
        return known
    return _with_focal_length(known, eye.focal_px)


def _with_focal_length(known: Calibration, focal_px: float) -> Calibration:
    return replace(known, lens=replace(known.lens or plain_lens(known.size, 0.0), focal_px=focal_px))


def _told_by(throw: Frame, known: Calibration) -> list[Doubles]:
    seen = glance(throw, known)
    if not isinstance(seen, Glance):
        return []
    backdrop = backdrop_of(known)
    parts = seen_at_once(closeups(throw, known, backdrop, seen), known, Region.of(None, known.tray_mm))
    return [heights_told_by(one.part, backdrop.eyes) for one in parts]
