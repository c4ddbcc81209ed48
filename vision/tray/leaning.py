"""Does a die lie flat? What the network makes of it, and whether it fills the outline of a flat die and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import hypot
from statistics import median
from typing import Final, TypeAlias

import cv2
import numpy as np

from vision.compiled.kin import like_colour, median_within
from vision.pips import Pip, is_at, lies_on
from vision.tray.blur import has_moved
from vision.tray.closeup import Closeup
from vision.tray.found import AGREED, Found, Judged
from vision.tray.hidden import shows_all_its_pips
from vision.tray.laying import crowded
from vision.tray.middle import may_cover_its_middle
from vision.tray.opinion import NONE
from vision.tray.outlined import FEW, shows_nothing_else
from vision.tray.silhouette import silhouette, square
from vision.tray.translucent import shows_its_bottom
from vision.types import Fault, Gray, as_uint8

MIN_CHANCE, MIN_DEEP = 0.7, 0.64
"""What the first network must give the face that the layout tells, raised where the deep one gives it more
(`vision.tray.judging.RAISED`), and that one, where it is asked, for it to be believed. On tables that neither had
learned from, of 24,213 flat dice, drawn and photorealistic, 444 come below one of them, and 105 of 11,836 other things
above both; of flat dice one wrong face, a traced four that both made a five of."""

CERTAIN = 0.92
"""Chance above which the second opinion is enough where the top is like the felt, or the outline is asked from one side
only: 14 of those 2,243 came higher. Below it the pips must be alike, and none like them may be left over on the top."""

FELT_LIKE = 30.0
"""Grey levels: a top that differs less from the felt has no outline that could be trusted."""

SURE = 0.85
MAX_HOLE = (0.06, 0.35)
MAX_OUT = (0.02, 0.3)
"""Parts of a top face that may be missing within the outline of a flat die, and stick out of it: where the second
opinion is below `SURE`, and above."""

PALE_BUT_FLAT = 0.9
"""What the deep network must give a die whose pips are pale where its chance is below `SURE`. Of the flat dice
that `MIN_CHANCE` was counted on it so believes 87 more, and four of the others."""

CLEARLY = 0.7
"""Grey levels of a pip that is left over on a top, in those of the die's own, from which it is no face, however sure
the networks are: to them a top of nine is a six. Pips of the bottom of a clear die have less."""

MIN_EVENNESS = 0.7
"""Contrast of the faintest pip in that of the median one, where the second opinion is below `CERTAIN`: pips of the
bottom face shine through clear dice, and two of them made a five of a three."""

TWO_COLOURED = (0.98, 0.7, 0.5)
"""A lamp that is mirrored by a part of the top hides pips at its edge. Of faces of so few pips as could be part of
another one, that the second opinion gives less than the first, so much of the top must be of one colour, and no more
of the size of a pip, elsewhere on it, of the colour of one (`vision.bodies.Body`). Two threes were read as ones, with
0.906, 0.63 and 0.78, and with 0.754, 0.59 and 0.89; of 310 right ones and twos the four with more than the last had
0.983 and more."""

SURE_OF_FEW = AGREED[1]
"""Mean of the networks above which a top of two colours hides none of few pips, whatever its face: two corners of a
four that was white with a lamp were a two, to which two networks gave 0.960."""

SIDE_PIP = (0.4, 0.5, 1.3)
"""Roundness of a pip on the side of a die, and its diameter in those of the top's, least and most."""

SIDE_LEVELS, PALE_SIDE_LEVELS = 0.6, 0.4
"""Contrast of it in that of the top's pips; and of each where two are seen."""

SIDE_KIN = 0.2
"""Part of what lies around it that has the colour of the die: else it is a speck of shadow."""

BEYOND_MM = 1.0
"""How far beyond the outline of a flat die it is seen on a leaning one."""

ALL_AROUND = 2.0
"""So many sides from its middle all lies that speaks for or against a die."""

SHRINK_MM = 1.0
EDGE_MM = 0.7
BESIDE_MM = 0.5
"""The outline is drawn so much smaller to look for holes, and larger to look for what sticks out; those of other dice
by the third: what a leaning die shows lies between the two."""

INNER = 0.88
RELIABLE_BODY = 0.97
LITTLE_BODY = 0.8
"""Part of a top face, so many sides wide, that must count as body for its outline to be trusted: a black die is much
like a shadow. With less than the second it tells nothing, and only the second opinion is left."""

KIN_DELTA = 0.5
"""What sticks out differs from the felt by such a part, at least, of what the top does. Clear dice throw light of their
own colour into the shadow beside them, of a photorealistic one it is 0.3; of three that leant, and stuck out, all was
above 0.7."""

LIGHTEST = 1.5
COLOUR_ERROR = (7.0, 0.05)
"""How much lighter than the top a side may be, and how far its colour may be off the line from black to the top's:
Lab units, and more for light dice."""


