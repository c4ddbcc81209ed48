"""Seats played by the computer: they press buttons and throw like people, and see only what people see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, Protocol

from firmware.bots_cup import CupBots
from firmware.events import Event, Pressed, Stop
from firmware.views import Phase, View
from hardware.devices import SEAT_KEYS, Key
from mexico import odds

_ROWS: Final = {row.score: row for row in odds.table()}
_ALL: Final = odds.FALLS
_SURE: Final = Fraction(0)


PATIENCE_S: Final = 60.0
"""A throw that nothing is heard of for so long is thrown again."""


class Watched(Protocol):
    """What bots look at: the table as anybody sees it."""

    @property
    def view(self) -> View:
        """What the table shows."""
        ...

    @property
    def decisions(self) -> int:
        """Goes up whenever somebody is to act anew."""
        ...


class Bots:
    """Plays every seat of a table: a companion of the loop.

    Parameters
    ----------
    table
        What is looked at.
    put
        Puts an event into the queue, as a finger on a button does.
    throw
        Throws the dice that are wanted.
    cups
        Plays the games with a cup; None for a table that has none.
    players
        How many seats sit down.
    games
        How many games are played before the program ends.
    seats
        Which seats it plays now, from any thread; None for all of them, from joining to the next game.
    think_s
        Seconds between what is seen and what is done.
    """

    def __init__(
        self,
        table: Watched,
        put: Callable[[Event], None],
        throw: Callable[[], object],
        cups: CupBots | None = None,
        *,
        players: int,
        games: int,
        think_s: float,
        seats: Callable[[], frozenset[int]] | None = None,
    ) -> None:
        self._table = table
        self._put = put
        self._throw = throw
        self._cups = cups
        self._players = players
        self._games_left = games
        self._think_s = think_s
        self._seats = seats
        self._seen: object = None
        self._act_s: float | None = None
        self._has_played = False

    @property
    def next_deadline_s(self) -> float | None:
        """Return when the next seat has thought long enough."""
        return self._act_s

    def tick(self, now_s: float) -> None:
        """Act when somebody is to act and has thought long enough."""
        seats = None if self._seats is None else self._seats()
        if self._seen != (self._table.decisions, seats):
            self._seen = (self._table.decisions, seats)
            self._act_s = now_s + self._think_s
        view = self._table.view
        self._has_played |= view.phase is Phase.PLAYING
        if self._act_s is not None and now_s >= self._act_s:
            self._act_s = now_s + PATIENCE_S if view.phase is Phase.PLAYING else None
            if seats is None or (view.phase is Phase.PLAYING and view.seat in seats):
                for event in self._actions(view, now_s):
                    self._put(event)

    def _actions(self, view: View, now_s: float) -> Iterator[Event]:
        match view.phase:
            case Phase.SITTING if view.test is not None or view.calibrating:
                return  # a press would cut it short
            case Phase.SITTING:
                for key in SEAT_KEYS[: self._players]:
                    yield from _tap(key, now_s)
                yield from _tap(Key.STOP, now_s)
            case Phase.PAUSED if self._has_played:
                return  # somebody lets the game wait, whatever he takes back meanwhile
            case Phase.PAUSED:
                yield from _tap(Key.STOP, now_s)
            case Phase.OVER:
                yield from self._after_the_game(now_s)
            case Phase.PLAYING if view.has_cup and self._cups is not None:
                yield from self._cups.act(view, now_s)
            case Phase.PLAYING if view.may_stop and stops(view):
                yield from _tap(Key.STOP, now_s)
            case Phase.PLAYING:
                self._throw()

    def _after_the_game(self, now_s: float) -> Iterator[Event]:
        self._games_left -= 1
        if self._games_left <= 0:
            yield Stop("all games are played")
            return
        yield from _tap(Key.STOP, now_s)


def _tap(key: Key, now_s: float) -> Iterator[Event]:
    yield Pressed(key, True, now_s)
    yield Pressed(key, False, now_s)


def stops(view: View) -> bool:
    """Return whether the player on turn does better to stop than to roll on.

    Better is the smaller chance to end lower than everybody else, when each of those still to roll beats a score as
    often as the exact table of the odds says. The lead's number of rolls is what the others may take; a follower who
    already lies above somebody is safe and stops. The last after nothing but Mexicos loses without one of his own.
    """
    scores = {name: str(score) for name, score in view.table("scores").items()}
    mine = scores.pop(view.player or "", None)
    order = view.facts.get("order")
    if mine is None or not isinstance(order, (list, tuple)):
        return True
    subround = view.facts.get("subround")
    running = subround if isinstance(subround, (list, tuple)) and subround else order
    if view.facts.get("cap") is None and len(running) > 1 and view.player == view.facts.get("lead") == running[-1]:
        return False
    others = len(running)
    lowest = min((_ROWS[score].rank for score in scores.values()), default=None)
    used, leads = view.number("rolls_used"), view.facts.get("cap") is None
    left = view.most_rolls - used
    later = max(0, others - 1 - len(scores))
    cap = 0 if leads else view.most_rolls
    return _chance(mine, lowest, later, cap or used) <= _rolling_on(lowest, later, cap, used, left)


@lru_cache(maxsize=4096)
def _chance(score: str, lowest: int | None, later: int, rolls: int) -> Fraction:
    """Return the chance to lose with *score*: nobody before lies below, and all *later* ones get above."""
    row = _ROWS[score]
    if lowest is not None and row.rank > lowest:
        return _SURE
    exceed: Mapping[int, Fraction] = {1: row.exceed_1, 2: row.exceed_2, 3: row.exceed_3}
    return exceed[min(rolls, 3)] ** later


@lru_cache(maxsize=4096)
def _rolling_on(lowest: int | None, later: int, cap: int, used: int, left: int) -> Fraction:
    """Return the chance to lose after one more roll and the best choice then; 2 when there is none left."""
    if left <= 0:
        return Fraction(2)
    after = _rolling_on(lowest, later, cap, used + 1, left - 1)
    chances = (min(_chance(row.score, lowest, later, cap or used + 1), after) * row.ways for row in _ROWS.values())
    return sum(chances, Fraction(0)) / _ALL
