"""What somebody who cannot see must know of one moment: whose turn it is, what lies, what there is to beat. Pure."""

from __future__ import annotations

from firmware import caller_cup_now
from firmware.caller_hands import faces_said, standing
from firmware.caller_seen import Lines, is_cup, listed
from firmware.caller_words import GAMES, OFFERS, Say, say, score_said
from firmware.dispute import TWO, Choice, Dispute
from firmware.views import Phase, View
from mexico.catalogue import GAMES as PLAYED
from mexico.throw import MEXICO, Throw


def everything(view: View) -> str:
    """Return all that somebody who cannot see must know of *view*, the most urgent first."""
    lost = [say(Say.CAMERA_LOST)] if view.camera.lost is not None else []
    return " ".join([*lost, *_whole(view)])


def turn_key(view: View) -> tuple[object, ...]:
    """Return what a turn is known by: when it differs, somebody is to do something else."""
    if is_cup(view) and not view.rolling_for_lead:
        return caller_cup_now.turn_key(view)
    facts = ("rolling_for_lead", "rounds_played", "subround", "rolls_used", "lead")
    return view.player, *(view.facts.get(fact) for fact in facts)


def on_turn(view: View) -> Lines:
    """Yield who is to do what, and what there is to beat."""
    rolls = view.most_rolls
    if view.rolling_for_lead:
        yield say(Say.ONE_DIE_OPENS if is_cup(view) else Say.ONE_DIE, name=view.player)
    elif is_cup(view):
        yield from caller_cup_now.on_turn(view)
    elif not view.number("rolls_used"):
        yield say(Say.LEAD_TURN if _leads(view) else Say.TURN, name=view.player, rolls=rolls)
        yield from _to_beat(view)
    else:
        yield from _standing(view)
        roll = view.number("rolls_used") + 1
        yield say(Say.ROLL_OR_STOP if view.may_stop else Say.MUST_ROLL, roll=roll, rolls=rolls)


def _to_beat(view: View) -> Lines:
    """Yield the lowest of the others' scores and who holds it; whoever leads has nothing to beat."""
    lowest, names = _lowest(view)
    if lowest is None:
        return
    if lowest < MEXICO:
        yield say(Say.TO_BEAT, score=score_said(lowest), names=names)
    elif _is_last(view):
        yield say(Say.ONLY_MEXICO)


def _standing(view: View) -> Lines:
    """Yield how the score of the seat on turn stands among those of the others."""
    lowest, names = _lowest(view)
    own = _throw(view.table("scores").get(view.player or ""))
    if lowest is None or own is None:
        return
    if lowest == MEXICO:
        yield from _to_beat(view)
    elif own > lowest:
        yield say(Say.ABOVE, score=score_said(lowest), names=names)
    else:
        yield say(Say.TIED_LOWEST, names=names) if own == lowest else say(Say.LOWEST)


def _lowest(view: View) -> tuple[Throw | None, str]:
    """Return the lowest score of the others in this round, and who holds it; None before there is one."""
    others = {name: throw for name, throw in _scores(view).items() if name != view.player}
    lowest = min(others.values(), default=None)
    return lowest, ", ".join(name for name, throw in others.items() if throw == lowest)


def _is_last(view: View) -> bool:
    return set(listed(view, "order")) <= {*_scores(view), view.player or ""}


def _leads(view: View) -> bool:
    return view.text("lead") == view.player


def _whole(view: View) -> Lines:
    match view.phase:
        case Phase.SITTING:
            yield say(Say.SIT_DOWN, game=say(GAMES[view.game]))
            if view.seats:
                yield from who_sits(view)
        case Phase.OVER:
            yield from won(view)
        case Phase.PAUSED:
            yield say(Say.PAUSED)
            yield say(Say.STOP_GOES_ON)
            yield from won(view) if view.player is None else _game(view)
        case Phase.PLAYING:
            yield from _game(view)
        case Phase.DISPUTED if view.dispute is not None:
            yield from opened(view, view.dispute)


