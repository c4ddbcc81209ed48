"""Throws for the rendered table: where dice come to rest, and the ways in which a throw goes wrong."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import combinations

import numpy as np

from vision.render.camera import Doubles
from vision.render.light import Box
from vision.render.pose import DICE, RenderedDie
from vision.render.tray import SIDES, TRAY, TrayShape

_TRIES = 60
_TRIES_A_DIE = 40
_CLEAR_MM = 2.0
_ASKEW_DEG = 25.0

STEEP_DEG = (17.0, 40.0)
SLIGHT_DEG = (8.0, 17.0)
"""By how much dice lean: as friction 0.6 holds them, and as rubber, foam and felt do, whose friction is higher."""


class ThrowKind(StrEnum):
    """How a throw ends."""

    FLAT = "flat"
    TOUCHING = "touching"
    WALL = "wall"
    HEAP = "heap"
    COCKED = "cocked"
    COCKED_WALL = "cocked_wall"
    COCKED_DIE = "cocked_die"
    SLIGHT_WALL = "slight_wall"
    SLIGHT_DIE = "slight_die"
    STACKED = "stacked"
    OUTSIDE = "outside"
    RIM = "rim"
    MISSING = "missing"
    EXTRA = "extra"


def gap_mm(one: RenderedDie, two: RenderedDie) -> float:
    """Return the width of the widest gap between two dice that a plane fits into; negative when none does.

    Notes
    -----
    Separating axes of two boxes (Gottschalk, Lin, Manocha, SIGGRAPH 1996, 171-180), measured to the rounded skins.

    Examples
    --------
    >>> gap_mm(RenderedDie(100, 100, 0, 1), RenderedDie(120, 100, 0, 6))
    4.0
    """
    apart = two.centre_mm - one.centre_mm
    first, second = one.rotation.T, two.rotation.T
    crossed = np.cross(first[:, None, :], second[None, :, :]).reshape(9, 3)
    lengths = np.linalg.norm(crossed, axis=1)
    axes = np.concatenate([first, second, crossed[lengths > 1e-6] / lengths[lengths > 1e-6, None]])
    widest = -math.inf
    for axis in axes:
        widest = max(widest, abs(float(apart @ axis)) - one.reach_mm(axis) - two.reach_mm(axis))
    return widest


def in_tray(die: RenderedDie, shape: TrayShape = TRAY) -> bool:
    """Return whether *die* is within the walls as far as it reaches; touching them is within."""
    wide, deep = shape.floor
    rooms = (
        (die.x_mm, (-1, 0, 0)),
        (wide - die.x_mm, (1, 0, 0)),
        (die.y_mm, (0, -1, 0)),
        (deep - die.y_mm, (0, 1, 0)),
    )
    return all(room >= die.reach_mm(way) - 1e-6 for room, way in rooms)


@dataclass(frozen=True, slots=True)
class _Chance:
    """Where faces and places come from."""

    rng: random.Random
    pool: Sequence[RenderedDie]
    shape: TrayShape

    def die(self) -> RenderedDie:
        """Return a flat die, its middle anywhere on the floor."""
        wide, deep = self.shape.floor
        return replace(
            self.rng.choice(self.pool),
            x_mm=self.rng.uniform(0, wide),
            y_mm=self.rng.uniform(0, deep),
            yaw_deg=self.rng.uniform(0, 360),
            top=self.rng.randint(1, 6),
        )


def throw(
    rng: random.Random,
    dice: int = 2,
    kind: ThrowKind = ThrowKind.FLAT,
    *,
    sets: Sequence[str] = ("ivory",),
    pool: Sequence[RenderedDie] = (),
    shape: TrayShape = TRAY,
) -> tuple[RenderedDie, ...]:
    """Return dice at rest in the tray, their faces and places by chance.

    Parameters
    ----------
    rng
        Source of chance.
    dice
        How many dice the game expects; MISSING shows one fewer and EXTRA one more.
    kind
        How the throw ends; STACKED and TOUCHING need two dice. All the dice of a HEAP may touch, of the others only
        those that the kind is about.
    sets
        Names in `DICE`; every die is of one of them by chance.
    pool
        Dice to throw in their place, each as often as it is needed.
    shape
        The tray.

    Examples
    --------
    >>> import random
    >>> len(throw(random.Random(1))), len(throw(random.Random(1), kind=ThrowKind.EXTRA))
    (2, 3)
    """
    if kind in _GROUPS and dice < _GROUPS[kind][0]:
        raise ValueError(f"{kind} needs {_GROUPS[kind][0]} dice or more, not {dice}")
    count = dice + {ThrowKind.MISSING: -1, ThrowKind.EXTRA: 1}.get(kind, 0)
    chance = _Chance(rng, pool or [DICE[name] for name in sets], shape)
    room = shape.floor[0] * shape.floor[1] / (min(die.size_mm for die in chance.pool) + _CLEAR_MM) ** 2
    for _ in range(_TRIES if count < 0.5 * room else 0):
        placed = _GROUPS[kind][1](chance) if kind in _GROUPS else ()
        placed = _heaped(chance, count) if kind is ThrowKind.HEAP else _strewn(chance, placed, count)
        if len(placed) == count and _possible(placed, kind, shape):
            return tuple(rng.sample(placed, count))
    raise ValueError(f"{count} dice do not fit into a tray of {shape.floor[0]:g} x {shape.floor[1]:g} mm")


def _strewn(chance: _Chance, placed: tuple[RenderedDie, ...], count: int) -> tuple[RenderedDie, ...]:
    """Return *placed* and flat dice, clear of one another, until they are *count* or do not fit."""
    for _ in range(_TRIES_A_DIE * count):
        if len(placed) >= count:
            break
        new = chance.die()
        if in_tray(new, chance.shape) and all(_clear_of(new, old) for old in placed):
            placed = (*placed, new)
    return placed


def _heaped(chance: _Chance, count: int) -> tuple[RenderedDie, ...]:
    """Return flat dice in clumps, about half of them touching another, until they are *count* or do not fit."""
    placed: tuple[RenderedDie, ...] = ()
    for _ in range(_TRIES_A_DIE * count):
        if len(placed) >= count:
            break
        new = chance.die()
        if placed and chance.rng.random() < 0.6:
            new = _put_beside(chance.rng, chance.rng.choice(placed), new)
        if in_tray(new, chance.shape) and all(_clear_of(new, old, -1e-6) for old in placed):
            placed = (*placed, new)
    return placed


def _clear_of(new: RenderedDie, old: RenderedDie, gap: float = _CLEAR_MM) -> bool:
    far = math.hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm) > (new.size_mm + old.size_mm) * 0.75 + _CLEAR_MM
    return far or gap_mm(new, old) >= gap


def _possible(dice: Sequence[RenderedDie], kind: ThrowKind, shape: TrayShape) -> bool:
    inside = sum(in_tray(die, shape) for die in dice)
    apart = all(gap_mm(one, two) > -1e-6 for one, two in combinations(dice, 2))
    return apart and inside == len(dice) - (kind in (ThrowKind.OUTSIDE, ThrowKind.RIM))


def _cocked(chance: _Chance) -> tuple[RenderedDie, ...]:
    """Return a die that leans against a wall, or one that leans against another."""
    return chance.rng.choice((_against_wall, _against_die))(chance)


def _lean(rng: random.Random, die: RenderedDie, way: Doubles, tilts_deg: tuple[float, float]) -> RenderedDie:
    """Return *die* with an edge on the floor, its side towards *way* up by the least to the most of *tilts_deg*.

    Every other one stands askew, so that a corner and not an edge leans.
    """
    towards = math.degrees(math.atan2(way[1], way[0])) + rng.choice((0.0, rng.uniform(-_ASKEW_DEG, _ASKEW_DEG)))
    return replace(
        die,
        yaw_deg=towards + 90 * rng.randrange(4),
        tilt_deg=rng.uniform(*tilts_deg),
        tilt_axis_deg=towards - 90,
    )


def _a_wall(chance: _Chance) -> tuple[Doubles, Callable[[RenderedDie], RenderedDie]]:
    """Return the way to one of the four walls, and what pushes a die against it."""
    side = chance.rng.choice(SIDES)
    way = {"back": (0.0, -1.0, 0.0), "right": (1.0, 0.0, 0.0), "front": (0.0, 1.0, 0.0), "left": (-1.0, 0.0, 0.0)}[side]
    wide, deep = chance.shape.floor

    def push(die: RenderedDie) -> RenderedDie:
        reach = die.reach_mm(way)
        match side:
            case "back":
                return replace(die, y_mm=reach)
            case "right":
                return replace(die, x_mm=wide - reach)
            case "front":
                return replace(die, y_mm=deep - reach)
            case _:
                return replace(die, x_mm=reach)

    return np.array(way), push


def _against_wall(chance: _Chance, tilts_deg: tuple[float, float] = STEEP_DEG) -> tuple[RenderedDie, ...]:
    way, push = _a_wall(chance)
    return (push(_lean(chance.rng, chance.die(), way, tilts_deg)),)


def _at_wall(chance: _Chance) -> tuple[RenderedDie, ...]:
    """Return a flat die that touches a wall with a side or with an edge."""
    way, push = _a_wall(chance)
    die = chance.die()
    if chance.rng.random() < 0.5:
        die = replace(die, yaw_deg=math.degrees(math.atan2(way[1], way[0])) + 90 * chance.rng.randrange(4))
    return (push(die),)


def _side(rng: random.Random, die: RenderedDie) -> tuple[Doubles, Doubles]:
    """Return the outward direction of one of the four sides of a flat *die*, and the level direction along it."""
    angle = math.radians(die.yaw_deg + 90 * rng.randrange(4))
    out = np.array([math.cos(angle), math.sin(angle), 0.0])
    return out, np.array([-out[1], out[0], 0.0])


def _against_die(chance: _Chance, tilts_deg: tuple[float, float] = STEEP_DEG) -> tuple[RenderedDie, ...]:
    rng, support, die = chance.rng, chance.die(), chance.die()
    out, along = _side(rng, support)
    least, most = tilts_deg
    steepest = math.degrees(math.asin(min(math.sin(math.radians(most)), 0.85 * support.size_mm / die.size_mm)))
    leaning = _lean(rng, die, -out, (least, steepest))
    slide = rng.uniform(-0.4, 0.4) * support.size_mm - _foremost(leaning, -out, along)
    return support, _beside(support, leaning, out, along * slide)


def _foremost(die: RenderedDie, way: Doubles, along: Doubles) -> float:
    """Return how far *along* the part of *die* is that reaches farthest in *way*: 0 when it is a whole side."""
    corners = Box(np.zeros(3), die.rotation.T, np.full(3, die.size_mm / 2)).corners_mm
    reaches = corners @ way
    return float((corners[reaches > reaches.max() - 1e-3 * die.size_mm] @ along).mean())


def _beside(support: RenderedDie, die: RenderedDie, out: Doubles, slide: Doubles) -> RenderedDie:
    """Return *die* moved until it touches the side of *support* that looks *out*."""
    x, y, _ = support.centre_mm + out * (support.reach_mm(out) + die.reach_mm(-out)) + slide
    return replace(die, x_mm=float(x), y_mm=float(y))


def _touching(chance: _Chance) -> tuple[RenderedDie, ...]:
    """Return two flat dice, side at side or a corner of one at a side of the other."""
    support = chance.die()
    return support, _put_beside(chance.rng, support, chance.die())


def _put_beside(rng: random.Random, support: RenderedDie, die: RenderedDie) -> RenderedDie:
    out, along = _side(rng, support)
    if rng.random() < 0.5:
        die = replace(die, yaw_deg=support.yaw_deg + 90 * rng.randrange(4))
    slide = rng.uniform(-0.4, 0.4) * support.size_mm - _foremost(die, -out, along)
    return _beside(support, die, out, along * slide)


def _stacked(chance: _Chance) -> tuple[RenderedDie, ...]:
    """Return a die that lies on another, its middle well above it."""
    rng, support, die = chance.rng, chance.die(), chance.die()
    angle, far = rng.uniform(0, math.tau), rng.uniform(0, 0.32) * support.size_mm
    x, y = support.x_mm + far * math.cos(angle), support.y_mm + far * math.sin(angle)
    return support, replace(die, x_mm=x, y_mm=y, lift_mm=support.size_mm)


def _outside(chance: _Chance) -> tuple[RenderedDie, ...]:
    """Return a die on the table, left or right of the rim."""
    rng, shape, die = chance.rng, chance.shape, chance.die()
    wide, deep = shape.floor
    off = shape.rim_thick + die.reach_mm((1, 0, 0)) + rng.uniform(0.5, 5)
    x = -off if rng.random() < 0.5 else wide + off
    return (replace(die, x_mm=x, y_mm=rng.uniform(0.15, 0.85) * deep, lift_mm=-shape.foot),)


def _on_rim(chance: _Chance) -> tuple[RenderedDie, ...]:
    """Return a die that came to rest on top of a wall, clear of those that it meets: one may be higher."""
    rng, shape, die = chance.rng, chance.shape, chance.die()
    side = rng.choice(SIDES)
    (wide, deep), off = shape.floor, shape.rim_thick * rng.uniform(0.3, 0.6)
    across, along = die.reach_mm((1, 0, 0)), die.reach_mm((0, 1, 0))
    x, y = min(max(die.x_mm, across), wide - across), min(max(die.y_mm, along), deep - along)
    x, y = {"back": (x, -off), "right": (wide + off, y), "front": (x, deep + off), "left": (-off, y)}[side]
    return (replace(die, x_mm=x, y_mm=y, lift_mm=shape.high_at(side)),)


_Group = Callable[[_Chance], tuple[RenderedDie, ...]]

_GROUPS: dict[ThrowKind, tuple[int, _Group]] = {
    ThrowKind.COCKED: (1, _cocked),
    ThrowKind.COCKED_WALL: (1, _against_wall),
    ThrowKind.COCKED_DIE: (2, _against_die),
    ThrowKind.SLIGHT_WALL: (1, partial(_against_wall, tilts_deg=SLIGHT_DEG)),
    ThrowKind.SLIGHT_DIE: (2, partial(_against_die, tilts_deg=SLIGHT_DEG)),
    ThrowKind.WALL: (1, _at_wall),
    ThrowKind.RIM: (1, _on_rim),
    ThrowKind.TOUCHING: (2, _touching),
    ThrowKind.STACKED: (2, _stacked),
    ThrowKind.OUTSIDE: (1, _outside),
}
"""For the throws in which some dice lie in a particular way: how many these are at least, and what places them."""
