"""The table played by hand when things go wrong: pause, power cut, lost devices, an error."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from firmware.errors import DiskError, JournalError
from firmware.events import CameraState, Failed, Loss, Pressed, Stop, TrayRead, TrayStirred, Turned
from firmware.journal import Journal
from firmware.match import Match
from firmware.views import Phase
from hardware.devices import HardwareError, Key, Lamp
from hardware.rig import simulated_rig
from tests.firmware.conftest import types

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench


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


@pytest.mark.parametrize(
    ("stuck", "words"),
    [
        pytest.param((Key.SEAT_3,), "seat 3 is stuck", id="a seat"),
        pytest.param((Key.STOP, Key.CONFIRM), "stuck: STOP, knob", id="stop and the knob"),
    ],
)
def test_a_button_that_is_stuck_from_the_start_is_named_and_not_heard(
    bench: Bench, caplog: pytest.LogCaptureFixture, stuck: tuple[Key, ...], words: str
) -> None:
    heard: list[Key] = []
    for key in stuck:
        bench.rig.buttons.stick(key)
    bench.rig.buttons.listen(lambda key, down, time_s: heard.append(key))
    bench.begin().wait(10)
    assert words in bench.screen.lines
    assert words in caplog.text
    for key in stuck:
        bench.rig.buttons.unstick(key)
    bench.wait(1)
    bench.rig.buttons.press(stuck[0])

    assert heard == [stuck[0]]


def test_a_stuck_button_does_not_keep_an_interrupted_game_from_going_on(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    with closing(Journal.open(bench.journal.path)) as journal:
        back = type(bench)(simulated_rig(), journal)
        back.rig.buttons.stick(Key.SEAT_1)
        back.begin()
        assert (back.screen.title, back.screen.lines[2]) == ("PAUSED", "seat 1 is stuck")
        back.press(Key.STOP)
        back.throw(6, 2)

        assert back.screen.big == "62"


def test_a_lost_camera_is_said_and_the_game_waits(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.controller.handle(CameraState("the camera was unplugged"))
    assert bench.screen.four == "NoCA"
    bench.controller.handle(CameraState(None))
    bench.throw(6, 2)

    assert types(bench)[-1] == "roll"
    assert bench.screen.big == "62"


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        (Loss.PICTURES, ("NO CAMERA", "CAM?", "check its cable;", "NoCA")),
        (Loss.SIZE, ("OTHER PICTURE SIZE", "SIZE?", "calibrate again", "SIZE")),
        (Loss.MOTION, ("PICTURE STANDS STILL", "STILL", "covered, or it hangs;", "StIL")),
    ],
)
@pytest.mark.parametrize("playing", [True, False])
def test_what_a_lost_camera_lacks_is_said_with_what_to_do(
    bench: Bench, loss: Loss, said: tuple[str, ...], playing: bool
) -> None:
    bench.begin()
    if playing:
        bench.sit(2, 5, 2)
    bench.controller.handle(CameraState("the camera has something", loss))
    assert (bench.screen.title, bench.screen.big, bench.screen.lines[0], bench.screen.four) == said
    bench.seat(3)
    assert bench.screen.title == said[0]
    bench.controller.handle(CameraState(None))

    assert bench.screen.title != said[0]


def test_a_lost_display_is_tried_again_and_the_game_goes_on(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.rig.display.unplug()
    bench.throw(6, 2)
    assert types(bench)[-1] == "roll"
    bench.rig.display.replug()
    bench.wait(2.2)

    assert bench.screen.big == "62"


def test_lamps_do_not_wait_for_the_screen(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.begin()
    lit: list[set[Lamp]] = []
    monkeypatch.setattr(bench.rig.display, "show", lambda _screen: lit.append(set(bench.rig.lamps.lit)))
    bench.seat(3)

    assert [Lamp.SEAT_3 in lamps for lamps in lit] == [True]


def test_a_display_without_power_for_a_while_shows_the_same_screen_again(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    before = bench.screen
    bench.rig.display.unplug()
    bench.rig.display.replug()
    bench.wait(5.2)

    assert bench.screen == before


def test_a_display_that_is_unplugged_while_nothing_happens_is_missed(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.begin().sit(2, 5, 2)
    bench.rig.display.unplug()
    bench.wait(12)

    assert [record.getMessage() for record in caplog.records] == [
        "the display does not answer; check its cable; the game goes on with lamps and sound"
    ]


def test_a_throw_whose_picture_the_disk_does_not_give_is_doubted_without(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise DiskError("the disk cannot be read")

    bench.begin().sit(2, 5, 2)
    bench.throw(6, 2)
    monkeypatch.setattr(bench.journal, "picture", refuse)
    bench.controller.handle(Pressed(Key.STOP, True, bench.rig.clock.now()))
    bench.wait(2.2)

    assert bench.phase() is Phase.DISPUTED
    assert bench.screen.title == "DOUBT: A 6-2"


def test_an_error_turns_the_lamps_to_fault(bench: Bench) -> None:
    bench.begin().sit(2)
    bench.controller.failed(ValueError("a bug"))

    assert bench.screen.title == "OUT OF ORDER"
    assert bench.rig.lamps.lit >= {Lamp.SEAT_1, Lamp.SEAT_8, Lamp.STOP}


def test_what_an_error_shows_is_still_there_when_the_devices_are_closed(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.controller.failed(ValueError("a bug"))
    bench.rig.display.close()
    bench.rig.lamps.close()

    assert bench.screen.title == "OUT OF ORDER"
    assert bench.screen.lines == ("the game is stored", "it goes on after", "a restart")
    assert bench.rig.lamps.lit >= {Lamp.SEAT_1, Lamp.SEAT_8, Lamp.STOP}


def test_a_table_that_ends_as_it_should_is_dark(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.controller.handle(Stop("switched off"))
    bench.rig.display.close()
    bench.rig.lamps.close()

    assert bench.rig.display.shown is None
    assert bench.rig.lamps.lit == frozenset()


def test_a_broken_journal_is_called_so_for_no_restart_helps(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.controller.failed(JournalError("the file is damaged"))

    assert bench.screen.lines == ("the journal is broken", "a restart won't help;", "the log tells more")


def test_a_stored_game_that_breaks_the_rules_is_said_on_the_display(bench: Bench) -> None:
    setup = {"format": 1, "game": "mexico", "house_rules": {}, "players": ["A", "B"]}
    number = bench.journal.begin(setup, seats=(1, 2), table_kind="real")
    bench.journal.append(number, 1, {"type": "stop", "player": "B"})
    with pytest.raises(JournalError, match="does not follow the rules"):
        bench.begin()

    assert bench.screen.lines[0] == "the journal is broken"


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
