"""One stored game, counted: who threw, paid, lost and won. Pure.

What was taken back does not count, but for the dice (`fairness.falls_of`). A record is made of what a game added up to,
so that an evening is the sum of its records and no game is ever played through twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from firmware import undo
from firmware.errors import JournalError
from firmware.fairness import Fall, falls_of
from firmware.journal import SeenDice, Span, StoredGame
from mexico import gamefile
from mexico.errors import RulesError
from mexico.mexico_choices import BadRolls, Leave
from mexico.mexico_state import (
    BoughtIn,
    Eliminated,
    Mexico,
    RoundLost,
    RoundVoid,
    Scored,
    SeatLeft,
    SubroundBegan,
)

GAP_S: Final = 4 * 3600.0
"""A pause so long ends an evening."""

CALLS: Final = ("challenge", "spot_on")
MEXICO: Final = [2, 1]


@dataclass
class SeatRecord:
    """What a game came to for one seat; nothing is changed once the record is made.

    Attributes
    ----------
    seat, name
        Number of the seat, from 1, and who sat there.
    lost
        For every round that he played to its end, whether he lost it.
    rounds_won
        Calls that were decided for him, in games with a cup.
    turns, rolls, mexicos
        Of Mexico: turns that he ended, throws of two dice that counted, those that showed 21.
    turn_s
        How long his turns took that followed on another's in the same round, in seconds.
    paid, won
        Units that went from his hand to the pot or out of play, and units of the pot that he won.
    bought
        Units that he brought after he was out.
    game_won
        Whether he won the game.
    balance, marks, finishes
        Of games with a cup: what wagers have brought, penalties, glasses to finish.
    claims, calls, calls_won
        What he announced, bid or called; whom he did not believe; and was right.
    bad
        His throws that were refused and stored, by what was wrong.
    """

    seat: int
    name: str
    lost: list[bool] = field(default_factory=list)
    rounds_won: int = 0
    turns: int = 0
    rolls: int = 0
    mexicos: int = 0
    turn_s: list[float] = field(default_factory=list)
    paid: int = 0
    won: int = 0
    bought: int = 0
    game_won: bool = False
    balance: int = 0
    marks: int = 0
    finishes: int = 0
    claims: int = 0
    calls: int = 0
    calls_won: int = 0
    bad: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Record:
    """What a game came to.

    Attributes
    ----------
    number, game, span
        Of the stored game, and when it was played.
    seats
        By seat, in the order in which they sat.
    rounds, over
        Rounds played to their end; whether the game was.
    seconds
        From its beginning to its last event; None where it is not over, or was put aside for long.
    falls
        What its dice tell of themselves.
    unread
        Why it could not be counted; empty where it was.
    """

    number: int
    game: str
    span: Span
    seats: tuple[SeatRecord, ...] = ()
    rounds: int = 0
    over: bool = False
    seconds: float | None = None
    falls: tuple[Fall, ...] = ()
    unread: str = ""


def record_of(
    stored: StoredGame, span: Span, times: Sequence[float], dice: Mapping[int, SeenDice] | None = None
) -> Record:
    """Return what *stored* came to.

    Parameters
    ----------
    stored, span, times, dice
        The game, and what `Archive.spans`, `Archive.times` and `Archive.dice` say of it; *dice* may be left out.

    Returns
    -------
    Record
        Of a game that the rules of this program refuse one that says so.
    """
    game = str(stored.setup.get("game"))
    try:
        tally = _Tally(stored, times)
        tally.play()
    except (RulesError, JournalError, ValueError) as error:
        return Record(stored.number, game, span, unread=str(error))
    moments = (span.begun_s, *times)
    aside = any(not 0 <= after - before <= GAP_S for before, after in pairwise(moments))
    over = tally.playing.over
    return Record(
        stored.number,
        game,
        span,
        tuple(tally.seats),
        tally.rounds,
        over,
        moments[-1] - moments[0] if over and not aside else None,
        falls_of(stored.events, dice, times),
    )


class _Tally:
    """Plays a stored game through the rules and counts."""

    def __init__(self, stored: StoredGame, times: Sequence[float]) -> None:
        self.playing = gamefile.begin(gamefile.setup(stored.setup))
        self.seats = [
            SeatRecord(seat, name) for seat, name in zip(stored.seats, self.playing.setup.players, strict=True)
        ]
        self.rounds = 0
        self._events = [(stored.events[n - 1], times[n - 1]) for n in undo.counting(stored.events)]
        self._named = {seat.name: seat for seat in self.seats}
        self._rules: Any = self.playing.rules
        self._before_s: float | None = None
        self._caller: str | None = None
        facts = self.playing.facts()
        self._has_cup = "to_beat" in facts
        self._out = set(_texts(facts.get("out")))

    def play(self) -> None:
        """Count every event that counts, and what is held in the end."""
        for event, time_s in self._events:
            before, self.playing = self.playing, self.playing.take(event)
            who = self._named.get(str(event.get("player")))
            if who is not None:
                self._done(who, event, before)
            for fact in self.playing.told:
                self._follows(fact, time_s)
            if self._has_cup and self.playing.told:
                self._round_with_a_cup(self.playing.facts())
        self._in_the_end(self.playing.facts())

    def _done(self, who: SeatRecord, event: Mapping[str, object], before: gamefile.Playing) -> None:
        kind = event.get("type")
        if kind == "roll":
            who.rolls += 1
            who.mexicos += sorted(undo.faces_of(event), reverse=True) == MEXICO
        elif kind == "bad_roll":
            who.bad[str(event.get("why"))] += 1
            who.rolls += self._rules.bad_roll is BadRolls.COUNTS_AS_31 and before.legal().dice == 2
        elif kind in undo.CLAIMS:
            who.claims += 1
        elif kind in CALLS:
            who.calls += 1
            self._caller = who.name

    def _follows(self, fact: object, time_s: float) -> None:
        """Count what the rules of Mexico tell."""
        match fact:
            case Scored(seat) | Mexico(seat):
                self.seats[seat].turns += 1
                if self._before_s is not None and time_s >= self._before_s:
                    self.seats[seat].turn_s.append(time_s - self._before_s)
                self._before_s = time_s
            case RoundLost(seat, _, paid):
                self._round_over({self.seats[seat].name})
                self.seats[seat].paid += paid
                self._before_s = None
            case SeatLeft(seat, units):
                self._out.add(self.seats[seat].name)
                self.seats[seat].paid += units if self._rules.leave is Leave.HOLDING_TO_POT else 0
                self._before_s = None
            case SubroundBegan() | RoundVoid():
                self._before_s = None
            case Eliminated(seat):
                self._out.add(self.seats[seat].name)
            case BoughtIn(seat, units):
                self._out.discard(self.seats[seat].name)
                self.seats[seat].bought += units

    def _round_with_a_cup(self, facts: Mapping[str, object]) -> None:
        """Count a round of a game with a cup, if one has ended."""
        if facts.get("rounds_played") != self.rounds:
            winner = self._named.get(str(facts.get("winner_of_round")))
            if winner is not None:
                winner.rounds_won += 1
                winner.calls_won += winner.name == self._caller
            self._round_over({str(facts.get("loser"))})
            self._caller = None
        self._out = {*_texts(facts.get("out")), *_texts(facts.get("left"))}

    def _round_over(self, losers: set[str]) -> None:
        self.rounds += 1
        for seat in self.seats:
            if seat.name not in self._out:
                seat.lost.append(seat.name in losers)

    def _in_the_end(self, facts: Mapping[str, object]) -> None:
        for seat in self.seats:
            for name in ("balance", "marks", "finishes"):
                held = facts.get(name)
                setattr(seat, name, int(held.get(seat.name, 0)) if isinstance(held, Mapping) else 0)
            if self.playing.over and facts.get("winner") == seat.name:
                seat.game_won = True
                takes = facts.get("winner_takes")
                seat.won = takes if isinstance(takes, int) else 0


def _texts(value: object) -> list[str]:
    return list(map(str, value)) if isinstance(value, (list, tuple)) else []
