"""Watch a stream of pictures: when dice roll, rest or are covered, and what they show once they rest.

A small automaton without any memory but its state: every picture is one `step`. A throw is read once. What lies there
is known by place and face, so that dice nobody threw again are no new throw, whatever passed over them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import hypot

from vision.calibration import Calibration
from vision.motion_cover import Tray, is_covered, what_lies
from vision.motion_measure import HISTORY, Small, change, noise_of, shrink, threshold, tray_mask
from vision.read import read_tray
from vision.types import Die, Fault, Frame, Gray, TrayReading

SETTLE = 3
"""So many pictures in a row like the one before, and the dice have settled; reading begins with the last of them."""

CONFIRM = 4
"""So many more pictures must be read alike than are refused."""

PATIENCE = 15
"""After so many pictures without agreement the throw is refused: half a second at 30 a second."""

LONG_PATIENCE = 20
"""The same when dice are missing: one may still be on its way."""

NOTHING = "the tray is empty"

SAME_PLACE = 0.1
"""How far, in sides of the die, a die at rest may seem to move from picture to picture."""

UNTOUCHED = 0.25
"""How far, in sides of the die, a die may be from where it was read before and still lie there untouched."""

NUDGED = 1.0
"""The same for all dice together: pushed a little, but not thrown."""

SAME_YAW_DEG = 8.0


class Watch(StrEnum):
    """What can be said about the tray; the words of the interface."""

    MOVING = "moving"
    SETTLED = "settled"
    READ = "read"
    REFUSED = "refused"
    COVERED = "covered"
    UNCOVERED = "uncovered"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """Something happened; *reading* comes with `Watch.READ` and `Watch.REFUSED` only."""

    kind: Watch
    reading: TrayReading | None = None


@dataclass(frozen=True, slots=True)
class _Tally:
    """The readings of one rest so far.

    Attributes
    ----------
    tries
        Pictures read.
    lead
        Readings that agree with *seen* less those that do not.
    seen
        The reading that is in the lead.
    refusals
        Every refusal, oldest first.
    """

    tries: int = 0
    lead: int = 0
    seen: TrayReading | None = None
    refusals: tuple[TrayReading, ...] = ()

    def add(self, reading: TrayReading) -> _Tally:
        """Return the tally with one more *reading*."""
        tally = replace(self, tries=self.tries + 1)
        if reading.faces is None:
            return replace(tally, lead=max(0, self.lead - 1), refusals=(*self.refusals, reading))
        if self.seen is not None and _agree(reading.dice, self.seen.dice):
            return replace(tally, lead=self.lead + 1)
        if self.seen is None:
            return replace(tally, lead=1, seen=reading)
        doubt = TrayReading.refused(Fault.UNSURE, "two readings of one picture at rest differ", reading.dice)
        return replace(tally, lead=1, seen=reading, refusals=(*self.refusals, doubt))

    def verdict(self) -> TrayReading | None:
        """Return what to make of the dice, or None while it is open."""
        if self.lead >= CONFIRM and self.seen is not None:
            return self.seen
        if not self.refusals:
            return None
        if len(self.refusals) == self.tries >= CONFIRM and all(r.note == NOTHING for r in self.refusals):
            return self.refusals[-1]
        fault = Counter(r.fault for r in self.refusals).most_common(1)[0][0]
        patience = LONG_PATIENCE if fault is Fault.MISSING else PATIENCE
        return next(r for r in reversed(self.refusals) if r.fault is fault) if self.tries >= patience else None


@dataclass(frozen=True, slots=True, eq=False)
class WatchState:
    """All that is remembered from one picture to the next.

    Attributes
    ----------
    last
        The last picture.
    noises
        How much still parts changed in the last pictures, percent.
    still
        Pictures in a row without motion.
    moving, covered, empty
        What was said last.
    done
        This rest has its verdict; nothing more is said before something moves.
    tally
        The readings of this rest.
    judged
        The picture of the last verdict.
    lying
        The dice that were read and not seen to be taken away since.
    """

    last: Small | None = None
    noises: tuple[float, ...] = ()
    still: int = 0
    moving: bool = False
    covered: bool = False
    empty: bool = False
    done: bool = False
    tally: _Tally = _Tally()
    judged: Small | None = None
    lying: tuple[Die, ...] = ()


_Step = tuple[WatchState, tuple[WatchEvent, ...]]


def start() -> WatchState:
    """Return the state before the first picture: dice that lie there already are read once, as a throw."""
    return WatchState()


def step(state: WatchState, frame: Frame, calibration: Calibration | None, dice: int | None) -> _Step:
    """Look at the next picture.

    Parameters
    ----------
    state : WatchState
        What the picture before left.
    frame : ndarray of uint8, shape (M, N, 3)
        Blue-green-red; all pictures of a stream have one size, and some 30 come in a second.
    calibration : Calibration or None
        With one, only what moves in the tray counts.
    dice : int or None
        How many dice a throw has; None: any number.

    Returns
    -------
    (WatchState, tuple of WatchEvent)
        The state for the next picture, and what happened, in order; mostly nothing.

    Examples
    --------
    >>> import numpy as np
    >>> state, felt = start(), np.full((120, 160, 3), 90, np.uint8)
    >>> for _ in range(30):
    ...     state, happened = step(state, felt, None, 2)
    ...     for event in happened:
    ...         print(event.kind)
    settled
    empty
    """
    now = shrink(frame)
    if state.last is None or state.last.shape != now.shape:
        return replace(state, last=now, noises=(), still=0, done=False, tally=_Tally(), judged=None), ()
    tray = None if calibration is None else tray_mask(calibration, now)
    blocks = change(now, state.last, tray)
    state = replace(state, last=now, noises=(*state.noises, noise_of(blocks))[-HISTORY:])
    if blocks.max() > threshold(state.noises):
        return _stirred(state)
    state = replace(state, still=state.still + 1)
    if state.done or state.still < SETTLE:
        return state, ()
    if state.still == SETTLE:
        return _settled(state, frame, calibration, dice, tray)
    return _read_on(state, frame, calibration, dice)


def _stirred(state: WatchState) -> _Step:
    """Something moves: forget the rest."""
    events = () if state.moving else (WatchEvent(Watch.MOVING),)
    return replace(state, still=0, moving=True, done=False, tally=_Tally()), events


def _settled(
    state: WatchState, frame: Frame, calibration: Calibration | None, dice: int | None, tray: Gray | None
) -> _Step:
    """Return what is said first when all is still again."""
    now = state.last
    unchanged = (
        now is not None
        and state.judged is not None
        and not state.covered
        and change(now, state.judged, tray).max() <= threshold(state.noises)
    )
    if unchanged:
        return replace(state, moving=False, done=True), (WatchEvent(Watch.SETTLED),)
    if calibration is not None and what_lies(frame, calibration) is Tray.COVERED:
        return _cover(state)
    uncovered = (WatchEvent(Watch.UNCOVERED),) if state.covered and calibration is not None else ()
    covered = state.covered and calibration is None
    state, events = _read_on(replace(state, moving=False, covered=covered), frame, calibration, dice)
    return state, (*uncovered, WatchEvent(Watch.SETTLED), *events)


def _cover(state: WatchState) -> _Step:
    events = () if state.covered else (WatchEvent(Watch.COVERED),)
    return replace(state, moving=False, covered=True, empty=False, done=True), events


def _read_on(state: WatchState, frame: Frame, calibration: Calibration | None, dice: int | None) -> _Step:
    """Read one more picture of this rest, and judge when that is enough."""
    if calibration is not None and what_lies(frame, calibration) is Tray.EMPTY:
        reading = TrayReading.refused(Fault.MISSING, NOTHING)
    else:
        reading = read_tray(frame, calibration, dice)
    tally = state.tally.add(reading)
    state = replace(state, tally=tally)
    verdict = tally.verdict()
    if verdict is None:
        return state, ()
    if verdict.faces is None and calibration is None and _hidden(state, frame):
        return _cover(state)
    uncovered = (WatchEvent(Watch.UNCOVERED),) if state.covered else ()
    state, events = _judge(replace(state, covered=False, done=True, judged=state.last), verdict)
    return state, (*uncovered, *events)


def _hidden(state: WatchState, frame: Frame) -> bool:
    """Whether, without a calibration, something big came over what was judged last."""
    now, reference = state.last, state.judged
    if now is None or reference is None:
        return False
    sides = sorted(_side(die) for die in state.lying)
    side = sides[len(sides) // 2] * now.shape[0] / frame.shape[0] if sides else None
    return is_covered(now, reference, side)


def _judge(state: WatchState, verdict: TrayReading) -> _Step:
    """Say what came out, unless it was said before."""
    if verdict.faces is not None:
        known = _not_thrown(verdict.dice, state.lying)
        state = replace(state, empty=False, lying=verdict.dice)
        return state, () if known else (WatchEvent(Watch.READ, verdict),)
    if not verdict.dice and verdict.fault in (Fault.MISSING, Fault.UNSURE):
        events = () if state.empty else (WatchEvent(Watch.EMPTY),)
        return replace(state, empty=True, lying=()), events
    return replace(state, empty=False), (WatchEvent(Watch.REFUSED, verdict),)


def _not_thrown(dice: Sequence[Die], before: Sequence[Die]) -> bool:
    """Whether *dice* are those that lay there *before*: a throw moves every die, and far."""
    if not before or len(dice) > len(before):
        return False
    if any(_lies_at(die, old, UNTOUCHED) and _same_yaw(die, old) for die in dice for old in before):
        return True
    return all(any(_lies_at(die, old, NUDGED) for old in before) for die in dice)


def _agree(dice: Sequence[Die], others: Sequence[Die]) -> bool:
    """Whether two readings say the same of every single place."""
    return len(dice) == len(others) and all(any(_lies_at(die, o, SAME_PLACE) for o in others) for die in dice)


def _lies_at(die: Die, other: Die, within: float) -> bool:
    """Whether both show the same face at the same place, *within* so many sides."""
    apart = hypot(die.centre_px[0] - other.centre_px[0], die.centre_px[1] - other.centre_px[1])
    return die.face == other.face and apart <= within * _side(other)


def _same_yaw(die: Die, other: Die) -> bool:
    """Whether both are turned alike; a one hardly tells how it is turned."""
    turned = abs(die.yaw_deg - other.yaw_deg) % 90
    return die.face == 1 or min(turned, 90 - turned) < SAME_YAW_DEG


def _side(die: Die) -> float:
    (ax, ay), (bx, by) = die.corners_px[:2]
    return hypot(ax - bx, ay - by)
