"""The whole table on simulated devices: killed a hundred times, played for long; `make soak` does more of both."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.soak import kills, rolls
from benchmarks.soak.__main__ import killed_part, played_part
from benchmarks.soak.evening import Watch, evening
from benchmarks.soak.ledger import Broken, Ledger
from firmware.folder import StateFolder
from firmware.match import Stored

KILLS = 100
ROLLS = 1_000
MOST_GROWN_KIB = 3 * 1024
"""Between the fifth part of the rolls and the last; ten thousand grow by little more than a thousand."""


@pytest.mark.slow
@pytest.mark.long
def test_killed_a_hundred_times_nothing_that_was_shown_is_lost(tmp_path: Path) -> None:
    tally = kills.soak(tmp_path, KILLS, seed=1)

    assert tally.kills == KILLS
    assert tally.in_commit >= 10
    assert tally.events > KILLS
    assert tally.shown > KILLS
    assert f"| {KILLS} | {tally.in_commit} |" in killed_part(tally)


@pytest.mark.long
@pytest.mark.slow
def test_a_thousand_rolls_take_no_more_memory_than_two_hundred(tmp_path: Path) -> None:
    endurance = rolls.soak(tmp_path / "state", ROLLS, seed=2)

    assert endurance.rolls >= ROLLS
    assert endurance.games > 10
    assert len(endurance.resident_kib) == rolls.SAMPLES
    assert endurance.grown_kib < MOST_GROWN_KIB, endurance.resident_kib
    assert f"## Memory over {endurance.rolls} rolls" in played_part(endurance)


# --- what the soak would find ---


@dataclass
class Played:
    """A short evening: its journal, and what was told of it."""

    path: Path
    lines: list[dict[str, object]]


class Lines(Watch):
    """Keeps what was stored as the killed table tells it."""

    def __init__(self) -> None:
        self.lines: list[dict[str, object]] = []

    def stored(self, stored: Stored) -> None:
        self.lines.append(
            {"stored": stored.event, "game": stored.game, "event": stored.number, "facts": stored.facts},
        )


@pytest.fixture
def played(tmp_path: Path) -> Played:
    heard = Lines()
    with evening(tmp_path, 3, heard, over=lambda: len(heard.lines) >= 12) as begin:
        begin()
    return Played(StateFolder(tmp_path).journal, heard.lines)


def harm(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute(statement, values)


def test_an_evening_that_was_stored_as_told_is_in_order(played: Played) -> None:
    tally = kills.Tally()
    kills.compare(Ledger(played.path), played.lines, tally)

    assert len(played.lines) >= 12


def test_an_event_that_was_told_and_is_not_stored_is_found(played: Played) -> None:
    last = played.lines[-1]
    harm(played.path, "DELETE FROM events WHERE game = ? AND number = ?", last["game"], last["event"])

    with pytest.raises(Broken, match="not in the journal"):
        kills.compare(Ledger(played.path), played.lines, kills.Tally())


def test_events_that_nobody_was_told_of_are_found(played: Played) -> None:
    with pytest.raises(Broken, match=f"{len(played.lines) - 2} events were told, {len(played.lines)} are new"):
        kills.compare(Ledger(played.path), played.lines[:-2], kills.Tally())


def test_a_screen_that_was_ahead_of_the_disk_is_found(played: Played) -> None:
    shown = {**played.lines[-1], "shown": "A rolled", "unsaved": 0, "event": int(str(played.lines[-1]["event"])) - 1}

    with pytest.raises(Broken, match="says something else"):
        kills.compare(Ledger(played.path), [*played.lines, shown], kills.Tally())


def test_an_event_that_was_changed_later_is_found(played: Played) -> None:
    ledger = Ledger(played.path)
    ledger.read()
    assert len(ledger.books) == 1
    harm(played.path, """UPDATE events SET event = '{"type":"die","player":"A","face":7}' WHERE number = 1""")

    with pytest.raises(Broken, match="gone or changed"):
        ledger.read()


def test_an_event_that_breaks_a_rule_is_found(played: Played) -> None:
    harm(played.path, """UPDATE events SET event = '{"type":"stop","player":"A"}' WHERE number = 1""")

    with pytest.raises(Broken, match="breaks a rule"):
        Ledger(played.path).read()
