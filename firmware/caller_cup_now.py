"""What one moment of a game with a cup is to somebody who cannot see: whose turn, what to beat, what may be done. Pure.

It reads the facts that everybody may know and what the rules allow; no view has dice that lie under a cup.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from firmware.caller_hands import faces_said, standing
from firmware.caller_seen import Lines, asked, beside, listed, numbers, one_by_one
from firmware.caller_words import Say, say
from firmware.menu import SHOW
from firmware.views import View

SLID: Final = "liars_common"
"""The game of bids on the dice of all: cups stand before the players, dice are slid into the tray, or lie there."""

SHAKEN: Final = {SLID: Say.ALL_SHAKE, "liars_individual": Say.ALL_SHAKE, "liars_stanford": Say.SHAKE}
"""Who shakes before a round where the camera does not look for it."""


def turn_key(view: View) -> tuple[object, ...]:
    """Return what a turn is known by: when it differs, somebody is to do something else."""
    facts = ("rounds_played", "waiting_for", "to_beat", "bid", "call", "rerolls_left", "left", "visible")
    doing = (view.player, view.menu.kinds, view.callers, view.ask, view.awaited, view.may_show)
    return *doing, *(str(view.facts.get(fact)) for fact in facts)


def on_turn(view: View, *, claimed: bool = False, named: bool = False, again: bool = False) -> Lines:
    """Yield who is to do what, unless just *named*; what there is to beat, unless just *claimed*.

    Said *again*, nobody is asked to shake: only the camera knows of some cups that they were shaken.
    """
    if view.awaited:
        yield from _shows(view)
        return
    opens = not standing(view) and view.player == view.text("opener") and not view.text("waiting_for")
    if _conceding(view):
        yield say(Say.WHO_GIVES_IN)
    elif not named:
        yield say(Say.OPENS if opens else Say.YOUR_TURN, name=view.player)
    if opens and view.game in SHAKEN and not (named or again):
        yield say(SHAKEN[view.game])
    if not claimed:
        yield from to_beat(view)
    yield from _may(view)


def whose_turn(view: View) -> Lines:
    """Yield what lies open, and who is to do what."""
    if _lies(view):
        yield say(Say.LIES, faces=faces_said(_lies(view)))
    shown = [(name, faces_said(faces)) for name, faces in view.table("visible").items() if isinstance(faces, list)]
    if shown:
        yield say(Say.SHOWN, shown=one_by_one(shown))
    if view.awaited and standing(view):
        yield say(Say.CLAIMED, claim=standing(view))
    yield from on_turn(view, again=True)


def _lies(view: View) -> tuple[int, ...]:
    """Return the faces that lie open, where they are not of several players."""
    lying = view.facts.get("visible")
    return tuple(int(str(face)) for face in lying) if isinstance(lying, (list, tuple)) else ()


def _conceding(view: View) -> bool:
    """Whether all is shown, and who has lost is to say so."""
    return view.text("waiting_for").startswith("conce")


def to_beat(view: View) -> Lines:
    """Yield the claim that stands, and whose it is where the table knows."""
    claim = standing(view)
    holder = _holder(view)
    if claim:
        yield say(Say.TO_BEAT_OF if holder else Say.TO_BEAT_IS, claim=claim, name=holder)


def _holder(view: View) -> str:
    if view.text("bidder"):
        return view.text("bidder")
    if view.facts.get("call"):
        return view.text("caller")
    # Of the one cup that goes round it is known as long as the claim can be called.
    return beside(view, view.player or "", -1) if view.player in view.callers else ""


def _shows(view: View) -> Lines:
    """Yield whose dice are to be shown, and how many."""
    dice, name = view.awaited, asked(view)
    if view.in_place:
        yield say(Say.ALL_LIFT_ONE if dice == 1 else Say.ALL_LIFT, name=name, dice=dice)
    elif view.game == SLID:
        yield say(Say.SLIDE_ONE if dice == 1 else Say.SLIDE, name=name, dice=dice)
    elif view.ask is not None and view.ask.what == "exposed":
        yield say(Say.LIFT_ONE, name=name)
    elif view.ask is not None and "inside" in view.facts:
        yield say(Say.LAY_OUT if view.ask.what == SHOW else Say.THROW_OUT, name=name, dice=dice)
    else:
        yield say(Say.LIFT, name=name, dice=dice)
    if view.ask is not None:
        yield say(Say.HIDE)


def _may(view: View) -> Lines:
    """Yield what the seat on turn may do, the ordinary things first, and who may call."""
    kinds = view.menu.kinds
    if "shake" in kinds:
        yield from _may_shake(view)
    for kind, template in TURNED_TO.items():
        if kind in kinds:
            yield say(template, left=view.number("rerolls_left"))
    if "concede" in kinds and not _conceding(view):
        yield say(Say.TO_GIVE_IN)
    if set(view.callers) == {view.player}:
        yield say(Say.TO_CALL)
    elif {*view.seats.values()} - {*listed(view, "left"), *listed(view, "out")} == {*view.callers}:
        yield say(Say.ALL_CALL)
    elif view.callers:
        yield say(Say.ANY_CALLS, names=", ".join(view.callers))
    if view.may_show:
        yield say(Say.TO_SHOW)


def _may_shake(view: View) -> Lines:
    """Yield what the cup is taken for: to begin, to believe, or once more."""
    if view.callers:
        yield say(Say.BELIEVE)
        if "announce" in view.menu.kinds:
            yield say(Say.MAY_STAY)
    else:
        yield say(Say.SHAKE_AGAIN if "announce" in view.menu.kinds else Say.SHAKE)


TURNED_TO: Final = {
    "announce": Say.TO_CLAIM,
    "bid": Say.TO_BID,
    "call": Say.TO_NAME,
    "reroll": Say.TO_REROLL,
    "outside": Say.TO_ROLL_OUT,
    SHOW: Say.TO_LAY_OUT,
    "spot_on": Say.TO_SPOT_ON,
    "choose": Say.TO_CHOOSE,
}
"""What the knob is turned for, by the kind of its entries; dice on the floor and cheats are found there when needed."""


# --- everything ---


def everything(view: View) -> Lines:
    """Yield whose turn it is and how the game stands."""
    yield from whose_turn(view)
    if view.number("dice_in_play"):
        yield say(Say.EXPECTED, dice=view.number("dice_in_play"), expected=view.number("expected"))
    yield from counts(view)
    if view.text("direction") == "counterclockwise":
        yield say(Say.COUNTERCLOCKWISE)
    if view.text("loser"):
        yield say(Say.LAST_LOST, name=view.text("loser"))


def counts(view: View) -> Lines:
    """Yield what everybody has: dice where dice are lost, marks, glasses and wagers where there are any."""
    dice, marks, glasses, balance = (numbers(view, fact) for fact in ("dice_left", "marks", "finishes", "balance"))
    still: Callable[[dict[str, int]], str] = lambda had: one_by_one(  # noqa: E731 - who has left has nothing any more
        {name: count for name, count in had.items() if name not in listed(view, "left")}
    )
    if dice:
        yield say(Say.DICE_OF, dice=still(dice))
    if any(marks.values()) or not dice:
        yield say(Say.MARKS_OF, marks=still(marks))
    if any(glasses.values()):
        yield say(Say.GLASSES_OF, glasses=still(glasses))
    if any(balance.values()):
        yield say(Say.BALANCE_OF, balance=one_by_one(balance))


def won(view: View) -> Lines:
    """Yield how the game has ended."""
    fewest = listed(view, "fewest")
    if view.text("winner"):
        yield say(Say.CUP_WINS, name=view.text("winner"))
    elif fewest and any(numbers(view, "marks").values()):
        yield say(Say.FEWEST, names=", ".join(fewest))
    else:
        yield say(Say.NOBODY_WINS)
    yield from counts(view)
