"""What speaks against dice that were chosen in a closeup, each rule by itself."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.rendered import closeup_of
from vision import Calibration, Fault
from vision.candidates import Candidate
from vision.geometry import PX_PER_MM
from vision.render import RenderedDie, Table
from vision.tray import judging
from vision.tray.explain import OVERLAP_MM, weighed
from vision.tray.flat import pips_of, propose_flat
from vision.tray.found import Found, Judged
from vision.tray.judging import POSSIBLE, laid_better
from vision.tray.leaning import CERTAIN
from vision.tray.spots import Look
from vision.zone import Region


def certain(die: Candidate) -> Judged:
    return Judged.by(die, np.eye(7, dtype=np.float32)[die.fit.face])


def laid(table: Table, calibration: Calibration, *dice: RenderedDie) -> Found:
    """Return a closeup of *dice* that lie together, the best candidate for each chosen, from the left to the right."""
    part = closeup_of(table, calibration, *dice)
    (pips,) = pips_of([part], Look.THOROUGH)
    (candidates,) = propose_flat([(part, pips)])
    chosen: list[Candidate] = []
    for one in sorted(candidates, key=lambda c: -c.weight):
        if len(chosen) < len(dice) and not any(one.clashes(other) for other in chosen):
            chosen.append(one)
    chosen.sort(key=lambda c: c.fit.x)
    assert [c.fit.face for c in chosen] == [die.top for die in dice]
    return Found(part, pips, [], [certain(c) for c in chosen], [])


def told(found: Found, calibration: Calibration) -> tuple[Fault | None, str]:
    return weighed(found, calibration, Region(), strictly=False).doubt


def test_two_dice_that_lie_closer_than_flat_ones_can_are_refused(table: Table, calibration: Calibration) -> None:
    side_by_side = laid(table, calibration, RenderedDie(112, 90, 0, 4), RenderedDie(128.2, 90, 0, 6))
    left, right = side_by_side.chosen
    nearer = replace(right, fit=replace(right.fit, x=right.fit.x - (OVERLAP_MM + 0.5) * PX_PER_MM))

    assert told(side_by_side, calibration)[0] is None
    assert told(replace(side_by_side, chosen=[left, nearer]), calibration) == (
        Fault.STACKED,
        "two dice lie closer than flat dice can",
    )


def test_a_die_that_could_be_another_as_well_is_refused(table: Table, calibration: Calibration) -> None:
    four = laid(table, calibration, RenderedDie(120, 90, 25, 4))
    (die,) = four.chosen
    five = replace(die, fit=replace(die.fit, face=5, pips=die.fit.pips | {len(four.pips)}))

    assert told(four, calibration)[0] is None
    assert told(replace(four, candidates=[five]), calibration) == (
        Fault.UNSURE,
        "one of the dice could be a 5 as well",
    )


@pytest.mark.parametrize(("seconded", "is_laid_anew"), [(1.0, True), (0.5, False)])
def test_a_die_is_laid_beside_its_pips_only_where_both_networks_agree_there(
    table: Table, calibration: Calibration, monkeypatch: pytest.MonkeyPatch, seconded: float, is_laid_anew: bool
) -> None:
    def asked(parts: Sequence[Found]) -> list[Found]:
        return [replace(part, chosen=[replace(certain(c), seconded=seconded) for c in part.chosen]) for part in parts]

    found = laid(table, calibration, RenderedDie(120, 90, 25, 2))
    (there,) = found.chosen
    beside = replace(there, fit=replace(there.fit, x=there.fit.x - 0.07 * found.closeup.side))
    beside = replace(Judged.by(beside, np.full(7, (POSSIBLE + CERTAIN) / 2, np.float32)), seconded=CERTAIN)
    monkeypatch.setattr(judging, "asked_again", asked)

    (laid_so,) = laid_better(replace(found, chosen=[beside]), calibration.tray_mm).chosen

    assert (laid_so.fit != beside.fit) is is_laid_anew
