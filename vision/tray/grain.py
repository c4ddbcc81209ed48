"""Is what is as dark as a shadow one? In most shadows the grain of the felt is still seen; what lies on it hides it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.backdrop import smoothed
from vision.geometry import PX_PER_MM
from vision.tray.closeup import Closeup
from vision.tray.found import Found
from vision.tray.silhouette import silhouette
from vision.tray.tops import on_floor
from vision.types import Floats, Frame, Gray, Point, as_uint8
from vision.zone import Region

WINDOW_MM = 4.3
"""Side of the square over which the grain is compared: some threads of a cloth."""

COARSEST_MM = 1.15
"""Standard deviation of the mean of which the grain is what differs: light and shadows do so by less."""

BESIDE_MM = 1.5
"""How much larger than dice their outlines are drawn: their edges are no grain."""

INSIDE = np.ones((9, 9), np.uint8)
"""What is narrower than this, in pixels of the view, is not looked at: edges of shadows."""

LEAST, LEAST_FELT = 1.0, 0.2
"""Areas in top faces: of what hides the grain, for each die there, and of the felt around that shows it. Of a cloth
whose grain is its relief little is seen in the shadow of a lone lamp: that of two dice beside each other hid 0.35 for
each (b011). In all other right throws it was 0.02; a lighter, or a bottle's cap, is 1.5 and more."""

SHOWN, LOST = (10, 0.5), 0.4
"""Percentile of the felt around and the correlation that it must have for anything to be told, and the part of it below
which the grain is hidden."""

FAINTEST = 0.75
"""Grey levels, as a standard deviation, of grain that the steps of the picture leave nothing of. In the deep shade
beside a die on smooth felt it was 0.4, and looked as if something lay there (711223)."""


def what_hides_the_grain(part: Found, empty: Frame, tray_mm: tuple[float, float], region: Region) -> Point | None:
    """Return where in *part* something lies that is as dark as a shadow and hides the grain of the felt, if it does.

    Parameters
    ----------
    part : Found
    empty : ndarray of uint8, shape (rows, columns, 3)
        The empty tray where the closeup is, straightened and smoothed.
    tray_mm : (float, float)
    region : Region
        What of the tray is read.

    Returns
    -------
    (float, float) or None
        Its middle, in pixels of the closeup.

    Notes
    -----
    Where the grain is not seen beside it, in the dark or on smooth felt, nothing is told. The measure is the
    normalised cross-correlation (Lewis, Fast Normalized Cross-Correlation, 1995) of what a high-pass filter leaves.
    """
    close, face = part.closeup, part.closeup.side**2
    least = LEAST * len(part.chosen) * face
    drawn = silhouette(close, [die.fit for die in part.chosen], BESIDE_MM)
    dark = dark_beside(part, drawn, tray_mm, region)
    if cv2.countNonZero(dark) < least:
        return None
    new = cv2.bitwise_or(close.changed, drawn)
    floor = on_floor(np.full_like(close.changed, 255), part, tray_mm)
    felt = as_uint8(cv2.bitwise_and(floor, cv2.bitwise_not(new)))
    area, middle = hidden_grain(close, empty, dark, felt, SHOWN)
    return middle if area > least else None


def dark_beside(part: Found, drawn: Gray, tray_mm: tuple[float, float], region: Region) -> Gray:
    """Return what is new on the floor beside the dice, *drawn*, and as dark as a shadow: uint8, 0 or 255."""
    close = part.closeup
    shade = as_uint8(cv2.bitwise_and(on_floor(close.changed, part, tray_mm), close.darker))
    beside = cv2.bitwise_and(region.cut(shade, close.x, close.y), cv2.bitwise_not(drawn))
    return as_uint8(cv2.erode(beside, INSIDE))


def hidden_grain(
    close: Closeup, empty: Frame, where: Gray, felt: Gray, least_shown: tuple[float, float]
) -> tuple[int, Point]:
    """Return the pixels of the largest piece of *where* in which the grain of the felt is not seen, and its middle.

    There is none where the grain of the *felt* around it is not that of the *empty* tray either: a percentile of it,
    and the correlation that it must have, are *least_shown*. In the shade grain is fainter by as much as the light is,
    and noise is not: less of it is asked for there, and nothing where it would be `FAINTEST`.
    """
    around = cv2.erode(felt, _square()) > 0
    if np.count_nonzero(around) < LEAST_FELT * close.side**2:
        return 0, (0.0, 0.0)
    now, then = (_gray(picture) for picture in (smoothed(close.picture), empty))
    grain = _grain(then)
    alike = _alike(_grain(now), grain)
    percent, least = least_shown
    shown = float(np.percentile(alike[around], percent))
    if shown < least:
        return 0, (0.0, 0.0)
    bright, before = (cv2.blur(light, _square().shape) + 1 for light in (now, then))
    share = np.minimum(bright / before / np.median((bright / before)[around]), 1)
    expected = share / np.sqrt(share**2 + 1 / shown**2 - 1)
    coarse = share * np.sqrt(cv2.blur(grain * grain, _square().shape)) > FAINTEST
    return _largest(as_uint8(((where > 0) & coarse & (alike < LOST * expected)).astype(np.uint8)))


def _square() -> Gray:
    side = round(WINDOW_MM * PX_PER_MM)
    return np.ones((side, side), np.uint8)


def _gray(picture: Frame) -> Floats:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)


def _grain(gray: Floats) -> Floats:
    return np.asarray(gray - cv2.GaussianBlur(gray, (0, 0), COARSEST_MM * PX_PER_MM), np.float32)


def _alike(one: Floats, two: Floats) -> Floats:
    """Return how alike two pictures are around each pixel, -1 to 1."""
    across, own, other = (cv2.blur(product, _square().shape) for product in (one * two, one * one, two * two))
    return np.asarray(across / np.sqrt(np.maximum(own * other, 1e-6)), np.float32)


def _largest(mask: Gray) -> tuple[int, Point]:
    """Return the pixels of the largest piece of *mask*, and its middle."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    pieces = ((int(area), (float(x), float(y))) for (*_, area), (x, y) in zip(stats[1:], middles[1:], strict=True))
    return max(pieces, default=(0, (0.0, 0.0)))
