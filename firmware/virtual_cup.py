"""The cups of the virtual table: dice that are shaken, hidden, looked at by who holds them, and shown.

What lies hidden is known here, in the hands of the players, and nowhere else in the program: to the camera goes what a
camera would see, a cup.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, TypeVar

from firmware.match import Stored
from firmware.views import View
from firmware.virtual import AFTER_REFUSAL_FRAMES, REST_FRAMES, Scene, VirtualTray
from vision.render import Cup, RenderedDie
from vision.render.throw import throw
from vision.types import Point
from vision.zone import Share

SEEN_FRAMES: Final = 20
"""How long the cup stands, or is away, at least: longer than it takes to be noticed."""

TAKING_FRAMES: Final = 9
"""How long a hand is seen that takes out what lay there: a single die that is gone from one picture to the next is no
more than a shadow to an eye that cannot read, and then no empty tray is seen before the cup comes."""

UNDER_MM: Final = 13.0
"""How far from the middle of the cup the dice under it lie, for two; more dice lie farther."""

SLIM_MM: Final = 70.0
"""Width of the cups that stand in eight parts of one tray."""

CLOSE_MM: Final = 20.0
A_ROW: Final = 3
PITCH_MM: Final = 24.0
"""How the dice under such a cup lie: up to five as far from its middle as the first says, more of them in rows of so
many and so far apart that no two touch, however they are turned."""

Faces = tuple[int, ...]
T = TypeVar("T")

OWN_CUP: Final = ("liars_common", "liars_individual")
"""Games in which everybody has a cup in front of himself."""

SLID_IN: Final = ("liars_common",)
"""Those of them in which the cups stand before the players, and the dice are slid into the tray to be seen."""

MIDDLE: Final = 0.5
ENDS: Final = (0.25, 0.75)
"""Where the cups stand across the tray: one in its middle, or one at each end."""

BOXES: Final = {"liars_stanford": 6}
"""Games in which a box of so many dice is passed on without being shaken."""

TOUCHES: Final = ("call", "reroll", "roll_outside", "show", "put_back")
"""Events after which the box is that player's."""

