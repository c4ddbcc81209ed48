"""A die that has something to lean on: whether it does, by its pips and by the networks."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_opinion import best_of, parts_of, seconded_by
from vision import Calibration, Fault, read_tray
from vision.candidates import Candidate
from vision.pips import Pip
from vision.render import RenderedDie, Table
from vision.tray import judging
from vision.tray.closeup import Closeup
from vision.tray.explain import weighed
from vision.tray.flat import pips_of
from vision.tray.found import Found, Judged
from vision.tray.judging import judged_to_lean
from vision.tray.opinion import Asked, second_opinions
from vision.tray.propped import is_askew_without_an_outline, leans_unseen
from vision.tray.spots import Look
from vision.types import Floats
from vision.zone import Region


def squeezed(part: Closeup, narrower: float) -> tuple[Judged, list[Pip]]:
    """Return the likeliest die of *part*, of which the networks are in doubt, and its pips squeezed one way."""
    (pips,) = pips_of([part], Look.THOROUGH)
    best = best_of(part)
    narrow = [replace(pip, x=best.fit.x + narrower * (pip.x - best.fit.x)) for pip in pips]
    return Judged.by(best, np.full(7, 0.9, np.float32)), narrow


@pytest.mark.parametrize(
    ("face", "narrower", "body", "askew"),
    [
        pytest.param(4, 1.0, 0, False, id="its pips are a square"),
        pytest.param(4, 0.94, 0, True, id="they are none"),
        pytest.param(4, 0.94, 255, False, id="they are none, and its outline is asked"),
        pytest.param(6, 0.94, 0, False, id="those of a six are longer than wide in some sets"),
    ],
)
def test_where_no_outline_shows_whether_a_die_leans_its_pips_must_be_a_square(
    table: Table, calibration: Calibration, face: int, narrower: float, body: int, askew: bool
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 0, face)]), calibration)
    die, narrow = squeezed(part, narrower)

    found = Found(replace(part, body=np.full_like(part.body, body)), narrow, (), [die], ())

    assert is_askew_without_an_outline(found, die) is askew


@pytest.mark.parametrize(
    ("seconded", "is_flat"),
    [
        pytest.param(0.97, True, id="both networks are sure"),
        pytest.param(0.93, False, id="they are not"),
        pytest.param(None, False, id="one of them was not asked"),
    ],
)
def test_a_die_that_may_lean_and_is_askew_is_flat_if_both_networks_say_so(
    table: Table, calibration: Calibration, seconded: float | None, is_flat: bool
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(10, 90, 0, 4)]), calibration)
    die, narrow = squeezed(part, 0.94)
    die = seconded_by(die.judged_anew(np.full(7, 0.94, np.float32)), seconded)
    unseen = Found(replace(part, body=np.zeros_like(part.body)), narrow, (), [die], ())

    fault, why = weighed(unseen, calibration, Region.of(None, calibration.tray_mm), strictly=False).doubt

    assert (fault is None) is is_flat, why
    assert is_flat or "its pips are no square" in why


@pytest.mark.parametrize(
    ("deep", "differs", "room", "is_flat"),
    [
        pytest.param(0.87, 20, 0.1, True, id="like the felt, and the network is sure"),
        pytest.param(0.83, 20, 0.1, False, id="like the felt, and it is not"),
        pytest.param(0.83, 20, 0.35, True, id="like the felt, and so far from the rim that it would lean more"),
        pytest.param(0.83, 60, 0.1, True, id="unlike the felt: its outline tells"),
        pytest.param(0.63, 60, 0.1, False, id="unlike the felt, and it looks as if it leant"),
    ],
)
def test_a_die_at_the_rim_that_is_like_the_felt_must_look_flat_for_certain(
    table: Table, calibration: Calibration, deep: float, differs: int, room: float, is_flat: bool
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(10, 90, 0, 3)]), calibration)
    (pips,) = pips_of([part], Look.THOROUGH)
    die = replace(Judged.by(best_of(part), np.full(7, 0.97, np.float32)), seconded=deep)
    alike = replace(part, delta=np.full_like(part.delta, differs))

    fault, why = leans_unseen(Found(alike, pips, (), [die], ()), die, room, strictly=False)

    assert (fault is None) is is_flat, why


@pytest.mark.parametrize(
    ("leaning", "deep", "told"),
    [
        pytest.param(0.99, 0.5, 0.99, id="one that knows leaning dice is enough"),
        pytest.param(0.45, 0.99, 0.45, id="one that knows leaning dice thinks that it leans"),
        pytest.param(0.97, 0.96, 0.96, id="the deep one from one side is enough"),
        pytest.param(0.97, 0.94, 0.94 / 4 + 0.9 * 3 / 4, id="the deep one is asked from all sides"),
    ],
)
def test_at_a_quick_look_no_more_is_asked_than_it_takes_for_a_die_to_look_flat(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, leaning: float, deep: float, told: float
) -> None:
    def opinions(_dice: object, turns: Sequence[int], asked: Asked) -> Floats:
        once = leaning if asked is Asked.OF_LEANING else deep
        return np.full((1, 7), once if len(turns) == 1 else 0.9, np.float32)

    (part,) = parts_of(table.picture([RenderedDie(10, 90, 0, 3)]), calibration)
    monkeypatch.setattr(judging, "second_opinions", opinions)

    die = judged_to_lean(part, Judged.by(best_of(part), np.full(7, 0.97, np.float32)))

    assert die.looks_flat == pytest.approx(told)


@pytest.mark.parametrize(("leaning", "is_flat"), [(0.5, False), (0.6, True)])
def test_at_a_closer_look_one_that_knows_leaning_dice_is_a_witness(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, leaning: float, is_flat: bool
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(10, 90, 0, 3)]), calibration)
    (pips,) = pips_of([part], Look.THOROUGH)
    die = replace(Judged.by(best_of(part), np.full(7, 0.97, np.float32)), seconded=0.9)
    monkeypatch.setattr(judging, "second_opinions", lambda *_: np.full((1, 7), leaning, np.float32))

    fault, why = leans_unseen(Found(part, pips, (), [die], ()), die, 0.1, strictly=False)

    assert (fault is None) is is_flat, why


def test_a_die_that_has_something_to_lean_on_must_look_flat_for_that(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = table.picture([RenderedDie(120, 90, 25, 4)])
    beside = table.picture([RenderedDie(120, 90, 25, 4), RenderedDie(138, 98, 25, 2)])
    assert read_tray(beside, calibration, dice=2).faces == (4, 2)

    def doubting(
        proposed: list[tuple[Closeup, Candidate]], turns: Sequence[int] = (0,), asked: Asked = Asked.OF_ALL
    ) -> Floats:
        return second_opinions(proposed, turns) * (1.0 if asked is Asked.OF_ALL else 0.63)

    monkeypatch.setattr(judging, "second_opinions", doubting)

    assert read_tray(alone, calibration, dice=1).faces == (4,)
    assert read_tray(beside, calibration, dice=2).fault is Fault.COCKED
