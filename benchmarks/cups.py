"""Cups by number: every state of the tray drawn on many tables, in many lights, and what `CupWatch` made of it."""

from __future__ import annotations

import colorsys
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vision.blind import CupState, CupWatch, Small, reduce
from vision.calibration import Calibration, calibrate
from vision.render import Cup
from vision.render_designs import Body, design
from vision.render_pose import Colour, RenderedDie
from vision.render_sensor import Shot
from vision.render_setup import Setup, make_setup
from vision.render_throw import ThrowKind, throw
from vision.types import Frame, Point

SIZE = (640, 480)
FRAMES_PER_S = 10
REST_FRAMES = 6


@dataclass(frozen=True)
class Scene:
    """One picture of a film: dice, cup, hand."""

    dice: tuple[RenderedDie, ...] = ()
    cup: Cup | None = None
    hand: Point | None = None


@dataclass(frozen=True)
class Case:
    """What is drawn: how the tray came to be as it is, and the state that must be told at the end."""

    seed: int
    state: CupState
    film: tuple[tuple[Scene, int], ...]


@dataclass(frozen=True, eq=False)
class Stage:
    """A table, its calibration, and its bare tray as the blind eye sees it."""

    setup: Setup
    calibration: Calibration
    empty: Small

    @classmethod
    def by_number(cls, seed: int) -> Stage:
        """Return the table that *seed* stands for; every second one in good light."""
        setup = make_setup(seed, is_good=seed % 2 == 0, size=SIZE)
        frames = setup.empty()
        known = calibrate(frames, tray_mm=setup.table.tray_mm, die_mm=setup.die_mm, corners=setup.corners_px)
        return cls(setup, known, reduce(known.empty, known))


def cup_by_chance(rng: random.Random, middle_mm: Point) -> Cup:
    """Return a cup of leather or plastic, 75 to 95 mm wide."""
    hue, grey = rng.random(), rng.random() < 0.35
    bgr = _colour(hue, 0.0 if grey else rng.uniform(0.3, 0.95), rng.uniform(0.08, 0.95))
    return Cup(
        middle_mm,
        wide_mm=rng.uniform(75, 95),
        high_mm=rng.uniform(75, 100),
        taper=rng.uniform(0.75, 0.95),
        bgr=rng.choice((bgr, bgr, (38, 50, 78), (30, 30, 32))),
        gloss=rng.choice((0.0, rng.random())),
    )


def _colour(hue: float, saturation: float, value: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return round(255 * blue), round(255 * green), round(255 * red)


def make_case(stage: Stage, state: CupState, seed: int) -> Case:
    """Return a film, on *stage*, that ends in *state*."""
    rng = random.Random(f"cups {stage.setup.seed} {state} {seed}")
    wide, deep = stage.setup.table.tray_mm
    cup = cup_by_chance(rng, (rng.uniform(60, wide - 60), rng.uniform(60, deep - 60)))
    dice = _under(rng, stage.setup, cup)
    start, covered = Scene(), Scene(dice, cup)
    film: tuple[tuple[Scene, int], ...]
    match state:
        case CupState.EMPTY:
            film = ((covered, REST_FRAMES), (_carried(cup, rng), 2), (start, REST_FRAMES))
        case CupState.COVERED:
            film = ((start, REST_FRAMES), (_carried(cup, rng), 2), (covered, REST_FRAMES))
        case CupState.PEEKING:
            towards = rng.choice((0.0, 90.0, 180.0, 90.0)) + rng.uniform(-20, 20)
            held = replace(cup, tilt_deg=rng.uniform(8, 40), towards_deg=towards, held=True)
            film = ((covered, REST_FRAMES), (Scene(dice, held), REST_FRAMES))
        case CupState.LIFTED:
            film = ((covered, REST_FRAMES), (replace(_carried(cup, rng), dice=dice), 2), (Scene(dice), REST_FRAMES))
        case CupState.STIRRED:
            tips = (rng.uniform(50, wide - 50), rng.uniform(20, 0.75 * deep))
            film = ((start, REST_FRAMES), (Scene(dice[: rng.randint(0, 2)], None, tips), REST_FRAMES))
    return Case(seed, state, film)


def _carried(cup: Cup, rng: random.Random) -> Scene:
    away = (cup.middle_mm[0] + rng.uniform(-30, 30), cup.middle_mm[1] + rng.uniform(80, 160))
    return Scene((), replace(cup, middle_mm=away, lift_mm=rng.uniform(40, 90), held=True))


def _under(rng: random.Random, setup: Setup, cup: Cup) -> tuple[RenderedDie, ...]:
    """Return dice that lie under *cup*, as many as a game of bluff has."""
    count = rng.choice((2, 2, 3, 5, 5, 6))
    pool = [design(rng, setup.die_mm, rng.choice(tuple(Body)))]
    dice: list[RenderedDie] = []
    radius = cup.wide_mm / 2 - 0.72 * setup.die_mm
    for _ in range(400):
        die = throw(rng, 1, ThrowKind.FLAT, pool=pool, shape=setup.table.shape)[0]
        far, way = radius * rng.random() ** 0.5, rng.uniform(0, math.tau)
        x, y = cup.middle_mm[0] + far * math.cos(way), cup.middle_mm[1] + far * math.sin(way)
        if all(math.dist((x, y), (o.x_mm, o.y_mm)) > 1.42 * setup.die_mm for o in dice):
            dice.append(replace(die, x_mm=x, y_mm=y))
        if len(dice) == count:
            break
    return tuple(dice)


def _shot(rng: random.Random) -> Shot:
    """Return how the pictures of one film are exposed and aimed: never quite as the calibration was."""
    far, way = rng.uniform(0, 2.0), rng.uniform(0, math.tau)
    return Shot(gain=rng.uniform(0.75, 1.3), shift_px=(far * math.cos(way), far * math.sin(way)))


def pictures(stage: Stage, case: Case) -> Iterator[Frame]:
    """Yield the film of *case*, picture by picture, each with noise of its own."""
    rng = random.Random(f"film {stage.setup.seed} {case.state} {case.seed}")
    shot = _shot(rng)
    for scene, count in case.film:
        clean = stage.setup.table.clean(scene.dice, cup=scene.cup, hand=scene.hand)
        for _ in range(count):
            yield stage.setup.sensor.take(clean, replace(shot, seed=rng.randrange(1 << 30)))


def said_of(stage: Stage, films: Sequence[Frame]) -> list[CupState | None]:
    """Return what is said at every picture."""
    watch = CupWatch(stage.empty)
    return [watch.step(reduce(frame, stage.calibration), k / FRAMES_PER_S) for k, frame in enumerate(films)]
