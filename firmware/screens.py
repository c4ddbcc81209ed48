"""One moment of the table as a display and lamps show it: pure, and playable on either kind of display.

The four characters say whose turn and which roll (``A1-3``: roll 1 of 3), a score (``A 54``), a refusal (``COCK``),
who pays (``C -2``), the pot (``P 12``), the stake (``S  2``) and the winner (``AWIN``). No signal is by colour alone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from firmware import self_test
from firmware.attract import attract
from firmware.dispute import Choice
from firmware.lamps import Look, Pattern
from firmware.views import Note, Phase, View
from hardware.devices import SEAT_LAMPS, Lamp, Screen
from vision.types import Fault

WIDTH: Final = 21
BIG: Final = 5
PAGES: Final = 3


WORDS: Final[Mapping[Fault, tuple[str, str, str]]] = {
    Fault.MISSING: ("FEW", "a die is missing", "FEW "),
    Fault.EXTRA: ("MANY", "a die too many", "XtrA"),
    Fault.COCKED: ("TILT", "COCKED", "COCK"),
    Fault.STACKED: ("STACK", "STACKED", "StAC"),
    Fault.OUTSIDE: ("OUT", "OUT of the tray", "Out "),
    Fault.OCCLUDED: ("HAND", "something in the tray", "HAnd"),
    Fault.MOVING: ("MOVE", "still moving", "MOVE"),
    Fault.LIGHT: ("LIGHT", "too dark or bright", "LItE"),
    Fault.CAMERA_MOVED: ("BUMP", "the camera was moved", "buMP"),
    Fault.UNSURE: ("?", "not sure", "?   "),
}
"""What a refusal is called: big, in words, in four characters."""

FAULT: Final = Look(
    Screen("OUT OF ORDER", "FAULT", ("the game is stored", "it goes on after", "a restart"), "Err "),
    dict.fromkeys((*SEAT_LAMPS, Lamp.STOP), Pattern.BLINK),
)
"""What is shown when the program ends because of an error."""


def look(view: View) -> Look:
    """Return what the devices show of *view*."""
    if view.camera_lost is not None:
        return Look(
            _screen("NO CAMERA", "CAM?", ("check its cable;", "the game waits"), "NoCA"), _seats(view, Pattern.ON)
        )
    layouts: Mapping[Phase, Callable[[View], Look]] = {
        Phase.SITTING: _sitting,
        Phase.PLAYING: _playing,
        Phase.DISPUTED: _disputed,
        Phase.PAUSED: _paused,
        Phase.OVER: _over,
    }
    return layouts[view.phase](view)


def _sitting(view: View) -> Look:
    if view.test is not None:
        return self_test.look(view.test)
    if view.idle:
        return attract(view.idle)
    lamps = _seats(view, Pattern.ON)
    if view.card is not None:
        lines = (f"= {view.card.value}", *view.card.explains)
        return Look(_screen(view.card.name, "", lines, view.card.four), lamps)
    seated = len(view.seats)
    if seated >= 2:
        lamps |= {Lamp.STOP: Pattern.PULSE}
    ask = "STOP starts" if seated >= 2 else "two or more play"
    ask = view.words or ask
    names = " ".join(name[:1] for name in view.seats.values()) or "nobody yet"
    return Look(
        _screen("MEXICO: press a seat", str(seated), (names, ask, f"turn: rules #{view.rules}"), f"SIt{seated}"), lamps
    )


def _paused(view: View) -> Look:
    game = f"pot {view.number('pot')}, {view.player} is on" if view.player else f"pot {view.number('pot')}"
    screen = _screen("PAUSED", "PAUSE", (f"rules #{view.rules}", "press STOP to go on", view.words or game), "PAUS")
    return Look(screen, _seats(view, Pattern.ON) | {Lamp.STOP: Pattern.PULSE})


OFFERED: Final[Mapping[Choice, tuple[str, str]]] = {
    Choice.VOID: ("VOID?", "VOId"),
    Choice.READ_AGAIN: ("READ?", "rEAd"),
    Choice.PAUSE: ("PAUSE", "PAU?"),
    Choice.COUNT: ("COUNT", "CNt?"),
}
"""What a dispute offers: big, and in four characters."""


def _disputed(view: View) -> Look:
    doubt = view.dispute
    if doubt is None:
        return _playing(view)
    big, four = OFFERED[doubt.choice]
    score = "-".join(map(str, doubt.faces)) or "refused"
    needed = "" if doubt.on_turn is None else f"{view.seats.get(doubt.on_turn, '')} and one more"
    asks = "push: pause" if doubt.choice is Choice.PAUSE else f"press: {needed or 'two seats'}"
    lines = (view.words or f"turn: {doubt.choice}", asks)
    lamps = {
        SEAT_LAMPS[seat - 1]: Pattern.ON if seat in doubt.hands else Pattern.BLINK
        for seat in view.seats
        if doubt.choice is not Choice.PAUSE
    }
    title = "FOUND" if Choice.COUNT in doubt.choices else "DOUBT"
    screen = replace(_screen(f"{title}: {doubt.player} {score}", big, lines, four), picture=doubt.picture)
    return Look(screen, lamps | {Lamp.STOP: Pattern.ON})


def _over(view: View) -> Look:
    winner, takes = view.text("winner"), view.number("winner_takes")
    screen = _screen(
        f"{winner} WINS", winner[:BIG], (f"and takes {takes}", view.words or "STOP: play again"), f"{winner[:1]}WIN"
    )
    return Look(screen, _lamp(view, winner, Pattern.ON) | {Lamp.STOP: Pattern.PULSE})


def _playing(view: View) -> Look:
    notes: Mapping[Note, Callable[[View], Screen]] = {
        Note.ROLLED: _rolled,
        Note.MEXICO: _mexico,
        Note.BAD_ROLL: _refused,
        Note.REFUSED: _refused,
        Note.ROUND_OVER: _round_over,
        Note.TIED: _tied,
        Note.LEAD: _lead,
        Note.NOT_NOW: _not_now,
        Note.ASKED: _asked,
        Note.UNSAVED: _unsaved,
    }
    screen = notes.get(view.note, _turn)(view)
    lamps = _lamp(view, view.player or "", Pattern.BLINK if view.fault else Pattern.PULSE)
    if view.note is Note.ROUND_OVER:
        lamps |= _lamp(view, view.text("loser"), Pattern.BLINK)
    if view.may_stop:
        lamps |= {Lamp.STOP: Pattern.ON}
    four = {1: f"P{view.number('pot'):3d}", 2: f"S{view.number('stake'):3d}"}.get(view.page)
    if four is not None:
        screen = Screen(screen.title, screen.big, screen.lines, four)
    return Look(screen, lamps)


def _turn(view: View) -> Screen:
    player = view.player or ""
    if view.rolling_for_lead:
        return _screen(f"{player}: throw ONE die", "1 DIE", ("the highest leads", _money(view)), f"{player[:1]}1dI")
    roll = view.number("rolls_used") + 1
    score = str(view.table("scores").get(player, ""))
    ask = "throw, or STOP" if view.may_stop else "throw both dice"
    four = f"{player[:1]} {score}" if score else f"{player[:1]}{roll}-{view.most_rolls}"
    return _screen(f"{player}  roll {roll} of {view.most_rolls}", score, (ask, _money(view), _lowest(view)), four)


def _rolled(view: View) -> Screen:
    roller, score = view.words, "".join(map(str, view.faces or ()))
    lines = (_ask(view), _money(view), _lowest(view))
    return _screen(f"{roller} rolled", score, lines, f"{roller[:1]} {score}")


def _mexico(view: View) -> Screen:
    return _screen(
        "MEXICO! MEXICO!", "21", (f"{view.words} is safe", f"stake {view.number('stake')}", _ask(view)), "21 !"
    )


def _refused(view: View) -> Screen:
    big, said, four = WORDS.get(view.fault or Fault.UNSURE, WORDS[Fault.UNSURE])
    return _screen(f"{view.player}: not counted", big, (said, view.words, _money(view)), four)


def _round_over(view: View) -> Screen:
    loser = view.text("loser")
    paid = view.table("paid").get(loser, 0)
    out = ", and is OUT" if view.table("units").get(loser) == 0 else ""
    lines = (f"{loser} pays {paid}{out}", f"pot {view.number('pot')}", _ask(view))
    return _screen("END OF THE ROUND", f"{loser[:1]} -{paid}", lines, f"{loser[:1]} -{paid}")


def _tied(view: View) -> Screen:
    who = view.facts.get("subround")
    names = " ".join(map(str, who)) if isinstance(who, (list, tuple)) else ""
    return _screen("TIED FOR LOWEST", "TIE", (f"again: {names}", f"stake {view.number('stake')}", _ask(view)), "tIE ")


def _lead(view: View) -> Screen:
    lead = view.text("lead")
    return _screen(
        f"{lead} LEADS", lead[:BIG], (f"up to {view.most_rolls} rolls", _money(view)), f"{lead[:1]}1-{view.most_rolls}"
    )


def _not_now(view: View) -> Screen:
    return _screen(f"{view.player or ''}: not now", "NO", _wrapped(view.words), "no  ")


def _unsaved(view: View) -> Screen:
    return _screen(
        "NOT STORED: NO ROOM", "DISK!", ("make room on it;", f"{view.unsaved} only in memory", _ask(view)), "dISC"
    )


def _asked(view: View) -> Screen:
    leaves = "leaves" in view.words
    return _screen(
        view.words[:WIDTH], "BYE?" if leaves else "BUY?", ("press the seat again",), "bYE?" if leaves else "buY?"
    )


def _ask(view: View) -> str:
    """Return who is to do what now."""
    if view.rolling_for_lead:
        return f"{view.player}: throw one die"
    if not view.may_stop:
        return f"{view.player}: throw both"
    return f"{view.player}: throw or STOP"


def _money(view: View) -> str:
    return f"stake {view.number('stake')}  pot {view.number('pot')}"


def _lowest(view: View) -> str:
    """Return the scores of those who have rolled in this round, the player on turn apart."""
    scores = {name: score for name, score in view.table("scores").items() if name != view.player}
    return " ".join(f"{name[:1]}{score}" for name, score in scores.items())


def _wrapped(words: str) -> tuple[str, ...]:
    """Return *words* on at most three lines."""
    return tuple(textwrap.wrap(words, WIDTH)[:3])


def _seats(view: View, pattern: Pattern) -> dict[Lamp, Pattern]:
    return {SEAT_LAMPS[seat - 1]: pattern for seat in view.seats}


def _lamp(view: View, player: str, pattern: Pattern) -> dict[Lamp, Pattern]:
    return {SEAT_LAMPS[seat - 1]: pattern for seat, name in view.seats.items() if name == player}


def _screen(title: str, big: str, lines: tuple[str, ...], four: str) -> Screen:
    """Return a screen with everything cut to what the displays hold."""
    return Screen(title[:WIDTH], big[:BIG], tuple(line[:WIDTH] for line in lines if line)[:3], four[:4])
