"""The tray on its table, and the lamps above."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import bpy
from materials import lighter, material, mottled, of_hex, patterned, rough_cloth
from mathutils import Vector
from rests import FLOOR_CM, Box

FELTS = (
    "0f4a2a",
    "7a1020",
    "303236",
    "8a7a5a",
    "14306a",
    "404048",
    "2a1a4a",
    "205a5a",
    "101214",
    "5a3a28",
    "9a9a96",
)
WOODS = ("3a2415", "6a4628", "1a1a1c", "8a6844", "204030", "4a1a14")
CLOTHS = (
    ("6a3a20", "7a4a2a"),
    ("c8c0b0", "208050"),
    ("303030", "404040"),
    ("e0c020", "402018"),
    ("a0a0a8", "b8b8c0"),
    ("204060", "d8d8d8"),
)
WARM = ((1.0, 1.0, 1.0), (1.0, 0.85, 0.65), (1.0, 0.92, 0.8), (0.85, 0.92, 1.0), (1.0, 0.75, 0.5))
LIGHTS = ("panel2", "spots2", "lampside", "window", "panel1", "spots3", "bars")

BACKSTOP_CM = (3.5, 6.5)
"""How high it is."""

LINED = 0.7
"""How many trays with cloth on their walls have it on all of them."""

GLUED_CM = 0.03

Rgb = tuple[float, float, float]
Size = tuple[float, float]


@dataclass(frozen=True)
class Room:
    """What a tray looks like: the boxes of its walls, the name of its light, the lamps' colour, the felt's."""

    walls: Mapping[str, Box]
    light: str
    lamp: Rgb
    felt: str


def furnish(rng: random.Random, floor_cm: Size = FLOOR_CM) -> Room:
    """Put a tray with a floor of *floor_cm* on a table, under lamps."""
    felt = rng.choice(FELTS)
    cloth = material(of_hex(felt), 1.0, {"Sheen Weight": 0.3})
    mottled(cloth, lighter(of_hex(felt), 0.65), lighter(of_hex(felt), 1.4), rng.uniform(0.6, 3))
    rough_cloth(cloth, rng.uniform(0.3, 1), rng.uniform(4, 10))
    colour = of_hex(rng.choice(WOODS))
    wood = material(colour, rng.uniform(0.2, 0.6), {"Coat Weight": rng.choice((0.0, 0.4))})
    mottled(wood, lighter(colour, 0.7), lighter(colour, 1.3), 1.2, detail=6, distortion=4)
    one, other = (of_hex(text) for text in rng.choice(CLOTHS))
    table = material(one, 0.4)
    patterned(table, one, other, rng.uniform(0.2, 0.6), rng.choice((None, 0.0, 3.0)))
    wide, deep = floor_cm
    _box(((-60, -60, -2), (90, 82, -0.8)), table, 0)
    _box(((-0.5, -0.5, -0.8), (wide + 0.5, deep + 0.5, 0)), cloth, 0)
    walls, backstop = _walls(rng, floor_cm)
    behind = cloth if rng.random() < 0.3 else wood
    for side, box in walls.items():
        _box(box, behind if side == backstop else wood, 0.08)
    light, lamp = rng.choice(LIGHTS), rng.choice(WARM)
    _lamps(light, lamp, rng, floor_cm)
    return Room(walls, light, lamp, felt)


def line_walls(room: Room, rng: random.Random, floor_cm: Size) -> None:
    """Glue cloth on the inside of the walls, or of the backstop alone: the felt's, or such as shines less."""
    colour = of_hex(room.felt)
    cloth = material(colour, 1.0, {"Sheen Weight": rng.choice((0.0, 0.3))})
    mottled(cloth, lighter(colour, 0.65), lighter(colour, 1.4), rng.uniform(0.6, 3))
    all_of_them = rng.random() < LINED
    wide, deep = floor_cm
    for side, (_, (_, _, high)) in room.walls.items():
        if not all_of_them and high < BACKSTOP_CM[0]:
            continue
        top = high - rng.choice((0.0, 0.1, 0.3))
        _box(
            {
                "N": ((0, deep - GLUED_CM, 0), (wide, deep, top)),
                "S": ((0, 0, 0), (wide, GLUED_CM, top)),
                "W": ((0, 0, 0), (GLUED_CM, deep, top)),
                "E": ((wide - GLUED_CM, 0, 0), (wide, deep, top)),
            }[side],
            cloth,
            0,
        )