Objection: TypeAlias = tuple[Fault | None, str]
"""What speaks against what was seen, and why; None where nothing does."""

SIDE_SEEN: Final = (Fault.COCKED, "a die leans: pips of a side are seen where a flat die has none")


def doubt(part: Found, die: Judged, *, strictly: bool) -> Objection:
    """Return what speaks against *die* lying flat with the face of its layout, and why; None if nothing does.

    Taken *strictly*, its outline is held to the narrower limits, however sure the second opinion is.
    """
    if die.chance < MIN_CHANCE or (die.seconded is not None and die.seconded < MIN_DEEP):
        other = max(range(7), key=lambda face: die.chances[face])
        if other not in (NONE, die.fit.face):
            return Fault.UNSURE, f"a die looks like a {die.fit.face} by its pips, and like a {other} otherwise"
        return Fault.COCKED, f"a die looks like a {die.fit.face} by its pips, and not flat otherwise"
    if (why := _doubt_of_pips(part, die)) is not None:
        return Fault.UNSURE, why
    if has_moved(part, die):
        return Fault.MOVING, f"a {die.fit.face} is blurred one way"
    part, die = nearby(part, die)
    kin = _kin(part.closeup, die)
    if _shows_a_side(part, die, kin):
        return SIDE_SEEN
    own = own_delta(part.closeup, die)
    covered = body_share(part, die)
    no_outline = (die.chance > CERTAIN and own < FELT_LIKE) or (die.chance > SURE and covered < LITTLE_BODY)
    hole = 0.0 if no_outline else _hole(part.closeup, die, kin, covered)
    out = _sticking_out(part, die, kin, own, lit=die.chance > CERTAIN and not strictly)
    wide = die.chance > SURE and not strictly
    if hole > MAX_HOLE[wide] or out > MAX_OUT[wide]:
        return Fault.COCKED, f"a die leans: {hole:.0%} of it is missing, {out:.0%} sticks out"
    return None, ""


def _doubt_of_pips(part: Found, die: Judged) -> str | None:
    """Return what is doubtful in the pips of *die*: too faint, too many, uneven, or others may be hidden."""
    if (clear := shows_its_bottom(part, die)) is not None:
        return clear
    if may_cover_its_middle(part, die):
        return f"something lies in the middle of a {die.fit.face}: it may cover a pip, or be none"
    if _may_hide_pips(part, die):
        return f"the top of a {die.fit.face} is of two colours, and may hide more pips"
    if crowded(part.pips, die.fit, CLEARLY):
        return f"a {die.fit.face} shows more pips than it has"
    if die.is_sure:
        return None
    if die.pale and ((die.chance < SURE and die.looks_flat < PALE_BUT_FLAT) or crowded(part.pips, die.fit, faint=0.0)):
        return f"the pips of a {die.fit.face} are hardly seen"
    if die.chance < CERTAIN and crowded(part.pips, die.fit):
        return f"a {die.fit.face} shows more pips than it has"
    if die.chance < CERTAIN and die.body.evenness < MIN_EVENNESS:
        return f"the pips of a {die.fit.face} are of different contrast"
    return None


def nearby(part: Found, die: Judged) -> tuple[Found, Judged]:
    """Return *part* and *die* without what is far from it: of thirty dice in one closeup each is looked at alone."""
    close = part.closeup
    far = ALL_AROUND * close.side
    rows, columns = close.body.shape
    x0, y0 = max(0, round(die.fit.x - far)), max(0, round(die.fit.y - far))
    x1, y1 = min(columns, round(die.fit.x + far)), min(rows, round(die.fit.y + far))
    if 2 * (x1 - x0) * (y1 - y0) > rows * columns:
        return part, die
    pips = [Pip(p.x - x0, p.y - y0, p.diameter, p.roundness, p.dark, p.levels) for p in part.pips]
    around = [c for c in part.chosen if max(abs(c.fit.x - die.fit.x), abs(c.fit.y - die.fit.y)) < far + close.side]
    moved = {c: replace(c, fit=replace(c.fit, x=c.fit.x - x0, y=c.fit.y - y0)) for c in (*around, die)}
    return Found(close.cut(x0, y0, x1, y1), pips, (), [moved[c] for c in around], ()), moved[die]


def _may_hide_pips(part: Found, die: Judged) -> bool:
    """Return whether *die* shows few pips, and its top is of two colours as one that mirrors a lamp in part."""
    sure, fill, stranger = TWO_COLOURED
    two_coloured = die.body.fill < fill or die.body.stranger > stranger
    in_doubt = die.fit.face in FEW and die.chance < sure and die.agreed <= SURE_OF_FEW
    if not (in_doubt and two_coloured) or shows_all_its_pips(part, die):
        return False
    return not (die.is_unanimous and shows_nothing_else(part.closeup, die.fit))


