"""Test cases by number: a throw on a table, its picture, and what must be said of it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from vision.render.camera import Doubles
from vision.render.designs import Body, design
from vision.render.light import blocked
from vision.render.pose import RenderedDie, face_axes
from vision.render.sensor import Shot
from vision.render.setup import Setup
from vision.render.shadow import MOST_INSTANTS
from vision.render.skin import box_of
from vision.render.things import Thing, thing_by_chance
from vision.render.throw import ThrowKind, in_tray, throw
from vision.types import Fault, Frame, Point

_SEEN = 0.98
_TRIES = 40
_HEAP_MM2 = 640.0
_LIKE_THE_FLOOR = 0.07


class Tier(StrEnum):
    """How hard a case is."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"
    MANY = "many"
    FAULTS = "faults"


@dataclass(frozen=True, slots=True)
class Case:
    """A throw and the answer to it.

    Attributes
    ----------
    tier, kind
        How hard it is, and what is particular about it.
    dice
        All that lie or fly there.
    expected
        How many dice the game expects.
    faults
        Names of what is wrong, any of which is right; empty when the faces must be read.
    shot
        How the picture is taken.
    hand, cup, thing
        What else is in view.
    """

    tier: Tier
    kind: str
    dice: tuple[RenderedDie, ...]
    expected: int
    faults: tuple[Fault, ...]
    shot: Shot
    hand: Point | None = None
    cup: Point | None = None
    thing: Thing | None = None

    @property
    def faces(self) -> tuple[int, ...] | None:
        """The faces from high to low; None when the picture must be refused."""
        return None if self.faults else tuple(sorted((die.up for die in self.dice), reverse=True))


def make_case(setup: Setup, tier: Tier, seed: int) -> Case:
    """Return the throw on *setup* that *seed* stands for.

    Examples
    --------
    >>> from vision.render.setup import make_setup
    >>> setup = make_setup(1, is_good=True, size=(320, 240))
    >>> case = make_case(setup, Tier.EASY, 5)
    >>> len(case.dice), case.expected, case.faults, case == make_case(setup, Tier.EASY, 5)
    (2, 2, (), True)
    """
    rng = random.Random(f"case {setup.seed} {tier} {seed}")  # noqa: S311 (a test, no secret)
    maker, kinds = _TIERS[tier]
    for _ in range(_TRIES):
        case = maker(setup, rng, tier, rng.choice(kinds))
        if case.faults or all(seen_part_of(die, case.dice, setup) > _SEEN for die in case.dice):
            return case
    raise ValueError(f"no throw of tier {tier} can be seen whole on table {setup.seed}")


def make_fault(setup: Setup, kind: str, seed: int) -> Case:
    """Return the throw on *setup* that goes wrong in the way *kind* says, such as ``cocked_die``."""
    rng = random.Random(f"fault {setup.seed} {kind} {seed}")  # noqa: S311 (a test, no secret)
    return _thrown_wrong(setup, rng, Tier.FAULTS, kind)


def make_heap(setup: Setup, dice: tuple[int, int], seed: int) -> Case:
    """Return a throw of at least and at most so many *dice* on *setup*, in clumps or apart, as far as they have room.

    Raises
    ------
    ValueError
        If so many cannot be seen whole there.
    """
    rng = random.Random(f"heap {setup.seed} {seed} {dice[0]} {dice[1]}")  # noqa: S311 (a test, no secret)
    room = _room_for(setup)
    for _ in range(_TRIES):
        count = min(rng.randint(*dice), room)
        pool = _pool(setup, rng, tuple(Body), rng.choice((1, 1, 2, 3)))
        kind = rng.choice(("heap", "heap", "strewn"))
        how = ThrowKind.HEAP if kind == "heap" else ThrowKind.FLAT
        thrown = throw(rng, count, how, pool=pool, shape=setup.table.shape)
        case = Case(Tier.MANY, kind, thrown, count, (), _shot(setup, rng))
        if all(seen_part_of(die, thrown, setup) > _SEEN for die in thrown):
            return case
    raise ValueError(f"no throw of {dice[0]} to {dice[1]} dice can be seen whole on table {setup.seed}")


