"""What the display shows of the games with a cup: who is to claim, call or show; never a hidden die. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware.claims import Said, said_of_bid, said_of_hand
from firmware.four import Four, four
from firmware.layout import FOUR, Layout
from firmware.menu import CLAIMS
from firmware.penalties import cost, in_a_line, performs, special
from firmware.texts import Names, Text, Words, big, words
from firmware.views import View
from mexico.game import Ask

TITLES: Final[Mapping[str, Words]] = {
    "mexico": words("MEXICO: press a seat"),
    "mexican_changsha": words("CHANGSHA: take a seat"),
    "mexican_wisconsin": words("WISCONSIN: sit down"),
    "liars_common": words("LIAR'S DICE: sit down"),
    "liars_individual": words("ONE HAND: sit down"),
    "liars_stanford": words("STANFORD: sit down"),
}
"""What stands over the table while people sit down, by game."""

OPENING: Final[Mapping[str, Words]] = {
    "shake": words("shake, look inside"),
    "announce": words("turn: say a value"),
    "bid": words("turn: bid"),
    "call": words("turn: name a hand"),
    "choose": words("turn: choose a player"),
    "concede": words("turn: give in"),
}
"""What the seat on turn is to do, by the kind of event that is awaited first."""

ASKED: Final[Mapping[str, Words]] = {
    "shake": big("SHAKE"),
    "announce": big("SAY"),
    "bid": big("BID"),
    "call": big("SAY"),
    "choose": big("PICK"),
    "concede": big("LOST?"),
}
"""The same in one big word, where nothing stands that could be shown."""

ALOUD: Final[Mapping[str, Words]] = {
    "liars_common": big("BID"),
    "liars_individual": big("SAY"),
    "liars_stanford": big("SAY"),
}
"""What the players do where the table is told nothing but a call, and the camera looks for no shake."""

PLACES: Final[Mapping[str, Words]] = {
    "liars_common": words("slide them in"),
    "liars_stanford": words("lift the box"),
}
"""How dice that were called for get before the camera; elsewhere the cup is lifted."""

IN_PLACE: Final = words("all lift, hands off")
"""The same where everybody's dice lie in one tray."""

CLAIM_IN_TIME: Final = (words("the time is up: claim"), words("the time is up: claim, or call"))
LATE: Final[Mapping[str, tuple[Words, Words]]] = {
    **dict.fromkeys(CLAIMS, CLAIM_IN_TIME),
    "shake": (words("the time is up: shake"), words("the time is up: take the cup, or call")),
    "choose": (words("the time is up: choose a player"),) * 2,
    "concede": (words("the time is up: give in, or show"),) * 2,
    "": (words("the time is up: please throw"), words("the time is up: call")),
}
"""What is said to who takes too long, by the kind of event that is awaited first: where nobody may call, where somebody
may."""

PAIR: Final = 2


def turn(view: View) -> Layout:
    """Return who is to do what now."""
    player = Names((view.player or "",))
    if view.ask is not None or view.dice:
        return _reveal(view, player)
    chosen = view.menu.chosen
    if chosen is not None:
        claims = not isinstance(chosen.does, Ask) and chosen.does["type"] in CLAIMS
        title = words("{player} claims?", player=player) if claims else words("{player}: enter this?", player=player)
        over = _over(view) if claims else ""
        return Layout(title, chosen.said.large, (chosen.said.words, words("push: yes"), over), chosen.said.four)
    standing = claim(view)
    large, code = (_asked(view), _opens(view)) if standing is None else (standing.large, _to_beat(view, standing))
    lines = (_awaited(view), _callable(view), _outside(view), _counts(view), marks(view))
    return Layout(words("{player} is on", player=player), large, _three(*lines), code)


def lead(view: View) -> Layout:
    """Return who won the roll for who begins."""
    player = Names((view.player or "",))
    lines = _three(_awaited(view), _counts(view), marks(view))
    return Layout(words("{player} BEGINS", player=player), player, lines, _opens(view))


