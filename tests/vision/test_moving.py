"""The network that tells dice that move while the shutter is open from such as lie still, or lean."""

import runpy
from collections.abc import Sequence
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path

import numpy as np
import pytest

from benchmarks.throws import calibrated, case_of
from tests.vision.test_opinion import best_of, parts_of
from vision import Calibration, Fault, motion, read_tray
from vision.render import RenderedDie, Table
from vision.render.case import Case
from vision.render.setup import make_setup
from vision.render.shadow import MOST_INSTANTS
from vision.tray import blur
from vision.tray.closeup import Closeup
from vision.tray.flat import pips_of
from vision.tray.found import Found, Judged
from vision.tray.judging import judged
from vision.tray.leaning import doubt
from vision.tray.naming import moves
from vision.tray.opinion import Asked
from vision.tray.spots import Look
from vision.types import Floats, Point, as_uint8

SCRIPTS = Path(__file__).parents[2] / "scripts"
TABLE = 8500

LIES = [RenderedDie(120, 90, 15 * face, face) for face in range(1, 7)]
LEANS = [replace(die, tilt_deg=18 + 4 * die.top, tilt_axis_deg=50 * die.top) for die in LIES]
ROLLS = [
    replace(
        die,
        lift_mm=3,
        travel_mm=(8 * cos(radians(60 * die.top)), 8 * sin(radians(60 * die.top)), 0),
        spin_deg=(12, 8, 5),
    )
    for die in LEANS
]


def in_the_middle(part: Closeup) -> Point:
    y, x = (float(at.mean()) for at in np.nonzero(part.body))
    return x, y


def told(dice: Sequence[RenderedDie], table: Table, calibration: Calibration) -> list[bool]:
    parts = [parts_of(table.clean([die], most_instants=MOST_INSTANTS), calibration)[0] for die in dice]
    return [moves(part, in_the_middle(part), 0.8) for part in parts]


def test_what_rolls_moves_and_what_lies_or_leans_does_not(table: Table, calibration: Calibration) -> None:
    assert not any(told(LIES, table, calibration))
    assert not any(told(LEANS, table, calibration))
    assert sum(told(ROLLS, table, calibration)) >= 5


