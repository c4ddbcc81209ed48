"""A second game, in which things go wrong: a doubt, contacts, the display, the camera, and the program itself."""

from __future__ import annotations

import pytest

from hardware.devices import Key, Lamp
from tests.virtual_pi.display import words_on
from tests.virtual_pi.table import Table


@pytest.fixture(scope="module", autouse=True)
def _rematch(table: Table) -> None:
    table.two_play()


def test_a_throw_that_is_doubted_is_voided_by_two(table: Table) -> None:
    table.throw(6, 5)
    table.press(Key.STOP, for_s=2.6)
    table.shows("DOUBT: A 6-5", "turn: void this roll")
    table.keep("13-doubt")
    table.seat(1)
    table.seat(2)
    table.shows("THE DOUBT IS SETTLED")
    table.keep("14-settled")

    assert table.throw(4, 1)[0] == "A rolled"


def test_the_display_is_unplugged_in_the_middle_of_a_turn_and_comes_back_with_what_happened(table: Table) -> None:
    table.machine.look(unplugged=True)
    table.machine.order("scene", picture=table.tray.empty())
    table.until(lambda: "does not answer" in table.journal(40), "the display is missed")
    assert table.lit_for(Lamp.STOP) == 1, "lamps go on"
    table.press(Key.STOP)
    table.machine.look(unplugged=False)
    table.shows("B  roll 1 of 1")

    assert table.machine.chip.on


def test_a_stalled_camera_is_told_and_the_game_goes_on_when_it_is_back(table: Table) -> None:
    table.machine.order("camera", stalled=True)
    table.shows("NO CAMERA", "check its cable;")
    table.keep("15-no-camera")
    table.machine.order("camera", stalled=False)
    table.shows("B  roll 1 of 1")

    assert table.throw(6, 4)[0] == "END OF THE ROUND"


def test_a_program_that_hangs_is_started_anew_by_its_watchdog_and_the_game_is_there(table: Table) -> None:
    before = table.property("MainPID")
    table.machine.run(f"kill -STOP {before}")
    table.until(lambda: table.property("MainPID") not in ("0", before), "systemd starts it anew")
    table.shows("PAUSED")
    table.keep("16-paused")

    assert "Watchdog timeout" in table.journal(60)
    assert table.property("NRestarts") == "1"


def test_a_program_that_is_killed_is_started_anew_and_the_game_is_there(table: Table) -> None:
    before = table.property("MainPID")
    told = table.program("journal").out
    table.machine.run(f"kill -KILL {before}")
    table.until(lambda: table.property("MainPID") not in ("0", before), "systemd starts it anew")
    table.shows("PAUSED")

    assert table.program("journal").out == told


def test_a_button_that_is_stuck_when_the_program_begins_is_named_and_not_heard(table: Table) -> None:
    table.hold(Key.SEAT_3)
    table.machine.run("systemctl restart mexico-table", 240)
    table.shows("seat 3 is stuck")
    table.keep("17-stuck")
    table.let_go(Key.SEAT_3)
    table.press(Key.STOP)
    table.until(lambda: "PAUSED" not in table.words()[0], "the game goes on")

    assert "stuck" not in " ".join(words_on(table.look()))
