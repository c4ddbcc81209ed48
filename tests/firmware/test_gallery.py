"""Every kind of screen, pixel by pixel as it was last looked at."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PIL import Image

from firmware import gallery
from firmware.texts import language, languages
from hardware.oled import SIZE, draw
from hardware.segments import fit


@pytest.mark.parametrize("code", languages())
def test_every_screen_is_as_it_was_last_looked_at(code: str) -> None:
    """Where a change is meant: ``python -m firmware.gallery``, and look at docs/screens.png and those beside it."""
    spoken = language(code)
    sheet = np.asarray(Image.open(gallery.sheet_of(spoken)))
    changed = []
    for number, (name, screen) in enumerate(gallery.screens(spoken)):
        x, y = gallery.place_of(number)
        if not np.array_equal(sheet[y : y + SIZE[1], x : x + SIZE[0]], np.asarray(draw(screen).convert("L"))):
            changed.append(name)

    assert not changed
    assert sheet.shape[::-1] == gallery.sheet(spoken).size


@pytest.mark.parametrize("code", languages())
def test_four_characters_tell_what_must_be_told_apart(code: str) -> None:
    shown = {name: fit(screen.four) for name, screen in gallery.screens(language(code))}
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
        frozenset({"not now", "touched"}),
        frozenset({"void: throw again", "not clear: throw again", "the same: it stands", "read anew: 6-4"}),
    }
