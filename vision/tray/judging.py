"""Ask the second opinion: of every candidate once, of what was chosen from all sides, and of places beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from vision.candidates import Candidate
from vision.tray.closeup import Closeup
from vision.tray.found import Found, Judged
from vision.tray.leaning import CERTAIN, MIN_EVENNESS
from vision.tray.opinion import ALL_TURNS, Asked, second_opinions
from vision.tray.tops import may_lean
from vision.types import Floats

SHIFT = 0.03
POSSIBLE = 0.2
"""Sides by which a die is laid elsewhere along either axis or both, where its chance is between this and `CERTAIN`:
pips are found some pixels off where they mirror a lamp, and one or two of them tell little of a middle."""

RAISED = 0.75
"""How far towards what the deep network gives it the chance of a die is raised. Of 24,213 flat dice, drawn and traced,
on tables that neither network had learned from, 824 stay below `SURE` where both weigh the same, 680 so; of 11,836
others 73 come above it, and 76."""

BELIEVED = 0.5
"""What the deep network must give a die where its pips put it for another place to be looked for. To a clear two with
the five of its bottom it gave 0.33 as a five there, and more beside (676590)."""

LOOKS_FLAT, FLAT_ONCE = 0.98, 0.95
"""What the network that learned from dice that lean must give a die from one side for the deep one not to be asked; and
what that must, for no other side to be."""

MIN_BY_LEANING = 0.55
"""What the first of them must give a die that has something to lean on where the deep one is not sure of it
(`vision.tray.propped.UNDOUBTED`). A two that leant on the rim by 18 degrees, a light along its edge, had 0.44, by the
deep one 0.76 (777570); a dark one that leant by 19 in the shade of the rim 0.49 and 0.90 (825806). Of 2,789 dice in
right throws that had something to lean on, one has less; of 900 throws with a slight lean five are refused for it."""


def judged(parts: Sequence[Closeup], candidates: Sequence[Sequence[Candidate]]) -> list[list[Judged]]:
    """Return the *candidates* of each of *parts* with the second opinion on them, asked on all of them at once."""
    opinions = iter(second_opinions([(part, c) for part, own in zip(parts, candidates, strict=True) for c in own]))
    return [[Judged.by(c, chances) for c, chances in zip(own, opinions, strict=False)] for own in candidates]


def asked_again(found: Sequence[Found]) -> list[Found]:
    """Return *found* with other opinions on what was chosen: of both networks, the mean of all ways to turn it."""
    chosen = [(one.closeup, c) for one in found for c in one.chosen]
    more = second_opinions(chosen, ALL_TURNS[1:])
    doubted = second_opinions(chosen, ALL_TURNS, Asked.OF_DOUBTED)
    opinions = zip(more, doubted, strict=True)
    return [
        replace(one, chosen=[_averaged(c, *said) for c, said in zip(one.chosen, opinions, strict=False)])
        for one in found
    ]


def asked_of_pale(closeup: Closeup, die: Judged) -> Judged:
    """Return *die*, whose pips are pale at a quick look, with what two of the networks make of it from all sides."""
    more = second_opinions([(closeup, die)], ALL_TURNS[1:])[0]
    return replace(die.judged_anew(_from_all_sides(die, more)), seconded=flat_by_leaning(closeup, die))


def _averaged(die: Judged, more: Floats, doubted: Floats) -> Judged:
    """Return *die*, judged from one side, with the mean of that and three *more*, and what the deep network says.

    That may raise the mean, and not lower it.
    """
    face = die.fit.face
    own = _from_all_sides(die, more)
    raised = np.asarray(own + RAISED * (doubted - own), np.float32)
    again = die.judged_anew(raised if doubted[face] > own[face] else own)
    return replace(again, seconded=float(doubted[face]))


def _from_all_sides(die: Judged, more: Floats) -> Floats:
    """Return the mean of the chances of *die*, judged from one side, and those from the three others: shape (7,)."""
    return np.asarray(np.array(die.chances) / 4 + more * (3 / 4), np.float32)


def laid_better(part: Found, tray_mm: tuple[float, float]) -> Found:
    """Return *part* with its dice a little beside where they were laid, if they are in doubt there and certain here.

    Both networks must agree there.
    Only of dice that have nothing to lean on: pips of a leaning one lie off its outline. Two that leant on others by
    18 degrees had 0.23 and 0.81 where their pips put them, and 0.77 and 0.97 beside.
    """
    chosen = [c if may_lean(c, part, tray_mm) else _laid_better(part.closeup, c) for c in part.chosen]
    moved = [c for c, before in zip(chosen, part.chosen, strict=True) if c is not before]
    (anew,) = asked_again([replace(part, chosen=moved)])
    agreed = all(c.is_unanimous for c in anew.chosen)
    return replace(part, chosen=chosen) if agreed else part


def judged_to_lean(closeup: Closeup, die: Judged) -> Judged:
    """Return *die* with what the network that learned from dice that lean makes of it, or else the deep one.

    At a quick look each is asked from one side, and if that is enough nothing else is; nor if the first thinks that it
    leans.
    """
    if die.seconded is not None:
        return die
    leaning = _told(closeup, die, ALL_TURNS[:1], Asked.OF_LEANING)
    if not MIN_BY_LEANING < leaning < LOOKS_FLAT:
        return replace(die, seconded=leaning)
    once = _told(closeup, die, ALL_TURNS[:1], Asked.OF_DOUBTED)
    if once > FLAT_ONCE:
        return replace(die, seconded=once)
    return replace(die, seconded=once / 4 + _told(closeup, die, ALL_TURNS[1:], Asked.OF_DOUBTED) * 3 / 4)


def flat_by_leaning(closeup: Closeup, die: Judged) -> float:
    """Return what the network that learned from dice that lean gives *die*, asked from all sides."""
    return _told(closeup, die, ALL_TURNS, Asked.OF_LEANING)


def _told(closeup: Closeup, die: Judged, turns: Sequence[int], asked: Asked) -> float:
    return float(second_opinions([(closeup, die)], turns, asked)[0, die.fit.face])


def _laid_better(closeup: Closeup, die: Judged) -> Judged:
    """Return *die* a little beside where it is, if it is in doubt where it is and certain there.

    Its pips must be alike: that they are not, another place does not explain. Of 21 that were right the least even had
    0.87; one that rolled had 0.59.
    """
    in_doubt = POSSIBLE < die.chance <= CERTAIN and die.least > BELIEVED
    if not in_doubt or die.body.evenness < MIN_EVENNESS:
        return die
    step, fit = SHIFT * closeup.side, die.fit
    beside = [
        replace(die, fit=replace(fit, x=fit.x + x * step, y=fit.y + y * step))
        for x, y in product((-1, 0, 1), repeat=2)
        if (x, y) != (0, 0)
    ]
    chances = second_opinions([(closeup, one) for one in beside], turns=ALL_TURNS)
    best = int(chances[:, fit.face].argmax())
    return beside[best].judged_anew(chances[best]) if chances[best, fit.face] > CERTAIN else die
