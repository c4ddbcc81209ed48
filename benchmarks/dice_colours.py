"""Whether two dice are told apart by their colours, and rightly: `python -m benchmarks.dice_colours`.

Dice as shops sell them, on rendered trays under three lamps, read by the reader; every fourth pair is of equal dice.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from firmware.dice_colours import WARM_UP, Apart
from firmware.throws import seen_dice
from vision.calibrating import calibrate
from vision.calibration import Calibration
from vision.colour import coloured
from vision.read import read_tray
from vision.render import RenderedDie, Table
from vision.render.designs import Body, design

PAIRS = 40
THROWS = WARM_UP + 5
TRIES = 40
TABLES = (3, 5, 8)
DIE_MM = 16.0


@dataclass(frozen=True)
class Told:
    """What came of one pair: whether its dice are equal, how many throws were told apart, how many the wrong way."""

    equal: bool
    throws: int
    wrong: int


def trays() -> list[tuple[Table, Calibration]]:
    """Return tables under different lamps, each with its calibration."""
    tables = [Table(seed=seed) for seed in TABLES]
    return [
        (table, calibrate([table.empty(n) for n in range(3)], tray_mm=table.tray_mm, corners=table.corners_px))
        for table in tables
    ]


def thrown(rng: random.Random, dice: Sequence[RenderedDie]) -> list[RenderedDie]:
    """Return two *dice* somewhere in the tray, showing different faces."""
    x, y = rng.uniform(25, 130), rng.uniform(25, 195)
    places = [(x, y), (x + rng.uniform(35, 140), rng.uniform(25, 195))]
    rng.shuffle(places)
    faces = rng.sample(range(1, 7), 2)
    return [
        replace(die, x_mm=place[0], y_mm=place[1], yaw_deg=rng.uniform(0, 90), top=face)
        for die, place, face in zip(dice, places, faces, strict=True)
    ]


def tried(rng: random.Random, table: Table, calibration: Calibration, dice: Sequence[RenderedDie], equal: bool) -> Told:
    """Throw *dice* until enough throws were read, and look which of them are told apart."""
    apart, told, truth = Apart(), list[tuple[int, ...]](), list[tuple[int, ...]]()
    for seed in range(TRIES):
        lying = thrown(rng, dice)
        frame = table.picture(lying, seed=seed)
        reading = read_tray(frame, calibration, 2)
        faces = tuple(die.top for die in lying)
        if reading.faces != tuple(sorted(faces, reverse=True)):
            continue
        truth.append(faces)
        seen = seen_dice(coloured(frame, reading))
        told += (tuple(pair) for _, pair in apart.see([face for face, _ in seen], [colour for _, colour in seen]))
        if len(truth) == THROWS:
            break
    pairs = list(zip(told, truth[-len(told) :] if told else (), strict=True))
    crossed = sum(one == other[::-1] for one, other in pairs)
    return Told(equal, len(pairs), min(crossed, len(pairs) - crossed))


def report(pairs: int) -> str:
    """Return in a line how many pairs were told apart, and how often the wrong way round."""
    rng, known, found = random.Random(7), trays(), []
    for number in range(pairs):
        equal = number % 4 == 3
        one = design(rng, DIE_MM, rng.choice(list(Body)))
        other = one if equal else design(rng, DIE_MM, rng.choice(list(Body)))
        found.append(tried(rng, *known[number % len(known)], (one, other), equal))
    different, alike = ([one for one in found if one.equal is equal] for equal in (False, True))
    return (
        f"{sum(one.throws > 0 for one in different)} of {len(different)} pairs of different dice told apart, "
        f"{sum(one.wrong for one in different)} of {sum(one.throws for one in different)} throws the wrong way round; "
        f"{sum(one.throws > 0 for one in alike)} of {len(alike)} pairs of equal dice taken for two"
    )


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS))