def _reveal(view: View, player: Names) -> Layout:
    """Say who is to let how many dice be seen."""
    dice = words("dice to show: {dice}", dice=view.awaited)
    if view.ask is None:
        title, large, code = words("{player}: SHOW", player=player), big("SHOW"), "show"
        how = IN_PLACE if view.in_place else PLACES.get(view.game, words("lift the cup"))
        lines = (how, dice, _claimed(view))
    elif view.ask.what == "outside":
        title, large, code = words("{player}: ROLL OUTSIDE", player=player), big("OUT"), "rolls_out"
        lines = (words("dice in the tray: {dice}", dice=view.awaited), words("STOP: no roll"), "")
    elif view.ask.what == "exposed":
        title, large, code = words("{player}: A DIE OUTSIDE", player=player), big("SEE"), "rolls_out"
        lines = (words("cup down, hands off"), dice, words("STOP: hide again"))
    else:
        title, large, code = words("{player}: SHOW", player=player), big("SHOW"), "show"
        lines = (PLACES.get(view.game, words("lift the cup")), dice, words("STOP: hide again"))
    return Layout(title, large, lines, four(code, player=player.shown(1)))


def shown(view: View) -> Layout:
    """Return what somebody has let be seen."""
    faces = "".join(map(str, view.faces or ()))
    who = Names((str(view.words) or view.player or "",))
    code: Four | str = four("score", player=who.shown(1), score=faces) if len(faces) <= PAIR else faces[:FOUR]
    if _so_far(view) is not None:
        code = four("so_far", units=_so_far(view))
    counted = "" if _so_far(view) is None else words("so far: {count}", count=view.number("count"))
    lines = _three(_effect(view, faces), _next(view), _over(view), counted, marks(view))
    return Layout(words("{player} shows", player=who), faces, lines, code)


def round_over(view: View) -> Layout:
    """Return who was handed what, and who begins the next round."""
    told, code = cost(view)
    begins = words("{player} begins", player=Names((view.player or "",)))
    faces = _lying(view)
    lost = Names((view.text("loser") or next(iter(view.table("drinks")), ""),))
    large = f"={view.number('count')}" if view.game == "liars_common" else faces or lost
    effect: Text = ""
    if not view.text("loser"):
        effect = _effect(view, faces)
        picked = next(iter(view.table("drinks")), "")
        if effect and faces in ("61", "16") and picked:
            effect = performs(view, picked) or effect
    return Layout(words("END OF THE ROUND"), large, _three(told, effect, begins, marks(view)), code)


def over(view: View) -> Layout:
    """Return how the evening of this game ended."""
    winner, again = view.text("winner"), view.words or words("STOP: play again")
    if winner:
        title, name = words("{player} WINS", player=Names((winner,))), Names((winner,))
        takes = view.table("payments").get(winner)
        won = words("and takes {units}", units=takes) if isinstance(takes, int) and takes > 0 else ""
        return Layout(title, name, _three(won, marks(view), again), four("wins", player=winner[:1]))
    fewest = view.facts.get("fewest")
    names = Names(tuple(map(str, fewest)) if isinstance(fewest, (list, tuple)) else ())
    lines = (words("fewest: {players}", players=names), marks(view), again)
    return Layout(words("CLOSING TIME"), big("END"), lines, four("closed"))


def marks(view: View) -> Text:
    """Return what each seat has: dice where dice are lost, units where there are wagers, marks everywhere else."""
    held = {name: _held(view, name) for name in view.table("marks")}
    return in_a_line({f"{name[:1]}{count}": int(count.partition("!")[0] or 0) for name, count in held.items()})


def _held(view: View, name: str) -> str:
    balance, finishes, count = view.table("balance"), view.table("finishes").get(name), view.table("marks").get(name)
    if view.number("dice_lost") or (view.table("dice_left") and not _any(view, "marks") and not _any(view, "balance")):
        return str(view.table("dice_left").get(name))
    if any(balance.values()):
        return f"{balance.get(name):+}" if isinstance(balance.get(name), int) else ""
    return f"{count}!{finishes}" if finishes else str(count)


def _any(view: View, fact: str) -> bool:
    return any(view.table(fact).values())


def claim(view: View) -> Said | None:
    """Return what was claimed last, None when nothing stands."""
    bid, hand = view.facts.get("bid"), view.facts.get("call")
    if isinstance(bid, (list, tuple)) and len(bid) == 2:
        return said_of_bid(*bid)
    if isinstance(hand, (list, tuple)) and hand:
        return said_of_hand(hand)
    value = view.text("to_beat")
    return Said(value, words("to beat: {value}", value=value), four("score", player="", score=value)) if value else None


