"""Statistics of an evening, by seat and of its dice. Pure, but for `Book`, which reads the journal.

An **evening** is a run of games of one table, real or virtual, that begin within four hours of the end of the one
before; after eighteen hours another begins in any case. A game belongs to the evening in which it began.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import inf
from statistics import median
from typing import Any, Final

from firmware.fairness import Fairness, Fall, Watch, fairness
from firmware.journal import Archive, Span
from firmware.statistics_game import GAP_S, Record, SeatRecord, record_of

LONGEST_S: Final = 18 * 3600.0
"""No evening takes longer."""


@dataclass(frozen=True, slots=True)
class SeatStats:
    """What an evening came to for one seat.

    Attributes
    ----------
    seat, name
        Number of the seat, from 1, and its name in the last game.
    games, games_won
        Games that he sat in, and won.
    rounds, rounds_lost
        Rounds that he played to their end, and lost; in Mexico one loses and all others are safe.
    rounds_won
        In games with a cup: calls decided for him.
    longest_safe, longest_lost
        Most rounds running that he did not lose, and that he lost.
    units_paid, units_won, units_bought
        Units of Mexico that he paid or left on the table, took from the pot, and brought after he was out.
    turns, rolls, rolls_per_turn
        Turns of Mexico that he ended, throws of two dice that counted, and their ratio; None without a turn.
    mexicos
        Throws that showed 21; fair dice show it once in eighteen throws.
    median_turn_s
        How long half of his turns took at most, in seconds: those that followed on another's in the same round.
    balance, marks, finishes
        In games with a cup: wagers won less those lost, penalties, glasses to finish.
    claims, calls, calls_won
        What he announced; whom he did not believe; and was right.
    bad_rolls
        His throws that were refused for how the dice lay, by fault.
    """

    seat: int
    name: str
    games: int
    games_won: int
    rounds: int
    rounds_lost: int
    rounds_won: int
    longest_safe: int
    longest_lost: int
    units_paid: int
    units_won: int
    units_bought: int
    turns: int
    rolls: int
    rolls_per_turn: float | None
    mexicos: int
    median_turn_s: float | None
    balance: int
    marks: int
    finishes: int
    claims: int
    calls: int
    calls_won: int
    bad_rolls: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GameNote:
    """A game worth a line: its number, and what of it is told."""

    game: int
    value: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """What some games came to.

    Attributes
    ----------
    table_kind
        ``"real"`` or ``"virtual"``; None without games.
    games
        Their numbers.
    unread
        Why games could not be counted, by number.
    by_game
        How many there were of each game.
    over
        How many were played to their end.
    begun_s, last_s
        When the first began and the last was added to, in seconds since 1970; None without games.
    rounds, rolls, mexicos, units_paid, bad_rolls
        As of the seats, together.
    fastest
        The game that was over soonest, in seconds; games that were put aside for hours left out.
    largest_pot
        The most units that a winner took.
    seats
        By seat.
    fairness
        What is to be said of the dice.
    """

    table_kind: str | None
    games: tuple[int, ...]
    unread: Mapping[int, str]
    by_game: Mapping[str, int]
    over: int
    begun_s: float | None
    last_s: float | None
    rounds: int
    rolls: int
    mexicos: int
    units_paid: int
    bad_rolls: Mapping[str, int]
    fastest: GameNote | None
    largest_pot: GameNote | None
    seats: tuple[SeatStats, ...]
    fairness: Fairness

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON; *alarm* of the fairness with it."""
        told = asdict(self)
        told["fairness"]["alarm"] = self.fairness.alarm
        return told


def evenings(spans: Iterable[Span]) -> tuple[tuple[Span, ...], ...]:
    """Return *spans*, given in the order in which their games began, by evening.

    Examples
    --------
    >>> hours = [Span(n, "real", 3600.0 * begun, 9, 3600.0 * last) for n, begun, last in ((1, 20, 21), (2, 22, 23.5))]
    >>> later = Span(3, "real", 3600.0 * 28, 9, 3600.0 * 29)
    >>> [[span.number for span in evening] for evening in evenings([*hours, later])]
    [[1, 2], [3]]
    """
    found: list[list[Span]] = []
    for span in spans:
        if found and _goes_on(found[-1], span):
            found[-1].append(span)
        else:
            found.append([span])
    return tuple(tuple(evening) for evening in found)


def _goes_on(evening: Sequence[Span], span: Span) -> bool:
    first, last = evening[0], evening[-1]
    soon = span.begun_s - last.last_s <= GAP_S and span.begun_s - first.begun_s <= LONGEST_S
    return span.table_kind == last.table_kind and soon


