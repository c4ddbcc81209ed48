"""Every kind of screen, pixel by pixel as it was last looked at."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PIL import Image

from firmware import gallery
from firmware.gallery_cup import CUP_GAMES
from firmware.texts import Language, language, languages
from hardware.oled import SIZE, draw
from hardware.segments import fit


@pytest.mark.parametrize(("spoken", "game"), [pytest.param(*of, id=f"{of[0].code}-{of[1]}") for of in gallery.sheets()])
def test_every_screen_is_as_it_was_last_looked_at(spoken: Language, game: str) -> None:
    """Where a change is meant: ``python -m firmware.gallery``, and look at docs/screens.png and those beside it."""
    sheet = np.asarray(Image.open(gallery.sheet_of(spoken, game)))
    changed = []
    for number, (name, screen) in enumerate(gallery.screens(spoken, game)):
        x, y = gallery.place_of(number)
        if not np.array_equal(sheet[y : y + SIZE[1], x : x + SIZE[0]], np.asarray(draw(screen).convert("L"))):
            changed.append(name)

    assert not changed
    assert sheet.shape[::-1] == gallery.sheet(spoken, game).size


def alike(code: str, game: str) -> set[frozenset[str]]:
    """Return which screens of *game* look the same in four characters."""
    shown = {name: fit(screen.four) for name, screen in gallery.screens(language(code), game)}
    return {
        frozenset(name for name, four in shown.items() if four == same)
        for same, times in Counter(shown.values()).items()
        if times > 1
    }


@pytest.mark.parametrize("code", languages())
def test_four_characters_tell_what_must_be_told_apart(code: str) -> None:
    assert alike(code, gallery.MEXICO) == {
        frozenset({"a turn goes on", "a roll"}),
        frozenset({"a turn begins", "somebody leads"}),
        frozenset({"doubt: void this roll", "doubt of a refusal"}),
        frozenset({"self-test: seat_1", "self-test: much"}),
        frozenset({"not now", "touched"}),
        frozenset({"out of order", "out of order, events lost", "out of order, no journal"}),
        frozenset({"nobody sits, 1", "nobody sits, the board"}),
        frozenset({"all rules", "the rules", "paused: the rules"}),
        frozenset({"void: throw again", "not clear: throw again", "the same: it stands", "read anew: 6-4"}),
    }


OF_ANY_CUP = {
    frozenset({"all rules", "paused: the rules"}),
}
"""What looks alike in every game with a cup: the lamps tell it, or nothing hangs on it."""

NOT_NOW = {
    "lifted, shake again",
    "lifted, play on",
    "the time is up",
    "the time is up: show",
    "a push before a turn",
    "nothing to show",
}
BEGINS = {"opens", "somebody begins"}

OF_A_CUP: dict[str, set[frozenset[str]]] = {
    "mexican_changsha": {
        frozenset(BEGINS),
        frozenset({*NOT_NOW, "no special", "not more", "too late to call"})
        | {f"the time is up: {what}" for what in ("shake", "claim", "give in", "who lost", "pick")},
        frozenset({"lets see", "show!"}),
        frozenset({"menu: says 31", "shows 31"}),
        frozenset({"a kiss goes round", "shows 66", "spoken"}),
        frozenset({"menu: B has lost", "spoken, menu: B has lost"}),
        frozenset({"picks", "picks renamed"}),
        frozenset({"shows 55", "shows 55 renamed"}),
        frozenset({"shows 61", "shows 61 renamed"}),
        frozenset({"end: who announced", "end: in drinks", "end: a word of the house"}),
    },
    "mexican_wisconsin": {
        frozenset({*BEGINS, "shows 32"}),
        frozenset({*NOT_NOW, "more, please"}),
        frozenset({"lets see", "show!"}),
        frozenset({"menu: says 41", "shows 41"}),
        frozenset({"54 to beat", "dice on the floor"}),
        frozenset({"claims beside a die", "looked inside"}),
    },
    "liars_common": {
        frozenset(BEGINS),
        frozenset({*NOT_NOW, "too low"}),
        frozenset({"over: drinks", "over: round_wager", "somebody wins"}),
        frozenset({"show!", "all lift in place"}),
    },
    "liars_individual": {
        frozenset(BEGINS),
        frozenset({*NOT_NOW, "too low", "cannot call now"}),
        frozenset({"a pair to beat", "rolled again"}),
        frozenset({"show!", "the third re-roll calls"}),
    },
    "liars_stanford": {
        frozenset(BEGINS),
        frozenset({*NOT_NOW, "believed is believed", "the time is up: call"}),
        frozenset({"three sixes to beat", "rolled in the box", "dice lie outside"}),
        frozenset({"menu: outside then: 1", "B, menu: outside then: 1"}),
        frozenset({"menu: open then: 1", "B, menu: open then: 1"}),
        frozenset({"B, menu: rolls 0 again", "two outside, menu: rolls 0 again"}),
    },
}
"""What looks alike in one of them."""


@pytest.mark.parametrize("game", CUP_GAMES)
@pytest.mark.parametrize("code", languages())
def test_four_characters_tell_the_turns_of_a_cup_apart(code: str, game: str) -> None:
    assert alike(code, game) == OF_ANY_CUP | OF_A_CUP[game]


@pytest.mark.parametrize("game", CUP_GAMES)
def test_every_screen_of_a_cup_has_a_name_of_its_own(game: str) -> None:
    names = [name for name, _ in gallery.screens(game=game)]

    assert len(set(names)) == len(names)
