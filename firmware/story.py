"""A game told in lines for people: what somebody did, and what followed. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from firmware.caller_hands import bid_said, deed, hand_said

Facts = Mapping[str, object]


def told(number: int, event: Mapping[str, object], before: Facts, after: Facts) -> str:
    """Return one line: the number of the event, who did what, and what followed.

    Examples
    --------
    >>> told(7, {"type": "stop", "player": "A"}, {"lead": "A"}, {"lead": "A", "turn": "B"})
    '   7  A         stops                 B is on'
    """
    cup = "to_beat" in after
    player = who(event) or str(before.get("turn") or "")
    done = _done_with_a_cup(event, after) if cup else _done(event)
    followed = ", ".join(_followed_with_a_cup(before, after) if cup else _followed(before, after))
    return f"{number:4d}  {player:<8}  {done:<20}  {followed}".rstrip()


def refused(number: int, event: Mapping[str, object], facts: Facts, why: str) -> str:
    """Return one line for an event that the rules did not take: its number, who tried what, and *why* not.

    Examples
    --------
    >>> bid = {"type": "bid", "player": "A", "quantity": 2, "face": 3}
    >>> refused(7, bid, {"to_beat": None}, "bid more dice")
    '   7  A         bids 2 threes         REFUSED: bid more dice'
    """
    kind = str(event.get("type"))
    done = CALLED.get(kind)  # of a call that did not count nobody is the one who was called
    if done is None:
        try:
            done = _done_with_a_cup(event, {}) if "to_beat" in facts else _done(event)
        except (KeyError, IndexError, TypeError, ValueError):
            done = f"{kind}?"  # an event that may say anything, because it is to be refused
    return f"{number:4d}  {who(event):<8}  {done:<20}  REFUSED: {why}"


CALLED: Final = {"challenge": "calls", "spot_on": "calls spot on"}


def who(event: Mapping[str, object]) -> str:
    """Return whose event it is; of one that changed what counts, all who agreed.

    Examples
    --------
    >>> who({"type": "void", "event": 4, "by": ["A", "C"]})
    'A+C'
    """
    by = event.get("by")
    return "+".join(map(str, by)) if isinstance(by, (list, tuple)) else str(event.get("player", ""))


def _done(event: Mapping[str, object]) -> str:
    match event.get("type"):
        case "die":
            return f"rolls {event.get('face')} for the lead"
        case "roll":
            return f"rolls {score(event.get('faces'))}"
        case "bad_roll":
            return f"bad roll: {event.get('why')}"
        case "void":
            return f"takes back event {event.get('event')}"
        case "read_again":
            return f"event {event.get('event')} read again"
        case kind:
            return PLAIN.get(str(kind), str(kind))


PLAIN: Final = {
    "stop": "stops",
    "leave": "leaves the game",
    "rebuy": "buys in again",
    "pause": "lets the game wait",
    "resume": "lets the game go on",
}
"""What is told of events that say nothing more."""


def _done_with_a_cup(event: Mapping[str, object], after: Facts) -> str:
    kind, faces = str(event.get("type")), event.get("faces")
    match kind:
        case "die":
            return f"rolls {event.get('face')} to open"
        case "announce":
            return f"says {event.get('value')}{', pass it on' if event.get('pass_it_on') else ''}"
        case "shake":
            return f"shakes, {_names(event['exposed'])} beside the cup" if event.get("exposed") else "shakes"
        case "challenge" | "spot_on":
            accused = after.get("called") if "called" in after else after.get("turn")
            return f"calls {accused or 'the last bid'}{' spot on' if kind == 'spot_on' else ''}"
        case "reveal":
            hand = _table(after, "hands").get(str(event.get("player")))
            return f"shows {_names(faces)}{f', {hand_said(hand)}' if isinstance(hand, list) else ''}"
        case _ if kind in OPEN:
            return OPEN[kind].format(score=score(faces), faces=_names(faces))
        case _ if kind in DEEDS:
            return deed(event)
        case _:
            return _done(event)


OPEN: Final = {
    "cup_lifted": "shows {score}",
    "show_special": "shows {score}",
    "roll_outside": "rolls {faces} outside",
    "show": "lays {faces} open",
    "exposed": "cup lifted, not read",
    "close": "closing time",
}
"""What is told of events that lay dice open, or end it all, by type."""

DEEDS: Final = ("reroll", "bid", "call", "choose", "concede", "put_back", "die_on_floor", "caught_cheating")
"""Events that are told as the caller says them."""


def score(faces: object) -> str:
    """Return two faces as a score, the higher first.

    Examples
    --------
    >>> score([1, 2])
    '21'
    """
    return "".join(str(face) for face in sorted(map(int, faces), reverse=True)) if isinstance(faces, Sequence) else "?"


def _followed(before: Facts, after: Facts) -> Iterator[str]:
    if "units" in after and after.get("rounds_played") != before.get("rounds_played") and before:
        yield from _round_over(before, after)
    elif _more(before, after, "lead_mexicos"):
        yield f"MEXICO, stake {after.get('stake')}"
    if after.get("winner") is not None:
        yield f"{after['winner']} WINS and takes {after.get('winner_takes')}"
        return
    if after.get("subround") and after.get("subround") != before.get("subround"):
        yield f"tie of {_names(after['subround'])}"
    if after.get("lead") is not None and after.get("lead") != before.get("lead"):
        yield f"{after['lead']} leads"
    elif after.get("turn") != before.get("turn"):
        yield f"{after.get('turn')} is on"


def _round_over(before: Facts, after: Facts) -> Iterator[str]:
    loser, paid = after.get("loser"), after.get("paid")
    amount = paid.get(str(loser)) if isinstance(paid, Mapping) else None
    yield f"{loser} loses and pays {amount}, pot {after.get('pot')}"
    if after.get("out") != before.get("out"):
        yield f"{loser} is OUT"


# --- the games with a cup ---


def _followed_with_a_cup(before: Facts, after: Facts) -> Iterator[str]:
    over = _more(before, after, "rounds_played")
    if over:
        yield from _cost(before, after)
    if over or (before and _total(after, "marks") > _total(before, "marks")):
        yield from _handed(after)
    if before and before.get("direction") != after.get("direction"):
        yield f"play goes {after.get('direction')}"
    if before and _places(before) != _places(after) and set(_places(before)) == set(_places(after)):
        swapped = (new for old, new in zip(_places(before), _places(after), strict=True) if old != new)
        yield f"{' and '.join(swapped)} change places"
    if after.get("over"):
        yield from _ended(after)
    elif over or (before.get("rolling_for_lead") and not after.get("rolling_for_lead")):
        yield f"{after.get('turn')} opens"
    elif (after.get("turn"), after.get("waiting_for")) != (before.get("turn"), before.get("waiting_for")):
        yield f"{after.get('turn')} {_awaited(after)}"


def _cost(before: Facts, after: Facts) -> Iterator[str]:
    """Yield what was counted, and what it has cost besides marks."""
    bid, count = before.get("bid"), after.get("count")
    if isinstance(bid, list) and isinstance(count, int):
        yield f"counted {bid_said(count, bid[1])}"
    for name, had in _table(before, "dice_left").items():
        left = _table(after, "dice_left").get(name)
        if isinstance(left, int) and isinstance(had, int) and left < had:
            yield f"{name} loses {_many(had - left, 'die', 'dice')}, has {left or 'none'}"
    for name, units in _table(after, "payments").items():
        if isinstance(units, int):
            yield f"{name} {'pays' if units < 0 else 'gets'} {abs(units)}"
    if after.get("loser") and not after.get("drinks") and before.get("dice_left") == after.get("dice_left"):
        yield f"{after['loser']} loses"


def _handed(after: Facts) -> Iterator[str]:
    for name, penalty in _table(after, "drinks").items():
        if isinstance(penalty, int):
            yield f"{name} gets {_many(penalty, 'mark', 'marks')}"
        else:
            yield f"{name} finishes the glass"


def _ended(after: Facts) -> Iterator[str]:
    if after.get("winner") is not None:
        yield f"{after['winner']} WINS"
    elif _total(after, "marks"):
        yield f"fewest marks: {_names(after.get('fewest'))}"
    else:
        yield "nobody wins"


def _awaited(facts: Facts) -> str:
    """Return what the seat on turn is to do, where it is no ordinary turn."""
    waiting = str(facts.get("waiting_for") or "").partition(" ")[0]
    return {"reveal": "shows", "choice": "chooses"}.get(waiting, "is on")


def _places(facts: Facts) -> list[str]:
    seats = facts.get("seats")
    return list(map(str, seats)) if isinstance(seats, (list, tuple)) else []


def _total(facts: Facts, name: str) -> int:
    return sum(value for value in _table(facts, name).values() if isinstance(value, int))


def _many(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


# --- all games ---


def round_told(facts: Facts) -> str:
    """Return how the last round came out, for the log.

    Examples
    --------
    >>> round_told({"loser": "A", "pot": 3}), round_told({"to_beat": None, "drinks": {"B": 1, "C": "finish"}})
    ('A loses, pot 3', 'B gets 1 mark, C finishes the glass')
    """
    loser = facts.get("loser")
    lost = f"{loser} loses" if loser else "nobody loses"
    if "to_beat" not in facts:
        return f"{lost}, pot {facts.get('pot')}"
    return ", ".join(_handed(facts)) or lost


def game_told(facts: Facts) -> str:
    """Return how the game came out, for the log.

    Examples
    --------
    >>> game_told({"winner": "A"}), game_told({"winner": None, "marks": {"A": 1, "B": 1}, "fewest": ["A", "B"]})
    ('A wins', 'fewest marks: A B')
    """
    winner = facts.get("winner")
    return f"{winner} wins" if winner else next(_ended(facts))


def _more(before: Facts, after: Facts, fact: str) -> bool:
    old, new = before.get(fact), after.get(fact)
    return isinstance(new, int) and isinstance(old, int) and new > old


def _table(facts: Facts, name: str) -> Facts:
    value = facts.get(name)
    return value if isinstance(value, Mapping) else {}


def _names(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def standing(facts: Facts) -> Iterator[str]:
    """Yield the lines of a table of players: what each holds, shows and is."""
    held = _table(facts, "units") or _table(facts, "dice_left") or _table(facts, "marks")
    shown = _table(facts, "scores")
    out = facts.get("out")
    gone = out if isinstance(out, (list, tuple)) else ()
    width = max((len(str(name)) for name in held), default=0)
    for name, units_held in held.items():
        marks = ("on turn", facts.get("turn")), ("lead", facts.get("lead")), ("wins", facts.get("winner"))
        said = [mark for mark, who in marks if who == name] + ["out"] * (name in gone)
        has = ", ".join([*_has(facts, name), *said])
        yield f"  {name:<{width}}  {units_held:>4}  {shown.get(name, ''):<2}  {has}".rstrip()
    if "pot" in facts:
        yield f"  {'pot':<{max(width, 3)}}  {facts.get('pot')!s:>{4 + min(0, width - 3)}}"


def _has(facts: Facts, name: str) -> Iterator[str]:
    """Yield what the number beside *name* counts in a game with a cup, and what else he has."""
    marks, glasses, balance = (_table(facts, fact).get(name) for fact in ("marks", "finishes", "balance"))
    if "to_beat" not in facts:
        return
    if name in _table(facts, "dice_left"):
        yield "dice"
    if isinstance(marks, int) and (marks or name not in _table(facts, "dice_left")):
        yield "marks" if name not in _table(facts, "dice_left") else _many(marks, "mark", "marks")
    if isinstance(glasses, int) and glasses:
        yield _many(glasses, "glass to finish", "glasses to finish")
    if balance:
        yield f"balance {balance}"
