"""Crowds of dice, flat and leaning, each drawn with only a little round it: the second opinion learns from them.

A die of a throw of two takes four times as long, most of it for what lies round it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import bpy
import cv2
import numpy as np
import numpy.typing as npt
from dice import SHOP, TURNED, Die, Ware, lay, make_die
from draw import Tracer, empty_scene
from lens import GAIN, HEIGHT, WIDTH, Lens, Sensor, given
from rests import CORNERS_CM, Doubles, Floats, Kind, rests
from room import furnish
from truth import asked, is_legible, told

SETS, OF_SHOP, TURNED_DOWN = 9, 0.6, 0.4
"""Sets of dice of a table; how many of them a shop has, and how many have corners turned down."""

EMPTY_PATHS = 5
"""Paths a pixel of the empty tray, which is most of what is drawn."""

AROUND_CM = 2.2
"""How far from its middle a die is drawn: the second opinion sees 1.5 cm each way."""


@dataclass(frozen=True)
class Eye:
    """What takes the pictures of a table, and makes them *smaller* by so much: half of the tables are seen so."""

    lens: Lens
    sensor: Sensor
    smaller: int

    def take(self, path: Path, light: Floats, turn: Doubles, rng: random.Random) -> npt.NDArray[np.uint8]:
        """Write what is seen of *light* to *path*, and return it."""
        size = WIDTH // self.smaller, HEIGHT // self.smaller
        seen = cv2.resize(self.lens.through(light, turn), size, interpolation=cv2.INTER_AREA)
        return self.sensor.write(path, np.asarray(seen, np.float32), rng)

    def shown(self, places: object) -> list[list[float]]:
        """Return *places*, pixels of a picture of the whole size, in those of what is taken."""
        return (np.array(places) / self.smaller).round(2).tolist()


def draw_crowds(out: Path, number: int, throws: int, paths: int) -> None:
    """Draw the empty tray of table *number* and so many *throws* of a dozen dice, or twice as many small pictures."""
    name, rng = f"C{number}", random.Random(f"traced crowd {number}")
    empty_scene()
    room = furnish(rng)
    eye = Eye(Lens.by_chance(rng), Sensor.by_chance(rng, room.lamp), 1 + number % 2)
    work = out / f"{name}.png"
    tracer = Tracer(eye.lens, work, EMPTY_PATHS, eye.smaller)
    bpy.context.scene.cycles.samples = paths
    shop, turn = _sets(rng), given(rng)
    eye.take(out / "empty" / f"{name}.jpg", tracer.empty, turn, rng)
    shared = {"setup": name, "light": room.light, "felt": room.felt, "empty": f"empty/{name}.jpg"}
    shared["empty_tray_corners"] = eye.shown(eye.lens.pixels(CORNERS_CM, turn))
    for k in range(throws * eye.smaller):
        file = f"stills/{name}_{k:02d}.jpg"
        lying = rests(Kind.CROWD, rng, list(room.walls.values()))
        names = rng.choices(list(shop), k=len(lying))
        there = [lay(shop[one], rest) for one, rest in zip(names, lying, strict=True)]
        light, turn = tracer.throw(lying, around_cm=AROUND_CM) * (1 + rng.gauss(0, GAIN)), given(rng)
        for one in there:
            bpy.data.objects.remove(one)
        picture = np.asarray(cv2.resize(eye.take(out / file, light, turn, rng), (WIDTH, HEIGHT)), np.uint8)
        dice = [told(rest, one, shop[one], picture, eye.lens, turn) for rest, one in zip(lying, names, strict=True)]
        truth = {
            "file": file,
            **shared,
            **asked(Kind.COCKED, len(lying)),
            "legible": is_legible(dice),
            "tray_corners": eye.shown(eye.lens.pixels(CORNERS_CM, turn)),
            "dice": [die | {place: eye.shown(die[place]) for place in ("corners", "centre")} for die in dice],
        }
        with open(out / "truth.jsonl", "a", encoding="utf-8") as truths:
            truths.write(json.dumps(truth) + "\n")
        print(file, [(rest.face, round(rest.tilt_deg)) for rest in lying], flush=True)
    work.unlink()


def _sets(rng: random.Random) -> Mapping[str, Die]:
    """Return sets of dice by name, such as a shop has and others."""
    sets = {}
    for k in range(SETS):
        name = rng.choice(sorted(SHOP)) if rng.random() < OF_SHOP else ""
        ware = SHOP[name] if name else Ware.by_chance(rng)
        ball = rng.uniform(*TURNED) if rng.random() < TURNED_DOWN else None
        sets[f"{name or ware.body} {k}"] = make_die(ware, rng, ball)
    return sets
