"""The virtual table's tray: a camera that sees rendered dice, and the hand that throws them.

The hand knows how many dice to throw and nothing of what they show; the poses go to the camera alone, which draws
them. What the dice show is known to the table only after the reader has read the picture.
"""

from __future__ import annotations

import math
import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from firmware.watching import Watching
from hardware.devices import CameraFrame, CameraLost
from vision import render
from vision.calibrating import calibrate
from vision.calibration import Calibration
from vision.render.roll import roll
from vision.render.throw import ThrowKind, throw
from vision.types import Frame, Point, TrayReading, as_uint8
from vision.zone import Part

FRAMES_PER_S: Final = 30
EMPTY_FRAMES: Final = 25
"""How long the tray is empty between two throws: long enough to be noticed."""

FAST_EMPTY_FRAMES: Final = 2
AFTER_REFUSAL_FRAMES: Final = 12
"""The same for a camera that does not wait; after a refusal long enough for the watch to call the tray empty: dice
that nobody saw taken away are not thrown again, they were put right by hand."""

REST_FRAMES: Final = 30
"""How long dice lie still at least: longer than the watch over the tray takes to refuse them."""

APART: Final = 1.5
"""How far, in sides, a die lands from where one lay before: one in the same place would be taken for the old one."""

ODD_OF_TWO: Final = (ThrowKind.COCKED, ThrowKind.MISSING, ThrowKind.EXTRA, ThrowKind.STACKED)
ODD_OF_ONE: Final = (ThrowKind.COCKED, ThrowKind.EXTRA)

BUMP_PX: Final = (25, 14)
"""How far a pushed camera shifts the picture."""

Draw = Callable[[], Frame]


@dataclass(frozen=True, slots=True)
class Scene:
    """Something before the lens for so many *frames*; drawn when the camera gets there."""

    draw: Draw
    frames: int


class VirtualTray:
    """A rendered tray before a camera: a `Camera` whose pictures follow what is thrown into it.

    Parameters
    ----------
    seed
        Where the camera hangs, what the felt looks like.
    roll_s
        How long dice are seen rolling; 0 for a camera that misses it and does not wait between pictures.
    """

    def __init__(self, seed: int, *, roll_s: float) -> None:
        self._table = render.Table(seed=seed)
        self._roll_frames = round(roll_s * FRAMES_PER_S / 3)
        self._paced = roll_s > 0
        self._film_rng = random.Random(f"film {seed}")  # noqa: S311 (dice of a game, no secret)
        self._thrown = 0
        self._scenes: deque[Scene] = deque()
        self._now: Frame = self._table.empty(0)
        self._left = EMPTY_FRAMES
        self._taken = 0
        self._closed = False
        self._answered = True
        self._refused = False
        self._shown: Scene | None = None
        self._hand_mm: tuple[float, float] | None = None
        self._shift_px: tuple[int, int] | None = None
        self._unplugged = False
        self._change = threading.Condition()

    def calibration(self, die_mm: float = 16.0) -> Calibration:
        """Return what the calibration of the empty tray finds out about it, its corners given."""
        empty = [self._table.empty(seed) for seed in range(1, 4)]
        return calibrate(empty, tray_mm=self._table.tray_mm, die_mm=die_mm, corners=self._table.corners_px)

    @property
    def ready(self) -> bool:
        """Return whether the last throw was read or refused, or has lain there long enough for it."""
        with self._change:
            return self._answered or (self._left <= 0 and not self._scenes)

    def put(self, dice: Sequence[render.RenderedDie]) -> None:
        """Take the old dice out and let *dice* roll in."""
        landed = tuple(dice)
        with self._change:
            self._thrown += 1
            self._answered = False
            seed = self._thrown
            fast = AFTER_REFUSAL_FRAMES if self._refused else FAST_EMPTY_FRAMES
            self._scenes.append(Scene(lambda: self._table.empty(seed), EMPTY_FRAMES if self._paced else fast))
            if self._roll_frames >= 2:
                film = roll(self._film_rng, landed, self._roll_frames)
                self._scenes.extend(Scene(self._rolling(moment, seed), 1) for moment in film[:-1])
            self._scenes.append(Scene(lambda: self._pictured(landed, seed), REST_FRAMES))
            self._change.notify_all()

    def clear(self) -> None:
        """Take everything out of it."""
        self.show(Scene(lambda: self._table.empty(self._thrown), EMPTY_FRAMES))

    def show(self, *scenes: Scene, answers: bool = False) -> None:
        """Let *scenes* be seen one after the other; with *answers* the last one is to be read."""
        with self._change:
            self._thrown += 1
            self._answered = not answers
            self._scenes.extend(scenes)
            self._change.notify_all()

    def place_mm(self, across: float) -> Point:
        """Return the place that lies so far *across* the floor, 0 left and 1 right, half-way to the front."""
        wide, deep = self._table.tray_mm
        return wide * across, deep / 2

    def middle_mm(self, part: Part) -> Point:
        """Return the middle of *part* of the floor."""
        left, back, right, front = part.rectangle_mm(self._table.tray_mm)
        return (left + right) / 2, (back + front) / 2

    def drawn(self, dice: Sequence[render.RenderedDie], cups: Sequence[render.Cup] = ()) -> Frame:
        """Return the tray with *dice* and *cups*."""
        return self._pictured(dice, self._thrown, cups)

    def reached(self) -> Frame:
        """Return the tray while a hand takes out what lay there."""
        return self._table.picture((), seed=self._thrown, hand=self._middle_mm)

    @property
    def _middle_mm(self) -> Point:
        wide, deep = self._table.tray_mm
        return wide / 2, deep / 2

    def _pictured(self, dice: Sequence[render.RenderedDie], seed: int, cups: Sequence[render.Cup] = ()) -> Frame:
        return self._table.picture(dice, seed=seed, cups=cups, hand=self._hand_mm)

    @property
    def reached_into(self) -> bool:
        """Return whether a hand is in the tray."""
        return self._hand_mm is not None

    @property
    def bumped(self) -> bool:
        """Return whether the camera hangs elsewhere than it was calibrated."""
        return self._shift_px is not None

    @property
    def unplugged(self) -> bool:
        """Return whether the camera gives no pictures."""
        return self._unplugged

    def reach_in(self, *, on: bool) -> None:
        """Let a hand be in the tray, over whatever lies there, or take it away."""
        with self._change:
            self._hand_mm = self._middle_mm if on else None
            bare = Scene(lambda: self._pictured((), self._thrown), 1)
            self._scenes.append(self._shown or bare)
            self._change.notify_all()

    def bump(self, *, on: bool) -> None:
        """Push the camera, or push it back."""
        self._shift_px = BUMP_PX if on else None

    def unplug(self, *, on: bool) -> None:
        """Pull the camera's plug, or put it in."""
        self._unplugged = on

    def capture(self) -> CameraFrame:
        """Return the next picture: at 30 a second, or without waiting while there is something new to see.

        Raises
        ------
        CameraLost
            When it is closed or unplugged.
        """
        if self._unplugged:
            raise CameraLost("the camera is unplugged; plug it in again")
        with self._change:
            if self._paced or (self._left <= 0 and not self._scenes):
                self._change.wait_for(lambda: self._closed or (not self._paced and self._scenes), 1 / FRAMES_PER_S)
            if self._closed:
                raise CameraLost("the virtual camera is closed")
            scene = self._scenes.popleft() if self._left <= 0 and self._scenes else None
        if scene is not None:
            self._shown = scene
            self._now, self._left = scene.draw(), scene.frames
        self._left -= 1
        self._taken += 1
        seen = self._now.copy() if self._shift_px is None else _shifted(self._now, self._shift_px)
        return CameraFrame(seen, self._taken / FRAMES_PER_S)

    def answered(self, _frame: Frame, reading: TrayReading) -> None:
        """Hear, on the camera's thread, that the dice were read or refused: there is nothing more to see of them."""
        self._answered, self._refused = True, reading.faces is None
        if not self._paced:
            self._left = 0

    def close(self) -> None:
        """Let go of it; may be called twice."""
        with self._change:
            self._closed = True
            self._change.notify_all()

    def _rolling(self, dice: Sequence[render.RenderedDie], seed: int) -> Draw:
        """Return what draws dice in motion: at half the size, four times as fast and soft as motion is."""
        return lambda: as_uint8(cv2.resize(self._half.picture(dice, seed=seed), self._table.size))

    @cached_property
    def _half(self) -> render.Table:
        """The same tray at half the size, drawn when the first dice roll: the table is ready the sooner."""
        return render.Table(seed=self._table.seed, size=(640, 480))


