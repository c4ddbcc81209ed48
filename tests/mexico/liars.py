"""A short way to write down a game of common hand.

``A3x5`` three fives bid by A, ``B?`` a challenge, ``B=`` spot on, ``A:53321`` dice shown, ``A4`` one die for who opens,
``A^`` a cup lifted by accident, ``A-`` leaves, ``A.`` closes the table, ``A~`` concedes, ``A~B`` concedes to B. A word
that begins with ``!`` must be refused and change nothing.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import pytest

from mexico.errors import IllegalAction
from mexico.gamefile import Playing, begin, setup

SIGNS = {"?": "challenge", "=": "spot_on", "^": "exposed", "-": "leave", ".": "close", "~": "concede"}
HANDS = "A:53321 B:66443 C:65521"
"""Three sixes, five with the aces; three fives, five with them."""


def event_of(word: str) -> dict[str, object]:
    """Return the event of *word*."""
    player, sign, rest = word[0], word[1], word[2:]
    if sign in SIGNS:
        return {"type": SIGNS[sign], "player": player, **({"to": rest} if rest else {})}
    if sign == ":":
        return {"type": "reveal", "player": player, "faces": [int(face) for face in rest]}
    if "x" in word:
        quantity, face = word[1:].split("x")
        return {"type": "bid", "player": player, "quantity": int(quantity), "face": int(face)}
    return {"type": "die", "player": player, "face": int(sign)}


def take(game: Playing, word: str) -> Playing:
    """Return *game* after *word*."""
    if not word.startswith("!"):
        return game.take(event_of(word))
    why(game, word[1:])
    return game


def why(game: Playing, word: str) -> str:
    """Return why *word* is refused; it must be, and change nothing."""
    before = deepcopy((game.events, game.facts(), game.legal()))
    with pytest.raises(IllegalAction) as refused:
        game.take(event_of(word))
    assert (game.events, game.facts(), game.legal()) == before
    return refused.value.why


def play(
    words: str, /, *, players: Sequence[str] = "ABC", start: Mapping[str, Any] | None = None, **rules: Any
) -> Playing:
    """Return the game after *words*; A opens unless *start* says something else, ``_`` in a rule's name is a dot.

    Only in the rules whose names have a dot, that is: ``end_rounds``, ``drinks_per_die`` and their like.
    """
    dotted = {name: name.replace("_", ".", 1) for name in rules if name.startswith(("end_", "drinks_"))}
    game = begin(
        setup(
            {
                "game": "liars_common",
                "house_rules": {dotted.get(name, name): value for name, value in rules.items()},
                "players": list(players),
                "start": {"opener": players[0], **(start or {})},
            }
        )
    )
    for word in words.split():
        game = take(game, word)
    return game


def facts(game: Playing, names: str) -> dict[str, Any]:
    """Return some of the facts of *game*."""
    known = game.facts()
    return {name: known[name] for name in names.split()}
