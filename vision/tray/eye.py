"""How high does the camera hang? What corners of a floor seen straight on leave open, the sides of dice tell.

The higher it hangs the less is seen of them. Where it is taken to hang at another height than it does, the outlines of
flat dice are not where they are looked for, and the second opinion has no die lie flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import cv2
import numpy as np

from vision.backdrop import Eye
from vision.tray.found import Found, Judged
from vision.tray.silhouette import outline_of, silhouette, softly_filled, square
from vision.types import Doubles

AROUND = 2.2
"""Sides of the square about the middle of a top in which its outline and what is new are compared."""

BESIDE_MM = 1.5
"""How much larger than they are other dice are left out of it."""

SHADED = 0.5
"""What counts, within an outline, that is as dark as a shadow: a side of a die may be, and what lies beside it may."""

FITS = 0.2
"""Area in top faces by which outline and body may differ at the likeliest height: of more, in the dark or of a clear
die, the body tells nothing of it."""

EXACT = 0.01
"""Area by which they differ that makes a height as unlikely as one standard deviation does. What one die tells is off
by 10 % as a root mean square of 606 dice on 72 drawn tables, the corners alone by 12; where those are off by more than
15, it is by 14 and they are by 21."""

ELSEWHERE = 0.06
"""Part of its height by which a camera must hang elsewhere for it to matter."""


def heights_told_by(part: Found, eyes: Sequence[Eye]) -> Doubles:
    """Return how unlikely the dice of *part* make it that the camera is at each of *eyes*: shape (len(eyes),)."""
    costs = np.zeros(len(eyes))
    for die in part.chosen:
        differs = _differs(part, die, eyes)
        if differs.min() < FITS:
            costs += (differs - differs.min()) / EXACT
    return costs


def eye_told_by(eyes: Sequence[Eye], told: Sequence[Doubles], height_mm: float) -> Eye | None:
    """Return which of *eyes* is the camera's by what dice *told*; None if it hangs at *height_mm*, or about there."""
    costs = sum(told, np.array([eye.cost for eye in eyes]))
    eye = eyes[int(costs.argmin())]
    return eye if abs(log(eye.height_mm / height_mm)) > ELSEWHERE else None


def _differs(part: Found, die: Judged, eyes: Sequence[Eye]) -> Doubles:
    """Return the area, in top faces, by which the outline of *die* from each of *eyes* is not what is new there."""
    close = part.closeup
    others = [other.fit for other in part.chosen if other is not die]
    around = cv2.bitwise_and(square(close, die.fit, AROUND), cv2.bitwise_not(silhouette(close, others, BESIDE_MM)))
    x, y, width, height = cv2.boundingRect(around)
    near, corner = np.s_[y : y + height, x : x + width], np.array([x, y], np.float32)
    counts = around[near] > 0
    body = (close.body[near] > 0) & counts
    # What a part of the outline adds to the difference, beyond what it is without any.
    price = np.where(close.changed[near] > 0, SHADED, 1.0) * counts
    price[body] = -1.0
    outlines = (outline_of(close.seen_from(eye.feet), die.fit) - corner for eye in eyes)
    added = [float(np.vdot(price, softly_filled(outline, body.shape))) / 255 for outline in outlines]
    return (np.count_nonzero(body) + np.array(added)) / close.side**2
