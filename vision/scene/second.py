"""A second opinion on one die: which face is it, judged by contrast at the places of all layouts, not by spots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.bodies import INNER, PATCH, PATCH_SIDES
from vision.types import Floats

CORNER = 0.255
"""Distance of the corner pips from the middle, along either axis, in sides."""

SLACK = 0.075
"""How far from its place a pip may lie, in sides: layouts differ between sets, and dice are seen a little askew."""

CLEAR = (0.15, 0.7)
"""Parts of what the clearest place differs from the body: below the first a place is empty, above the second it holds
a pip, between them something of one."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the places say.

    Attributes
    ----------
    face
        1 to 6, the layout that fits best.
    margin
        By how many pips it fits better than the best layout of another face.
    misfit
        By how many pips it does not fit.
    """

    face: int
    margin: float
    misfit: float


def second_opinion(patch: Floats, pip_diameter: float, *, dark: bool) -> Opinion:
    """Say which face lies in a cut-out.

    Parameters
    ----------
    patch : ndarray of float32, shape (PATCH, PATCH, 3)
        From `vision.bodies.cut_out`, CIE Lab; the face upright in the middle.
    pip_diameter : float
        In sides.
    dark : bool
        Whether the pips are darker than the body.

    Returns
    -------
    Opinion

    Notes
    -----
    A matched filter (a disc of the size of a pip) over the difference from the body's colour; its greatest values near
    the nine places of a face, each relative to the greatest of all, are compared with what every layout would show.
    """
    differs = _difference(patch, dark=dark)
    size = max(3, round(0.8 * pip_diameter * PATCH / PATCH_SIDES)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    response = cv2.filter2D(differs, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE)
    beyond = np.where(_from_middle() > 0.9 * pip_diameter, response, 0)
    peaks = np.array([(response if at == (0, 0) else beyond)[window].max() for at, window in _windows()])
    low, high = CLEAR
    shown = np.clip((peaks / max(float(peaks.max()), 1.0) - low) / (high - low), 0.0, 1.0)
    misfits = np.abs(shown - _PATTERNS).sum(axis=1)
    best = int(np.argmin(misfits))
    face = int(_FACES[best])
    return Opinion(face, float(misfits[face != _FACES].min() - misfits[best]), float(misfits[best]))


_PLACES = (*((x, y) for y in (-1, 1) for x in (-1, 1)), (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""Corners, middle and middles of the edges, in units of `CORNER`."""

_LAYOUTS = (
    (1, ((0, 0),)),
    (2, ((-1, -1), (1, 1))),
    (2, ((1, -1), (-1, 1))),
    (3, ((-1, -1), (0, 0), (1, 1))),
    (3, ((1, -1), (0, 0), (-1, 1))),
    (4, ((-1, -1), (1, -1), (-1, 1), (1, 1))),
    (5, ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1))),
    (6, ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1))),
    (6, ((-1, -1), (1, -1), (0, -1), (0, 1), (-1, 1), (1, 1))),
)
_FACES = np.array([face for face, _ in _LAYOUTS])
_PATTERNS = np.array([[float(place in pips) for place in _PLACES] for _, pips in _LAYOUTS])


@cache
def _from_middle() -> Floats:
    """Return how far each pixel of the cut-out is from its middle, in sides: shape (PATCH, PATCH)."""
    axis = ((np.arange(PATCH, dtype=np.float32) + 0.5) / PATCH - 0.5) * PATCH_SIDES
    return np.hypot(axis[None, :], axis[:, None])


@cache
def _windows() -> tuple[tuple[tuple[int, int], tuple[slice, slice]], ...]:
    """Each place, and rows and columns of the cut-out in which its pip may lie."""
    middle, px = (PATCH - 1) / 2, PATCH / PATCH_SIDES
    windows = []
    for x, y in _PLACES:
        row, column = (middle + CORNER * v * px for v in (y, x))
        spans = (slice(round(at - SLACK * px), round(at + SLACK * px) + 1) for at in (row, column))
        rows, columns = spans
        windows.append(((x, y), (rows, columns)))
    return tuple(windows)


def _difference(patch: Floats, *, dark: bool) -> Floats:
    """Return by how much each pixel differs from the body the way pips do: shape (PATCH, PATCH)."""
    inner = round((0.5 - INNER / PATCH_SIDES) * PATCH)
    face = patch[inner:-inner, inner:-inner].reshape(-1, 3)
    body = np.partition(face, len(face) // 2, axis=0)[len(face) // 2]
    delta = patch - body
    lightness = np.maximum(-delta[..., 0] if dark else delta[..., 0], 0)
    return np.asarray(lightness + np.hypot(delta[..., 1], delta[..., 2]) / 2, np.float32)
