"""Every kind of screen the table can show, on contact sheets: ``python -m firmware.gallery``.

It writes docs/screens.png in English, docs/screens.de.png and so on beside it, and for each of the games with a cup one
more in English: docs/screens_liars_common.png. What is shown of those comes from `firmware.gallery_cup`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from firmware import attract, gallery_cup
from firmware.card import all_card, card
from firmware.dispute import OF_A_FIND, OF_A_THROW, Choice, Dispute
from firmware.errors import JournalError
from firmware.events import CameraState, Loss
from firmware.four import four
from firmware.lamps import Look
from firmware.out_of_order import out_of_order
from firmware.screens import look
from firmware.self_test import SelfTest
from firmware.staged import RULES
from firmware.texts import ENGLISH, Language, language, languages, words
from firmware.views import Note, Phase, View
from hardware.devices import SEAT_LAMPS, Bitmap, Key, Lamp, Screen
from hardware.oled import SIZE, draw
from mexico.mexico_house import HOUSE
from vision.types import Fault

SHEET: Final = Path(__file__).parents[1] / "docs" / "screens.png"
MEXICO: Final = "mexico"
COLUMNS: Final = 5
_CAPTION_PX: Final = 14
_GAP_PX: Final = 8
_WIDE, _HIGH = SIZE[0] + _GAP_PX, SIZE[1] + _CAPTION_PX + _GAP_PX
_PAPER, _INK = 70, 235

_FACTS: Final = {
    "scores": {"A": "54", "C": "61"},
    "units": {"A": 4, "B": 5, "C": 3},
    "paid": {"C": 2},
    "loser": "C",
    "winner": "A",
    "winner_takes": 12,
    "subround": ["A", "C"],
    "lead": "A",
    "stake": 2,
    "pot": 12,
    "rolls_used": 1,
}
_SEATS: Final = {1: "A", 3: "B", 4: "C"}
_GAME: Final = View(phase=Phase.PLAYING, seats=_SEATS, facts=_FACTS, player="A", dice=2, may_stop=True, rules=RULES)
_FIRST: Final = replace(_GAME, facts=_FACTS | {"scores": {}, "rolls_used": 0}, may_stop=False)
_LEADING: Final = replace(_GAME, facts=_FACTS | {"rolling_for_lead": ["A"], "scores": {}}, dice=1, may_stop=False)


def looks(game: str = MEXICO) -> Iterator[tuple[str, Look]]:
    """Yield every kind of screen of *game* under a name of its own, in no language yet."""
    if game != MEXICO:
        yield from ((name, look(view)) for name, view in gallery_cup.views(game))
        return
    yield from ((name, look(view)) for name, view in chain(_before(), _playing(), _beside()))
    yield "asleep", attract.attract(attract.ASLEEP + 1)
    yield "out of order", out_of_order(RuntimeError(), lost=0)
    yield "out of order, events lost", out_of_order(RuntimeError(), lost=3)
    yield "out of order, no journal", out_of_order(JournalError(), lost=0)


def screens(spoken: Language = ENGLISH, game: str = MEXICO) -> Iterator[tuple[str, Screen]]:
    """Yield every kind of screen of *game* under a name of its own, in the language *spoken*."""
    yield from ((name, shown.screen(spoken)) for name, shown in looks(game))


def _before() -> Iterator[tuple[str, View]]:
    yield from ((f"self-test: {name}", View(test=test)) for name, test in _tests())
    yield from ((f"nobody sits, {step}", View(idle=step)) for step in range(1, len(attract.screens(8)) + 1))
    yield "nobody sits, 4 seats", View(idle=2, places=SEAT_LAMPS[:4])
    yield "calibrating", View(calibrating=True)
    here = "http://192.168.178.20:8021"
    yield "nobody sits, the board", View(idle=len(attract.screens(8)) + 1, page_address=here)
    for seats in ((), (1,), (1, 3, 4)):
        yield f"{len(seats)} sit", View(seats={seat: _SEATS[seat] for seat in seats}, rules=RULES)
    for place, rule in enumerate(HOUSE.rules, 1):
        yield f"rule {rule.name}", View(card=card("mexico", place, rule.default))
    yield "all rules", View(card=all_card("mexico", RULES))


def _tests() -> Iterator[tuple[str, SelfTest]]:
    lamps = tuple(Lamp)
    found = SelfTest(lamps, 0.0, lit=len(lamps), picture=True)
    yield "lamps", SelfTest(lamps, 0.0)
    yield "well", found
    yield "no picture", replace(found, picture=False)
    yield from ((f"{fault}", replace(found, fault=fault)) for fault in (Fault.LIGHT, Fault.CAMERA_MOVED))
    yield from ((f"{key}", replace(found, stuck=(key,))) for key in Key)
    yield "much", replace(found, stuck=tuple(Key), picture=False)


def _playing() -> Iterator[tuple[str, View]]:
    yield "roll for the lead", _LEADING
    yield "a die was read", replace(_LEADING, note=Note.ROLLED, faces=(5,), words="C")
    yield "somebody leads", replace(_FIRST, note=Note.LEAD)
    yield "a turn begins", _FIRST
    yield "a turn goes on", _GAME
    yield "the pot", replace(_GAME, page=1)
    yield "the stake", replace(_GAME, page=2)
    yield "the units of B", replace(_GAME, page=4)
    yield "the rules", replace(_GAME, page=-1)
    yield "a roll", replace(_GAME, note=Note.ROLLED, faces=(5, 4), words="A")
    yield "Mexico", replace(_GAME, note=Note.MEXICO, faces=(2, 1), words="A")
    yield from (
        (f"refused: {fault}", replace(_GAME, note=Note.REFUSED, fault=fault, words=words("both again")))
        for fault in Fault
    )
    yield "not now", replace(_GAME, note=Note.NOT_NOW, words=words("the time is up: please throw"))
    yield "touched", replace(_GAME, note=Note.NOT_NOW, words=words("touched: not counted"))
    yield "leaving", replace(_GAME, note=Note.LEAVING, words="B")
    yield "buying in again", replace(_GAME, note=Note.BUYING_IN, words="B")
    yield "no room on the disk", replace(_GAME, note=Note.UNSAVED, unsaved=3)
    yield "a tie", replace(_GAME, note=Note.TIED)
    yield "end of a round", replace(_GAME, note=Note.ROUND_OVER)
    yield "somebody wins", replace(_GAME, phase=Phase.OVER)


def _beside() -> Iterator[tuple[str, View]]:
    doubt = Dispute("A", (5, 4), 2, 4, hands={1: 0.0}, picture=_two_dice())
    for choice in OF_A_THROW:
        yield f"doubt: {choice}", replace(_GAME, phase=Phase.DISPUTED, dispute=replace(doubt, choice=choice))
    found = replace(doubt, faces=(6, 6), choice=Choice.COUNT, choices=OF_A_FIND)
    yield "found after a power cut", replace(_GAME, phase=Phase.DISPUTED, dispute=found)
    for outcome in (
        words("void: throw again"),
        words("not clear: throw again"),
        words("the same: it stands"),
        words("read anew: {faces}", faces="6-4"),
    ):
        yield str(outcome), replace(_GAME, note=Note.DECIDED, words=outcome)
    yield "doubt of a refusal", replace(_GAME, phase=Phase.DISPUTED, dispute=Dispute("A", (), 2))
    yield "paused", replace(_GAME, phase=Phase.PAUSED)
    yield "paused: the rules", replace(_GAME, phase=Phase.PAUSED, page=-1)
    yield "given up?", replace(_GAME, phase=Phase.PAUSED, words=words("push again: give up"), trouble=four("give_up"))
    for name, loss in (("no camera", Loss.PICTURES), ("another size", Loss.SIZE), ("still pictures", Loss.MOTION)):
        yield name, replace(_GAME, camera=CameraState(name, loss))


def _two_dice() -> Bitmap:
    """Return what stands for the picture of a throw: two squares, a five and a four."""
    picture = Image.new("L", (76, 34), 0)
    pen = ImageDraw.Draw(picture)
    for left, middle in ((0, True), (42, False)):
        pen.rectangle((left + 2, 2, left + 31, 31), fill=255)
        corners = [(x, y) for x in (9, 24) for y in (9, 24)]
        for x, y in (*corners, *([(16, 16)] if middle else [])):
            pen.ellipse((left + x - 2, y - 2, left + x + 2, y + 2), fill=0)
    return Bitmap(picture.width, picture.height, picture.tobytes())


def sheet_of(spoken: Language, game: str = MEXICO) -> Path:
    """Return where the `sheet` of *game* in the language *spoken* is kept."""
    path = SHEET if game == MEXICO else SHEET.with_stem(f"{SHEET.stem}_{game}")
    return path if spoken is ENGLISH else path.with_stem(f"{path.stem}.{spoken.code}")


def sheets() -> Iterator[tuple[Language, str]]:
    """Yield of which language and game there is a `sheet`: of every game in English, of Mexico in every language."""
    yield from ((language(code), MEXICO) for code in languages())
    yield from ((ENGLISH, game) for game in gallery_cup.CUP_GAMES)


def sheet(spoken: Language = ENGLISH, game: str = MEXICO) -> Image.Image:
    """Return all `screens` side by side, each over its name and what the four-digit display shows: mode "L"."""
    shown = list(screens(spoken, game))
    rows = -(-len(shown) // COLUMNS)
    paper = Image.new("L", (_GAP_PX + COLUMNS * _WIDE, _GAP_PX + rows * _HIGH), _PAPER)
    pen = ImageDraw.Draw(paper)
    for number, (name, screen) in enumerate(shown):
        x, y = place_of(number)
        paper.paste(draw(screen).convert("L"), (x, y))
        pen.text((x, y + SIZE[1] + 1), f"[{screen.four:<4}] {name}"[:26], fill=_INK)
    return paper


def place_of(number: int) -> tuple[int, int]:
    """Return where on the `sheet` the top left pixel of a screen is, counted from 0."""
    row, column = divmod(number, COLUMNS)
    return _GAP_PX + column * _WIDE, _GAP_PX + row * _HIGH


if __name__ == "__main__":
    for spoken, game in sheets():
        sheet(spoken, game).save(sheet_of(spoken, game), optimize=True)