VOIDS: Final = ("leave", "exposed")
STANDS: Final = ("bid", "call", "visible")
"""Events that may make a hand void, and the facts of which none is left then: in the house that plays on some are."""

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
        self._under: dict[str, tuple[RenderedDie, ...]] = {}
        self._standing: dict[str, Cup] = {}
        self._goes_round = False
        self._middles: dict[str, Point] = {}
        self._dealt: object = None
        self._asked = ""
        self._boxed = False

    def peek(self, player: str) -> Faces:
        """Return what *player* sees under his own cup, empty when he has none."""
        return self._hidden.get(player, ())

    def hands(self, view: View) -> bool:
        """Do what hands do at the table of *view* now: show what is due, or shake; False where that is nothing."""
        player = view.player or ""
        if view.awaited and view.in_place:
            self.lift_all(view, player, view.awaited)
        elif view.awaited and (view.ask is not None or view.game not in SLID_IN):
            self.lift(player, view.awaited, opens=view.ask is not None)
        elif view.awaited:
            self.present(player, view.awaited)
        elif view.game in OWN_CUP:
            return self._deal(view)
        elif view.game in BOXES:
            return self._box(view, player)
        elif "shake" in view.menu.kinds:
            self.shake(player, PAIR)
        else:
            return False
        return True

    def _deal(self, view: View) -> bool:
        """Let everybody shake his own dice when a new hand has begun; False where they have."""
        left = view.table("dice_left")
        hand = (view.number("rounds_played"), tuple(left.items()))
        if hand == self._dealt:
            return False
        self._dealt, self._asked = hand, ""
        self._hidden = {name: self._faces(int(str(left.get(name, EACH)))) for name in view.seats.values()}
        if view.in_place:
            middles = {name: self._tray.middle_mm(Share(seat)) for seat, name in view.seats.items() if self.peek(name)}
            self._put_down(middles, SLIM_MM)
            return True
        places = {} if view.game in SLID_IN else dict(zip(self._hidden, ENDS, strict=False))
        self._put_down({name: self._tray.place_mm(across) for name, across in places.items()})
        return True

    def _box(self, view: View, player: str) -> bool:
        """Let *player* shake the box when a new hand has begun; False where it goes round with what is in it."""
        hand = (view.number("rounds_played"), ())
        if hand == self._dealt:
            return False
        self._dealt = hand
        self.shake(player, BOXES[view.game])
        self._boxed = True
        return True

    def _take_box(self, player: str) -> None:
        """Let *player* take the box from whoever has it, and what is in it with it."""
        if self._boxed and player not in self._hidden:
            _hand_on(self._hidden, player)
            _hand_on(self._under, player)
            _hand_on(self._standing, player)

    def shake(self, player: str, dice: int) -> None:
        """Let *player* take the cup up, shake so many *dice* and put it down again."""
        # Of a pair that was claimed and may still be called, what its holder had is not lost by a shake too soon.
        kept = self._hidden if dice == PAIR else {}
        self._hidden = {**kept, player: self._faces(dice)}
        self._put_down({player: self._tray.place_mm(MIDDLE)})

    def _put_down(self, middles: dict[str, Point], wide_mm: float | None = None) -> None:
        """Let the tray be bare, and then a cup stand over everybody's dice; *wide_mm* where they have little room."""
        cup = Cup((0.0, 0.0)) if wide_mm is None else Cup((0.0, 0.0), wide_mm=wide_mm)
        close = wide_mm is not None
        self._under = {name: self._lying(self.peek(name), middle, close=close) for name, middle in middles.items()}
        self._standing = {name: replace(cup, middle_mm=middle) for name, middle in middles.items()}
        self._goes_round, self._middles, self._boxed = len(middles) == 1, middles, False
        taken = Scene(self._tray.reached, TAKING_FRAMES)
        self._tray.show(taken, Scene(lambda: self._tray.drawn(()), SEEN_FRAMES), self._as_it_is(SEEN_FRAMES))

    def stored(self, stored: Stored) -> None:
        """Roll anew what somebody says that he rolls anew; whoever claims or touches the box has it from then on.

        Where somebody left, or dice were seen by accident, and nothing stands any more, another hand has begun.
        """
        if stored.event.get("type") in VOIDS and not any(stored.facts.get(name) for name in STANDS):
            self._dealt = None
        match stored.event:
            case {"type": str(what), "player": str(player)} if what in TOUCHES:
                self._take_box(player)
        match stored.event:
            case {"type": "reroll", "player": str(player), "dice": int(dice)} if self.peek(player):
                self.again(player, dice)

    def again(self, player: str, dice: int) -> None:
        """Let *player* roll so many of his *dice* anew: those of the faces that are there least."""
        faces = sorted(self.peek(player), key=lambda face: (self.peek(player).count(face), face))
        self._hidden[player] = (*self._faces(dice), *faces[dice:])
        if player in self._under:
            self._under[player] = self._lying(self.peek(player), self._standing[player].middle_mm)

    def lift(self, player: str, dice: int, *, opens: bool = False) -> None:
        """Let the cup of *player* be lifted: so many *dice* of what he had are seen.

        Who *opens* dice of his own will has the box, whoever claimed before.
        """
        if opens:
            self._take_box(player)
        if not self.peek(player):  # a game that goes on after a power cut: the real dice would still lie there
            self._hidden[player] = self._faces(dice)
        if self._goes_round and player not in self._standing:
            self._standing, self._under = {}, {}  # somebody else has the only cup already: he lets go of it
        cup = self._standing.pop(player, None)
        before: tuple[Scene, ...] = ()
        if cup is None or len(self._under.get(player, ())) != dice:
            # They were seen and could not be read: they are laid out once more.
            middle = self._middles.get(player, self._tray.place_mm(MIDDLE))  # in his own half, where there are two
            others = {name: under for name, under in self._under.items() if name != player}
            self._under = others
            before = (self._as_it_is(AFTER_REFUSAL_FRAMES),)
            self._under = {**others, player: self._lying(self.peek(player)[:dice], middle)}
        self._tray.show(*before, self._as_it_is(REST_FRAMES), answers=True)

    def lift_all(self, view: View, player: str, dice: int) -> None:
        """Let every cup be lifted where it stands; the *dice* of *player* are what is read now."""
        if len(self._under.get(player, ())) != dice:  # a game that goes on after a power cut
            self._dealt = None
            self._deal(view)
        before: tuple[Scene, ...] = ()
        if self._asked == player:
            # They were seen and could not be read: they are laid out once more.
            own, self._under[player] = self._under[player], ()
            before = (self._as_it_is(AFTER_REFUSAL_FRAMES),)
            middle = self._tray.middle_mm(Share(view.seat or 1))
            self._under[player] = self._lying([die.top for die in own], middle, close=True)
        self._asked, self._standing = player, {}
        self._tray.show(*before, self._as_it_is(REST_FRAMES), answers=True)

    def present(self, player: str, dice: int) -> None:
        """Let *player* slide his *dice* into the tray."""
        faces = self.peek(player)[:dice] or self._faces(dice)
        landed = tuple(replace(die, top=face) for die, face in zip(throw(self._rng, dice), faces, strict=True))
        self._tray.put(landed)

    def _as_it_is(self, frames: int) -> Scene:
        """Return the tray with the cups that stand, and all dice: what a cup hides the camera does not see."""
        dice, cups = tuple(chain.from_iterable(self._under.values())), tuple(self._standing.values())
        return Scene(lambda: self._tray.drawn(dice, cups), frames)

    def _faces(self, dice: int) -> Faces:
        return tuple(self._rng.randint(1, 6) for _ in range(dice))

    def _lying(self, faces: Sequence[int], middle_mm: Point, *, close: bool = False) -> tuple[RenderedDie, ...]:
        """Return dice with *faces* as they lie under a cup at *middle_mm*, *close* where it is a slim one."""
        x_mm, y_mm = middle_mm
        if close and len(faces) > EACH:
            return self._in_rows(faces, middle_mm)
        around = UNDER_MM if len(faces) <= PAIR else CLOSE_MM if close else UNDER_MM * 2
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

    def _in_rows(self, faces: Sequence[int], middle_mm: Point) -> tuple[RenderedDie, ...]:
        """Return dice with *faces* in rows around *middle_mm*: too many to lie in a ring."""
        x_mm, y_mm = middle_mm
        rows = -(-len(faces) // A_ROW)
        return tuple(
            RenderedDie(
                x_mm + PITCH_MM * (k % A_ROW - (A_ROW - 1) / 2),
                y_mm + PITCH_MM * (k // A_ROW - (rows - 1) / 2),
                self._rng.uniform(0, 90),
                face,
            )
            for k, face in enumerate(faces)
        )


def _hand_on(kept: dict[str, T], player: str) -> None:
    """Make the only entry of *kept*, if there is one, that of *player*."""
    if kept:
        kept[player] = kept.popitem()[1]