def _to_beat(view: View, standing: Said) -> Four:
    """Return what was claimed last; while it may still be called with a dash, after that with a low line."""
    value = view.text("to_beat")
    name = "to_beat" if view.callers else "to_raise"
    return four(name, player=(view.player or "")[:1], score=value) if value else standing.four


def _opens(view: View) -> Four:
    """Return that the seat on turn may begin, or what else it is asked for."""
    kinds, initial = view.menu.kinds, (view.player or "")[:1]
    if _conceding(view):
        return four("who_lost")
    asked = {"choose": "picks", "announce": "say", "bid": "say", "call": "say"}
    return four(next((asked[kind] for kind in kinds if kind in asked), "opens"), player=initial)


def _asked(view: View) -> Text:
    """Return what the seat on turn is to do in one word; the dice, where they lie open to be judged."""
    if _conceding(view) and _lying(view):
        return _lying(view)
    asked = next((ASKED[kind] for kind in view.menu.kinds if kind in ASKED), "")
    return asked or (ALOUD.get(view.game, "") if _spoken(view) else "")


def in_time(view: View) -> Words:
    """Return what is awaited of the seat on turn, now that its time is up."""
    if not view.has_cup or (view.ask is not None and view.ask.what == "outside"):
        return words("the time is up: please throw")
    if view.awaited:
        return words("the time is up: show the dice")
    if _conceding(view):
        return words("the time is up: who has lost?")
    kind = next((kind for kind in view.menu.kinds if kind in LATE), "")
    return LATE[kind][bool(view.callers)]


def _over(view: View) -> Text:
    """Return what a claim has to be above."""
    standing = claim(view)
    return "" if standing is None else words("over {claim}", claim=standing.large)


def _claimed(view: View) -> Text:
    """Return what was claimed and is now called."""
    standing = claim(view)
    return "" if standing is None else words("claimed: {claim}", claim=standing.large)


def _awaited(view: View) -> Text:
    """Return what the seat on turn is to do first."""
    if _conceding(view):
        return words("turn: who has lost")
    aloud: Text = words("say it aloud") if _spoken(view) else ""
    return next((OPENING[kind] for kind in view.menu.kinds if kind in OPENING), aloud)


def _conceding(view: View) -> bool:
    """Whether dice lie open whose claim was only spoken, so that somebody has to say who lost."""
    return view.text("waiting_for").startswith("conce")


def _spoken(view: View) -> bool:
    """Whether all that the table waits for is a call: claims are only spoken."""
    open_to_all = bool(view.callers) and not view.dice and claim(view) is None
    return open_to_all and not any(kind in OPENING for kind in view.menu.kinds)


def _next(view: View) -> Text:
    """Return who is to act after something was shown."""
    player = Names((view.player or "",))
    return words("next: {player} shows", player=player) if view.dice else _awaited(view)


def _callable(view: View) -> Text:
    """Say that somebody may call, and how."""
    return words("liar? press your seat") if view.callers else ""


def _effect(view: View, faces: str) -> Text:
    """Return what the roll does that was shown and not called for."""
    return "" if _conceding(view) else special(view, "".join(sorted(faces, reverse=True)))


def _lying(view: View) -> str:
    """Return the faces that lie open, empty where they are of several players."""
    visible = view.facts.get("visible")
    return "".join(map(str, visible)) if isinstance(visible, (list, tuple)) else "".join(map(str, view.faces or ()))


def _outside(view: View) -> Text:
    """Return the dice that everybody sees beside the cup or box."""
    faces = _lying(view)
    beside = (view.game == "liars_stanford" and not _conceding(view)) or (
        view.game == "mexican_wisconsin" and len(faces) == 1
    )
    return words("outside: {faces}", faces=faces) if beside and faces else ""


def _counts(view: View) -> Text:
    """Return what can be counted of dice nobody sees: how many, how often a face is to be expected, rolls left."""
    left = view.facts.get("rerolls_left")
    if view.number("dice_in_play"):
        return words("{dice} dice, expect {count}", dice=view.number("dice_in_play"), count=view.number("expected"))
    return words("re-rolls left: {count}", count=left) if isinstance(left, int) else ""


def _so_far(view: View) -> int | None:
    """Return how many of what was bid lie open so far, None where nothing is counted."""
    count = view.facts.get("count")
    return count if isinstance(count, int) else None


def _three(*lines: Text) -> tuple[Text, ...]:
    """Return the first three of *lines* that say something."""
    return tuple(line for line in lines if line)[:3]
