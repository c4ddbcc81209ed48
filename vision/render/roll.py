"""A throw in motion: dice that come in over the front edge, meet the backstop, tumble, and end as they landed."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np

from vision.render.camera import Doubles, unit
from vision.render.pose import RenderedDie, turn
from vision.render.throw import gap_mm
from vision.render.tray import TRAY, TrayShape

_TRIES = 12
_SHUTTER = 0.35
_ENTRY_MM = 70.0
_ENTRY_HIGH_MM = 60.0
_HOPS = ((0.24, 0.50, 16.0), (0.50, 0.66, 6.0), (0.66, 0.76, 2.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Flight:
    """The way of one die: a line to the backstop and one from there, the turns on either, and when."""

    landed: RenderedDie
    stops: tuple[Doubles, ...]
    axes: tuple[Doubles, ...]
    starts: float
    rests: float
    shape: TrayShape

    def at(self, time: float) -> RenderedDie:
        """Return the die at *time*, 0 at the first frame and 1 at the last."""
        share = min(1.0, max(0.0, (time - self.starts) / (self.rests - self.starts)))
        if share >= 1:
            return self.landed
        place, rotation = self._rolled((1 - share) ** 2)
        pose = self.landed.turned_to(rotation)
        x, y = self._kept_in(pose, place)
        return replace(pose, x_mm=x, y_mm=y, lift_mm=self.landed.lift_mm + self._high(share))

    def _rolled(self, left: float) -> tuple[Doubles, Doubles]:
        """Return place and rotation when *left* of the way, 0 to 1, is still to go."""
        legs = [end - start for start, end in pairwise(self.stops)]
        to_go = left * sum(float(np.linalg.norm(leg)) for leg in legs)
        place, rotation = self.stops[-1], self.landed.rotation
        for leg, axis in zip(reversed(legs), reversed(self.axes), strict=True):
            length = float(np.linalg.norm(leg))
            step = min(to_go, length)
            quarters = step / (0.9 * self.landed.size_mm)
            if place is self.stops[-1] and quarters < 1:
                quarters = math.sqrt(quarters)
            rotation = turn(axis, -90 * quarters) @ rotation
            place = place - leg / length * step
            to_go -= step
        return place, rotation

    def _high(self, share: float) -> float:
        """Return how high the die flies above where it lands."""
        first = _HOPS[0][0]
        if not self.shape.holds(self.landed.x_mm, self.landed.y_mm):
            return (_ENTRY_HIGH_MM + 15) * (1 - share**3)
        if share < first:
            return _ENTRY_HIGH_MM * (1 - (share / first) ** 2)
        for begin, end, top in _HOPS:
            if begin <= share < end:
                way = (share - begin) / (end - begin)
                return 4 * top * way * (1 - way)
        return 0.0

    def _kept_in(self, pose: RenderedDie, place: Doubles) -> tuple[float, float]:
        """Return *place* moved so that no wall the die is behind is cut."""
        wide, deep = self.shape.floor
        x, y = float(place[0]), float(place[1])
        if not self.shape.holds(self.landed.x_mm, self.landed.y_mm) or y > deep:
            return x, y
        x = min(max(x, pose.reach_mm((-1, 0, 0))), wide - pose.reach_mm((1, 0, 0)))
        return x, min(max(y, pose.reach_mm((0, -1, 0))), deep)


def roll(
    rng: random.Random, landed: Sequence[RenderedDie], frames: int, *, shape: TrayShape = TRAY
) -> tuple[tuple[RenderedDie, ...], ...]:
    """Return *frames* pictures' worth of dice, from the hand at the front edge to *landed*, exactly.

    A die that moves carries the blur of its motion. Dice keep out of one another's way as far as a few attempts find
    such ways; the last frame is always *landed* itself.

    Parameters
    ----------
    rng
        Source of chance for the ways the dice take.
    landed
        Where they come to rest.
    frames
        How many moments, at least 2; some 30 make a second.
    shape
        The tray.

    Examples
    --------
    >>> import random
    >>> landed = (RenderedDie(90, 100, 20, 4), RenderedDie(180, 70, 55, 1))
    >>> film = roll(random.Random(5), landed, 30)
    >>> len(film), film[-1] == landed, film[8][0].moves
    (30, True, True)
    """
    if frames < 2:
        raise ValueError(f"a roll needs 2 frames or more, not {frames}")
    attempts = ([_flight(rng, die, shape) for die in landed] for _ in range(_TRIES))
    best: tuple[float, tuple[tuple[RenderedDie, ...], ...]] = (-math.inf, ())
    for flights in attempts:
        film = tuple(tuple(_blurred(way, step, frames) for way in flights) for step in range(frames - 1))
        tightest = min((_tightest(dice) for dice in film), default=0.0)
        if tightest > best[0]:
            best = tightest, film
        if tightest >= -0.5:
            break
    return (*best[1], tuple(landed))


def _flight(rng: random.Random, die: RenderedDie, shape: TrayShape) -> _Flight:
    """Return a way by chance that ends at *die*."""
    wide, deep = shape.floor
    end = np.array([die.x_mm, die.y_mm, 0.0])
    start = np.array([rng.uniform(0.25, 0.75) * wide, deep + _ENTRY_MM, 0.0])
    stops: tuple[Doubles, ...] = (start, end)
    if shape.holds(die.x_mm, die.y_mm):
        backstop = np.array([0.4 * start[0] + 0.6 * die.x_mm + rng.uniform(-50, 50), 0.8 * die.size_mm, 0.0])
        backstop[0] = min(max(backstop[0], die.size_mm), wide - die.size_mm)
        stops = (start, backstop, end)
    axes = tuple(_axis(rng, after - before) for before, after in pairwise(stops))
    return _Flight(die, stops, axes, rng.uniform(0, 0.12), rng.uniform(0.78, 0.94), shape)


def _axis(rng: random.Random, way: Doubles) -> Doubles:
    """Return the axis about which a die turns that rolls along *way*, not quite true."""
    rolling = unit(np.array([-way[1], way[0], 0.0]))
    return unit(rolling + np.array([rng.gauss(0, 0.15), rng.gauss(0, 0.15), rng.gauss(0, 0.3)]))


def _blurred(way: _Flight, step: int, frames: int) -> RenderedDie:
    """Return the die at frame *step* of *frames* with the motion it makes while the shutter is open."""
    now, soon = way.at(step / (frames - 1)), way.at((step + _SHUTTER) / (frames - 1))
    if now == soon:
        return now
    travel = soon.centre_mm - now.centre_mm
    turned = soon.rotation @ now.rotation.T
    angle = math.acos(min(1.0, max(-1.0, (float(np.trace(turned)) - 1) / 2)))
    spin = np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]])
    size = float(np.linalg.norm(spin))
    spin = spin / size * math.degrees(angle) if size > 1e-9 else np.zeros(3)
    return replace(now, travel_mm=_triple(travel), spin_deg=_triple(spin))


def _triple(vector: Doubles) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _tightest(dice: Sequence[RenderedDie]) -> float:
    """Return the narrowest gap between any two of *dice*, in millimetres; negative when they cut each other."""
    gaps = [0.0]
    for one, two in combinations(dice, 2):
        if np.linalg.norm(one.centre_mm - two.centre_mm) < (one.size_mm + two.size_mm) * 0.87:
            gaps.append(gap_mm(one, two))
    return min(gaps)