@pytest.mark.parametrize(("chance", "fault"), [(0.55, None), (0.65, Fault.MOVING)])
def test_a_die_of_which_the_network_is_sure_that_it_moves_is_not_read(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, chance: float, fault: Fault | None
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    ((die,),) = judged([part], [[best_of(part)]])
    found = Found(part, pips_of([part], Look.THOROUGH)[0], (), [die], ())
    monkeypatch.setattr(blur, "second_opinions", lambda *_: np.array([[1 - chance, chance]], np.float32))
    monkeypatch.setattr(blur, "steep_one_way", lambda *_: 0.89)

    assert doubt(found, die, strictly=False)[0] is fault


@pytest.mark.parametrize(("once", "fault"), [(0.05, None), (0.2, Fault.MOVING)])
def test_a_die_that_is_not_clearly_still_from_one_side_is_asked_of_from_all(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, once: float, fault: Fault | None
) -> None:
    def opinions(_dice: object, turns: Sequence[int], _asked: object) -> Floats:
        moves = once if len(turns) == 1 else 0.65
        return np.array([[1 - moves, moves]], np.float32)

    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    ((die,),) = judged([part], [[best_of(part)]])
    found = Found(part, pips_of([part], Look.THOROUGH)[0], (), [die], ())
    monkeypatch.setattr(blur, "second_opinions", opinions)
    monkeypatch.setattr(blur, "steep_one_way", lambda *_: 0.89)

    assert doubt(found, die, strictly=False)[0] is fault


@pytest.mark.parametrize(
    ("chance", "deep", "leaning", "steep", "fault"),
    [
        pytest.param(0.08, 0.97, 0.95, 0.62, None, id="still, and all are sure of its face"),
        pytest.param(0.08, 0.9, 0.95, 0.62, Fault.MOVING, id="still, and the deep one doubts its face"),
        pytest.param(0.08, 0.97, 0.85, 0.62, Fault.MOVING, id="still, and the one that knows leaning dice doubts it"),
        pytest.param(0.2, 0.97, 0.96, 0.62, Fault.MOVING, id="perhaps not still, and the deep one is not certain"),
        pytest.param(0.2, 0.98, 0.94, 0.62, Fault.MOVING, id="perhaps not still, and the one of leaning dice is not"),
        pytest.param(0.2, 0.98, 0.96, 0.62, None, id="perhaps not still, and all are certain of its face"),
        pytest.param(0.3, 0.98, 0.96, 0.62, Fault.MOVING, id="hardly still, whatever they say of its face"),
        pytest.param(0.05, 0.7, 0.6, 0.62, None, id="surely still, whatever another says of its face"),
        pytest.param(0.05, 0.97, 0.95, 0.54, Fault.MOVING, id="so drawn out that no network counts"),
    ],
)
def test_a_die_whose_pips_are_blurred_lies_still_if_every_network_says_so_or_it_surely_does(
    table: Table,
    calibration: Calibration,
    monkeypatch: pytest.MonkeyPatch,
    chance: float,
    deep: float,
    leaning: float,
    steep: float,
    fault: Fault | None,
) -> None:
    def opinions(_dice: object, _turns: object, asked: Asked) -> Floats:
        said = [1 - chance, chance] if asked is Asked.OF_MOTION else [leaning] * 7
        return np.array([said], np.float32)

    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    die = replace(Judged.by(best_of(part), np.full(7, 0.98, np.float32)), seconded=deep)
    found = Found(part, pips_of([part], Look.THOROUGH)[0], (), [die], ())
    monkeypatch.setattr(blur, "second_opinions", opinions)
    monkeypatch.setattr(blur, "steep_one_way", lambda *_: steep)
    monkeypatch.setattr(blur, "narrow_one_way", lambda *_: 0.5)

    assert doubt(found, die, strictly=False)[0] is fault


def test_it_is_not_asked_where_the_edges_of_all_pips_are_as_steep_one_way_as_the_other(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> Floats:
        raise AssertionError("asked")

    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    ((die,),) = judged([part], [[best_of(part)]])
    monkeypatch.setattr(blur, "second_opinions", never)
    monkeypatch.setattr(blur, "steep_one_way", lambda *_: 0.91)

    assert doubt(Found(part, pips_of([part], Look.THOROUGH)[0], (), [die], ()), die, strictly=False)[0] is None


@pytest.mark.long
def test_samples_of_it_are_dice_that_move_and_dice_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    of_drawn = runpy.run_path(str(SCRIPTS / "motion_samples.py"))["of_drawn"]
    known = of_drawn.__globals__
    monkeypatch.setitem(known, "MOVING", 2)
    monkeypatch.setitem(known, "LEANING", ("cocked_die",))
    monkeypatch.setitem(known, "OTHERS", {})
    cases: list[Case] = list(known["_cases"](make_setup(TABLE, is_good=True)))

    samples = list(of_drawn(TABLE, TABLE + 1))

    assert [known["moves_mm"](die) for case in cases for die in case.dice].count(0.0) < 6
    assert all(0 <= known["moves_mm"](die) < 25.01 for case in cases for die in case.dice)
    assert {answer for _, answer, _ in samples} == {0, 1}
    assert {table for _, _, table in samples} == {TABLE}
    assert all(patch.shape == (64, 64, 5) and np.isfinite(patch).all() for patch, _, _ in samples)


def test_what_looks_blurred_and_does_not_move_is_read() -> None:
    setup, case, picture = case_of(812602)  # its pips look longer one way
    calibration = calibrated(setup)
    rng = np.random.default_rng(0)
    state, said = motion.start(), []

    for _ in range(25):
        grain = rng.integers(-1, 2, picture.shape)
        state, events = motion.step(state, as_uint8(np.clip(picture + grain, 0, 255)), calibration, case.expected)
        said += [event.reading for event in events if event.reading is not None]

    assert read_tray(picture, calibration, case.expected).fault is Fault.MOVING
    assert [reading.faces for reading in said] == [case.faces]
