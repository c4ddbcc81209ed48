"""Power comes: lamps, display, buzzer and camera are tried for two seconds, and what is not well is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware import self_test
from firmware.bots import Bots
from firmware.events import CameraState, Event, FirstPicture, Turned
from firmware.screens import look
from firmware.self_test import TRIED_S, TROUBLE_S, WELL_S, SelfTest
from firmware.texts import ENGLISH
from firmware.views import Phase, View
from hardware.board import load_board
from hardware.devices import Key, Lamp, Screen
from hardware.oled import draw
from hardware.rig import simulated_rig
from vision.types import Fault

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

SITTING = "MEXICO: press a seat"
PATTERN, WELL = self_test.PATTERN.screen(ENGLISH), self_test.WELL.screen(ENGLISH)


def lit_in_turn(bench: Bench) -> list[Lamp]:
    return [lamp for _, lamp, on in bench.rig.lamps.changes if on]


def crank(bench: Bench, seconds: float) -> None:
    """Let time pass, a hundredth of a second at a time; no two lamps shine at once."""
    for _ in range(round(seconds * 100)):
        bench.rig.clock.advance(0.01)
        bench.controller.tick(bench.rig.clock.now())
        assert len(bench.rig.lamps.lit) <= 1


def test_every_lamp_lights_alone_in_turn_while_display_and_buzzer_are_tried(bench: Bench) -> None:
    bench.begin(self_test=True)
    assert bench.screen == PATTERN
    bench.controller.handle(FirstPicture(None))
    crank(bench, TRIED_S)

    assert lit_in_turn(bench) == list(Lamp)
    assert [hz for _, hz in bench.rig.sound.tones] == [440.0, None]
    assert bench.screen == WELL


def test_after_two_seconds_at_most_the_table_asks_for_players(bench: Bench) -> None:
    bench.begin(self_test=True)
    bench.controller.handle(FirstPicture(None))
    bench.wait(TRIED_S + WELL_S + 0.1)

    assert bench.screen.title == SITTING
    assert pytest.approx(1.0) == TRIED_S + WELL_S
    assert TRIED_S + TROUBLE_S <= 2
    assert bench.rig.lamps.lit == frozenset()


def test_who_comes_late_skips_lamps_and_not_time(bench: Bench) -> None:
    bench.begin(self_test=True)
    bench.rig.clock.advance(10.0)
    bench.controller.tick(bench.rig.clock.now())

    assert bench.screen.title == SITTING


def test_without_the_setting_there_is_none(bench: Bench) -> None:
    bench.begin()

    assert bench.screen.title == SITTING
    assert not bench.rig.sound.tones


def test_a_silent_table_is_silent_here_too(bench: Bench) -> None:
    bench.begin("[sound]\non = false", self_test=True)

    assert bench.screen == PATTERN
    assert not bench.rig.sound.tones


@pytest.mark.parametrize("key", [Key.STOP, Key.CONFIRM, Key.SEAT_3])
def test_any_press_ends_it_at_once_and_counts(bench: Bench, key: Key) -> None:
    bench.begin(self_test=True)
    bench.press(key)
    bench.wait(3.0)

    assert bench.screen.title == SITTING
    assert bench.screen.lines[0] == ("C" if key is Key.SEAT_3 else "nobody yet")
    assert bench.rig.display.screens[0] == PATTERN
    assert str(self_test.TITLE) not in {screen.title for screen in list(bench.rig.display.screens)[1:]}


def test_a_turn_of_the_knob_ends_it_too(bench: Bench) -> None:
    bench.begin(self_test=True)
    bench.controller.handle(Turned(1, 0.0))

    assert bench.screen.title == "game"


def test_a_stuck_button_is_named_on_the_display_and_in_the_log(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.rig.buttons.stick(Key.SEAT_3)
    bench.begin(self_test=True)
    bench.controller.handle(FirstPicture(None))
    bench.wait(TRIED_S + 0.1)
    assert (bench.screen.big, bench.screen.lines, bench.screen.four) == ("STUCK", ("seat 3 is stuck",), "StU3")
    assert [change for change in bench.rig.lamps.changes if change[1] is Lamp.SEAT_3]
    bench.wait(TROUBLE_S)

    assert bench.screen.title == SITTING
    assert "seat 3 is stuck" in bench.screen.lines
    assert "seat 3 is stuck" in caplog.text


def test_who_only_leaned_on_a_button_is_not_called_stuck(bench: Bench) -> None:
    bench.rig.buttons.press(Key.SEAT_3)
    bench.begin(self_test=True)
    bench.controller.handle(FirstPicture(None))
    bench.wait(0.5)
    bench.rig.buttons.release(Key.SEAT_3)
    bench.wait(TRIED_S - 0.4)

    assert bench.screen == WELL


def test_a_camera_without_a_picture_is_named_until_one_comes(bench: Bench) -> None:
    bench.begin(self_test=True)
    bench.wait(TRIED_S + 0.1)
    assert (bench.screen.lines, bench.screen.four) == (("no picture yet",), "CAM?")
    bench.controller.handle(FirstPicture(None))
    assert bench.screen == WELL
    bench.wait(WELL_S)

    assert bench.screen.title == SITTING


@pytest.mark.parametrize(("fault", "line"), [(Fault.LIGHT, "light"), (Fault.CAMERA_MOVED, "calibrate again")])
def test_a_calibration_that_is_true_no_more_is_named(bench: Bench, fault: Fault, line: str) -> None:
    bench.begin(self_test=True)
    bench.controller.handle(FirstPicture(fault))
    bench.wait(TRIED_S + TROUBLE_S + 0.1)

    assert bench.screen.title == SITTING
    assert any(shown.startswith(line) for shown in bench.screen.lines)
    assert bench.screen.four == {"light": "LMP?"}.get(line, "MOVd")
    bench.seat(1)
    assert bench.screen.four == "SIt1"


@pytest.mark.parametrize(("fault", "four"), [(None, "SIt0"), (Fault.UNSURE, "SIt0"), (Fault.CAMERA_MOVED, "MOVd")])
def test_a_first_picture_that_comes_late_ends_that_there_is_none(bench: Bench, fault: Fault | None, four: str) -> None:
    bench.begin(self_test=True)
    bench.wait(TRIED_S + TROUBLE_S + 0.1)
    assert ("no picture yet" in bench.screen.lines, bench.screen.four) == (True, "CAM?")
    bench.controller.handle(FirstPicture(fault))

    assert "no picture yet" not in bench.screen.lines
    assert bench.screen.four == four


def test_a_lost_camera_is_said_at_once(bench: Bench) -> None:
    bench.begin(self_test=True)
    bench.controller.handle(CameraState("unplugged"))
    assert bench.screen.title == "NO CAMERA"
    bench.wait(3.0)

    assert bench.screen.title == "NO CAMERA"


def test_a_display_that_does_not_answer_does_not_stop_it(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.rig.display.unplug()
    bench.begin(self_test=True)
    crank(bench, TRIED_S)
    bench.rig.display.replug()
    bench.wait(3.0)

    assert lit_in_turn(bench) == list(Lamp)
    assert bench.screen.title == SITTING


def test_an_interrupted_game_is_not_kept_waiting(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.begin().sit(2, 5, 2)
    after = type(bench)(simulated_rig(), bench.journal)
    after.rig.buttons.stick(Key.STOP)
    after.begin(self_test=True)

    assert after.phase() is Phase.PAUSED
    assert after.screen.title == "PAUSED"
    assert "STOP is stuck" in after.screen.lines
    assert "STOP is stuck" in caplog.text
    assert not after.rig.sound.tones


def test_the_test_pattern_lights_every_dot_and_every_segment() -> None:
    assert set(draw(PATTERN).convert("L").tobytes()) == {255}
    assert PATTERN.four == "8888"


def test_lamps_that_are_not_there_are_not_waited_for() -> None:
    lamps = tuple(load_board("compact").lamps)
    moments = [SelfTest(lamps, 0.0).at(TRIED_S * (n + 0.5) / len(lamps)) for n in range(len(lamps))]

    assert [next(iter(self_test.look(moment).lamps)) for moment in moments if moment] == list(lamps)


def test_whatever_is_found_fits_on_either_display() -> None:
    found = [
        SelfTest(tuple(Lamp), 0.0, 99, stuck, picture, fault)
        for stuck in ((), *((key,) for key in Key), (Key.STOP, Key.CONFIRM), tuple(Key))
        for picture, fault in ((True, None), (False, None), *((True, fault) for fault in Fault))
    ]
    for test in found:
        screen: Screen = look(View(test=test)).screen(ENGLISH)
        assert len(screen.big) <= 5
        assert 0 < len(screen.lines) <= 3
        assert all(0 < len(line) <= 21 for line in screen.lines)
        assert len(screen.four) == 4

    fours = {look(View(test=SelfTest((), 0.0, 99, (key,), True))).screen(ENGLISH).four for key in Key}
    assert len(fours) == len(Key)


def test_computer_players_let_it_end_before_they_sit_down(bench: Bench) -> None:
    bench.begin(self_test=True)
    done: list[Event] = []
    bots = Bots(bench.controller, done.append, lambda: None, players=2, games=1, think_s=0.5)
    for _ in range(30):
        bench.wait(0.1)
        bots.tick(bench.rig.clock.now())
        assert not done or bench.rig.clock.now() > TRIED_S + TROUBLE_S

    assert done
