"""What the caller says of what the table showed before and shows now, for those who cannot see it. Pure.

Whoever cannot see is told whose turn it is, what lies, and what there is to beat; when the knob only turns a page of
the display, everything is said again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from firmware import caller_cup
from firmware.caller_now import (
    called,
    everything,
    offer,
    on_turn,
    opened,
    turn_key,
    who_sits,
    whose_turn,
    won,
)
from firmware.caller_seen import Lines, grown, is_cup, listed
from firmware.caller_words import ASKED, FAULTS, GAMES, Say, say, score_said, spoken
from firmware.dispute import Choice, Dispute
from firmware.events import IT_SEES
from firmware.texts import Text
from firmware.views import Note, Phase, View
from mexico.throw import Throw


@dataclass(frozen=True, slots=True)
class Call:
    """What is to be said, and whether it cuts short what is being said."""

    sentence: str
    cuts: bool = True


def call(before: View | None, now: View) -> Call | None:
    """Return what is said when the table shows *now*, None for nothing.

    Parameters
    ----------
    before
        What it showed until now, None when it has just been switched on.
    now
        What it shows from now on.
    """
    if before is None:
        return Call(" ".join(_switched_on(now)))
    if before == now:
        return None
    if before == replace(now, page=before.page):
        return Call(everything(now))
    lines = [*_camera(before, now), *_PHASES[now.phase](before, now)]
    return Call(" ".join(lines), cuts=_matters(before, now)) if lines else None


def _matters(before: View, now: View) -> bool:
    """Whether somebody has just done something, or nothing can be done any more: what was said before is old."""
    if now.camera.lost is not None and before.camera.lost is None:
        return True
    if now.phase is Phase.DISPUTED and before.phase is Phase.DISPUTED:
        return _offered(before) != _offered(now)
    return _at_the_table(now) != _at_the_table(before)


def _at_the_table(view: View) -> View:
    """Return *view* without what is known of camera and disk."""
    return replace(view, camera=IT_SEES, unsaved=0)


def _offered(view: View) -> tuple[Choice | None, Text]:
    return None if view.dispute is None else view.dispute.choice, view.words


def _switched_on(now: View) -> Lines:
    if now.phase is Phase.PAUSED:
        yield say(Say.FOUND)
    yield everything(now)


def _camera(before: View, now: View) -> Lines:
    if now.camera.lost is not None and before.camera.lost is None:
        yield say(Say.CAMERA_LOST)
    elif now.camera.lost is None and before.camera.lost is not None:
        yield say(Say.CAMERA_BACK)
        if now.phase is Phase.PLAYING and now.phase is before.phase:
            yield from whose_turn(now)


# --- before play ---


def _sitting(before: View, now: View) -> Lines:
    if before.phase is not Phase.SITTING:
        yield everything(now)
        return
    if before.seats != now.seats:
        yield from _seats(before, now)
    elif before.card != now.card:
        yield from _card(before, now)
    yield from _new_words(before, now)


def _seats(before: View, now: View) -> Lines:
    for seat in sorted(now.seats.keys() - before.seats.keys()):
        yield say(Say.JOINS, seat=seat, name=now.seats[seat])
    for seat in sorted(before.seats.keys() - now.seats.keys()):
        yield say(Say.GETS_UP, seat=seat, name=before.seats[seat])
    yield from who_sits(now)


def _card(before: View, now: View) -> Lines:
    card = now.card
    if card is None:
        yield say(Say.CARD_AWAY)
        yield from who_sits(now)
        return
    known = {"rule": spoken(str(card.name)), "value": spoken(str(card.value))}
    if card.place == 0:
        yield say(Say.GAME, value=say(GAMES[now.game]))
    elif card.rules:
        yield say(Say.ALL_RULES, value=" ".join(card.rules))
    elif before.card is not None and before.card.place == card.place:
        yield say(Say.VALUE, **known)
    else:
        yield say(Say.RULE, number=card.place, explains=card.explains, **known)


# --- play ---


def _playing(before: View, now: View) -> Lines:
    if before.phase is Phase.SITTING or (before.phase is Phase.OVER and now.phase is Phase.PLAYING):
        yield from _begun(now)
        yield from on_turn(now)
        return
    if _anew(before, now):
        yield from _happened(before, now)
    elif is_cup(now) and before.menu != now.menu:
        yield from caller_cup.walked(before, now)
    else:
        yield from _new_words(before, now)
    yield from _followed(before, now)
    if now.phase is Phase.OVER:
        if before.phase is not Phase.OVER:
            yield from won(now)
    elif before.phase is not Phase.PLAYING:
        yield from whose_turn(now)
    elif is_cup(now) and not before.rolling_for_lead:
        yield from caller_cup.then(before, now)
    elif turn_key(before) != turn_key(now):
        yield from on_turn(now)


def _begun(now: View) -> Lines:
    if is_cup(now):
        yield from caller_cup.begun(now)
        return
    units = max((int(str(units)) for units in now.table("units").values()), default=0)
    yield say(Say.BEGINS, names=", ".join(now.seats.values()), units=units)


def _anew(before: View, now: View) -> bool:
    """Whether something has happened, however much it looks like what happened before."""
    return before.moment != now.moment or before.phase is not now.phase


def _happened(before: View, now: View) -> Lines:
    """Yield what somebody did."""
    if before.phase is Phase.PAUSED:
        if before.player is not None:  # else the game was over when it was paused
            yield say(Say.CLOSING if now.phase is Phase.OVER else Say.GOES_ON)
    elif before.phase is Phase.DISPUTED and now.note is Note.NONE:
        yield say(Say.UNCHANGED)
    elif now.fault is not None:
        yield say(Say.REFUSED, name=before.player, fault=say(FAULTS[now.fault]), words=now.words)
    elif now.note in ASKED:
        yield say(ASKED[now.note], name=now.words)
    elif is_cup(now):
        yield from caller_cup.happened(before, now)
    elif now.note in (Note.NOT_NOW, Note.DECIDED):
        yield say(Say.WORDS, words=_aloud(now.words))
    elif now.faces is not None and now.note not in (Note.NONE, Note.UNSAVED):
        yield from _thrown(before, now, now.faces)
    elif _has_stopped(before, now):
        yield say(Say.STOPS, name=before.player, score=called(before.table("scores").get(before.player or "")))


def _thrown(before: View, now: View, faces: tuple[int, ...]) -> Lines:
    name = now.words
    if before.rolling_for_lead:
        yield say(Say.DIE, name=name, face=faces[0])
        return
    known = {"name": name, "roll": before.number("rolls_used") + 1, "score": score_said(Throw.of(*faces))}
    stake = before.number("stake") if _round_over(before, now) else now.number("stake")
    if before.text("lead") == name:
        yield say(Say.LEAD_ROLLED, stake=stake, **known)
    else:
        yield say(Say.ROLLED, rolls=before.most_rolls, stake=stake, **known)
    if now.note is Note.MEXICO and not _tied(before, now):
        yield say(Say.SAFE, name=name) if now.table("scores") else say(Say.NOBODY_PAYS)


def _has_stopped(before: View, now: View) -> bool:
    """Whether the seat that was on turn has ended it by hand, or by the clock."""
    return before.may_stop and turn_key(before) != turn_key(now) and not grown(before, now, "left")


def _followed(before: View, now: View) -> Lines:
    """Yield what it has led to."""
    yield from (say(Say.LEAVES, name=name) for name in grown(before, now, "left"))
    if before.phase is Phase.PLAYING:
        yield from (say(Say.BUYS_IN, name=name) for name in grown(now, before, "out"))
    if is_cup(now):
        yield from caller_cup.followed(before, now)
    elif grown(before, now, "left") and not _round_over(before, now):
        yield say(Say.POT, pot=now.number("pot"))
    elif _round_over(before, now):
        yield from _paid(before, now)
    if _tied(before, now):
        yield say(Say.TIED, names=", ".join(listed(now, "subround")))
    again = listed(now, "rerolling")
    if again and not set(again) <= set(listed(before, "rerolling")):
        yield say(Say.TIED_OPENS if is_cup(now) else Say.TIED_LEAD, names=", ".join(again))
    if now.unsaved and not before.unsaved:
        yield say(Say.UNSAVED)
    elif before.unsaved and not now.unsaved:
        yield say(Say.SAVED)


def _tied(before: View, now: View) -> bool:
    """Whether the lowest score is shared, and a sub-round begins."""
    return bool(now.facts.get("subround")) and now.facts.get("subround") != before.facts.get("subround")


def _paid(before: View, now: View) -> Lines:
    loser = now.text("loser")
    yield say(Say.PAYS, name=loser, paid=now.table("paid").get(loser, 0), left=now.table("units").get(loser, 0))
    yield from (say(Say.OUT, name=name) for name in grown(before, now, "out"))
    if now.number("pot"):
        yield say(Say.POT, pot=now.number("pot"))


def _round_over(before: View, now: View) -> bool:
    """Whether a round has ended, or ended otherwise because its last throw was read again."""
    played, were = now.number("rounds_played"), before.number("rounds_played")
    told = ("loser", "paid", "round_scores")
    anew = before.phase is Phase.DISPUTED and any(before.facts.get(fact) != now.facts.get(fact) for fact in told)
    return played > were or (played == were > 0 and anew)


# --- pauses and doubts ---


def _paused(before: View, now: View) -> Lines:
    if before.phase is not Phase.PAUSED:
        yield say(Say.PAUSED)
        yield say(Say.STOP_GOES_ON)
    yield from _new_words(before, now)


def _disputed(before: View, now: View) -> Lines:
    doubt, was = now.dispute, before.dispute
    if doubt is None:
        return
    if was is None:
        yield from opened(now, doubt)
    elif was.choice is not doubt.choice:
        yield from offer(now, doubt)
    elif doubt.hands.keys() - was.hands.keys():
        yield from _hands(now, doubt, was)
    yield from _new_words(before, now)


def _hands(view: View, doubt: Dispute, was: Dispute) -> Lines:
    for seat in sorted(doubt.hands.keys() - was.hands.keys()):
        yield say(Say.AGREES, name=view.seats.get(seat, ""))
    if doubt.by_all and not doubt.agreed:
        yield say(Say.NEEDED, name=", ".join(name for seat, name in view.seats.items() if seat not in doubt.hands))
    elif doubt.on_turn is not None and doubt.on_turn not in doubt.hands:
        yield say(Say.NEEDED, name=view.seats.get(doubt.on_turn, ""))
    elif not doubt.agreed:
        yield say(Say.ONE_MORE)


def _new_words(before: View, now: View) -> Lines:
    if now.words and (now.words != before.words or _anew(before, now)):
        yield say(Say.WORDS, words=_aloud(now.words))


def _aloud(words: Text) -> str:
    """Return *words* of the display with two faces as the score that they are."""
    return _FACES.sub(lambda faces: called("".join(sorted(faces.groups(), reverse=True))), str(words))


_FACES: Final = re.compile(r"\b([1-6])-([1-6])\b")
_PHASES: Final[Mapping[Phase, Callable[[View, View], Lines]]] = {
    Phase.SITTING: _sitting,
    Phase.PLAYING: _playing,
    Phase.DISPUTED: _disputed,
    Phase.PAUSED: _paused,
    Phase.OVER: _playing,
}