def _room_for(setup: Setup) -> int:
    """Return how many dice find a place on the floor of *setup* in a few tries."""
    wide, deep = setup.table.shape.floor
    return int(wide * deep / _HEAP_MM2 * (16 / setup.die_mm) ** 2 * 0.45)


def draw_case(setup: Setup, case: Case) -> Frame:
    """Return the picture of *case*, as the camera of *setup* stores it, shape (height, width, 3)."""
    clean = setup.table.clean(case.dice, hand=case.hand, cup=case.cup, thing=case.thing, most_instants=MOST_INSTANTS)
    return setup.sensor.take(clean, case.shot)


def seen_part_of(die: RenderedDie, dice: Sequence[RenderedDie], setup: Setup) -> float:
    """Return which part of the upper face of *die* the camera sees past walls and other *dice*, 0 to 1."""
    eye = setup.table.camera.position_mm
    others = [box_of(other) for other in dice if other is not die]
    near = [box for box in others if float(np.linalg.norm(box.centre_mm - die.centre_mm)) < 80]
    steps = np.linspace(-0.42, 0.42, 6)
    points = upper_face_mm(die, np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2))
    ways = (points - eye).T.astype(np.float32)
    start = eye.astype(np.float32)[:, None]
    hidden = np.zeros(len(points), np.bool_)
    for box in (*setup.table.shape.boxes, *near):
        hidden |= blocked(start, ways * np.float32(0.998), box)
    return 1 - float(hidden.mean())


def upper_face_mm(die: RenderedDie, places: Doubles) -> Doubles:
    """Return points of the face that is up, given as *places*, (N, 2) in sides from its middle: (N, 3)."""
    axes = die.rotation @ face_axes(die.layout.clockwise)[die.up].T
    flat = np.column_stack([places, np.full(len(places), 0.5)]) * die.size_mm
    return np.asarray(die.centre_mm + flat @ axes.T)


def _shot(setup: Setup, rng: random.Random) -> Shot:
    """Return a picture as a table's camera takes it: never exposed, balanced and aimed quite as at the calibration."""
    far, way = setup.table.size[0] / 1280 * rng.uniform(0, 4.0), rng.uniform(0, math.tau)
    spread = 0.04 if setup.is_good else 0.09
    return Shot(
        gain=rng.uniform(0.88, 1.14),
        balance_bgr=(1 + rng.uniform(-spread, spread), 1.0, 1 + rng.uniform(-spread, spread)),
        shift_px=(far * math.cos(way), far * math.sin(way)),
        turn_deg=rng.uniform(-0.08, 0.08),
        blur_px=rng.choice((0.0, 0.0, rng.uniform(0, 0.5 if setup.is_good else 0.9))),
        seed=rng.randrange(1 << 30),
    )


def _pool(setup: Setup, rng: random.Random, bodies: Sequence[Body], count: int = 1) -> list[RenderedDie]:
    """Return *count* designs; now and then one that is of the colour of the floor."""
    like = [setup.cloth_bgr if rng.random() < _LIKE_THE_FLOOR else None for _ in range(count)]
    return [design(rng, setup.die_mm, rng.choice(bodies), like_bgr=bgr) for bgr in like]


def _readable(setup: Setup, rng: random.Random, tier: Tier, kind: str) -> Case:
    """Return two dice that lie flat: of one sort or mixed, apart or touching, in the open or at the wall."""
    bodies = {
        "sep": (Body.OPAQUE,),
        "any": (Body.OPAQUE, Body.OPAQUE, Body.MARBLE),
        "trans": (Body.CLEAR,),
        "touch": (*Body,),
        "wall": (*Body,),
    }[kind]
    pool = _pool(setup, rng, bodies, 1 if kind == "sep" else rng.choice((1, 2, 2)))
    how = {"touch": ThrowKind.TOUCHING, "wall": ThrowKind.WALL}.get(kind, ThrowKind.FLAT)
    dice = throw(rng, 2, how, pool=pool, shape=setup.table.shape)
    return Case(tier, kind, dice, 2, (), _shot(setup, rng))


