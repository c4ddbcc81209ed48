"""What a throw looked like, in the few pixels of a small display."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from firmware.eyes import evidence_jpeg
from firmware.thumbs import HIGH_PX, thumb
from hardware.devices import Bitmap, Screen
from hardware.oled import draw
from vision import calibrate, read_tray
from vision.render import RenderedDie, Table


@pytest.fixture(scope="module")
def jpeg() -> bytes | None:
    table = Table(seed=1)
    calibration = calibrate([table.empty()], tray_mm=table.tray_mm, corners=table.corners_px)
    picture = table.picture((RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 2)), seed=1)
    return evidence_jpeg(picture, read_tray(picture, calibration, 2), 480)


def holes(pixels: np.ndarray) -> int:
    """Return how many dark spots lie in what is lit."""
    count, _, stats, _ = cv2.connectedComponentsWithStats((pixels == 0).astype(np.uint8), connectivity=4)
    rows, columns = pixels.shape
    return sum(
        1
        for x, y, w, h, area in stats[1:count].tolist()
        if area > 4 and x > 0 and y > 0 and x + w < columns and y + h < rows
    )


def test_the_pips_of_a_throw_can_be_counted(jpeg: bytes | None) -> None:
    small = thumb(jpeg, 2)

    assert small is not None
    pixels = np.frombuffer(small.pixels, np.uint8).reshape(small.height, small.width)
    assert [holes(pixels[:, :HIGH_PX]), holes(pixels[:, -HIGH_PX:])] == [5, 2]


def test_the_display_shows_them_between_title_and_lines(jpeg: bytes | None) -> None:
    words = Screen("DOUBT: A 5-2", "VOID?", ("turn: void this roll", "press: two seats"), "VOId")
    shown = Screen(words.title, words.big, words.lines, words.four, thumb(jpeg, 2))
    with_picture, without = (np.asarray(draw(screen)) for screen in (shown, words))

    assert (with_picture[:10] == without[:10]).all()
    assert (with_picture[46:] == without[46:]).all()
    assert (with_picture[12:44] != without[12:44]).any()


@pytest.mark.parametrize("broken", [None, b"", b"no picture"])
def test_without_a_picture_there_is_none(broken: bytes | None) -> None:
    assert thumb(broken, 2) is None


def test_a_refused_throw_has_none(jpeg: bytes | None) -> None:
    assert thumb(jpeg, 0) is None


def test_a_bitmap_is_as_large_as_it_says() -> None:
    with pytest.raises(ValueError, match="5 pixels are no picture of 2 x 3"):
        Bitmap(2, 3, bytes(5))


def test_a_picture_that_is_too_large_is_made_smaller() -> None:
    large = Bitmap(400, 100, bytes([255]) * 40_000)

    assert draw(Screen("", "", ("one", "two"), "", large)).size == (128, 64)
