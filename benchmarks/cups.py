"""Cups by number: every state of the tray drawn on many tables, in many lights, and what `CupWatch` made of it.

`python -m benchmarks.cups --out docs/cups.md` writes the page, and a contact sheet `cups.jpg` beside it. The thresholds
were set on tables below `FIRST`: what is reported is measured on others, and a table that a threshold is changed for
belongs to those below from then on.
"""

from __future__ import annotations

import argparse
import colorsys
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.blind import CupState, CupWatch, Small, reduce
from vision.blind.picture import BLOT, LARGE, SHADE
from vision.calibrating import calibrate
from vision.calibration import Calibration, CalibrationError
from vision.overlay import write
from vision.render import Cup
from vision.render.designs import Body, design
from vision.render.pose import Colour, RenderedDie
from vision.render.sensor import Shot
from vision.render.setup import Setup, make_setup
from vision.render.throw import ThrowKind, throw
from vision.types import Frame, Point, as_uint8

FIRST = 1000
"""The first table that no threshold was set on."""

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


@dataclass(frozen=True, eq=False)
class Result:
    """One film: what was drawn last, what was said last, the last picture and what was kept of it."""

    table: int
    light: str
    state: CupState
    said: CupState | None
    picture: Frame
    small: Small


@dataclass(frozen=True)
class Leak:
    """Cells of the reduced picture that change with the faces, and with the noise alone, of one throw."""

    light: str
    faces: int
    noise: int
    grey: int


def films_of(number: int) -> tuple[list[Result], Leak] | None:
    """Return what was made of each state on the table *number*, and how far its dice leak; None if it is refused."""
    cv2.setNumThreads(1)
    try:
        stage = Stage.by_number(number)
    except CalibrationError:
        return None
    results = []
    for state in CupState:
        film = list(pictures(stage, make_case(stage, state, 0)))
        said = [one for one in said_of(stage, film) if one is not None]
        last = said[-1] if said else None
        picture = as_uint8(cv2.resize(film[-1], (240, 180), interpolation=cv2.INTER_AREA))
        small = reduce(film[-1], stage.calibration)
        results.append(Result(number, stage.setup.light, state, last, picture, small))
    return results, _leak(stage, number)


