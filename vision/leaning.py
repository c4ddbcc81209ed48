"""Does a die lie flat? What the network makes of it, and whether it fills the outline of a flat die and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.closeup import Closeup
from vision.opinion import NONE
from vision.pips import Pip
from vision.silhouette import silhouette, square
from vision.types import Gray, Mask, as_uint8

MIN_CHANCE = 0.6
"""Chance, by the second opinion, of the face that the layout tells, below which it is not believed."""

SURE = 0.9
MAX_HOLE = (0.06, 0.35)
MAX_OUT = (0.02, 0.3)
"""Parts of a top face that may be missing within the outline of a flat die, and stick out of it: where the second
opinion is below `SURE`, and above."""

SHRINK_MM = 1.0
EDGE_MM = 0.7
BESIDE_MM = 0.5
"""The outline is drawn so much smaller to look for holes, and larger to look for what sticks out; those of other dice
by the third: what a leaning die shows lies between the two."""

INNER = 0.88
RELIABLE_BODY = 0.97
"""Part of a top face, so many sides wide, that must count as body for its outline to be trusted: a black die is much
like a shadow."""

KIN_DELTA = 0.3
"""What sticks out differs from the felt by such a part, at least, of what the top does."""

BENEATH = 0.03
BENEATH_DELTA = 0.5
BENEATH_MM = 1.3
"""Part of a top face that must look out from beneath a die for it to lie on another one; how much that differs from
the felt, in parts of what the die does; how much larger the outline is drawn to look for it."""

LIGHTEST = 1.5
COLOUR_ERROR = (7.0, 0.05)
"""How much lighter than the top a side may be, and how far its colour may be off the line from black to the top's:
Lab units, and more for light dice."""


@dataclass(frozen=True, slots=True)
class Judged(Candidate):
    """A candidate with the second opinion on it: chances of no flat die, and of the faces 1 to 6."""

    chances: tuple[float, ...]

    @property
    def chance(self) -> float:
        """The chance of the face that the layout tells."""
        return self.chances[self.fit.face]

    @property
    def confidence(self) -> float:
        """0 to 1: the weaker of both opinions."""
        # slots=True makes a new class, which super() without arguments does not know.
        return min(Candidate.confidence.fget(self), self.chance)  # type: ignore[attr-defined, no-any-return]


@dataclass(frozen=True, eq=False)
class Found:
    """A closeup, and what was made of it.

    Attributes
    ----------
    closeup
        The picture and what is new in it.
    pips
        What may be a pip, in its pixels.
    candidates
        The dice they may belong to.
    chosen
        Those of them that explain most together.
    disowned
        Those that pips and layout proposed, and the second opinion would not have.
    """

    closeup: Closeup
    pips: Sequence[Pip]
    candidates: Sequence[Judged]
    chosen: Sequence[Judged]
    disowned: Sequence[Judged]


def doubt(part: Found, die: Judged) -> str:
    """Return why *die* may not lie flat or may show another face, in words, or nothing."""
    if die.chance < MIN_CHANCE:
        other = max(range(7), key=lambda face: die.chances[face])
        seen = "no flat die" if other == NONE else f"a {other}"
        return f"a die looks like a {die.fit.face} by its pips, and like {seen} to the second opinion"
    kin = _kin(part.closeup, die)
    hole, out = _hole(part.closeup, die, kin), _sticking_out(part, die, kin)
    if hole > MAX_HOLE[die.chance > SURE] or out > MAX_OUT[die.chance > SURE]:
        return f"a die leans: {hole:.0%} of it is missing, {out:.0%} sticks out"
    return ""


def lies_on_another(part: Found, die: Judged) -> bool:
    """Return whether something as clear as *die*, of whatever colour, looks out from beneath it."""
    close = part.closeup
    clear = (close.delta > BENEATH_DELTA * _own_delta(close, die)).astype(np.uint8) * 255
    outlines = silhouette(close, [c.fit for c in part.chosen], BENEATH_MM)
    near = cv2.bitwise_and(square(close, die.fit, 2.2), cv2.bitwise_not(outlines))
    return _area(close, cv2.bitwise_and(cv2.bitwise_and(near, close.body), clear)) > BENEATH


def _own_delta(closeup: Closeup, die: Judged) -> float:
    """Return by how many grey levels the top of *die* differs from the felt, as a median."""
    return float(np.median(closeup.delta[square(closeup, die.fit, 0.8) > 0]))


def _hole(closeup: Closeup, die: Judged, kin: Gray) -> float:
    """Return the part of a top face, inside the outline of *die* as a flat one, where nothing like it is."""
    top = square(closeup, die.fit, INNER)
    covered = cv2.countNonZero(cv2.bitwise_and(top, closeup.body)) / cv2.countNonZero(top)
    like_die = closeup.changed
    if covered > RELIABLE_BODY:
        like_die = as_uint8(cv2.bitwise_or(closeup.body, cv2.bitwise_and(kin, closeup.changed)))
    return _area(closeup, cv2.bitwise_and(silhouette(closeup, [die.fit], -SHRINK_MM), cv2.bitwise_not(like_die)))


def _sticking_out(part: Found, die: Judged, kin: Gray) -> float:
    """Return the part of a top face that lies beside *die*, outside of all outlines, and is of its colour."""
    close = part.closeup
    others = [c.fit for c in part.chosen if c is not die]
    outlines = cv2.bitwise_or(silhouette(close, [die.fit], EDGE_MM), silhouette(close, others, BESIDE_MM))
    differs = (close.delta > KIN_DELTA * _own_delta(close, die)).astype(np.uint8) * 255
    like_die = cv2.bitwise_and(cv2.bitwise_and(kin, differs), close.body)
    near = cv2.bitwise_and(square(close, die.fit, 2.0), cv2.bitwise_not(outlines))
    return _area(close, cv2.bitwise_and(near, like_die))


def _kin(closeup: Closeup, die: Judged) -> Gray:
    """Return where the colour may be that of *die* in light or shade: 0 or 255."""
    light, *colour = die.body.colour
    lab = closeup.lab.astype(np.float32)
    shade = lab[..., 0] / max(light, 12.0)
    a, b = (lab[..., k + 1] - 128 - shade * (colour[k] - 128) for k in (0, 1))
    error = COLOUR_ERROR[0] + COLOUR_ERROR[1] * light
    kin: Mask = (shade < LIGHTEST) & (a * a + b * b < error * error)
    return np.where(kin, np.uint8(255), np.uint8(0))


_SPECK = np.ones((3, 3), np.uint8)


def _area(closeup: Closeup, mask: cv2.typing.MatLike) -> float:
    """Return the area of *mask* without specks, in top faces."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SPECK)
    return cv2.countNonZero(opened) / closeup.side**2
