"""What lies under laid layouts: colours at fixed places of the face, counted."""

from __future__ import annotations

from math import cos, hypot, sin, sqrt

import numpy as np
import numpy.typing as npt

from vision.compiled import Array, compiled, part
from vision.types import Doubles, Frame

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

CLEARANCE = 0.72
"""Diameters from the centre of a pip within which the face is not asked for the body's colour."""

MOST_PIPS = 6

TOLD = 11
"""Numbers that are told of a layout: colour, fill, the four edges, contrast, evenness, stranger."""

_AXIS = tuple(float(k) for k in np.linspace(-INNER, INNER, GRID))
_EDGES = ((-1, 0), (1, 0), (0, -1), (0, 1))


@compiled("f8[:,::1](u1[:,:,::1],f8[:,::1],f8[:,:,::1],i8[::1],b1)")
def colours_under(lab: Frame, at: Doubles, pips: Doubles, counts: npt.NDArray[np.int64], has_edges: bool) -> Doubles:
    """Return what lies under layouts laid in one closeup.

    Parameters
    ----------
    lab : ndarray of uint8, shape (M, N, 3)
        CIE Lab, smoothed by about a pixel.
    at : ndarray of float64, shape (K, 6)
        Of each layout its middle, x and y, its turn in radians, and its side, all in pixels; the diameter of its pips
        in sides; -1 where they are dark, else 1.
    pips : ndarray of float64, shape (K, 6, 2)
        The layout's pips in sides from its middle.
    counts : ndarray of int64, shape (K,)
        How many of them there are.
    has_edges : bool
        Whether the edges are looked at; else 0 is told of them.

    Returns
    -------
    ndarray of float64, shape (K, 11)
        Colour, three numbers; fill; the left, right, upper and lower edge; contrast; evenness; stranger: see
        `vision.bodies.Body`.
    """
    told = np.zeros((len(at), TOLD))
    free = np.empty((GRID, GRID), np.bool_)
    seen = np.empty((GRID * GRID, 3), np.uint8)
    sorted_by = np.empty(256, np.int64)
    full = np.zeros((GRID + 1, GRID + 1), np.int64)
    band = np.empty(len(OUTSIDE) * len(ALONG), np.int64)
    for k in range(len(at)):
        x, y, turn, side, diameter, sign = at[k]
        frame = x, y, cos(turn) * side, sin(turn) * side
        for channel in range(3):
            told[k, channel] = 1e4
        _look(lab, frame, pips[k], counts[k], diameter, seen, free)
        for channel in range(3):
            _median_free(seen, free, channel, sorted_by, told, k)
        _contrasts(lab, frame, pips[k], counts[k], diameter, sign, told, k)
        told[k, 3] = _fill(seen, free, told, k, sign, full)
        told[k, 10] = _stranger(full, free, max(3, round(0.75 * diameter / (_AXIS[1] - _AXIS[0]))))
        if has_edges:
            for edge in range(4):
                told[k, 4 + edge] = _edge(lab, frame, edge, band)
    return told


@part
def _pixel(lab: Array, frame: tuple[float, float, float, float], across: float, along: float) -> tuple[int, int]:
    """Return row and column of the nearest pixel to a place on the face, in sides; beyond the edge one of the edge."""
    x, y, c, s = frame
    column = min(max(x + c * across - s * along + 0.5, 0.0), lab.shape[1] - 1.0)
    row = min(max(y + s * across + c * along + 0.5, 0.0), lab.shape[0] - 1.0)
    return int(row), int(column)


@part
def _look(
    lab: Array,
    frame: tuple[float, float, float, float],
    pips: Array,
    count: int,
    diameter: float,
    seen: Array,
    free: Array,
) -> None:
    """Note what is *seen* at each place of the grid, and whether that is *free* of pips."""
    reach = (CLEARANCE * diameter) ** 2
    for j in range(GRID):
        for i in range(GRID):
            row, column = _pixel(lab, frame, _AXIS[i], _AXIS[j])
            for channel in range(3):
                seen[j * GRID + i, channel] = lab[row, column, channel]
            is_free = True
            for p in range(count):
                across, along = _AXIS[i] - pips[p, 0], _AXIS[j] - pips[p, 1]
                is_free &= across * across + along * along > reach
            free[j, i] = is_free