def _many(setup: Setup, rng: random.Random, tier: Tier, kind: str) -> Case:
    """Return three to thirty flat dice, most of them of one sort, in clumps."""
    count = min(rng.choice((3, 4, 5, 5, 6, rng.randint(7, 15), rng.randint(16, 30))), _room_for(setup))
    pool = _pool(setup, rng, tuple(Body), rng.choice((1, 1, 2, 3)))
    how = ThrowKind.HEAP if kind == "heap" else ThrowKind.FLAT
    dice = throw(rng, count, how, pool=pool, shape=setup.table.shape)
    return Case(tier, kind, dice, count, (), _shot(setup, rng))


_THROWN: dict[str, tuple[ThrowKind, tuple[Fault, ...]]] = {
    "cocked_wall": (ThrowKind.COCKED_WALL, (Fault.COCKED,)),
    "cocked_die": (ThrowKind.COCKED_DIE, (Fault.COCKED,)),
    "stacked": (ThrowKind.STACKED, (Fault.STACKED,)),
    "outside_table": (ThrowKind.OUTSIDE, (Fault.OUTSIDE, Fault.MISSING)),
    "outside_rim": (ThrowKind.RIM, (Fault.OUTSIDE, Fault.MISSING)),
    "missing": (ThrowKind.MISSING, (Fault.MISSING,)),
    "extra": (ThrowKind.EXTRA, (Fault.EXTRA,)),
}

_ASKED_FOR = {
    "slight_wall": (ThrowKind.SLIGHT_WALL, (Fault.COCKED,)),
    "slight_die": (ThrowKind.SLIGHT_DIE, (Fault.COCKED,)),
}
"""Those that no case has by chance: what case a seed stands for depends on how many kinds there are."""


def _thrown_wrong(setup: Setup, rng: random.Random, tier: Tier, kind: str) -> Case:
    """Return a throw that went wrong, of two dice or a few more."""
    how, faults = (_THROWN | _ASKED_FOR)[kind]
    expected = rng.choice((2, 2, 2, 2, 3, 5))
    pool = _pool(setup, rng, tuple(Body), rng.choice((1, 2)))
    dice = throw(rng, expected, how, pool=pool, shape=setup.table.shape)
    return Case(tier, kind, dice, expected, faults, _shot(setup, rng))


def _moving(setup: Setup, rng: random.Random, tier: Tier, kind: str) -> Case:
    """Return dice one of which at least moves and turns while the shutter is open."""
    pool = _pool(setup, rng, tuple(Body), 2)
    dice = list(throw(rng, 2, ThrowKind.FLAT, pool=pool, shape=setup.table.shape))
    for number in range(rng.choice((1, 2, 2))):
        far, way = rng.uniform(3.5, 22), rng.uniform(0, math.tau)
        moved = replace(
            dice[number],
            travel_mm=(far * math.cos(way), far * math.sin(way), rng.uniform(-2, 2)),
            spin_deg=(rng.uniform(-25, 25), rng.uniform(-25, 25), rng.uniform(-30, 30)),
            tilt_deg=rng.choice((0.0, rng.uniform(3, 44))),
            tilt_axis_deg=rng.uniform(0, 360),
            lift_mm=rng.uniform(0, 12),
        )
        dice[number] = moved if in_tray(moved, setup.table.shape) else replace(moved, tilt_deg=0.0)
    return Case(tier, kind, tuple(dice), 2, (Fault.MOVING,), _shot(setup, rng))


