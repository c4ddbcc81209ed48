"""What the second opinion learns from: what the reader asks it of drawn dice, and dice that it finds no pips of."""

import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path

import cv2
import numpy as np

from vision import Calibration, CalibrationError, calibrate
from vision.backdrop import backdrop_of
from vision.candidates import Candidate
from vision.cover import choose
from vision.glance import Glance, glance
from vision.layouts import FaceFit
from vision.pips import Pip
from vision.render.case import Case, Tier, draw_case, make_case, make_fault
from vision.render.dice import mirrored_by_top
from vision.render.setup import LARGE, SMALL, Setup, Size, make_setup
from vision.render.truth import LEGIBLE, DieTruth, truth_of
from vision.tray.closeup import Closeup, closeups
from vision.tray.flat import pips_of, propose_flat
from vision.tray.opinion import patch_of
from vision.tray.outlined import outlined_top
from vision.tray.sampling import look_under
from vision.tray.spots import Look
from vision.types import Doubles, Frame

OTHERS = 3
"""So many candidates of a closeup that were not chosen are samples too."""

OFF, TURNED_DEG = 0.12, 6.0
"""In sides: a candidate farther from the middle of a die's top is wrong. A top that is turned more is another one."""

LAID_BADLY = (0.015, 1.5)
"""By how much a die is laid beside its place, and turned, as the reader does: in sides and degrees, one sigma."""

MOVES_MM, REST_MM = 1.5, 0.4
"""A die one of whose corners goes so far moves, one that goes less than the second is still: of those between nothing
is learned."""

FLAT_DEG, SEEN = 3.0, 0.9
"""A die that leans by less lies flat; one of which less is seen is no sample, nor is one whose pips none could see."""

PITCH, DIAMETER = 0.23, 0.18
"""How far from the middle, along each side, the corner pips of most dice are, and how wide, in sides."""

READ = 5
"""Of the throws that were read every so many-th is learned from along with those that were refused."""

VARIANTS = 4
"""Of each picture of another program, for there are few."""

TRACED_MM = (300.0, 220.0)

WHITE = 0.15
"""Light that a top must mirror, as a part of what white paper sends back in the middle of the tray."""

MOST_MIRRORS, MIRROR_TRIES = 30, 60
"""So many throws of a table, at most, in which a top mirrors a lamp; and how many of each tier are looked through."""

RARE = ((Tier.FAULTS, "moving", 16), (Tier.HARD, "trans", 16), (Tier.EASY, "sep", 4), (Tier.NORMAL, "any", 6))
RARE_TRIES = 400
"""Throws of a table that are rare, tier, kind and how many, with some that are not; how many are looked through."""

SMALL_EVERY = 4
"""Every so many-th of those tables is seen in pictures of 640x480."""

MARBLED = {Tier.NORMAL: 8, Tier.HARD: 20, Tier.MANY: 4, Tier.FAULTS: 8}
MARBLED_LEANING = 8
"""So many throws of a table with marbled dice, and with such that lean, of each kind."""

Sample = tuple[np.ndarray, int, int]


@dataclass(frozen=True)
class Shown:
    """A die in a picture: the corners of its upper face, pixels, (4, 2); its face, 0 where it does not lie flat.

    `is_clear`: whether all of it is seen, and its pips are.
    """

    face: int
    corners_px: Doubles
    is_clear: bool


def of_drawn(first: int, last: int, leaning: Sequence[str], tiers: dict[str, int], size: Size) -> Iterator[Sample]:
    """Yield patch, answer (0: no flat die) and table of every sample, in pictures of *size*.

    On every table as many throws are drawn as there are kinds of *leaning* ones and *tiers* have, of each so many.
    """
    for seed in range(first, last):
        setup = make_setup(seed, is_good=seed % 2 == 0, size=size)
        cases = [make_fault(setup, kind, k) for k, kind in enumerate(leaning)]
        for tier, count in tiers.items():
            cases += by_tier(setup, (Tier(tier),), count)
        yield from _of_cases(setup, cases)