def whose_turn(view: View) -> Lines:
    """Yield what lies, where something does, and who is to do what."""
    if is_cup(view) and not view.rolling_for_lead:
        yield from caller_cup_now.whose_turn(view)
        return
    used, own = view.number("rolls_used"), _scores(view).get(view.player or "")
    if own is not None and used:
        yield say(Say.AT_ROLL, name=view.player, score=score_said(own), roll=used, rolls=view.most_rolls)
    yield from on_turn(view)


def _game(view: View) -> Lines:
    if is_cup(view) and not view.rolling_for_lead:
        yield from caller_cup_now.everything(view)
        return
    scores = {name: throw for name, throw in _scores(view).items() if name != view.player}
    yield from whose_turn(view)
    if view.rolling_for_lead:
        yield say(Say.STILL_TO_THROW, names=", ".join(listed(view, "rolling_for_lead")))
    if is_cup(view):
        return
    if len(scores) > 1:
        yield say(Say.SO_FAR, scores="; ".join(f"{name}, {score_said(throw)}" for name, throw in scores.items()))
    yield say(Say.STAKE, stake=view.number("stake"))
    yield say(Say.POT, pot=view.number("pot"))
    yield say(Say.UNITS, units="; ".join(f"{name}, {units}" for name, units in view.table("units").items()))
    if view.text("loser"):
        yield say(Say.LAST_ROUND, name=view.text("loser"), paid=view.table("paid").get(view.text("loser"), 0))


def who_sits(view: View) -> Lines:
    """Yield who sits at the table before play."""
    seats = view.seats
    yield say(Say.AT_TABLE, names=", ".join(seats.values())) if seats else say(Say.NOBODY)
    if len(seats) > PLAYED[view.game].most_players:
        yield say(Say.ONLY_TWO)
    elif len(seats) > 1:
        yield say(Say.STARTS)


def won(now: View) -> Lines:
    """Yield who has won the game, and that STOP plays again where it does."""
    if is_cup(now):
        yield from caller_cup_now.won(now)
    else:
        yield say(Say.WINS, name=now.text("winner"), takes=now.number("winner_takes"))
    if now.phase is Phase.OVER:
        yield say(Say.PLAY_AGAIN)


def opened(view: View, doubt: Dispute) -> Lines:
    """Yield whose throw is in doubt, and what may be done about it."""
    template = Say.FOUND_DICE if doubt.found else Say.IN_DOUBT if doubt.faces or doubt.claim else Say.REFUSED_IN_DOUBT
    yield say(template, name=doubt.player, score=_doubted(view, doubt))
    yield from offer(view, doubt)
    yield say(Say.OTHERS)


def _doubted(view: View, doubt: Dispute) -> str:
    """Return what is in doubt: a claim that still stands, or what was read."""
    if doubt.claim:
        return standing(view)
    if is_cup(view) or len(doubt.faces) != TWO:
        return faces_said(doubt.faces)
    return score_said(Throw.of(*doubt.faces))


def offer(view: View, doubt: Dispute) -> Lines:
    """Yield what is offered now, and whose presses it takes."""
    yield say(Say.TAKE_BACK if doubt.claim and doubt.choice is Choice.VOID else OFFERS[doubt.choice])
    if doubt.choice is Choice.PAUSE:
        yield say(Say.PUSH)
    elif doubt.by_all:
        yield say(Say.TAKES_ALL)
    elif doubt.on_turn is None:
        yield say(Say.TAKES_TWO)
    else:
        yield say(Say.TAKES, name=view.seats.get(doubt.on_turn, ""))


def _scores(view: View) -> dict[str, Throw]:
    throws = ((name, _throw(score)) for name, score in view.table("scores").items())
    return {name: throw for name, throw in throws if throw is not None}


def _throw(score: object) -> Throw | None:
    """Return a score such as ``"54"`` as a throw, None for anything else."""
    text = str(score)
    return Throw.of(*map(int, text)) if len(text) == 2 and text.isdecimal() else None


def called(score: object) -> str:
    """Return a score such as ``"54"`` as it is called at a table."""
    throw = _throw(score)
    return str(score) if throw is None else score_said(throw)
