"""The straight edges of a picture as `vision.find_tray` searches them, and the exact place of one that was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from vision.lens import Lens
from vision.types import Doubles, Floats, Frame

DARK = 12
"""Added to grey levels before the logarithm, so that noise in deep shadow is no contrast."""

SLOPES = np.linspace(-0.17, 0.17, 35)
SEGMENTS = 16
"""An edge counts by how many of its segments show it; the outer three at each end are left out."""

NOISE_STEPS = 3.0
"""A step this many times the felt's own texture counts half."""

LOUDEST_STEP = 0.35
"""Steps of the logarithm of light above this count as this: one bright speck is no edge."""

BESIDE, FAINTER = 6, 0.4
"""How many half pixels beside the clearest edge another may run, and which part of its clearness it must have."""

SIDES = ((0, 1), (1, 2), (3, 2), (0, 3))
"""Corners at the ends of the top, right, bottom and left side."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """How clearly an edge is seen along each line y = row + slope * (x - middle), shape (slopes, rows).

    *wide* forgives a line that is a pixel off, *sharp* and *ridge* belong to the very ridge; *length* is a line's, in
    pixels.
    """

    wide: Floats
    sharp: Floats
    ridge: Floats
    length: int

    def at(self, table: Floats, lines: Doubles) -> Doubles:
        """Return what *table* holds for *lines*, (..., 2) of row and slope; 0 outside."""
        slope = np.rint((lines[..., 1] - SLOPES[0]) / (SLOPES[1] - SLOPES[0]))
        row = np.rint(lines[..., 0])
        held = (slope >= 0) & (slope < len(SLOPES)) & (row >= 0) & (row < table.shape[1])
        where = np.where(held, slope, 0).astype(int), np.where(held, row, 0).astype(int)
        return np.asarray(np.where(held, table[where], 0), np.float64)


def lines_of(tones: Floats) -> Lines:
    """Return how clearly each nearly level line is an edge in *tones*, shape (M, N, 3)."""
    rows, columns = tones.shape[:2]
    blurred = cv2.GaussianBlur(tones, (0, 0), 1.3)
    step = np.zeros_like(tones)
    step[1:-1] = blurred[2:] - blurred[:-2]
    narrow = np.asarray(cv2.resize(step, (SEGMENTS * 4, rows), interpolation=cv2.INTER_AREA), np.float32)
    seen = np.stack([_sheared(narrow, slope * columns / narrow.shape[1]) for slope in SLOPES])
    texture = float(np.median(seen[:, int(0.3 * rows) : int(0.7 * rows), 4:12])) + 1e-4
    inner = seen[..., 3:-3]
    clear = (inner**2 / (inner**2 + (NOISE_STEPS * texture) ** 2)).mean(axis=2)
    clear = 0.7 * clear + 0.3 * np.minimum(1, clear / 0.85)
    strength = np.sqrt(np.minimum(inner, 20 * texture)).mean(axis=2)
    ridge = strength / (cv2.dilate(strength, np.ones((5, 7), np.uint8)) + 1e-9)
    sharp = cv2.dilate(clear * ridge, np.ones((1, 3), np.uint8))
    wide = cv2.dilate(clear, np.ones((1, 3), np.uint8))
    crest = cv2.dilate(clear * ridge**2, np.ones((3, 3), np.uint8))
    wide, sharp, crest = (np.asarray(table, np.float32) for table in (wide, sharp, crest))
    return Lines(wide, sharp, crest, columns)


def _sheared(step: Floats, slope: float) -> Floats:
    """Return the size of the mean of *step* over each segment of each line of *slope*, shape (rows, SEGMENTS)."""
    rows, columns = step.shape[:2]
    shear = np.array([[1, 0, 0], [slope, 1, -slope * (columns - 1) / 2]])
    moved = cv2.warpAffine(step, shear, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    # numpy takes ten times as long for a mean along the third of four axes.
    mean = np.asarray(cv2.resize(moved, (SEGMENTS, rows), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(np.sqrt((mean**2).sum(axis=2)), np.float32)


def not_felt(tones: Floats) -> tuple[Floats, Floats]:
    """Return how little each pixel has the colour of the middle of the picture, in shade or not: lenient, strict."""
    rows, columns = tones.shape[:2]
    soft = cv2.GaussianBlur(tones, (0, 0), 2)
    felt = soft[int(0.35 * rows) : int(0.65 * rows), int(0.35 * columns) : int(0.65 * columns)].reshape(-1, 3)
    hue = np.median(felt, axis=0)[1:]
    saturation = float(np.linalg.norm(hue))
    paler = np.clip(soft[..., 1:] @ hue / max(saturation**2, 1e-6), 0, 1.15)
    apart = np.linalg.norm(soft[..., 1:] - paler[..., None] * hue, axis=2)
    apart += np.maximum(0, soft[..., 0] - np.percentile(felt[:, 0], 95) - 0.5)
    texture = float(np.median(np.linalg.norm(felt[:, 1:] - hue, axis=1)))
    bounds = (2 * texture + 0.06 + share * saturation for share in (0.12, 0.03))
    lenient, strict = (np.asarray(apart**2 / (apart**2 + bound**2), np.float32) for bound in bounds)
    return lenient, strict


def refined(corners: Doubles, picture: Frame) -> Doubles:
    """Return *corners*, (4, 2), moved to where the edges of the floor meet in the whole *picture*, its lens not known.

    Each side is a parabola through the steepest places across it, and its tangents at the ends make the corners.
    """
    unit, tones = _prepared(picture)
    return _met([_tangents(tones, corners[a], corners[b], unit) for a, b in SIDES])


def refinements(corners: Doubles, picture: Frame, lens: Lens) -> Iterator[Doubles]:
    """Yield *corners*, (4, 2), moved to where edges meet in the whole *picture*, the clearest edges first.

    Beside the floor's edge others may run, of the rim or of a shadow: two edges of each side are tried in turn.
    """
    unit, tones = _prepared(picture)
    flat = lens.undistort(corners)
    sides = [_straight(tones, flat[a], flat[b], unit, lens) for a, b in SIDES]
    choices = sorted(product(*sides), key=lambda choice: -sum(edge.votes for edge in choice))
    for choice in choices:
        yield lens.distort(_met([edge.ends for edge in choice]))


def _prepared(picture: Frame) -> tuple[float, Floats]:
    """Return the pixels that are one of a picture 1280 wide, and the logarithm of *picture* a little smoothed."""
    unit = max(picture.shape[:2]) / 1280
    return unit, np.log(cv2.GaussianBlur(picture, (0, 0), max(unit, 0.5)).astype(np.float32) + DARK)


def _met(sides: Sequence[tuple[Doubles, Doubles]]) -> Doubles:
    """Return the corners, (4, 2), where *sides*, each a point and a direction at both ends, meet."""
    top, right, bottom, left = sides
    meeting = ((top[0], left[0]), (top[1], right[0]), (bottom[1], right[1]), (bottom[0], left[1]))
    return np.array([_meet(one, other) for one, other in meeting])


@dataclass(frozen=True, slots=True, eq=False)
class _Edge:
    """A straight edge: a point and a direction, (2, 2), at either end, and how clear it is."""

    ends: tuple[Doubles, Doubles]
    votes: float


def _straight(tones: Floats, start: Doubles, end: Doubles, unit: float, lens: Lens) -> list[_Edge]:
    """Return the clearest straight edge near the line from *start* to *end*, and the next beside it if there is one.

    Start and end are places of the flat picture. The lines along which the steps of light add up most win; then each is
    fitted to the middles of the steps beside it.
    """
    along = end - start
    across = np.array([-along[1], along[0]]) / np.linalg.norm(along)
    share, offset = np.linspace(0.04, 0.96, 120), np.arange(-8, 8.1, 0.5) * unit
    places = lens.distort(start + share[:, None, None] * along + offset[:, None] * across)
    steps, middles = _steps(tones, places), offset[3:-4] + 0.25 * unit
    count = steps.shape[1]
    ends = np.array([(i, j) for i in range(count) for j in range(count) if abs(i - j) <= 12])
    where = np.rint(ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * share).astype(int)
    votes = np.minimum(steps[np.arange(len(share)), where], LOUDEST_STEP).mean(axis=1)
    first = int(votes.argmax())
    apart = np.abs(ends - ends[first]).min(axis=1) >= BESIDE
    second = int(np.where(apart, votes, 0).argmax())
    picked = [first] if votes[second] < FAINTER * votes[first] or not apart.any() else [first, second]
    edges = []
    for pick in picked:
        line = _fitted(steps, middles, middles[ends[pick]], share, unit)
        one, other = start + line[0] * across, end + line[1] * across
        edges.append(_Edge((np.array([one, other - one]), np.array([other, other - one])), float(votes[pick])))
    return edges


def _fitted(steps: Floats, middles: Doubles, line: Doubles, share: Doubles, unit: float) -> Doubles:
    """Return *line*, its offsets at both ends, moved onto the middles of the *steps* beside it."""
    for width in (3.0, 1.8, 1.5):
        guess = line[0] + (line[1] - line[0]) * share
        near = np.where(np.abs(middles - guess[:, None]) < width * unit, steps, 0)
        place = (near @ middles) / np.maximum(near.sum(axis=1), 1e-6)
        trust = near.max(axis=1) / (1 + ((place - guess) / (width * unit)) ** 2)
        design = np.column_stack([1 - share, share]) * trust[:, None]
        line = np.linalg.lstsq(design, place * trust, rcond=None)[0]
    return line


def _steps(tones: Floats, places: Doubles) -> Floats:
    """Return how steep *tones* are across an edge at *places*, (along, across, 2): (along, across - 7)."""
    x, y = np.moveaxis(places.astype(np.float32), 2, 0)
    profile = cv2.remap(tones, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steep = np.linalg.norm(np.diff(cv2.blur(profile, (1, 5)), axis=1), axis=2)[:, 3:-3]
    return np.asarray(steep, np.float32)


def _tangents(tones: Floats, start: Doubles, end: Doubles, unit: float) -> tuple[Doubles, Doubles]:
    """Return a point and a direction, (2, 2), at either end of the edge near the line from *start* to *end*."""
    along = end - start
    across = np.array([-along[1], along[0]]) / np.linalg.norm(along)
    share, offset = np.linspace(0.04, 0.96, 70), np.arange(-8, 8.1, 0.5) * unit
    places = start + share[:, None, None] * along + offset[:, None] * across
    steps = _steps(tones, places)
    steepest = offset[3:-4][steps.argmax(axis=1)] + 0.25 * unit
    bend = _parabola(share, steepest, steps.max(axis=1), unit)
    points = [start + at * along + np.polyval(bend, at) * across for at in (0.0, 1.0)]
    ways = [along + np.polyval(np.polyder(bend), at) * across for at in (0.0, 1.0)]
    return np.array([points[0], ways[0]]), np.array([points[1], ways[1]])


def _parabola(share: Doubles, offset: Doubles, weight: Doubles, unit: float) -> Doubles:
    """Return the coefficients of the parabola through most of the places, all 0 where they are strewn."""
    bend = np.array([0.0, 0.0, float(np.median(offset))])
    for width in (3, 2, 1.5, 1, 1, 1):
        apart = (offset - np.polyval(bend, share)) / (width * unit)
        bend = np.polyfit(share, offset, 2, w=np.sqrt(weight) / (1 + apart**2))
    near = np.abs(offset - np.polyval(bend, share)) < 1.5 * unit
    return bend if near.mean() > 0.5 and abs(bend[0]) < 24 * unit else np.zeros(3)


def _meet(one: Doubles, other: Doubles) -> Doubles:
    """Return where two lines, each a point and a direction, cross."""
    share = np.linalg.solve(np.stack([one[1], -other[1]], axis=1), other[0] - one[0])
    return np.asarray(one[0] + share[0] * one[1])
