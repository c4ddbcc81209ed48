"""Find the floor of the empty tray: four edges, the rim above them, and one camera that explains them all.

A tray shows many straight edges: its floor, the tops of its rim, shadows, the cloth below. Each side of the picture
offers some candidates; four of them make a floor only if a camera above a rectangle of that shape sees it so, if the
rim then stands where edges are, if felt lies inside and none outside, and a network that knows nothing of all that sees
the floor there. The best explanation wins when no other comes near it.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.find_tray.agreement import Found, agreed, enlarged, flattened, settled
from vision.find_tray.edges import SLOPES, lines_of, not_felt
from vision.find_tray.score import (
    OUTWARD,
    WEIGHTS,
    Pose,
    Scene,
    corners_of,
    crossings,
    look,
    measures_of,
    score,
    sides_of,
    trays_of,
)
from vision.find_tray.witness import floor_chances, tones_of
from vision.lens import plain_lens
from vision.types import Doubles, Floats, Frame, Point, as_uint8

WORK_WIDTH = 640
"""Longer side in pixels of the picture in which edges are sought."""

CANDIDATES = 30
CAMERA_MM = (330.0, 620.0)
RIM_HIGH_MM = (13.0, 30.0)
RIM_THICK_MM = (8.0, 17.0)
MAX_TILT_DEG = 13.0
APART = 6.0
"""Explanations that differ by fewer pixels at some corner are the same."""

BENDS = (0.0, -0.05, -0.1)
"""Distortions, in the unit of the picture's width, that are tried in turn: none, and barrels."""


