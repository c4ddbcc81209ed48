"""Every kind of screen of the games with a cup, from games that are really played (`firmware.staged`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Final

from firmware.card import all_card, card, game_card
from firmware.cups import NOTHING_TO_SHOW, TURN_FIRST, lifted
from firmware.dispute import Choice
from firmware.events import CameraState
from firmware.four import four
from firmware.menu import Entry
from firmware.screens_cup import in_time
from firmware.staged import RULES, Event, Played, play
from firmware.texts import words
from firmware.throws import FLAT
from firmware.undo import CLAIMS
from firmware.views import Labels, Note, Phase, View
from mexico.catalogue import GAMES
from mexico.game import Ask
from vision.types import Fault

Views = Iterator[tuple[str, View]]
Play = Callable[..., Played]


def views(game: str, names: Mapping[str, str] | None = None) -> Views:
    """Yield every kind of screen of *game* under a name of its own; *names* are those of the players A, B and C."""
    begin = partial(play, names=names)
    yield from chain(_before(game, begin), _SCENES[game](begin))


def _before(game: str, play: Play) -> Views:
    """Yield what is shown before play, and while one die each decides who begins."""
    most = min(3, GAMES[game].most_players)
    for seats in ("", "A", "ABC"[:most], *(["ABC"] if most < 3 else [])):
        yield f"{len(seats)} sit", View(game=game, seats=dict(enumerate(seats, 1)), rules=RULES)
    yield "which game", View(card=game_card(game))
    for place, rule in enumerate(GAMES[game].house.rules, 1):
        yield f"rule {rule.name}", View(card=card(game, place, rule.default))
    yield "all rules", View(card=all_card(game, RULES))
    rolling = play(game, "AB")
    yield "who begins", rolling.view()
    rolling = rolling.then(_die("A", 5))
    yield "a die was read", rolling.read()
    tied = rolling.then(_die("B", 5))
    yield "a tie", tied.read()
    yield "somebody begins", rolling.then(_die("B", 3)).read(Note.LEAD)


def _table(game: Played) -> Views:
    """Yield what is shown of any game with a cup beside its turns; *game* has something claimed."""
    yield "lifted, shake again", game.says(lifted(by_stop=True, again=True))
    yield "lifted, play on", game.says(lifted(by_stop=False, again=False))
    yield "the time is up", _late(game)
    yield "a push before a turn", game.says(TURN_FIRST)
    yield "nothing to show", game.says(NOTHING_TO_SHOW)
    yield "doubt of a claim", game.doubts()
    doubt = game.doubts().dispute
    if doubt is not None:
        yield "doubt: pause", replace(game.doubts(), dispute=replace(doubt, choice=Choice.PAUSE))
    yield "claim taken back", replace(game.view(Note.DECIDED), words=words("void: say it again"))
    yield "paused", replace(game.view(), phase=Phase.PAUSED)
    yield "paused: the rules", replace(game.view(), phase=Phase.PAUSED, page=1)
    yield (
        "give up?",
        replace(game.view(), phase=Phase.PAUSED, words=words("push again: give up"), trouble=four("give_up")),
    )
    yield "leaving", replace(game.view(Note.LEAVING), words="B")
    yield "no room on the disk", replace(game.view(Note.UNSAVED), unsaved=3)
    yield "no camera", replace(game.view(), camera=CameraState("unplugged"))


def _late(game: Played) -> View:
    """Return what is shown when the time of a turn is up."""
    return game.says(in_time(game.view()))


def _called(game: Played) -> Views:
    """Yield what is shown when *game* waits for dice that were called for."""
    yield "show!", game.view()
    yield "the time is up: show", _late(game)
    for fault in (Fault.COCKED, Fault.MISSING):
        yield f"shown, but {fault}", replace(game.view(Note.REFUSED), fault=fault, words=FLAT)


def _doubted(game: Played) -> Views:
    """Yield the doubt of dice that lay hidden: it takes everybody."""
    yield "doubt of shown dice", game.doubts(everybody=True)


def _menu(game: Played, *, claims: bool = True) -> Views:
    """Yield the first entry of each kind on the menu of *game*, with or without its *claims*."""
    seen: set[object] = set()
    for view, does in ((view, chosen.does) for view, chosen in _entries(game)):
        kind = does.what if isinstance(does, Ask) else (does["type"], does.get("pass_it_on"), _kind_of_hand(does))
        if kind not in seen and (claims or isinstance(does, Ask) or does["type"] not in CLAIMS):
            seen.add(kind)
            yield _named(view), view


def _everything(game: Played) -> Views:
    """Yield every entry on the menu of *game*."""
    yield from ((_named(view), view) for view, _ in _entries(game))


def _entries(game: Played) -> Iterator[tuple[View, Entry]]:
    yield from ((view, view.menu.chosen) for view in game.entries() if view.menu.chosen is not None)


def _named(view: View) -> str:
    return f"menu: {view.menu.chosen.said.words}" if view.menu.chosen else ""


def _kind_of_hand(event: Event) -> object:
    hand = event.get("hand")
    return hand[0] if isinstance(hand, list) else None


# --- the two Mexicans ---


def _changsha(play: Play) -> Views:
    game = play("mexican_changsha", opener="A")
    yield "opens", game.view()
    shaken = game.then(_shake("A"))
    yield "looked inside", shaken.view()
    yield from _menu(game)
    yield from _menu(shaken)
    claimed = shaken.then(_announce("A", "54"))
    yield "54 to beat", claimed.view()
    yield "passed on", shaken.then(_announce("A", "22", pass_it_on=True)).view()
    yield "too late to call", claimed.then(_shake("B")).refuses({"type": "challenge", "player": "B"})
    yield "not more", claimed.then(_shake("B")).refuses(_announce("B", "43"))
    yield "lets see", shaken.asks("show")
    yield "no special", shaken.refuses(_shown("A", 5, 4))
    called = claimed.then(_call("B"))
    yield from _called(called)
    yield from _shown_in_changsha(play, shaken)
    judged = called.then(_lifted(5, 2))
    yield "end: who announced", judged.read(Note.ROUND_OVER)
    yield "end: in drinks", _labelled(judged, "drink").read(Note.ROUND_OVER)
    yield "end: a word of the house", _labelled(judged, "pushup").read(Note.ROUND_OVER)
    yield from _doubted(judged)
    yield from _table(claimed)
    stuck = shaken.then(_announce("A", "66"), _shake("B"))
    yield "nothing left but to give in", stuck.view()
    yield "the time is up: give in", _late(stuck)
    yield from ((f"the time is up: {what}", _late(one)) for what, one in (("shake", game), ("claim", shaken)))
    yield from _menu(stuck)
    spoken = play("mexican_changsha", opener="A", announce="spoken").then(_shake("A"))
    yield "spoken", spoken.view()
    yield from ((f"spoken, {name}", view) for name, view in _menu(spoken))
    lying = spoken.then(_call("B"), _lifted(6, 4))
    yield "spoken: dice lie open", lying.read()
    yield "the time is up: who lost", _late(lying)
    yield "spoken: who has lost", lying.view()
    yield from ((f"spoken, {name}", view) for name, view in _menu(lying))
    yield "closing time", game.then(_close()).view()
    yield (
        "somebody wins",
        play("mexican_changsha", "AB", "A")
        .then(_shake("A"), _announce("A", "54"), _call("B"), _lifted(5, 2), _close())
        .view(),
    )


def _shown_in_changsha(play: Play, shaken: Played) -> Views:
    """Yield what each of the specials does."""
    for high, low in ((2, 1), (3, 1), (4, 1), (5, 1), (6, 6)):
        special = shaken.then(_shown("A", high, low))
        note = Note.ROUND_OVER if special.playing.facts()["rounds_played"] else Note.ROLLED
        yield f"shows {high}{low}", special.read(note)
    house = play("mexican_changsha", opener="A", changsha__smoochy=True, changsha__perform=True).then(_shake("A"))
    for name, one in (("", house), (" renamed", _labelled(house, "drink"))):
        judging = one.then(_shown("A", 6, 1))
        yield f"shows 61{name}", judging.read()
        yield f"picks{name}", judging.then({"type": "choose", "player": "A", "target": "C"}).read(Note.ROUND_OVER)
        yield f"shows 55{name}", one.then(_shown("A", 5, 5)).read()
    judging = house.then(_shown("A", 6, 1))
    yield "is to pick", judging.view()
    yield "the time is up: pick", _late(judging)
    yield from _menu(judging)
    yield (
        "a kiss goes round",
        house.then(_shown("A", 5, 5), {"type": "choose", "player": "B", "target": "C"}).read(Note.ROUND_OVER),
    )


def _wisconsin(play: Play) -> Views:
    game = play("mexican_wisconsin", opener="A")
    yield "opens", game.view()
    shaken = game.then(_shake("A"))
    yield "looked inside", shaken.view()
    yield from _menu(shaken)
    yield "lets see", shaken.asks("show")
    yield "a die lies outside", shaken.asks("exposed")
    beside = game.then({"type": "shake", "player": "A", "exposed": [5]})
    yield "claims beside a die", beside.view()
    claimed = shaken.then(_announce("A", "54"))
    yield "54 to beat", claimed.view()
    yield "more, please", claimed.then(_shake("B")).refuses(_announce("B", "43"))
    called = claimed.then(_call("B"))
    yield from _called(called)
    judged = called.then(_lifted(6, 4))
    yield "end: who doubted", judged.read(Note.ROUND_OVER)
    yield from _doubted(judged)
    mexican = shaken.then(_announce("A", "21"))
    yield "21 was claimed", mexican.view()
    yield "21, menu: gives in", next(mexican.entries())
    yield "end: a glass", mexican.then(_call("B"), _lifted(5, 4)).read(Note.ROUND_OVER)
    for high, low in ((3, 1), (3, 2)):
        yield f"shows {high}{low}", shaken.then(_shown("A", high, low)).read(Note.ROUND_OVER)
    imposes = play("mexican_wisconsin", opener="A", wisconsin__41="impose_then_social").then(_shake("A"))
    picking = imposes.then(_shown("A", 4, 1))
    yield "shows 41", picking.read()
    yield "end: social, one twice", picking.then({"type": "choose", "player": "A", "target": "C"}).read(Note.ROUND_OVER)
    yield "dice on the floor", claimed.then({"type": "die_on_floor", "player": "C", "dice": 2}).view()
    yield "end: caught", claimed.then({"type": "caught_cheating", "player": "A"}).read(Note.ROUND_OVER)
    yield from _table(claimed)
    yield "closing time", game.then(_close()).view()
    yield (
        "somebody wins",
        play("mexican_wisconsin", "AB", "A")
        .then(_shake("A"), _announce("A", "21"), _call("B"), _lifted(5, 2), _close())
        .view(),
    )


# --- liar's dice ---


def _common(play: Play) -> Views:
    game = play("liars_common", opener="A", spot_on=True)
    yield "opens", game.view()
    yield from _menu(game)
    claimed = game.then(_bid("A", 4, 5))
    yield "4 x 5 to beat", claimed.view()
    yield from _menu(claimed)
    yield "too low", claimed.refuses(_bid("B", 3, 6))
    called = claimed.then(_call("B"))
    yield from _called(called)
    one = called.then(_reveal("A", 5, 5, 4, 3, 1))
    yield "one has shown", one.read()
    two = one.then(_reveal("C", 6, 6, 4, 3, 2))
    yield "end: a die", two.then(_reveal("B", 6, 6, 4, 3, 2)).read(Note.ROUND_OVER)
    right = two.then(_reveal("B", 5, 5, 4, 3, 2))
    yield "end: the bid was right", right.read(Note.ROUND_OVER)
    yield "the next hand", right.view()
    yield from _doubted(right)
    exact = claimed.then({"type": "spot_on", "player": "B"}, _reveal("A", 5, 5, 4, 3, 1), _reveal("C", 6, 6, 4, 3, 2))
    yield "end: spot on", exact.then(_reveal("B", 5, 6, 4, 3, 2)).read(Note.ROUND_OVER)
    for mode in ("drinks", "round_wager"):
        other = play("liars_common", "AB", "A", mode=mode).then(_bid("A", 4, 5), _call("B"))
        other = other.then(_reveal("A", 5, 5, 4, 3, 2), _reveal("B", 6, 6, 4, 3, 2))
        yield f"end: {mode}", other.read(Note.ROUND_OVER)
        yield f"over: {mode}", other.then(_close()).view()
    yield from _table(claimed)
    spoken = play("liars_common", "AB", "A", announce="spoken")
    yield "spoken", spoken.view()
    anyone = play("liars_common", opener="A", announce="spoken", challenge="anyone").then(_call("B"))
    lying = anyone.then(*(_reveal(seat, 6, 5, 4, 3, 2) for seat in "ACB"))
    yield "spoken: who has lost", lying.view()
    yield from ((f"spoken, {name}", view) for name, view in _everything(lying))
    in_place = play("liars_common", opener="A", reveal="in_place").then(_bid("A", 4, 5), _call("B"))
    yield "all lift in place", in_place.view()
    yield "closing time", game.then(_close()).view()
    last = play("liars_common", "AB", "A", dice_each=1).then(
        _bid("A", 2, 5), _call("B"), _reveal("A", 5), _reveal("B", 2)
    )
    yield "somebody wins", last.view()


def _individual(play: Play) -> Views:
    game = play("liars_individual", "AB", "A")
    yield "opens", game.view()
    yield from _menu(game)
    claimed = game.then(_hand("A", "pair", 6))
    yield "a pair to beat", claimed.view()
    yield from _menu(claimed, claims=False)
    yield "a full house to beat", game.then(_hand("A", "full_house", 1, 6)).view()
    yield "too low", claimed.refuses(_hand("B", "pair", 2))
    again = claimed.then({"type": "reroll", "player": "B", "dice": 3})
    yield "rolled again", again.view()
    yield "cannot call now", again.refuses(_call("B"))
    called = game.then(_hand("A", "full_house", 1, 6), _call("B"))
    yield from _called(called)
    end = called.then(_reveal("A", 6, 6, 1, 1, 1))
    yield "end: it was true", end.read(Note.ROUND_OVER)
    yield "end: a lie", called.then(_reveal("A", 6, 6, 2, 1, 1)).read(Note.ROUND_OVER)
    yield from _doubted(end)
    third = again.then(*({"type": "reroll", "player": "B", "dice": 1} for _ in range(2)))
    yield "the third re-roll calls", third.view()
    yield "one has shown", third.then(_reveal("A", 6, 6, 1, 2, 3)).read()
    marks = play("liars_individual", "AB", "A", mode="drinks", drinks=2).then(_hand("A", "pair", 6), _call("B"))
    yield "end: marks", marks.then(_reveal("A", 6, 5, 4, 2, 1)).read(Note.ROUND_OVER)
    yield from _table(claimed)
    lying = play("liars_individual", "AB", "A", announce="spoken").then(_call("B"), _reveal("A", 6, 5, 4, 2, 1))
    yield "spoken: who has lost", lying.view()
    yield from ((f"spoken, {name}", view) for name, view in _everything(lying))
    yield "closing time", game.then(_close()).view()
    yield "somebody wins", end.then(_close()).view()


def _stanford(play: Play) -> Views:
    game = play("liars_stanford", opener="A")
    yield "opens", game.view()
    yield from _menu(game)
    claimed = game.then(_hand("A", "three", 6))
    yield "three sixes to beat", claimed.view()
    yield from ((f"B, {name}", view) for name, view in _menu(claimed, claims=False))
    rolling = claimed.then({"type": "reroll", "player": "B", "dice": 3})
    yield "rolled in the box", rolling.view()
    yield "rolls outside", rolling.asks("outside")
    yield "lays one open", rolling.asks("show")
    outside = rolling.then({"type": "roll_outside", "player": "B", "faces": [5, 2]})
    yield "rolled outside", outside.read()
    yield "dice lie outside", outside.view()
    yield "the time is up: call", _late(game.then(_hand("A", "six", 6)))
    yield from ((f"two outside, {name}", view) for name, view in _menu(outside, claims=False))
    yield "believed is believed", outside.refuses(_call("B"))
    called = claimed.then(_call("B"))
    yield from _called(called)
    end = called.then(_reveal("A", 6, 6, 6, 4, 2, 1))
    yield "end: it was true", end.read(Note.ROUND_OVER)
    yield "end: a lie", called.then(_reveal("A", 6, 6, 5, 4, 2, 1)).read(Note.ROUND_OVER)
    yield from _doubted(end)
    yield from _table(claimed)
    lying = play("liars_stanford", opener="A", announce="spoken").then(_call("B"), _reveal("A", 6, 5, 4, 3, 2, 1))
    yield "spoken: who has lost", lying.view()
    yield from ((f"spoken, {name}", view) for name, view in _everything(lying))
    yield "closing time", game.then(_close()).view()
    yield (
        "somebody wins",
        play("liars_stanford", "AB", "A")
        .then(_hand("A", "six", 6), _call("B"), _reveal("A", 6, 6, 6, 4, 2, 1), _close())
        .view(),
    )


_SCENES: Final[Mapping[str, Callable[[Play], Views]]] = {
    "mexican_changsha": _changsha,
    "mexican_wisconsin": _wisconsin,
    "liars_common": _common,
    "liars_individual": _individual,
    "liars_stanford": _stanford,
}
CUP_GAMES: Final = tuple(_SCENES)
"""The games that have a contact sheet of their own."""


# --- what players do ---


def _labelled(game: Played, mark: str) -> Played:
    return replace(game, labels=Labels(mark, {"smoochy": "hug", "perform": "sings"}))


def _die(player: str, face: int) -> Event:
    return {"type": "die", "player": player, "face": face}


def _close() -> Event:
    return {"type": "close", "player": "A"}


def _shake(player: str) -> Event:
    return {"type": "shake", "player": player}


def _announce(player: str, value: str, **how: object) -> Event:
    return {"type": "announce", "player": player, "value": value, **how}


def _call(player: str) -> Event:
    return {"type": "challenge", "player": player}


def _lifted(*faces: int) -> Event:
    return {"type": "cup_lifted", "faces": list(faces)}


def _shown(player: str, *faces: int) -> Event:
    return {"type": "show_special", "player": player, "faces": list(faces)}


def _bid(player: str, quantity: int, face: int) -> Event:
    return {"type": "bid", "player": player, "quantity": quantity, "face": face}


def _hand(player: str, *hand: object) -> Event:
    return {"type": "call", "player": player, "hand": list(hand)}


def _reveal(player: str, *faces: int) -> Event:
    return {"type": "reveal", "player": player, "faces": list(faces)}
