"""The table played by hand when things go wrong: pause, power cut, lost devices, a full disk."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from firmware.errors import JournalError
from firmware.events import CameraState, Failed, Pressed, Stop, TrayRead, TrayStirred, Turned
from firmware.journal import Journal
from firmware.match import Match
from firmware.views import Phase
from hardware.devices import HardwareError, Key, Lamp

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench


def types(bench: Bench) -> list[object]:
    return [stored.event["type"] for stored in bench.stored]


def test_a_game_pauses_and_stop_goes_on(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.throw(6, 2)
    bench.controller.handle(Pressed(Key.STOP, True, bench.rig.clock.now()))
    bench.wait(2.2)
    bench.controller.handle(Pressed(Key.STOP, False, bench.rig.clock.now()))
    bench.controller.handle(Turned(-1, bench.rig.clock.now()))
    bench.press(Key.CONFIRM)
    assert bench.phase() is Phase.PAUSED
    bench.throw(3, 1)
    assert types(bench)[-1] == "roll"
    assert bench.stored[-1].facts["scores"] == {"A": "62"}
    bench.press(Key.STOP)

    assert bench.phase() is Phase.PLAYING
    assert bench.controller.view.table("scores") == {"A": "62"}


def test_after_a_power_cut_the_game_is_back_paused_and_loses_nothing(bench: Bench) -> None:
    bench.begin().sit(3, 1, 5, 2)
    bench.throw(6, 2)
    facts, number = bench.controller.view.facts, bench.journal.path
    with closing(Journal.open(number)) as journal:
        back = bench.again(journal)
        assert back.screen.title == "PAUSED"
        assert "press STOP to go on" in back.screen.lines
        assert back.controller.view.facts == facts
        back.press(Key.STOP)
        back.throw(6, 1)

        assert back.stored[-1].number == 5
        assert back.stored[-1].facts["scores"] == {"B": "61"}


def test_dice_that_lay_there_before_the_power_cut_are_no_roll(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    with closing(Journal.open(bench.journal.path)) as journal:
        back = bench.again(journal)
        back.press(Key.STOP)
        back.controller.handle(TrayRead(bench.reading(6, 6)))
        assert back.stored == []
        back.controller.handle(TrayStirred("empty"))
        back.controller.handle(TrayRead(bench.reading(6, 5)))

        assert back.stored[-1].event["faces"] == [6, 5]


def test_a_paused_game_is_given_up_with_two_pushes_and_stays_in_the_journal(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    with closing(Journal.open(bench.journal.path)) as journal:
        back = bench.again(journal)
        back.press(Key.CONFIRM)
        assert back.phase() is Phase.PAUSED
        assert "push again: give up" in back.screen.lines
        back.press(Key.CONFIRM)
        assert back.phase() is Phase.SITTING
        assert bench.again(journal).phase() is Phase.SITTING

        assert len(journal.last().events) == 2  # type: ignore[union-attr]


def test_a_push_that_is_not_repeated_gives_nothing_up(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    with closing(Journal.open(bench.journal.path)) as journal:
        back = bench.again(journal)
        back.press(Key.CONFIRM)
        back.wait(5)
        back.press(Key.CONFIRM)

        assert back.phase() is Phase.PAUSED


def test_a_finished_game_is_not_brought_back(bench: Bench) -> None:
    bench.begin("[game.house_rules]\nbuy_in = 1").sit(2, 5, 2)
    bench.lose()
    with closing(Journal.open(bench.journal.path)) as journal:
        assert bench.again(journal).controller.view.phase is Phase.SITTING


def test_a_lost_camera_is_said_and_the_game_waits(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.controller.handle(CameraState("the camera was unplugged"))
    assert bench.screen.four == "NoCA"
    bench.controller.handle(CameraState(None))
    bench.throw(6, 2)

    assert types(bench)[-1] == "roll"
    assert bench.screen.big == "62"


def test_a_lost_display_is_tried_again_and_the_game_goes_on(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.rig.display.unplug()
    bench.throw(6, 2)
    assert types(bench)[-1] == "roll"
    bench.rig.display.replug()
    bench.wait(2.2)

    assert bench.screen.big == "62"


def test_an_event_the_disk_refuses_is_not_shown_and_changes_nothing(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    pages = bench.journal._file.execute("PRAGMA page_count").fetchone()[0]
    bench.journal._file.execute(f"PRAGMA max_page_count = {pages}")
    before, match = bench.screen, bench.controller.match
    assert match is not None
    with pytest.raises(JournalError, match="make room"):
        bench.controller.handle(TrayRead(bench.reading(6, 2), bytes(100_000)))

    assert types(bench) == ["die", "die"]
    assert bench.screen == before
    assert len(match.playing.events) == 2


def test_an_error_turns_the_lamps_to_fault(bench: Bench) -> None:
    bench.begin().sit(2)
    bench.controller.failed(ValueError("a bug"))

    assert bench.screen.title == "OUT OF ORDER"
    assert bench.rig.lamps.lit >= {Lamp.SEAT_1, Lamp.SEAT_8, Lamp.STOP}


def test_an_error_of_the_camera_thread_is_raised_on(bench: Bench) -> None:
    bench.begin()

    with pytest.raises(HardwareError, match="broken"):
        bench.controller.handle(Failed(HardwareError("broken")))


def test_stop_events_end_the_program_with_their_code(bench: Bench) -> None:
    bench.begin()
    bench.controller.handle(Stop("interrupted", 130))

    assert (bench.controller.running, bench.controller.exit_code) == (False, 130)


def test_a_match_refuses_a_journal_that_breaks_the_rules(journal: Journal) -> None:
    setup = {"format": 1, "game": "mexico", "house_rules": {}, "players": ["A", "B"]}
    number = journal.begin(setup, seats=(1, 2), table_kind="real")
    journal.append(number, 1, {"type": "stop", "player": "B"})
    stored = journal.last()
    assert stored is not None

    with pytest.raises(JournalError, match="does not follow the rules"):
        Match.resume(journal, stored)
