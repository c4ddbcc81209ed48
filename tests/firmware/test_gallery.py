"""Every kind of screen, pixel by pixel as it was last looked at."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PIL import Image

from firmware import gallery
from hardware.oled import SIZE, draw


def test_every_screen_is_as_it_was_last_looked_at() -> None:
    """Where a change is meant: ``python -m firmware.gallery``, and look at docs/screens.png."""
    sheet = np.asarray(Image.open(gallery.SHEET))
    changed = []
    for number, (name, screen) in enumerate(gallery.screens()):
        x, y = gallery.place_of(number)
        if not np.array_equal(sheet[y : y + SIZE[1], x : x + SIZE[0]], np.asarray(draw(screen).convert("L"))):
            changed.append(name)

    assert not changed
    assert sheet.shape[::-1] == gallery.sheet().size


def test_four_characters_tell_what_must_be_told_apart() -> None:
    shown = {name: screen.four for name, screen in gallery.screens()}
    alike = {
        frozenset(name for name, four in shown.items() if four == same)
        for same, times in Counter(shown.values()).items()
        if times > 1
    }

    assert alike == {
        frozenset({"a turn goes on", "a roll"}),
        frozenset({"a turn begins", "somebody leads"}),
        frozenset({"doubt: void this roll", "doubt of a refusal"}),
        frozenset({"paused", "given up?"}),
        frozenset({"self-test: seat_1", "self-test: much"}),
    }
