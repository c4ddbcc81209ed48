"""What lies under laid layouts: sampled at fixed places of the face, for all proposals of a closeup at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.layouts import FaceFit
from vision.pips import Pip
from vision.types import Floats, Frame, Mask

INNER = 0.40
"""Half the width, in sides, of what is certainly top face, whatever the rounding of the edges."""

GRID = 17
"""Samples across that width: three pixels of the straightened view apart."""

CENTRAL = 0.36
"""Within so many sides of the middle all pips lie, whatever the layout; beyond, a cut edge may show those of a side."""

RIM = (0.35, 0.39)
OUTSIDE = (0.61, 0.66, 0.71)
ALONG = (-0.30, -0.20, -0.10, 0.0, 0.10, 0.20, 0.30)
"""Where, in sides from the centre, an edge of the face is looked at: inside, outside, and along it."""

SPOT = ((0.0, 0.0), (0.22, 0.0), (-0.22, 0.0), (0.0, 0.22), (0.0, -0.22))
"""Where a pip is looked at, in its diameters."""

MOST_PIPS = 6
NOWHERE = np.float32(9.0)
"""Where, in sides, a pip is that a layout does not have: far from every place of the grid."""

BEYOND = np.float32(1e4)
"""More than any colour or contrast."""

MOST_LAYERS = 100
"""OpenCV blurs so many layers, and a few more, at once."""

CLEARANCE = 0.72
"""Diameters from the centre of a pip within which the face is not asked for the body's colour."""


@dataclass(frozen=True, eq=False)
class Under:
    """What was found under K layouts, each array with K rows.

    Attributes
    ----------
    colour
        Median of the top face without its pips, CIE Lab as in OpenCV's 8-bit scale: float32, shape (K, 3).
    fill
        Part of the top face, 0 to 1, that has this colour: float32, shape (K,).
    outline
        For each of the four edges how clearly, 0 to 1, something else lies outside: float32, shape (K, 4); all 0 where
        it was not asked for.
    contrast
        Smallest difference between a pip of the layout and the body, in Lab units, positive as it should be.
    evenness
        That smallest difference as a part, 0 to 1, of the median one: a pip that shines through from below is faint.
    stranger
        How full, 0 to 1, the fullest pip-sized window of pip colour is where the layout has no pip.
    """

    colour: Floats
    fill: Floats
    outline: Floats
    contrast: Floats
    evenness: Floats
    stranger: Floats


@dataclass(frozen=True, eq=False)
class Laid:
    """Layouts laid in one closeup: its picture, the layouts, and the pips that they lie over.

    Attributes
    ----------
    lab
        CIE Lab, smoothed by about a pixel: uint8, shape (M, N, 3).
    fits
        Each with its side, in pixels of *lab*.
    pips
        In pixels of *lab*.
    """

    lab: Frame
    fits: Sequence[FaceFit]
    pips: Sequence[Pip]


def look_under(laid: Sequence[Laid], *, edges: bool) -> Under:
    """Look under all layouts of all of *laid*, at least one, in their order; at their *edges* only where asked to."""
    # One pass over all closeups, one look at all places: arrays of a few layouts cost more in calls than in numbers.
    at = np.array([(f.x, f.y, f.angle, f.side) for part in laid for f in part.fits], np.float32)
    spots, diameters, signs = _spots(laid)
    counts = np.array([len(f.pips) for part in laid for f in part.fits])
    grid, inside, around = _places()
    looked = _sampled(
        laid, _pixels(at, [grid, around][: 1 + edges], spots[:, :, None] + _DISC * diameters[:, None, None, None])
    )
    face, pips = looked[:, : len(grid)], looked[:, -MOST_PIPS * len(SPOT) :]
    free = _free(grid, spots, diameters)
    colour = _median(face, free)
    contrasts = np.where(spots[..., 0] == NOWHERE, BEYOND, _contrasts(pips, signs, colour))
    contrast = contrasts.min(axis=1)
    delta = face - colour[:, None]
    alike = _alike(delta, colour, contrast) & free
    central: Mask = free & inside
    like_pip: Mask = (signs[:, None] * delta[..., 0] > 0.5 * contrast[:, None]) & central
    return Under(
        colour=colour,
        fill=np.asarray(alike.sum(axis=1) / np.maximum(1, free.sum(axis=1)), np.float32),
        outline=_outline(looked[:, len(grid) : -pips.shape[1]]) if edges else np.zeros((len(at), 4), np.float32),
        contrast=contrast,
        evenness=contrast / np.maximum(_middle(contrasts, counts), 1.0),
        stranger=_stranger(like_pip, central, diameters),
    )


