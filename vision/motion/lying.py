"""Whether dice at rest were thrown: a throw moves every die, and far; a finger, a hand and a lamp do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import hypot

import numpy as np

from vision.motion.measure import Small
from vision.types import Die, Floats

UNTOUCHED = 0.25
"""How far, in sides of the die, a die may be from where it was read before and still lie there untouched."""

NUDGED = 1.0
"""The same for all dice together: pushed a little, but not thrown."""

SAME_YAW_DEG = 8.0

PATCH = 1.5
"""Side, in sides of the die, of the part of the picture by which a die is known again: its edges belong to it."""

ALIKE = 0.85
"""Correlation of two such parts above which they show one and the same die, untouched."""

OUT_OF_FOCUS = 0.5
"""The same for a die that may be out of focus. Of 22 photorealistic throws, blurred by a fifth of a side (standard
deviation), none had less at its least like die; without the dice none had more than 0.32."""


def was_thrown(dice: Sequence[Die], before: Sequence[Die], *, number: int | None, hidden: bool, gone: bool) -> bool:
    """Return whether *dice* are a new throw and not those that lay there *before*.

    Parameters
    ----------
    dice, before : sequence of Die
        What lies there now, and what lay there when last it was judged. A face of None may be any.
    number : int or None
        How many dice a throw has. With None a die more than before is news.
    hidden : bool
        Whether something stood over the dice since: under a cup they are thrown without going far, so that dice near
        their old places are the old ones only if their faces are.
    gone : bool
        Whether nothing lay there meanwhile. Dice that all show what they showed, and were never gone, were pushed, by a
        hand that may have rested over them first.
    """
    if not before or not dice or (number is None and len(dice) > len(before)):
        return True
    if any(_untouched(die, old) for die in dice for old in before):
        return False
    pushed = (any(lies_at(die, old, NUDGED) and (_same_face(die, old) or not hidden) for old in before) for die in dice)
    return not all(pushed) and (gone or not _show_the_same(dice, before))


def _show_the_same(dice: Sequence[Die], before: Sequence[Die]) -> bool:
    """Return whether every one of *dice* shows a face that another one of those *before* showed."""
    faces = [die.face for die in dice]
    return None not in faces and not Counter(faces) - Counter(old.face for old in before)


def were_touched(dice: Sequence[Die], before: Sequence[Die]) -> bool:
    """Return whether *dice* are not exactly where, and what, they were *before*."""
    return len(dice) != len(before) or not all(any(_untouched(die, old) for old in before) for die in dice)


def still_lies(die: Die, now: Small, then: Small, scale: float, alike: float = ALIKE) -> bool:
    """Return whether *die*, which lay in the picture *then*, lies in *now* as it did; says no when it is hidden.

    Parameters
    ----------
    die : Die
    now, then : Small
        Of one size.
    scale : float
        Pixels of these per pixel of the picture in which *die* was read.
    alike : float, optional
        Above which correlation it does.
    """
    half = max(3.0, PATCH / 2 * side_of(die) * scale)
    x, y = die.centre_px[0] * scale, die.centre_px[1] * scale
    rows = slice(max(0, round(y - half)), max(0, round(y + half) + 1))
    columns = slice(max(0, round(x - half)), max(0, round(x + half) + 1))
    a, b = (_flat(np.asarray(picture[rows, columns], np.float32)) for picture in (now, then))
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return size > 0 and float((a * b).sum()) > alike * size


def lies_at(die: Die, other: Die, within: float) -> bool:
    """Return whether both lie at the same place, *within* so many sides."""
    return _sides_apart(die, other) <= within


def _sides_apart(die: Die, other: Die) -> float:
    apart = hypot(die.centre_px[0] - other.centre_px[0], die.centre_px[1] - other.centre_px[1])
    return apart / side_of(other)


def scaled(die: Die, across: float, down: float) -> Die:
    """Return *die* as pictures show it that are so many times as wide and as high."""
    a, b, c, d = ((x * across, y * down) for x, y in die.corners_px)
    centre = (die.centre_px[0] * across, die.centre_px[1] * down)
    pips = tuple((x * across, y * down) for x, y in die.pips_px)
    return replace(die, centre_px=centre, corners_px=(a, b, c, d), pips_px=pips)


def side_of(die: Die) -> float:
    """Return the side of the top face in pixels."""
    (ax, ay), (bx, by) = die.corners_px[:2]
    return hypot(ax - bx, ay - by)


def _untouched(die: Die, old: Die) -> bool:
    return _same_face(die, old) and lies_at(die, old, UNTOUCHED) and _same_yaw(die, old)


def _same_face(die: Die, old: Die) -> bool:
    return die.face is None or old.face is None or die.face == old.face


def _same_yaw(die: Die, old: Die) -> bool:
    """Whether both are turned alike; a one hardly tells how it is turned."""
    turned = abs(die.yaw_deg - old.yaw_deg) % 90
    return die.face == 1 or min(turned, 90 - turned) < SAME_YAW_DEG


def _flat(patch: Floats) -> Floats:
    """Return *patch* without the plane that fits it: the light of a lamp and the shadow of a hand vary slowly."""
    rows, columns = (np.arange(n, dtype=np.float32) - np.float32((n - 1) / 2) for n in patch.shape)
    level = patch - patch.mean()
    down = (level * rows[:, None]).sum() / max(1e-6, float((rows * rows).sum()) * patch.shape[1])
    across = (level * columns).sum() / max(1e-6, float((columns * columns).sum()) * patch.shape[0])
    return np.asarray(level - down * rows[:, None] - across * columns, np.float32)
