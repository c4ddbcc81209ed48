"""The cups of the virtual table: dice that are shaken, hidden, looked at by who holds them, and shown.

What lies hidden is known here, in the hands of the players, and nowhere else in the program: to the camera goes what a
camera would see, a cup.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from firmware.views import View
from firmware.virtual import REST_FRAMES, Scene, VirtualTray
from vision.render_pose import RenderedDie
from vision.render_throw import throw

SEEN_FRAMES: Final = 20
"""How long the cup stands, or is away, at least: longer than it takes to be noticed."""

UNDER_MM: Final = 13.0
"""How far from the middle of the cup the dice under it lie, for two; more dice lie farther."""

Faces = tuple[int, ...]

OWN_CUP: Final = ("liars_common", "liars_individual")
"""Games in which everybody has a cup in front of himself."""

BOXES: Final = {"liars_stanford": 6}
"""Games in which a box of so many dice is passed on without being shaken."""

EACH: Final = 5
PAIR: Final = 2


class Cups:
    """Everybody's dice: in one cup that goes round, or in a cup each.

    Parameters
    ----------
    tray
        What the camera sees.
    rng
        The chance of the game.
    """

    def __init__(self, tray: VirtualTray, rng: random.Random) -> None:
        self._tray = tray
        self._rng = rng
        self._hidden: dict[str, Faces] = {}
        self._under: tuple[RenderedDie, ...] = ()
        self._dealt: object = None

    def peek(self, player: str) -> Faces:
        """Return what *player* sees under his own cup, empty when he has none."""
        return self._hidden.get(player, ())

    def hands(self, view: View) -> None:
        """Do what hands do at the table of *view* now: show what is due, or shake."""
        player = view.player or ""
        if view.awaited and (view.ask is not None or view.game not in OWN_CUP):
            self.lift(player, view.awaited)
        elif view.awaited:
            self.present(player, view.awaited)
        elif view.game in OWN_CUP:
            self._deal(view)
        elif view.game in BOXES and not self.peek(player):
            self.shake(player, BOXES[view.game])
        elif "shake" in view.menu.kinds:
            self.shake(player, PAIR)

    def _deal(self, view: View) -> None:
        """Let everybody shake his own dice when a new hand has begun, in front of himself and not in the tray."""
        left = view.table("dice_left")
        hand = (view.number("rounds_played"), tuple(left.items()))
        if hand != self._dealt:
            self._dealt = hand
            self._hidden = {name: self._faces(int(str(left.get(name, EACH)))) for name in view.seats.values()}
            self._tray.show(self._cup_up())

    def shake(self, player: str, dice: int) -> None:
        """Let *player* take the cup up, shake so many *dice* and put it down again."""
        self._hidden = {player: self._faces(dice)}
        self._under = self._lying(self._hidden[player])
        self._tray.show(self._cup_up(), self._cup_down())

    def again(self, player: str, dice: int) -> None:
        """Let *player* roll so many of his *dice* anew: those of the faces that are there least."""
        faces = sorted(self.peek(player), key=lambda face: (self.peek(player).count(face), face))
        self._hidden[player] = (*self._faces(dice), *faces[dice:])

    def lift(self, player: str, dice: int) -> None:
        """Let the cup that stands in the tray be lifted: so many *dice* of what *player* had are seen."""
        if not self.peek(player):  # a game that goes on after a power cut: the real dice would still lie there
            self._hidden[player] = self._faces(dice)
        if len(self._under) != dice:
            self._under = self._lying(self.peek(player)[:dice])
        lies = self._under
        self._tray.show(Scene(lambda: self._tray.drawn(lies), REST_FRAMES), answers=True)

    def present(self, player: str, dice: int) -> None:
        """Let *player* slide his *dice* into the tray."""
        faces = self.peek(player)[:dice] or self._faces(dice)
        landed = tuple(replace(die, top=face) for die, face in zip(throw(self._rng, dice), faces, strict=True))
        self._tray.put(landed)

    def _faces(self, dice: int) -> Faces:
        return tuple(self._rng.randint(1, 6) for _ in range(dice))

    def _lying(self, faces: Sequence[int]) -> tuple[RenderedDie, ...]:
        """Return dice with *faces* as they lie under a cup in the middle of the tray."""
        x_mm, y_mm = self._tray.middle_mm
        around = UNDER_MM if len(faces) <= 2 else UNDER_MM * 2
        first = self._rng.uniform(0, 2 * math.pi)
        return tuple(
            RenderedDie(
                x_mm + around * math.cos(first + 2 * math.pi * k / len(faces)),
                y_mm + around * math.sin(first + 2 * math.pi * k / len(faces)),
                self._rng.uniform(0, 90),
                face,
            )
            for k, face in enumerate(faces)
        )

    def _cup_up(self) -> Scene:
        return Scene(lambda: self._tray.drawn(()), SEEN_FRAMES)

    def _cup_down(self) -> Scene:
        under = self._under
        return Scene(lambda: self._tray.drawn(under, cup=True), SEEN_FRAMES)
