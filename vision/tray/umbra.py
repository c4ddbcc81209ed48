"""Is what is as dark as a shadow one of a die? The shadow of what stands on the floor begins at its foot."""

from __future__ import annotations

import cv2
import numpy as np

from vision.tray.beside import LONE_SHADOW, reached
from vision.tray.closeup import Closeup
from vision.tray.explain import GROW_MM
from vision.tray.found import Found
from vision.tray.grain import dark_beside
from vision.tray.silhouette import silhouette
from vision.types import Floats, Frame, Gray, Point, as_uint8, planes
from vision.zone import Region

DEPTHS = (30, 40, 50, 60)
"""Percent of the light that was there before which are left in shade of several depths. Where several lamps cast
shadows the deepest is where all are, and that is at the foot of the die."""

SOFT = 2.0
"""Standard deviation, in pixels of the view, over which light is smoothed: noise has no depth."""

_SPECK = np.ones((5, 5), np.uint8)


def what_no_die_shades(part: Found, empty: Frame, tray_mm: tuple[float, float], region: Region) -> Point | None:
    """Return where in *part* something lies that is as dark as a shadow and no die's, if it does.

    It is asked, and answers, as `vision.tray.grain.what_hides_the_grain` does.

    Notes
    -----
    What is only as dark as the faintest shadow may be one with that of a die, as a black cup was whose edge was four
    millimetres from one (804356); what is darker is no part of it, and touches no die. Of 725 drawn throws that were
    read right the largest such piece had less than 0.2 top faces, that cup more than 1.
    """
    close = part.closeup
    least = LONE_SHADOW * close.side**2
    drawn = silhouette(close, [die.fit for die in part.chosen], GROW_MM)
    dark = dark_beside(part, drawn, tray_mm, region)
    if cv2.countNonZero(dark) < least:
        return None
    left = _light_left(close, empty)
    foot = cv2.dilate(drawn, _SPECK)
    for depth in DEPTHS:
        deep = cv2.bitwise_and(cv2.threshold(left, depth, 255, cv2.THRESH_BINARY_INV)[1], close.changed)
        whole = as_uint8(cv2.morphologyEx(deep, cv2.MORPH_OPEN, _SPECK))
        apart = np.where(reached(whole, foot), np.uint8(0), cv2.bitwise_and(whole, dark))
        _, _, stats, middles = cv2.connectedComponentsWithStats(apart)
        for (*_, area), (x, y) in zip(stats[1:].tolist(), middles[1:].tolist(), strict=True):
            if area > least:
                return x, y
    return None


def _light_left(close: Closeup, empty: Frame) -> Gray:
    """Return how much of the light of the *empty* tray is left, in percent: uint8, that of the felt around 100."""
    now, before = (_lightest(picture) for picture in (close.picture, empty))
    felt = cv2.bitwise_or(close.changed, close.body) == 0
    gain = float(np.median(now[felt] / before[felt])) if felt.any() else 1.0
    return as_uint8(cv2.divide(now, before, scale=100 / gain, dtype=cv2.CV_8U))


def _lightest(picture: Frame) -> Floats:
    """Return the lightest of the three channels, smoothed: of the others little is left that noise does not hide."""
    blue, green, red = planes(picture)
    lightest = cv2.max(cv2.max(blue, green), red)
    return np.asarray(cv2.GaussianBlur(lightest, (0, 0), SOFT), np.float32) + 2
