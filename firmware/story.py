"""A game told in lines for people: what somebody did, and what followed. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from firmware.claims import said_of

Facts = Mapping[str, object]


def told(number: int, event: Mapping[str, object], before: Facts, after: Facts) -> str:
    """Return one line: the number of the event, who did what, and what followed.

    Examples
    --------
    >>> told(7, {"type": "stop", "player": "A"}, {"lead": "A"}, {"lead": "A", "turn": "B"})
    '   7  A         stops                 B is on'
    """
    player = who(event)
    followed = ", ".join(_followed(before, after))
    return f"{number:4d}  {player:<8}  {_done(event):<20}  {followed}".rstrip()


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
        case "stop":
            return "stops"
        case "leave":
            return "leaves the game"
        case "rebuy":
            return "buys in again"
        case "bad_roll":
            return f"bad roll: {event.get('why')}"
        case "void":
            return f"takes back event {event.get('event')}"
        case "read_again":
            return f"event {event.get('event')} read again"
        case _:
            return _done_with_a_cup(event)


def _done_with_a_cup(event: Mapping[str, object]) -> str:
    match event.get("type"):
        case "challenge":
            return "calls"
        case "cup_lifted" | "show_special":
            return f"shows {score(event.get('faces'))}"
        case "reveal":
            return f"shows {_names(event.get('faces'))}"
        case "roll_outside":
            return f"rolls {_names(event.get('faces'))} outside"
        case "exposed":
            return "cup lifted, not read"
        case "close":
            return "closing time"
        case _:
            return str(said_of(event).words)


def score(faces: object) -> str:
    """Return two faces as a score, the higher first.

    Examples
    --------
    >>> score([1, 2])
    '21'
    """
    return "".join(str(face) for face in sorted(map(int, faces), reverse=True)) if isinstance(faces, Sequence) else "?"


def _followed(before: Facts, after: Facts) -> Iterator[str]:
    if after.get("drinks") and (after.get("drinks") != before.get("drinks") or _more(before, after, "rounds_played")):
        yield from (f"{name}: {penalty}" for name, penalty in _table(after, "drinks").items())
    if "units" in after and after.get("rounds_played") != before.get("rounds_played") and before:
        yield from _round_over(before, after)
    elif _more(before, after, "lead_mexicos"):
        yield f"MEXICO, stake {after.get('stake')}"
    if after.get("winner") is not None:
        takes = f" and takes {after['winner_takes']}" if "winner_takes" in after else ""
        yield f"{after['winner']} WINS{takes}"
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
        yield f"  {name:<{width}}  {units_held:>4}  {shown.get(name, ''):<2}  {', '.join(said)}".rstrip()
    if "pot" in facts:
        yield f"  {'pot':<{max(width, 3)}}  {facts.get('pot')!s:>{4 + min(0, width - 3)}}"
