"""How dice come to rest in a tray: a physics engine, asked until it shows what is wanted."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pybullet as bullet
from shutter import MOMENTS, STEPS_S, steps

Doubles: TypeAlias = npt.NDArray[np.float64]
Floats: TypeAlias = npt.NDArray[np.float32]
Box: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float]]

SIDE_CM = 1.6
FLOOR_CM = (30.0, 22.0)
CORNERS_CM = ((0, FLOOR_CM[1], 0), (*FLOOR_CM, 0), (FLOOR_CM[0], 0, 0), (0, 0, 0))
CHAMFER_CM = 0.12
FLAT_DEG, LEANS_DEG = 2.0, 8.0
"""Below the first a die lies flat; from the second on it leans for everybody. What is between is thrown again."""

SPEEDS, OF_FILM = (5.0, 30.0), (40.0, 90.0)
"""How fast dice are let go each way, cm a second as a standard deviation; faster in a film, to be seen rolling."""

LONGEST_S = 4.0
TRIES = 4000
AGAIN = 40
"""Dice of a heap that lean, or lie outside, are laid anew so many times at most."""

SHUTTER_S = (1 / 200, 1 / 25)
"""How long the shutter may be open."""

MOVES_CM = 0.15
"""A die moves if one of its corners goes so far while the shutter is open."""

LYING_S, STAYS_CM = 0.5, 0.01
"""A die of a film lies still if it has not gone so far after so long."""

CROWD, ON_OTHERS, AT_WALLS = 12, 0.8, 0.3
"""Dice of a crowd; how many of them fall on the one before, and of the others beside a wall."""

SOME = 2
"""So many of a crowd do not lie flat, at least."""

FRICTIONS = (0.4, 0.7, 1.0, 1.4)
OF_CROWD = (0.7, 1.0, 1.4, 2.0)

GROUND: tuple[Box, ...] = (((-30.0, -30.0, -2.0), (60.0, 52.0, 0.0)),)
GROUND_ABOUT: tuple[Box, ...] = (
    ((0.0, 0.0, -2.0), (*FLOOR_CM, 0.0)),
    ((-30.0, -30.0, -2.0), (60.0, 52.0, -0.8)),
)
"""The floor of the tray as if it had no end, and where dice lie outside with the table, which is lower."""

SEEN_CM = 3.2
"""So far outside the floor a die is still seen whole."""

AXES: Mapping[int, Doubles] = {
    1: np.array((0.0, 0, 1)),
    6: np.array((0.0, 0, -1)),
    2: np.array((0.0, -1, 0)),
    5: np.array((0.0, 1, 0)),
    3: np.array((1.0, 0, 0)),
    4: np.array((-1.0, 0, 0)),
}
"""Where on a die each face is. Asian ones are made alike, though their sides run the other way: none is told."""


class Kind(StrEnum):
    """What a throw shows."""

    APART = "sep"
    ANY = "any"
    TOUCH = "touch"
    WALL = "wall"
    CLEAR = "trans"
    MANY = "many"
    HEAP = "heap"
    COCKED = "cocked"
    STACKED = "stacked"
    EXTRA = "extra"
    MOVING = "moving"
    OCCLUDED = "occluded"
    OUTSIDE = "outside"
    MISSING = "missing"
    CROWD = "crowd"


SEVERAL = {Kind.MANY: (3, 6), Kind.HEAP: (13, 30)}
"""How few and how many dice such a throw has."""

FAULTS = (Kind.COCKED, Kind.STACKED, Kind.EXTRA, Kind.MOVING, Kind.OCCLUDED, Kind.OUTSIDE, Kind.MISSING)


@dataclass(frozen=True, slots=True)
class Rest:
    """Where a die lies.

    Attributes
    ----------
    at_cm
        Its middle: x to the right, y to the back, z up, from the front left corner of the floor.
    rotation
        Shape (3, 3): from the die's own axes to those of the tray.
    face, tilt_deg
        The face that is up, and how far it leans.
    way
        If it moves, where it is at `MOMENTS` more moments of the exposure.
    """

    at_cm: tuple[float, float, float]
    rotation: Doubles
    face: int
    tilt_deg: float
    way: tuple[Rest, ...] = ()

    @property
    def lies_flat(self) -> bool:
        """Whether it lies on the floor and on nothing else."""
        return self.tilt_deg < FLAT_DEG and self.at_cm[2] < 0.55 * SIDE_CM

    @property
    def moves_cm(self) -> float:
        """How far the corner goes that goes farthest."""
        corners = SIDE_CM / 2 * np.array(list(product((-1, 1), repeat=3)))
        first, *others = (corners @ rest.rotation.T + rest.at_cm for rest in (self, *self.way))
        return max((float(np.linalg.norm(other - first, axis=1).max()) for other in others), default=0.0)

    @classmethod
    def of(cls, die: int) -> Rest:
        """Return where *die*, a body of the engine, is now."""
        at, turn = bullet.getBasePositionAndOrientation(die)
        rotation = np.array(bullet.getMatrixFromQuaternion(turn)).reshape(3, 3)
        up, face = max((float((rotation @ axis)[2]), face) for face, axis in AXES.items())
        return cls(at, rotation, face, math.degrees(math.acos(min(1.0, up))))


def begin() -> None:
    """Start the engine."""
    bullet.connect(bullet.DIRECT)


def _count_of(kind: Kind, rng: random.Random) -> int:
    """Return how many dice a throw of *kind* has."""
    if kind in SEVERAL:
        return rng.randint(*SEVERAL[kind])
    return {Kind.EXTRA: 3, Kind.MISSING: 1, Kind.CROWD: CROWD}.get(kind, 2)


def rests(kind: Kind, rng: random.Random, walls: Sequence[Box]) -> list[Rest]:
    """Return the dice of a throw of *kind* among *walls*.

    Raises
    ------
    ValueError
        If none came up in `TRIES` throws.
    """
    for _ in range(TRIES):
        thrown = _thrown(kind, rng, walls)
        if thrown and _WANTED[kind](thrown) and (kind is Kind.OUTSIDE or all(map(_lies_within, thrown))):
            return thrown
    raise ValueError(f"no throw of {TRIES} was {kind}")


def filmed(kind: Kind, rng: random.Random, walls: Sequence[Box], shutter_s: float, apart_s: float) -> list[list[Rest]]:
    """Return where the dice of a throw of *kind* are in the pictures of a film, the last of them at rest.

    Each is taken with the shutter open for *shutter_s*, *apart_s* after the one before; both in whole steps of the
    engine, which `shutter` counts.

    Raises
    ------
    ValueError
        If none came up in `TRIES` throws.
    """
    for _ in range(TRIES):
        dice = _let_go(kind, rng, walls, OF_FILM)
        film = []
        while len(film) * apart_s < LONGEST_S and not (film and all(map(_is_still, dice))):
            film.append(_exposed(dice, shutter_s))
            _pass(apart_s - shutter_s)
        last = [Rest.of(die) for die in dice]
        _pass(LYING_S)
        stayed = all(
            replace(rest, way=(Rest.of(die),)).moves_cm < STAYS_CM for rest, die in zip(last, dice, strict=True)
        )
        if stayed and _WANTED[kind](last) and all(map(_lies_within, last)):
            return [*film, last]
    raise ValueError(f"no throw of {TRIES} was {kind}")


def _thrown(kind: Kind, rng: random.Random, walls: Sequence[Box]) -> list[Rest] | None:
    """Throw once: None if the dice do not come to rest in time."""
    dice = _let_go(kind, rng, walls)
    if kind is Kind.MOVING:
        return _moving(dice, rng)
    lying = _settled(dice)
    for _ in range(AGAIN if kind is Kind.HEAP else 0):
        amiss = [die for die, rest in zip(dice, lying or [], strict=False) if not _lies_well(rest)]
        if not lying or not amiss:
            break
        for die in amiss:
            _lay_anew(die, dice, rng)
        lying = _settled(dice)
    return lying


def _settled(dice: Sequence[int]) -> list[Rest] | None:
    """Return where *dice* come to rest; None if they do not in time."""
    for step in range(round(LONGEST_S * STEPS_S)):
        bullet.stepSimulation()
        if step > STEPS_S and step % 60 == 0 and all(map(_is_still, dice)):
            return [Rest.of(die) for die in dice]
    return None


def _lay_anew(die: int, dice: Sequence[int], rng: random.Random) -> None:
    """Let *die* fall again where there is room between the other *dice*: of a heap of them some always lean."""
    others = [bullet.getBasePositionAndOrientation(other)[0][:2] for other in dice if other != die]
    at = _anywhere(rng)
    while any(math.dist(at, other) < 1.3 * SIDE_CM for other in others):
        at = _anywhere(rng)
    bullet.resetBasePositionAndOrientation(die, (*at, 2.0), _any_turn(rng))
    bullet.resetBaseVelocity(die, (0, 0, -20), [rng.gauss(0, 10) for _ in range(3)])


def _let_go(kind: Kind, rng: random.Random, walls: Sequence[Box], speeds: tuple[float, ...] = SPEEDS) -> list[int]:
    """Return the dice of a throw of *kind*, bodies of the engine, that begin to fall among *walls*."""
    bullet.resetSimulation()
    bullet.setGravity(0, 0, -981)
    bullet.setTimeStep(1 / STEPS_S)
    frictions = OF_CROWD if kind is Kind.CROWD else FRICTIONS if kind in FAULTS else None
    friction = rng.choice(frictions) if frictions else 0.5
    for low, high in (*(GROUND_ABOUT if kind is Kind.OUTSIDE else GROUND), *walls):
        half, middle = ([(b + sign * a) / 2 for a, b in zip(low, high, strict=True)] for sign in (-1, 1))
        shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=half)
        wall = bullet.createMultiBody(0, shape, basePosition=middle)
        bullet.changeDynamics(wall, -1, lateralFriction=friction, restitution=0.2)
    shape = bullet.createCollisionShape(bullet.GEOM_MESH, vertices=_chamfered())
    return [_dropped(shape, place, rng, friction, speeds) for place in _places(kind, rng)]


def _moving(dice: Sequence[int], rng: random.Random) -> list[Rest]:
    """Open the shutter at some moment of the throw, as a rule a late one, whether anything moves then or not."""
    _pass(rng.uniform(0.1, 1.5))
    return _exposed(dice, rng.uniform(*SHUTTER_S))


def _exposed(dice: Sequence[int], shutter_s: float) -> list[Rest]:
    """Return where *dice* go while the shutter is open."""
    film = [[Rest.of(die) for die in dice]]
    for _ in range(MOMENTS):
        _pass(shutter_s / MOMENTS)
        film.append([Rest.of(die) for die in dice])
    return [replace(first, way=tuple(later)) for first, *later in zip(*film, strict=True)]


def _pass(time_s: float) -> None:
    for _ in range(steps(time_s)):
        bullet.stepSimulation()


def _places(kind: Kind, rng: random.Random) -> list[tuple[float, float, float]]:
    """Return where the dice of a throw begin to fall."""
    wide, deep = FLOOR_CM
    spread = {Kind.TOUCH: 1.3, Kind.WALL: 1.3, Kind.COCKED: 1.0, Kind.STACKED: 0.7}.get(kind)
    places = []
    x, y = wide / 2, deep / 2
    for k in range(_count_of(kind, rng)):
        if kind is Kind.OUTSIDE and k == 0:
            places.append((*_beyond(rng), 6.0))
            continue
        if kind is Kind.CROWD:
            spread = 1.3 if rng.random() < ON_OTHERS else None
        # Those that are to meet fall above one another.
        if spread is None or k == 0:
            x, y = _anywhere(rng)
            at_walls = {Kind.COCKED: 0.5, Kind.CROWD: AT_WALLS}.get(kind)
            if kind is Kind.WALL or (at_walls is not None and rng.random() < at_walls):
                x, y = rng.choice([(x, 1.1), (x, deep - 1.1), (1.1, y), (wide - 1.1, y)])
        off = (0.0, 0.0) if spread is None else (rng.gauss(0, spread), rng.gauss(0, spread))
        places.append((min(max(x + off[0], 1), wide - 1), min(max(y + off[1], 1), deep - 1), 2 + 2.2 * k))
    return places


def _anywhere(rng: random.Random) -> tuple[float, float]:
    """Return a place of the floor, as far from its edges as a die is wide, or nearly."""
    return rng.uniform(1.5, FLOOR_CM[0] - 1.5), rng.uniform(1.5, FLOOR_CM[1] - 1.5)


def _beyond(rng: random.Random) -> tuple[float, float]:
    """Return a place over the table beside the tray, or over its rim."""
    wide, deep = FLOOR_CM
    off = rng.uniform(0.2, SEEN_CM)
    x, y = rng.uniform(0, wide), rng.uniform(0, deep)
    return rng.choice(((x, -off), (x, deep + off), (-off, y), (wide + off, y)))


def _dropped(
    shape: int, place: tuple[float, float, float], rng: random.Random, friction: float, speeds: tuple[float, ...]
) -> int:
    die: int = bullet.createMultiBody(4, shape, basePosition=place, baseOrientation=_any_turn(rng))
    bullet.changeDynamics(
        die, -1, lateralFriction=friction, restitution=0.25, spinningFriction=0.01, rollingFriction=0.005
    )
    speed = rng.choice(speeds)
    way = [rng.gauss(0, speed), rng.gauss(0, speed), -20]
    bullet.resetBaseVelocity(die, way, [rng.gauss(0, 10) for _ in range(3)])
    return die


def _any_turn(rng: random.Random) -> Doubles:
    turn = np.array([rng.gauss(0, 1) for _ in range(4)])
    return np.asarray(turn / np.linalg.norm(turn))


def _is_still(die: int) -> bool:
    return all(float(np.linalg.norm(speed)) < 0.05 for speed in bullet.getBaseVelocity(die))


def _chamfered() -> list[tuple[float, ...]]:
    """Return the corners of a die, each cut off."""
    half = SIDE_CM / 2
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return [
        tuple(sign * (half if axis == whole else half - CHAMFER_CM) for axis, sign in enumerate(corner))
        for corner in signs
        for whole in range(3)
    ]


def _lies_within(die: Rest) -> bool:
    return all(0 < at < end for at, end in zip(die.at_cm, FLOOR_CM, strict=False))


def _lies_well(die: Rest) -> bool:
    return die.lies_flat and _lies_within(die)


def _one_lies_outside(dice: Sequence[Rest]) -> bool:
    first, *others = dice
    seen = all(-SEEN_CM < at < end + SEEN_CM for at, end in zip(first.at_cm, FLOOR_CM, strict=False))
    return seen and not _lies_within(first) and all(map(_lies_within, others)) and _all_flat(others)


def _all_flat(dice: Sequence[Rest]) -> bool:
    return all(die.lies_flat for die in dice)


def _nearest_cm(dice: Sequence[Rest]) -> float:
    return min(math.dist(one.at_cm, other.at_cm) for one, other in combinations(dice, 2))


def _lean(dice: Sequence[Rest]) -> bool:
    return _lean_or_lie(dice) and max(die.tilt_deg for die in dice) > LEANS_DEG


def _lean_or_lie(dice: Sequence[Rest]) -> bool:
    return all(die.tilt_deg < FLAT_DEG or die.tilt_deg > LEANS_DEG for die in dice)


def _move(dice: Sequence[Rest]) -> bool:
    return any(die.moves_cm > MOVES_CM for die in dice) and all(_lies_within(die.way[-1]) for die in dice)


def _lie_on_others(dice: Sequence[Rest]) -> bool:
    return all(die.tilt_deg < FLAT_DEG for die in dice) and any(die.at_cm[2] > 0.9 * SIDE_CM for die in dice)


_WANTED: Mapping[Kind, Callable[[Sequence[Rest]], bool]] = {
    Kind.APART: lambda dice: _all_flat(dice) and _nearest_cm(dice) > 2.5 * SIDE_CM,
    Kind.ANY: _all_flat,
    Kind.TOUCH: lambda dice: _all_flat(dice) and _nearest_cm(dice) < 1.3 * SIDE_CM,
    Kind.WALL: _all_flat,
    Kind.CLEAR: _all_flat,
    Kind.MANY: _all_flat,
    Kind.HEAP: _all_flat,
    Kind.EXTRA: _all_flat,
    Kind.COCKED: _lean,
    Kind.STACKED: _lie_on_others,
    Kind.MOVING: _move,
    Kind.OCCLUDED: _all_flat,
    Kind.OUTSIDE: _one_lies_outside,
    Kind.MISSING: _all_flat,
    Kind.CROWD: lambda dice: _lean_or_lie(dice) and sum(not die.lies_flat for die in dice) >= SOME,
}
