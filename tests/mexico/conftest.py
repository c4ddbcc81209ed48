"""A short way to write down a game: ``A52 A. B61`` is a roll by A, his STOP, a roll by B."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import pytest

from mexico.errors import IllegalAction
from mexico.gamefile import Playing, begin, setup

WORDS = {".": "stop", "?": "bad_roll", "-": "leave", "+": "rebuy"}


def event_of(word: str) -> dict[str, object]:
    """Return the event of *word*: ``A52`` roll, ``A5`` die, ``A.`` stop, ``A?`` bad, ``A-`` leave, ``A+`` rebuy."""
    player, rest = word[0], word[1:]
    if rest in WORDS:
        event: dict[str, object] = {"type": WORDS[rest], "player": player}
        return {**event, "why": "cocked"} if rest == "?" else event
    if len(rest) == 1:
        return {"type": "die", "player": player, "face": int(rest)}
    return {"type": "roll", "player": player, "faces": [int(face) for face in rest]}


def take(game: Playing, word: str) -> Playing:
    """Return *game* after *word*; one that begins with ``!`` must be refused and change nothing."""
    if not word.startswith("!"):
        return game.take(event_of(word))
    before = deepcopy((game.events, game.facts(), game.legal()))
    with pytest.raises(IllegalAction):
        game.take(event_of(word[1:]))
    assert (game.events, game.facts(), game.legal()) == before
    return game


@pytest.fixture
def play() -> Callable[..., Playing]:
    """Play the words of a script; ``play("A52 A.", {"tie.cap": "one"}, units=[5, 1, 2])``."""

    def script(
        words: str,
        rules: Mapping[str, Any] | None = None,
        *,
        players: Sequence[str] = "ABC",
        units: Sequence[int] | None = None,
        lead: str | None = "A",
        game: Playing | None = None,
        **start: Any,
    ) -> Playing:
        if game is None:
            start |= {"lead": lead} | ({} if units is None else {"units": dict(zip(players, units, strict=True))})
            game = begin(
                setup({"game": "mexico", "house_rules": rules or {}, "players": list(players), "start": start})
            )
        for word in words.split():
            game = take(game, word)
        return game

    return script