def _leak(stage: Stage, number: int) -> Leak:
    rng = random.Random(f"leak {number}")
    pool = [design(rng, stage.setup.die_mm, rng.choice(tuple(Body)))]
    dice = throw(rng, rng.choice((2, 5)), ThrowKind.FLAT, pool=pool, shape=stage.setup.table.shape)
    ones, sixes = (tuple(replace(die, top=face) for die in dice) for face in (1, 6))
    clean = [stage.setup.table.clean(thrown) for thrown in (ones, sixes)]
    one, again, six = (
        reduce(stage.setup.sensor.take(clean[k], Shot(seed=seed)), stage.calibration)
        for k, seed in ((0, 1), (0, 2), (1, 1))
    )
    both = (one < BLOT) & (six < BLOT)
    grey = np.abs(one[both].astype(int) // 4 - six[both].astype(int) // 4)
    changed = [int(np.count_nonzero((one == BLOT) != (other == BLOT))) for other in (six, again)]
    return Leak(stage.setup.light, changed[0], changed[1], int(grey.max(initial=0)))


def page(results: Sequence[Result], leaks: Sequence[Leak], drawn: range) -> str:
    """Return the page of what was seen on the tables *drawn*."""
    said = Counter((one.state, one.said) for one in results)
    columns = (*CupState, None)
    rows = [f"| drawn, {len(results)} films | {' | '.join(str(c or 'nothing') for c in columns)} |", "|---" * 7 + "|"]
    rows += [f"| **{state}** | {' | '.join(str(said[state, c] or '') for c in columns)} |" for state in CupState]
    open_, hidden = {CupState.EMPTY, CupState.LIFTED}, {CupState.COVERED, CupState.PEEKING}
    bad = [one for one in results if {one.state, one.said} & open_ and {one.state, one.said} & hidden]
    worst = [f"- table {one.table}, {one.light}: {one.state} was called {one.said}" for one in bad]
    faces, noise = (np.array([getattr(leak, name) for leak in leaks]) for name in ("faces", "noise"))
    return "\n".join(
        (
            "# The blind eye, measured",
            "",
            f"`python -m benchmarks.cups --first {drawn[0]} --tables {len(drawn)}` draws this again. Every film is of",
            "one of many tables: tray, cloth, lamps (half of them bad), camera; a cup of any colour, 75 to 95 mm wide;",
            "two to six dice of any sort; light and aim not quite those of the calibration. It ends in one of five",
            f"states; what `CupWatch` said last is counted. {_set_on(drawn)} Those that the",
            "calibration refuses are left out.",
            "",
            *rows,
            "",
            f"Hidden dice called open, or open ones hidden: {len(bad)}.",
            *worst,
            "",
            "No wrong answer lets the camera see: dice are read after a press only. A cup that is not told from the",
            "felt makes no accident either, for none was seen to stand; its shake is entered with the knob.",
            "",
            "## What faces leave in the reduced picture",
            "",
            f"{len(leaks)} throws of two or five dice, all ones and all sixes in the same places, with the same noise",
            f"of the sensor. Of 768 cells {faces.mean():.1f} change on average with the faces, {noise.mean():.1f} with",
            f"noise alone; none with the faces in {np.count_nonzero(faces == 0)} throws, none with noise in",
            f"{np.count_nonzero(noise == 0)}.",
            f"The grey of the ground changes by {max(leak.grey for leak in leaks)} of its 61 steps at most.",
            "",
            "![Every state, as drawn and as kept](cups.jpg)",
            "",
            "Left the picture, right what is kept of it: white blots are small things, red is large, blue an even",
            "shade. A frame in red is a wrong answer; these come first.",
            "",
        )
    )


def _set_on(drawn: range) -> str:
    """Return whether thresholds were set on tables like those *drawn*, or on others."""
    below = len(range(drawn.start, min(drawn.stop, FIRST)))
    if not below:
        return "No threshold was set on any of these tables."
    return f"The thresholds were set on tables below {FIRST}, of which {below} are drawn here."


def sheet(results: Iterable[Result]) -> Frame:
    """Return a contact sheet: a column a state, the wrong answers first."""
    columns = []
    for state in CupState:
        own = sorted((one for one in results if one.state is state), key=lambda one: one.said is state)[:8]
        columns.append(np.vstack([_thumb(one) for one in own]))
    return np.hstack(columns)


def _thumb(one: Result) -> Frame:
    kept = np.repeat(one.small[..., None], 3, axis=2)
    for bit, colour in ((LARGE, (0, 0, 130)), (SHADE, (130, 0, 0))):
        tinted = (one.small < BLOT) & (one.small & bit > 0)
        kept[tinted] = kept[tinted] // 2 + np.array(colour, np.uint8)
    large = cv2.resize(kept, one.picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    pair = np.hstack([one.picture, as_uint8(large)])
    edge = (60, 60, 60) if one.said is one.state else (0, 0, 255)
    pair = as_uint8(cv2.copyMakeBorder(pair, 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=edge))
    words = f"{one.state}: {one.said or 'nothing'}"
    write(pair, words, (8, 18), (255, 255, 255), 1)
    return as_uint8(cv2.resize(pair, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA))


def main(path: Path, drawn: range, jobs: int) -> None:
    """Draw the tables *drawn*, judge, and write the page to *path* and the sheet beside it."""
    with ProcessPoolExecutor(jobs) as pool:
        told = [one for one in pool.map(films_of, drawn) if one is not None]
    results = [one for films, _ in told for one in films]
    path.write_text(page(results, [leak for _, leak in told], drawn), encoding="utf-8")
    cv2.imwrite(str(path.with_suffix(".jpg")), sheet(results), [cv2.IMWRITE_JPEG_QUALITY, 80])


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cups", description="Cups by number.")
    parser.add_argument("--first", type=int, default=FIRST, help="number of the first table")
    parser.add_argument("--tables", type=int, default=48, help="how many")
    parser.add_argument("--jobs", type=int, default=2, help="how many are drawn at once")
    parser.add_argument("--out", type=Path, default=Path("docs/cups.md"), help="where the page goes")
    return parser.parse_args()


if __name__ == "__main__":
    asked = _parsed()
    main(asked.out, range(asked.first, asked.first + asked.tables), asked.jobs)
