"""The command ``stats``: what an evening came to, seat by seat, and what is to be said of its dice."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from math import inf, isfinite, log10

import click

from firmware import swaps
from firmware.cli_common import Whole, common, say, say_json, the_common
from firmware.cli_games import wanted_game
from firmware.errors import FileError
from firmware.fairness import Fairness
from firmware.journal import Archive, Span, reading
from firmware.statistics import Book, SeatStats, Statistics
from hardware.pictures import shown

Column = tuple[str, int, str]
NAME = 14


@click.command(short_help="Say what an evening came to.")
@click.option("--game", "number", type=Whole(1), metavar="N", help="Only this game.")
@click.option("--evening", type=Whole(1), metavar="N", help="Number of the evening; the last if left out.")
@click.option("--swapped", is_flag=True, help="Note that other dice are on the table from now on.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@common
def stats(number: int | None, evening: int | None, swapped: bool, as_json: bool) -> int:
    """Say what an evening came to, seat by seat, and whether its dice were fair.

    An evening is a run of games with less than four hours between them. Works while a table is running.
    """
    the_common().log()
    if (number is not None) + (evening is not None) + swapped > 1:
        raise click.UsageError("--game, --evening and --swapped are different things; leave all but one out")
    folder = the_common().folder
    if swapped:
        swaps.note(folder.dice, time.time())
        say("noted: the test of the dice begins anew with the next throw")
        return 0
    with reading(folder.journal) as archive:
        book = Book()
        evenings = book.evenings(archive)
        which, spans = _wanted(archive, evenings, number, evening)
        until_s = inf if which in (None, len(evenings)) else evenings[which][0].begun_s
        found = book.of(archive, spans, dice_since_s=swaps.since(swaps.noted(folder.dice), until_s))
    if as_json:
        say_json({"evening": which, "evenings": len(evenings), **found.to_json()})
        return 0
    for line in _lines(found, "" if number is not None else f"evening {which} of {len(evenings)}, "):
        say(line)
    return 0


def _wanted(
    archive: Archive, evenings: Sequence[tuple[Span, ...]], number: int | None, evening: int | None
) -> tuple[int | None, tuple[Span, ...]]:
    """Return the number of an evening and its games, or those of them that are asked for.

    Raises
    ------
    FileError
        If there is no such game or evening.
    """
    where = shown(archive.path.parent)
    if number is not None:
        wanted_game(archive, number)
        place = next(k for k, spans in enumerate(evenings, 1) if number in (span.number for span in spans))
        return place, tuple(span for span in evenings[place - 1] if span.number == number)
    if evening is not None and evening > len(evenings):
        there = f"there are 1 to {len(evenings)}" if evenings else "no game was played yet"
        raise FileError(f"there is no evening {evening} in {where}; {there}")
    if not evenings:
        return None, ()
    place = len(evenings) if evening is None else evening
    return place, evenings[place - 1]


# --- in words ---


def _lines(found: Statistics, which: str) -> Iterator[str]:
    if found.begun_s is None or found.last_s is None:
        yield "no game was played yet"
        return
    games = ", ".join(f"{name} {times}" for name, times in found.by_game.items())
    numbered = f"game {found.games[0]}" if len(found.games) == 1 else f"games {found.games[0]} to {found.games[-1]}"
    yield f"{which}{numbered}, {_when(found.begun_s)} to {_when(found.last_s)}, {found.table_kind} table"
    yield f"{games}; {found.over} played to the end, {_many(found.rounds, 'round')}"
    if found.rolls:
        yield (
            f"{_many(found.rolls, 'roll')}, {found.mexicos} of them 21 (fair: {found.rolls / 18:.1f}); "
            f"{_many(found.units_paid, 'unit')} paid"
        )
    if found.bad_rolls:
        faults = ", ".join(f"{fault} {times}" for fault, times in sorted(found.bad_rolls.items()))
        yield f"bad rolls: {faults}"
    if found.fastest is not None:
        yield f"over soonest: game {found.fastest.game}, in {_long(found.fastest.value)}"
    if found.largest_pot is not None:
        yield f"largest pot: {_many(round(found.largest_pot.value), 'unit')}, game {found.largest_pot.game}"
    for number, why in found.unread.items():
        yield f"game {number} is not counted: {why}"
    yield ""
    yield from _table(_GENERAL, found.seats)
    for columns in (_MEXICO, _CUP):
        if any(int(_cell(seat, name)) for seat in found.seats for _, _, name in columns[2:3]):
            yield ""
            yield from _table(columns, found.seats)
    yield ""
    yield from _dice(found.fairness)


_SEAT: tuple[Column, ...] = (("seat", 4, "seat"), ("name", -8, "name"))
_GENERAL: tuple[Column, ...] = (
    *_SEAT,
    ("games", 5, "games"),
    ("won", 3, "games_won"),
    ("rounds", 6, "rounds"),
    ("lost", 4, "rounds_lost"),
    ("safe running", 12, "longest_safe"),
    ("lost running", 12, "longest_lost"),
)
_MEXICO: tuple[Column, ...] = (
    *_SEAT,
    ("rolls", 5, "rolls"),
    ("a turn", 6, "rolls_per_turn"),
    ("21", 3, "mexicos"),
    ("units paid", 10, "units_paid"),
    ("won", 4, "units_won"),
    ("bought", 6, "units_bought"),
    ("turn takes", 10, "median_turn_s"),
    ("bad rolls", 9, "bad_rolls"),
)
_CUP: tuple[Column, ...] = (
    *_SEAT,
    ("claims", 6, "claims"),
    ("calls", 5, "calls"),
    ("right", 5, "calls_won"),
    ("rounds won", 10, "rounds_won"),
    ("marks", 5, "marks"),
    ("glasses", 7, "finishes"),
    ("balance", 7, "balance"),
)
"""Columns: what stands above, how wide (names to the left), which statistic; no table where nobody has the third."""


def _table(columns: Sequence[Column], seats: Sequence[SeatStats]) -> Iterator[str]:
    yield "  ".join(_fitted(head, width) for head, width, _ in columns).rstrip()
    for seat in seats:
        yield "  ".join(_fitted(_cell(seat, name), width) for _, width, name in columns).rstrip()


def _fitted(text: str, width: int) -> str:
    return text.ljust(-width) if width < 0 else text.rjust(width)


def _cell(seat: SeatStats, name: str) -> str:
    value = getattr(seat, name)
    if value is None:
        return "-"
    if isinstance(value, Mapping):
        return str(sum(value.values()))
    if name == "median_turn_s":
        return f"{value:.0f} s"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _dice(found: Fairness) -> Iterator[str]:
    if found.throws:
        yield f"{'':<{NAME}}     1     2     3     4     5     6  evidence  alarm at"
    for finding in found.found if found.throws else ():
        counts = "".join(f"{count:6d}" for count in finding.counts)
        yield f"{finding.name:<{NAME}}{counts}  {_times(finding.peak):>8}  {_times(finding.needed):>8}"
    yield found.advice


def _times(value: float) -> str:
    """Return how many times likelier, in few letters."""
    if not isfinite(value) or value >= 1e6:
        return f"1e{int(log10(min(value, 1e308)))}"
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _long(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
