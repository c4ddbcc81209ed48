"""Watch a stream of pictures: when dice roll, rest or are covered, and what they show once they rest.

A small automaton without any memory but its state: every picture is one `step`. A throw is read once. What lies there
is known by place and face, so that dice nobody threw again are no new throw, whatever passed over them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.corners import camera_moved
from vision.drift import Drift, follow
from vision.glance import MOVED
from vision.motion.blinking import Blinking
from vision.motion.cover import Tray, is_covered, what_lies
from vision.motion.lying import side_of
from vision.motion.measure import (
    AFTER_JUMP,
    HISTORY,
    KNOWN,
    LONGEST_QUIET,
    UNPROVEN,
    Small,
    change,
    differs,
    is_double,
    is_grainy,
    jumped,
    noise_of,
    shrink,
    threshold,
    threshold_of_means,
    tray_mask,
)
from vision.motion.memory import (
    noticed_gone,
    out_of_focus,
    portrayed,
    remembered,
    resized,
    scale_of,
    thrown_since,
    touched_since,
)
from vision.motion.state import UNREST, Rest, Watch, WatchEvent, WatchState
from vision.motion.tally import NOTHING, SPENT, Tally
from vision.read import check_picture, read_tray
from vision.tray.explain import NO_DIE
from vision.types import Fault, Frame, Gray, TrayReading
from vision.zone import Part

SETTLE = 3
"""So many pictures in a row like the one before, and the dice have settled; reading begins with the last of them."""

MEAN_OF = 3
"""The reader is given the mean of the last so many pictures at rest: less noise, and the dice lie still."""

SURELY_STILL = 6
"""After so many looks at one rest, a fifth of a second, nothing moves; what still looks blurred mirrors lamps."""

ROWS_AT_ONCE = 32

LOOK_AGAIN = 150
"""How often, in pictures, an empty tray at rest is looked at anew: light changes over the evening."""

LIT_AGAIN = 15
"""The same where it was too dark or too bright, and the light is another since."""

OF_THE_TABLE = frozenset({Fault.LIGHT, Fault.CAMERA_MOVED})
"""Refusals that say nothing of the dice, and are said whether or not they were thrown."""


@dataclass(frozen=True, slots=True, eq=False)
class _Sight:
    """What is looked at: the mean picture, what is known of the tray, how many dice, where motion and dice count."""

    picture: Frame
    calibration: Calibration | None
    dice: int | None
    tray: Gray | None
    zone: Part | None

    @classmethod
    def of(cls, state: WatchState, dice: int | None, tray: Gray | None, zone: Part | None) -> _Sight:
        """Return what is looked at after the pictures of *state*."""
        known = None if state.drift is None else state.drift.calibration
        return cls(mean_of(state.rest.pictures), known, dice, tray, zone)


_Events = tuple[WatchEvent, ...]
_Step = tuple[WatchState, _Events]


def start() -> WatchState:
    """Return the state before the first picture: dice that lie there already are read once, as a throw."""
    return WatchState()


def resumed(state: WatchState) -> WatchState:
    """Return *state* for a stream that goes on after a gap: what lay there is remembered, what moved is not."""
    return replace(state, last=None, doubled=0, rest=UNREST)


def forgotten(state: WatchState) -> WatchState:
    """Return *state* as if nothing that lies there had been read: it is read once more when all is still."""
    return replace(resumed(state), judged=None, portrait=None, lying=(), spent=False, empty=False)


def pardoned(state: WatchState) -> WatchState:
    """Return *state* as if what was refused last had not been thrown: once it lies otherwise, it is judged anew."""
    return replace(state, spent=False, lying=(), portrait=None)


def step(
    state: WatchState,
    frame: Frame,
    calibration: Calibration | None,
    dice: int | None,
    low: Gray | None = None,
    zone: Part | None = None,
) -> _Step:
    """Look at the next picture.

    Parameters
    ----------
    state : WatchState
        What the picture before left.
    frame : ndarray of uint8, shape (M, N, 3)
        Blue-green-red; some 30 come in a second. It is kept for a few steps, so nobody may write into it afterwards.
    calibration : Calibration or None
        With one, only what moves in the tray counts, and every empty tray brings what is known of it up to date.
    dice : int or None
        How many dice a throw has; None: any number.
    low : ndarray of uint8, shape (rows, columns), or None
        *frame* in grey and smaller, where the camera gives that as well: what moves is told from it.
    zone : Zone, Share or None
        The part of a calibrated tray in which dice are read; what lies beside it neither counts nor hides anything.

    Returns
    -------
    (WatchState, tuple of WatchEvent)
        The state for the next picture, and what happened, in order; mostly nothing.

    Raises
    ------
    ValueError
        If *frame* is no such array, one in which no dice could be seen, or of another size than *calibration* is for.

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
    check_picture(frame, calibration)
    now = shrink(frame, low)
    state = _sized(_known(state, calibration), (frame.shape[1], frame.shape[0]), now)
    if state.last is None:
        return replace(state, last=now, noises=()), ()
    tray = None if calibration is None else tray_mask(calibration, now)
    noise, grainy, moves, blinking = _compared(now, state.last, state, tray)
    if not moves and is_double(noise, state.grain, state.doubled, state.noises, state.grainy):
        return replace(state, doubled=state.doubled + 1), ()
    state = replace(_noted(state, now, noise, moves), blinking=blinking, grainy=(*state.grainy, grainy)[-HISTORY:])
    if moves:
        return _stirred(state, tray)
    state = noticed_gone(replace(state, rest=_longer(state.rest, frame)), tray)
    return _at_rest(state, _Sight.of(state, dice, blinking.spared(tray), zone)) if _due(state) else (state, ())


