"""Films of throws: `python scripts/traced OUT --films`, in the form of the clips among the tray samples."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import bpy
import cv2
import numpy as np
from dice import Die, lay, picked
from draw import Tracer
from lens import HEIGHT, WIDTH, Sensor, given
from rests import CORNERS_CM, FAULTS, Doubles, Floats, Kind, Rest, filmed
from room import Room
from shutter import apart_s, open_s
from truth import asked

FPS = 30
SHUTTER_S = 1 / 60
"""What is asked of the engine, and written into the film's head; how long it took is told in the truth."""

SIZE = (WIDTH // 2, HEIGHT // 2)
EMPTY, LYING = 15, 30
"""How many pictures the tray is empty before the dice fall, and they lie there in the end."""


Table: TypeAlias = tuple[Room, Sensor, Mapping[str, Die], Tracer]


def draw_film(out: Path, name: str, kind: Kind, table: Table, rng: random.Random) -> None:
    """Draw the empty tray of *table* and a throw of *kind*, in half the size, and add to the truth of *out*."""
    room, sensor, shop, tracer = table
    turn = given(rng)
    moments = filmed(kind, rng, list(room.walls.values()), SHUTTER_S, 1 / FPS)
    dice = [shop[one] for one in picked(kind, list(shop), len(moments[0]), rng)]
    for folder in ("empty", "clips"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    empty = f"empty/{name}_{SIZE[0]}.jpg"
    cv2.imwrite(str(out / empty), sensor.take(_seen(tracer, (), dice, given(rng)), rng))
    film = cv2.VideoWriter(str(out / "clips" / f"{name}.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    for light in _lights(tracer, moments, dice, turn):
        film.write(sensor.take(light, rng))
    film.release()
    rest, last = EMPTY + len(moments) - 1, moments[-1]
    wanted = asked(kind, len(last))
    truth = {
        "file": f"clips/{name}.mp4",
        "setup": name,
        "scenario": wanted["expected"] if kind not in FAULTS else kind.value,
        "fps": round(1 / apart_s(SHUTTER_S, 1 / FPS), 2),
        "frames": rest + LYING,
        "size": SIZE,
        "exposure_s": round(open_s(SHUTTER_S), 5),
        "rest_frame": rest,
        "readable_frames": [rest, rest + LYING - 1],
        **wanted,
        "final_faces": [one.face if one.lies_flat else None for one in last],
        "tray_corners": (tracer.lens.pixels(CORNERS_CM, turn) / 2).round(2).tolist(),
        "empty": empty,
        "light": room.light,
        "felt": room.felt,
    }
    with open(out / "clips" / "truth.jsonl", "a", encoding="utf-8") as truths:
        truths.write(json.dumps(truth) + "\n")
    print(truth["file"], kind, truth["frames"], truth["final_faces"], flush=True)


def _lights(tracer: Tracer, moments: Sequence[Sequence[Rest]], dice: Sequence[Die], turn: Doubles) -> Iterator[Floats]:
    """Yield what each picture of the film is taken of: the tray empty, the dice in motion, and at rest."""
    empty = _seen(tracer, (), dice, turn)
    for _ in range(EMPTY):
        yield empty
    for there in moments[:-1]:
        yield _seen(tracer, there, dice, turn)
    lying = _seen(tracer, moments[-1], dice, turn)
    for _ in range(LYING):
        yield lying


def _seen(tracer: Tracer, there: Sequence[Rest], dice: Sequence[Die], turn: Doubles) -> Floats:
    """Return linear light of the tray with *dice* where they are: float32, shape (HEIGHT / 2, WIDTH / 2, 3)."""
    laid = [lay(die, rest) for die, rest in zip(dice, there, strict=False)]
    light = tracer.lens.through(tracer.throw(there), turn)
    for one in laid:
        bpy.data.objects.remove(one)
    return np.asarray(cv2.resize(light, SIZE, interpolation=cv2.INTER_AREA), np.float32)