def _walls(rng: random.Random, floor_cm: Size) -> tuple[dict[str, Box], str]:
    """Return the four walls, and which of them is the backstop: at the back for the most part."""
    wide, deep = floor_cm
    rim, high, thick = rng.uniform(1.5, 2.6), rng.uniform(*BACKSTOP_CM), rng.uniform(0.9, 1.6)
    backstop = rng.choice("NNNSEW")
    top = {side: high if side == backstop else rim for side in "NSEW"}
    return {
        "N": ((-thick, deep, -0.8), (wide + thick, deep + thick, top["N"])),
        "S": ((-thick, -thick, -0.8), (wide + thick, 0, top["S"])),
        "W": ((-thick, 0, -0.8), (0, deep, top["W"])),
        "E": ((wide, 0, -0.8), (wide + thick, deep, top["E"])),
    }, backstop


def _box(box: Box, made: bpy.types.Material, bevel: float) -> None:
    low, high = box
    bpy.ops.mesh.primitive_cube_add(size=1, location=[(a + b) / 2 for a, b in zip(low, high, strict=True)])
    thing = bpy.context.object
    thing.scale = [b - a for a, b in zip(low, high, strict=True)]
    bpy.ops.object.transform_apply(scale=True)
    thing.data.materials.append(made)
    if bevel:
        edge = thing.modifiers.new("edge", "BEVEL")
        edge.width, edge.segments = bevel, 2


def _lamps(light: str, colour: Rgb, rng: random.Random, floor_cm: Size) -> None:
    wide, deep = floor_cm
    match light:
        case "panel2":
            for x in (-12.0, wide + 12):
                _lamp((x, deep / 2 + rng.gauss(0, 3), 70), 6000, colour, (20, 20))
        case "panel1":
            _lamp((wide / 2 + rng.gauss(0, 8), deep / 2 + rng.choice((-14, 14)), 80), 9000, colour, (35, 35))
        case "spots2" | "spots3":
            for _ in range(int(light[-1])):
                at = (wide / 2 + rng.uniform(-35, 35), deep / 2 + rng.uniform(-30, 30), rng.uniform(60, 110))
                _lamp(at, 9000, colour, rng.uniform(1, 4))
        case "lampside":
            at = (rng.choice((-25, wide + 25)), rng.uniform(-5, deep + 15), rng.uniform(25, 50))
            _lamp(at, 8000, colour, rng.uniform(2, 6))
        case "window":
            _lamp((rng.choice((-120, wide + 120)), rng.uniform(0, deep), 70), 60000, (0.85, 0.93, 1.0), (80, 80))
            _lamp((wide / 2, deep / 2 + 40, 90), 1500, (1.0, 0.8, 0.6), 3)
        case "bars":
            for y in (-6.0, deep + 8):
                _lamp((wide / 2, y, 45), 2500, colour, (34, 1.5))
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    sky = world.node_tree.nodes["Background"]
    sky.inputs[0].default_value = (*(part / 2 + 0.5 for part in colour), 1)
    sky.inputs[1].default_value = rng.uniform(0.02, 0.15)


def _lamp(at: tuple[float, float, float], energy: float, colour: Rgb, size: float | tuple[float, float]) -> None:
    """Hang a lamp that shines on the middle of the tray: a ball, or a rectangle."""
    lamp = bpy.data.lights.new("lamp", "AREA" if isinstance(size, tuple) else "POINT")
    lamp.energy, lamp.color = energy, colour
    if isinstance(size, tuple):
        lamp.shape, (lamp.size, lamp.size_y) = "RECTANGLE", size
    else:
        lamp.shadow_soft_size = size
    hung = bpy.data.objects.new("lamp", lamp)
    bpy.context.scene.collection.objects.link(hung)
    hung.location = at
    down = Vector((FLOOR_CM[0] / 2, FLOOR_CM[1] / 2, 0)) - Vector(at)
    hung.rotation_euler = down.to_track_quat("-Z", "Y").to_euler()


def dim(by: float) -> None:
    """Let all lamps and the sky shine so many times as bright."""
    for lamp in bpy.data.lights:
        lamp.energy *= by
    bpy.context.scene.world.node_tree.nodes["Background"].inputs[1].default_value *= by
