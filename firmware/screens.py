"""One moment of the table as a display and lamps show it: pure, and playable on either kind of display.

The four characters say whose turn and which roll (``A1-3``: roll 1 of 3), a score (``A 54``), a refusal (``COCK``),
who pays (``C -2``), the pot (``P 12``), the stake (``S  2``) and the winner (``AWIN``); ``four.toml`` has them all. No
signal is by colour alone. Words are noted down here in English, and translated where they are shown (`Layout`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from firmware import screens_cup, self_test
from firmware.attract import attract
from firmware.dispute import TWO, Choice, Dispute
from firmware.events import Loss
from firmware.four import Four, four
from firmware.lamps import Look, Pattern
from firmware.layout import FOUR, ROWS, Layout, Wrapped
from firmware.penalties import in_a_line
from firmware.texts import Names, Text, Words, big, words
from firmware.views import Note, Phase, View
from hardware.devices import SEAT_LAMPS, Lamp
from mexico.catalogue import GAMES
from mexico.errors import IllegalAction, RulesError
from vision.types import Fault

WORDS: Final[Mapping[Fault, tuple[Text, Words]]] = {
    Fault.MISSING: (big("FEW"), words("a die is missing")),
    Fault.EXTRA: (big("MANY"), words("a die too many")),
    Fault.COCKED: (big("TILT"), words("COCKED")),
    Fault.STACKED: (big("STACK"), words("STACKED")),
    Fault.OUTSIDE: (big("OUT"), words("OUT of the tray")),
    Fault.OCCLUDED: (big("HAND"), words("something in the tray")),
    Fault.MOVING: (big("MOVE"), words("still moving")),
    Fault.LIGHT: (big("LIGHT"), words("too dark or bright")),
    Fault.CAMERA_MOVED: (big("BUMP"), words("the camera was moved")),
    Fault.UNSURE: ("?", words("not sure")),
}
"""What a refusal is called: big, and in words; its four characters have the name of the fault."""

LOSSES: Final[Mapping[Loss, tuple[Words, Words, Words, Four]]] = {
    Loss.PICTURES: (words("NO CAMERA"), big("CAM?"), words("check its cable;"), four("camera_lost")),
    Loss.SIZE: (words("OTHER PICTURE SIZE"), big("SIZE?"), words("calibrate again"), four("camera_size")),
    Loss.MOTION: (words("PICTURE STANDS STILL"), big("STILL"), words("covered, or it hangs;"), four("camera_still")),
}
"""What is said of a camera that gives nothing of use: in words, big, what to do, and in four characters."""


def look(view: View) -> Look:
    """Return what the devices show of *view*."""
    shown = _look(view)
    return replace(shown, lamps={**shown.lamps, Lamp.BLIND: Pattern.ON}) if view.watching.blind else shown


def _look(view: View) -> Look:
    if view.camera.lost is not None:
        title, large, do, code = LOSSES[view.camera.loss]
        return Look(Layout(title, large, (do, words("the game waits")), code), _seats(view, Pattern.ON))
    layouts: Mapping[Phase, Callable[[View], Look]] = {
        Phase.SITTING: _sitting,
        Phase.PLAYING: _playing,
        Phase.DISPUTED: _disputed,
        Phase.PAUSED: _paused,
        Phase.OVER: _over,
    }
    return layouts[view.phase](view)


def refusal(error: RulesError) -> Text:
    """Return why the rules refuse something, in words that can be translated.

    Examples
    --------
    >>> str(refusal(IllegalAction("it is the turn of {player}", "MEXICO 10", "silent", names=("Ann",))))
    'it is the turn of Ann'
    """
    if not isinstance(error, IllegalAction):
        return str(error)
    return Words(error.template, {place: Names((name,)) for place, name in error.places.items()})


def _sitting(view: View) -> Look:
    if view.test is not None:
        return self_test.look(view.test)
    if view.calibrating:
        wait = (words("at the panel;"), words("nobody can join now"), words("STOP ends it"))
        return Look(Layout(words("CALIBRATING"), big("WAIT"), wait, four("calibrating")), {Lamp.STOP: Pattern.PULSE})
    if view.idle:
        return attract(view.idle, view.places, view.game, view.page_address)
    lamps = _seats(view, Pattern.ON)
    if view.card is not None:
        value = words("= {value}", value=view.card.value)
        return Look(Layout(view.card.name, "", (value, Wrapped(view.card.explains, 2)), view.card.four), lamps)
    seated = len(view.seats)
    ask, code = words("two or more play"), four("sit", seats=seated)
    if seated > (most := GAMES[view.game].most_players):
        ask, code = words("only two play this"), four("too_many", seats=most)
    elif seated >= TWO:
        ask, lamps = words("STOP starts"), lamps | {Lamp.STOP: Pattern.PULSE}
    who = " ".join(name[:1] for name in view.seats.values()) or words("nobody yet")
    lines = (who, view.words or ask, words("turn: rules #{rules}", rules=view.rules))
    return Look(Layout(screens_cup.TITLES[view.game], str(seated), lines, view.trouble or code), lamps)


def _paused(view: View) -> Look:
    game: Text = words("pot {pot}", pot=view.number("pot"))
    if view.has_cup:
        game = screens_cup.marks(view)
    elif view.player:
        game = words("pot {pot}, {player} is on", pot=view.number("pot"), player=_name(view))
    if view.page and view.table("units"):
        game = _holdings(view)
    lines = (words("rules #{rules}", rules=view.rules), words("press STOP to go on"), view.words or game)
    layout = Layout(words("PAUSED"), big("PAUSE"), lines, _page(view, view.trouble or four("paused")))
    return Look(layout, _seats(view, Pattern.ON) | {Lamp.STOP: Pattern.PULSE})


OFFERED: Final[Mapping[Choice, tuple[Words, Words, Four]]] = {
    Choice.VOID: (big("VOID?"), words("turn: void this roll"), four("void")),
    Choice.READ_AGAIN: (big("READ?"), words("turn: read it again"), four("read_again")),
    Choice.PAUSE: (big("PAUSE"), words("turn: pause the game"), four("pause")),
    Choice.COUNT: (big("COUNT"), words("turn: count this roll"), four("count")),
}
"""What a dispute offers: big, in words, and in four characters."""


def _disputed(view: View) -> Look:
    doubt = view.dispute
    if doubt is None:
        return _playing(view)
    large, offer, code = OFFERED[doubt.choice]
    player = Names((doubt.player,))
    title = words("DOUBT: {player} refused", player=player)
    if doubt.claim and doubt.choice is Choice.VOID:
        offer, code = words("turn: take it back"), four("take_back")
    if doubt.claim:
        title = words("DOUBT: {player} {score}", player=player, score=doubt.claim)
    if doubt.faces:
        score = ("-" if len(doubt.faces) <= TWO else "").join(map(str, doubt.faces))
        title = words("DOUBT: {player} {score}", player=player, score=score)
        if doubt.found:
            title = words("FOUND: {player} {score}", player=player, score=score)
    asks = words("press: two seats")
    if doubt.choice is Choice.PAUSE:
        asks = words("push: pause")
    elif doubt.by_all:
        asks = words("press: all seats")
    elif doubt.on_turn is not None:
        asks = words("press: {player} + 1 more", player=Names((view.seats.get(doubt.on_turn, ""),)))
    lamps = {
        SEAT_LAMPS[seat - 1]: Pattern.ON if seat in doubt.hands else Pattern.BLINK
        for seat in view.seats
        if doubt.choice is not Choice.PAUSE
    }
    layout = Layout(title, large, (view.words or offer, asks), _in_doubt(view, doubt, code), picture=doubt.picture)
    return Look(layout, lamps | {Lamp.STOP: Pattern.ON})


def _in_doubt(view: View, doubt: Dispute, offered: Four) -> Four | str:
    """Return in four characters what is offered, on the other page what was claimed or read."""
    claim = screens_cup.claim(view) if doubt.claim else None
    faces = "".join(map(str, doubt.faces))
    if not view.page or not (claim or faces):
        return offered
    if claim is not None:
        return claim.four
    return four("score", player=doubt.player[:1], score=faces) if len(faces) <= TWO else faces[:FOUR]


def _over(view: View) -> Look:
    if view.has_cup:
        lamps = _lamp(view, view.text("winner"), Pattern.ON)
        return Look(screens_cup.over(view), lamps | {Lamp.STOP: Pattern.PULSE})
    winner, takes = view.text("winner"), view.number("winner_takes")
    name = Names((winner,))
    lines = (words("and takes {units}", units=takes), view.words or words("STOP: play again"))
    layout = Layout(words("{player} WINS", player=name), name, lines, view.trouble or four("wins", player=winner[:1]))
    return Look(layout, _lamp(view, winner, Pattern.ON) | {Lamp.STOP: Pattern.PULSE})


def _playing(view: View) -> Look:
    notes: dict[Note, Callable[[View], Layout]] = {
        Note.ROLLED: _rolled,
        Note.MEXICO: _mexico,
        Note.BAD_ROLL: _refused,
        Note.REFUSED: _refused,
        Note.ROUND_OVER: _round_over,
        Note.TIED: _tied,
        Note.LEAD: _lead,
        Note.NOT_NOW: _not_now,
        Note.DECIDED: _decided,
        Note.LEAVING: _leaving,
        Note.BUYING_IN: _buying_in,
        Note.UNSAVED: _unsaved,
    }
    if view.has_cup:
        notes |= {
            Note.ROLLED: screens_cup.shown,
            Note.ROUND_OVER: screens_cup.round_over,
            Note.LEAD: screens_cup.lead,
        }
    layout = notes.get(view.note, screens_cup.turn if view.has_cup else _turn)(view)
    lamps = _lamp(view, view.player or "", Pattern.BLINK if view.fault else Pattern.PULSE)
    if view.note is Note.ROUND_OVER:
        lamps |= _lamp(view, view.text("loser"), Pattern.BLINK)
    if view.has_cup:
        lamps = {lamp: Pattern.ON for name in view.callers for lamp in _lamp(view, name, Pattern.ON)} | lamps
    if view.may_stop or view.may_show:
        lamps |= {Lamp.STOP: Pattern.ON}
    if view.has_cup:
        return Look(layout, lamps)
    if view.page % len(_pages(view, layout.four)):
        told = tuple(line for line in layout.lines if line)[: ROWS - 1]
        layout = replace(layout, lines=(*told, _holdings(view)))
    return Look(replace(layout, four=_page(view, layout.four)), lamps)


def _page(view: View, usual: Four | str) -> Four | str:
    """Return what stands on the page of the four-digit display that the knob has come to, *usual* on the first."""
    pages = _pages(view, usual)
    return pages[view.page % len(pages)]


def _pages(view: View, usual: Four | str) -> list[Four | str]:
    """Return what four digits show one after the other: in Mexico pot, stake, and the units of each seat as well."""
    rules = four("rules", rules=view.rules)
    if "pot" not in view.facts:
        return [usual, rules]
    held = [four("handed", player=name[:1], units=units) for name, units in view.table("units").items()]
    return [usual, four("pot", units=view.number("pot")), four("stake", units=view.number("stake")), *held, rules]


def _holdings(view: View) -> Text:
    """Return the units that each seat has, where there are any."""
    units = view.table("units").items()
    return in_a_line({f"{name[:1]}{held}": held for name, held in units if isinstance(held, int)})


def _turn(view: View) -> Layout:
    player, initial = _name(view), (view.player or "")[:1]
    if view.rolling_for_lead:
        title = words("{player}: throw ONE die", player=player)
        return Layout(
            title, big("1 DIE"), (words("the highest leads"), _money(view)), four("lead_roll", player=initial)
        )
    roll = view.number("rolls_used") + 1
    score = str(view.table("scores").get(view.player or "", ""))
    ask = words("throw, or STOP") if view.may_stop else words("throw both dice")
    code = four("turn", player=initial, roll=roll, most=view.most_rolls)
    if score:
        code = four("score", player=initial, score=score)
    title = words("{player}  roll {roll} of {most}", player=player, roll=roll, most=view.most_rolls)
    return Layout(title, score, (ask, _money(view), _lowest(view)), code)


def _rolled(view: View) -> Layout:
    roller, score = _told(view), "".join(map(str, view.faces or ()))
    title = words("{player} rolled", player=roller)
    lines = (_ask(view), _rerolling(view), _money(view), _lowest(view))
    return Layout(title, score, lines, four("score", player=roller.shown(1), score=score))


def _rerolling(view: View) -> Text:
    """Return who rolls again for the lead because they tied, empty where nobody does."""
    who = view.facts.get("rerolling")
    return words("again: {players}", players=Names(tuple(map(str, who)))) if who and isinstance(who, list) else ""


def _mexico(view: View) -> Layout:
    safe = words("{player} is safe", player=_told(view))
    lines = (safe, words("stake {stake}", stake=view.number("stake")), _ask(view))
    return Layout(words("MEXICO! MEXICO!"), "21", lines, four("mexico"))


def _refused(view: View) -> Layout:
    fault = view.fault or Fault.UNSURE
    large, said = WORDS[fault]
    title = words("{player}: not counted", player=_name(view))
    return Layout(title, large, (said, view.words, _money(view)), four(str(fault)))


def _round_over(view: View) -> Layout:
    loser = view.text("loser")
    paid = view.table("paid").get(loser, 0)
    units = paid if isinstance(paid, int) else 0
    pays = words("{player} pays {units}", player=Names((loser,)), units=units)
    if view.table("units").get(loser) == 0:
        pays = words("{player} pays {units}: OUT", player=Names((loser,)), units=units)
    lines = (pays, words("pot {pot}", pot=view.number("pot")), _ask(view))
    code = four("round_over", player=loser[:1], units=-units)
    return Layout(words("END OF THE ROUND"), f"{loser[:1]}{-units:3d}", lines, code)


def _tied(view: View) -> Layout:
    who = view.facts.get("subround")
    names = Names(tuple(map(str, who)) if isinstance(who, (list, tuple)) else ())
    lines = (words("again: {players}", players=names), words("stake {stake}", stake=view.number("stake")), _ask(view))
    return Layout(words("TIED FOR LOWEST"), big("TIE"), lines, four("tied"))


def _lead(view: View) -> Layout:
    lead = Names((view.text("lead"),))
    lines = (words("rolls: up to {most}", most=view.most_rolls), _money(view))
    code = four("turn", player=lead.shown(1), roll=1, most=view.most_rolls)
    return Layout(words("{player} LEADS", player=lead), lead, lines, code)


def _not_now(view: View) -> Layout:
    return Layout(words("{player}: not now", player=_name(view)), big("NO"), (Wrapped(view.words),), four("not_now"))


def _decided(view: View) -> Layout:
    return Layout(words("THE DOUBT IS SETTLED"), big("DONE"), (Wrapped(view.words),), four("decided"))


def _unsaved(view: View) -> Layout:
    lines = (words("make room on it;"), words("{events} only in memory", events=view.unsaved), _ask(view))
    return Layout(words("NOT STORED: NO ROOM"), big("DISK!"), lines, four("unsaved"))


def _leaving(view: View) -> Layout:
    title = words("{player} leaves the game?", player=_told(view))
    return Layout(title, big("BYE?"), (words("press the seat again"),), four("leaving"))


def _buying_in(view: View) -> Layout:
    title = words("{player} buys in again?", player=_told(view))
    return Layout(title, big("BUY?"), (words("press the seat again"),), four("buying_in"))


def _ask(view: View) -> Words:
    """Return who is to do what now."""
    if view.has_cup:
        return words("{player} is on", player=_name(view))
    if view.rolling_for_lead:
        return words("{player}: throw one die", player=_name(view))
    if not view.may_stop:
        return words("{player}: throw both", player=_name(view))
    return words("{player}: throw or STOP", player=_name(view))


def _money(view: View) -> Text:
    """Return stake and pot, nothing in a game that has none."""
    if "pot" not in view.facts:
        return ""
    return words("stake {stake}  pot {pot}", stake=view.number("stake"), pot=view.number("pot"))


def _lowest(view: View) -> Names:
    """Return the scores of those who have rolled in this round, the player on turn apart."""
    scores = view.table("scores").items()
    return Names(tuple(f"{name[:1]}{score}" for name, score in scores if name != view.player), whole=True)


def _name(view: View) -> Names:
    """Return who is on turn."""
    return Names((view.player or "",))


def _told(view: View) -> Names:
    """Return the player whom the note is about."""
    return Names((str(view.words),))


def _seats(view: View, pattern: Pattern) -> dict[Lamp, Pattern]:
    return {SEAT_LAMPS[seat - 1]: pattern for seat in view.seats}


def _lamp(view: View, player: str, pattern: Pattern) -> dict[Lamp, Pattern]:
    return {SEAT_LAMPS[seat - 1]: pattern for seat, name in view.seats.items() if name == player}
