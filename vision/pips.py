"""Find everything in a picture that could be a pip: small, round, darker or lighter than what lies around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np

from vision.types import Frame, Gray, Mask, as_uint8

LEVEL_STEP = 8
MIN_LEVELS = 3
"""A pip shows at this many grey levels in a row, LEVEL_STEP apart, or it is noise."""


SQUARE = 1.06
SQUARE_FROM = 36
"""A way around so much longer than that around the ellipse is that around a square (1.10), not a pip; half a pip has
1.04. Contours up to so many pixels are too coarse to tell."""

MOST_CONTOURS = 400
"""So many contours of one grey level are looked at, the longest: what bounds the time on cloth and gratings."""


ON_BODY = 0.7
"""Part of the square within a pip that must be new, and no shadow, for the pip to be there; that square's width in
diameters."""


@dataclass(frozen=True, slots=True)
class Pip:
    """A round spot.

    Attributes
    ----------
    x, y
        Centre in pixels.
    diameter
        Geometric mean of the two axes of its ellipse, in pixels.
    roundness
        Short axis over long axis: near 1 seen from above, near 0.3 on the side of a die.
    dark
        True when darker than what lies around it.
    levels
        At how many of the grey levels it was seen: its contrast in steps of `LEVEL_STEP`.
    """

    x: float
    y: float
    diameter: float
    roundness: float
    dark: bool
    levels: int


def is_at(mask: Gray | Mask, pip: Pip) -> bool:
    """Return whether *mask* is set in the middle of *pip*."""
    rows, columns = mask.shape
    return bool(mask[min(round(pip.y), rows - 1), min(round(pip.x), columns - 1)])


def lies_on(body: Gray, pip: Pip) -> bool:
    """Return whether *pip* lies on *body*, 0 or 255: a speck is looked at with a rim around it, and seems larger."""
    if not is_at(body, pip):
        return False
    half = pip.diameter / 2 * ON_BODY
    inside = (slice(max(0, round(at - half)), round(at + half) + 1) for at in (pip.y, pip.x))
    return float(body[tuple(inside)].mean()) > 255 * ON_BODY


def find_pips(gray: Gray, *, diameters: tuple[float, float]) -> tuple[Pip, ...]:
    """Find the round spots of either polarity in *gray*.

    Parameters
    ----------
    gray : ndarray of uint8, shape (M, N)
        Smoothed by about one pixel; of a dim picture its shadows should be lifted first (`vision.scene.pips.lift`).
    diameters : (float, float)
        Smallest and largest diameter in pixels.

    Returns
    -------
    tuple of Pip
        Each spot once, however many grey levels show it.

    Notes
    -----
    The component tree is sampled at every `LEVEL_STEP`-th grey level as in maximally stable extremal regions
    (Matas et al., BMVC 2002): a pip keeps its place and size over many levels, a shadow or a weave does not. The
    ellipse is that of the second moments of the convex hull, so that a glint at the edge of a pip does not break it.

    Examples
    --------
    >>> face = np.full((60, 60), 220, np.uint8)
    >>> for x, y in ((15, 15), (45, 45)):
    ...     _ = cv2.circle(face, (x, y), 6, 20, cv2.FILLED, cv2.LINE_AA)
    >>> sorted((round(pip.x), round(pip.y), pip.dark) for pip in find_pips(face, diameters=(6, 20)))
    [(15, 15, True), (45, 45, True)]
    """
    spots: list[_Spot] = []
    for level in range(LEVEL_STEP, 256, LEVEL_STEP):
        spots.extend(_spots_at(gray, level, diameters))
    return tuple(_merge([s for s in spots if s[4]], dark=True) + _merge([s for s in spots if not s[4]], dark=False))


_Spot = tuple[float, float, float, float, bool]
"""x, y, diameter, roundness, dark"""


def _spots_at(gray: Gray, level: int, diameters: tuple[float, float]) -> Iterator[_Spot]:
    low, high = diameters
    contours, tree = cv2.findContours(
        cv2.threshold(gray, level, 255, cv2.THRESH_BINARY)[1], cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE
    )
    lengths = np.array([len(contour) for contour in contours])
    fit = np.flatnonzero((lengths > 2 * low) & (lengths < 4.5 * high))
    for i in fit[np.argsort(-lengths[fit], kind="stable")[:MOST_CONTOURS]] if len(fit) > MOST_CONTOURS else fit:
        contour = contours[i]
        spot = _ellipse(contour, dark=bool(tree[0, i, 3] >= 0))
        if spot is not None and low <= spot[2] <= high:
            yield spot


def _ellipse(contour: cv2.typing.MatLike, *, dark: bool) -> _Spot | None:
    """Return the ellipse of *contour*, or None when it is no ellipse."""
    area = cv2.contourArea(contour)
    if area < 0.035 * len(contour) ** 2:
        return None
    hull = cv2.convexHull(contour)
    moments = cv2.moments(hull)
    hull_area = moments["m00"]
    if hull_area <= 0 or area < 0.85 * hull_area:
        return None
    a, b, c = moments["mu20"] / hull_area, moments["mu11"] / hull_area, moments["mu02"] / hull_area
    spread = float(np.hypot((a - c) / 2, b))
    minor, major = 2 * max((a + c) / 2 - spread, 0.0) ** 0.5, 2 * ((a + c) / 2 + spread) ** 0.5
    if minor < 0.25 * major or abs(np.pi * minor * major / hull_area - 1) > 0.12:
        return None
    if len(contour) > SQUARE_FROM and cv2.arcLength(hull, closed=True) > SQUARE * _around(minor, major):
        return None
    # A contour runs through the outermost pixels of the light side: half a pixel outside a dark spot,
    # half a pixel inside a light one.
    diameter = 2 * (minor * major) ** 0.5 + (-1.0 if dark else 1.0)
    return moments["m10"] / hull_area, moments["m01"] / hull_area, diameter, minor / major, dark


def _around(a: float, b: float) -> float:
    """Return the length around an ellipse of semi-axes *a* and *b* (Ramanujan 1914, first approximation)."""
    return float(np.pi * (3 * (a + b) - ((3 * a + b) * (a + 3 * b)) ** 0.5))


def _merge(spots: Sequence[_Spot], *, dark: bool) -> list[Pip]:
    """Join what is the same spot at several levels: same place, and a size within a factor of 1.6."""
    if not spots:
        return []
    table = np.array([spot[:4] for spot in spots])
    order = np.argsort(table[:, 0], kind="stable")
    table, seed_order = table[order], np.argsort(order)
    free = np.ones(len(table), bool)
    reach = 0.3 * table[:, 2]
    first, last = (np.searchsorted(table[:, 0], table[:, 0] + side * reach) for side in (-1, 1))
    pips = []
    for i in seed_order.tolist():
        if not free[i]:
            continue
        near = slice(first[i], last[i])
        x, y, diameter, _ = table[i]
        part = table[near]
        same = free[near] & (np.hypot(part[:, 0] - x, part[:, 1] - y) < reach[i])
        same &= (part[:, 2] < 1.6 * diameter) & (part[:, 2] > diameter / 1.6)
        free[near] &= ~same
        free[i] = False
        levels = int(same.sum())
        if levels >= MIN_LEVELS:
            x, y, diameter, roundness = map(float, np.median(part[same], axis=0))
            pips.append(Pip(x, y, diameter, roundness, dark, levels))
    return without_echoes(pips)


def without_echoes(pips: Sequence[Pip]) -> list[Pip]:
    """Drop the weaker of two concentric spots: a soft edge shows one pip at two sizes."""
    kept: list[Pip] = []
    for pip in sorted(pips, key=lambda p: -p.levels):
        if not any(is_echo(pip, other) for other in kept):
            kept.append(pip)
    return kept


def is_echo(pip: Pip, other: Pip) -> bool:
    """Return whether both spots are one pip: about the same place, and a size within a factor of 2.5."""
    near = hypot(pip.x - other.x, pip.y - other.y) <= 0.35 * min(pip.diameter, other.diameter)
    return near and 0.4 < pip.diameter / other.diameter < 2.5


def luminance(frame: Frame) -> Gray:
    """Return *frame* in grey, smoothed by about a pixel: uint8, shape (M, N)."""
    gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    return as_uint8(cv2.GaussianBlur(gray, (3, 3), 0))
