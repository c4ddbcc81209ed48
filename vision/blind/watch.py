"""Look at a bluff game without seeing its dice: does the cup stand, is it held up, is it gone, does anything move.

`reduce` makes a picture in which no face is left; it is all that may be kept while the table is blind. `CupWatch` tells
from such pictures what stands in the tray, `Shakes` how often the cup was away and came back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from vision.blind.picture import COLUMNS, ROWS, Small, reduce
from vision.blind.sight import Sight, Thing, seen, thing_in
from vision.types import Mask
from vision.zone import Zone

__all__ = ["CupState", "CupWatch", "Shakes", "Small", "reduce"]

REST_S: Final = 0.4
"""So long nothing moves before anything is said of what stands there."""

GAP_S: Final = 1.0
"""After a longer gap between two pictures nobody knows what happened, and rest begins anew."""

STIR_S: Final = 0.12
"""So long something moves in an open tray before it is said: no flicker does."""

MOVED_STEP, MOVED_PER_LEVEL = 9.0, 0.06
MOVED_CELLS = 3
MOVED_COVERS = 8
MOVED_BLOTS = 20
"""How far a cell changes, in grey levels and as a part of its brightness, to have moved; how many cells change, in
grey, in being large or not, and of the blots, where something moves. Of blots a block or two come and go."""

BARE_CELLS = 5
"""So many cells of ground may differ from the felt in a tray without anything large."""

CUP_RADIUS = (2.6, 8.0)
"""Of the disc that fits into a cup, in cells of some 9 mm, least and most."""

ALONE = 2.0
"""What stands alone, its shadow included, is no larger than so many of that disc."""

REACHES_IN = (0.62, 1.3, 1.12)
"""What meets the edge of the tray along more than the first of its disc's width, and has the middle of the disc further
in than the second of its radius, is an arm; or what meets it along more than the third."""

GROWN = 1.35
"""A cup that has a hand on it covers so much more than it did."""

STILL_THERE, GONE = 0.6, 0.3
"""Part of where the cup stood that is covered while it is still there, and once it is gone."""

BORDER = 3
"""Cells beside the border of a zone in which what stands in the other zone may still be seen."""


class CupState(StrEnum):
    """What is in the tray."""

    EMPTY = "empty"
    COVERED = "covered"
    PEEKING = "peeking"
    LIFTED = "lifted"
    STIRRED = "stirred"


@dataclass(frozen=True, eq=False)
class _Rest:
    """Since when nothing moved, and how it looked then."""

    sight: Sight
    since_s: float
    last_s: float
    judged: bool = False


class CupWatch:
    """Tells from reduced pictures whether a cup stands in the tray.

    Parameters
    ----------
    empty : ndarray of uint8, shape (24, 32)
        The bare tray, as `reduce` returned it.
    zone : Zone or None
        The half of the tray that is looked at; None looks at all of it. Light is judged by the whole tray always.

    Notes
    -----
    It keeps the empty tray, the first picture of the present rest, and where the cup stood; no other picture.

    - ``EMPTY``: the tray is bare. ``LIFTED``: small things lie open in it, and nothing large is there.
    - ``COVERED``: something as large as a cup stands there by itself.
    - ``PEEKING``: the cup is where it stood, and a hand is on it: the rim may be up.
    - ``STIRRED``: anything else, such as a cup that differs from the felt no more than a shadow does. While something
      moves it is said only once the cup has left its place, so a hand that passes over a cup, or looks under it, is no
      shake.

    Where the light does not allow to tell nothing is said.
    """

    def __init__(self, empty: Small, zone: Zone | None = None) -> None:
        if empty.shape != (ROWS, COLUMNS) or empty.dtype != np.uint8:
            raise ValueError(f"a picture of shape {empty.shape} and {empty.dtype}; wanted what `reduce` returns")
        self._empty = empty
        self._inside, self._looked_at = _cells(zone)
        self._state: CupState | None = None
        self._rest: _Rest | None = None
        self._stand: Thing | None = None
        self._moving_since_s: float | None = None

    @property
    def state(self) -> CupState | None:
        """What was said last; None before anything was."""
        return self._state

    def step(self, small: Small, time_s: float) -> CupState | None:
        """Look at the next picture.

        Parameters
        ----------
        small : ndarray of uint8, shape (24, 32)
            As `reduce` returned it.
        time_s : float
            When it was taken, in seconds of a clock that never goes back.

        Returns
        -------
        CupState or None
            What is in the tray, when that is new; else None.
        """
        sight = seen(small, self._empty)
        if sight is None:
            self._rest = self._moving_since_s = None
            return None
        rest = self._rest
        if rest is None or not 0 <= time_s - rest.last_s <= GAP_S:
            self._rest, self._moving_since_s = _Rest(sight, time_s, time_s), None
            return self._left(sight)
        if self._moved(sight, rest.sight):
            self._rest = _Rest(sight, time_s, time_s)
            return self._left(sight) or self._stirred(time_s)
        due = not rest.judged and time_s - rest.since_s >= REST_S
        self._rest = replace(rest, last_s=time_s, judged=rest.judged or due)
        if not due:
            return None
        self._moving_since_s = None
        return self._said(self._at_rest(sight))

    def _moved(self, now: Sight, then: Sight) -> bool:
        blots = (now.small != then.small) & self._looked_at
        step = MOVED_STEP + MOVED_PER_LEVEL * np.minimum(now.level, then.level)
        bare = ~now.blots & ~then.blots & self._looked_at
        ground = (np.abs(now.level - then.level) > step) & bare
        covers = (now.large != then.large) & bare
        cells = max(int(np.count_nonzero(ground)) / MOVED_CELLS, int(np.count_nonzero(covers)) / MOVED_COVERS)
        return cells >= 1 or int(np.count_nonzero(blots)) >= MOVED_BLOTS

    def _said(self, state: CupState) -> CupState | None:
        if state is self._state:
            return None
        self._state = state
        return state

    def _left(self, sight: Sight) -> CupState | None:
        """Return that the cup has left its place, if it has just now."""
        if self._stand is None or _part(sight.large | sight.shade, self._stand.core) > GONE:
            return None
        self._stand = None
        return self._said(CupState.STIRRED)

    def _stirred(self, time_s: float) -> CupState | None:
        """Return that something moves in a tray without a cup, if it has moved for long enough."""
        if self._moving_since_s is None:
            self._moving_since_s = time_s
        if self._stand is not None or time_s - self._moving_since_s < STIR_S:
            return None
        return self._said(CupState.STIRRED)

    def _at_rest(self, sight: Sight) -> CupState:
        covered = (sight.large | sight.shade) & self._looked_at
        if np.count_nonzero(covered) <= BARE_CELLS:
            self._stand = None
            return CupState.LIFTED if (sight.small & self._looked_at).any() else CupState.EMPTY
        thing = self._cup_in(sight)
        stand = self._stand
        if stand is not None and _part(sight.large, stand.core) > STILL_THERE:
            grown = thing_in(sight.large | sight.shade, self._inside)
            if thing is None or (grown is not None and grown.area > GROWN * stand.area):
                return CupState.PEEKING
        self._stand = thing
        return CupState.STIRRED if thing is None else CupState.COVERED

    def _cup_in(self, sight: Sight) -> Thing | None:
        """Return what stands there by itself and is as large as a cup: better without its shadow than with it."""
        for mask in (sight.large & ~sight.shade, sight.large):
            thing = thing_in(mask, self._inside)
            if thing is not None and _is_cup(thing):
                return thing
        return None


def _cells(zone: Zone | None) -> tuple[Mask, Mask]:
    """Return the cells of *zone*, and those of them in which nothing of the other zone is seen."""
    inside = np.ones((ROWS, COLUMNS), np.bool_)
    looked_at = inside.copy()
    middle = COLUMNS // 2
    if zone is Zone.LEFT:
        inside[:, middle:], looked_at[:, middle - BORDER :] = False, False
    elif zone is Zone.RIGHT:
        inside[:, :middle], looked_at[:, : middle + BORDER] = False, False
    return inside, looked_at


def _is_cup(thing: Thing) -> bool:
    """Return whether *thing* has the size of a cup, is about round, and does not reach in over the edge."""
    least, most = CUP_RADIUS
    if not least <= thing.radius <= most or thing.area > ALONE * np.pi * (thing.radius + 0.5) ** 2:
        return False
    meets, inner, along = REACHES_IN
    across = thing.contact / (2 * thing.radius)
    return across <= meets or (across <= along and thing.depth <= inner * thing.radius)


def _part(covered: Mask, place: Mask) -> float:
    """Return the part of *place* that is *covered*."""
    return int(np.count_nonzero(covered & place)) / max(1, int(np.count_nonzero(place)))


@dataclass
class Shakes:
    """Counts how often the cup left the tray and came back: what a table may see of a shake.

    A cup that was lifted from dice, and put back over them, shook nothing: from open dice the tray must be seen to be
    empty before the cup comes back.

    Examples
    --------
    >>> shakes = Shakes()
    >>> states = (CupState.COVERED, CupState.STIRRED, CupState.COVERED, CupState.PEEKING, CupState.COVERED)
    >>> [shakes.step(state) for state in states]
    [False, False, True, False, False]
    >>> shakes.count
    1
    """

    count: int = 0
    _was_covered: bool = False
    _away: bool = False
    _open: bool = False

    def step(self, state: CupState | None) -> bool:
        """Take what `CupWatch.step` returned; return whether that ends a shake."""
        match state:
            case CupState.EMPTY:
                self._away, self._open = True, False
            case CupState.STIRRED:
                self._away = True
            case CupState.LIFTED:
                self._away, self._open = True, True
            case CupState.COVERED:
                shaken = self._was_covered and self._away and not self._open
                self._was_covered, self._away, self._open = True, False, False
                self.count += shaken
                return shaken
            case _:
                pass
        return False
