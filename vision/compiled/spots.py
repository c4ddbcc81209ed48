"""Round spots of a closeup at many grey levels: borders, their hulls and moments, and what is one spot at several."""

from __future__ import annotations

from math import hypot, pi, sqrt

import numpy as np

from vision.compiled import Array, compiled, part
from vision.types import Doubles, Gray

SOLID = 0.75
"""Part of its hull that a spot must fill: a glint at its edge bites into a pip."""

LEAST_ROUND = 0.25
UNLIKE_ELLIPSE = 0.12
"""Short over long axis of a spot; by how much its area may differ from that of the ellipse with its moments."""

SAME_PLACE = 0.3
SAME_SIZE = 1.6
"""Spots of two levels are one where they are nearer than so much of a diameter, and not so many times as large."""

FOUND = 5
"""Numbers that are kept of a spot: x, y, diameter, roundness, whether it is dark."""

_DX = np.array([1, 1, 0, -1, -1, -1, 0, 1], np.int64)
_DY = np.array([0, -1, -1, -1, 0, 1, 1, 1], np.int64)


@compiled("u1[:,::1](u1[:,::1],u1[:,::1],f8)")
def spread(gray: Gray, mask: Gray, least: float) -> Gray:
    """Return *gray* spread over the whole range as it is used where *mask* is not 0; elsewhere it becomes the median.

    Parameters
    ----------
    gray, mask : ndarray of uint8, shape (M, N)
    least : float
        Grey levels that it is taken to use, at least.

    Returns
    -------
    ndarray of uint8, shape (M, N)
        One in two hundred is darker than black, and lighter than white.
    """
    rows, columns = gray.shape
    histogram = np.zeros(256, np.int64)
    count = 0
    for row in range(rows):
        for column in range(columns):
            if mask[row, column]:
                histogram[gray[row, column]] += 1
                count += 1
    low = middle = high = -1
    below = 0
    for level in range(256):
        below += histogram[level]
        low = level if low < 0 and below >= 0.005 * count else low
        middle = level if middle < 0 and below >= 0.5 * count else middle
        high = level if high < 0 and below >= 0.995 * count else high
    levels = np.empty(256, np.uint8)
    for level in range(256):
        levels[level] = round(255 * min(max((level - low) / max(high - low, least), 0.0), 1.0))
    out = np.empty((rows, columns), np.uint8)
    for row in range(rows):
        for column in range(columns):
            out[row, column] = levels[gray[row, column]] if mask[row, column] else levels[middle]
    return out


@compiled("f8[:,::1](u1[:,::1],i8,f8,f8,i8)")
def round_spots(gray: Gray, cuts: int, low: float, high: float, least: int) -> Doubles:
    """Return the round spots of *gray*, each once.

    Parameters
    ----------
    gray : ndarray of uint8, shape (M, N)
    cuts : int
        At how many grey levels it is cut.
    low, high : float
        Smallest and largest diameter in pixels.
    least : int
        At so many levels, at least, a spot must be seen.

    Returns
    -------
    ndarray of float64, shape (K, 6)
        x, y, diameter, roundness; 1 where it is darker than what lies around; at how many levels it is seen.

    Notes
    -----
    Borders are followed as `cv2.findContours` does (Suzuki and Abe, Topological structural analysis of digitized binary
    images by border following, 1985). The moments are those of their convex hulls.
    """
    room = 256
    while True:
        spots = np.empty((room, FOUND))
        count = _at_all_levels(gray, cuts, low, high, spots)
        if count < room:  # the last place is written to by what is none
            return _each_once(spots, count, least)
        room = 2 * count


@part
def _at_all_levels(gray: Array, cuts: int, low: float, high: float, spots: Array) -> int:
    """Fill *spots* with what is round at each level, and return how many there are, if there be room or not."""
    rows, columns = gray.shape
    # Whole words in each row, and a frame of nothing.
    wide = (columns + 2 + 7) // 8 * 8
    image = np.zeros((rows + 2) * wide, np.int8)
    picture = image.reshape(rows + 2, wide)
    owner = np.zeros((rows + 2) * wide, np.int32)
    edge = np.empty((rows + 2, 2), np.int64)
    for row in range(rows + 2):
        edge[row, 0], edge[row, 1] = wide, -1
    hull = np.empty((2 * rows + 4, 2), np.int64)
    keys = np.empty((len(spots), 2), np.int64)
    steps = np.empty(8, np.int64)
    for way in range(8):
        steps[way] = _DY[way] * wide + _DX[way]
    count = 0
    for k in range(1, cuts + 1):
        level = np.uint8(k * 256 / (cuts + 1))
        for at in range(len(owner)):
            owner[at] = 0
        for row in range(rows):
            for column in range(columns):
                picture[row + 1, column + 1] = gray[row, column] > level
        first = count
        count = _spots_at(image, owner, edge, hull, steps, (low, high), spots, keys, first)
        if count <= len(spots):
            _in_order(spots, keys, first, count)
    return count


