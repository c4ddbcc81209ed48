"""What hides dice, or has no business in a tray: a hand, a cup, a glass, and what lies about on a bar."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

import bpy
from materials import lighter, material, mottled, of_hex
from mathutils import Matrix, Vector
from rests import FLOOR_CM, SIDE_CM, Doubles, Rest
from shapes import Point, box, limb, placed, raised, turned

Parts: TypeAlias = list[bpy.types.Object]

SKINS = ("f0c8a8", "d8a078", "b07848", "784828", "4a2c1c")
SLEEVES = ("181818", "e8e8e4", "304878", "801818", "506048", "a09080")
LEATHERS = ("3a2010", "141414", "6a3a18", "7a1414", "1a3050", "d0d0c8")
CARDS = ("f0f0ea", "c02020", "204080", "e0c040", "207040", "101010")

ABOVE = SIDE_CM + 0.1
"""Height above which nothing meets a die that lies on the floor."""

FINGERS = ((-3.2, 6.9, 0.78), (-1.1, 7.7, 0.82), (1.1, 7.2, 0.78), (3.1, 5.7, 0.66))
"""Where each finger begins across the palm, its length, and how thick it is."""

PALM = 9.0
JOINTS = (0.46, 0.3, 0.24)
"""Parts of a finger's length from joint to joint."""

NEAR = 60
"""So many places are tried for what must stand beside dice."""


class Thing(StrEnum):
    """What is there."""

    HAND = "hand"
    CUP = "cup"
    TUMBLER = "tumbler"
    CARD = "card"
    COASTER = "coaster"
    COIN = "coin"
    PHONE = "phone"
    STRAW = "straw"


HELD = (Thing.HAND,)
"""What need not stand in the tray."""

HIGHEST_CM = 6.5
"""No wall of a tray is higher."""

GRID_CM, LEAST_CM2 = 0.5, 2.0
"""On such a grid is asked how much of the floor is hidden; so much must be."""

TRIES = 50

OFTEN = {Thing.HAND: 6, Thing.CUP: 3}
"""How much more often than the others some are there."""


def put(dice: Sequence[Rest], eye_cm: Doubles, rng: random.Random) -> tuple[Thing, Parts]:
    """Put something between floor and camera, at *eye_cm*, over *dice* or beside them; return what, and its parts.

    Raises
    ------
    ValueError
        If nothing fitted in.
    """
    kinds = list(Thing)
    for _ in range(TRIES):
        thing = rng.choices(kinds, [OFTEN.get(kind, 1) for kind in kinds])[0]
        parts = _MADE[thing](dice, rng)
        if (thing in HELD or _within(parts)) and _hides(parts, eye_cm) > LEAST_CM2:
            return thing, parts
        for part in parts:
            bpy.data.objects.remove(part)
    raise ValueError(f"none of {TRIES} things fitted in")


def _within(parts: Parts) -> bool:
    """Return whether *parts* are above the floor, or above the rim."""
    points = [part.matrix_world @ point.co for part in parts for point in part.data.vertices]
    return all(
        at.z > HIGHEST_CM or all(0 < place < end for place, end in zip(at[:2], FLOOR_CM, strict=True)) for at in points
    )


def _hides(parts: Parts, eye_cm: Doubles) -> float:
    """Return how much of the floor *parts* hide from the camera, square centimetres."""
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    hidden = 0
    for x in range(int(FLOOR_CM[0] / GRID_CM)):
        for y in range(int(FLOOR_CM[1] / GRID_CM)):
            at = Vector((x * GRID_CM, y * GRID_CM, 0.05))
            met, *_, what, _ = scene.ray_cast(graph, at, (Vector(eye_cm) - at).normalized())
            hidden += met and what in parts
    return hidden * GRID_CM**2