class Hand:
    """Throws dice into the virtual tray, by chance and now and then badly.

    Parameters
    ----------
    tray
        Where they fall.
    rng
        The chance of the game: the same seed throws the same dice.
    odd_throws
        About one throw in so many goes wrong; 0 for none.
    """

    def __init__(self, tray: VirtualTray, rng: random.Random, *, odd_throws: int) -> None:
        self._tray = tray
        self._rng = rng
        self._odd = odd_throws
        self._expected = 0
        self._lent = False
        self._lay: tuple[render.RenderedDie, ...] = ()
        self.leans_next = False
        """Whether a die of the next throw comes to lean."""

    def expect(self, watching: Watching) -> None:
        """Hear how many dice the rules want next; who calibrates begins with an empty tray and throws two."""
        if watching.lent and not self._lent:
            self._lay = ()
            self._tray.clear()
        self._lent = watching.lent
        self._expected = 2 if watching.lent else watching.dice

    def throw(self) -> bool:
        """Throw as many dice as are wanted; what they show only the camera will see. False where none are."""
        if not self._expected:
            return False
        kind = ThrowKind.COCKED if self.leans_next else ThrowKind.FLAT
        self.leans_next = False
        if kind is ThrowKind.FLAT and self._odd and self._rng.randrange(self._odd) == 0:
            kind = self._rng.choice(ODD_OF_ONE if self._expected == 1 else ODD_OF_TWO)
        dice = throw(self._rng, self._expected, kind)
        while any(_close(new, old) for new in dice for old in self._lay):
            dice = throw(self._rng, self._expected, kind)
        self._lay = dice
        self._tray.put(dice)
        return True


def _shifted(frame: Frame, shift_px: tuple[int, int]) -> Frame:
    across, down = shift_px
    moved = cv2.warpAffine(frame, np.array([[1, 0, across], [0, 1, down]], float), frame.shape[1::-1],
                           borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return np.asarray(moved, np.uint8)


def _close(new: render.RenderedDie, old: render.RenderedDie) -> bool:
    return math.hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm) < APART * old.size_mm
