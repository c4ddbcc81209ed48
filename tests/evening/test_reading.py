"""The eye of the evening reads what the displays show."""

from __future__ import annotations

import numpy as np

from firmware import gallery
from hardware.oled import SIZE, draw
from hardware.segments import FONT, fit
from tests.evening.reading import letters, lines_of, same


def test_every_line_of_every_screen_is_read() -> None:
    for name, screen in gallery.screens():
        # The self-test lights every dot, and a code for phones leaves the lines no place of theirs.
        if screen.picture is None or screen.picture.height < SIZE[1]:
            assert lines_of(np.asarray(draw(screen)).tolist()) == [screen.title, *screen.lines], name


def test_four_characters_are_read_as_they_look() -> None:
    shining = [FONT[char] for char in fit("A 54")]

    assert same(shining, "A 54")
    assert not same(shining, "A 64")
    assert letters(shining) == "A 54"