def _compared(now: Small, last: Small, state: WatchState, tray: Gray | None) -> tuple[float, bool, bool, Blinking]:
    """Return the noise between two pictures, whether all has some, whether more changes in the *tray*, what blinks."""
    jump = jumped(now, last)
    blocks = change(now, last, tray, jump=jump)
    noise = noise_of(blocks)
    limit = threshold((*state.noises, noise)[-HISTORY:])
    over = blocks > (limit * AFTER_JUMP if jump else limit)
    blinking = state.blinking.of(over.shape).after(over)
    return noise, is_grainy(blocks), blinking.moves(over), blinking


def _due(state: WatchState) -> bool:
    """Whether to look closely: dice may have settled, the tray is empty for long, or there is light again."""
    if not state.rest.done:
        return state.rest.still >= SETTLE
    if state.last is not None and state.unlit is not None:
        return state.rest.still % LIT_AGAIN == 0 and jumped(state.last, state.unlit)
    return state.empty and state.rest.still % LOOK_AGAIN == 0


def _at_rest(state: WatchState, sight: _Sight) -> _Step:
    """Look at a picture after which nothing moved for a while."""
    now, first = shrink(sight.picture), state.rest.first
    if state.rest.done:
        return _again(state, sight, now), ()
    if first is None or differs(now, first, sight.tray, threshold_of_means(state.noises)):
        # Something moved or creeps, or the light changes: what was read so far is not of this rest.
        state = replace(state, rest=replace(state.rest, first=now, tally=Tally()))
    if first is None or state.moving:
        return _settled(state, sight)
    return _read(state, sight, _lies(sight))


def _again(state: WatchState, sight: _Sight, now: Small) -> WatchState:
    """Return *state* after another look at a tray in which nothing moves: dice that nobody saw come are read next.

    An empty tray takes the place of the one that pictures are compared with: by and by its light becomes another.
    """
    lies = _lies(sight)
    if state.unlit is None and lies is Tray.EMPTY:
        return replace(_drifted(state, sight.picture), judged=state.last)
    if lies in (Tray.UNKNOWN, Tray.MOVED) or (state.unlit is None and lies is not Tray.DICE):
        return state
    return replace(state, unlit=None, rest=replace(state.rest, done=False, first=now, tally=Tally()))


def _noted(state: WatchState, now: Small, noise: float, moves: bool) -> WatchState:
    """Return *state* with the noise of the picture *now*."""
    before = () if state.doubled >= LONGEST_QUIET else state.grain
    # That a stream has no noise is known at once when nothing else explains it any more.
    grain = state.grain if moves else (*before, *[noise] * (KNOWN if state.doubled >= UNPROVEN else 1))[-HISTORY:]
    return replace(state, last=now, noises=(*state.noises, noise)[-HISTORY:], grain=grain, doubled=0)


