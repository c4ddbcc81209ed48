"""What an evening came to: by seat, by game, and what does not count."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.journal import Journal, Span, StoredGame, reading
from firmware.statistics import Book, SeatStats, Statistics, evenings, statistics_of
from firmware.statistics_game import Record, record_of

HOUR = 3600.0
Event = dict[str, object]


def roll(player: str, *faces: int) -> Event:
    return {"type": "roll", "player": player, "faces": list(faces)}


def stop(player: str) -> Event:
    return {"type": "stop", "player": player}


def record(
    events: Sequence[Event],
    players: str = "AB",
    *,
    game: str = "mexico",
    times: Sequence[float] | None = None,
    number: int = 1,
    begun_s: float = 0.0,
    start: Mapping[str, object] | None = None,
    **rules: object,
) -> Record:
    """Return what a game of so many events, one every ten seconds, came to."""
    opener = {"mexico": "lead", "liars_individual": "first_caller"}.get(game, "opener")
    setup = {
        "format": 1,
        "game": game,
        "house_rules": rules,
        "players": list(players),
        "start": {opener: players[0]} if start is None else start,
    }
    stored = StoredGame(number, "real", setup, tuple(range(1, len(players) + 1)), tuple(events))
    at_s = [begun_s + 10.0 * n for n in range(1, len(events) + 1)] if times is None else times
    return record_of(stored, Span(number, "real", begun_s, len(events), at_s[-1] if at_s else begun_s), at_s)


def of(*records: Record) -> Statistics:
    found = statistics_of(records)
    assert not found.unread
    return found


def seats(*records: Record) -> dict[str, SeatStats]:
    return {seat.name: seat for seat in of(*records).seats}


ROUND = (roll("A", 5, 4), stop("A"), roll("B", 3, 1))
"""B loses to A in a round of one roll."""


def lost(loser: str, lead: str) -> list[Event]:
    """Return a round of two that *loser* loses."""
    second = "B" if lead == "A" else "A"
    faces = {loser: (3, 1)}
    return [roll(lead, *faces.get(lead, (6, 4))), stop(lead), roll(second, *faces.get(second, (6, 4)))]


def test_what_a_lost_round_costs_and_who_is_safe() -> None:
    found = seats(record(ROUND))

    a, b = found["A"], found["B"]
    assert (a.rounds, a.rounds_lost, a.units_paid, a.longest_safe, a.longest_lost) == (1, 0, 0, 1, 0)
    assert (b.rounds, b.rounds_lost, b.units_paid, b.longest_safe, b.longest_lost) == (1, 1, 1, 0, 1)
    assert (a.turns, a.rolls, a.rolls_per_turn) == (1, 1, 1.0)
    assert (a.median_turn_s, b.median_turn_s) == (None, 10.0), "A led: nobody knows since when it was his turn"


def test_a_game_during_which_the_clock_was_set_back_is_not_the_one_that_was_over_soonest() -> None:
    setup = {"units": {"A": 1, "B": 1}, "pot": 0, "lead": "A", "unit_value": 1}
    backwards = record(ROUND, times=(10.0, 20.0, -3600.0), start=setup)
    found = seats(backwards)

    assert backwards.over
    assert of(backwards).fastest is None
    assert found["B"].median_turn_s is None


def test_rolls_mexicos_and_turns_are_counted() -> None:
    events = [roll("A", 5, 4), roll("A", 2, 1), roll("B", 1, 1), roll("B", 2, 1)]
    found = of(record(events))

    assert {seat.name: (seat.rolls, seat.turns, seat.mexicos, seat.rolls_per_turn) for seat in found.seats} == {
        "A": (2, 1, 1, 2.0),
        "B": (2, 1, 1, 2.0),
    }
    assert (found.rolls, found.mexicos) == (4, 2)


def test_what_was_taken_back_counts_for_nobody_but_the_dice() -> None:
    void = {"type": "void", "event": 1, "by": ["A", "B"], "why": "void this roll"}
    found = of(record([roll("A", 2, 1), void, *ROUND]))

    assert [(seat.name, seat.rolls, seat.mexicos) for seat in found.seats] == [("A", 1, 0), ("B", 1, 0)]
    assert found.fairness.throws == 3


def test_runs_of_safe_and_lost_rounds_go_on_from_game_to_game() -> None:
    first = record([*lost("B", "A"), *lost("B", "B")], number=1)
    second = record([*lost("B", "A"), *lost("A", "B")], number=2)
    found = seats(first, second)

    assert (found["B"].longest_lost, found["A"].longest_safe, found["A"].longest_lost) == (3, 3, 1)
    assert (found["A"].games, found["A"].rounds) == (2, 4)


def test_a_game_that_was_won_its_pot_and_how_long_it_took() -> None:
    found = of(record(ROUND, buy_in=1))

    assert (found.over, found.by_game) == (1, {"mexico": 1})
    assert found.fastest is not None
    assert found.largest_pot is not None
    assert (found.fastest.game, found.fastest.value) == (1, 30.0)
    assert (found.largest_pot.game, found.largest_pot.value) == (1, 1)
    assert [(seat.games_won, seat.units_won) for seat in found.seats] == [(1, 1), (0, 0)]


def test_a_game_that_was_put_aside_overnight_is_not_the_fastest() -> None:
    assert of(record(ROUND, buy_in=1, times=[10.0, 20.0, 12 * HOUR])).fastest is None


def test_refused_throws_are_counted_by_fault_and_seat() -> None:
    bad: list[Event] = [{"type": "bad_roll", "player": "A", "why": why} for why in ("cocked", "cocked", "outside")]
    found = of(record([*bad, *ROUND]))

    assert found.bad_rolls == {"cocked": 2, "outside": 1}
    assert [seat.bad_rolls for seat in found.seats] == [{"cocked": 2, "outside": 1}, {}]
    assert found.seats[0].rolls == 1
    assert of(record([bad[0], *ROUND[1:]], bad_roll="counts_as_31")).seats[0].rolls == 1, "here it is a roll"


def test_who_is_out_plays_no_more_rounds_until_he_buys_in() -> None:
    out = [roll("A", 6, 4), stop("A"), roll("B", 6, 5), roll("C", 3, 1)]
    again: list[Event] = [{"type": "rebuy", "player": "C"}]
    duel = [roll("A", 6, 4), stop("A"), roll("B", 6, 5)]
    start = {"lead": "A", "units": {"A": 3, "B": 3, "C": 1}}
    without = seats(record([*out, *duel], "ABC", start=start, rebuy="yes"))
    with_him = seats(record([*out, *again, *duel, roll("C", 6, 6)], "ABC", start=start, rebuy="yes", buy_in=2))

    assert [without[name].rounds for name in "ABC"] == [2, 2, 1]
    assert [with_him[name].rounds for name in "ABC"] == [2, 2, 2]
    assert with_him["C"].units_bought == 2


def test_what_somebody_leaves_on_the_table_is_paid() -> None:
    leave: list[Event] = [{"type": "leave", "player": "C"}]

    assert seats(record(leave, "ABC"))["C"].units_paid == 5
    assert seats(record(leave, "ABC", leave="holding_back"))["C"].units_paid == 0


def test_a_seat_that_sits_elsewhere_in_the_next_game_is_counted_by_its_number() -> None:
    first = record(ROUND)
    stored = StoredGame(
        2, "real", {"format": 1, "game": "mexico", "players": ["B", "C"], "start": {"lead": "B"}}, (2, 3), ()
    )
    found = of(first, record_of(stored, Span(2, "real", 60.0, 0, 60.0), ()))

    assert [(seat.seat, seat.name, seat.games) for seat in found.seats] == [(1, "A", 1), (2, "B", 2), (3, "C", 1)]


def test_calls_of_a_game_with_a_cup_and_who_was_right() -> None:
    events: list[Event] = [
        {"type": "bid", "player": "A", "quantity": 2, "face": 4},
        {"type": "challenge", "player": "B"},
        {"type": "reveal", "player": "A", "faces": [6, 6]},
        {"type": "reveal", "player": "B", "faces": [6, 6]},
        {"type": "bid", "player": "A", "quantity": 1, "face": 4},
        {"type": "bid", "player": "B", "quantity": 2, "face": 4},
        {"type": "challenge", "player": "A"},
        {"type": "reveal", "player": "B", "faces": [4, 4]},
        {"type": "reveal", "player": "A", "faces": [6, 6]},
    ]
    found = of(record(events, game="liars_common", dice_each=2, mode="drinks"))
    told = {
        s.name: (s.rounds, s.rounds_lost, s.rounds_won, s.claims, s.calls, s.calls_won, s.marks) for s in found.seats
    }

    assert told == {"A": (2, 2, 0, 2, 1, 0, 2), "B": (2, 0, 2, 1, 1, 1, 0)}
    assert found.rounds == 2
    assert found.fairness.throws == 0, "all of them were under a cup"


def test_a_round_with_a_cup_that_nobody_called_has_no_loser_and_no_call() -> None:
    shake: Event = {"type": "shake", "player": "A"}
    special: Event = {"type": "show_special", "player": "A", "faces": [4, 1]}
    found = seats(record([shake, special], game="mexican_changsha"))

    assert {name: (s.rounds, s.rounds_lost, s.rounds_won, s.calls, s.marks) for name, s in found.items()} == {
        "A": (1, 0, 0, 0, 1),
        "B": (1, 0, 0, 0, 1),
    }


@pytest.mark.parametrize("game", ["mexican_wisconsin", "liars_individual", "liars_stanford"])
def test_a_call_is_counted_in_every_game(game: str) -> None:
    claims: dict[str, list[Event]] = {
        "mexican_wisconsin": [
            {"type": "shake", "player": "A"},
            {"type": "announce", "player": "A", "value": "66"},
            {"type": "challenge", "player": "B"},
            {"type": "cup_lifted", "faces": [4, 2]},
        ],
        "liars_individual": [
            {"type": "call", "player": "A", "hand": ["five", 6]},
            {"type": "challenge", "player": "B"},
            {"type": "reveal", "player": "A", "faces": [1, 2, 3, 4, 6]},
        ],
        "liars_stanford": [
            {"type": "call", "player": "A", "hand": ["six", 6]},
            {"type": "challenge", "player": "B"},
            {"type": "reveal", "player": "A", "faces": [1, 2, 3, 4, 6, 6]},
        ],
    }
    found = seats(record(claims[game], game=game))

    assert (found["A"].claims, found["A"].rounds_lost, found["A"].marks) == (1, 1, 1)
    assert (found["B"].calls, found["B"].calls_won, found["B"].rounds_won, found["B"].rounds) == (1, 1, 1, 1)


def test_a_game_that_the_rules_refuse_is_named_and_the_others_are_counted() -> None:
    broken = record([stop("A")], number=2)
    found = statistics_of([record(ROUND), broken])

    assert list(found.unread) == [2]
    assert "has not rolled yet" in found.unread[2]
    assert (found.games, found.seats[0].games) == ((1, 2), 1)


def test_nothing_comes_to_nothing() -> None:
    found = of()

    assert (found.games, found.seats, found.begun_s, found.table_kind, found.fastest) == ((), (), None, None, None)
    assert json.loads(json.dumps(found.to_json()))["fairness"]["alarm"] is False


def test_all_of_it_is_json() -> None:
    told = json.loads(json.dumps(of(record(ROUND)).to_json()))

    assert told["seats"][1]["rounds_lost"] == 1
    assert told["fairness"]["found"][0]["counts"] == [1, 0, 1, 1, 1, 0]


# --- evenings ---


def span(number: int, begun_h: float, last_h: float, kind: str = "real") -> Span:
    return Span(number, kind, begun_h * HOUR, 9, last_h * HOUR)


@pytest.mark.parametrize(
    ("spans", "by_evening"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([span(1, 20, 21), span(2, 24.9, 26)], [[1, 2]], id="less than four hours between"),
        pytest.param([span(1, 20, 21), span(2, 25.1, 26)], [[1], [2]], id="more than four hours"),
        pytest.param([span(1, 20, 21), span(2, 21.1, 22, "virtual")], [[1], [2]], id="another table"),
        pytest.param([span(1, 20, 44), span(2, 44.1, 45)], [[1], [2]], id="a game that was finished the next day"),
        pytest.param([span(1, 20, 21), span(2, 3, 4)], [[1, 2]], id="a clock that was put back"),
    ],
)
def test_evenings_are_told_apart_by_long_pauses(spans: list[Span], by_evening: list[list[int]]) -> None:
    assert [[one.number for one in evening] for evening in evenings(spans)] == by_evening


# --- the book over a journal ---


class Counted(Journal):
    """A journal that says which games were read."""

    read: list[int]

    def game(self, number: int) -> StoredGame | None:
        """Return a game, and note that it was read."""
        self.read.append(number)
        return super().game(number)


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[Counted]:
    with closing(Counted.open(tmp_path / "journal.sqlite3")) as journal:
        journal.read = []
        for _ in range(3):
            begin(journal, ROUND)
        yield journal


def begin(journal: Journal, events: Sequence[Event]) -> int:
    setup = {"format": 1, "game": "mexico", "players": ["A", "B"], "start": {"lead": "A"}}
    number = journal.begin(setup, seats=(1, 2), table_kind="real")
    for place, event in enumerate(events, 1):
        journal.append(number, place, event, dice=[(6, "#b41e20"), (4, "#f0f0ee")])
    return number


def test_a_game_is_read_again_only_when_it_has_grown(counted: Counted) -> None:
    book = Book()
    first = book.of(counted, book.evenings(counted)[-1])
    counted.append(3, 4, roll("B", 6, 5))
    second = book.of(counted, book.evenings(counted)[-1])

    assert counted.read == [1, 2, 3, 3]
    assert [found.seats[1].rolls for found in (first, second)] == [3, 4]
    assert second == Book().of(counted, counted.spans())


def test_the_dice_are_judged_anew_where_a_reading_no_longer_counts(counted: Counted) -> None:
    book = Book()
    counted.append(3, 4, roll("B", 6, 5))
    before = book.of(counted, counted.spans()).fairness.throws
    counted.append(3, 5, {"type": "void", "event": 4, "by": ["A", "B"], "why": "read it again"})
    after = book.of(counted, counted.spans())

    assert (before, after.fairness.throws) == (7, 6)
    assert after == Book().of(counted, counted.spans())


def test_a_journal_of_an_older_program_has_dice_without_colours(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(Journal.open(path)) as journal:
        begin(journal, ROUND)
        journal._file.execute("DROP TABLE dice")
        journal._file.execute("PRAGMA user_version = 2")
    with reading(path) as archive:
        found = Book().of(archive, archive.spans())

    assert found.fairness.throws == 2


def test_spans_are_those_of_the_events(counted: Counted) -> None:
    spans = counted.spans()

    assert [(one.number, one.events) for one in spans] == [(1, 3), (2, 3), (3, 3)]
    assert all(one.last_s == counted.times(one.number)[-1] for one in spans)
    number = begin(counted, ())
    assert counted.spans()[-1] == replace(counted.spans()[-1], number=number, events=0)
    assert counted.spans()[-1].last_s == counted.spans()[-1].begun_s
