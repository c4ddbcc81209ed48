"""What browsers are told of the table: what its devices show everybody, and the facts of the game. Pure.

A `View` holds nothing but public facts, a `Mirrored` what lamps, display and buzzer show: hidden dice are in neither.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from firmware import screens, screens_cup
from firmware.match import Stored
from firmware.story import round_told, told
from firmware.texts import Language
from firmware.views import View
from hardware.devices import Screen
from hardware.mirror import Mirrored
from hardware.oled import draw
from hardware.segments import FONT, fit
from vision.types import TrayReading

Json = Mapping[str, object]

LINES: Final = 40
"""So many lines of what happened are shown."""


def devices(shown: Mirrored) -> Json:
    """Return what lamps, displays and buzzer show.

    ``oled`` is the very picture that goes to the display: 128 x 64 pixels, a bit each, the leftmost the highest of its
    byte, row by row, in base64. ``four`` is a list of the lit segments of each digit.
    """
    screen = shown.screen
    dark = {"oled": None, "said": None, "four": None}
    return {"lit": sorted(shown.lit), "tone_hz": shown.tone_hz} | (dark if screen is None else _display(screen))


def _display(screen: Screen) -> dict[str, object]:
    return {
        "oled": base64.b64encode(draw(screen).tobytes()).decode(),
        "said": " ".join(part for part in (screen.title, screen.big, *screen.lines) if part),
        "four": [_segments(char) for char in fit(screen.four)],
    }


def _segments(char: str) -> str:
    return "".join(name for name, lit in zip("abcdefg", FONT[char], strict=True) if lit)


def game(view: View, language: Language) -> Json:
    """Return the game as everybody sees it."""
    fault = None if view.fault is None else language.say(screens.WORDS[view.fault][1])
    return {
        "phase": view.phase,
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
        "most_rolls": view.most_rolls,
        "facts": dict(view.facts),
        "faces": None if view.faces is None else list(view.faces),
        "refused": fault,
        "rules": view.rules,
        "mark": view.mark,
        "camera_lost": view.camera_lost,
        "unsaved": view.unsaved,
    }


def reading(number: int, read: TrayReading, size: tuple[int, int]) -> Json:
    """Return what the reader says of picture *number*, which is *size* pixels wide and high."""
    return {
        "picture": number,
        "size": list(size),
        "faces": None if read.faces is None else list(read.faces),
        "fault": read.fault,
        "dice": [
            {
                "face": die.face,
                "confidence": round(die.confidence, 3),
                "corners": [[round(x, 1), round(y, 1)] for x, y in die.corners_px],
            }
            for die in read.dice
        ],
    }


class Story:
    """What happened in the game on the table: a line for each event, and how every round came out."""

    def __init__(self) -> None:
        self._game = 0
        self._facts: Json = {}
        self._lines: list[str] = []
        self._rounds: list[Json] = []
        self.told: Callable[[], Json] = dict
        """Gives all of it as it is now."""

    def goes_on(self, stored: Stored) -> None:
        """Add *stored* at its end."""
        if stored.game != self._game:
            self._game, self._facts, self._lines, self._rounds = stored.game, {}, [], []
        line = told(stored.number, stored.event, self._facts, stored.facts)
        self._lines = [*self._lines, line][-LINES:]
        played, before = stored.facts.get("rounds_played"), self._facts.get("rounds_played", 0)
        if isinstance(played, int) and isinstance(before, int) and played > before:
            self._rounds = [*self._rounds, {"round": played, "said": round_told(stored.facts)}]
        elif isinstance(played, int):
            self._rounds = self._rounds[:played]  # taken back
        self._facts = stored.facts
        self.told = partial(dict, game=self._game, event=stored.number, lines=self._lines, rounds=self._rounds)
