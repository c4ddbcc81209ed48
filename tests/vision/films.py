"""Films of a tray that is drawn, and what the automaton said of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import cycle
from typing import NamedTuple, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision import motion
from vision.calibrating import calibrate
from vision.calibration import Calibration
from vision.motion import Watch, WatchEvent
from vision.render import RenderedDie, Table
from vision.render.roll import roll
from vision.types import Die, Fault, Frame, TrayReading, as_uint8
from vision.zone import Part

SIZE = (640, 480)
MOST_KEPT = 150
"""So many drawn pictures are kept: 280 MB."""

SAID = (Watch.READ, Watch.REFUSED, Watch.COVERED, Watch.UNCOVERED, Watch.EMPTY)


@dataclass(frozen=True)
class Picture:
    """One picture of a film, and what a perfect reader would say of it."""

    frame: Frame
    truth: TrayReading


class Studio:
    """Takes films of one table; plays them to the automaton with a reader that knows the truth."""

    def __init__(self) -> None:
        self.table = Table(seed=4, size=SIZE)
        rng = np.random.default_rng(5)
        self.noise = cycle([np.round(rng.normal(0, 2, (SIZE[1], SIZE[0], 3))).astype(np.int16) for _ in range(7)])
        # Many films show the same throw, and drawing takes most of their time.
        self._drawn = lru_cache(MOST_KEPT)(self._draw)
        empty = [self.table.empty(seed) for seed in range(900, 903)]
        self.calibration = calibrate(empty, tray_mm=self.table.tray_mm, die_mm=16, corners=self.table.corners_px)

    def _draw(
        self, dice: tuple[RenderedDie, ...], hand: tuple[float, float] | None, cup: tuple[float, float] | None
    ) -> npt.NDArray[np.int16]:
        return self.table.picture(dice, hand=hand, cup=cup).astype(np.int16)

    def take(
        self,
        dice: Sequence[RenderedDie],
        frames: int = 1,
        *,
        hand: tuple[float, float] | None = None,
        cup: tuple[float, float] | None = None,
        truth: TrayReading | None = None,
    ) -> list[Picture]:
        """Film *dice* at rest, with the sensor's noise in every picture."""
        truth = truth or self.truth(dice)
        drawn = self._drawn(tuple(dice), hand, cup)
        noisy = (cv2.add(drawn, next(self.noise)) for _ in range(frames))
        return [Picture(as_uint8(np.clip(frame, 0, 255)), truth) for frame in noisy]

    def rolling(self, landed: Sequence[RenderedDie], frames: int = 20) -> list[Picture]:
        """Film a throw up to the picture before it rests, from a bare tray on; no reader may be asked for these."""
        moving = TrayReading.refused(Fault.MOVING)
        film = [(), *(dice for dice in roll(random.Random(3), landed, frames)[3:] if dice != tuple(landed))]
        return [picture for dice in film for picture in self.take(dice, truth=moving)]

    def hand_over(self, dice: Sequence[RenderedDie]) -> list[Picture]:
        """Film a hand that reaches over *dice* and goes away again."""
        way = [240 - 12 * step for step in range(10)]
        places = [(150.0 + y / 10, float(y)) for y in (*way, *reversed(way))]
        return [picture for tips in places for picture in self.take(dice, hand=tips)]

    def truth(self, dice: Sequence[RenderedDie]) -> TrayReading:
        """Return what *dice* show, two being expected."""
        seen = []
        for die in dice:
            x, y = self.table.project(die.x_mm, die.y_mm, 16)
            half = self.table.project(die.x_mm + 8, die.y_mm, 16)[0] - x
            a, b, c, d = ((x + i * half, y + j * half) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
            seen.append(Die(die.top, (x, y), (die.x_mm, die.y_mm), -die.yaw_deg % 90, 1.0, (a, b, c, d)))
        return TrayReading.read(tuple(seen)) if len(dice) == 2 else TrayReading.refused(Fault.MISSING, "", tuple(seen))


class Asked(NamedTuple):
    """What the reader was given besides the picture."""

    calibration: Calibration | None
    dice: int | None
    zone: Part | None
    closely: bool
    at_rest: bool


@dataclass
class Screening:
    """A film that was watched: events by picture, which pictures were read, and what the reader was asked of each."""

    events: list[tuple[int, WatchEvent]]
    read: list[int]
    asked: list[Asked] = field(default_factory=list)
    state: motion.WatchState = field(default_factory=motion.start)

    def said(self, *kinds: Watch) -> list[tuple[str, tuple[int, ...] | str | None]]:
        """Return the events of these *kinds* with what they show."""
        return [
            (str(event.kind), None if event.reading is None else event.reading.faces or str(event.reading.fault))
            for _, event in self.events
            if event.kind in (kinds or SAID)
        ]

    @property
    def closely(self) -> int:
        """How many pictures were read closely."""
        return sum(asked.closely for asked in self.asked)

    @property
    def touched(self) -> int:
        """How often dice were told as touched."""
        return sum(event.touched for _, event in self.events)

    def at(self, kind: Watch) -> list[int]:
        """Return the pictures at which *kind* was said."""
        return [number for number, event in self.events if event.kind is kind]


class Watcher(Protocol):
    """Plays a film to the automaton."""

    def __call__(
        self, film: Sequence[Picture], calibration: Calibration | None, dice: int | None = 2, zone: Part | None = None
    ) -> Screening: ...


def lighter(frame: Frame, levels: tuple[int, int, int]) -> Frame:
    """Return *frame* lighter by so many *levels* of blue, green and red: no two computers decode a film alike."""
    return as_uint8(cv2.add(frame, np.array((*levels, 0), np.float64)))
