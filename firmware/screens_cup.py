"""What the display shows of the games with a cup: who is to claim, call or show; never a hidden die. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware.claims import Said, said_of_bid, said_of_hand
from firmware.four import Four, four
from firmware.layout import Layout
from firmware.texts import Names, Text, Words, big, words
from firmware.views import View

TITLES: Final[Mapping[str, Words]] = {
    "mexico": words("MEXICO: press a seat"),
    "mexican_changsha": words("CHANGSHA: take a seat"),
    "mexican_wisconsin": words("WISCONSIN: sit down"),
    "liars_common": words("LIAR'S DICE: sit down"),
    "liars_individual": words("ONE HAND: sit down"),
    "liars_stanford": words("STANFORD: sit down"),
}
"""What stands over the table while people sit down, by game."""

MARKS: Final[Mapping[str, Words]] = {"mark": words("marks"), "drink": words("drinks")}
"""Labels of a penalty that are translated; another one of the house stands as it is."""

OPENING: Final[Mapping[str, Words]] = {
    "shake": words("shake, look inside"),
    "announce": words("say what you have"),
    "bid": words("turn: bid"),
    "call": words("turn: name a hand"),
    "choose": words("turn: choose a player"),
    "concede": words("turn: who concedes"),
}
"""What the seat on turn is to do, by the kind of event that is awaited first."""


def turn(view: View) -> Layout:
    """Return who is to do what now."""
    player = Names((view.player or "",))
    if view.ask is not None or view.dice:
        return _reveal(view, player)
    chosen = view.menu.chosen
    if chosen is not None:
        title = words("{player} claims?", player=player)
        return Layout(title, chosen.said.large, (chosen.said.words, words("push: yes"), _over(view)), chosen.said.four)
    standing, large = claim(view), ""
    code = four("opens", player=player.shown(1))
    if standing is not None:
        large, code = standing.large, _to_beat(view, standing, player.shown(1))
    lines = (_awaited(view), _callable(view), marks(view))
    return Layout(words("{player} is on", player=player), large, lines, code)


def _reveal(view: View, player: Names) -> Layout:
    """Say who is to let how many dice be seen."""
    dice = view.watching.dice
    lines: tuple[Text, ...] = (words("lift the cup"), words("{dice} dice are read", dice=dice))
    if view.game == "liars_common":
        lines = (words("slide them in"), words("{dice} dice are read", dice=dice))
    if view.ask is not None:
        lines = (*lines, words("STOP: hide again"))
    return Layout(words("{player}: SHOW", player=player), big("SHOW"), lines, four("show", player=player.shown(1)))


def shown(view: View) -> Layout:
    """Return what somebody has let be seen."""
    faces = "".join(map(str, view.faces or ()))
    lines = (_awaited(view), _over(view), marks(view))
    who = Names((str(view.words) or view.player or "",))
    return Layout(words("{player} shows", player=who), faces[:5], lines, four("score", player="", score=faces[:3]))


def round_over(view: View) -> Layout:
    """Return who was handed what, and who begins the next round."""
    drinks = view.table("drinks")
    faces = "".join(map(str, view.faces or ()))
    handed = tuple(f"{name} {'all' if penalty == 'finish' else penalty}" for name, penalty in drinks.items())
    first = next(iter(drinks), "")
    penalty = drinks.get(first, 0)
    code = four("handed", player=first[:1], units=penalty if isinstance(penalty, int) else 0)
    told: Text = Names(handed, whole=True) if handed else words("nobody pays")
    lost = view.text("loser")
    if not handed and lost:
        told = words("{player} loses", player=Names((lost,)))
    lines = (told, words("{player} begins", player=Names((view.player or "",))), marks(view))
    return Layout(words("END OF THE ROUND"), faces[:5], lines, code)


def over(view: View) -> Layout:
    """Return how the evening of this game ended."""
    winner = view.text("winner")
    if winner:
        title, name = words("{player} WINS", player=Names((winner,))), Names((winner,))
        told = (marks(view), view.words or words("STOP: play again"))
        return Layout(title, name, told, four("wins", player=winner[:1]))
    fewest = view.facts.get("fewest")
    names = Names(tuple(map(str, fewest)) if isinstance(fewest, (list, tuple)) else ())
    lines = (words("fewest: {players}", players=names), marks(view), view.words or words("STOP: play again"))
    return Layout(words("CLOSING TIME"), big("END"), lines, four("closed"))


def marks(view: View) -> Text:
    """Return what each seat has: dice where dice are lost, and marks everywhere else."""
    dice = view.table("dice_left")
    held = dice or view.table("marks")
    return Names(tuple(f"{name[:1]}{count}" for name, count in held.items()), whole=True)


def claim(view: View) -> Said | None:
    """Return what was claimed last, None when nothing stands."""
    bid, hand = view.facts.get("bid"), view.facts.get("call")
    if isinstance(bid, (list, tuple)) and len(bid) == 2:
        return said_of_bid(*bid)
    if isinstance(hand, (list, tuple)) and hand:
        return said_of_hand(hand)
    value = view.text("to_beat")
    return Said(value, words("to beat: {value}", value=value), four("score", player="", score=value)) if value else None


def _to_beat(view: View, standing: Said, initial: str) -> Four:
    value = view.text("to_beat")
    return four("to_beat", player=initial, score=value) if value else standing.four


def _over(view: View) -> Text:
    """Return what a claim has to be above."""
    standing = claim(view)
    return "" if standing is None else words("over {claim}", claim=standing.large)


def _awaited(view: View) -> Text:
    """Return what the seat on turn is to do first."""
    return next((OPENING[kind] for kind in view.menu.kinds if kind in OPENING), "")


def _callable(view: View) -> Text:
    """Say that somebody may call, and how."""
    return words("liar? press your seat") if view.callers else ""
