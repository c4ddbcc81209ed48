"""The wiring, as a table and as a drawing, is that of the board that drives the pins."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.wiring import drawing, page, rows, table
from hardware.board import BOARDS, Board, load_board, parse_board
from hardware.header import header, wires
from tests.firmware.conftest import Call

DOCS = Path(__file__).parents[2] / "docs"
BOARD_FILES = Path(load_board.__code__.co_filename).parent / "boards"


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


def test_every_use_of_a_gpio_has_a_wire_to_the_pin_that_carries_it(board: Board) -> None:
    wired = {(wire.use, wire.pin.gpio) for wire in wires(board) if wire.kind != "supply"}

    assert wired == set(board.wiring())


def test_no_pin_carries_two_wires_and_ground_is_ground(board: Board) -> None:
    numbers = [wire.pin.number for wire in wires(board)]

    assert len(set(numbers)) == len(numbers)
    for wire in wires(board):
        if wire.kind == "supply":
            assert ("ground" in wire.use) == (wire.pin.name == "GND")


def test_what_switches_a_common_anode_has_ground_and_the_voltage_that_it_needs() -> None:
    """A UDN2981 keeps two volts for itself, of 3.3 too many for a red LED; a PNP from 5 V would never be dark."""
    text = (BOARD_FILES / "compact.toml").read_text("utf-8").replace('"cathode"', '"anode"')
    digits = {wire.use: wire.pin for wire in wires(parse_board(text, "mine.toml")) if "the digits'" in wire.use}
    numbers = [wire.pin.number for wire in wires(parse_board(text, "mine.toml"))]

    assert {use: pin.name for use, pin in digits.items()} == {
        "ground of the digits' transistors or UDN2981": "GND",
        "plus of the digits' NPN and PNP transistors": "3V3",
        "or plus of the digits' UDN2981": "5V",
    }
    assert len(set(numbers)) == len(numbers)


def test_the_header_has_forty_pins_of_which_two_to_twenty_seven_are_ours() -> None:
    assert [pin.number for pin in header()] == list(range(1, 41))
    assert {pin.gpio for pin in header()} >= set(range(2, 28))
    assert (header()[0].name, header()[5].name, header()[11].gpio) == ("3V3", "GND", 18)


def test_the_drawing_names_every_wire_and_every_pin(board: Board) -> None:
    root = ElementTree.fromstring(drawing(board))  # noqa: S314 (our own)
    said = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]

    for _, _, use, _ in rows(board):
        assert use in said
    assert {str(number) for number in range(1, 41)} <= set(said)
    assert sum(element.tag.endswith("line") for element in root) == len(wires(board))


def test_the_pages_of_the_docs_are_what_the_boards_say(board: Board) -> None:
    assert (DOCS / f"wiring-{board.name}.svg").read_text("utf-8") == drawing(board)
    assert page() == (DOCS / "wiring.md").read_text("utf-8")


def test_the_command_prints_the_table_of_the_board_that_was_asked_for(call: Call) -> None:
    answer = call("wiring", "--board", "compact")

    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == list(table(load_board("compact")))


def test_the_command_draws_a_persons_own_board(call: Call, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = (BOARD_FILES / "standard.toml").read_text("utf-8")
    own.write_text(text.replace("buzzer = 18", "buzzer = 27"), "utf-8")

    answer = call("wiring", "--board", own, "--svg", tmp_path / "own.svg")

    assert (answer.code, answer.err) == (0, "")
    assert "GPIO27" in (tmp_path / "own.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--board", "big"), "there is no such board"),
        (("--svg", "no/such/folder/a.svg"), "name another --svg"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(call: Call, arguments: tuple[str, ...], said: str) -> None:
    answer = call("wiring", *arguments)

    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
