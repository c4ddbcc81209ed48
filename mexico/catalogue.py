"""The games this table knows: the only module that knows them all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from mexico import mexico, mexico_json, mexico_state
from mexico.game import Game

S = TypeVar("S")
A_co = TypeVar("A_co", covariant=True)


class Words(Protocol[S, A_co]):
    """How a game speaks JSON; a module as well."""

    @property
    def EVENTS(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """The types of event the game takes."""
        ...

    def begin(self, house_rules: Mapping[str, object], players: Sequence[str], given: Mapping[str, object]) -> S:
        """Return the game before its first event; raise GameFileError when it cannot be played."""
        ...

    def action(self, event: Mapping[str, object], players: Sequence[str], where: str) -> A_co:
        """Return what an event says somebody did; raise GameFileError when it says nothing."""
        ...

    def facts(self, state: S, players: Sequence[str]) -> dict[str, object]:
        """Return every fact known now."""
        ...


AnyGame = Game[Any, Any]
AnyWords = Words[Any, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One game: its rules, and how it speaks JSON."""

    rules: AnyGame
    words: AnyWords


_mexico: Game[mexico_state.State, mexico_state.Action] = mexico
_mexico_json: Words[mexico_state.State, mexico_state.Action] = mexico_json

GAMES: Mapping[str, Entry] = {"mexico": Entry(_mexico, _mexico_json)}