def _longer(rest: Rest, frame: Frame) -> Rest:
    return replace(rest, still=rest.still + 1, pictures=(*rest.pictures, frame)[-MEAN_OF:])


def _done(state: WatchState) -> WatchState:
    return replace(state, rest=replace(state.rest, done=True))


def _known(state: WatchState, calibration: Calibration | None) -> WatchState:
    """Return *state* for a tray of which *calibration* is what was known first."""
    if calibration is None:
        return state if state.drift is None else replace(state, drift=None)
    if state.drift is not None and state.drift.original is calibration:
        return state
    return replace(state, drift=Drift.begin(calibration), bare=shrink(calibration.empty))


def _sized(state: WatchState, size: tuple[int, int], now: Small) -> WatchState:
    """Return *state* for pictures of *size*: in a stream that changes it, dice that lie there still lie there."""
    if state.size is None or state.size == size:
        return replace(state, size=size)
    across, down = size[0] / state.size[0], size[1] / state.size[1]
    state = resized(resumed(state), now, across, down)
    return replace(state, size=size, judged=None, bare=None, unlit=None, stirred=False)


def _stirred(state: WatchState, tray: Gray | None) -> _Step:
    """Something moves: what was read of this rest counts only if all then lies as before, as after a gust of noise."""
    events = () if state.moving else (WatchEvent(Watch.MOVING),)
    before = UNREST if state.rest.done else replace(UNREST, first=state.rest.first, tally=state.rest.tally)
    return noticed_gone(replace(state, moving=True, stirred=True, rest=before), tray), events


def _settled(state: WatchState, sight: _Sight) -> _Step:
    """Return what is said first when all is still again."""
    now = state.last
    unchanged = (
        now is not None
        and state.judged is not None
        and not state.covered
        and not jumped(now, state.judged)
        and not differs(now, state.judged, sight.tray, threshold(state.noises))
    )
    lies = _lies(sight)
    if unchanged and not (state.empty and lies is Tray.DICE):
        return _done(replace(state, moving=False)), (WatchEvent(Watch.SETTLED),)
    if lies is Tray.COVERED:
        return _cover(state)
    uncovered = (WatchEvent(Watch.UNCOVERED),) if state.covered and sight.calibration is not None else ()
    covered = state.covered and sight.calibration is None
    state, events = _read(replace(state, moving=False, covered=covered), sight, lies)
    return state, (*uncovered, WatchEvent(Watch.SETTLED), *events)


def _cover(state: WatchState) -> _Step:
    events = () if state.covered else (WatchEvent(Watch.COVERED),)
    return _done(replace(state, moving=False, covered=True, hidden=True, empty=False)), events


def _lies(sight: _Sight) -> Tray:
    if sight.calibration is None:
        return Tray.UNKNOWN
    if camera_moved(sight.calibration, sight.picture):
        return Tray.MOVED
    return what_lies(sight.picture, sight.calibration, sight.zone)


def _read(state: WatchState, sight: _Sight, lies: Tray) -> _Step:
    """Read one more picture of this rest, and judge when it is enough."""
    tally = state.rest.tally
    reading = _reading_of(sight, lies, tally)
    tally = tally.add(reading)
    state = replace(state, rest=replace(state.rest, tally=tally))
    verdict = tally.verdict()
    if verdict is None:
        return state, ()
    if verdict.faces is None and sight.calibration is None and _hidden(state, sight):
        return _cover(state)
    uncovered = (WatchEvent(Watch.UNCOVERED),) if state.covered else ()
    state, events = _judge(_done(replace(state, covered=False)), verdict, sight)
    # No later picture differs from a black one, light apart: where it was dark, what was judged before still stands.
    judged, unlit = (state.judged, state.last) if verdict.fault is Fault.LIGHT else (state.last, None)
    return replace(state, judged=judged, unlit=unlit), (*uncovered, *events)