def _hand(dice: Sequence[Rest], rng: random.Random) -> Parts:
    """Return a hand that reaches in from a side: its fingers over a die, flat or bent, its arm rising outwards."""
    skin = of_hex(rng.choice(SKINS))
    flesh = material(skin, rng.uniform(0.35, 0.6), {"Subsurface Weight": 0.25, "Subsurface Scale": 0.4})
    mottled(flesh, lighter(skin, 0.8), lighter(skin, 1.15), 0.5)
    bend, spread, mirrored = rng.uniform(0.05, 0.6), rng.uniform(0, 0.12), rng.choice((-1, 1))
    bones = _bones(bend, spread, mirrored, rng)
    begins = rng.uniform(-14, 0)
    sleeve = material(of_hex(rng.choice(SLEEVES)), 0.95, {"Sheen Weight": 0.3})
    wide = rng.uniform(3.8, 5.2)
    parts = [
        limb(bones, flesh, 0.14),
        limb([((0, begins, 0), wide, (0, begins - 34, 0), wide * 1.15)], sleeve, 0.4),
    ]
    aim = rng.choice(dice).at_cm
    # Guests sit all round, so does whoever reaches in.
    heading, pitch = rng.uniform(0, math.tau), math.radians(rng.uniform(-50, -12))
    turn = (
        Matrix.Rotation(heading, 3, "Z") @ Matrix.Rotation(pitch, 3, "X") @ Matrix.Rotation(rng.gauss(0, 0.3), 3, "Y")
    )
    reach = PALM + rng.uniform(0, 8)
    tip = turn @ Vector((0, reach, 0))
    over = [aim[k] + rng.gauss(0, 1.0) - tip[k] for k in (0, 1)]
    for part in parts:
        placed(part, (*over, 0.0), turn)
    raised(parts, rng.uniform(ABOVE, ABOVE + 4))
    return parts


def _bones(bend: float, spread: float, mirrored: int, rng: random.Random) -> list[tuple[Point, float, Point, float]]:
    """Return the bones of a hand whose wrist is the origin, its fingers along y and its palm down."""
    bones: list[tuple[Point, float, Point, float]] = [((0, -16, 0), 3.4, (0, 0, 0), 2.3)]
    for k, (x, length, thick) in enumerate(FINGERS):
        knuckle = (mirrored * x, PALM - 0.25 * abs(k - 1), 0.0)
        bones.append(((mirrored * x * 0.5, 0.5, 0), 1.5, knuckle, 1.05))
        aside, down, at = mirrored * spread * (k - 1.5), rng.uniform(0.5, 1) * bend, knuckle
        for j, part in enumerate(JOINTS):
            way = (math.sin(aside) * math.cos(down), math.cos(aside) * math.cos(down), -math.sin(down))
            after = (at[0] + length * part * way[0], at[1] + length * part * way[1], at[2] + length * part * way[2])
            bones.append((at, thick * (1 - 0.08 * j), after, thick * (0.92 - 0.08 * j)))
            at, down = after, down + bend
    thumb: list[Point] = [(-1.5, 2, -0.6), (-4.4, 5.2, -1.2), (-5.2, 8, -1.5 - 2 * bend)]
    first, second, third = ((mirrored * x, y, z) for x, y, z in thumb)
    return [*bones, (first, 1.5, second, 1.0), (second, 1.0, third, 0.75)]


def _cup(dice: Sequence[Rest], rng: random.Random) -> Parts:
    """Return a dice cup: mouth down over one die or beside all, or held above them."""
    colour = of_hex(rng.choice(LEATHERS))
    leather = material(colour, rng.uniform(0.3, 0.7))
    mottled(leather, lighter(colour, 0.75), lighter(colour, 1.25), 1.0)
    mouth, high, wall = rng.uniform(3.6, 4.4), rng.uniform(8, 11), rng.uniform(0.25, 0.45)
    base = mouth * rng.uniform(0.8, 1)
    inner = [(mouth - wall, 0.0), (base - wall, high - wall), (0.01, high - wall)]
    cup = turned([*inner[::-1], (mouth, 0.0), (base, high), (0.01, high)], leather)
    aim = rng.choice(dice).at_cm
    how = rng.choice(("over", "beside", "held"))
    if how == "held":
        lean = Matrix.Rotation(rng.uniform(0, math.tau), 3, "Z") @ Matrix.Rotation(rng.uniform(0.4, 2.2), 3, "X")
        placed(cup, (aim[0] + rng.gauss(0, 3), aim[1] + rng.gauss(0, 3), 0), lean)
        raised([cup], rng.uniform(ABOVE, ABOVE + 6))
    else:
        x, y = aim[:2] if how == "over" else _free(dice, mouth, rng)
        placed(cup, (x, y, 0), Matrix.Identity(3))
    return [cup]