def _left_behind(setup: Setup, rng: random.Random, dice: Sequence[RenderedDie]) -> Thing:
    """Return something that lies on the floor beside *dice*."""
    wide, deep = setup.table.shape.floor
    for _ in range(10 * _TRIES):
        thing = thing_by_chance(rng, (rng.uniform(0, wide), rng.uniform(0, deep)))
        outline = thing.outline_mm(1.0, 0.0)[:, :2].astype(np.float32)
        inside = bool((outline > 0).all() and (outline < (wide, deep)).all())
        if inside and all(
            cv2.pointPolygonTest(outline, (die.x_mm, die.y_mm), measureDist=True) < -0.8 * die.size_mm for die in dice
        ):
            return thing
    raise ValueError(f"nothing fits beside the dice into a tray of {wide:g} x {deep:g} mm")


def _occluded(setup: Setup, rng: random.Random, tier: Tier, kind: str) -> Case:
    """Return dice with something in the tray that is no die: over one of them, or beside."""
    wide, deep = setup.table.shape.floor
    pool = _pool(setup, rng, tuple(Body), 2)
    dice = throw(rng, 2, ThrowKind.FLAT, pool=pool, shape=setup.table.shape)
    near = rng.choice(dice)
    place = (near.x_mm + rng.uniform(-15, 15), near.y_mm + rng.uniform(-15, 15))
    if rng.random() < 0.4:
        place = (rng.uniform(40, wide - 40), rng.uniform(40, deep - 40))
    case = Case(tier, kind, dice, 2, (Fault.OCCLUDED,), _shot(setup, rng))
    match kind:
        case "hand":
            return replace(case, hand=place)
        case "cup":
            inside = (min(max(place[0], 42), wide - 42), min(max(place[1], 42), deep - 42))
            return replace(case, cup=inside)
        case _:
            return replace(case, thing=_left_behind(setup, rng, dice))


def _badly_taken(setup: Setup, rng: random.Random, tier: Tier, kind: str) -> Case:
    """Return dice that lie well in a picture that is too dark, too bright, or of another part of the table."""
    dice = throw(rng, 2, ThrowKind.FLAT, pool=_pool(setup, rng, (Body.OPAQUE,)), shape=setup.table.shape)
    shot = _shot(setup, rng)
    match kind:
        case "dark":
            return Case(tier, kind, dice, 2, (Fault.LIGHT,), replace(shot, gain=rng.uniform(0.003, 0.02)))
        case "bright":
            return Case(tier, kind, dice, 2, (Fault.LIGHT,), replace(shot, gain=rng.uniform(25, 60)))
        case _:
            far, way = setup.table.size[0] / 1280 * rng.uniform(25, 80), rng.uniform(0, math.tau)
            moved = replace(shot, shift_px=(far * math.cos(way), far * math.sin(way)), turn_deg=rng.uniform(-3, 3))
            return Case(tier, kind, dice, 2, (Fault.CAMERA_MOVED,), moved)


def _faulty(setup: Setup, rng: random.Random, tier: Tier, kind: str) -> Case:
    if kind in _THROWN:
        return _thrown_wrong(setup, rng, tier, kind)
    if kind == "moving":
        return _moving(setup, rng, tier, kind)
    if kind in ("dark", "bright", "camera_moved"):
        return _badly_taken(setup, rng, tier, kind)
    return _occluded(setup, rng, tier, kind)


_OTHERS = ("hand", "cup", "thing", "dark", "bright", "camera_moved")

_Maker = Callable[[Setup, random.Random, Tier, str], Case]

_TIERS: dict[Tier, tuple[_Maker, tuple[str, ...]]] = {
    Tier.EASY: (_readable, ("sep",)),
    Tier.NORMAL: (_readable, ("any",)),
    Tier.HARD: (_readable, ("touch", "wall", "trans", "any")),
    Tier.MANY: (_many, ("heap", "heap", "strewn")),
    Tier.FAULTS: (_faulty, (*_THROWN, *_THROWN, "moving", "moving", *_OTHERS)),
}
"""For each tier what makes its cases, and their kinds."""