def _reading_of(sight: _Sight, lies: Tray, tally: Tally) -> TrayReading:
    if lies is Tray.MOVED:
        return TrayReading.refused(*MOVED)
    reading = read_tray(
        sight.picture,
        sight.calibration,
        sight.dice,
        zone=sight.zone,
        closely=tally.looks_closely and lies is not Tray.EMPTY,
        at_rest=tally.tries >= SURELY_STILL,
    )
    # Of clear dice in dim light the reader may see pips where a glance sees specks: then the tray is not empty.
    return reading if lies is not Tray.EMPTY or reading.dice else TrayReading.refused(Fault.MISSING, NOTHING)


def _hidden(state: WatchState, sight: _Sight) -> bool:
    """Whether, without a calibration, something big came over what was judged last."""
    now, reference = state.last, state.judged
    if now is None or reference is None:
        return False
    sides = sorted(side_of(die) for die in state.lying)
    side = sides[len(sides) // 2] * scale_of(now, sight.picture) if sides else None
    return is_covered(now, reference, side)


def _judge(state: WatchState, verdict: TrayReading, sight: _Sight) -> _Step:
    """Say what came out, unless it was said before or nobody threw."""
    if _is_bare(state, verdict, sight):
        events = () if state.empty else (WatchEvent(Watch.EMPTY),)
        state = replace(state, empty=True, bare=state.last, hidden=False, lying=(), portrait=None, spent=False)
        return _drifted(state, sight.picture) if verdict.note == NOTHING else state, events
    said = (WatchEvent(Watch.READ if verdict.faces else Watch.REFUSED, verdict, sight.picture),)
    state = replace(state, empty=False)
    if verdict.fault in OF_THE_TABLE:
        return state, said
    if not thrown_since(state, verdict, sight.picture, sight.dice):
        touched = touched_since(state, verdict)
        if verdict.faces is not None:
            state = remembered(state, verdict.dice, state.lying if state.spent else ())
        return state, (WatchEvent(Watch.SETTLED, touched=True),) if touched else ()
    if verdict.faces is not None:
        return replace(remembered(state, verdict.dice), spent=False), said
    if verdict.fault in SPENT:
        return replace(remembered(state, verdict.dice, state.lying), spent=True), said
    return portrayed(state, verdict.dice) if verdict.dice else state, said


def _is_bare(state: WatchState, verdict: TrayReading, sight: _Sight) -> bool:
    """Whether nothing lies there; what lies in a calibrated tray, and is not read, was thrown all the same."""
    if sight.calibration is not None:
        return verdict.note in (NOTHING, NO_DIE)
    if verdict.faces is not None or verdict.dice or verdict.fault not in (Fault.MISSING, Fault.UNSURE):
        return False
    # Of dice too small to be found as little is told: where a tray was bare before, it must look as it did then, and
    # where none was seen and something moved, dice must have been found before.
    now, before = state.last, state.bare
    if now is None or before is None:
        return not out_of_focus(state, sight.picture) and (not state.stirred or bool(state.lying))
    return not differs(now, before, None, threshold(state.noises))


def _drifted(state: WatchState, empty: Frame) -> WatchState:
    """Return *state* with the background brought up to date by an empty tray, if the reader then calls it empty."""
    if state.drift is None:
        return state
    drift = follow(state.drift, empty)
    if drift is state.drift or what_lies(empty, drift.calibration) is not Tray.EMPTY:
        return state
    return replace(state, drift=drift)


def mean_of(pictures: tuple[Frame, ...]) -> Frame:
    """Return the mean of a few *pictures* of one size, at least one."""
    if len(pictures) == 1:
        return pictures[0]
    mean = np.empty(pictures[0].shape, np.uint8)
    # A few rows at a time: sums of whole pictures would be written to memory and fetched again for every addend.
    for top in range(0, len(mean), ROWS_AT_ONCE):
        rows = np.s_[top : top + ROWS_AT_ONCE]
        total = pictures[0][rows].astype(np.uint16)
        for picture in pictures[1:]:
            total += picture[rows]
        cv2.convertScaleAbs(total, mean[rows], alpha=1 / len(pictures))
    return mean
