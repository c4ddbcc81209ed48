"""Throws for the rendered table: where dice come to rest, and the ways in which a throw goes wrong."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import numpy as np

from vision.render_camera import Doubles
from vision.render_light import Box
from vision.render_pose import DICE, RenderedDie
from vision.render_tray import TRAY, TrayShape

_TRIES = 60
_TRIES_A_DIE = 40
_CLEAR_MM = 2.0


class ThrowKind(StrEnum):
    """How a throw ends."""

    FLAT = "flat"
    TOUCHING = "touching"
    COCKED = "cocked"
    STACKED = "stacked"
    OUTSIDE = "outside"
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
    sets: Sequence[str]
    shape: TrayShape

    def die(self) -> RenderedDie:
        """Return a flat die, its middle anywhere on the floor."""
        wide, deep = self.shape.floor
        return replace(
            DICE[self.rng.choice(self.sets)],
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
        How the throw ends; STACKED and TOUCHING need two dice.
    sets
        Names in `DICE`; every die is of one of them by chance.
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
    chance = _Chance(rng, sets, shape)
    room = shape.floor[0] * shape.floor[1] / (min(DICE[name].size_mm for name in sets) + _CLEAR_MM) ** 2
    for _ in range(_TRIES if count < 0.5 * room else 0):
        placed = _GROUPS[kind][1](chance) if kind in _GROUPS else ()
        placed = _strewn(chance, placed, count)
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


def _clear_of(new: RenderedDie, old: RenderedDie) -> bool:
    far = math.hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm) > (new.size_mm + old.size_mm) * 0.75 + _CLEAR_MM
    return far or gap_mm(new, old) >= _CLEAR_MM


def _possible(dice: Sequence[RenderedDie], kind: ThrowKind, shape: TrayShape) -> bool:
    inside = sum(in_tray(die, shape) for die in dice)
    apart = all(gap_mm(one, two) > -1e-6 for one, two in combinations(dice, 2))
    return apart and inside == len(dice) - (kind is ThrowKind.OUTSIDE)


def _cocked(chance: _Chance) -> tuple[RenderedDie, ...]:
    """Return a die that leans against a wall, or one that leans against another."""
    return chance.rng.choice((_against_wall, _against_die))(chance)


def _lean(rng: random.Random, die: RenderedDie, way: Doubles, steepest_deg: float) -> RenderedDie:
    """Return *die* with an edge on the floor, its side towards *way* up: so that friction 0.6 holds it there."""
    towards = math.degrees(math.atan2(way[1], way[0]))
    return replace(
        die,
        yaw_deg=towards + 90 * rng.randrange(4),
        tilt_deg=rng.uniform(17, steepest_deg),
        tilt_axis_deg=towards - 90,
    )


def _against_wall(chance: _Chance) -> tuple[RenderedDie, ...]:
    rng = chance.rng
    way = np.array(rng.choice([(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)]))
    leaning = _lean(rng, chance.die(), way, 40)
    wide, deep = chance.shape.floor
    reach = leaning.reach_mm(way)
    if way[0]:
        return (replace(leaning, x_mm=wide - reach if way[0] > 0 else reach),)
    return (replace(leaning, y_mm=deep - reach if way[1] > 0 else reach),)


def _side(rng: random.Random, die: RenderedDie) -> tuple[Doubles, Doubles]:
    """Return the outward direction of one of the four sides of a flat *die*, and the level direction along it."""
    angle = math.radians(die.yaw_deg + 90 * rng.randrange(4))
    out = np.array([math.cos(angle), math.sin(angle), 0.0])
    return out, np.array([-out[1], out[0], 0.0])


def _against_die(chance: _Chance) -> tuple[RenderedDie, ...]:
    rng, support, die = chance.rng, chance.die(), chance.die()
    out, along = _side(rng, support)
    steepest = math.degrees(math.asin(min(math.sin(math.radians(40)), 0.85 * support.size_mm / die.size_mm)))
    leaning = _lean(rng, die, -out, steepest)
    return support, _beside(support, leaning, out, along * rng.uniform(-0.4, 0.4) * support.size_mm)


def _beside(support: RenderedDie, die: RenderedDie, out: Doubles, slide: Doubles) -> RenderedDie:
    """Return *die* moved until it touches the side of *support* that looks *out*."""
    x, y, _ = support.centre_mm + out * (support.reach_mm(out) + die.reach_mm(-out)) + slide
    return replace(die, x_mm=float(x), y_mm=float(y))


def _touching(chance: _Chance) -> tuple[RenderedDie, ...]:
    """Return two flat dice, side at side or a corner of one at a side of the other."""
    rng, support, die = chance.rng, chance.die(), chance.die()
    out, along = _side(rng, support)
    slide = rng.uniform(-0.4, 0.4) * support.size_mm
    if rng.random() < 0.5:
        die = replace(die, yaw_deg=support.yaw_deg + 90 * rng.randrange(4))
    else:
        corners = Box(np.zeros(3), die.rotation.T, np.full(3, die.size_mm / 2)).corners_mm
        slide -= float(corners[(corners @ out).argmin()] @ along)
    return support, _beside(support, die, out, along * slide)


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


_Group = Callable[[_Chance], tuple[RenderedDie, ...]]

_GROUPS: dict[ThrowKind, tuple[int, _Group]] = {
    ThrowKind.COCKED: (1, _cocked),
    ThrowKind.TOUCHING: (2, _touching),
    ThrowKind.STACKED: (2, _stacked),
    ThrowKind.OUTSIDE: (1, _outside),
}
"""For the throws in which some dice lie in a particular way: how many these are at least, and what places them."""
