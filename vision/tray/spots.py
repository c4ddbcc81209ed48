"""The pips of a closeup: `vision.pips` made quick, for a known range of sizes and a small picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np

from vision.compiled.spots import round_spots, spread
from vision.pips import LEVEL_STEP, Pip, is_echo, luminance
from vision.types import Frame, Gray, as_uint8, planes

QUICK = 11
THOROUGH = 15
MENDED = 7
"""At so many grey levels between the darkest and the brightest a closeup is cut for a first look, and for a second,
and where specks were taken away."""

MIN_STEPS = 24
"""Grey levels, of the stretched picture, over which a spot must be seen, or it is noise."""

LEAST_RANGE = 20.0
"""Grey levels that a part is taken to have, at least: less is noise."""

SHARPER_PX = 2.5
"""Standard deviation, in pixels, of the blur whose difference is added once more to tell pips apart that nearly
touch."""


class _View(NamedTuple):
    """A picture in grey, at how many levels it is cut, and whether only dark or only light spots of it count."""

    gray: Gray
    cuts: int
    dark: bool | None = None


Seen: TypeAlias = tuple[Frame, Gray]
"""A closeup, blue-green-red, uint8, shape (M, N, 3), and where something lies in it: uint8, 0 or 255, shape (M, N)."""


class Look(IntEnum):
    """How much is done to find spots: each does what those before it do, and more.

    Attributes
    ----------
    QUICK
        Grey levels, at few cuts.
    THOROUGH
        Pips that only a colour shows, or that a glint has cut. Red pips on a white body, and white pips on a shining or
        translucent one, stand out in the weakest of the three colours of each pixel, and most among its brightest
        levels. A glint is a bright speck in a dark pip: the opening of the picture takes it away, and the closing what
        is dark in a light pip.
    LAST
        Pips of a top that mirrors a lamp, and pips that nearly touch. What a top mirrors of a white lamp adds as much
        to all three colours: their difference, strongest less weakest, is that of body and pips alone (after Tan and
        Ikeuchi, Separating reflection components of textured surfaces using a single image, 2005). Sharpened, the pips
        of a narrow six are apart. Both show pips of the bottom of clear dice as well, which are in the way of others.
    """

    QUICK = 0
    THOROUGH = 1
    LAST = 2


def find_spots(closeups: Sequence[Seen], diameters: tuple[float, float], look: Look) -> list[list[Pip]]:
    """Find the round spots of either polarity in each of *closeups*.

    Parameters
    ----------
    closeups : sequence of (ndarray, ndarray)
        Pictures, and where spots are looked for in them.
    diameters : (float, float)
        Smallest and largest diameter in pixels.
    look : Look

    Returns
    -------
    list of list of Pip
        Of each closeup each spot once; its `levels` in steps of `vision.pips.LEVEL_STEP`, whatever the number of cuts.
    """
    parts = [_part(*seen) for seen in closeups]
    return [[] if part is None else part.placed(_spots_of(_views(part, look), diameters)) for part in parts]


def _views(part: _Part, look: Look) -> list[_View]:
    if look == Look.QUICK:
        return [_View(spread(luminance(part.picture), part.mask, LEAST_RANGE), QUICK)]
    smooth = cv2.GaussianBlur(part.picture, (3, 3), 0)
    blue, green, red = planes(smooth)
    weakest = cv2.min(cv2.min(blue, green), red)

    def stretched(view: cv2.typing.MatLike) -> Gray:
        return spread(as_uint8(view), part.mask, LEAST_RANGE)

    gray = stretched(cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY))
    views = [
        _View(gray, THOROUGH),
        _View(as_uint8(cv2.LUT(stretched(weakest), _BRIGHT)), THOROUGH),
        _View(as_uint8(cv2.morphologyEx(gray, cv2.MORPH_OPEN, _SPECK)), MENDED, dark=True),
        _View(as_uint8(cv2.morphologyEx(gray, cv2.MORPH_CLOSE, _SPECK)), MENDED, dark=False),
    ]
    if look == Look.LAST:
        strongest = cv2.max(cv2.max(blue, green), red)
        sharp = cv2.addWeighted(gray, 2.0, cv2.GaussianBlur(gray, (0, 0), SHARPER_PX), -1.0, 0)
        views += [_View(stretched(cv2.subtract(strongest, weakest)), THOROUGH), _View(as_uint8(sharp), THOROUGH)]
    return views


@dataclass(frozen=True, eq=False)
class _Part:
    """The rectangle of a closeup in which something lies: its first pixel, its picture, and where in it, with a rim."""

    x: int
    y: int
    picture: Frame
    mask: Gray

    def placed(self, pips: list[Pip]) -> list[Pip]:
        """Return *pips* of the part in pixels of the closeup."""
        return [replace(pip, x=pip.x + self.x, y=pip.y + self.y) for pip in pips]


def _part(picture: Frame, where: Gray) -> _Part | None:
    mask = as_uint8(cv2.dilate(where, _RIM))
    x, y, wide, high = cv2.boundingRect(mask)
    if not wide:
        return None
    box = np.s_[y : y + high, x : x + wide]
    return _Part(x, y, np.ascontiguousarray(picture[box]), np.ascontiguousarray(mask[box]))


_RIM = np.ones((7, 7), np.uint8)
_BRIGHT = np.round(255 * (np.arange(256) / 255) ** 3).astype(np.uint8)
_SPECK = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))


def _each_once(pips: list[Pip]) -> list[Pip]:
    """Return the clearest and roundest of what is the same pip in several views."""
    kept: list[Pip] = []
    for pip in sorted(pips, key=lambda p: -p.levels * p.roundness):
        if not any(pip.dark == other.dark and is_echo(pip, other) for other in kept):
            kept.append(pip)
    return kept


def _spots_of(views: Sequence[_View], diameters: tuple[float, float]) -> list[Pip]:
    """Return the spots of one closeup, those of several of its *views* once."""
    pips = [pip for view in views for pip in _find(view, diameters)]
    return pips if len(views) == 1 else _each_once(pips)


def _find(view: _View, diameters: tuple[float, float]) -> list[Pip]:
    """Return the round spots of *view*, of either polarity or of the one that counts."""
    low, high = map(float, diameters)
    step = 256 / (view.cuts + 1)
    spots = round_spots(view.gray, view.cuts, low, high, max(2, round(MIN_STEPS / step)))
    pips = (_pip(step, *spot) for spot in spots.tolist())
    return [pip for pip in pips if view.dark is None or pip.dark == view.dark]


def _pip(step: float, x: float, y: float, diameter: float, roundness: float, dark: float, levels: float) -> Pip:
    return Pip(x, y, diameter, roundness, bool(dark), round(levels * step / LEVEL_STEP))
