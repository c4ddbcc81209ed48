"""Dice of a set: cubes with rounded edges and pips drilled into them, of plastic, marbled plastic or glass."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from colorsys import hsv_to_rgb
from dataclasses import dataclass
from enum import Enum

import bpy
import numpy as np
from materials import Colour, material, of_hex, veined
from mathutils import Matrix, Vector
from rests import AXES, SIDE_CM, Doubles, Kind, Rest
from shapes import changed, chosen

LAYOUTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
RED = "c01010"

TURNED = (1.42, 1.7)
"""Radius, in half sides, of the ball that corners are turned down to: with 1.42 edges end in points, with 1.73 they are
sharp."""


class Make(Enum):
    """What a die is of."""

    SOLID = "solid"
    VEINED = "veined"
    CLEAR = "clear"


@dataclass(frozen=True)
class Ware:
    """A die as a shop lists it: hexadecimal colours of its body, its veins and its pips."""

    make: Make
    body: str
    pip: str
    vein: str = ""
    asian: bool = False

    @classmethod
    def by_chance(cls, rng: random.Random) -> Ware:
        """Return a die such as no shop need have, with pips that are much lighter or darker than its body."""
        make = rng.choice((Make.SOLID, Make.VEINED, Make.CLEAR, Make.CLEAR))
        hue, light = rng.random(), rng.uniform(0.12, 0.95)
        body = _hex_of(hue, rng.choice((0.1, 0.6, 0.9)), light)
        pip_is_light = light < 0.55 or make is Make.CLEAR
        pip = _hex_of(rng.random(), rng.choice((0.0, 0.05, 0.5)), rng.uniform(0.85, 1) if pip_is_light else 0.07)
        vein = _hex_of(hue + rng.uniform(-0.1, 0.1), rng.uniform(0.1, 0.8), (light + rng.uniform(0.15, 0.35)) % 1)
        return cls(make, body, pip, vein, asian=rng.random() < 0.1)


SHOP: Mapping[str, Ware] = {
    "ivory": Ware(Make.SOLID, "e8dfc0", "101010"),
    "white": Ware(Make.SOLID, "f2f2f0", "0c0c0c"),
    "yellow": Ware(Make.SOLID, "e8c020", "101010"),
    "red": Ware(Make.SOLID, "b01818", "f4f4f0"),
    "black": Ware(Make.SOLID, "141416", "f0f0ee"),
    "green": Ware(Make.SOLID, "107040", "f2f2ee"),
    "blue": Ware(Make.SOLID, "1838a0", "f4f4f0"),
    "orange": Ware(Make.SOLID, "e06a10", "f6f6f0"),
    "grey": Ware(Make.SOLID, "808488", "f4f4f4"),
    "purple": Ware(Make.SOLID, "50208a", "f0f0f0"),
    "pink": Ware(Make.SOLID, "e890a8", "101010"),
    "lightblue": Ware(Make.SOLID, "80b8e0", "101018"),
    "wood": Ware(Make.SOLID, "b08050", "181008"),
    "gold_on_black": Ware(Make.SOLID, "18181c", "c8a040"),
    "asian": Ware(Make.SOLID, "f0eee6", "0c0c0c", asian=True),
    "marble_white": Ware(Make.VEINED, "e8e6e4", "101010", "b8b4b8"),
    "marble_blue": Ware(Make.VEINED, "e0e4f0", "101018", "3a5fc0"),
    "marble_purple": Ware(Make.VEINED, "5a2a80", "f6f0f8", "b080d0"),
    "marble_green": Ware(Make.VEINED, "0f6a4a", "f4f8f0", "70c0a0"),
    "trans_red": Ware(Make.CLEAR, "c01020", "f8f8f4"),
    "trans_green": Ware(Make.CLEAR, "109048", "f8f8f4"),
    "trans_blue": Ware(Make.CLEAR, "1850c8", "f8f8f4"),
    "trans_smoke": Ware(Make.CLEAR, "606468", "f8f8f4"),
}


@dataclass(frozen=True, eq=False)
class Mark:
    """A pip: its middle on its face, along the two of the die's axes that the face has, and its radius."""

    at_cm: Doubles
    radius_cm: float


@dataclass(frozen=True, eq=False)
class Die:
    """A die that is not in the picture: `lay` puts copies of it there."""

    body: bpy.types.Object
    marks: Mapping[int, Sequence[Mark]]