@part
def _spots_at(
    image: Array,
    owner: Array,
    edge: Array,
    hull: Array,
    steps: Array,
    diameters: tuple[float, float],
    spots: Array,
    keys: Array,
    count: int,
) -> int:
    """Add what is round in one picture of zeros and ones, which is marked in the course; return the new count."""
    wide = steps[6]
    words = image.view(np.int64)
    borders = 0
    for row in range(1, len(image) // wide - 1):
        at, end = row * wide, (row + 1) * wide
        before = 0
        while at < end:
            if at % 8 == 0 and (
                (before == 0 and words[at >> 3] == 0) or (before == 1 and words[at >> 3] == 0x0101010101010101)
            ):
                at += 8
                continue
            here = image[at]
            if (here == 1 and before == 0) or (here == 0 and before >= 1):
                borders += 1
                count = _border(image, owner, edge, hull, steps, at, borders, diameters, spots, keys, count)
                here = image[at]
            before = here
            at += 1
    return count


@part
def _border(
    image: Array,
    owner: Array,
    edge: Array,
    hull: Array,
    steps: Array,
    at: int,
    number: int,
    diameters: tuple[float, float],
    spots: Array,
    keys: Array,
    count: int,
) -> int:
    """Follow the border that begins at a pixel or, where that is nothing, before it; add the spot that it may be."""
    low, high = diameters
    is_hole = image[at] == 0
    start = at - 1 if is_hole else at
    own = number
    if is_hole:
        # Of the same piece, whose outer border was followed before: to the left there is some border.
        left = start
        while owner[left] == 0:
            left -= 1
        own = owner[left]
    length, area, top, bottom = _follow(image, owner, edge, steps, start, is_hole, own)
    fits = 2 * low < length < 4.5 * high and 0.6 * low * low < area < 0.9 * high * high
    if fits and area >= 0.035 * length * length:
        into = min(count, len(spots) - 1)
        if _ellipse(edge, hull, top, bottom, area, is_hole, diameters, spots, into):
            keys[into, 0], keys[into, 1] = own, number
            count += 1
    for line in range(top, bottom + 1):
        edge[line, 0], edge[line, 1] = steps[6], -1
    return count


@part
def _follow(
    image: Array, owner: Array, edge: Array, steps: Array, start: int, is_hole: bool, own: int
) -> tuple[int, float, int, int]:
    """Mark one border; return how many pixels it has, the area within it, and its first and last row.

    *edge* becomes its leftmost and its rightmost pixel in each row.
    """
    wide = steps[6]
    x, y = start % wide, start // wide
    top = bottom = y
    edge[y, 0] = edge[y, 1] = x
    owner[start] = own
    way = last = 0 if is_hole else 4
    while True:
        way = (way - 1) & 7
        first = start + steps[way]
        if image[first] != 0 or way == last:
            break
    if image[first] == 0:
        image[start] = -2
        return 1, 0.0, top, bottom
    at, length, double = start, 0, 0
    while True:
        last = way
        way += 1
        while image[at + steps[way & 7]] == 0:
            way += 1
        way &= 7
        after = at + steps[way]
        # Marked otherwise where what lies to its right is not of the piece: no second border begins there.
        if 0 <= way - 1 < last:
            image[at] = -2
        elif image[at] == 1:
            image[at] = 2
        length += 1
        owner[at] = own
        edge[y, 0], edge[y, 1] = min(edge[y, 0], x), max(edge[y, 1], x)
        top, bottom = min(top, y), max(bottom, y)
        next_x, next_y = x + _DX[way], y + _DY[way]
        double += x * next_y - next_x * y
        if after == start and at == first:
            return length, abs(double) / 2, top, bottom
        at, x, y = after, next_x, next_y
        way = (way + 4) & 7


@part
def _ellipse(
    edge: Array,
    hull: Array,
    top: int,
    bottom: int,
    area: float,
    is_dark: bool,
    diameters: tuple[float, float],
    spots: Array,
    at: int,
) -> bool:
    """Put the ellipse with the moments of the hull of one border into *spots*; return whether it is an ellipse."""
    size = 0
    for row in range(top, bottom + 1):
        size = _added(hull, 0, size, edge[row, 0], row)
    turn = size - 1
    for row in range(bottom, top - 1, -1):
        if row < bottom or edge[row, 1] != edge[row, 0]:
            size = _added(hull, turn, size, edge[row, 1], row)
    total = mx = my = xx = xy = yy = 0
    u, v = hull[size - 1, 0], hull[size - 1, 1]
    for k in range(size):
        x, y = hull[k, 0], hull[k, 1]
        cross = u * y - x * v
        total += cross
        mx += cross * (u + x)
        my += cross * (v + y)
        xx += cross * (u * (u + x) + x * x)
        xy += cross * (u * (y + v + v) + x * (v + y + y))
        yy += cross * (v * (v + y) + y * y)
        u, v = x, y
    if total == 0:
        return False
    around = abs(total) / 2
    middle_x, middle_y = mx / (3 * total), my / (3 * total)
    a = xx / (6 * total) - middle_x * middle_x
    b = xy / (12 * total) - middle_x * middle_y
    c = yy / (6 * total) - middle_y * middle_y
    middle, spread = (a + c) / 2, hypot((a - c) / 2, b)
    minor, major = 2 * sqrt(max(middle - spread, 0.0)), 2 * sqrt(middle + spread)
    # A border runs through the outermost pixels of the light side: half a pixel outside a dark spot,
    # half a pixel inside a light one.
    diameter = 2 * sqrt(minor * major) + (-1.0 if is_dark else 1.0)
    spots[at, 0], spots[at, 1], spots[at, 2] = middle_x - 1, middle_y - 1, diameter
    spots[at, 3], spots[at, 4] = minor / major, is_dark
    if area < SOLID * around or minor < LEAST_ROUND * major or not diameters[0] <= diameter <= diameters[1]:
        return False
    return abs(pi * minor * major / around - 1) <= UNLIKE_ELLIPSE


@part
def _added(hull: Array, first: int, size: int, x: int, y: int) -> int:
    """Add the next point of a chain that begins with *first* of the *hull*, without those that it makes no corners."""
    while size - first >= 2:
        ax, ay, bx, by = hull[size - 2, 0], hull[size - 2, 1], hull[size - 1, 0], hull[size - 1, 1]
        if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0:
            break
        size -= 1
    hull[size, 0], hull[size, 1] = x, y
    return size + 1


@part
def _in_order(spots: Array, keys: Array, first: int, count: int) -> None:
    """Sort the spots of one level as OpenCV lists its contours: by their pieces from the last, then from the last."""
    for k in range(first + 1, count):
        for at in range(k, first, -1):
            owner, other = keys[at, 0], keys[at - 1, 0]
            if owner < other or (owner == other and keys[at, 1] < keys[at - 1, 1]):
                break
            for column in range(2):
                keys[at, column], keys[at - 1, column] = keys[at - 1, column], keys[at, column]
            for column in range(FOUND):
                spots[at, column], spots[at - 1, column] = spots[at - 1, column], spots[at, column]


@part
def _each_once(spots: Array, count: int, least: int) -> Array:
    """Join what is the same spot at several levels, and drop the weaker of two concentric ones."""
    group = np.empty(count, np.int64)
    seed, size = np.empty(count, np.int64), np.zeros(count, np.int64)
    groups = most = 0
    for k in range(count):
        own = 0
        while own < groups and not _is_same(spots, k, seed[own]):
            own += 1
        if own == groups:
            seed[groups] = k
            groups += 1
        group[k] = own
        size[own] += 1
        most = max(most, size[own])
    kept = np.empty((groups, FOUND + 1))
    column = np.empty(most)
    number = 0
    for dark in range(2):
        first = number
        for levels in range(most, least - 1, -1):
            for g in range(groups):
                if size[g] == levels and spots[seed[g], 4] == dark:
                    for k in range(FOUND):
                        kept[number, k] = _middle(spots, count, group, g, k, column)
                    kept[number, FOUND] = levels
                    if not _is_echo(kept, first, number):
                        number += 1
    return kept[:number]


@part
def _is_same(spots: Array, k: int, seed: int) -> bool:
    """Return whether spot *k* is that which the spot *seed* is, at another level."""
    reach = SAME_PLACE * spots[seed, 2]
    across, down = spots[k, 0] - spots[seed, 0], spots[k, 1] - spots[seed, 1]
    # Most are far: that is seen across already.
    if not -reach < across < reach or spots[k, 4] != spots[seed, 4]:
        return False
    ratio: float = spots[k, 2] / spots[seed, 2]
    return hypot(across, down) < reach and 1 / SAME_SIZE < ratio < SAME_SIZE


@part
def _middle(spots: Array, count: int, group: Array, own: int, of: int, column: Array) -> float:
    """Return the (upper) median of what stands in one column of the spots of one group."""
    size = 0
    for k in range(count):
        if group[k] == own:
            at = size
            while at > 0 and column[at - 1] > spots[k, of]:
                column[at] = column[at - 1]
                at -= 1
            column[at] = spots[k, of]
            size += 1
    middle: float = column[size // 2]
    return middle


@part
def _is_echo(kept: Array, first: int, number: int) -> bool:
    """Return whether the spot with this *number* is one with another from *first* on: `vision.pips.is_echo`."""
    x, y, diameter = kept[number, 0], kept[number, 1], kept[number, 2]
    for k in range(first, number):
        other = kept[k, 2]
        near = hypot(x - kept[k, 0], y - kept[k, 1]) <= 0.35 * min(diameter, other)
        if near and 0.4 < diameter / other < 2.5:
            return True
    return False
