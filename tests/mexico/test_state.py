"""The state itself: it cannot be changed, cannot lose a unit, and tells what follows from an action."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace

import pytest

from mexico import mexico
from mexico.errors import ConservationError, IllegalAction, RulesError
from mexico.game import Rolled, Seat
from mexico.gamefile import Playing
from mexico.mexico_choices import MexicoRules
from mexico.mexico_state import (
    Eliminated,
    GameWon,
    Mexico,
    RoundLost,
    Scored,
    State,
    SubroundBegan,
)
from mexico.rolloff import LeadFound, LeadTied
from mexico.throw import Throw

Play = Callable[..., Playing]
A, B, C = Seat(0), Seat(1), Seat(2)


@pytest.fixture
def state() -> State:
    return mexico.start(MexicoRules(), 3, lead=A)


@pytest.mark.parametrize(
    "changes", [{"pot": 1}, {"units": (5, 5, 4)}, {"discarded": 1}, {"handed_back": -1}, {"brought": 16}], ids=str
)
def test_a_state_in_which_units_appear_or_vanish_cannot_be_made(state: State, changes: dict[str, int]) -> None:
    with pytest.raises(ConservationError, match="units were brought"):
        replace(state, **changes)  # type: ignore[arg-type]


def test_a_unit_that_moves_to_the_pot_is_conserved(state: State) -> None:
    assert replace(state, units=(5, 4, 5), pot=1).brought == 15


def test_a_state_is_not_changed_by_what_is_done_to_it(state: State) -> None:
    again = mexico.start(MexicoRules(), 3, lead=A)
    mexico.apply(state, Rolled(A, (6, 5)))

    assert state == again
    with pytest.raises(FrozenInstanceError):
        state.pot = 3  # type: ignore[misc]


def test_equal_states_have_equal_hashes(state: State) -> None:
    assert hash(state) == hash(mexico.start(MexicoRules(), 3, lead=A))


def test_mexico_hides_nothing(state: State) -> None:
    assert mexico.redact(state, None) == mexico.redact(state, B) == state


@pytest.mark.parametrize(
    ("script", "last", "told"),
    [
        pytest.param("", "A52", (), id="a roll that ends nothing"),
        pytest.param("A52", "A.", (Scored(A, Throw(5, 2)),), id="a turn that ends"),
        pytest.param("", "A21", (Mexico(A, stake=2),), id="Mexico"),
        pytest.param(
            "A52 A. B54",
            "C31",
            (Scored(C, Throw(3, 1)), RoundLost(C, stake=1, paid=1), Eliminated(C)),
            id="a player out",
        ),
        pytest.param(
            "A52 A. B54 C31 A52 A.",
            "B31",
            (Scored(B, Throw(3, 1)), RoundLost(B, stake=1, paid=1), Eliminated(B), GameWon(A, takes=2)),
            id="the end",
        ),
        pytest.param("A31 A. B65", "C31", (Scored(C, Throw(3, 1)), SubroundBegan((A, C))), id="a tie"),
    ],
)
def test_what_follows_is_told_in_order(play: Play, script: str, last: str, told: tuple[object, ...]) -> None:
    game = play(script, units=[5, 1, 1])

    assert play(last, game=game).told == told


def test_the_roll_for_the_lead_is_told(play: Play) -> None:
    assert play("A5 B5 C2", lead=None).told == (LeadTied((A, B)),)
    assert play("A5 B5 C2 A1 B2", lead=None).told == (LeadFound(B),)


def test_every_refusal_is_an_error_of_the_rules_and_a_value_error(state: State) -> None:
    with pytest.raises(IllegalAction) as error:
        mexico.apply(state, Rolled(C, (6, 5)))

    assert isinstance(error.value, RulesError)
    assert isinstance(error.value, ValueError)
    assert error.value.why == "it is the turn of seat 1, not of seat 3"


@pytest.mark.parametrize("faces", [(), (5,), (5, 5, 5)])
def test_a_roll_of_another_number_of_dice_is_refused(state: State, faces: tuple[int, ...]) -> None:
    with pytest.raises(IllegalAction, match="seat 1 rolls two, not one"):
        mexico.apply(state, Rolled(A, faces))
