"""Shapes of Blender: solids that are turned on a lathe, boxes, limbs of balls and cones, and how they are changed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector

Point = tuple[float, float, float]


def changed(thing: bpy.types.Object, kind: str, **how: object) -> None:
    """Change the shape of *thing* by one of Blender's modifiers."""
    modifier = thing.modifiers.new(kind, kind)
    for name, value in how.items():
        setattr(modifier, name, value)
    chosen(thing)
    bpy.ops.object.modifier_apply(modifier=modifier.name)


def chosen(*things: bpy.types.Object) -> None:
    """Let the next operation change *things*, the first of them above all."""
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = things[0]


def turned(profile: Sequence[tuple[float, float]], made: bpy.types.Material, around: int = 64) -> bpy.types.Object:
    """Return the solid whose *profile* of (radius, height) is turned about the vertical, of one material."""
    turns = np.arange(around) * (math.tau / around)
    points = [(r * math.cos(turn), r * math.sin(turn), z) for r, z in profile for turn in turns]
    faces = [
        (row * around + k, row * around + after, (row + 1) * around + after, (row + 1) * around + k)
        for row in range(len(profile) - 1)
        for k, after in zip(range(around), [*range(1, around), 0], strict=True)
    ]
    ends = [tuple(range(around))[::-1], tuple(range((len(profile) - 1) * around, len(profile) * around))]
    shape = bpy.data.meshes.new("turned")
    shape.from_pydata(points, [], faces + ends)
    solid = bpy.data.objects.new("turned", shape)
    bpy.context.scene.collection.objects.link(solid)
    solid.data.materials.append(made)
    chosen(solid)
    bpy.ops.object.shade_auto_smooth(angle=math.radians(30))
    return solid


def box(size: Point, made: bpy.types.Material, bevel: float) -> bpy.types.Object:
    """Return a box about the origin with edges rounded by *bevel*."""
    bpy.ops.mesh.primitive_cube_add(size=1)
    solid = bpy.context.object
    solid.scale = size
    bpy.ops.object.transform_apply(scale=True)
    solid.data.materials.append(made)
    changed(solid, "BEVEL", width=bevel, segments=3)
    return solid


def limb(bones: Sequence[tuple[Point, float, Point, float]], made: bpy.types.Material, fine: float) -> bpy.types.Object:
    """Return flesh round *bones*, each from one point and radius to another, grown together; *fine* is its grain."""
    parts = []
    for one, thick, other, thin in bones:
        for at, radius in ((one, thick), (other, thin)):
            bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, location=at, segments=24, ring_count=16)
            parts.append(bpy.context.object)
        way = Vector(other) - Vector(one)
        bpy.ops.mesh.primitive_cone_add(
            radius1=thick, radius2=thin, depth=way.length, location=(Vector(one) + Vector(other)) / 2
        )
        bpy.context.object.rotation_euler = way.to_track_quat("Z", "Y").to_euler()
        parts.append(bpy.context.object)
    chosen(*parts)
    bpy.ops.object.join()
    grown = bpy.context.object
    chosen(grown)
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    changed(grown, "REMESH", mode="VOXEL", voxel_size=fine)
    changed(grown, "SMOOTH", factor=0.5, iterations=6)
    grown.data.materials.clear()
    grown.data.materials.append(made)
    bpy.ops.object.shade_smooth()
    return grown


def placed(thing: bpy.types.Object, at: Point, turn: Matrix) -> None:
    """Put *thing* where it lies, turned by the (3, 3) *turn*."""
    thing.matrix_world = Matrix.Translation(at) @ turn.to_4x4()
    bpy.context.view_layer.update()


def raised(things: Sequence[bpy.types.Object], first_to: float) -> None:
    """Raise *things* together until the lowest point of the first is at that height."""
    low = min((things[0].matrix_world @ point.co).z for point in things[0].data.vertices)
    for thing in things:
        placed(thing, (*thing.location[:2], thing.location[2] + first_to - low), thing.matrix_world.to_3x3())