def make_die(ware: Ware, rng: random.Random, ball: float | None = None) -> Die:
    """Return a die like *ware*, its corners turned down to a *ball* of so many half sides, if one is given."""
    body = _body(ware, rng)
    pip, red = material(of_hex(ware.pip), 0.5), material(of_hex(RED), 0.5)
    bpy.ops.mesh.primitive_cube_add(size=SIDE_CM)
    die = bpy.context.object
    for one in (body, pip, red):
        die.data.materials.append(one)
    changed(die, "BEVEL", width=rng.choice((0.08, 0.18, 0.28)), segments=5)
    if ball is not None:
        _turn_down(die, ball * SIDE_CM / 2)
    drills, marks = _drills(ware, rng, pip, red)
    changed(die, "BOOLEAN", object=drills, operation="DIFFERENCE", solver="EXACT", material_mode="TRANSFER")
    bpy.data.objects.remove(drills)
    chosen(die)
    bpy.ops.object.shade_smooth_by_angle(angle=math.radians(40))
    # Light is mirrored as by a flat face, up to its very edge and to its pips.
    changed(die, "WEIGHTED_NORMAL", mode="FACE_AREA", weight=100, keep_sharp=True)
    die.hide_render = die.hide_viewport = True
    return Die(die, marks)


def picked(kind: Kind, names: list[str], count: int, rng: random.Random) -> list[str]:
    """Return which of *names* are thrown in a throw of *kind*, *count* of them."""
    if kind is Kind.CLEAR:
        clear = [name for name in names if SHOP[name].make is Make.CLEAR] or names
        return [rng.choice(clear)] * count
    return [rng.choice(names)] * count if rng.random() < 0.5 else [rng.choice(names) for _ in range(count)]


def lay(die: Die, rest: Rest) -> bpy.types.Object:
    """Return a copy of *die* that lies, or moves, as *rest* says."""
    copy = die.body.copy()
    copy.hide_render = copy.hide_viewport = False
    bpy.context.scene.collection.objects.link(copy)
    copy.rotation_mode, copy.cycles.motion_steps = "QUATERNION", 3
    for moment, then in enumerate((rest, *rest.way)):
        turn = Matrix(then.rotation.tolist()).to_quaternion()
        if moment:
            turn.make_compatible(copy.rotation_quaternion)
        copy.location, copy.rotation_quaternion = then.at_cm, turn
        if rest.way:
            # The shutter is open from the first frame to the second (draw.py).
            for path in ("location", "rotation_quaternion"):
                copy.keyframe_insert(path, frame=1 + moment / len(rest.way))
    return copy


def _hex_of(hue: float, saturation: float, value: float) -> str:
    return "".join(f"{round(255 * part):02x}" for part in hsv_to_rgb(hue % 1, saturation, value))


def _turn_down(die: bpy.types.Object, radius_cm: float) -> None:
    """Leave of *die* what is within a ball about its middle."""
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius_cm, segments=128, ring_count=96)
    ball = bpy.context.object
    ball.data.materials.append(die.data.materials[0])
    changed(die, "BOOLEAN", object=ball, operation="INTERSECT", solver="EXACT", material_mode="TRANSFER")
    bpy.data.objects.remove(ball)


def _body(ware: Ware, rng: random.Random) -> bpy.types.Material:
    colour, rough = of_hex(ware.body), rng.uniform(0.08, 0.4)
    if ware.make is Make.CLEAR:
        passes = {"Transmission Weight": rng.uniform(0.75, 1.0), "IOR": rng.uniform(1.46, 1.55)}
        return material(colour, rough / 2, passes)
    made = material(colour, rough, {"Coat Weight": rng.choice((0.0, 0.3, 1.0)), "Coat Roughness": 0.05})
    if ware.make is Make.VEINED:
        veined(made, colour, of_hex(ware.vein), rng.uniform(0.8, 1.6))
    return made


def _drills(
    ware: Ware, rng: random.Random, pip: Colour, red: Colour
) -> tuple[bpy.types.Object, Mapping[int, Sequence[Mark]]]:
    """Return balls where the pips of all faces are, as one object, and where they are."""
    pitch, radius, depth = rng.uniform(0.38, 0.46), rng.uniform(0.135, 0.175), rng.uniform(0.025, 0.11)
    row = pitch * rng.choice((1.0, 1.0, 0.85))
    balls = []
    marks: dict[int, list[Mark]] = {face: [] for face in AXES}
    for face, axis in AXES.items():
        along = np.array((1.0, 0, 0)) if abs(axis[0]) < 0.5 else np.array((0.0, 1, 0))
        across = np.cross(axis, along)
        if face in (2, 3, 6) and rng.random() < 0.5:
            along, across = across, -along
        near = 0.8 if ware.asian and face in (2, 3) else 1.0
        large = 1.9 if ware.asian and face == 1 else 1.0
        for x, y in LAYOUTS[face]:
            deep, wide = depth * (1.4 if large > 1 else 1.0), radius * large
            ball = (wide**2 + deep**2) / (2 * deep)
            at = axis * (SIDE_CM / 2 - deep + ball) + along * x * (row if face == 6 else pitch * near)
            at = at + across * y * pitch * near
            marks[face].append(Mark(at[np.abs(axis) < 0.5], wide))
            bpy.ops.mesh.primitive_uv_sphere_add(radius=ball, location=Vector(at), segments=40, ring_count=24)
            bpy.context.object.data.materials.append(red if ware.asian and face in (1, 4) else pip)
            balls.append(bpy.context.object)
    chosen(*balls)
    bpy.ops.object.join()
    return bpy.context.object, marks
