"""The same Pi on the compact table: four seats, and digits whose pins are all there is to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.board import SevenSegment, load_board
from hardware.devices import Key
from tests.virtual_pi.digits import lit, wanted
from tests.virtual_pi.documented import other_table
from tests.virtual_pi.table import Table

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def compact(table: Table, pictures: Path) -> Table:
    """The Pi of the standard table, moved: other settings, no I2C, switched off and on."""
    if "press a seat" in table.words()[0]:  # the scenarios before were left out
        table.two_play()
        table.throw(3, 2)
    for command in (*other_table(), "sudo raspi-config nonint do_i2c 1"):
        ran = table.machine.run(command)
        assert ran.code == 0, ran.said
    table.machine.shut_down()
    table.machine.switch_on()
    other = Table(table.machine, load_board("compact"), pictures)
    other.clear_unseen()
    return other


def four(table: Table) -> tuple[tuple[int, ...], ...]:
    """Return what the digits show."""
    display = table.board.display
    assert isinstance(display, SevenSegment)
    levels = table.machine.order("pins")["values"]
    pins = [*display.segments, *display.digits]
    return lit(display, levels, table.machine.order("edges", seconds=0.3, pins=pins)["edges"])


def shows(table: Table, text: str) -> None:
    table.until_told(lambda: four(table) == wanted(text), f"the digits show {text!r}", lambda: repr(four(table)))


def test_the_interrupted_game_is_there_on_four_digits(compact: Table) -> None:
    assert "on" not in compact.machine.run("ls /dev/i2c-1").out
    shows(compact, "PAUS")


def test_a_turn_and_a_throw_are_told_in_four_characters(compact: Table) -> None:
    compact.press(Key.STOP)
    shows(compact, "A 32")
    compact.clear()
    compact.put(5, 4)
    shows(compact, "A 54")
