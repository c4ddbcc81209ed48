"""What tells motion learns from: dice that move and such as lie still, where they lie, and as things without a face."""

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np
from opinion_samples import LAID_BADLY, MOVES_MM, RARE_TRIES, REST_MM, bare, by_tier, calibrated, pictures_of

from vision import Calibration
from vision.backdrop import backdrop_of
from vision.glance import Glance, glance
from vision.layouts import FaceFit
from vision.render.case import Case, Tier, draw_case, make_fault
from vision.render.pose import RenderedDie
from vision.render.setup import LARGE, SMALL, Setup, make_setup
from vision.render.truth import truth_of
from vision.tray.closeup import Closeup, closeups
from vision.tray.opinion import MOVES, patch_of
from vision.types import Doubles, Frame

STILL = 0

FARTHEST_MM = 25.0

MOVING, LEANING = 16, ("cocked_die", "cocked_wall", "slight_die", "slight_wall", "stacked")
OTHERS = {Tier.EASY: 4, Tier.NORMAL: 6, Tier.HARD: 8, Tier.MANY: 3, Tier.FAULTS: 8}
"""So many throws of a table, moving ones, two of each of these kinds, and so many of each tier."""

SMALL_EVERY = 4
"""Every so many-th table is seen in pictures of 640x480."""

OFF = 0.1
"""By how much what has no face is laid beside its middle, one sigma, in sides."""

Sample = tuple[np.ndarray, int, int]


@dataclass(frozen=True)
class Shown:
    """A die in a picture: the corners of its upper face, pixels, (4, 2), and how far its corners go."""

    corners_px: Doubles
    moves_mm: float


def of_drawn(first: int, last: int) -> Iterator[Sample]:
    """Yield patch, answer (`STILL`, `MOVES`) and table of every sample of these tables."""
    for seed in range(first, last):
        size = SMALL if seed % SMALL_EVERY == SMALL_EVERY - 1 else LARGE
        setup = make_setup(seed, is_good=seed % 2 == 0, size=size)
        calibration = calibrated(setup)
        if calibration is None:
            continue
        for case in _cases(setup):
            frame = draw_case(setup, case)
            truths = truth_of(setup, case, frame)["dice"]
            dice = [Shown(np.array(t["corners_px"]), moves_mm(die)) for die, t in zip(case.dice, truths, strict=True)]
            yield from _samples(frame, dice, calibration, seed)
        print(f"table {seed}", flush=True)


def of_traced(folder: str) -> Iterator[Sample]:
    """Yield the samples of what scripts/traced wrote into *folder*, each picture as it is and changed by chance."""
    for seen in pictures_of(folder):
        dice = [Shown(seen.corners_px(die), 10 * die.get("moves_cm", 0.0)) for die in seen.dice]
        yield from _samples(seen.frame, dice, seen.calibration, seen.table)


def _cases(setup: Setup) -> Iterator[Case]:
    rng = random.Random(f"motion {setup.seed}")
    moving = (case for case in by_tier(setup, (Tier.FAULTS,), RARE_TRIES) if case.kind == "moving")
    for case in islice(moving, MOVING):
        yield replace(case, dice=tuple(_slower(die, rng) for die in case.dice))
    for kind, k in product(LEANING, range(2)):
        with suppress(ValueError):  # no such throw can be seen whole there
            yield make_fault(setup, kind, k)
    for tier, count in OTHERS.items():
        yield from islice(by_tier(setup, (tier,)), count)


def moves_mm(die: RenderedDie) -> float:
    """Return how far a corner of *die* goes at most, as good as."""
    half_diagonal = die.size_mm * math.sqrt(3) / 2
    return math.hypot(*die.travel_mm) + math.radians(math.hypot(*die.spin_deg)) * half_diagonal


def _slower(die: RenderedDie, rng: random.Random) -> RenderedDie:
    """Return *die*, if it moves, moving as far as chance says: as often by little as by much."""
    far = moves_mm(die)
    if not far:
        return die
    by = math.exp(rng.uniform(math.log(MOVES_MM), math.log(FARTHEST_MM))) / far
    x, y, z = (by * part for part in die.travel_mm)
    roll, pitch, yaw = (by * part for part in die.spin_deg)
    return replace(die, travel_mm=(x, y, z), spin_deg=(roll, pitch, yaw))


def _samples(frame: Frame, dice: Sequence[Shown], calibration: Calibration, seed: int) -> Iterator[Sample]:
    seen = glance(frame, calibration)
    if not isinstance(seen, Glance):
        return
    chance = random.Random(seed)
    for closeup in closeups(frame, calibration, backdrop_of(calibration), seen):
        rows, columns = closeup.body.shape
        for die in dice:
            corners = calibration.px_to_view_points(die.corners_px - np.array(seen.shift)) - (closeup.x, closeup.y)
            x, y = corners.mean(axis=0)
            if not (0 < x < columns and 0 < y < rows) or REST_MM < die.moves_mm < MOVES_MM:
                continue
            answer = MOVES if die.moves_mm > REST_MM else STILL
            along = corners[1] - corners[0]
            off, turned = LAID_BADLY
            angle = math.atan2(along[1], along[0]) + math.radians(chance.gauss(0, turned))
            yield _sample(closeup, (x, y), off, angle, chance), answer, seed
            yield _sample(closeup, (x, y), OFF, chance.uniform(0, math.tau), chance), answer, seed


def _sample(closeup: Closeup, at: tuple[float, float], off: float, angle: float, chance: random.Random) -> np.ndarray:
    x, y = (where + chance.gauss(0, off * closeup.side) for where in at)
    top = FaceFit(0, x, y, angle, closeup.side, frozenset(), 0.0)
    return patch_of(closeup, bare(closeup, top)).astype(np.float16)
