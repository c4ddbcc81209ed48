"""Boards: the two that come with the program, and everything that can be wrong with a person's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.board import BOARDS, BoardError, Oled, SevenSegment, load_board, parse_board
from hardware.devices import HardwareError, Key, Lamp

STANDARD = Path(__file__).resolve().parents[2] / "hardware" / "boards" / "standard.toml"
COMPACT = STANDARD.with_name("compact.toml")


def changed(old: str, new: str, source: Path = STANDARD) -> str:
    """Return what is said about a board file in which *old* was replaced by *new*."""
    text = source.read_text("utf-8")
    assert old in text
    with pytest.raises(BoardError) as caught:
        parse_board(text.replace(old, new, 1), "mine.toml")
    line = str(caught.value)

    assert isinstance(caught.value, HardwareError)
    assert line.startswith("board mine.toml: ")
    assert "\n" not in line
    return line.removeprefix("board mine.toml: ")


@pytest.mark.parametrize(
    ("name", "seats", "pins", "display"), [("standard", 8, 25, Oled), ("compact", 4, 26, SevenSegment)]
)
def test_the_boards_of_the_program(name: str, seats: int, pins: int, display: type) -> None:
    board = load_board(name)
    used = [pin for _, pin in board.wiring()]

    assert board.name == name
    assert board.seats == seats
    assert len(used) == len(set(used)) == pins
    assert set(used) <= set(range(2, 28))
    assert isinstance(board.display, display)
    assert board.check() is board


def test_every_button_but_the_encoder_has_its_lamp() -> None:
    for name in BOARDS:
        board = load_board(name)

        assert {Lamp(key) for key in board.buttons if key != Key.CONFIRM} | {Lamp.BLIND} == set(board.lamps)


def test_lamps_sit_on_pins_that_stay_dark_while_the_pi_boots() -> None:
    pulled_down = set(range(9, 28))  # BCM2711 peripherals, table of GPIO defaults

    for name in BOARDS:
        assert set(load_board(name).lamps.values()) <= pulled_down


def test_a_persons_own_board_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(STANDARD.read_text("utf-8").replace("buzzer = 18", "buzzer = 27"))

    assert load_board(path).buzzer == 27
    assert load_board(str(path)).name == str(path)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        pytest.param("stop = 19", "stop = 4", "GPIO 4 is used 2 times, by button seat_1 and button stop", id="twice"),
        pytest.param("buzzer = 18", "buzzer = 28", "buzzer on GPIO 28, which does not exist: use 2 to 27", id="28"),
        pytest.param("buzzer = 18", "buzzer = 1", "buzzer on GPIO 1, which does not exist: use 2 to 27", id="1"),
        pytest.param("buzzer = 18", "buzzer = 3", "GPIO 3 is used 2 times, by buzzer and display SCL", id="I2C"),
        pytest.param("confirm = 20", "", "buttons.confirm is missing", id="missing button"),
        pytest.param("blind = 25", "", "lamps.blind is missing", id="missing lamp"),
        pytest.param("[sound]", "[noise]", "sound.buzzer is missing", id="missing section"),
        pytest.param("a = 21", 'a = "21"', "encoder.a is '21': wanted is the number of a GPIO", id="text"),
        pytest.param("a = 21", "a = true", "encoder.a is True: wanted is the number of a GPIO", id="truth"),
        pytest.param("confirm = 20", "confrim = 20", "buttons.confrim is unknown: did you mean confirm?", id="typo"),
        pytest.param(
            'kind = "oled"', 'kind = "lcd"', "display.kind is 'lcd': wanted is oled or seven_segment", id="lcd"
        ),
        pytest.param('"ssd1306"', '"st7789"', "display.driver is 'st7789': wanted is ssd1306 or sh1106", id="driver"),
        pytest.param("0x3C", "0x99", "display.i2c_address is 153: wanted is a number from 8 to 119", id="address"),
        pytest.param("i2c_port = 1", "i2c_port = 7", "display.i2c_port is 7", id="bus"),
        pytest.param("seat_7 = 13", "", "seat_7 needs both a button and a lamp", id="lamp without button"),
        pytest.param("[lamps]", "lamps = 3\n[lamp]", "lamps is 3: wanted is a table", id="no table"),
    ],
)
def test_what_is_wrong_with_a_board_is_said(old: str, new: str, says: str) -> None:
    if old == "[lamps]":
        text = "lamps = 3\n" + STANDARD.read_text("utf-8").replace("[lamps]", "[lamp]")
        with pytest.raises(BoardError, match=says):
            parse_board(text, "mine.toml")
    else:
        assert says in changed(old, new)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        pytest.param("g = 23", "", "display.segments.g is missing", id="missing segment"),
        pytest.param("4 = 27", "4 = 26", "GPIO 26 is used 2 times, by digit 3 and digit 4", id="digit twice"),
        pytest.param('"cathode"', '"gnd"', "display.common is 'gnd': wanted is cathode or anode", id="common"),
    ],
)
def test_what_is_wrong_with_a_seven_segment_board_is_said(old: str, new: str, says: str) -> None:
    assert says in changed(old, new, COMPACT)


def test_all_problems_stand_in_one_line() -> None:
    line = changed("stop = 19", "stop = 4\nseat_9 = 5").replace("board mine.toml: ", "")

    assert "seat_9 is unknown" in line

    text = STANDARD.read_text("utf-8").replace("stop = 19", "stop = 4").replace("buzzer = 18", "buzzer = 40")
    with pytest.raises(BoardError, match=r"GPIO 4 is used 2 times.*; buzzer on GPIO 40"):
        parse_board(text, "mine.toml")


def test_one_seat_is_no_table() -> None:
    text = COMPACT.read_text("utf-8")
    for seat in (2, 3, 4):
        text = "\n".join(line for line in text.splitlines() if not line.startswith(f"seat_{seat}"))

    with pytest.raises(BoardError, match="1 seat buttons: a table has 2 to 8"):
        parse_board(text, "mine.toml")


def test_a_common_anode_is_read_from_the_file() -> None:
    board = parse_board(COMPACT.read_text("utf-8").replace('"cathode"', '"anode"'), "mine.toml")

    assert isinstance(board.display, SevenSegment)
    assert board.display.common_anode
    assert board.display.digits == (24, 25, 26, 27)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        pytest.param(lambda path: None, "there is no such board; known are standard and compact", id="missing"),
        pytest.param(lambda path: path.mkdir(), "cannot be read", id="folder"),
        pytest.param(lambda path: path.write_bytes(b"\xff\xfe\x00"), "cannot be read", id="not text"),
        pytest.param(lambda path: path.write_text("[buttons\n"), "is not TOML", id="not TOML"),
    ],
)
def test_a_board_file_that_cannot_be_read_is_one_line(tmp_path: Path, make: object, says: str) -> None:
    path = tmp_path / "mine.toml"
    assert callable(make)
    make(path)

    with pytest.raises(BoardError, match=says) as caught:
        load_board(path)
    assert "\n" not in str(caught.value)
