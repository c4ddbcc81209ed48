"""Materials of Blender: a plain one, one of two colours that run into one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import bpy

Colour: TypeAlias = tuple[float, float, float, float]


def of_hex(text: str) -> Colour:
    """Return the linear colour of six hexadecimal digits."""
    red, green, blue = (int(text[k : k + 2], 16) / 255 for k in (0, 2, 4))
    return _linear(red), _linear(green), _linear(blue), 1.0


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def lighter(colour: Colour, by: float) -> Colour:
    """Return *colour* so many times as light."""
    red, green, blue, _ = (min(1.0, part * by) for part in colour)
    return red, green, blue, 1.0


def material(colour: Colour, rough: float, more: Mapping[str, float] | None = None) -> bpy.types.Material:
    """Return a material of one *colour*; *more* are inputs of Blender's principled surface."""
    made = bpy.data.materials.new("material")
    made.use_nodes = True
    surface = made.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = colour
    for name, value in {"Roughness": rough, **(more or {})}.items():
        surface.inputs[name].default_value = value
    return made


def veined(made: bpy.types.Material, one: Colour, other: Colour, scale: float) -> None:
    """Let veins of *other* run through *made*."""
    mottled(made, one, other, scale, detail=3, distortion=2.5, between=(0.42, 0.6))


def mottled(
    made: bpy.types.Material,
    one: Colour,
    other: Colour,
    scale: float,
    *,
    detail: float = 8,
    distortion: float = 0,
    between: tuple[float, float] = (0.35, 0.65),
) -> None:
    """Let the colour of *made* change between two."""
    tree = made.node_tree
    where, noise, ramp = (
        tree.nodes.new(name) for name in ("ShaderNodeTexCoord", "ShaderNodeTexNoise", "ShaderNodeValToRGB")
    )
    for name, value in (("Scale", scale), ("Detail", detail), ("Distortion", distortion), ("Roughness", 0.65)):
        noise.inputs[name].default_value = value
    for element, at, colour in zip(ramp.color_ramp.elements, between, (one, other), strict=True):
        element.position, element.color = at, colour
    tree.links.new(where.outputs["Object"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])


def rough_cloth(made: bpy.types.Material, height: float, scale: float) -> None:
    """Give *made* the nap of felt."""
    tree = made.node_tree
    where, noise, bump = (
        tree.nodes.new(name) for name in ("ShaderNodeTexCoord", "ShaderNodeTexNoise", "ShaderNodeBump")
    )
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = scale, 3
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = height, 0.05
    tree.links.new(where.outputs["Object"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], tree.nodes["Principled BSDF"].inputs["Normal"])


def patterned(made: bpy.types.Material, one: Colour, other: Colour, scale: float, distortion: float | None) -> None:
    """Give *made* checks of two colours, or stripes where *distortion* tells how wavy they are."""
    tree = made.node_tree
    where = tree.nodes.new("ShaderNodeTexCoord")
    base = tree.nodes["Principled BSDF"].inputs["Base Color"]
    if distortion is None:
        checks = tree.nodes.new("ShaderNodeTexChecker")
        checks.inputs["Color1"].default_value, checks.inputs["Color2"].default_value = one, other
        checks.inputs["Scale"].default_value = 2 * scale
        tree.links.new(where.outputs["Object"], checks.inputs["Vector"])
        tree.links.new(checks.outputs["Color"], base)
        return
    stripes, ramp = tree.nodes.new("ShaderNodeTexWave"), tree.nodes.new("ShaderNodeValToRGB")
    stripes.inputs["Scale"].default_value, stripes.inputs["Distortion"].default_value = scale, distortion
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = one, other
    tree.links.new(where.outputs["Object"], stripes.inputs["Vector"])
    tree.links.new(stripes.outputs["Fac"], ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], base)
