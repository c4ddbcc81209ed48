"""How well a floor with its rim explains the picture of a tray: where a camera sees it, and what is there.

A camera above a rectangle of that shape must see the four corners so; along the floor and along the rim above it there
must be edges; and felt lies inside and none outside. `find_tray` searches for the floor that does best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.find_tray.edges import SIDES, Lines
from vision.types import Doubles, Floats

USUAL, USUAL_SPREAD = np.array([475.0, 21.0, 12.0]), np.array([100.0, 6.0, 4.0])
"""Height of the camera, height and thickness of the rim where nothing tells them."""

WEIGHTS = np.array(
    [1.64, 2.64, 3.51, 2.7, 0.48, 2.04, 1.44, -1.33, -1.75, -0.47, -0.68, -5.87, -0.6, -0.91, -0.85, 0.19, -1.72]
)
"""What each of `measures_of` counts: a logistic regression that puts true floors before false ones, on 140 trays of
`vision.render` and 43 photorealistic ones (docs/calibration.md)."""

OUTWARD = np.array([-1.0, 1.0, 1.0, -1.0])
"""Which way along its axis each side leaves the floor: top, right, bottom, left."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The picture as it is searched.

    Attributes
    ----------
    level, upright
        Edges from left to right, and from top to bottom.
    foreign, alien
        Where no felt is, lenient and strict.
    floor
        How likely each pixel is the floor, by `vision.find_tray.witness`.
    tray_mm
        Width and depth of the floor.
    """

    level: Lines
    upright: Lines
    foreign: Floats
    alien: Floats
    floor: Floats
    tray_mm: tuple[float, float]

    @property
    def middle(self) -> Doubles:
        """Return the middle of the picture in pixels."""
        rows, columns = self.foreign.shape
        return np.array([(columns - 1) / 2, (rows - 1) / 2])

    def edges(self, side: int) -> Lines:
        """Return the edges among which *side* is."""
        return self.upright if side % 2 else self.level


def look(picture: Floats, places: Doubles) -> Doubles:
    """Return the pixels of *picture* at *places*, (..., 2) of x and y; outside it the nearest."""
    x, y = (np.clip(np.rint(places[..., k]), 0, picture.shape[1 - k] - 1).astype(int) for k in (0, 1))
    return np.asarray(picture[y, x], np.float64)


def trays_of(corners: Doubles, rest: Doubles) -> Doubles:
    """Return trays, (N, 11): their *corners*, (N, 4, 2), then the *rest*: heights of camera and rim, its thickness."""
    return np.column_stack([corners.reshape(-1, 8), np.broadcast_to(rest, (len(corners), 3))])


def corners_of(trays: Doubles) -> Doubles:
    """Return the corners of *trays*, (N, 4, 2)."""
    return trays[:, :8].reshape(-1, 4, 2)


def crossings(lines: Doubles, scene: Scene) -> Doubles:
    """Return the corners, (N, 4, 2), at which *lines*, (N, 4, 2 or more), of top, right, bottom and left meet."""
    x, y = scene.middle
    level, upright = lines[:, (0, 0, 2, 2)], lines[:, (3, 1, 1, 3)]
    across = upright[..., 0] - x + upright[..., 1] * (level[..., 0] - y)
    across = across / (1 - upright[..., 1] * level[..., 1])
    return np.stack([across + x, level[..., 0] + level[..., 1] * across], axis=2)


def sides_of(corners: Doubles, scene: Scene) -> Doubles:
    """Return the lines, (N, 4, 2) of row and slope, through *corners*, (N, 4, 2)."""
    lines = []
    for side, (start, end) in enumerate(SIDES):
        one, two = corners[:, start], corners[:, end]
        along, across = (1, 0) if side % 2 else (0, 1)
        slope = (two[:, across] - one[:, across]) / (two[:, along] - one[:, along])
        lines.append(np.stack([one[:, across] + slope * (scene.middle[along] - one[:, along]), slope], axis=1))
    return np.stack(lines, axis=1)


class Pose:
    """The cameras that see *trays*: columns of their matrices, millimetres of floor to pixels, and how well they fit.

    For an eye at a height, the length of the sides in the picture gives the focal length; the corners then leave two
    numbers that are 0 for a real rectangle: its shape and the right angle between its sides.
    """

    def __init__(self, trays: Doubles, scene: Scene) -> None:
        corners = corners_of(trays)
        lengths = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).sum(axis=1)
        self.focal = lengths / (2 * sum(scene.tray_mm)) * trays[:, 8]
        self.middle = scene.middle
        x, y = np.moveaxis((corners - self.middle) / self.focal[:, None, None], 2, 0)
        (ax, bx), (ay, by) = ((p[:, 1] - p[:, 2], p[:, 3] - p[:, 2]) for p in (x, y))
        cx, cy = (p[:, 0] - p[:, 1] + p[:, 2] - p[:, 3] for p in (x, y))
        spread = ax * by - bx * ay
        g, h = (cx * by - bx * cy) / spread, (ax * cy - cx * ay) / spread
        self.right = (
            np.stack([x[:, 1] - x[:, 0] + g * x[:, 1], y[:, 1] - y[:, 0] + g * y[:, 1], g], 1) / scene.tray_mm[0]
        )
        self.front = (
            np.stack([x[:, 3] - x[:, 0] + h * x[:, 3], y[:, 3] - y[:, 0] + h * y[:, 3], h], 1) / scene.tray_mm[1]
        )
        self.origin = np.stack([x[:, 0], y[:, 0], np.ones(len(x))], axis=1)
        one, two = np.linalg.norm(self.right, axis=1), np.linalg.norm(self.front, axis=1)
        self.up = -np.cross(self.right, self.front) / np.sqrt(one * two)[:, None]
        self.tilt_deg = np.degrees(np.arccos(np.clip(-self.up[:, 2] / np.linalg.norm(self.up, axis=1), -1, 1)))
        skew = (self.right * self.front).sum(axis=1) / (one * two)
        self.misfit = (np.log(one / two) / 0.012) ** 2 + (skew / 0.012) ** 2

    def project(self, mm: Doubles, high_mm: Doubles | float = 0.0) -> Doubles:
        """Return the pixels of the points *mm*, (N or 1, K, 2), *high_mm* above the floor."""
        x, y, high = mm[..., 0], mm[..., 1], np.reshape(high_mm, (-1, 1))
        # One axis after the other: numpy takes four times as long where the last one has but three places.
        right, front, origin, up = (way.T[..., None] for way in (self.right, self.front, self.origin, self.up))
        ahead, down, away = (x * right[k] + y * front[k] + origin[k] + high * up[k] for k in range(3))
        seen = np.empty((*away.shape, 2))
        for k, part in enumerate((ahead, down)):
            seen[..., k] = part / away * self.focal[:, None] + self.middle[k]
        return seen


def _around(tray_mm: tuple[float, float], outside_mm: Doubles) -> Doubles:
    """Return the corners of rectangles *outside_mm* larger than the floor on each side, (N, 4, 2)."""
    (wide, deep), out = tray_mm, outside_mm
    x, y = np.stack([-out, wide + out, wide + out, -out], 1), np.stack([-out, -out, deep + out, deep + out], 1)
    return np.stack([x, y], axis=2)


def strip(tray_mm: tuple[float, float], outside_mm: float) -> Doubles:
    """Return nine points along each side, *outside_mm* outside the floor, (1, 36, 2)."""
    corners = _around(tray_mm, np.array([outside_mm]))[0]
    share = np.linspace(0.06, 0.94, 9)[:, None]
    return np.concatenate([corners[a] + share * (corners[b] - corners[a]) for a, b in SIDES])[None]


def score(trays: Doubles, scene: Scene) -> Doubles:
    """Return how well each of *trays* explains the picture."""
    return np.asarray(measures_of(trays, scene) @ WEIGHTS)


def measures_of(trays: Doubles, scene: Scene) -> Doubles:
    """Return what speaks for and against each of *trays*, in the order of `WEIGHTS`.

    The side with the backstop has no low rim: on the side that shows it worst, nothing is asked for.
    """
    pose = Pose(trays, scene)
    floor = sides_of(corners_of(trays), scene)
    rim, edge = (
        sides_of(pose.project(_around(scene.tray_mm, thick), trays[:, 9]), scene)
        for thick in (np.zeros(len(trays)), trays[:, 10])
    )
    seen, seen_rim, seen_edge = (_seen(lines, scene, "sharp") for lines in (floor, rim, edge))
    rim_colour = _mean_along(scene.alien, pose, strip(scene.tray_mm, 6.0), trays[:, 9])
    wall = _mean_along(scene.foreign, pose, strip(scene.tray_mm, 4.0))
    near, deep = (_mean_along(scene.foreign, pose, strip(scene.tray_mm, -mm)) for mm in (3.0, 9.0))
    low = np.ones((len(trays), 4), bool)
    low[np.arange(len(trays)), (0.5 * seen_rim + 0.35 * seen_edge + 0.25 * rim_colour).argmin(axis=1)] = False
    weakest = [np.where(low, shown, np.inf).min(axis=1) for shown in (seen_rim, seen_edge, rim_colour, wall)]
    doubled = _doubled(floor, scene)
    inside, outside = (
        np.mean([_mean_along(scene.floor, pose, strip(scene.tray_mm, mm)) for mm in far], axis=0)
        for far in ((-2.0, -6.0), (2.0, 6.0))
    )
    measures = [
        seen.sum(axis=1),
        *weakest,
        (inside - outside).sum(axis=1),
        inside.min(axis=1),
        outside.max(axis=1),
        (near + deep).max(axis=1) / 2,
        np.minimum(doubled[:, 0], doubled[:, 2]) + np.minimum(doubled[:, 1], doubled[:, 3]),
        doubled.sum(axis=1),
        np.minimum(pose.misfit, 30),
        (pose.tilt_deg / 8) ** 2,
        np.maximum(0, pose.tilt_deg - 12),
        *(((trays[:, 8:] - USUAL) / USUAL_SPREAD) ** 2).T,
    ]
    return np.stack(measures, axis=1)


def _seen(lines: Doubles, scene: Scene, table: str) -> Doubles:
    """Return how clearly each side's line, (N, 4, 2), is an edge, (N, 4)."""
    return np.stack(
        [scene.edges(side).at(getattr(scene.edges(side), table), lines[:, side]) for side in range(4)], axis=1
    )


def _doubled(floor: Doubles, scene: Scene) -> Doubles:
    """Return the clearest edge along each side in the felt, (N, 4): a shadow, or the floor is smaller."""
    insets = np.stack([np.outer(-np.linspace(4, 34, 9), OUTWARD), np.zeros((9, 4))], axis=2)
    return np.asarray(np.max([_seen(floor + inset, scene, "ridge") for inset in insets], axis=0), np.float64)


def _mean_along(picture: Floats, pose: Pose, band: Doubles, high_mm: Doubles | float = 0.0) -> Doubles:
    """Return the mean of *picture* along each side of *band*, (N, 4)."""
    return np.asarray(look(picture, pose.project(band, high_mm)).reshape(len(pose.focal), 4, 9).mean(axis=2))
