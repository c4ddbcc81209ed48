"""The table played by hand when its disk is full or takes nothing more: what is in memory, and what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware.errors import DiskError, JournalError
from firmware.events import TrayRead, TrayStirred
from firmware.views import Phase
from hardware.devices import Key
from tests.firmware.conftest import types

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.firmware.conftest import Bench


@pytest.fixture
def full(bench: Bench) -> Callable[[bool], None]:
    """Let the disk be full, or have room again."""

    def be(full: bool) -> None:
        pages = bench.journal._file.execute("PRAGMA page_count").fetchone()[0]
        bench.journal._file.execute(f"PRAGMA max_page_count = {pages if full else 1_000_000}")

    return be


def big_throw(bench: Bench, *faces: int) -> None:
    """Let dice be read with a picture that a full disk has no room for."""
    bench.controller.handle(TrayStirred("moving"))
    bench.controller.handle(TrayRead(bench.reading(*faces), bytes(100_000)))


def test_a_full_disk_lets_the_game_go_on_in_memory_and_says_so(bench: Bench, full: Callable[[bool], None]) -> None:
    bench.begin().sit(2, 5, 2)
    full(True)
    big_throw(bench, 6, 2)
    assert bench.screen.big == "62"
    assert types(bench) == ["die", "die"]
    bench.wait(4.2)

    assert bench.screen.four == "dISC"
    assert bench.screen.lines[1] == "1 only in memory"
    bench.press(Key.STOP)
    assert bench.controller.view.player == "B"


def test_a_throw_in_memory_is_doubted_with_its_picture(bench: Bench, full: Callable[[bool], None]) -> None:
    bench.begin().sit(2, 5, 2)
    full(True)
    big_throw(bench, 6, 2)
    match = bench.controller.match
    assert match is not None
    assert bench.journal.picture(match.number, 3) is None

    assert match.picture(3) == bytes(100_000)


def test_what_waited_for_room_is_stored_in_order_and_told_once(bench: Bench, full: Callable[[bool], None]) -> None:
    bench.begin().sit(2, 5, 2)
    full(True)
    big_throw(bench, 6, 2)
    bench.press(Key.STOP)
    full(False)
    bench.wait(25)

    match, stored = bench.controller.match, bench.journal.last()
    assert match is not None
    assert stored is not None
    assert match.unsaved == bench.controller.view.unsaved == 0
    assert types(bench) == ["die", "die", "roll", "stop"]
    assert [event["type"] for event in stored.events] == ["die", "die", "roll", "stop"]
    assert bench.journal.picture(stored.number, 3) == bytes(100_000)


def test_a_power_cut_on_a_full_disk_loses_nothing_that_was_stored(bench: Bench, full: Callable[[bool], None]) -> None:
    bench.begin().sit(2, 5, 2)
    before = bench.controller.view.facts
    full(True)
    big_throw(bench, 6, 2)
    full(False)
    back = bench.again(bench.journal)

    assert back.phase() is Phase.PAUSED
    assert back.controller.view.facts == before


def test_no_game_begins_that_cannot_be_stored(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise DiskError("the disk is full")

    bench.begin().seat(1, 2)
    monkeypatch.setattr(bench.journal, "begin", refuse)
    bench.press(Key.STOP)

    assert bench.phase() is Phase.SITTING
    assert "no room on the disk" in bench.screen.lines
    assert bench.screen.four == "dISC"


def test_a_broken_journal_ends_the_program_and_shows_nothing_new(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise JournalError("the file is damaged")

    bench.begin().sit(2, 5, 2)
    before, match = bench.screen, bench.controller.match
    assert match is not None
    monkeypatch.setattr(bench.journal, "append", refuse)
    with pytest.raises(JournalError, match="damaged"):
        big_throw(bench, 6, 2)

    assert bench.screen == before
    assert len(match.playing.events) == 2
    assert match.unsaved == 0


def test_what_waits_in_memory_is_brought_to_the_disk_before_an_error_ends_the_program(
    bench: Bench, full: Callable[[bool], None]
) -> None:
    bench.begin().sit(2, 5, 2)
    full(True)
    big_throw(bench, 6, 2)
    full(False)
    bench.controller.failed(ValueError("a bug"))

    assert types(bench) == ["die", "die", "roll"]
    assert bench.screen.lines[0] == "the game is stored"


def test_what_the_disk_never_took_is_not_said_to_be_stored(bench: Bench, full: Callable[[bool], None]) -> None:
    bench.begin().sit(2, 5, 2)
    full(True)
    big_throw(bench, 6, 2)
    bench.controller.failed(ValueError("a bug"))

    assert bench.screen.title == "OUT OF ORDER"
    assert bench.screen.lines == ("lost events: 1", "make room on the disk", "the rest is stored")


def test_a_second_bug_while_the_last_is_stored_keeps_nobody_from_the_fault(
    bench: Bench, full: Callable[[bool], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    bench.begin().sit(2, 5, 2)
    full(True)
    big_throw(bench, 6, 2)
    monkeypatch.setattr(bench.journal, "append", broken)
    bench.controller.failed(ValueError("a bug"))

    assert (bench.screen.title, bench.screen.lines[0]) == ("OUT OF ORDER", "lost events: 1")


def over_on_a_full_disk(bench: Bench, full: Callable[[bool], None]) -> None:
    """Play a game whose last throw found no room on the disk."""
    bench.begin('[game.house_rules]\npreset = "one_life"').sit(2, 6, 3)
    bench.throw(3, 1)
    bench.press(Key.STOP)
    full(True)
    big_throw(bench, 6, 6)
    assert bench.phase() is Phase.OVER


def test_a_finished_game_is_not_put_away_before_it_is_stored(bench: Bench, full: Callable[[bool], None]) -> None:
    over_on_a_full_disk(bench, full)
    for key in (Key.CONFIRM, Key.STOP):
        bench.press(key)
        assert bench.phase() is Phase.OVER
        assert "no room on the disk" in bench.screen.lines
    assert bench.screen.four == "dISC"
    bench.wait(50)
    full(False)
    bench.press(Key.CONFIRM)

    assert bench.phase() is Phase.SITTING
    assert types(bench)[-1] == "roll"
    bench.wait(50)


def test_a_game_is_not_given_up_before_it_is_stored(bench: Bench, full: Callable[[bool], None]) -> None:
    bench.begin().sit(2, 6, 3)
    full(True)
    big_throw(bench, 5, 4)
    bench.controller.pause("a test")
    bench.press(Key.CONFIRM, Key.CONFIRM)
    assert bench.phase() is Phase.PAUSED
    assert "no room on the disk" in bench.screen.lines
    assert bench.screen.four == "dISC"
    full(False)
    bench.press(Key.CONFIRM, Key.CONFIRM)
    bench.wait(50)

    assert bench.phase() is Phase.SITTING
    assert types(bench)[-1] == "roll"