def statistics_of(records: Iterable[Record], judge: Callable[[Sequence[Fall]], Fairness] = fairness) -> Statistics:
    """Return what *records*, in the order in which their games began, come to together; *judge* looks at the dice."""
    every = tuple(records)
    counted = tuple(record for record in every if not record.unread)
    seats = sorted((seat for record in counted for seat in record.seats), key=lambda seat: seat.seat)
    by_seat = tuple(_seat(list(group)) for _, group in groupby(seats, key=lambda seat: seat.seat))
    quick = [GameNote(record.number, record.seconds) for record in counted if record.seconds is not None]
    pots = [GameNote(record.number, seat.won) for record in counted for seat in record.seats if seat.won]
    return Statistics(
        table_kind=every[-1].span.table_kind if every else None,
        games=tuple(record.number for record in every),
        unread={record.number: record.unread for record in every if record.unread},
        by_game=dict(Counter(record.game for record in every)),
        over=sum(record.over for record in counted),
        begun_s=every[0].span.begun_s if every else None,
        last_s=max((record.span.last_s for record in every), default=None),
        rounds=sum(record.rounds for record in counted),
        rolls=sum(seat.rolls for seat in by_seat),
        mexicos=sum(seat.mexicos for seat in by_seat),
        units_paid=sum(seat.units_paid for seat in by_seat),
        bad_rolls=_summed(seat.bad_rolls for seat in by_seat),
        fastest=min(quick, key=lambda note: note.value, default=None),
        largest_pot=max(pots, key=lambda note: note.value, default=None),
        seats=by_seat,
        fairness=judge([fall for record in counted for fall in record.falls]),
    )


def _seat(games: Sequence[SeatRecord]) -> SeatStats:
    """Return what *games* of one seat come to."""
    lost = [outcome for game in games for outcome in game.lost]
    turns, rolls = sum(game.turns for game in games), sum(game.rolls for game in games)
    turn_s = [seconds for game in games for seconds in game.turn_s]
    return SeatStats(
        seat=games[-1].seat,
        name=games[-1].name,
        games=len(games),
        games_won=sum(game.game_won for game in games),
        rounds=len(lost),
        rounds_lost=sum(lost),
        rounds_won=sum(game.rounds_won for game in games),
        longest_safe=_longest(lost, False),
        longest_lost=_longest(lost, True),
        units_paid=sum(game.paid for game in games),
        units_won=sum(game.won for game in games),
        units_bought=sum(game.bought for game in games),
        turns=turns,
        rolls=rolls,
        rolls_per_turn=round(rolls / turns, 3) if turns else None,
        mexicos=sum(game.mexicos for game in games),
        median_turn_s=round(median(turn_s), 1) if turn_s else None,
        balance=sum(game.balance for game in games),
        marks=sum(game.marks for game in games),
        finishes=sum(game.finishes for game in games),
        claims=sum(game.claims for game in games),
        calls=sum(game.calls for game in games),
        calls_won=sum(game.calls_won for game in games),
        bad_rolls=_summed(game.bad for game in games),
    )


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(total)


def _longest(outcomes: Iterable[bool], wanted: bool) -> int:
    """Return how often *wanted* came running, at most."""
    return max((len(list(run)) for outcome, run in groupby(outcomes) if outcome is wanted), default=0)


class Book:
    """Statistics of a journal; a game that has not grown is never read again.

    Keep one and ask it anew after every event: only the game that is played is counted again.
    """

    def __init__(self) -> None:
        self._records: dict[int, Record] = {}
        self._watch = Watch()
        self._watched: list[Fall] = []

    def evenings(self, archive: Archive) -> tuple[tuple[Span, ...], ...]:
        """Return all games of *archive* by evening."""
        return evenings(archive.spans())

    def of(self, archive: Archive, spans: Iterable[Span], *, dice_since_s: float = -inf) -> Statistics:
        """Return what the games *spans* of *archive* come to together.

        Parameters
        ----------
        archive, spans
            The journal, and what `evenings` says of some games of it.
        dice_since_s
            Since when the dice are on the table (`swaps.since`): what fell before says nothing about them.

        Raises
        ------
        JournalError
            If the journal cannot be read. A game that the rules of this program refuse is named as unread instead.
        """
        records = [self._record(archive, span) for span in spans]
        return statistics_of(records, lambda falls: self._judge([fall for fall in falls if fall.at_s > dice_since_s]))

    def _judge(self, falls: Sequence[Fall]) -> Fairness:
        """Return what is to be said of dice that fell so; those that were looked at the last time are known."""
        known = len(self._watched)
        if self._watched != falls[:known]:
            self._watch, self._watched, known = Watch(), [], 0
        for fall in falls[known:]:
            self._watch.see(fall)
        self._watched += falls[known:]
        return self._watch.report()

    def _record(self, archive: Archive, span: Span) -> Record:
        known = self._records.get(span.number)
        if known is not None and known.span == span:
            return known
        stored = archive.game(span.number)
        if stored is None:
            raise LookupError(f"game {span.number} is gone")
        times = archive.times(span.number)[: len(stored.events)]
        record = record_of(stored, span, times, archive.dice(span.number))
        self._records[span.number] = record
        return record
