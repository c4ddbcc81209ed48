"""A quick look at what lies in the tray: dice as clear as most are need no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.backdrop import backdrop_of
from vision.calibration import Calibration
from vision.cover import choose
from vision.tray.closeup import Closeup
from vision.tray.explain import Weighed, weighed
from vision.tray.eye import eye_told_by, heights_told_by
from vision.tray.flat import pips_of, propose_flat
from vision.tray.found import Found, Judged
from vision.tray.judging import asked_of_pale, judged
from vision.tray.leaning import CERTAIN
from vision.tray.opinion import AT_ONCE
from vision.tray.spots import Look
from vision.zone import Region

LEAST_CHANCE = 0.02
"""A candidate that the second opinion gives less is none."""


def seen_at_once(parts: Sequence[Closeup], calibration: Calibration, region: Region) -> list[Weighed]:
    """Return what lies in each of *parts* at a quick look, and what speaks against it, however little.

    What is not settled is looked at anew if dice tell that the camera hangs elsewhere; and of what is not for pale pips
    alone, more is asked.
    """
    seen = _from_where_it_hangs(_at_once(parts, calibration, region), calibration, region)
    return [_though_pale(one) for one in seen]


def _at_once(parts: Sequence[Closeup], calibration: Calibration, region: Region) -> list[Weighed]:
    """Return what lies in each of *parts* at a quick look, and what speaks against it, however little."""
    return [weighed(part, calibration, region, strictly=True) for part in _explained(parts)]


def _from_where_it_hangs(seen: Sequence[Weighed], calibration: Calibration, region: Region) -> list[Weighed]:
    """Return *seen*, what is not settled looked at anew from where the dice in the other closeups tell the camera is.

    No die is a witness for itself, nor for what it may lean on: one that leans looks as if seen from elsewhere.
    """
    eyes = backdrop_of(calibration).eyes
    if not eyes or len(seen) < 2 or all(one.settled for one in seen):
        return list(seen)
    told = [heights_told_by(one.part, eyes) for one in seen]
    anew = []
    for k, one in enumerate(seen):
        others = [*told[:k], *told[k + 1 :]]
        eye = None if one.settled else eye_told_by(eyes, others, calibration.camera_height_mm)
        anew.extend([one] if eye is None else _at_once([one.part.closeup.seen_from(eye.feet)], calibration, region))
    return anew


def _though_pale(one: Weighed) -> Weighed:
    """Return *one*, which pale pips alone leave unsettled, with what two networks say of them if that settles it."""
    part = one.part
    if one.settled or one.specked or not one.stands or any(die.chance <= CERTAIN for die in part.chosen):
        return one
    asked = [asked_of_pale(part.closeup, die) if die.pale else die for die in part.chosen]
    again = replace(one, part=replace(part, chosen=asked))
    return again if again.settled else one


def _explained(parts: Sequence[Closeup]) -> list[Found]:
    """Return what lies in each of *parts* at a quick look; only what is chosen is asked the second opinion on.

    Where that disowns one, those that may lie there instead are asked as well: beside the edge of a mirrored lamp two
    pips are seen on a one, and a two is chosen before it.
    """
    pips = pips_of(parts, Look.QUICK)
    proposed = propose_flat(list(zip(parts, pips, strict=True)))
    chosen = [choose(own, None) for own in proposed]
    asked = judged(parts, chosen)
    quick = [
        Found(part, own_pips, own, likely, ())
        for part, own_pips, own, likely in zip(parts, pips, proposed, asked, strict=True)
    ]
    return [_chosen_anew(one) if any(c.chance <= LEAST_CHANCE for c in one.chosen) else one for one in quick]


def _chosen_anew(part: Found) -> Found:
    """Return *part* with others for those that were disowned, if not too many may lie there."""
    told = [c for c in part.chosen if c.chance > LEAST_CHANCE]
    rivals = [c for c in part.candidates if any(c.clashes(die) for die in told)]
    others = [c for c in part.candidates if c not in rivals]
    if len(others) > 2 * AT_ONCE:
        return part
    (asked,) = judged([part.closeup], [others])
    anew = chosen_of(part, asked)
    return replace(anew, candidates=[*rivals, *anew.candidates], chosen=[*told, *anew.chosen])


def chosen_of(part: Found, asked: Sequence[Judged]) -> Found:
    """Return *part* with what is chosen of the candidates that the second opinion was *asked* on."""
    candidates = [c for c in asked if c.chance > LEAST_CHANCE]
    disowned = [c for c in asked if c.chance <= LEAST_CHANCE]
    return replace(part, candidates=candidates, chosen=choose(candidates, None), disowned=disowned)