def _tumbler(dice: Sequence[Rest], rng: random.Random) -> Parts:
    """Return a glass that stands among the dice."""
    clear = material((0.97, 0.98, 1, 1), 0.02, {"Transmission Weight": 1.0, "IOR": 1.5})
    wide, high = rng.uniform(2.8, 3.8), rng.uniform(7, 13)
    glass = turned(
        [(0.01, 0.9), (wide - 0.5, 0.9), (wide - 0.2, high), (wide, high), (wide - 0.3, 0), (0.01, 0)], clear
    )
    placed(glass, (*_free(dice, wide, rng), 0), Matrix.Identity(3))
    return [glass]


def _card(dice: Sequence[Rest], rng: random.Random) -> Parts:
    card = box((8.6, 5.4, 0.06), material(of_hex(rng.choice(CARDS)), rng.uniform(0.2, 0.8)), 0.02)
    return _leant(card, rng.choice((8.6, 5.4)), dice, rng)


def _coaster(dice: Sequence[Rest], rng: random.Random) -> Parts:
    colour = of_hex(rng.choice(CARDS))
    paper = material(colour, 0.9)
    mottled(paper, colour, of_hex(rng.choice(CARDS)), 0.6, between=(0.5, 0.55))
    return _leant(turned([(0.01, 0.07), (4.6, 0.07), (4.6, -0.07), (0.01, -0.07)], paper), 9.2, dice, rng)


def _coin(dice: Sequence[Rest], rng: random.Random) -> Parts:
    metal = material(of_hex(rng.choice(("c8c8c8", "c8a050", "a86840"))), 0.3, {"Metallic": 1.0})
    radius = rng.uniform(0.9, 1.3)
    rim = [(0.01, 0.16), (radius - 0.12, 0.16), (radius - 0.08, 0.2), (radius, 0.2), (radius, 0), (0.01, 0)]
    coin = turned(rim, metal)
    placed(coin, (*_free(dice, radius, rng), 0), Matrix.Identity(3))
    return [coin]


def _phone(dice: Sequence[Rest], rng: random.Random) -> Parts:
    phone = box((7.2, 14.8, 0.8), material(of_hex(rng.choice(("08080a", "e8e8e8", "203048"))), 0.08), 0.3)
    return _leant(phone, rng.choice((7.2, 14.8)), dice, rng)


def _straw(dice: Sequence[Rest], rng: random.Random) -> Parts:
    colour = material(of_hex(rng.choice((*CARDS, "20b0a0", "f080a0"))), 0.3)
    straw = box((rng.uniform(14, 20), 0.55, 0.5), colour, 0.2)
    return _leant(straw, straw.dimensions.x, dice, rng)


def _leant(thing: bpy.types.Object, length: float, dice: Sequence[Rest], rng: random.Random) -> Parts:
    """Lean *thing*, *length* long along its first axis or its second, on a die so that it hides some or all of it."""
    along = 0.0 if abs(thing.dimensions.x - length) < 0.3 else math.pi / 2
    aim, way = rng.choice(dice).at_cm, rng.uniform(0, math.tau)
    ends = rng.uniform(-1.1, 0.5)
    foot = length
    for _ in range(20):
        lean = math.atan2(ABOVE, foot - SIDE_CM / 2)
        foot = ends + length * math.cos(lean)
    middle = foot - length / 2 * math.cos(lean)
    turn = Matrix.Rotation(way, 3, "Z") @ Matrix.Rotation(lean, 3, "Y") @ Matrix.Rotation(along, 3, "Z")
    x, y = aim[0] + middle * math.cos(way), aim[1] + middle * math.sin(way)
    placed(thing, (x, y, length / 2 * math.sin(lean) + thing.dimensions.z / 2), turn)
    return [thing]


def _free(dice: Sequence[Rest], radius: float, rng: random.Random) -> tuple[float, float]:
    """Return where something round stands near a die and meets none, or, if there is no room, over one."""
    for _ in range(NEAR):
        at = [rng.choice(dice).at_cm[k] + rng.gauss(0, radius + SIDE_CM) for k in (0, 1)]
        inside = all(radius < part < end - radius for part, end in zip(at, FLOOR_CM, strict=True))
        if inside and all(math.dist(at, die.at_cm[:2]) > radius + 0.75 * SIDE_CM for die in dice):
            break
    return at[0], at[1]


_MADE: Mapping[Thing, Callable[[Sequence[Rest], random.Random], Parts]] = {
    Thing.HAND: _hand,
    Thing.CUP: _cup,
    Thing.TUMBLER: _tumbler,
    Thing.CARD: _card,
    Thing.COASTER: _coaster,
    Thing.COIN: _coin,
    Thing.PHONE: _phone,
    Thing.STRAW: _straw,
}
