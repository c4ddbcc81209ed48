"""The games this table knows: the only module that knows them all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from mexico import (
    liars_common,
    liars_common_house,
    liars_common_json,
    liars_common_state,
    liars_individual,
    liars_individual_house,
    liars_individual_json,
    liars_individual_state,
    liars_stanford,
    liars_stanford_house,
    liars_stanford_json,
    liars_stanford_state,
    mexican_changsha,
    mexican_changsha_house,
    mexican_changsha_json,
    mexican_table,
    mexican_wisconsin,
    mexican_wisconsin_house,
    mexican_wisconsin_json,
    mexico,
    mexico_house,
    mexico_json,
    mexico_state,
)
from mexico.game import Ask, Game
from mexico.house import House

S = TypeVar("S")
A = TypeVar("A")


class Words(Protocol[S, A]):
    """How a game speaks JSON; a module as well."""

    @property
    def EVENTS(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """The types of event the game takes."""
        ...

    def begin(self, house_rules: Mapping[str, object], players: Sequence[str], given: Mapping[str, object]) -> S:
        """Return the game before its first event; raise GameFileError when it cannot be played."""
        ...

    def action(self, event: Mapping[str, object], players: Sequence[str], where: str) -> A:
        """Return what an event says somebody did; raise GameFileError when it says nothing."""
        ...

    def event(self, choice: A, players: Sequence[str]) -> dict[str, object]:
        """Return the event of a *choice* that the rules offer: `action` reads it back."""
        ...

    def read(self, state: S, players: Sequence[str], faces: Sequence[int], ask: Ask | None) -> dict[str, object]:
        """Return the event of dice that the camera read: those that are due, or those somebody let it see."""
        ...

    def facts(self, state: S, players: Sequence[str]) -> dict[str, object]:
        """Return every fact known now."""
        ...

    def chance(self, state: S, players: Sequence[str]) -> dict[str, object] | None:
        """Return how likely what stands now is beaten, or true; None where nothing stands or nobody can tell."""
        ...


AnyGame = Game[Any, Any]
AnyWords = Words[Any, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One game: its rules, how it speaks JSON, what it lets the house choose, and how many can play it at most."""

    rules: AnyGame
    words: AnyWords
    house: House[Any]
    most_players: int = 8


_mexico: Game[mexico_state.State, mexico_state.Action] = mexico
_mexico_json: Words[mexico_state.State, mexico_state.Action] = mexico_json

_changsha: Game[mexican_changsha.State, mexican_table.CupAction] = mexican_changsha
_changsha_json: Words[mexican_changsha.State, mexican_table.CupAction] = mexican_changsha_json
_wisconsin: Game[mexican_wisconsin.State, mexican_wisconsin.Action] = mexican_wisconsin
_wisconsin_json: Words[mexican_wisconsin.State, mexican_wisconsin.Action] = mexican_wisconsin_json
_liars_common: Game[liars_common_state.State, liars_common_state.Action] = liars_common
_liars_common_json: Words[liars_common_state.State, liars_common_state.Action] = liars_common_json
_individual: Game[liars_individual_state.State, liars_individual_state.Action] = liars_individual
_individual_json: Words[liars_individual_state.State, liars_individual_state.Action] = liars_individual_json
_stanford: Game[liars_stanford_state.State, liars_stanford_state.Action] = liars_stanford
_stanford_json: Words[liars_stanford_state.State, liars_stanford_state.Action] = liars_stanford_json

GAMES: Mapping[str, Entry] = {
    "mexico": Entry(_mexico, _mexico_json, mexico_house.HOUSE),
    "mexican_changsha": Entry(_changsha, _changsha_json, mexican_changsha_house.HOUSE),
    "mexican_wisconsin": Entry(_wisconsin, _wisconsin_json, mexican_wisconsin_house.HOUSE),
    "liars_common": Entry(_liars_common, _liars_common_json, liars_common_house.HOUSE),
    "liars_individual": Entry(_individual, _individual_json, liars_individual_house.HOUSE, most_players=2),
    "liars_stanford": Entry(_stanford, _stanford_json, liars_stanford_house.HOUSE),
}
"""What can be played here, by the name it has in a game file."""
