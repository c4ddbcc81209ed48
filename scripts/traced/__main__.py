"""Draw throws as another program does it: `python scripts/traced OUT --first 10 --tables 5 --throws 16`.

What `vision/render/` draws is what the second opinion learned from, and what many rules were measured on. Here
nothing is shared with it: Blender draws, with glass that refracts, lacquer that mirrors lamps and veins that run
through a die, and Bullet lets dice fall. Neither is needed for anything else, so both live in an environment of their
own (docs/traced.md).

OUT gets the empty tray and the throws of every table, and `truth.jsonl` in the form of the tray samples, on which
`python -m benchmarks.traced OUT` measures the reader. Table K is always the same table, and takes about five minutes of
one core.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np
import numpy.typing as npt
from crowds import draw_crowds
from dice import SHOP, TURNED, Die, Make, lay, make_die, picked
from draw import SAMPLES, Tracer, empty_scene
from films import draw_film
from lens import GAIN, Lens, Sensor, given
from rests import CORNERS_CM, Doubles, Kind, Rest, begin, rests
from room import Room, furnish
from things import put
from trays import draw_tray
from truth import asked, hidden_part, is_legible, told

ORDER = (
    Kind.APART, Kind.ANY, Kind.TOUCH, Kind.WALL, Kind.APART, Kind.ANY, Kind.COCKED, Kind.MANY,
    Kind.TOUCH, Kind.CLEAR, Kind.WALL, Kind.STACKED, Kind.COCKED, Kind.ANY, Kind.EXTRA, Kind.CLEAR,
)  # fmt: skip
SETS = 4
TURNED_FROM = 800
"""From this table on the corners of half of the dice are turned down; the tables before are as they were."""


def draw_table(out: Path, number: int, throws: int, kinds: Sequence[Kind], paths: int) -> None:
    """Draw the empty tray of table *number* and so many *throws*, and add their truth to `truth.jsonl`."""
    name, rng = f"T{number:03d}", random.Random(f"traced {number}")
    room, sensor, dice, tracer = _set_up(out / f"{name}.png", number, paths, rng)
    lens = tracer.lens
    turn = given(rng)
    _write(out / "empty" / f"{name}.jpg", sensor, tracer, (), turn, rng)
    shared = {"setup": name, "light": room.light, "felt": room.felt, "empty": f"empty/{name}.jpg"}
    shared["empty_tray_corners"] = lens.pixels(CORNERS_CM, turn).round(2).tolist()
    for k in range(throws):
        kind = kinds[k % len(kinds)]
        lying = rests(kind, rng, list(room.walls.values()))
        names = picked(kind, list(dice), len(lying), rng)
        turn, file = given(rng), f"stills/{name}_{k:02d}.jpg"
        there = [lay(dice[one], rest) for one, rest in zip(names, lying, strict=True)]
        thing, more = put(lying, lens.at_cm, rng) if kind is Kind.OCCLUDED else (None, [])
        there += more
        picture = _write(out / file, sensor, tracer, lying, turn, rng, whole=thing is not None)
        hidden = [hidden_part(rest, lens) for rest in lying] if thing else [0.0] * len(lying)
        for one in there:
            bpy.data.objects.remove(one)
        shown = [
            told(rest, one, dice[one], picture, lens, turn) | {"hidden": part}
            for rest, one, part in zip(lying, names, hidden, strict=True)
        ]
        truth = {
            "file": file,
            **shared,
            **asked(kind, len(lying)),
            "occluder": thing,
            "legible": is_legible(shown),
            "tray_corners": lens.pixels(CORNERS_CM, turn).round(2).tolist(),
            "dice": shown,
        }
        with open(out / "truth.jsonl", "a", encoding="utf-8") as truths:
            truths.write(json.dumps(truth) + "\n")
        print(file, kind, [(rest.face, round(rest.tilt_deg)) for rest in lying], flush=True)
    (out / f"{name}.png").unlink()


def _set_up(work: Path, number: int, paths: int, rng: random.Random) -> tuple[Room, Sensor, dict[str, Die], Tracer]:
    """Return table *number*, with what draws it and writes *work* on the way."""
    empty_scene()
    room = furnish(rng)
    lens, sensor = Lens.by_chance(rng), Sensor.by_chance(rng, room.lamp)
    return room, sensor, _dice(rng, number), Tracer(lens, work, paths)


def _dice(rng: random.Random, table: int) -> dict[str, Die]:
    """Return the dice that are thrown on a *table*, by name; three of five at least have clear ones."""
    names = rng.sample(sorted(SHOP), SETS)
    if rng.random() < 0.6:
        names[0] = rng.choice([name for name in sorted(SHOP) if SHOP[name].make is Make.CLEAR])
    corners, turned = random.Random(f"corners {table}"), table >= TURNED_FROM
    balls = [corners.uniform(*TURNED) if turned and corners.random() < 0.5 else None for _ in names]
    return {name: make_die(SHOP[name], rng, ball) for name, ball in zip(names, balls, strict=True)}


def _write(
    path: Path,
    sensor: Sensor,
    tracer: Tracer,
    dice: tuple[()] | list[Rest],
    turn: Doubles,
    rng: random.Random,
    *,
    whole: bool = False,
) -> npt.NDArray[np.uint8]:
    """Draw what the camera sees of *dice*, or of all that is there, into *path*; return it."""
    light = tracer.lens.through(tracer.throw(dice, whole=whole), turn) * (1 + rng.gauss(0, GAIN) if dice else 1)
    return sensor.write(path, light, rng)


def main() -> None:
    """Draw what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python scripts/traced", description=__doc__)
    parser.add_argument("out", type=Path, help="folder; what is there is added to")
    parser.add_argument("--first", type=int, default=10, help="number of the first table")
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--throws", type=int, default=len(ORDER), help="on each of them")
    parser.add_argument("--paths", type=int, default=SAMPLES, help="a pixel; fewer are faster, and other pictures")
    parser.add_argument("--trays", action="store_true", help="one small empty tray on each of them instead")
    parser.add_argument("--crowds", action="store_true", help="throws of a dozen dice, for the second opinion to learn")
    parser.add_argument("--films", action="store_true", help="one film of a throw on each of them instead")
    asked_for = [kind for kind in Kind if kind is not Kind.CROWD]
    parser.add_argument("--only", type=Kind, choices=asked_for, nargs="+", help="kinds of all throws, in turn")
    how = parser.parse_args()
    how.out.mkdir(parents=True, exist_ok=True)
    begin()
    for number in range(how.first, how.first + how.tables):
        kinds = how.only or ORDER
        if how.trays:
            draw_tray(how.out, number, how.paths)
        elif how.crowds:
            draw_crowds(how.out, number, how.throws, how.paths)
        elif how.films:
            rng, work = random.Random(f"traced film {number}"), how.out / f"F{number:03d}.png"
            table = _set_up(work, number, how.paths, rng)
            draw_film(how.out, f"F{number:03d}", kinds[number % len(kinds)], table, rng)
            work.unlink()
        else:
            draw_table(how.out, number, how.throws, kinds, how.paths)


if __name__ == "__main__":
    main()