def find_floor(empty: Frame, tray_mm: tuple[float, float]) -> tuple[Point, Point, Point, Point] | None:
    """Return the inside corners of the tray's floor, or None where another place is nearly as likely.

    Parameters
    ----------
    empty : ndarray of uint8, shape (M, N, 3)
        The tray without dice, from 35 to 60 cm above and at most 12 degrees from the vertical, around the middle
        of the picture.
    tray_mm : (float, float)
        Width and depth of the floor in millimetres, the first along the picture's top edge.

    Returns
    -------
    tuple of four (float, float) or None
        Pixels as in OpenCV, clockwise from the corner at the top left of the picture.
    """
    shrink = WORK_WIDTH / max(empty.shape[:2])
    small = as_uint8(cv2.resize(empty, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    floor = floor_chances(small)
    found: list[Found] = []
    for bend in BENDS:
        found.append(_find(small, floor, tray_mm, bend))
        exact = settled([enlarged(one.corners, shrink) for one in agreed(found)], empty, tray_mm)
        if exact is not None:
            a, b, c, d = ((float(x), float(y)) for x, y in exact)
            return a, b, c, d
    return None


def _find(small: Frame, floor: Floats, tray_mm: tuple[float, float], bend: float) -> Found:
    """Return the best explanation of the picture *small* as a lens of this *bend* would have shown it."""
    lens = plain_lens((small.shape[1], small.shape[0]), bend)
    flat = flattened(small, lens) if bend else small
    scene = _scene(flat, flattened(floor, lens) if bend else floor, tray_mm)
    trays = _search(scene)
    if trays is None:
        return Found(np.zeros((4, 2)), -np.inf, 0.0, 0.0)
    measures = measures_of(trays, scene)
    scores = measures @ WEIGHTS
    best = int(scores.argmax())
    others = np.abs(trays[:, :8] - trays[best, :8]).max(axis=1) > APART
    lead = float(scores[best] - scores[others].max(initial=-np.inf))
    return Found(lens.distort(corners_of(trays)[best]), float(scores[best]), float(measures[best, 1:3].min()), lead)


def _scene(small: Frame, floor: Floats, tray_mm: tuple[float, float]) -> Scene:
    """Return what is searched of the picture *small*, of which a network says where it has its *floor*."""
    tones = tones_of(small)
    foreign, alien = not_felt(tones)
    upright = lines_of(np.ascontiguousarray(tones.transpose(1, 0, 2)))
    return Scene(lines_of(tones), upright, foreign, alien, floor, tray_mm)


def _candidates(scene: Scene, side: int) -> Doubles:
    """Return the lines that may be *side* of the floor: row, slope and worth, shape (N, 3), the best first."""
    edges = scene.edges(side)
    rows = edges.wide.shape[1]
    low, high = (0.02, 0.44) if OUTWARD[side] < 0 else (0.56, 0.98)
    part = edges.wide[6:-6, int(low * rows) : int(high * rows)]
    peak = part >= cv2.dilate(part, np.ones((5, 3), np.uint8))
    slope, row = np.nonzero(peak | (part >= part.max(axis=0)))
    lines = np.stack([row + int(low * rows), SLOPES[slope + 6]], axis=1).astype(np.float64)
    worth = _worth(lines, scene, side)
    kept: list[int] = []
    for i in np.argsort(-worth):
        apart = np.abs(lines[kept] - lines[i]) * (1, 0.35 * edges.length) > (2.5, 6)
        if apart.any(axis=1).all():
            kept.append(int(i))
        if len(kept) == CANDIDATES:
            break
    return np.column_stack([lines[kept], worth[kept]])


def _worth(lines: Doubles, scene: Scene, side: int) -> Doubles:
    """Return how well each of *lines* does as *side* by itself: an edge, another outside it, felt inside."""
    edges, away = scene.edges(side), OUTWARD[side]
    beyond = lines[:, None] + np.stack([away * np.arange(2, 30), np.zeros(28)], axis=1)
    rim = edges.at(edges.wide, beyond).max(axis=1)
    along = np.linspace(0.2, 0.8, 13) * edges.length
    middle = lines[:, :1] + lines[:, 1:] * (along - (edges.length - 1) / 2)
    foreign = np.zeros(len(lines))
    for inside in (4, 12):
        places = np.stack([np.broadcast_to(along, middle.shape), middle - away * inside], axis=2)
        foreign += look(scene.foreign, places[..., ::-1] if side % 2 else places).mean(axis=1) / 2
    return np.asarray(edges.at(edges.wide, lines) + 0.5 * rim - 1.2 * foreign)


def _search(scene: Scene) -> Doubles | None:
    """Return the trays that explain the picture best, (N, 11): corners, height of camera, of rim, thickness of rim."""
    sides = [_candidates(scene, side) for side in range(4)]
    trays = _first(sides, scene)
    if not len(trays):
        return None
    chance = np.random.default_rng(0)
    trays = _climb(_distinct(trays, scene, 5, 40), scene, (4, 3, 2), 20, chance)
    for _ in range(2):
        trays = _distinct(_exchanged(_distinct(trays, scene, 3, 8), sides, scene), scene, 3, 16)
        trays = _climb(trays, scene, (2.5, 2, 1.5), 24, chance)
    rivals = _distinct(trays, scene, APART, 8)
    return np.concatenate([_climb(rivals, scene, (2, 1.5, 1.5, 1, 1, 0.7, 0.5), 40, chance), rivals])


def _first(sides: list[Doubles], scene: Scene) -> Doubles:
    """Return the trays that the candidates of the four *sides* make, the likeliest 8000."""
    columns, rows = scene.middle * 2 + 1
    top, bottom = _opposite(sides[0], sides[2], 0.35 * rows)
    left, right = _opposite(sides[3], sides[1], 0.4 * columns)
    wide = np.log(right[:, 0] - left[:, 0])
    deep = np.log((bottom[:, 0] - top[:, 0]) * scene.tray_mm[0] / scene.tray_mm[1])
    turn, lean = (top + bottom)[:, 1] / 2, (left + right)[:, 1] / 2
    fits = (np.abs(wide - deep[:, None]) < 0.05) & (np.abs(lean + turn[:, None]) < 0.035)
    i, j = np.nonzero(fits)
    worth = (top + bottom)[i, 2] + (left + right)[j, 2] - 0.1 * ((wide[j] - deep[i]) / 0.03) ** 2
    best = np.argsort(-worth)[:12000]
    i, j, worth = i[best], j[best], worth[best]
    corners = crossings(np.stack([top[i], right[j], bottom[i], left[j]], axis=1), scene)
    trays = np.concatenate([trays_of(corners, np.array([height, 20.0, 12.0])) for height in (400.0, 520.0)])
    worth = np.tile(worth, 2) - 0.2 * np.minimum(Pose(trays, scene).misfit, 60)
    trays = trays[np.argsort(-worth)[:4000]]
    return np.concatenate(
        [np.column_stack([trays[:, :9], np.full(len(trays), rim), trays[:, 10]]) for rim in (17.0, 22.0)]
    )


def _opposite(one: Doubles, other: Doubles, least: float) -> tuple[Doubles, Doubles]:
    """Return all pairs of lines at least *least* pixels apart that nearly run alike."""
    apart = other[None, :, 0] - one[:, None, 0] > least
    i, j = np.nonzero(apart & (np.abs(one[:, None, 1] - other[None, :, 1]) < 0.12))
    return one[i], other[j]


def _distinct(trays: Doubles, scene: Scene, apart: float, count: int) -> Doubles:
    """Return the best *count* of *trays* whose corners are *apart* pixels from those of every better one."""
    corners = trays[:, :8]
    kept: list[int] = []
    for i in np.argsort(-score(trays, scene)):
        if (np.abs(corners[kept] - corners[i]).max(axis=1, initial=0) > apart).all():
            kept.append(int(i))
        if len(kept) == count:
            break
    best: Doubles = trays[kept]
    return best


def _climb(trays: Doubles, scene: Scene, reach: tuple[float, ...], tries: int, chance: np.random.Generator) -> Doubles:
    """Return *trays*, each moved to the best of *tries* places within *reach* pixels, again and again."""
    for far in reach:
        shape = (len(trays), tries)
        moved = np.repeat(trays[:, None], tries + 1, axis=1)
        some = chance.random((*shape, 4, 1)) < 0.6
        moved[:, 1:, :8] += (chance.standard_normal((*shape, 4, 2)) * far * some).reshape(*shape, 8)
        moved[:, 1:, 8] *= np.exp(chance.standard_normal(shape) * 0.05)
        moved[:, 1:, 9:] += chance.standard_normal((*shape, 2)) * min(far, 2) * 0.7
        for column, limits in zip((8, 9, 10), (CAMERA_MM, RIM_HIGH_MM, RIM_THICK_MM), strict=True):
            moved[..., column] = np.clip(moved[..., column], *limits)
        best = score(moved.reshape(-1, 11), scene).reshape(len(trays), -1).argmax(axis=1)
        trays = moved[np.arange(len(trays)), best]
    return trays


def _exchanged(trays: Doubles, sides: list[Doubles], scene: Scene) -> Doubles:
    """Return *trays* and all that come from them by two other candidates for two opposite sides."""
    floor = sides_of(corners_of(trays), scene)
    made = [trays]
    for one, other in ((0, 2), (1, 3)):
        first, second = np.meshgrid(np.arange(min(22, len(sides[one]))), np.arange(min(22, len(sides[other]))))
        lines = np.repeat(floor[:, None], first.size, axis=1)
        lines[:, :, one] = sides[one][first.ravel(), :2]
        lines[:, :, other] = sides[other][second.ravel(), :2]
        near = (np.abs(lines - floor[:, None])[..., 0] < 45).all(axis=2)
        whose = np.nonzero(near)[0]
        made.append(np.column_stack([crossings(lines[near], scene).reshape(-1, 8), trays[whose, 8:]]))
    every = np.concatenate(made)
    pose = Pose(every, scene)
    fits = (pose.misfit < 12) & (pose.tilt_deg < MAX_TILT_DEG)
    fits[: len(trays)] = True
    fitting: Doubles = every[fits]
    return fitting
