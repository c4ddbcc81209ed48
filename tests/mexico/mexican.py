"""A short way to write down a game of Mexican: ``A~ A=54 B? :54`` is A's shake and claim, B's call, and the dice.

``A~5`` leaves a die beside the cup, ``A=22+`` passes it on, ``A*31`` shows a special, ``A>C`` chooses, ``A.`` gives in,
``A^`` lifts the cup by accident, ``A_2`` drops dice, ``A#`` is caught, ``A-`` leaves, ``A$`` closes, ``A6`` is one die.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest

from mexico.gamefile import IllegalAction, Playing, begin, setup

PLAIN = {".": "concede", "?": "challenge", "^": "exposed", "#": "caught_cheating", "-": "leave", "$": "close"}


def event_of(word: str) -> dict[str, object]:
    """Return the event of *word*."""
    if word.startswith(":"):
        return {"type": "cup_lifted", "faces": [int(face) for face in word[1:]]}
    player, sign, rest = word[0], word[1], word[2:]
    by = {"player": player}
    if sign in PLAIN:
        return {"type": PLAIN[sign], **by}
    match sign:
        case "~":
            return {"type": "shake", **by, **({"exposed": [int(rest)]} if rest else {})}
        case "=":
            passed = {"pass_it_on": True} if rest.endswith("+") else {}
            return {"type": "announce", **by, "value": rest.rstrip("+"), **passed}
        case "*":
            return {"type": "show_special", **by, "faces": [int(face) for face in rest]}
        case ">":
            return {"type": "choose", **by, "target": rest}
        case "_":
            return {"type": "die_on_floor", **by, "dice": int(rest)}
        case _:
            return {"type": "die", **by, "face": int(sign)}


def play(
    kind: str, words: str, rules: Mapping[str, Any] | None = None, *, players: str = "ABC", **start: Any
) -> Playing:
    """Return the game of *kind* after *words*; A opens, clockwise, unless *start* says otherwise."""
    agreed = {"game": kind, "house_rules": rules or {}, "players": list(players), "start": {"opener": "A", **start}}
    return go_on(begin(setup(agreed)), words)


def go_on(game: Playing, words: str) -> Playing:
    """Return *game* after *words*; one that begins with ``!`` must be refused and change nothing."""
    for word in words.split():
        if word.startswith("!"):
            refused(game, word[1:])
        else:
            game = game.take(event_of(word))
    return game


def refused(game: Playing, word: str) -> str:
    """Return why *word* is refused and the rule it rests on; nothing may have changed."""
    before = deepcopy((game.events, game.facts(), game.legal()))
    with pytest.raises(IllegalAction) as caught:
        game.take(event_of(word))
    assert (game.events, game.facts(), game.legal()) == before
    return f"{caught.value.why} ({caught.value.rule})"


def facts_of(game: Playing, names: str) -> list[Any]:
    """Return the facts called *names*, in a row."""
    facts = game.facts()
    return [facts[name] for name in names.split()]


def may(game: Playing, player: str) -> list[str]:
    """Return what *player* may press now, each kind once."""
    return list(dict.fromkeys(str(choice["type"]) for choice in game.legal().choices if choice["player"] == player))


def values(game: Playing) -> list[str]:
    """Return what may be announced now, as it is offered."""
    return [str(one["value"]) for one in game.legal().choices if one["type"] == "announce" and "pass_it_on" not in one]
