"""An evening in a bar, from power on to a rematch: buttons are pressed on pins, dice are thrown before a camera, and
nothing is known of the table but what its lamps, display and buzzer say, and its journal afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.devices import Key
from mexico.mexico_house import HOUSE
from tests.evening.table import Evening
from vision.render.throw import ThrowKind

pytestmark = pytest.mark.slow

COUNTED = (660,)
REFUSED = (330, 262)
ROUND_OVER = (523, 440, 349)
MEXICO = (523, 659, 784, 880)
WON = (523, 523, 523, 659, 587, 659, 784)


@pytest.fixture(params=["standard", pytest.param("compact", marks=pytest.mark.long)])
def evening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Evening]:
    table = Evening(request.param, tmp_path / "state")
    table.prepare()
    yield table
    table.pull_the_plug()


def test_an_evening(evening: Evening) -> None:
    evening.plug_in()
    four_guests_sit_down_and_agree_on_the_rules(evening)
    they_roll_for_the_lead(evening)
    a_round_with_a_refusal_and_a_dispute(evening)
    the_power_fails_while_dice_roll(evening)
    the_camera_is_unplugged_and_a_mexico_is_thrown(evening)
    one_is_left_and_wins(evening)
    they_play_again(evening)

    assert evening.switch_off() == 0
    every_unit_is_in_the_book(evening)


def four_guests_sit_down_and_agree_on_the_rules(table: Evening) -> None:
    table.reads("press a seat", "SIt0")
    table.seat(1, 2, 3, 4)
    table.reads("A B C D", "SIt4")
    table.sees(seat_1="on", seat_2="on", seat_3="on", seat_4="on", stop="pulse")
    table.turn(1)
    table.reads("= mexico", "0001")
    table.turn(1)
    table.reads("= none", "0101")
    table.press(Key.CONFIRM)
    table.reads("= one_life", "0102")
    table.turn(-1)
    table.reads("= mexico", "0001")
    table.turn(-1)
    table.reads("A B C D", "SIt4")
    agreed = HOUSE.fingerprint(HOUSE.check({"preset": "one_life"}))
    table.turn(-1)
    table.reads(f"= #{agreed}", agreed)
    table.turn(1)
    table.reads("A B C D", "SIt4")


def they_roll_for_the_lead(table: Evening) -> None:
    table.press(Key.STOP)
    table.reads("A: throw ONE die", "A1dI")
    table.sees(seat_1="pulse", seat_2="off", stop="off")
    for name, face in zip("ABCD", (2, 6, 3, 1), strict=True):
        table.throw(face)
        if name != "D":
            table.reads(f"{name} rolled", f"{name} {face}")
    table.reads("B LEADS", "B1-3")
    table.sees(seat_1="off", seat_2="pulse")


def a_round_with_a_refusal_and_a_dispute(table: Evening) -> None:
    table.throw(5, 4)
    table.reads("B rolled", "B 54")
    table.hears(*COUNTED)
    table.sees(seat_2="pulse", stop="on")
    table.press(Key.STOP)
    table.reads("C  roll 1 of 1", "C1-1")

    table.throw_badly(ThrowKind.COCKED, seed=4)
    table.reads("C: not counted", "COCK")
    table.hears(*REFUSED)
    table.sees(seat_3="blink")
    table.throw(6, 1)
    table.reads("C rolled", "C 61")
    table.sees(seat_4="pulse")

    table.press(Key.STOP, hold_s=2.3)
    table.reads("DOUBT: C 6-1", "VOId")
    table.sees(seat_1="blink", seat_4="blink", stop="on")
    table.seat(4, 1)
    table.reads("void: throw again", "donE")
    table.throw(6, 2)
    table.reads("C rolled", "C 62")


def the_power_fails_while_dice_roll(table: Evening) -> None:
    table.sees(seat_4="pulse")
    table.throw(6, 6, settle=False)
    table.pull_the_plug()
    table.plug_in()
    table.reads("PAUSED", "PAUS")
    table.sees(seat_1="on", seat_4="on", stop="pulse")
    table.press(Key.STOP)
    table.reads("FOUND: D 6-6", "CNt?")
    table.press(Key.STOP)
    table.reads("pick them up, throw", "no")

    table.throw(3, 1)
    table.reads("D rolled", "D 31")
    table.throw(6, 3)
    table.reads("D pays 1: OUT", "D -1")
    table.hears(*ROUND_OVER)
    table.sees(seat_4="blink")


def the_camera_is_unplugged_and_a_mexico_is_thrown(table: Evening) -> None:
    table.camera(plugged=False)
    table.reads("NO CAMERA", "NoCA")
    table.camera(plugged=True)
    table.reads("A: throw both", "A1-3")
    table.throw(2, 1)
    table.reads("MEXICO! MEXICO!", "21 !")
    table.hears(*MEXICO)
    table.throw(4, 3)
    table.reads("B rolled", "B 43")
    table.press(Key.STOP)
    table.throw(3, 2)
    table.reads("C pays 1: OUT", "C -1")


def one_is_left_and_wins(table: Evening) -> None:
    table.throw(6, 5)
    table.reads("A rolled", "A 65")
    table.press(Key.STOP)
    table.reads("B  roll 1 of 1", "B1-1")
    table.throw(4, 1)
    table.reads("A WINS", "AWIN")
    table.hears(*WON)
    table.sees(seat_1="on", seat_2="off", stop="pulse")


def they_play_again(table: Evening) -> None:
    table.press(Key.STOP)
    table.reads("A: throw ONE die", "A1dI")
    table.throw(5)
    table.reads("A rolled", "A 5")


def every_unit_is_in_the_book(table: Evening) -> None:
    rows = table.book("journal", "--game", "1", "--json")
    throws = [row for row in rows if row["what"]["type"] in ("die", "roll", "bad_roll")]
    (void,) = [row for row in rows if row["what"]["type"] == "void"]

    assert [row["what"].get("faces") or row["what"].get("face") for row in throws] == [
        *(2, 6, 3, 1),
        *([5, 4], None, [6, 1], [6, 2], [3, 1], [6, 3]),
        *([2, 1], [4, 3], [3, 2]),
        *([6, 5], [4, 1]),
    ]
    assert [row["what"].get("why") for row in throws if not row["counts"]] == [None]
    assert sorted(void["what"]["by"]) == ["A", "D"]
    assert all(row["picture"] for row in throws)
    exported = table.state / "game.json"
    table.book("export", "--game", "1", "--out", str(exported))
    for told in table.book("replay", "--json", str(exported)):
        units = told["facts"]["units"]
        assert sum(units.values()) + told["facts"]["pot"] == len(units)
    assert told["facts"]["winner"] == "A"
    (now,) = table.book("status", "--json")
    assert (now["game"], now["events"]) == (2, 1)
