"""What a reduced picture shows: how much of the tray is covered by large things and by small ones."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.blind.picture import BLOT, BRIGHTEST, DARK, LARGE, SHADE, Small, gain_of
from vision.types import Floats, Mask, as_uint8

GAINS = (0.4, 2.2)
"""How far the light may have changed since the empty tray was seen."""

STEP, STEP_PER_LEVEL = 8.0, 0.35
"""Grey levels, and part of the brightness, by which ground must differ from felt to be that of a large thing where the
picture does not say so: no soft shadow does."""

_FINE = 4


@dataclass(frozen=True, eq=False)
class Sight:
    """One reduced picture, compared with that of the empty tray.

    Attributes
    ----------
    level
        The picture at the light of the empty tray: float32, shape (24, 32).
    large
        Where the ground is not the felt of the empty tray: a cup, a hand, a deep shadow.
    shade
        Where a large part of it is evenly darker than felt: by a shadow, or it is grey.
    small
        Where something small lies that is not in the empty tray.
    blots
        Where something small lies, in the empty tray as well: the level says nothing there.
    """

    level: Floats
    large: Mask
    shade: Mask
    small: Mask
    blots: Mask


def seen(now: Small, empty: Small) -> Sight | None:
    """Return what *now* shows in the tray that was *empty*; None where light does not allow to tell."""
    known = (now < BLOT) & (empty < BLOT)
    gain = gain_of(now[known], empty[known])
    if gain is None or not GAINS[0] < gain < GAINS[1]:
        return None
    level = (now + np.float32(DARK)) / np.float32(gain) - np.float32(DARK)
    felt = empty.astype(np.float32)
    # Of felt so bright that it is cut off nothing is known but that.
    cut = (now | np.uint8(LARGE | SHADE) >= BRIGHTEST) & (felt * gain > BRIGHTEST)
    differs = known & ~cut & (np.abs(level - felt) > STEP + STEP_PER_LEVEL * felt)
    large = differs | ((now < BLOT) & (now & LARGE > 0))
    shade = (now < BLOT) & (now & SHADE > 0)
    return Sight(level, large, shade, (now == BLOT) & (empty < BLOT), now == BLOT)


@dataclass(frozen=True, eq=False)
class Thing:
    """The largest large thing.

    Attributes
    ----------
    radius
        Of the largest disc that fits into it, in cells.
    area
        All of it, in cells.
    core
        Where that disc is.
    depth
        How far the middle of that disc is from the nearest edge of the tray, in cells.
    contact
        Length at which it meets an edge of the tray, in cells.
    """

    radius: float
    area: float
    core: Mask
    depth: float
    contact: float


def thing_in(large: Mask, inside: Mask) -> Thing | None:
    """Return the thing of *large* whose middle is *inside*; None where there is none."""
    filled = as_uint8(cv2.morphologyEx(large.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))
    _, labels = cv2.connectedComponents(filled, connectivity=4)
    fine = cv2.resize(filled, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_NEAREST)
    edged = cv2.copyMakeBorder(fine, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    deep = cv2.distanceTransform(edged, cv2.DIST_L2, 5)[1:-1, 1:-1]
    deep = np.where(np.kron(inside, np.ones((_FINE, _FINE), np.bool_)), deep, 0)
    row, column = np.unravel_index(int(deep.argmax()), deep.shape)
    radius = float(deep[row, column]) / _FINE
    if radius == 0:
        return None
    rows, columns = np.ogrid[: large.shape[0], : large.shape[1]]
    away = np.hypot(rows + 0.5 - row / _FINE, columns + 0.5 - column / _FINE)
    own = labels == labels[row // _FINE, column // _FINE]
    contact = max(int(np.count_nonzero(edge)) for edge in (own[0], own[-1], own[:, 0], own[:, -1]))
    x, y = column / _FINE, row / _FINE
    depth = min(x, large.shape[1] - x, y, large.shape[0] - y)
    return Thing(radius, float(np.count_nonzero(own)), np.asarray(away < radius), float(depth), float(contact))
