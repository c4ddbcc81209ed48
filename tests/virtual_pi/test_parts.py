"""The parts of the virtual Pi that need no guest: the page that it is built from, its display, its pictures."""

from __future__ import annotations

import os
import shutil

import numpy as np
import pytest

from hardware.board import Oled, SevenSegment, load_board
from hardware.devices import Screen
from hardware.oled import draw
from hardware.pi_display import PiOled
from tests.virtual_pi import build
from tests.virtual_pi.digits import lit
from tests.virtual_pi.display import Ssd1306, words_on
from tests.virtual_pi.documented import NOT_BY_A_PROGRAM, OTHER_TABLE, PAGE, install, other_table, sections
from tests.virtual_pi.scenes import bgr, nv12

# luma.core still asks Pillow in a way that Pillow 13 warns about
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


class Wire:
    """luma's serial interface, which keeps the messages as the kernel module does."""

    def __init__(self) -> None:
        self.heard = b""

    def command(self, *command: int) -> None:
        self._keep(bytes((0x00, *command)))

    def data(self, data: list[int]) -> None:
        self._keep(bytes((0x40, *data)))

    def cleanup(self) -> None:
        pass

    def _keep(self, message: bytes) -> None:
        self.heard += len(message).to_bytes(2, "little") + message


def test_what_luma_sends_becomes_the_picture_that_was_drawn() -> None:
    wire, chip = Wire(), Ssd1306()
    screen = Screen("A: throw ONE die", "1 DIE", ("the highest leads", "stake 1  pot 0"), "A--1")
    display = PiOled(Oled(), lambda: wire)
    display.show(screen)
    chip.hear(wire.heard)

    assert (chip.picture == np.array(draw(screen))).all()
    assert words_on(chip.picture) == ("A: throw ONE die", "the highest leads", "stake 1  pot 0")
    display.close()
    chip.hear(wire.heard)
    assert not chip.picture.any(), "closed, it is dark"


def test_a_command_that_no_such_display_knows_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="0xF1"):
        Ssd1306().hear(b"\x02\x00\x00\xf1")


def test_every_command_of_the_page_is_run_or_is_left_out_with_a_reason() -> None:
    found = sections(PAGE.read_text("utf-8"))
    every = [command for one in found.values() for command in one]

    assert {title for title, some in found.items() if some} == {
        "1. First boot",
        "2. The program",
        "3. Is everything wired?",
        "4. Calibrate",
        "5. Let it start with the Pi",
        "Later",
    }
    for beginning in NOT_BY_A_PROGRAM:
        assert any(command.startswith(beginning) for command in every), beginning
    assert OTHER_TABLE in every
    assert install("/src")[0] == "sudo git clone /src /opt/mexico-table"
    assert 'board = "compact"' in other_table()[-1]


def test_a_picture_survives_the_camera_s_format() -> None:
    y, x = np.mgrid[0:960, 0:1280]
    frame = np.stack([60 + x // 16, 80 + y // 10, np.full_like(x, 120)], axis=2).astype(np.uint8)

    assert np.abs(bgr(nv12(frame)).astype(int) - frame).max() <= 4


@pytest.mark.parametrize(
    ("user", "programs", "said"),
    [
        pytest.param(1000, {"apt-get"}, "needs root", id="not root"),
        pytest.param(0, set(), "no apt-get", id="no Debian"),
    ],
)
def test_a_machine_that_cannot_build_it_says_so_in_one_line_and_does_not_pass(
    user: int, programs: set[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(shutil, "which", lambda name, path=None: name if name in programs else None)

    assert build.main() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("virtual-pi: NOT BUILT, NOT RUN: ")
    assert said in line


def test_the_keys_tell_a_change_of_the_program_from_one_of_its_libraries() -> None:
    first, second = build.keys(), build.keys()

    assert first == second
    assert len({first.tools, first.card, first.parts, first.system, first.libraries, first.program}) == 6


def test_a_digit_that_shows_nothing_is_not_taken_for_the_one_before() -> None:
    display = load_board("compact").display
    assert isinstance(display, SevenSegment)
    one, two, *_ = display.digits
    segment = display.segments[1]
    edges = [(0.0, segment, 1), (0.1, one, 1), (0.2, one, 0), (0.3, segment, 0), (0.4, two, 1), (0.5, two, 0)]

    assert lit(display, [0] * 28, edges)[:2] == ((0, 1, 0, 0, 0, 0, 0), (0,) * 7)
