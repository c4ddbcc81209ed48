"""Somebody who plays one game at random, for the laws that hold for every game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from mexico.gamefile import Playing

Event = Mapping[str, object]
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Bot:
    """Plays one game at random; *event* may be refused, *legal_event* must not be.

    *conserved* compares the first facts of a game with those of now; *situations* names what random games must not fail
    to meet. So many *games* are played, and so many tables by Hypothesis.
    """

    agree: Callable[[Random], dict[str, Any]]
    legal_event: Callable[[Playing, Random], Event]
    event: Callable[[Playing, Random], Event]
    conserved: Callable[[Playing, Facts, Facts], bool]
    situations: Callable[[Facts], Mapping[str, bool]]
    games: int = 250
    machines: int = 20
