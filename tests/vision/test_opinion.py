"""The second opinion: it knows a flat die from a leaning one and from a face that is not there."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from vision import Calibration, Fault, read_tray
from vision.backdrop import backdrop_of
from vision.candidates import Candidate
from vision.glance import Glance, glance
from vision.layouts import FaceFit
from vision.render import RenderedDie, Table
from vision.render.throw import ThrowKind, throw
from vision.tray import judging
from vision.tray.closeup import Closeup, closeups
from vision.tray.flat import pips_of, propose_flat
from vision.tray.found import Found, Judged
from vision.tray.judging import POSSIBLE, asked_again, judged, laid_better
from vision.tray.leaning import CERTAIN, doubt
from vision.tray.opinion import NONE, Asked, second_opinions
from vision.tray.spots import Look
from vision.types import Floats, Frame

BELOW_THE_CAMERA = (160, 95)
"""In millimetres of the tray: the bottom of a die is seen just beneath its top."""


def parts_of(picture: Frame, calibration: Calibration) -> list[Closeup]:
    seen = glance(picture, calibration)
    assert isinstance(seen, Glance)
    return closeups(picture, calibration, backdrop_of(calibration), seen)


def proposed_in(part: Closeup) -> list[Candidate]:
    (pips,) = pips_of([part], Look.THOROUGH)
    (candidates,) = propose_flat([(part, pips)])
    return candidates


def best_of(part: Closeup) -> Candidate:
    return max(proposed_in(part), key=lambda c: c.weight)


def shifted(die: Candidate, px: float) -> Candidate:
    return replace(die, fit=replace(die.fit, x=die.fit.x - px))


def seconded_by(die: Judged, chance: float | None) -> Judged:
    """Return *die* with the *chance* that the deep network gives it; None: it was not asked."""
    return replace(die, seconded=chance)


def doubt_of(part: Closeup, die: Candidate, chance: float, seconded: float | None) -> Fault | None:
    """Return what speaks against *die*, the only one in *part*, to which the networks give *chance* and *seconded*."""
    (pips,) = pips_of([part], Look.THOROUGH)
    judged_so = seconded_by(Judged.by(die, np.full(7, chance, np.float32)), seconded)
    return doubt(Found(part, pips, (), [judged_so], ()), judged_so, strictly=False)[0]


@pytest.mark.parametrize("face", range(1, 7))
def test_it_names_the_face_of_a_flat_die(table: Table, calibration: Calibration, face: int) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, face)]), calibration)

    (chances,) = second_opinions([(part, best_of(part))])

    assert chances.argmax() == face
    assert chances[face] > 0.5
    assert chances.sum() == pytest.approx(1, abs=1e-5)


def test_a_die_laid_half_beside_another_is_none(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    there = best_of(part)
    beside = replace(there, fit=replace(there.fit, x=there.fit.x + 0.5 * part.side))

    (chances,) = second_opinions([(part, beside)])

    assert chances.argmax() == NONE


def test_from_all_sides_it_says_about_the_same_of_a_clear_die(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    asked = [(part, best_of(part))]

    assert second_opinions(asked, turns=range(4)) == pytest.approx(second_opinions(asked), abs=0.2)
    assert second_opinions(asked, turns=range(4)).sum() == pytest.approx(1, abs=1e-5)


def test_what_is_asked_again_is_asked_of_both_networks_from_all_sides(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    asked = [(part, best_of(part))]
    ((die,),) = judged([part], [[best_of(part)]])
    first, deep = (second_opinions(asked, range(4), network)[0] for network in (Asked.OF_ALL, Asked.OF_DOUBTED))

    (found,) = asked_again([Found(part, (), (), [die], ())])

    assert found.chosen[0].chance == pytest.approx(max(first[4], (first[4] + 3 * deep[4]) / 4), abs=1e-4)
    assert found.chosen[0].looks_flat == pytest.approx(deep[4], abs=1e-4)
    assert found.chosen[0].agreed == pytest.approx((found.chosen[0].chance + deep[4]) / 2, abs=1e-4)
    assert die.agreed == 0


@pytest.mark.parametrize("face", range(1, 7))
def test_the_deep_network_names_the_face_of_a_flat_die_from_every_side(
    table: Table, calibration: Calibration, face: int
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, face)]), calibration)

    for turn in range(4):
        (chances,) = second_opinions([(part, best_of(part))], (turn,), Asked.OF_DOUBTED)

        assert chances[face] > 0.9
        assert chances.sum() == pytest.approx(1, abs=1e-5)


def test_threads_may_ask_the_deep_network_at_once(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4), RenderedDie(160, 90, 0, 3)]), calibration)[:1]
    asked = [[(part, die)] for die in proposed_in(part)] * 20
    alone = [second_opinions(one, asked=Asked.OF_DOUBTED) for one in asked]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(partial(second_opinions, asked=Asked.OF_DOUBTED), asked))

    assert np.allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize(("deep", "chance"), [(0.2, 0.6), (0.9, 0.825)])
def test_the_deep_network_may_raise_a_chance_and_not_lower_it(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, deep: float, chance: float
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    said = {Asked.OF_ALL: 0.6, Asked.OF_DOUBTED: deep}

    def answer(
        proposed: list[tuple[Closeup, Candidate]], turns: Sequence[int] = (0,), asked: Asked = Asked.OF_ALL
    ) -> Floats:
        return np.tile(np.full(7, said[asked], np.float32), (len(proposed), 1))

    monkeypatch.setattr(judging, "second_opinions", answer)
    ((die,),) = judged([part], [[best_of(part)]])

    (found,) = asked_again([Found(part, (), (), [die], ())])

    assert found.chosen[0].chance == pytest.approx(chance)
    assert found.chosen[0].agreed == pytest.approx((chance + deep) / 2)


@pytest.mark.parametrize(
    ("deep", "is_read"),
    [
        pytest.param(0.6, False, id="the mean of both is too little"),
        pytest.param(0.7, True, id="neither is sure, and both believe it"),
        pytest.param(None, True, id="it was not asked"),
    ],
)
def test_both_networks_together_must_believe_a_die(
    table: Table, calibration: Calibration, deep: float | None, *, is_read: bool
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)
    (pips,) = pips_of([part], Look.THOROUGH)
    die = replace(Judged.by(best_of(part), np.full(7, 0.85, np.float32)), seconded=deep)

    assert (doubt(Found(part, pips, (), [die], ()), die, strictly=False)[0] is None) is is_read


def test_a_die_in_doubt_is_laid_where_it_is_certain_nearby(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 2)]), calibration)
    there = best_of(part)
    beside = shifted(there, 0.07 * part.side)

    (at_first,), (laid,) = judged([part], [[beside]])[0], asked_of(part, beside, calibration.tray_mm)

    assert at_first.chance < CERTAIN < laid.chance
    assert abs(laid.fit.x - there.fit.x) < abs(beside.fit.x - there.fit.x)


def test_a_die_far_beside_its_place_is_left_there_in_doubt(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 2)]), calibration)
    beside = shifted(best_of(part), 0.3 * part.side)

    (laid,) = asked_of(part, beside, calibration.tray_mm)

    assert laid.fit == beside.fit
    assert laid.chance < 0.05


@pytest.mark.parametrize(
    ("chance", "seconded", "seen", "fault"),
    [
        pytest.param(0.84, None, 0.3, Fault.UNSURE, id="hardly seen, and it is not sure"),
        pytest.param(0.84, 0.88, 0.3, Fault.UNSURE, id="nor is the deep network"),
        pytest.param(0.84, 0.94, 0.3, None, id="the deep network is"),
        pytest.param(0.84, 0.98, 0.3, None, id="both agree"),
        pytest.param(0.9, None, 0.3, None, id="hardly seen, and it is sure"),
        pytest.param(0.84, None, 1.0, None, id="clearly seen"),
    ],
)
def test_pips_that_are_hardly_seen_take_more_than_one_opinion(
    table: Table, calibration: Calibration, chance: float, seconded: float | None, seen: float, fault: Fault | None
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 0, 4)]), calibration)
    best = best_of(part)
    die = replace(best, weight=seen * best.weight)

    assert doubt_of(part, die, chance, seconded) is fault


@pytest.mark.parametrize(
    ("at", "face", "contrast", "seconded", "fault"),
    [
        pytest.param(BELOW_THE_CAMERA, 5, 25.0, 0.97, Fault.UNSURE, id="a faint five may be a four"),
        pytest.param(BELOW_THE_CAMERA, 5, 25.0, 0.99, Fault.UNSURE, id="so it may be if the networks are certain"),
        pytest.param(BELOW_THE_CAMERA, 5, 40.0, 0.97, None, id="a clear five"),
        pytest.param(BELOW_THE_CAMERA, 3, 25.0, None, Fault.UNSURE, id="a faint three may be a two"),
        pytest.param(BELOW_THE_CAMERA, 4, 25.0, 0.97, None, id="a faint four has no pip in the middle"),
        pytest.param((60, 90), 5, 25.0, 0.97, None, id="a pip of the bottom would be seen beside the middle"),
    ],
)
def test_faint_pips_in_the_middle_may_be_those_of_the_bottom(
    table: Table,
    calibration: Calibration,
    at: tuple[int, int],
    face: int,
    contrast: float,
    seconded: float | None,
    fault: Fault | None,
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(*at, 0, face)]), calibration)
    best = best_of(part)
    die = replace(best, body=replace(best.body, contrast=contrast))

    assert doubt_of(part, die, 0.985, seconded) is fault


@pytest.mark.parametrize(
    ("face", "chance", "seconded", "stranger", "fault"),
    [
        pytest.param(1, 0.96, None, 0.8, Fault.UNSURE, id="a one that may be a three"),
        pytest.param(1, 0.96, 0.995, 0.8, None, id="a one on which both networks agree"),
        pytest.param(1, 0.96, 0.98, 0.8, None, id="a one on which they nearly do, with nothing else on its top"),
        pytest.param(1, 0.9, 0.95, 0.8, Fault.UNSURE, id="a one on which they do not"),
        pytest.param(2, 0.96, 0.98, 0.8, None, id="a two on which they nearly do, with nothing else on its top"),
        pytest.param(2, 0.96, 0.995, 0.8, None, id="a two on which both agree"),
        pytest.param(1, 0.985, None, 0.8, None, id="a one of which the first is sure"),
        pytest.param(1, 0.96, None, 0.3, None, id="a one of one colour"),
        pytest.param(4, 0.96, None, 0.8, None, id="a four: there are more pips to go by"),
        pytest.param(
            5, 0.94, 0.9, 0.8, Fault.UNSURE, id="a five with more that may be pips, of a clear three's bottom"
        ),
        pytest.param(5, 0.94, 0.9, 0.5, None, id="a five with its pips and no more"),
        pytest.param(5, 0.96, 0.97, 0.8, None, id="a five on which both agree"),
    ],
)
def test_a_top_of_two_colours_may_hide_more_pips_or_show_those_of_the_bottom(
    table: Table,
    calibration: Calibration,
    face: int,
    chance: float,
    seconded: float | None,
    stranger: float,
    fault: Fault | None,
) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 0, face)]), calibration)
    best = best_of(part)
    die = replace(best, body=replace(best.body, stranger=stranger))

    assert doubt_of(part, die, chance, seconded) is fault


def test_a_die_with_uneven_pips_stays_where_they_put_it(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 2)]), calibration)
    there = best_of(part)
    beside = shifted(replace(there, body=replace(there.body, evenness=0.6)), 0.07 * part.side)

    (laid,) = asked_of(part, beside, calibration.tray_mm)

    assert POSSIBLE < laid.chance < CERTAIN
    assert laid.fit == beside.fit


def test_a_die_that_may_lean_stays_where_its_pips_put_it(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 2)]), calibration)
    there = best_of(part)
    beside = shifted(there, 0.07 * part.side)

    # In a tray that is so narrow it lies at the rim.
    (laid,) = asked_of(part, beside, (130.0, 220.0))

    assert POSSIBLE < laid.chance < CERTAIN
    assert laid.fit == beside.fit


def test_a_die_of_which_it_is_sure_stays_where_it_is(table: Table, calibration: Calibration) -> None:
    (part,) = parts_of(table.picture([RenderedDie(120, 90, 25, 4)]), calibration)

    (laid,) = asked_of(part, best_of(part), calibration.tray_mm)

    assert laid.fit == best_of(part).fit


def asked_of(part: Closeup, die: Candidate, tray_mm: tuple[float, float]) -> list[Judged]:
    """Return *die*, alone in a tray, when the second opinion has been asked in all ways."""
    ((chosen,),) = judged([part], [[die]])
    (again,) = asked_again([Found(part, (), (), [chosen], ())])
    return list(laid_better(again, tray_mm).chosen)


def test_of_nothing_it_has_no_opinion() -> None:
    assert second_opinions([]).shape == (0, 7)


def test_it_may_refuse_what_the_pips_tell(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = table.picture([RenderedDie(120, 90, 25, 4)])
    assert read_tray(picture, calibration, dice=1).faces == (4,)

    def doubting(
        proposed: list[tuple[Closeup, Candidate]], turns: Sequence[int] = (0,), asked: Asked = Asked.OF_ALL
    ) -> Floats:
        return np.tile(np.array([0.8, 0, 0, 0, 0.2, 0, 0], np.float32), (len(proposed), 1))

    monkeypatch.setattr(judging, "second_opinions", doubting)

    assert read_tray(picture, calibration, dice=1).fault is Fault.COCKED


def test_most_dice_that_lean_on_another_are_refused_by_it_alone(table: Table, calibration: Calibration) -> None:
    doubted = []
    for seed in range(12):
        picture = table.picture(throw(random.Random(seed), 2, ThrowKind.COCKED_DIE), seed=seed)
        for part in parts_of(picture, calibration):
            candidates = proposed_in(part)
            chances = second_opinions([(part, c) for c in candidates])
            sure = {c.fit: chances[k, c.fit.face] > 0.5 for k, c in enumerate(candidates)}
            doubted.append(_apart(sure) < 2)

    assert sum(doubted) >= 0.75 * len(doubted)


def _apart(sure: dict[FaceFit, np.bool_]) -> int:
    """Return how many different places there are at which a flat die is believed in."""
    places = {(round(fit.x / 20), round(fit.y / 20)) for fit, believed in sure.items() if believed}
    return len(places)
