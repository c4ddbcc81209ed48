"""Empty trays, small, of all shapes and linings: the finder of the floor learns from them, and from `vision.render`."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from draw import Tracer, empty_scene
from lens import Lens, Sensor, given
from rests import FLOOR_CM
from room import furnish, line_walls

SHRUNK = 4
"""How much smaller the picture is than that of a throw."""

OTHER_SIZES, WIDE_CM, RATIO = 0.4, (24.0, 34.0), (1.25, 1.5)
"""How many trays are not of the usual size, how wide those are, and by how much wider than deep."""

BENT, BENDS = 0.5, (-0.17, 0.02)
"""How many lenses bend by more than the usual ones, and by how much."""

LINED = 0.6
"""How many trays have cloth on walls."""

ALONG = np.arange(12)[:, None] / 12
"""Parts of each side at which its place is told: a lens bends it."""


def draw_tray(out: Path, number: int, paths: int) -> None:
    """Draw empty tray *number*, and add the outline of its floor to `trays.jsonl`."""
    rng = random.Random(f"traced tray {number}")
    floor = FLOOR_CM
    if rng.random() < OTHER_SIZES:
        wide = rng.uniform(*WIDE_CM)
        floor = (wide, wide / rng.uniform(*RATIO))
    empty_scene()
    room = furnish(rng, floor)
    if rng.random() < LINED:
        line_walls(room, rng, floor)
    lens, sensor = Lens.by_chance(rng, floor), Sensor.by_chance(rng, room.lamp)
    if rng.random() < BENT:
        lens = replace(lens, bend=rng.uniform(*BENDS))
    work = out / f"E{number}.png"
    tracer, turn = Tracer(lens, work, paths, SHRUNK), given(rng)
    picture = sensor.take(lens.through(tracer.empty, turn), rng)
    small = cv2.resize(picture, None, fx=1 / SHRUNK, fy=1 / SHRUNK, interpolation=cv2.INTER_AREA)
    work.unlink()
    cv2.imwrite(str(out / f"E{number}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, sensor.quality])
    corners = np.array([(0, floor[1], 0), (*floor, 0), (floor[0], 0, 0), (0, 0, 0)], float)
    after = np.roll(corners, -1, axis=0)
    outline = np.concatenate([one + ALONG * (other - one) for one, other in zip(corners, after, strict=True)])
    told = {"file": f"E{number}.jpg", "outline": (lens.pixels(outline, turn) / SHRUNK).round(2).tolist()}
    with open(out / "trays.jsonl", "a", encoding="utf-8") as truths:
        truths.write(json.dumps(told) + "\n")
