"""How steep a picture is across edges: those of a die that is turned in every way, and those of its pips."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.compiled import Array, compiled, part
from vision.types import Doubles, Floats, Gray


@compiled("f8[::1](i2[:,:,::1],i2[:,:,::1],f4[:,:,:,:,::1],f4[:,:,::1],f8,f8,f4)")
def turn_scores(
    across: npt.NDArray[np.int16],
    down: npt.NDArray[np.int16],
    places: Floats,
    normals: Floats,
    x: float,
    y: float,
    side: np.float32,
) -> Doubles:
    """Return how clearly a square has its edges at each of several turns.

    Parameters
    ----------
    across, down : ndarray of int16, shape (M, N, C)
        The slopes of a picture of C channels.
    places : ndarray of float32, shape (T, 4, A, B, 2)
        In sides from its middle, at each of T turns, where its four edges are looked for: at A distances, B places
        along each.
    normals : ndarray of float32, shape (T, 4, 2)
        The ways in which these edges are crossed.
    x, y, side : float
        Its middle and its side in pixels.

    Returns
    -------
    ndarray of float64, shape (T,)
        The sum over the four edges of the root of the slope across it, a mean along it, where it is steepest.
    """
    turns, edges, far, along = places.shape[:4]
    rows, columns, channels = across.shape
    scores = np.zeros(turns)
    for turn in range(turns):
        for edge in range(edges):
            cos, sin = normals[turn, edge, 0], normals[turn, edge, 1]
            most = np.float32(0)
            for away in range(far):
                total = np.float32(0)
                for k in range(along):
                    column = min(max(round(places[turn, edge, away, k, 0] * side + x), 0), columns - 1)
                    row = min(max(round(places[turn, edge, away, k, 1] * side + y), 0), rows - 1)
                    steepest = np.float32(0)
                    for c in range(channels):
                        slope = across[row, column, c] * cos + down[row, column, c] * sin
                        steepest = max(steepest, abs(np.float32(slope)))
                    total += steepest
                most = max(most, total)
            scores[turn] += sqrt(most / along)
    return scores


@compiled("void(u1[:,::1],f4[:,::1],f4,f4,f4[:,::1])")
def steepness(gray: Gray, window: Floats, steepest: np.float32, scale: np.float32, into: Floats) -> None:
    """Write how steep *gray* is, by Sobel's operator.

    Parameters
    ----------
    gray : ndarray of uint8, shape (M, N), at least (2, 2)
        It is mirrored at its edge.
    window : ndarray of float32, shape (M, N)
        By which the result is multiplied.
    steepest : float32
        Where it is cut off before.
    scale : float32
        By which it is multiplied as well.
    into : ndarray of float32, shape (M, N)
        Becomes the steepness.
    """
    rows, columns = gray.shape
    for row in range(rows):
        above, here, below = gray[abs(row - 1)], gray[row], gray[min(row + 1, 2 * rows - 3 - row)]
        steep = into[row]
        # All but the ends without a question: so it goes through many pixels at once.
        for at in range(columns - 2):
            steep[at + 1] = _steep(above, here, below, at, at + 1, at + 2)
        steep[0] = _steep(above, here, below, 1, 0, 1)
        steep[columns - 1] = _steep(above, here, below, columns - 2, columns - 1, columns - 2)
        for at in range(columns):
            steep[at] = min(steep[at], steepest) * window[row, at] * scale


@part
def _steep(above: Array, here: Array, below: Array, left: int, at: int, right: int) -> Any:
    a, b, c = np.int32(above[left]), np.int32(above[at]), np.int32(above[right])
    d, f = np.int32(here[left]), np.int32(here[right])
    g, h, i = np.int32(below[left]), np.int32(below[at]), np.int32(below[right])
    two = np.int32(2)
    across, down = np.float32(c - a + two * (f - d) + i - g), np.float32(g - a + two * (h - b) + i - c)
    return np.sqrt(across * across + down * down)


@compiled("f8[::1](u1[:,:],f8[:,::1],f8[:,::1],f8[::1])")
def crossed(light: Gray, pips: Doubles, ways: Doubles, radii: Doubles) -> Doubles:
    """Return how steep the edges of pips are where they are crossed each way, opposite ways together.

    Parameters
    ----------
    light : ndarray of uint8, shape (M, N), at least (2, 2)
        The lightness of a picture.
    pips : ndarray of float64, shape (P, 3)
        x, y and diameter in pixels of *light*.
    ways : ndarray of float64, shape (2 * W, 2)
        Unit vectors, the second half against the first.
    radii : ndarray of float64
        How far from its middle, in its diameters, the edge of a pip is looked for.

    Returns
    -------
    ndarray of float64, shape (W,)
        Sums over the pips of the slope, by Sobel's operator, where it is steepest along each way.
    """
    half = len(ways) // 2
    steep = np.zeros(half)
    for p in range(len(pips)):
        x, y, diameter = pips[p, 0], pips[p, 1], pips[p, 2]
        for way in range(2 * half):
            cos, sin = ways[way, 0], ways[way, 1]
            most = 0.0
            for k in range(len(radii)):
                reach = diameter * radii[k]
                most = max(most, abs(_slope(light, x + reach * cos, y + reach * sin, cos, sin)))
            steep[way % half] += most
    return steep


@part
def _slope(light: Array, x: float, y: float, cos: float, sin: float) -> float:
    """Return the slope at a place between pixels, one way."""
    rows, columns = light.shape
    x, y = min(max(x, 0.0), columns - 1.0), min(max(y, 0.0), rows - 1.0)
    left, top = min(int(x), columns - 2), min(int(y), rows - 2)
    right, down = x - left, y - top
    slope: float = (1 - down) * (1 - right) * _sobel(light, top, left, cos, sin)
    slope += (1 - down) * right * _sobel(light, top, left + 1, cos, sin)
    slope += down * (1 - right) * _sobel(light, top + 1, left, cos, sin)
    slope += down * right * _sobel(light, top + 1, left + 1, cos, sin)
    return slope


@part
def _sobel(light: Array, row: int, column: int, cos: float, sin: float) -> float:
    """Return the slope at one pixel one way, by Sobel's operator; the picture is mirrored at its edge."""
    rows, columns = light.shape
    above, below = abs(row - 1), min(row + 1, 2 * rows - 3 - row)
    left, right = abs(column - 1), min(column + 1, 2 * columns - 3 - column)
    a, b, c = np.int64(light[above, left]), np.int64(light[above, column]), np.int64(light[above, right])
    d, f = np.int64(light[row, left]), np.int64(light[row, right])
    g, h, i = np.int64(light[below, left]), np.int64(light[below, column]), np.int64(light[below, right])
    across, down = c - a + 2 * (f - d) + i - g, g - a + 2 * (h - b) + i - c
    slope: float = cos * across + sin * down
    return slope
