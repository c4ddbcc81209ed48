"""What people do at a tray, as scenes: throw, pick up, push, rest a hand, turn the lamp, put a cup over the dice."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist

import numpy as np

from vision.render import RenderedDie
from vision.render.roll import roll
from vision.render.throw import ThrowKind, throw
from vision.render.tray import TrayShape
from vision.types import Point

AT_REST = (30, 70)
"""So many pictures nothing happens after a throw: a second, in which a table answers, and more."""

BRIGHTEST, DIMMEST = 1.5, 0.5
"""How far the lamp is turned from how it was when the tray was calibrated."""

FAR_FROM_RIM = 0.75
"""Sides of a die: a hand pushes its middle no nearer to the rim."""

APART = 1.6
"""Sides: no nearer to one another either."""


@dataclass(frozen=True)
class Scene:
    """One picture of a film, and the truth about it.

    Attributes
    ----------
    dice
        What lies, or flies, in the tray.
    hand, cup
        Where, in millimetres, the tips of a hand are, or the middle of a cup.
    light
        How bright it is; 1 as at the calibration.
    landed
        How many throws have come to rest so far.
    rolls
        Whether dice roll, or are pushed.
    repeats
        Whether the camera gives the picture before once more.
    """

    dice: tuple[RenderedDie, ...] = ()
    hand: Point | None = None
    cup: Point | None = None
    light: float = 1.0
    landed: int = 0
    rolls: bool = False
    repeats: bool = False


@dataclass
class Evening:
    """What happens, by chance, at one tray, to dice of one sort; a script is walked once.

    Attributes
    ----------
    rng
        Source of chance.
    pool
        The dice, two.
    shape
        The tray.
    thrown
        The faces of every throw that came to rest, from high to low.
    now
        The tray as it is.
    """

    rng: random.Random
    pool: Sequence[RenderedDie]
    shape: TrayShape

    def __post_init__(self) -> None:
        """Begin with an empty tray."""
        self.thrown: list[tuple[int, ...]] = []
        self.now = Scene()

    def scenes(self, happenings: int) -> Iterator[Scene]:
        """Yield the pictures of an evening of so many *happenings*, from an empty tray on."""
        often = (self._push, self._push, self._push, self._hand, self._hand)
        once = (self._lamp, self._cup, self._stall, self._wait, self._remove)
        yield from self._still(40)
        for _ in range(happenings):
            throws = not self.now.dice or self.rng.random() < 0.25
            yield from (self._throw if throws else self.rng.choice(often + once))()

    def _still(self, pictures: int) -> Iterator[Scene]:
        yield from [self.now] * pictures

    def _throw(self) -> Iterator[Scene]:
        """Throw, from a tray that is bare for a picture at least; every third time the faces of before come again."""
        before = self.now.dice
        landed = self._landing(before if self.rng.random() < 1 / 3 else ())
        if before:
            yield from self._pick_up()
        yield from self._still(self.rng.choice((1, 2, 5, 20)))
        path = roll(self.rng, landed, self.rng.randint(10, 24), shape=self.shape)
        for dice in path[self.rng.randint(0, 4) : -1]:
            yield replace(self.now, dice=dice, rolls=True)
        self.thrown.append(tuple(sorted((die.top for die in landed), reverse=True)))
        self.now = replace(self.now, dice=landed, landed=len(self.thrown))
        yield from self._still(self.rng.randint(*AT_REST))

    def _landing(self, faces_of: Sequence[RenderedDie]) -> tuple[RenderedDie, ...]:
        dice = throw(self.rng, len(self.pool), ThrowKind.FLAT, pool=self.pool, shape=self.shape)
        return tuple(replace(die, top=old.top) for die, old in zip(dice, faces_of, strict=True)) if faces_of else dice

    def _pick_up(self) -> Iterator[Scene]:
        """Take the dice away, one after the other or all at once."""
        one_by_one = self.rng.random() < 0.5
        while self.now.dice:
            at = _middle(self.now.dice[:1] if one_by_one else self.now.dice)
            yield from self._reach(at)
            self.now = replace(self.now, dice=self.now.dice[1:] if one_by_one else ())
            yield from self._withdraw(at)

    def _remove(self) -> Iterator[Scene]:
        yield from self._pick_up()
        yield from self._still(self.rng.choice((1, 10, 40)))

    def _push(self) -> Iterator[Scene]:
        """Push one die or both, by 4 to 120 mm, now and then after the hand has rested there."""
        before = self.now.dice
        after = self._pushed(before)
        at = _beside(before)
        yield from self._reach(at)
        if self.rng.random() < 0.4:
            yield from [replace(self.now, hand=at)] * self.rng.randint(3, 25)
        for share in np.linspace(0, 1, self.rng.randint(4, 13))[1:]:
            way = tuple(_between(old, new, float(share)) for old, new in zip(before, after, strict=True))
            yield replace(self.now, dice=way, hand=_beside(way), rolls=True)
        self.now = replace(self.now, dice=after)
        yield from self._withdraw(_beside(after))
        yield from self._still(self.rng.randint(10, 40))

    def _pushed(self, dice: tuple[RenderedDie, ...]) -> tuple[RenderedDie, ...]:
        moved = self.rng.choice(((True, True), (True, False), (False, True)))
        by = self.rng.choice((4.0, 10.0, 25.0, 60.0, 120.0))
        for _ in range(50):
            after = tuple(self._aside(die, by) if moves else die for die, moves in zip(dice, moved, strict=True))
            one, other = ((die.x_mm, die.y_mm) for die in after)
            if dist(one, other) > APART * dice[0].size_mm:
                return after
        return dice

    def _aside(self, die: RenderedDie, by: float) -> RenderedDie:
        x, y = (
            float(
                np.clip(at + self.rng.uniform(-by, by), FAR_FROM_RIM * die.size_mm, size - FAR_FROM_RIM * die.size_mm)
            )
            for at, size in zip((die.x_mm, die.y_mm), self.shape.floor, strict=True)
        )
        return replace(die, x_mm=x, y_mm=y, yaw_deg=die.yaw_deg + self.rng.uniform(-40, 40))

    def _hand(self) -> Iterator[Scene]:
        """Hold a hand into the tray, and touch nothing."""
        wide, deep = self.shape.floor
        at = (self.rng.uniform(0.05, 0.95) * wide, self.rng.uniform(0.25, 0.8) * deep)
        yield from self._reach(at)
        yield from [replace(self.now, hand=at)] * self.rng.choice((1, 3, 10, 40))
        yield from self._withdraw(at)
        yield from self._still(self.rng.randint(6, 30))

    def _lamp(self) -> Iterator[Scene]:
        """Turn the lamp at once, or by and by."""
        before = self.now.light
        after = float(np.clip(before * self.rng.choice((0.5, 0.7, 0.85, 1.2, 1.4)), DIMMEST, BRIGHTEST))
        steps = self.rng.choice((1, self.rng.randint(5, 40)))
        for light in np.geomspace(before, after, steps + 1)[1:]:
            self.now = replace(self.now, light=float(light))
            yield self.now
        yield from self._still(self.rng.randint(10, 40))

    def _cup(self) -> Iterator[Scene]:
        """Put a cup over the dice, and take it away again."""
        (x, y), deep = _middle(self.now.dice), self.shape.floor[1]
        way = [(x, float(v)) for v in np.linspace(deep + 20, y, 5)]
        yield from (replace(self.now, cup=at) for at in way)
        yield from [replace(self.now, cup=way[-1])] * self.rng.choice((2, 20))
        yield from (replace(self.now, cup=at) for at in reversed(way))
        yield from self._still(self.rng.randint(10, 40))

    def _stall(self) -> Iterator[Scene]:
        yield from [replace(self.now, repeats=True)] * self.rng.choice((3, 20, 50))
        yield from self._still(self.rng.randint(5, 20))

    def _wait(self) -> Iterator[Scene]:
        yield from self._still(self.rng.choice((10, 60, 160)))

    def _reach(self, at: Point) -> Iterator[Scene]:
        yield from (replace(self.now, hand=tips) for tips in self._way(at))

    def _withdraw(self, at: Point) -> Iterator[Scene]:
        yield from (replace(self.now, hand=tips) for tips in reversed(self._way(at)))

    def _way(self, at: Point) -> list[Point]:
        return [(at[0], float(y)) for y in np.linspace(self.shape.floor[1] + 20, at[1], self.rng.randint(3, 8))]


def _middle(dice: Sequence[RenderedDie]) -> Point:
    return sum(die.x_mm for die in dice) / len(dice), sum(die.y_mm for die in dice) / len(dice)


def _beside(dice: Sequence[RenderedDie]) -> Point:
    """Return where the tips of a hand are that pushes the first of *dice*."""
    return dice[0].x_mm + 1.2 * dice[0].size_mm, dice[0].y_mm + 1.2 * dice[0].size_mm


def _between(old: RenderedDie, new: RenderedDie, share: float) -> RenderedDie:
    x, y, yaw = (
        (1 - share) * a + share * b for a, b in ((old.x_mm, new.x_mm), (old.y_mm, new.y_mm), (old.yaw_deg, new.yaw_deg))
    )
    return replace(old, x_mm=x, y_mm=y, yaw_deg=yaw)