@part
def _median_free(seen: Array, free: Array, channel: int, sorted_by: Array, told: Array, k: int) -> None:
    """Tell the (upper) median of one channel over the free places; every other one is enough."""
    for level in range(256):
        sorted_by[level] = 0
    count = 0
    for place in range(0, GRID * GRID, 2):
        if free[place // GRID, place % GRID]:
            sorted_by[seen[place, channel]] += 1
            count += 1
    below = 0
    for level in range(256):
        below += sorted_by[level]
        if below > count // 2:
            told[k, channel] = level
            return


@part
def _contrasts(
    lab: Array,
    frame: tuple[float, float, float, float],
    pips: Array,
    count: int,
    diameter: float,
    sign: float,
    told: Array,
    k: int,
) -> None:
    """Tell contrast and evenness: how much the pips differ from the body."""
    contrasts = np.empty(MOST_PIPS)
    for p in range(count):
        light = a = b = 0
        for across, along in SPOT:
            row, column = _pixel(lab, frame, pips[p, 0] + across * diameter, pips[p, 1] + along * diameter)
            light += lab[row, column, 0]
            a += lab[row, column, 1]
            b += lab[row, column, 2]
        number = len(SPOT)
        light, a, b = light / number - told[k, 0], a / number - told[k, 1], b / number - told[k, 2]
        contrast = sign * light + hypot(a, b) / 2
        at = p
        while at > 0 and contrasts[at - 1] > contrast:
            contrasts[at] = contrasts[at - 1]
            at -= 1
        contrasts[at] = contrast
    told[k, 8] = contrasts[0]
    told[k, 9] = contrasts[0] / max(contrasts[count // 2], 1.0)


@part
def _fill(seen: Array, free: Array, told: Array, k: int, sign: float, full: Array) -> float:
    """Return what part of the free places has the colour of the body; sum up in *full* what has that of the pips.

    A highlight is lighter and paler than the body, a soft shade a little darker.
    """
    contrast = told[k, 8]
    shade = max(14 + 0.12 * told[k, 0], 0.3 * contrast)
    alike = free_ones = 0
    for j in range(GRID):
        row = 0
        for i in range(GRID):
            place = j * GRID + i
            light = seen[place, 0] - told[k, 0]
            chroma = hypot(seen[place, 1] - told[k, 1], seen[place, 2] - told[k, 2])
            if free[j, i]:
                free_ones += 1
                paler = 12 + 0.15 * max(contrast, 0.0) + 0.25 * min(max(light, 0.0), 60.0)
                alike += -shade < light < 2.2 * shade and chroma < paler
                row += abs(_AXIS[i]) < CENTRAL and abs(_AXIS[j]) < CENTRAL and sign * light > 0.5 * contrast
            full[j + 1, i + 1] = full[j, i + 1] + row
    return alike / max(1, free_ones)


@part
def _stranger(full: Array, free: Array, size: int) -> float:
    """Return how much of a window *size* places wide has the colour of pips, where it is most, away from the pips."""
    most = 0
    for j in range(GRID):
        top = max(0, j - size // 2)
        bottom = min(GRID, j - size // 2 + size)
        for i in range(GRID):
            if free[j, i] and abs(_AXIS[i]) < CENTRAL and abs(_AXIS[j]) < CENTRAL:
                left, right = max(0, i - size // 2), min(GRID, i - size // 2 + size)
                most = max(most, full[bottom, right] - full[top, right] - full[bottom, left] + full[top, left])
    return most / (size * size)


@part
def _edge(lab: Array, frame: tuple[float, float, float, float], edge: int, band: Array) -> float:
    """Return how clearly, 0 to 1, the band outside of one edge differs from the face beside it."""
    step = noise = 0.0
    for channel in range(3):
        size = _band(lab, frame, edge, channel, RIM, band)
        inside = band[size // 2]
        size = _band(lab, frame, edge, channel, OUTSIDE, band)
        outside = band[size // 2]
        step += (outside - inside) ** 2
        for k in range(size):
            band[k] = abs(band[k] - outside)
        _sort(band, size)
        noise += band[size // 2]
    return min(1.0, sqrt(step) / (12.0 + 1.5 * noise))


@part
def _band(
    lab: Array, frame: tuple[float, float, float, float], edge: int, channel: int, far: tuple[float, ...], band: Array
) -> int:
    """Fill *band* with one channel along an edge, so *far* from the middle, in order of size; return how many."""
    out_x, out_y = _EDGES[edge]
    size = 0
    for away in far:
        for along in ALONG:
            row, column = _pixel(lab, frame, out_x * away + abs(out_y) * along, out_y * away + abs(out_x) * along)
            band[size] = lab[row, column, channel]
            size += 1
    _sort(band, size)
    return size


@part
def _sort(values: Array, size: int) -> None:
    for k in range(1, size):
        value, at = values[k], k
        while at > 0 and values[at - 1] > value:
            values[at] = values[at - 1]
            at -= 1
        values[at] = value
