"""The QR code on the display leads a phone to the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from firmware import attract, qr
from firmware.attract import BEGIN_S, PHONE_STEPS, STEP_S
from firmware.texts import language, languages
from hardware import oled
from hardware.devices import Screen
from hardware.oled import draw

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

SCREENS = len(attract.screens(8))
PAGE = "http://192.168.178.20:8021"


def as_a_phone_reads(screen: Screen) -> str:
    """Return what is read off the display, every pixel as large as a camera may see it, in the dark of its frame."""
    pixels = np.asarray(draw(screen).convert("L"))
    seen = np.pad(pixels.repeat(4, axis=0).repeat(4, axis=1), 60)
    return cv2.QRCodeDetector().detectAndDecode(seen)[0]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("http://10.0.0.5:80", id="the shortest"),
        pytest.param("http://192.168.178.255:65535", id="the longest of IPv4"),
        pytest.param("http://[fd00::12]:8021", id="IPv6"),
        pytest.param("http://[2001:db8:aaaa:bbbb::20]:8021", id="a long one of IPv6"),
    ],
)
@pytest.mark.parametrize("code", languages())
def test_the_code_on_the_display_is_the_address_of_the_board(page: str, code: str) -> None:
    layout = attract.to_the_board(page)

    assert layout is not None
    assert as_a_phone_reads(layout.screen(language(code))) == f"{page}/board".upper()


def test_the_lit_border_is_never_thinner_than_it_says() -> None:
    for page in (PAGE, "http://[2001:db8:aaaa:bbbb::20]:8021"):
        code = qr.code(f"{page}/board".upper())
        assert code is not None
        rows, columns = np.nonzero(np.frombuffer(code.pixels, np.uint8).reshape(code.height, code.width) == 0)
        border = (rows.min(), columns.min(), code.height - 1 - rows.max(), code.width - 1 - columns.max())
        assert min(border) >= qr.QUIET_PX


def test_an_address_too_long_for_the_display_is_not_shown_at_all() -> None:
    assert qr.code("X" * 200) is None
    assert attract.to_the_board("http://[2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff]:8021") is None


def test_all_words_beside_the_code_are_on_the_display_in_every_language() -> None:
    layout = attract.to_the_board("http://192.168.178.255:65535")
    assert layout is not None
    for code in languages():
        screen = layout.screen(language(code))
        whole = np.asarray(draw(screen).convert("L"))
        for line in range(len(screen.lines)):
            without = Screen(screen.title, "", (*screen.lines[:line], *screen.lines[line + 1 :]), "", screen.picture)
            assert not np.array_equal(whole, np.asarray(draw(without).convert("L")))
        assert len([row for line in screen.lines for row in oled._wrapped(line, 11)]) <= 6, f"{code}: too many rows"
        assert len(screen.title) <= 11, f"{code}: the title is cut beside the code"


def test_an_empty_table_shows_the_way_to_its_board_for_long_enough_to_find_a_phone(bench: Bench) -> None:
    bench.page_address = PAGE
    bench.begin().wait(BEGIN_S + 0.1)
    shown = []
    for _ in range(SCREENS + PHONE_STEPS + 1):
        shown.append(bench.screen.title)
        bench.wait(STEP_S)

    board = "THE BOARD"
    assert [title == board for title in shown] == [False] * SCREENS + [True] * PHONE_STEPS + [False]


def test_a_table_whose_page_cannot_be_reached_shows_no_code(bench: Bench) -> None:
    bench.begin().wait(BEGIN_S + 0.1)
    for _ in range(SCREENS + PHONE_STEPS):
        assert bench.screen.picture is None
        bench.wait(STEP_S)


def test_a_network_that_comes_late_is_found(bench: Bench) -> None:
    """After a power cut the table is there before its network."""
    bench.begin().wait(BEGIN_S + 0.1)
    bench.page_address = PAGE
    bench.wait(STEP_S * SCREENS)

    assert bench.screen.title == "THE BOARD"
    assert bench.screen.four == "PLAY"
