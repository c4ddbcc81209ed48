"""The light that a rendered die sends to the camera: from its skin, from inside it, and mirrored in its gloss."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.render.camera import Doubles
from vision.render.light import Box, Lamp, Lights, lamp_at, linear, room_of, seen_part
from vision.render.paint import painted
from vision.render.pose import RenderedDie, face_axes
from vision.render.skin import Hits
from vision.types import Floats


def shade(
    die: RenderedDie, hits: Hits, rays: Floats, lights: Lights, ground: Floats, blockers: Sequence[Box]
) -> Floats:
    """Return the light, shape (3, N), that *die* sends back along *rays* (all rays, as given to `trace`).

    Parameters
    ----------
    die, hits, rays
        What was traced.
    lights
        The lamps.
    ground
        Light that comes up from what the die lies on, shape (3,).
    blockers
        What may stand between the die and a lamp.
    """
    paint = painted(die, hits.points, hits.normals)
    open_to_light = paint.open_to_light
    turn = die.rotation.astype(np.float32)
    points = turn @ hits.points + die.centre_mm.astype(np.float32)[:, None]
    normals = turn @ (paint.normals / np.sqrt(np.einsum("ij,ij->j", paint.normals, paint.normals)))
    skin = turn @ hits.normals
    view = -rays[:, hits.rays]
    room = room_of(lights)[:, None]
    upward = 0.5 + 0.5 * normals[2]
    low = np.clip((points[2] - points[2].min()) / np.float32(die.size_mm), 0, 1)
    scattered = room * (upward + 0.35) * (0.55 + 0.45 * np.sqrt(low)) * open_to_light
    scattered = scattered + ground[:, None] * (1 - upward) * np.float32(0.8)
    glass = ground[:, None] + 0.5 * room
    caustic = np.zeros(3, np.float32)
    mirrored, share = _mirrored(normals, view, room, ground[:, None])
    rough = np.where(paint.pip, _rough(die.pip_gloss), _rough(die.gloss))
    for lamp in lights:
        sun = np.array(lamp.bgr, np.float32)[:, None]
        to_lamp, strength = lamp_at(points, lamp)
        seen = seen_part(points, skin, lamp, blockers, scattered=True)
        strength = strength * seen * np.clip(np.einsum("ij,ij->j", skin, to_lamp) * 8 + 0.4, 0, 1)
        facing = np.maximum(np.einsum("ij,ij->j", normals, to_lamp), 0)
        scattered = scattered + sun * (strength * facing * open_to_light)
        glass = glass + 0.2 * sun * strength
        caustic = caustic - to_lamp.mean(axis=1) * np.float32(sum(lamp.bgr) / 3)
        mirrored = mirrored + share * sun * (_lamp_mirrored(points, normals, view, lamp, rough) * seen * open_to_light)
    body = paint.colour * scattered
    if die.clear:
        clear = die.clear * ~paint.pip
        body = body * (1 - clear) + clear * glass * _through(die, hits, turn.T @ rays[:, hits.rays], turn.T @ caustic)
    return np.asarray(body + mirrored, np.float32)


def _through(die: RenderedDie, hits: Hits, ways: Floats, caustic: Floats) -> Floats:
    """Return which part of the light about it a clear *die* lets through along *ways*, (3, N) in its own space.

    A way is refracted where it enters and ends at the far side, where pips shine in the light inside, and where the
    lamps' light gathers: in the corner to which *caustic*, shape (3,), points.
    """
    ratio = np.float32(1 / 1.49)
    cosine = -np.einsum("ij,ij->j", hits.normals, ways)
    bent = ratio * ways + (ratio * cosine - np.sqrt(1 - ratio**2 * (1 - cosine**2))) * hits.normals
    bent = np.where(np.abs(bent) < 1e-6, np.float32(1e-6), bent)
    length = ((np.sign(bent) * np.float32(die.size_mm / 2) - hits.points) / bent).min(axis=0)
    ends = np.asarray(hits.points + length * bent, np.float32)
    far = painted(die, ends, hits.normals)
    tint = linear(die.body_bgr) / linear(die.body_bgr).max()
    passed = tint[:, None] ** np.maximum(length / np.float32(die.size_mm), 0)
    strength = float(np.linalg.norm(caustic))
    gathered = np.clip(caustic @ ends / np.float32(max(strength, 1e-6) * die.size_mm * 0.75), 0, 1) ** 4
    return np.asarray(
        passed * (np.where(far.pip, 0.15 + 1.1 * far.colour, 0.3) + 1.6 * strength * gathered), np.float32
    )


def _lamp_mirrored(points: Floats, normals: Floats, view: Floats, lamp: Lamp, rough: Floats) -> Floats:
    """Return what of *lamp*'s face the skin mirrors, shape (N,): its radiance where it is seen whole.

    *rough*, shape (N,), is the spread of the mirrored way in radians. The face is softened by it as a whole, which
    is the highlight of a lamp of any size, from a point to a ceiling of light.
    """
    mirrored = 2 * np.einsum("ij,ij->j", normals, view) * normals - view
    axes = lamp.axes.astype(np.float32)
    towards = -(axes[2] @ mirrored)
    start = points - np.array(lamp.position_mm, np.float32)[:, None]
    far = (axes[2] @ start) / np.where(towards > 1e-3, towards, np.float32(1))
    spread = np.maximum(rough * far, 0.5)
    place = axes[:2] @ (start + far * mirrored)
    share = np.where((towards > 1e-3) & (far > 0), np.float32(lamp.radiance), np.float32(0))
    for along, half in zip(place, lamp.half_mm, strict=True):
        edges = (np.tanh(np.float32(0.85) * (along + sign * half) / spread) for sign in (1, -1))
        share = share * np.float32(0.5) * np.subtract(*edges)
    return np.asarray(share, np.float32)


def mirrored_by_top(die: RenderedDie, eye_mm: Doubles, lights: Lights) -> float:
    """Return the light of *lights* that the middle of the top of *die* mirrors to a camera at *eye_mm*, shape (3,)."""
    out = (die.rotation @ face_axes(die.layout.clockwise)[die.up][2])[:, None]
    middle = die.centre_mm[:, None] + out * die.size_mm / 2
    view = (eye_mm[:, None] - middle) / np.linalg.norm(eye_mm[:, None] - middle)
    rough = np.full(1, _rough(die.gloss))
    seen = (_lamp_mirrored(middle, out, view, lamp, rough).item() * float(np.mean(lamp.bgr)) for lamp in lights)
    return _share_mirrored(out.T @ view).item() * sum(seen)


def _mirrored(normals: Floats, view: Floats, room: Floats, ground: Floats) -> tuple[Floats, Floats]:
    """Return what shows in the skin as in a mirror, the room above or the ground below, (3, N), and its share, (N,)."""
    cosine = np.clip(np.einsum("ij,ij->j", normals, view), 0, 1)
    upward = np.clip((2 * cosine * normals[2] - view[2]) * 2 + 0.5, 0, 1)
    share = _share_mirrored(cosine)
    return np.asarray(share * (ground + upward * (room - ground)), np.float32), share


def _share_mirrored(cosine: Floats | Doubles) -> Floats:
    """Return the share of light that a skin mirrors which is seen at an angle of this *cosine*.

    Schlick's for plastic (Computer Graphics Forum 13, 1994, 233-246).
    """
    return np.asarray(0.04 + 0.4 * (1 - cosine) ** 5, np.float32)


def _rough(gloss: float) -> np.float32:
    """Return the spread of the mirrored way, radians, of a skin of *gloss*."""
    return np.float32(2 / gloss**0.5)
