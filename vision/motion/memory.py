"""What is remembered of dice that were judged: whether they were thrown since, or had a hand laid on them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.motion.lying import NUDGED, OUT_OF_FOCUS, lies_at, scaled, still_lies, was_thrown, were_touched
from vision.motion.measure import Small, is_alike, threshold
from vision.motion.state import Portrait, WatchState
from vision.motion.tally import SPENT
from vision.types import Die, Fault, Frame, Gray, TrayReading

BY_HAND = frozenset({Fault.EXTRA, *SPENT})
"""Refusals of dice that were not thrown by which it is known that somebody had a hand in it. Not `MISSING`: dice are
picked up one after the other."""

MOST_KNOWN = 90
"""Of how many dice at most it is known where they lay: three times as many as a throw can have."""


def scale_of(small: Small, frame: Frame) -> float:
    """Return pixels of *small* per pixel of *frame*."""
    return float(small.shape[0] / frame.shape[0])


def thrown_since(state: WatchState, verdict: TrayReading, picture: Frame, number: int | None) -> bool:
    """Return whether the dice of *verdict*, read from *picture*, were thrown since others were judged.

    Parameters
    ----------
    state : WatchState
    verdict : TrayReading
    picture : ndarray of uint8, shape (M, N, 3)
    number : int or None
        How many dice a throw has.
    """
    now, portrait = state.last, state.portrait
    # Who puts dice right turns them, and of a refused throw not every die is known: only a bare tray tells a new one.
    told_by_bare = not state.lying or (verdict.faces is not None and state.bare is not None)
    if state.spent and not state.gone and told_by_bare:
        return False
    if verdict.faces is None and now is not None and portrait is not None:
        scale = scale_of(now, picture)
        # Where a die of a throw before lay the portrait shows felt, and felt is alike.
        if any(still_lies(die, now, portrait.picture, scale) for die in portrait.dice):
            return False
    if not verdict.dice and state.drift is None and out_of_focus(state, picture):
        return False
    # Of a throw that is refused not every die is told: that those which are show what some did before says little.
    gone = state.gone or verdict.faces is None
    return was_thrown(verdict.dice, state.lying, number=number, hidden=state.hidden, gone=gone)


def out_of_focus(state: WatchState, picture: Frame) -> bool:
    """Return whether the dice that were judged last still lie there, all of them, though none of them may be told."""
    now, portrait = state.last, state.portrait
    if now is None or portrait is None or not portrait.dice:
        return False
    scale = scale_of(now, picture)
    return all(still_lies(die, now, portrait.picture, scale, OUT_OF_FOCUS) for die in portrait.dice)


def noticed_gone(state: WatchState, tray: Gray | None) -> WatchState:
    """Return *state* knowing whether its last picture shows the *tray* without any dice.

    A hand that pushes dice is in the picture while it does, and so are they; one that takes them away leaves a bare
    tray, if only until they are thrown again.
    """
    now, bare = state.last, state.bare
    looked_at = state.rest.done and state.unlit is None
    if state.gone or looked_at or not (state.lying or state.spent):
        return state
    if now is None or bare is None or now.shape != bare.shape:
        return state
    return replace(state, gone=True) if is_alike(now, bare, tray, threshold(state.noises)) else state


def touched_since(state: WatchState, verdict: TrayReading) -> bool:
    """Return whether somebody had a hand in dice that were not thrown."""
    if verdict.faces is None:
        return verdict.fault in BY_HAND
    return state.spent or were_touched(verdict.dice, state.lying)


def remembered(state: WatchState, dice: tuple[Die, ...], before: tuple[Die, ...] = ()) -> WatchState:
    """Return *state* that knows *dice*, as they are seen now, and those *before* that lay elsewhere."""
    elsewhere = tuple(old for old in before if not any(lies_at(die, old, NUDGED) for die in dice))
    return replace(portrayed(state, dice), lying=(*dice, *elsewhere)[:MOST_KNOWN], hidden=False, gone=False)


def resized(state: WatchState, now: Small, across: float, down: float) -> WatchState:
    """Return *state* that knows its dice in pictures so many times as wide and as high, of which *now* is one."""
    lying = tuple(scaled(die, across, down) for die in state.lying)
    if state.portrait is None:
        return replace(state, lying=lying)
    picture, dice = state.portrait
    picture = np.asarray(cv2.resize(picture, now.shape[::-1], interpolation=cv2.INTER_AREA), np.int16)
    return replace(state, lying=lying, portrait=Portrait(picture, tuple(scaled(die, across, down) for die in dice)))


def portrayed(state: WatchState, dice: tuple[Die, ...]) -> WatchState:
    """Return *state* that knows how *dice* look now: while one of them looks so, no refusal is news."""
    return replace(state, portrait=None if state.last is None else Portrait(state.last, dice))
