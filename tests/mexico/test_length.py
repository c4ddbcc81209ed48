"""How many rounds a game can last: the claims of section 8, by playing every round that can be played.

One roll each is enough (`max_rolls` 1): more rolls reach no other outcome. The throws 31, 65 and 21 are enough too: for
who loses, who ties and who has Mexico. Sub-rounds of sub-rounds are left out, they only reach higher stakes.
"""

from collections.abc import Iterator, Mapping
from functools import cache, reduce
from typing import Any

import pytest

from mexico import mexico
from mexico.game import Rolled, Seat
from mexico.mexico_house import HOUSE
from mexico.mexico_state import State

FACES = ((3, 1), (6, 5), (2, 1))
PLENTY = 1_000

Way = tuple[tuple[int, int], ...]
"""The throws of a round and its sub-round, one after the other."""

Key = tuple[tuple[int, ...], Seat]
"""Holdings, and who leads."""


def rolled(state: State, faces: tuple[int, int]) -> State:
    """Return *state* after a roll by the seat on turn."""
    return mexico.apply(state, Rolled(state.running.turn, faces))[0]


def ways_through(state: State, most_stake: int) -> Iterator[tuple[Way, State]]:
    """Yield every way to the end of the running round in which no stake goes beyond *most_stake*."""
    for faces in FACES:
        after = rolled(state, faces)
        if after.rounds_played > state.rounds_played:
            yield (faces,), after
        elif not (state.running.tied and not after.running.throws) and after.stake <= most_stake:
            for way, end in ways_through(after, most_stake):
                yield (faces, *way), end


def lengths(rules: Mapping[str, Any], players: int, units: int, *, most_stake: int = 99) -> tuple[int, int]:
    """Return the least and the most rounds from the first lead to the end."""
    agreed = HOUSE.check({"max_rolls": 1, **rules})

    @cache
    def ways(playing: tuple[Seat, ...], lead: Seat) -> tuple[Way, ...]:
        """Return one way to each loser and stake a round of *playing* can have; holdings have no say in it."""
        held = [PLENTY if seat in playing else 0 for seat in range(players)]
        found = {}
        for way, end in ways_through(mexico.start(agreed, players, units=held, lead=lead), most_stake):
            if end.finished is not None:
                found[end.finished.loser, end.finished.stake] = way
        return tuple(found.values())

    @cache
    def range_of(key: Key) -> tuple[int, int]:
        held, lead = key
        state = mexico.start(agreed, players, units=held, lead=lead)
        ends = [reduce(rolled, way, state) for way in ways(state.playing, lead)]
        after = [(0, 0) if end.round is None else range_of((end.units, end.round.lead)) for end in ends]
        return 1 + min(least for least, _ in after), 1 + max(most for _, most in after)

    return range_of(((units,) * players, Seat(0)))


@pytest.mark.parametrize(("players", "units"), [(2, 1), (2, 5), (3, 1), (3, 3), (3, 5), (4, 2)])
def test_without_doubling_there_are_at_least_and_at_most_so_many_rounds(players: int, units: int) -> None:
    n, u = players, units

    assert lengths({"mexico.escalation": "off"}, n, u) == ((n - 1) * u, n * u - 1)


def test_three_players_of_five_play_10_to_14_rounds_as_the_document_says() -> None:
    assert lengths({"mexico.escalation": "off"}, 3, 5) == (10, 14)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("rules", "most_stake", "least"),
    [
        pytest.param({"mexico.escalation": "once"}, 99, 6, id="doubled once: 6 to 14"),
        pytest.param({"mexico.escalation": "double_each"}, 7, 4, id="double each, no stake of 8: 4 to 14"),
        pytest.param({"mexico.escalation": "double_each"}, 99, 2, id="double each, with ties: 2 to 14"),
    ],
)
def test_three_players_of_five_with_doubling(rules: dict[str, str], most_stake: int, least: int) -> None:
    assert lengths(rules, 3, 5, most_stake=most_stake) == (least, 14)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_one_life_there_is_a_round_for_every_player_but_the_winner(players: int) -> None:
    assert lengths({"preset": "one_life"}, players, 1) == (players - 1, players - 1)


def losses_of_the_lead(state: State, *, ties: bool) -> Iterator[int]:
    """Yield what seat 0, who lost the round before and leads, can lose in this one, in units."""
    for _, end in ways_through(state, most_stake=99):
        finished = end.finished
        if finished is not None and finished.loser == 0:
            shown = [throw for _, throw in finished.throws]
            if ties or shown.count(min(shown)) == 1:
                yield finished.paid


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_doubled_loss_hits_the_same_player_twice_running_only_by_a_tie(players: int) -> None:
    state = mexico.start(HOUSE.check({"max_rolls": 1}), players, lead=Seat(0))

    assert set(losses_of_the_lead(state, ties=False)) == {1}
    assert set(losses_of_the_lead(state, ties=True)) == {1, 2}