_DISC = np.array(SPOT, np.float32)


@cache
def _places() -> tuple[Floats, Mask, Floats]:
    """Return where a face is sampled, in sides.

    The grid, shape (GRID², 2), which places of it are `CENTRAL`, and the edges, shape (4 * 35, 2).
    """
    axis = np.linspace(-INNER, INNER, GRID, dtype=np.float32)
    grid = np.stack(np.meshgrid(axis, axis), axis=2).reshape(-1, 2)
    right = np.array([(d, a) for d in (*RIM, *OUTSIDE) for a in ALONG], np.float32)
    left, down = right * (-1, 1), right[:, ::-1]
    around = np.concatenate([left, right, down * (1, -1), down]).astype(np.float32)
    return grid, np.abs(grid).max(axis=1) < CENTRAL, around


def _spots(laid: Sequence[Laid]) -> tuple[Floats, Floats, Floats]:
    """Return the layouts' pips in sides, (K, 6, 2), `NOWHERE` beyond the last; diameters, (K,); -1 where dark, (K,)."""
    owned = [(fit, [part.pips[i] for i in fit.pips]) for part in laid for fit in part.fits]
    spots = np.full((len(owned), MOST_PIPS, 2), NOWHERE, np.float32)
    diameters, signs = np.empty(len(owned), np.float32), np.empty(len(owned), np.float32)
    for k, (fit, own) in enumerate(owned):
        spots[k, : len(own)] = [fit.on_face(p.x, p.y) for p in own]
        sizes = sorted(p.diameter for p in own)
        diameters[k] = sizes[len(sizes) // 2] / fit.side
        signs[k] = -1.0 if own[0].dark else 1.0
    return spots, diameters, signs


def _free(grid: Floats, spots: Floats, diameters: Floats) -> Mask:
    """Return which places of the grid are clear of the layout's pips, shape (K, GRID²)."""
    # The longest axis last: over the six pips as the last one this takes four times as long.
    across = grid[:, 0] - spots[:, :, 0, None]
    along = grid[:, 1] - spots[:, :, 1, None]
    away = (across * across + along * along).min(axis=1)
    free: Mask = away > np.square(CLEARANCE * diameters)[:, None]
    return free


def _pixels(at: Floats, places: Sequence[Floats], own: Floats) -> Floats:
    """Return where places on every face are in pixels: float32, shape (2, K, P), x and y apart.

    Those that are the same on all, (N, 2) each in sides, and after them those that each has of its *own*, (K, ..., 2).
    """
    same = np.concatenate(places)
    own = own.reshape(len(at), -1, 2)
    across, along = np.empty((2, len(at), len(same) + own.shape[1]), np.float32)
    across[:, : len(same)], along[:, : len(same)] = same[:, 0], same[:, 1]
    across[:, len(same) :], along[:, len(same) :] = own[..., 0], own[..., 1]
    c, s = (np.asarray(f(at[:, 2]) * at[:, 3])[:, None] for f in (np.cos, np.sin))
    pixels = np.empty((2, *across.shape), np.float32)
    np.add(at[:, 0, None] + c * across, -s * along, out=pixels[0])
    np.add(at[:, 1, None] + s * across, c * along, out=pixels[1])
    return pixels


def _sampled(laid: Sequence[Laid], pixels: Floats) -> Floats:
    """Return the nearest pixels of the pictures, beyond their edge those of it: float32, shape (K, P, 3)."""
    seen = np.empty((*pixels.shape[1:], 3), np.float32)
    first = 0
    for part in laid:
        own = slice(first, first + len(part.fits))
        rows, columns = part.lab.shape[:2]
        x, y = ((axis[own] + np.float32(0.5)) for axis in pixels)
        at = np.clip(y, 0, rows - 1).astype(np.intp) * columns + np.clip(x, 0, columns - 1).astype(np.intp)
        seen[own] = part.lab.reshape(-1, 3).take(at, axis=0)
        first = own.stop
    return seen


def _median(face: Floats, free: Mask) -> Floats:
    """Return the median colour of each face where it is *free*, shape (K, 3); every other sample is enough."""
    some = np.where(free[:, ::2, None], face[:, ::2], BEYOND)
    some.sort(axis=1)
    return np.asarray(some[np.arange(len(some)), free[:, ::2].sum(axis=1) // 2], np.float32)


def _contrasts(pips: Floats, signs: Floats, colour: Floats) -> Floats:
    """Return how much each pip, seen at the places of `SPOT`, (K, 6 * 5, 3), differs from its body, shape (K, 6)."""
    delta = pips.reshape(len(pips), MOST_PIPS, len(SPOT), 3).mean(axis=2) - colour[:, None]
    return np.asarray(signs[:, None] * delta[..., 0] + np.hypot(delta[..., 1], delta[..., 2]) / 2, np.float32)


def _middle(contrasts: Floats, counts: npt.NDArray[np.intp]) -> Floats:
    """Return the (upper) median of the first so many of each row in order of size."""
    ordered = np.sort(contrasts, axis=1)
    return np.asarray(ordered[np.arange(len(ordered)), counts // 2], np.float32)


def _alike(delta: Floats, colour: Floats, contrast: Floats) -> Mask:
    """Where the face has the body's colour; a highlight is lighter and paler, a soft shade a little darker."""
    light = delta[..., 0]
    chroma = np.hypot(delta[..., 1], delta[..., 2])
    shade = np.maximum(14 + 0.12 * colour[:, 0], 0.3 * contrast)[:, None]
    paler = 12 + 0.15 * np.maximum(contrast, 0)[:, None] + 0.25 * np.clip(light, 0, 60)
    alike: Mask = (light > -shade) & (light < 2.2 * shade) & (chroma < paler)
    return alike


def _stranger(like_pip: Mask, free: Mask, diameters: Floats) -> Floats:
    """Return how much of a pip-sized window is filled with pip colour, where it is most, away from the pips."""
    count = len(like_pip)
    spacing = 2 * INNER / (GRID - 1)
    fullest = np.zeros(count, np.float32)
    sizes = np.maximum(3, np.round(0.75 * diameters / spacing)).astype(int)
    for size in np.unique(sizes):
        some = np.flatnonzero(sizes == size)
        for part in np.array_split(some, 1 + len(some) // MOST_LAYERS):
            layers = like_pip[part].T.reshape(GRID, GRID, len(part)).astype(np.float32)
            density = cv2.blur(layers, (int(size), int(size)), borderType=cv2.BORDER_CONSTANT).reshape(
                GRID * GRID, len(part)
            )
            fullest[part] = np.where(free[part].T, density, 0).max(axis=0)
    return fullest


def _outline(edges: Floats) -> Floats:
    """Per edge (left, right, top, bottom): how clearly, 0 to 1, the band outside differs from the face beside it."""
    count = len(edges)
    split = len(RIM) * len(ALONG)
    sides = edges.reshape(count, 4, -1, 3)
    band = sides[:, :, split:]
    outside = _half(band)
    step = outside - _half(sides[:, :, :split])
    noise = _half(np.abs(band - outside[:, :, None])).sum(axis=2)
    return np.asarray(np.minimum(1.0, np.sqrt((step * step).sum(axis=2)) / (12.0 + 1.5 * noise)), np.float32)


def _half(samples: Floats) -> Floats:
    """Return the (upper) median of *samples*, shape (K, 4, N, 3), over N; `np.median` takes five times as long."""
    middle = samples.shape[2] // 2
    return np.partition(samples, middle, axis=2)[:, :, middle]
