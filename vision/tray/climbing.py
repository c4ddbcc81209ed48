"""The place around a top at which a network is surest that a die lies there: climbed to, a step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import radians
from typing import NamedTuple, TypeAlias

from vision.candidates import Candidate
from vision.layouts import FaceFit
from vision.pips import Pip
from vision.tray.closeup import Closeup
from vision.tray.opinion import ALL_TURNS, NONE, Asked, second_opinions
from vision.tray.outlined import DIAMETER, ROUNDNESS
from vision.tray.sampling import look_under
from vision.types import Floats


class Stride(NamedTuple):
    """How a place is climbed to: steps in sides and degrees, the turns of the top it is asked of, and the network."""

    sides: float
    degrees: float
    turns: Sequence[int]
    asked: Asked


Place: TypeAlias = tuple[int, int, int]
"""How many strides along either axis, and how many turned."""

START: Place = (0, 0, 0)
STEPS: tuple[Place, ...] = tuple(
    (x, y, turns) for x, y, turns in product((-1, 0, 1), repeat=3) if 0 < abs(x) + abs(y) + abs(turns) < 3
)
"""To where it is climbed next: along one or two of the three."""

COARSE = Stride(0.05, 5.0, ALL_TURNS[:1], Asked.OF_ALL)
FINE = Stride(0.025, 2.5, ALL_TURNS, Asked.OF_LEANING)
"""From one way alone the surest place was up to 0.06 sides off."""


def climbed(closeup: Closeup, top: FaceFit, stride: Stride) -> tuple[FaceFit, Floats]:
    """Return the place around *top* at which a die is likeliest, and its chances, found by hill climbing."""
    at, tried = START, {START}
    best, chances = top, chances_at(closeup, [top], stride)[0]
    while near := [place for step in STEPS if (place := _sum(at, step)) not in tried]:
        tried.update(near)
        tops = [_moved(top, place, stride) for place in near]
        asked = chances_at(closeup, tops, stride)
        k = int(asked[:, NONE].argmin())
        if asked[k, NONE] >= chances[NONE]:
            break
        at, best, chances = near[k], tops[k], asked[k]
    return best, chances


def chances_at(closeup: Closeup, tops: Sequence[FaceFit], stride: Stride) -> Floats:
    """Return what the network of *stride* makes of each of *tops*: shape (len(tops), 7), or 2.

    The colour of each is that around its middle.
    """
    pips = [Pip(top.x, top.y, DIAMETER * top.side, ROUNDNESS, dark=True, levels=1) for top in tops]
    bare = [replace(top, pips=frozenset((k,))) for k, top in enumerate(tops)]
    bodies = look_under(closeup.lab, bare, pips, edges=False)
    dice = [Candidate(fit, body, 1.0) for fit, body in zip(bare, bodies, strict=True)]
    return second_opinions([(closeup, die) for die in dice], stride.turns, stride.asked)


def _sum(at: Place, step: Place) -> Place:
    return at[0] + step[0], at[1] + step[1], at[2] + step[2]


def _moved(top: FaceFit, place: Place, stride: Stride) -> FaceFit:
    """Return *top* at *place*, in strides from its own."""
    x, y, turns = place
    step = stride.sides * top.side
    return replace(top, x=top.x + x * step, y=top.y + y * step, angle=top.angle + turns * radians(stride.degrees))