def of_mirrors(first: int, last: int, leaning: Sequence[str]) -> Iterator[Sample]:
    """Yield patch, answer and table of every sample of throws in which a top mirrors a lamp."""
    for seed in range(first, last):
        setup = make_setup(seed, is_good=seed % 3 > 0)
        if not any(_mirrors(setup, case) for case in by_tier(setup, (Tier.EASY,))):
            continue
        flat = [case for case in by_tier(setup, (Tier.EASY, Tier.NORMAL, Tier.HARD)) if _mirrors(setup, case)]
        faults = [make_fault(setup, kind, k) for k in range(MIRROR_TRIES) for kind in leaning]
        wrong = [case for case in (*faults, *by_tier(setup, (Tier.FAULTS,))) if _mirrors(setup, case)]
        random.Random(seed).shuffle(flat)
        random.Random(seed).shuffle(wrong)
        yield from _of_cases(setup, [*flat[: MOST_MIRRORS // 2], *wrong[: MOST_MIRRORS // 2]])


def of_rare(first: int, last: int) -> Iterator[Sample]:
    """Yield patch, answer and table of every sample of throws with clear dice, and with dice that move."""
    for setup in _tables(first, last):
        cases = []
        for tier, kind, count in RARE:
            of_kind = (case for case in by_tier(setup, (tier,), RARE_TRIES) if case.kind == kind)
            cases += islice(of_kind, count)
        yield from _of_cases(setup, cases)


def of_marbled(first: int, last: int, leaning: Sequence[str]) -> Iterator[Sample]:
    """Yield patch, answer and table of every sample of throws with marbled dice."""
    for setup in _tables(first, last):
        cases: list[Case] = []
        for kind in leaning:
            of_kind = (make_fault(setup, kind, k) for k in range(RARE_TRIES))
            cases += islice(filter(_is_marbled, of_kind), MARBLED_LEANING)
        for tier, count in MARBLED.items():
            cases += islice(filter(_is_marbled, by_tier(setup, (tier,), RARE_TRIES)), count)
        yield from _of_cases(setup, cases)


def _tables(first: int, last: int) -> Iterator[Setup]:
    """Yield tables of all kinds, some of them in small pictures."""
    for seed in range(first, last):
        size = SMALL if seed % SMALL_EVERY == SMALL_EVERY - 1 else LARGE
        yield make_setup(seed, is_good=seed % 3 != 2, size=size)


def _is_marbled(case: Case) -> bool:
    """Return whether a die of *case* has veins."""
    return any(die.vein_bgr is not None for die in case.dice)


def by_tier(setup: Setup, tiers: Sequence[Tier], tries: int = MIRROR_TRIES) -> Iterator[Case]:
    """Yield the first throws of *tiers* on *setup*: so many *tries* of each."""
    for tier, k in product(tiers, range(tries)):
        with suppress(ValueError):  # no such throw can be seen whole there
            yield make_case(setup, tier, k)


def _mirrors(setup: Setup, case: Case) -> bool:
    """Return whether a die of *case* shows a lamp in its top."""
    table = setup.table
    return any(mirrored_by_top(die, table.camera.position_mm, table.lights) > WHITE for die in case.dice)


def _of_cases(setup: Setup, cases: Sequence[Case]) -> Iterator[Sample]:
    calibration = calibrated(setup)
    if calibration is None:
        return
    for case in cases:
        frame = draw_case(setup, case)
        yield from _samples(frame, _drawn(setup, case, frame), calibration, setup.seed)
    print(f"table {setup.seed}: {len(cases)} throws", flush=True)


def calibrated(setup: Setup) -> Calibration | None:
    """Return the calibration of the table of *setup*; None, and a word about it, if it cannot be calibrated."""
    try:
        return calibrate(setup.empty(), tray_mm=setup.table.tray_mm, die_mm=setup.die_mm, corners=setup.corners_px)
    except CalibrationError as error:
        print(f"table {setup.seed} is left out: {error}", flush=True)
        return None


def of_missed(results: str, size: Size) -> Iterator[Sample]:
    """Yield the samples of the legible throws of a benchmark that were refused, of its faults, and of some others.

    Its pictures were of *size*.
    """
    from benchmarks.throws import calibration_of, case_of
    from benchmarks.throws_report import PER_SETUP

    with open(results, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    for record in sorted(records, key=lambda record: record["number"]):
        number = record["number"]
        was_missed = record["tier"] == "faults" or record["verdict"] in ("refused", "lie")
        if record["verdict"] == "uncalibrated" or not record["legible"] or not (was_missed or number % READ == 0):
            continue
        setup, case, frame = case_of(number, size)
        calibration = calibration_of(number - number % PER_SETUP, size)
        yield from _samples(frame, _drawn(setup, case, frame), calibration, number // PER_SETUP)
        print(f"throw {number}", flush=True)


def of_traced(folder: str) -> Iterator[Sample]:
    """Yield the samples of what scripts/traced wrote into *folder*, each picture as it is and in `VARIANTS`."""
    for seen in pictures_of(folder):
        dice = [_traced(die, seen) for die in seen.dice]
        yield from _samples(seen.frame, dice, seen.calibration, seen.table)


@dataclass(frozen=True)
class Traced:
    """A picture that scripts/traced drew, changed by chance or not; `corners_px` of a die, by its truth, are (4, 2)."""

    frame: Frame
    calibration: Calibration
    table: int
    dice: Sequence[dict]
    corners_px: Callable[[dict], Doubles]


def pictures_of(folder: str) -> Iterator[Traced]:
    """Yield what scripts/traced wrote into *folder*, each picture as it is and in `VARIANTS`."""
    from benchmarks.variant import EMPTY, UNCHANGED, Variant

    with open(Path(folder, "truth.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for k, row in enumerate(rows):
        frame, empty = (cv2.imread(str(Path(folder, row[name]))) for name in ("file", "empty"))
        for seed in range(VARIANTS + 1):
            variant = Variant.by(VARIANTS * k + seed) if seed else UNCHANGED
            laid = variant.corners(_from_middle(row["empty_tray_corners"]), frame.shape[1])
            try:
                seen = [variant.picture(empty, seed=EMPTY)]
                calibration = calibrate(seen, tray_mm=TRACED_MM, die_mm=16.0, corners=laid)
            except CalibrationError as error:
                print(f"{row['file']} is left out in a variant: {error}", flush=True)
                continue
            sharp = replace(variant, off_px=8 * (0.0,))
            yield Traced(
                variant.picture(frame, seed=k),
                calibration,
                int(row["setup"][1:]),
                row["dice"],
                lambda die, v=sharp, wide=frame.shape[1]: np.array(v.corners(_from_middle(die["corners"]), wide)),
            )
        print(row["file"], flush=True)


def _from_middle(corners: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Return *corners* as OpenCV counts, from the middle of the first pixel."""
    return [(x - 0.5, y - 0.5) for x, y in corners]


def _drawn(setup: Setup, case: Case, frame: Frame) -> list[Shown]:
    return [_shown(die, truth) for die, truth in zip(case.dice, truth_of(setup, case, frame)["dice"], strict=True)]


def _shown(die, truth: DieTruth) -> Shown:
    still = not any(die.travel_mm) and not any(die.spin_deg)
    lies = still and die.tilt_deg < FLAT_DEG and die.lift_mm < 2
    clear = truth["visible"] > SEEN and truth["contrast"] >= LEGIBLE
    return Shown(die.up if lies else 0, np.array(truth["corners_px"]), clear)


def _traced(die: dict, seen: Traced) -> Shown:
    far = 10 * die.get("moves_cm", 0.0)
    lies = die["tilt_deg"] < FLAT_DEG and die["at_cm"][2] < 1.0 and far < MOVES_MM
    return Shown(die["face"] if lies else 0, seen.corners_px(die), die["contrast"] >= LEGIBLE and far < REST_MM)


def _samples(frame: Frame, dice: Sequence[Shown], calibration: Calibration, seed: int) -> Iterator[Sample]:
    seen = glance(frame, calibration)
    if not isinstance(seen, Glance):
        return
    chance = random.Random(seed)
    parts = closeups(frame, calibration, backdrop_of(calibration), seen)
    pips = pips_of(parts, Look.LAST)
    proposed = propose_flat(list(zip(parts, pips, strict=True)))
    for closeup, candidates in zip(parts, proposed, strict=True):
        tops = [_top(die, closeup, calibration, seen.shift) for die in dice]
        chosen = choose(candidates, None)
        rest = [c for c in candidates if all(c is not other for other in chosen)]
        chance.shuffle(rest)
        for candidate in (*chosen, *rest[:OTHERS]):
            yield _sample(closeup, candidate, _answer(candidate.fit, dice, tops), seed)
        yield from _laid(closeup, dice, tops, chance, seed)


def _answer(fit: FaceFit, dice: Sequence[Shown], tops: Sequence[FaceFit]) -> int:
    """Return what is right of a candidate: a face that was told wrongly does not change what is seen there."""
    near = [(die, top) for die, top in zip(dice, tops, strict=True) if _is_near(top, fit)]
    if any(top.face == fit.face for _, top in near):
        return fit.face
    return next((die.face for die, top in near if die.is_clear and _is_turned(top, fit)), 0)


def _laid(
    closeup: Closeup, dice: Sequence[Shown], tops: Sequence[FaceFit], chance: random.Random, seed: int
) -> Iterator[Sample]:
    """Yield what lies in *closeup* where it is, and where its outline says, whatever pips were found."""
    outlined = outlined_top(closeup)
    if outlined is not None:
        near = [die for die, top in zip(dice, tops, strict=True) if _is_near(top, outlined)]
        if all(die.is_clear or not die.face for die in near):
            yield _sample(closeup, bare(closeup, outlined), _answer(outlined, dice, tops), seed)
    rows, columns = closeup.body.shape
    for die, top in zip(dice, tops, strict=True):
        if 0 < top.x < columns and 0 < top.y < rows and (die.is_clear or not die.face):
            off, turned = LAID_BADLY
            x, y = (at + chance.gauss(0, off * closeup.side) for at in (top.x, top.y))
            beside = replace(top, x=x, y=y, angle=top.angle + math.radians(chance.gauss(0, turned)))
            yield _sample(closeup, bare(closeup, beside), die.face, seed)


def _top(die: Shown, closeup: Closeup, calibration: Calibration, shift: tuple[float, float]) -> FaceFit:
    """Return where *die* is seen in *closeup*; its face is 0 where it does not lie flat."""
    corners = calibration.px_to_view_points(die.corners_px - np.array(shift)) - (closeup.x, closeup.y)
    x, y = corners.mean(axis=0)
    along = corners[1] - corners[0]
    return FaceFit(die.face, x, y, math.atan2(along[1], along[0]), closeup.side, frozenset(), 0.0)


def _is_near(top: FaceFit, other: FaceFit) -> bool:
    return math.hypot(top.x - other.x, top.y - other.y) < OFF * top.side


def _is_turned(top: FaceFit, other: FaceFit) -> bool:
    """Return whether both are turned alike, but for quarters."""
    return abs((math.degrees(top.angle - other.angle) + 45) % 90 - 45) < TURNED_DEG


def bare(closeup: Closeup, top: FaceFit) -> Candidate:
    """Return a candidate at *top* for which no pips were found: those of a five, by which its colour is not taken."""
    c, s = (PITCH * top.side * part for part in (math.cos(top.angle), math.sin(top.angle)))
    places = ((0, 0), (c - s, s + c), (c + s, s - c), (-c + s, -s - c), (-c - s, -s + c))
    pips = [Pip(top.x + x, top.y + y, DIAMETER * top.side, 1.0, dark=True, levels=1) for x, y in places]
    fit = replace(top, face=5, pips=frozenset(range(5)))
    (body,) = look_under(closeup.lab, [fit], pips, edges=False)
    return Candidate(fit, body, 0.0)


def _sample(closeup: Closeup, candidate: Candidate, answer: int, seed: int) -> Sample:
    return patch_of(closeup, candidate).astype(np.float16), answer, seed
