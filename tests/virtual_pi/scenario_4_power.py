"""The plug is pulled in the middle of a roll; the same disk, switched on again, has the whole game."""

from __future__ import annotations

import pytest

from hardware.devices import Key
from tests.virtual_pi.table import Table


@pytest.fixture(scope="module", autouse=True)
def _game(table: Table) -> None:
    """The game of the scenario before; where that was left out, another."""
    if "press a seat" in table.words()[0]:
        table.two_play()
        table.throw(4, 1)


def test_after_a_power_cut_in_mid_roll_the_game_is_there_and_nothing_is_lost(table: Table) -> None:
    on = table.words()
    table.clear()
    stored = table.program("journal")
    table.put(6, 1)
    table.machine.cut_power()
    table.machine.switch_on()
    table.clear_unseen()
    table.shows("PAUSED")
    table.keep("18-after-the-power-cut")
    again = table.program("journal")

    assert again.code == 0, again.said
    assert again.out.startswith(stored.out.rstrip("\n")), f"before: {on}"
    assert len(stored.out.splitlines()) >= 3, "two dice for the lead and a throw"


def test_the_game_goes_on_from_there(table: Table) -> None:
    table.press(Key.STOP)
    table.until(lambda: "PAUSED" not in table.words()[0], "the game goes on")

    assert table.throw(3, 2)[0] == "A rolled"
