"""What happened between two moments of a game with a cup, for those who cannot see it. Pure.

Who did what is told by the knob entry that was pushed, where the facts bear it out, and else by the facts alone: a call
has a button, a shake is seen by the camera.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from firmware.caller_cup_now import on_turn, turn_key, whose_turn
from firmware.caller_hands import DEEDS, SPECIALS, bid_said, done, faces_said, hand_said, offered, standing
from firmware.caller_seen import Lines, asked, beside, grown, listed, numbers, signed
from firmware.caller_words import Say, say
from firmware.cups import NOTHING_TO_SHOW, TURN_FIRST
from firmware.menu import CLAIMS, SHOW
from firmware.texts import Text
from firmware.views import Note, Phase, View
from mexico.bluff import FINISH
from mexico.game import Ask

Event = Mapping[str, object]


def begun(now: View) -> Lines:
    """Yield that a game begins, and who plays."""
    yield say(Say.CUP_BEGINS, names=", ".join(now.seats.values()))
    dice = set(numbers(now, "dice_left").values())
    if dice:
        yield say(Say.DICE_EACH, dice=max(dice))


def walked(before: View, now: View) -> Lines:
    """Yield the entry that the knob has just come to."""
    entry = now.menu.chosen
    if entry is None or (before.menu.place == now.menu.place and before.menu.entries == now.menu.entries):
        return
    yield offered(entry.does, now)
    if before.menu.chosen is None:
        yield say(Say.PUSH_IT)


def happened(before: View, now: View) -> Lines:
    """Yield what somebody did with cup, knob or button, and what it has led to."""
    if now.note in (Note.NOT_NOW, Note.DECIDED):
        yield say(Say.WORDS, words=aloud(now.words))
        if now.words in (TURN_FIRST, NOTHING_TO_SHOW):
            yield from _again(now)
    elif now.faces is not None and now.note not in (Note.NONE, Note.UNSAVED):
        yield from _thrown(before, now, now.faces)
    else:
        yield from _pressed(before, now)
    yield from _called(before, now)
    yield from _moved(before, now)


def _again(now: View) -> Lines:
    """Yield what is to be done: whoever presses what does nothing wants to hear what does something."""
    if now.rolling_for_lead:
        yield say(Say.ONE_DIE_OPENS, name=now.player)
    else:
        yield from whose_turn(now)


def then(before: View, now: View) -> Lines:
    """Yield what the turn is now, if it is another one."""
    if before.ask is not None and now.ask is None and now.note is Note.NOT_NOW:
        return  # why it was refused has just been said
    if now.menu.chosen is not None and now.menu != before.menu:
        return  # what the knob has come to has just been said
    if turn_key(before) != turn_key(now):
        deed = pushed(before, now)
        claimed = deed is not None and deed["type"] in CLAIMS
        yield from on_turn(now, claimed=claimed, named=_stays(before, now))


def _stays(before: View, now: View) -> bool:
    """Whether the seat on turn goes on with its turn, after something was told of it."""
    same = before.player == now.player and now.note in (Note.NONE, Note.ROLLED) and not now.text("waiting_for")
    return same and not any(before.facts.get(fact) != now.facts.get(fact) for fact in ("rounds_played", "left"))


def aloud(words: Text) -> str:
    """Return *words* of the display with dice named one by one."""
    return re.sub(r"(?<=\d)-(?=\d)", " ", str(words))


# --- who did what ---


def pushed(before: View, now: View) -> Event | None:
    """Return what the seat on turn has done by pushing the knob, None where the knob was not pushed."""
    entry = before.menu.chosen
    if entry is None or isinstance(entry.does, Ask) or now.menu.chosen is not None:
        return None
    if before.phase is not Phase.PLAYING or now.note is Note.NOT_NOW or grown(before, now, "left"):
        return None
    return entry.does if BORNE_OUT[str(entry.does["type"])](before, now, entry.does) else None


def _ended(before: View, now: View, _does: Event) -> bool:
    return now.number("rounds_played") > before.number("rounds_played")


def _changed(fact: str) -> Callable[[View, View, Event], bool]:
    return lambda before, now, _does: before.facts.get(fact) != now.facts.get(fact)


def _claimed(before: View, now: View, does: Event) -> bool:
    bid = [does.get("quantity"), does.get("face")]
    stands = {"announce": does.get("value"), "bid": bid, "call": does.get("hand")}[str(does["type"])]
    fact = now.facts.get({"announce": "to_beat"}.get(str(does["type"]), str(does["type"])))
    return stands == fact and before.player != now.player and not now.text("waiting_for")


def _shaken(before: View, now: View, _does: Event | None = None) -> bool:
    """Whether the cup was shaken, by whom the camera saw or who pushed the knob for it."""
    if "shake" not in before.menu.kinds or now.text("waiting_for") or before.ask is not None:
        return False
    same = ("rounds_played", "marks", "left", "direction")
    if any(before.facts.get(fact) != now.facts.get(fact) for fact in same):
        return False
    if before.player == now.player:
        return not now.callers and turn_key(before) != turn_key(now)
    # Where claims are only spoken the table knows no more than that the cup has gone on.
    return now.text("to_beat") == before.text("to_beat") == "" and before.player != now.player


BORNE_OUT: Final[Mapping[str, Callable[[View, View, Event], bool]]] = {
    **dict.fromkeys(CLAIMS, _claimed),
    "shake": _shaken,
    "reroll": _changed("rerolls_left"),
    "choose": _changed("waiting_for"),
    "concede": _ended,
    "caught_cheating": _ended,
    "die_on_floor": lambda before, now, does: _changed("marks")(before, now, does) and not _ended(before, now, does),
    "put_back": _changed("inside"),
    "spot_on": _changed("called_spot_on"),
}
"""Whether the facts bear out that an entry of the knob was done, by its type."""


def _pressed(before: View, now: View) -> Lines:
    deed = pushed(before, now)
    if deed is not None:
        if deed["type"] != "spot_on":
            yield done(deed)
    elif before.phase is not Phase.PLAYING:
        return
    elif before.ask is not None and now.ask is None:
        yield say(Say.HIDES, name=asked(before))
    elif _shaken(before, now):
        yield say(Say.DONE, name=before.player, deed=say(DEEDS["shake"]))


def _called(before: View, now: View) -> Lines:
    """Yield who calls whom: the name of the accused is that of who shows his dice first."""
    if not _reveals(now) or _reveals(before) or before.phase is not Phase.PLAYING:
        return
    deed = pushed(before, now)
    if (deed is not None and deed["type"] == "reroll") or before.ask is not None:
        yield say(Say.CALLED_ITSELF)
    elif "called_spot_on" in now.facts:
        called = now.text("called")
        template = Say.CALLS_SPOT_ON if now.facts["called_spot_on"] else Say.CALLS
        yield say(template if called else Say.CALLS_ANY, name=now.text("caller"), other=called)
    else:
        accused = now.player or ""
        caller = before.callers[0] if len(before.callers) == 1 else beside(now, accused, 1)
        yield say(Say.CALLS, name=caller, other=accused)


def _reveals(view: View) -> bool:
    return view.text("waiting_for").startswith("reveal")


# --- what was shown ---


def _thrown(before: View, now: View, faces: tuple[int, ...]) -> Lines:
    name = str(now.words) if before.ask is None else asked(before)
    if before.rolling_for_lead:
        yield say(Say.DIE_OPENS, name=name, face=faces[0])
    elif before.ask is not None and before.ask.what == "exposed":
        yield say(Say.BESIDE_LIES, name=name, faces=faces_said(faces))
    elif before.ask is not None and "inside" in now.facts:
        yield say(Say.OUTSIDE_LIES, name=name, faces=" ".join(map(str, sorted(faces, reverse=True))))
    else:
        what = _what(before, now, name, faces)
        yield say(Say.SHOWS_AS if what else Say.SHOWS, name=name, faces=faces_said(faces), what=what)


def _what(before: View, now: View, name: str, faces: tuple[int, ...]) -> str:
    """Return what the dice shown are, where that has a name: a hand, or a special."""
    hand = now.table("hands").get(name)
    if isinstance(hand, (list, tuple)) and hand:
        return hand_said(hand)
    if before.ask is None or before.ask.what != SHOW:
        return ""
    value = "".join(map(str, sorted(faces, reverse=True)))
    special = SPECIALS.get(now.game, {}).get(value)
    return "" if special is None else say(special)


# --- what followed ---


def _moved(before: View, now: View) -> Lines:
    """Yield what changed round the table: the direction, and who sits where."""
    direction = now.text("direction")
    if before.phase is Phase.PLAYING and direction != before.text("direction"):
        yield say(Say.CLOCKWISE if direction == "clockwise" else Say.COUNTERCLOCKWISE)
    if before.phase is Phase.PLAYING and before.seats != now.seats:
        yield say(Say.SWAPPED)
        changed = (seat for seat in now.seats if before.seats.get(seat) != now.seats[seat])
        yield from (say(Say.SITS_AT, name=now.seats[seat], seat=seat) for seat in changed)


def followed(before: View, now: View) -> Lines:
    """Yield what a round has cost, or what was handed out in the middle of one."""
    if round_over(before, now):
        if "count" in now.facts and before.facts.get("bid") and now.facts.get("count") is not None:
            yield _counted(before, now)
        yield say(Say.ROUND_ENDS)
        yield from _cost(before, now)
    elif before.phase is Phase.PLAYING and before.facts.get("marks") != now.facts.get("marks"):
        yield from _marked(now)
    elif now.phase is Phase.OVER and before.facts.get("payments") != now.facts.get("payments"):
        yield from _paid(now)
    elif grown(before, now, "left") and now.phase is Phase.PLAYING and not before.rolling_for_lead:
        yield say(Say.ROUND_VOID)


def round_over(before: View, now: View) -> bool:
    """Whether a round has ended, or ended otherwise because its dice were read again."""
    played, were = now.number("rounds_played"), before.number("rounds_played")
    told = ("loser", "drinks", "dice_left", "balance")
    anew = before.phase is Phase.DISPUTED and any(before.facts.get(fact) != now.facts.get(fact) for fact in told)
    return played > were or (played == were > 0 and anew)


def _counted(before: View, now: View) -> str:
    """Return how many dice of the face that was bid lie there."""
    bid = before.facts["bid"]
    face = int(bid[1]) if isinstance(bid, (list, tuple)) else 1
    return say(Say.COUNTED, count=bid_said(now.number("count"), face), bid=standing(before))


def _cost(before: View, now: View) -> Lines:
    marked = now.table("drinks")
    yield from _marked(now)
    for name, had in numbers(before, "dice_left").items():
        left = numbers(now, "dice_left").get(name, had)
        if left < had:
            yield say(Say.LOSES_DIE if had - left == 1 else Say.LOSES_DICE, name=name, dice=had - left, left=left)
    out = grown(before, now, "out")
    yield from (say(Say.OUT, name=name) for name in out if name not in listed(now, "left"))
    yield from _paid(now)
    if not marked and before.facts.get("dice_left") == now.facts.get("dice_left") and not now.facts.get("payments"):
        yield say(Say.LOSES, name=now.text("loser")) if now.text("loser") else say(Say.NO_MARKS)


def _paid(now: View) -> Lines:
    balance = numbers(now, "balance")
    for name, units in numbers(now, "payments").items():
        held = signed(balance.get(name, 0))
        yield say(Say.WAGER_PAID if units < 0 else Say.WAGER_WON, name=name, units=abs(units), balance=held)


def _marked(now: View) -> Lines:
    """Yield who was handed what, and how many marks he has now."""
    drinks, marks = now.table("drinks"), numbers(now, "marks")
    playing = {name for name in marks if name not in listed(now, "left")}
    if len(playing) > 1 and playing == set(drinks) and set(drinks.values()) == {1}:
        yield say(Say.ALL_MARKED)
        return
    for name, more in drinks.items():
        if more == FINISH:
            yield say(Say.FINISHES, name=name)
        else:
            yield say(Say.MARK if more == 1 else Say.MARKS, name=name, more=more, marks=marks.get(name, 0))
