"""What browsers are told of the table: what its devices show everybody, and the facts of the game. Pure.

A `View` holds nothing but public facts, a `Mirrored` what lamps, display and buzzer show: hidden dice are in neither.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from firmware import screens, screens_cup
from firmware.texts import Language
from firmware.views import Note, View
from hardware.devices import Screen
from hardware.mirror import Mirrored
from hardware.oled import draw
from hardware.segments import FONT, fit
from mexico.catalogue import GAMES
from vision.types import TrayReading

Json = Mapping[str, object]

CHANCES: Final = ("odds", "expected")
"""Facts of a game that help to judge a claim; a house may keep them to itself."""


def devices(shown: Mirrored, language: Language) -> Json:
    """Return what lamps, displays and buzzer show; the displays speak *language*.

    ``oled`` is the very picture that goes to the display: 128 x 64 pixels, a bit each, the leftmost the highest of its
    byte, row by row, in base64. ``four`` is a list of the lit segments of each digit.
    """
    screen = shown.screen
    dark = {"oled": None, "said": None, "four": None}
    return {"language": language.code, "lit": sorted(shown.lit), "tone_hz": shown.tone_hz} | (
        dark if screen is None else _display(screen)
    )


def _display(screen: Screen) -> dict[str, object]:
    return {
        "oled": base64.b64encode(draw(screen).tobytes()).decode(),
        "said": " ".join(part for part in (screen.title, screen.big, *screen.lines) if part),
        "four": [_segments(char) for char in fit(screen.four)],
    }


def _segments(char: str) -> str:
    return "".join(name for name, lit in zip("abcdefg", FONT[char], strict=True) if lit)


def game(view: View, language: Language, *, odds: bool = True) -> Json:
    """Return the game as everybody sees it; its chances only where the house shows *odds*."""
    fault = None if view.fault is None else language.say(screens.WORDS[view.fault][1])
    return {
        "language": language.code,
        "phase": view.phase,
        "calibrating": view.calibrating,
        "note": view.note,
        "moment": view.moment,
        "game": view.game,
        "title": language.say(screens_cup.TITLES[view.game]),
        "seats": {str(seat): name for seat, name in view.seats.items()},
        "player": view.player,
        "seat": view.seat,
        "dice": view.awaited,
        "cup": view.has_cup,
        "blind": view.watching.blind,
        "may_stop": view.may_stop or view.may_show,
        "callers": list(view.callers),
        "most_players": GAMES[view.game].most_players,
        "choices": {"kinds": list(view.menu.kinds), "chosen": view.menu.place is not None},
        "asked": view.ask is not None,
        "doubt": _doubt(view),
        "most_rolls": view.most_rolls,
        "facts": {name: value for name, value in view.facts.items() if odds or name not in CHANCES},
        "chance": dict(view.chance) if odds and view.chance is not None else None,
        "claim": _claim(view, language),
        "who": str(view.words) if view.note in (Note.ROLLED, Note.MEXICO) else None,
        "faces": None if view.faces is None else list(view.faces),
        "refused": fault,
        "rules": view.rules,
        "mark": view.mark,
        "camera_lost": view.camera.lost,
        "unsaved": view.unsaved,
    }


def _claim(view: View, language: Language) -> Json | None:
    """Return what is claimed in a game with a cup, large and in words, and by whom; None where nothing stands."""
    said = screens_cup.claim(view) if view.has_cup else None
    if said is None:
        return None
    by = view.facts.get("bidder") if "bidder" in view.facts else (view.chance or view.facts).get("player")
    if by is None and "call" in view.facts:
        by = view.facts.get("caller")
    # The display says "bids 3 x 4" and "to beat: 62", which no other sentence can take up; a hand has a name.
    words = said.large if view.facts.get("bid") or view.text("to_beat") else said.words
    return {"large": language.say(said.large), "words": language.say(words), "by": by}


def _doubt(view: View) -> Json | None:
    """Return what is in doubt, what is offered, and whose hands that takes; None where nothing is."""
    doubt = view.dispute
    if doubt is None:
        return None
    return {
        "player": doubt.player,
        "about": "find" if doubt.found else "claim" if doubt.claim else "throw",
        "choice": doubt.choice.name.lower(),
        "on_turn": doubt.on_turn,
        "needed": doubt.needed,
        "hands": sorted(doubt.hands),
    }


def reading(number: int, read: TrayReading, size: tuple[int, int], language: Language) -> Json:
    """Return what the reader says of picture *number*, which is *size* pixels wide and high."""
    return {
        "language": language.code,
        "picture": number,
        "size": list(size),
        "faces": None if read.faces is None else list(read.faces),
        "fault": read.fault,
        "said": None if read.fault is None else language.say(screens.WORDS[read.fault][1]),
        "dice": [
            {
                "face": die.face,
                "confidence": round(die.confidence, 3),
                "corners": [[round(x, 1), round(y, 1)] for x, y in die.corners_px],
            }
            for die in read.dice
        ],
        "unclear": [[round(x, 1), round(y, 1)] for x, y in read.unclear],
    }