def _shows_a_side(part: Found, die: Judged, kin: Gray) -> bool:
    """Return whether pips like those of *die* are seen beside it, where no flat die of those chosen can have any.

    One that is clear is enough. Of paler ones it takes two, whatever their polarity: pips of gold are lighter than a
    blue side, and darker than a top in which a lamp is mirrored.
    """
    own = [part.pips[i] for i in die.fit.pips]
    diameter, levels = median(p.diameter for p in own), median(p.levels for p in own)
    used = {i for c in part.chosen for i in c.fit.pips}
    roundness, smallest, largest = SIDE_PIP
    beside = []
    for i, pip in enumerate(part.pips):
        like = smallest < pip.diameter / diameter < largest and pip.roundness > roundness
        near = max(map(abs, die.fit.on_face(pip.x, pip.y))) < 1.0
        if i not in used and like and near and pip.levels >= PALE_SIDE_LEVELS * levels:
            beside.append(pip)
    # Outlines are drawn where there is something to ask of them, which is seldom.
    beside = _on_a_side(part, beside, kin) if beside else []
    clear = any(p.dark == own[0].dark and p.levels >= SIDE_LEVELS * levels for p in beside)
    return clear or any(hypot(p.x - q.x, p.y - q.y) > diameter / 2 for p, q in combinations(beside, 2))


def _on_a_side(part: Found, pips: Sequence[Pip], kin: Gray) -> list[Pip]:
    """Return those of *pips* that lie beyond the outlines of all chosen dice, on what has the colour of one."""
    outlines = silhouette(part.closeup, [c.fit for c in part.chosen], BEYOND_MM)
    rows, columns = outlines.shape
    found = []
    for pip in pips:
        row, column, far = min(round(pip.y), rows - 1), min(round(pip.x), columns - 1), round(pip.diameter)
        around = kin[max(0, row - far) : row + far + 1, max(0, column - far) : column + far + 1]
        if not is_at(outlines, pip) and lies_on(part.closeup.body, pip) and around.mean() > 255 * SIDE_KIN:
            found.append(pip)
    return found


def own_delta(closeup: Closeup, die: Judged) -> float:
    """Return by how many grey levels the top of *die* differs from the felt, as a median."""
    return median_within(np.ascontiguousarray(closeup.delta), square(closeup, die.fit, 0.8))


def body_share(part: Found, die: Judged) -> float:
    """Return the part of the top of *die* that counts as body."""
    top = square(part.closeup, die.fit, INNER)
    return cv2.countNonZero(cv2.bitwise_and(top, part.closeup.body)) / cv2.countNonZero(top)


def _hole(closeup: Closeup, die: Judged, kin: Gray, covered: float) -> float:
    """Return the part of a top face, inside the outline of *die* as a flat one, where nothing like it is."""
    like_die = closeup.changed
    if covered > RELIABLE_BODY:
        like_die = as_uint8(cv2.bitwise_or(closeup.body, cv2.bitwise_and(kin, closeup.changed)))
    return area_of(closeup, cv2.bitwise_and(silhouette(closeup, [die.fit], -SHRINK_MM), cv2.bitwise_not(like_die)))


def _sticking_out(part: Found, die: Judged, kin: Gray, own: float, *, lit: bool) -> float:
    """Return the part of a top face that lies beside *die*, outside of all outlines, and is of its colour.

    Only what is *lit* counts when that is asked for: coloured lamps and clear dice cast shadows of their own colour.
    """
    close = part.closeup
    differs = (close.delta > KIN_DELTA * own).astype(np.uint8) * 255
    like_die = cv2.bitwise_and(cv2.bitwise_and(kin, differs), close.body)
    if lit:
        like_die = cv2.bitwise_and(like_die, cv2.bitwise_not(close.darker))
    return area_of(close, cv2.bitwise_and(drawn_beside(part, die), like_die))


def drawn_beside(part: Found, die: Judged) -> Gray:
    """Draw what lies around *die*, outside of all outlines."""
    close = part.closeup
    others = [c.fit for c in part.chosen if c is not die]
    outlines = cv2.bitwise_or(silhouette(close, [die.fit], EDGE_MM), silhouette(close, others, BESIDE_MM))
    return as_uint8(cv2.bitwise_and(square(close, die.fit, 2.0), cv2.bitwise_not(outlines)))


def _kin(closeup: Closeup, die: Judged) -> Gray:
    """Return where the colour may be that of *die* in light or shade: 0 or 255."""
    light, a, b = die.body.colour
    full = max(light, 12.0)
    error = COLOUR_ERROR[0] + COLOUR_ERROR[1] * light
    return like_colour(np.ascontiguousarray(closeup.lab), full, a, b, error, LIGHTEST * full)


_SPECK = np.ones((3, 3), np.uint8)


def area_of(closeup: Closeup, mask: cv2.typing.MatLike) -> float:
    """Return the area of *mask* without specks, in top faces."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SPECK)
    return cv2.countNonZero(opened) / closeup.side**2
