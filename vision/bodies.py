"""Is there a die under this layout? Looks at the body: one colour inside the outline, something else outside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.layouts import Quad
from vision.types import Floats, Frame, Indices, Mask, Point

PATCH = 64
"""Pixels of the square cut-out of a die."""

PATCH_SIDES = 1.5
"""How many sides of the die the cut-out spans."""

INNER = 0.40
"""Half the width, in sides, of what is certainly top face, whatever the rounding of the edges."""

BAND_OUT = (0.60, 0.72)
"""Where, in sides from the centre, the outline of a die must have been crossed."""


@dataclass(frozen=True, slots=True)
class Body:
    """What was found under a layout.

    Attributes
    ----------
    colour
        Median of the top face without its pips, CIE Lab as in OpenCV's 8-bit scale.
    fill
        Part of the top face, 0 to 1, that has this colour.
    outline
        For each of the four edges how clearly, 0 to 1, something else lies outside.
    contrast
        Smallest difference between a pip of the layout and the body, in Lab units, positive as it should be.
    evenness
        That smallest difference as a part, 0 to 1, of the median one: a pip that shines through from below is faint.
    stranger
        How full, 0 to 1, the fullest pip-sized window of pip colour is where the layout has no pip.
    """

    colour: tuple[float, float, float]
    fill: float
    outline: tuple[float, float, float, float]
    contrast: float
    evenness: float
    stranger: float


@cache
def grid() -> tuple[Floats, Floats]:
    """Coordinates of the cut-out's pixels in sides from its centre: x and y, each (PATCH, PATCH)."""
    axis = ((np.arange(PATCH, dtype=np.float32) + 0.5) / PATCH - 0.5) * PATCH_SIDES
    return np.tile(axis, (PATCH, 1)), np.tile(axis[:, None], (1, PATCH))


def cut_out(lab: Frame, corners: Quad) -> Floats:
    """Straighten the surroundings of a top face.

    Parameters
    ----------
    lab : ndarray of uint8, shape (M, N, 3)
        The picture in CIE Lab.
    corners : four points
        The top face, clockwise, in pixels.

    Returns
    -------
    ndarray of float32, shape (PATCH, PATCH, 3)
        `PATCH_SIDES` sides wide, the face upright in the middle.
    """
    half = 0.5 / PATCH_SIDES * PATCH
    low, high = PATCH / 2 - half - 0.5, PATCH / 2 + half - 0.5
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    warp = cv2.getPerspectiveTransform(square, np.array(corners, np.float32))
    span = max(np.ptp([c[0] for c in corners]), np.ptp([c[1] for c in corners]))
    how = cv2.INTER_AREA if span > 3 * PATCH else cv2.INTER_LINEAR
    patch = cv2.warpPerspective(
        lab, warp, (PATCH, PATCH), flags=how | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return patch.astype(np.float32)


def examine(patch: Floats, pips: tuple[Point, ...], pip_diameter: float, *, dark: bool) -> Body:
    """Look for a body in a cut-out.

    Parameters
    ----------
    patch : ndarray of float32, shape (PATCH, PATCH, 3)
        From `cut_out`.
    pips : tuple of (x, y)
        The layout's pips in sides from the centre of the face.
    pip_diameter : float
        In sides.
    dark : bool
        Whether the pips are darker than the body.
    """
    x, y = grid()
    free = (np.abs(x) < INNER) & (np.abs(y) < INNER)
    spots = []
    for px, py in pips:
        away = np.hypot(x - px, y - py)
        free &= away > 0.72 * pip_diameter
        spots.append(patch[away < 0.3 * pip_diameter].mean(axis=0))
    colour = _middle(patch[free])
    sign = -1.0 if dark else 1.0
    contrasts = [sign * float(spot[0] - colour[0]) + _chroma(spot, colour) / 2 for spot in spots] or [0.0]
    contrast = min(contrasts)
    same = _alike(patch, colour, contrast)
    return Body(
        colour=(float(colour[0]), float(colour[1]), float(colour[2])),
        fill=float(same[free].mean()),
        outline=_outline(patch),
        contrast=contrast,
        evenness=contrast / max(float(np.median(contrasts)), 1.0),
        stranger=_stranger(sign * (patch[..., 0] - colour[0]) > 0.5 * contrast, free, pip_diameter),
    )


def _alike(patch: Floats, colour: Floats, contrast: float) -> Mask:
    """Where *patch* has the body's colour; a highlight is lighter and paler, a soft shade a little darker."""
    delta = patch - colour
    chroma = np.hypot(delta[..., 1], delta[..., 2])
    light = delta[..., 0]
    shade = max(14 + 0.12 * colour[0], 0.3 * contrast)
    alike: Mask = (
        (light > -shade)
        & (light < 2.2 * shade)
        & (chroma < 12 + 0.15 * max(contrast, 0.0) + 0.25 * np.clip(light, 0, 60))
    )
    return alike


def _stranger(like_pip: Mask, free: Mask, pip_diameter: float) -> float:
    """Return how much of a pip-sized disc is filled with pip colour, where it is most, away from the layout's pips."""
    size = max(3, round(0.75 * pip_diameter * PATCH / PATCH_SIDES))
    density = cv2.blur((like_pip & free).astype(np.float32), (size, size))
    return float(density[free].max())


def _chroma(a: Floats, b: Floats) -> float:
    return float(np.hypot(a[1] - b[1], a[2] - b[2]))


def _middle(pixels: Floats) -> Floats:
    """Return the (upper) median of each column; `np.median` spends most of its time on what cannot occur here."""
    half = len(pixels) // 2
    return np.asarray(np.partition(pixels, half, axis=0)[half], np.float32)


@cache
def _edges() -> tuple[tuple[Indices, Indices], ...]:
    """For the left, right, top and bottom edge: flat indices of the face's rim inside, and of the band outside."""
    low, high = BAND_OUT
    x, y = grid()
    edges = []
    for along, across in ((-x, y), (x, y), (-y, x), (y, x)):
        near = np.abs(across) < 0.32
        inside = np.flatnonzero(near & (along > 0.34) & (along < INNER))
        edges.append((inside, np.flatnonzero(near & (along > low) & (along < high))))
    return tuple(edges)


def _outline(patch: Floats) -> tuple[float, float, float, float]:
    """Per edge (left, right, top, bottom): how clearly, 0 to 1, the band outside differs from the face beside it."""
    pixels = patch.reshape(-1, 3)
    steps = []
    for rim, band in _edges():
        outside = pixels[band]
        colour = _middle(outside)
        step = np.linalg.norm(colour - _middle(pixels[rim]))
        noise = _middle(np.abs(outside - colour)).sum()
        steps.append(min(1.0, float(step) / (12.0 + 1.5 * float(noise))))
    left, right, top, bottom = steps
    return left, right, top, bottom
