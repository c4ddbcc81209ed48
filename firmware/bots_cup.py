"""How the computer plays the games with a cup.

It looks under its own cup, says what it has where that is enough, bluffs where it is not, and calls what it does not
believe.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from firmware.events import Event, Pressed, Turned
from firmware.menu import Entry
from firmware.views import Note, View
from firmware.virtual_cup import Cups
from hardware.devices import SEAT_KEYS, Key
from mexico.game import Ask
from mexico.poker_hands import FaceOrder, PokerHand
from mexico.throw import FACES, RANKING

NERVE: Final = 0.75
"""How many dice more than it can expect the computer lets somebody else bid."""

ACE: Final = 1

SPECIALS: Final = {
    "mexican_changsha": ((1, 3), (1, 4), (1, 5), (1, 6), (1, 2)),
    "mexican_wisconsin": ((1, 3), (2, 3)),
}
"""Dice that are worth more shown than claimed."""

Play = Callable[[View], Iterator[Event]]


class CupBots:
    """Plays the seat on turn of a game with a cup; one hand for all seats, each looking at its own dice only.

    Parameters
    ----------
    cups
        Whose dice lie where.
    rng
        The chance of what they decide.
    """

    def __init__(self, cups: Cups, rng: random.Random) -> None:
        self._cups = cups
        self._rng = rng

    def act(self, view: View, now_s: float) -> Iterator[Event]:
        """Do what the seat on turn would."""
        player = view.player or ""
        calls = self._calls(view, player)
        if view.awaited or not calls:
            self._cups.hands(view)
        if not view.awaited and (calls or "shake" not in view.menu.kinds):
            yield from self._decide(view, player, now_s, calls=calls)

    def _decide(self, view: View, player: str, now_s: float, *, calls: bool) -> Iterator[Event]:
        faces = tuple(sorted(self._cups.peek(player)))
        if not calls and view.may_show and faces in SPECIALS.get(view.game, ()) and view.note is not Note.NOT_NOW:
            yield from _tap(Key.STOP, now_s)
            return
        place = self._chosen(view, faces)
        if place is None or calls:
            key = next((seat for seat, name in view.seats.items() if name in view.callers), None)
            if key is not None:
                yield from _tap(SEAT_KEYS[key - 1], now_s)
                return
            place = self._rng.randrange(len(view.menu.entries)) if place is None else place
        yield Turned(place + 1, now_s)
        yield from _tap(Key.CONFIRM, now_s)

    # --- what it thinks ---

    def _calls(self, view: View, player: str) -> bool:
        """Whether the seat on turn does not believe what was claimed."""
        if player not in view.callers:
            return False
        bid, value = view.facts.get("bid"), view.text("to_beat")
        if isinstance(bid, (list, tuple)):
            quantity, face = bid
            return float(quantity) > self._expects(view, self._cups.peek(player), int(face)) + NERVE
        if value:
            rank = next((throw.rank for throw in RANKING if str(throw) == value), 1)
            return self._rng.random() < (rank / len(RANKING)) ** 2
        return self._rng.random() < 1 / 4

    def _chosen(self, view: View, faces: Sequence[int]) -> int | None:
        """Return which entry of the menu to take, None for none."""
        entries = view.menu.entries
        claims = [place for place, entry in enumerate(entries) if _kind(entry) in ("announce", "bid", "call")]
        others = [place for place, entry in enumerate(entries) if _kind(entry) in ("choose", "concede", "reroll")]
        if not claims:
            return self._rng.choice(others) if others else None
        match view.game:
            case "liars_common":
                return max(claims[:12], key=lambda place: self._likely(view, faces, entries[place]))
            case "liars_individual" if faces:
                true = [place for place in claims if _has(faces, entries[place])]
                rerolls = [place for place in others if _kind(entries[place]) == "reroll"]
                return true[-1] if true else self._rng.choice([claims[0], *rerolls])
            case _:
                true = [place for place in claims if _value(entries[place]) == "".join(map(str, reversed(faces)))]
                return true[0] if true else claims[min(self._rng.randrange(3), len(claims) - 1)]

    def _likely(self, view: View, faces: Sequence[int], entry: Entry) -> float:
        does = entry.does
        quantity, face = (0, 1) if isinstance(does, Ask) else (int(str(does["quantity"])), int(str(does["face"])))
        return self._expects(view, faces, face) - quantity

    def _expects(self, view: View, faces: Sequence[int], face: int) -> float:
        """Return how many dice of *face* there may be: its own, and one in six of the others, in three where wild."""
        others = sum(int(str(dice)) for dice in view.table("dice_left").values()) - len(faces)
        counting = {face, ACE} if view.wild_aces else {face}
        return sum(own in counting for own in faces) + others * len(counting) / len(FACES)


def _kind(entry: Entry) -> str:
    return "" if isinstance(entry.does, Ask) else str(entry.does["type"])


def _value(entry: Entry) -> str:
    return "" if isinstance(entry.does, Ask) or entry.does.get("pass_it_on") else str(entry.does.get("value"))


def _has(faces: Sequence[int], entry: Entry) -> bool:
    """Whether *faces* are the very hand that is called: an event names two pairs so whichever face is worth most."""
    own = PokerHand.of(faces).words(FaceOrder.SIX_HIGH)
    return not isinstance(entry.does, Ask) and entry.does.get("hand") == own


def _tap(key: Key, now_s: float) -> Iterator[Event]:
    yield Pressed(key, True, now_s)
    yield Pressed(key, False, now_s)
