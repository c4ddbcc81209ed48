"""What a hand of common hand costs, and who opens the next one (sections 6 and 7)."""

from dataclasses import replace
from typing import Any

import pytest

from mexico import liars_common
from mexico.errors import ConservationError
from mexico.game import Seat
from mexico.liars_common_house import CommonRules
from tests.mexico.liars import HANDS, facts, play, take, why

ONE_EACH = "A:3 B:2 C:2"
"""One die each: no sixes."""

# --- lose a die ---


def test_the_loser_puts_a_die_aside_and_opens() -> None:
    game = play(f"A9x6 B? {HANDS}")

    assert facts(game, "loser dice_left dice_in_play dice_lost next_opener drinks payments rounds_played") == {
        "loser": "A",
        "dice_left": {"A": 4, "B": 5, "C": 5},
        "dice_in_play": 14,
        "dice_lost": 1,
        "next_opener": "A",
        "drinks": {},
        "payments": {},
        "rounds_played": 1,
    }


def test_who_has_no_dice_left_is_out_and_the_next_to_the_left_opens() -> None:
    game = play(f"A3x6 B? {ONE_EACH}", dice_each=1)

    assert facts(game, "loser out dice_left next_opener turn winner over seats") == {
        "loser": "A",
        "out": ["A"],
        "dice_left": {"A": 0, "B": 1, "C": 1},
        "next_opener": "B",
        "turn": "B",
        "winner": None,
        "over": False,
        "seats": ["A", "B", "C"],
    }


@pytest.mark.parametrize("word", ["A1x2", "A?", "A:"])
def test_who_is_out_bids_calls_and_shows_no_more(word: str) -> None:
    game = play(f"A3x6 B? {ONE_EACH} B1x2", dice_each=1, challenge="anyone")

    why(game, word)
    assert why(take(game, "C?"), "A:") == "A is not in the game any more"


def test_bidding_and_showing_pass_over_who_is_out() -> None:
    game = play(f"B3x6 C? {ONE_EACH} C1x2", dice_each=1, start={"opener": "B"})

    assert facts(game, "out turn") == {"out": ["B"], "turn": "A"}
    assert facts(take(take(game, "A1x3"), "C?"), "turn called") == {"turn": "A", "called": "A"}
    assert why(take(game, "A?"), "B:2") == "B is not in the game any more"


def test_the_last_with_dice_wins_and_takes_the_wager_of_all() -> None:
    game = play(f"A3x6 B? {ONE_EACH} B2x6 C? C:2 B:3", dice_each=1, start={"wager": 5})

    assert facts(game, "winner over turn opener next_opener payments balance out loser") == {
        "winner": "C",
        "over": True,
        "turn": None,
        "opener": None,
        "next_opener": None,
        "payments": {"A": -5, "B": -5, "C": 10},
        "balance": {"A": -5, "B": -5, "C": 10},
        "out": ["A", "B"],
        "loser": "B",
    }


@pytest.mark.parametrize("word", ["C1x2", "C?", "C:2", "A-", "A.", "C^", "C~", "C4"])
def test_when_the_game_is_over_nothing_counts(word: str) -> None:
    game = play(f"A3x6 B? {ONE_EACH} B2x6 C? C:2 B:3", dice_each=1)

    assert why(game, word) == "the game is over"


def test_a_game_for_nothing_moves_nothing() -> None:
    game = play("A2x6 B? A:2 B:2", players="AB", dice_each=1, start={"wager": 0})

    assert facts(game, "winner payments balance") == {"winner": "B", "payments": {}, "balance": {"A": 0, "B": 0}}


def test_no_more_dice_are_lost_than_there_are() -> None:
    game = play("A1x2 C? A:2 B:2 C:2", dice_each=1, challenge="anyone")

    assert facts(game, "dice_left dice_lost out") == {
        "dice_left": {"A": 1, "B": 1, "C": 0},
        "dice_lost": 1,
        "out": ["C"],
    }


# --- a wager by the round ---


def test_the_loser_pays_the_winner_and_the_others_are_even() -> None:
    game = play(f"A9x6 B? {HANDS}", mode="round_wager", start={"wager": 10})

    assert facts(game, "payments balance dice_left drinks loser winner_of_round") == {
        "payments": {"A": -10, "B": 10},
        "balance": {"A": -10, "B": 10, "C": 0},
        "dice_left": {"A": 5, "B": 5, "C": 5},
        "drinks": {},
        "loser": "A",
        "winner_of_round": "B",
    }


def test_the_wager_is_one_when_nobody_says_so() -> None:
    assert play(f"A4x6 B? {HANDS}", mode="round_wager").facts()["payments"] == {"A": 1, "B": -1}


def test_wagers_add_up_over_the_rounds_and_who_has_won_most_wins() -> None:
    game = play(f"A9x6 B? {HANDS} A1x2 B? {HANDS}", mode="round_wager", end_rounds=2, start={"wager": 3})

    assert facts(game, "payments balance winner over") == {
        "payments": {"A": 3, "B": -3},
        "balance": {"A": 0, "B": 0, "C": 0},
        "winner": None,
        "over": True,
    }
    game = play(f"A9x6 B? {HANDS}", mode="round_wager", end_rounds=1)
    assert facts(game, "winner over") == {"winner": "B", "over": True}


# --- drinks ---


@pytest.mark.parametrize(
    ("drinks", "words", "handed"),
    [
        (1, "A9x6 B?", {"A": 1}),
        (3, "A9x6 B?", {"A": 3}),
        ("difference", "A9x6 B?", {"A": 4}),
        ("difference", "A2x6 B?", {"B": 3}),
        ("difference", "A5x6 B?", {}),
        (1, "A5x6 B?", {"B": 1}),
    ],
)
def test_a_lost_hand_costs_a_number_of_drinks_or_how_far_the_bid_was_off(
    drinks: int | str, words: str, handed: dict[str, int]
) -> None:
    game = play(f"{words} {HANDS}", mode="drinks", drinks=drinks)

    assert facts(game, "drinks dice_left payments") == {
        "drinks": handed,
        "dice_left": {"A": 5, "B": 5, "C": 5},
        "payments": {},
    }


def test_drinks_are_counted_and_may_be_worth_money() -> None:
    game = play(f"A9x6 B? {HANDS} A9x6 B? {HANDS}", mode="drinks", mark_value=50, end_rounds=2)

    assert facts(game, "marks owed winner fewest over rounds_played") == {
        "marks": {"A": 2, "B": 0, "C": 0},
        "owed": {"A": 100, "B": 0, "C": 0},
        "winner": None,
        "fewest": ["B", "C"],
        "over": True,
        "rounds_played": 2,
    }


def test_drinks_stay_told_until_the_next_hand_is_decided() -> None:
    game = play(f"A9x6 B? {HANDS} A1x2 B?", mode="drinks")

    assert game.facts()["drinks"] == {"A": 1}
    assert take(take(take(game, "A:22222"), "B:33333"), "C:33333").facts()["drinks"] == {"B": 1}


def test_a_drink_for_every_die_that_is_lost() -> None:
    assert play(f"A9x6 B? {HANDS}", drinks_per_die=2).facts()["drinks"] == {"A": 2}
    assert play(f"A9x6 B? {HANDS}", drinks_per_die=2, mode="drinks").facts()["drinks"] == {"A": 1}
    twice = play(f"A3x6 B= {HANDS}", drinks_per_die=2, spot_on=True)
    assert facts(twice, "drinks dice_left") == {"drinks": {"B": 4}, "dice_left": {"A": 5, "B": 3, "C": 5}}


def test_drinks_for_losing_the_last_die_and_for_every_hand_after_that() -> None:
    rules: dict[str, Any] = {"dice_each": 1, "drinks_per_die": 1, "drinks_when_out": 5, "drinks_while_out": 2}
    not_out = play(f"A9x6 B? {HANDS}", **{**rules, "dice_each": 5})
    first = play("A4x6 B? A:3 B:2 C:2 D:2", players="ABCD", **rules)
    second = play("A4x6 B? A:3 B:2 C:2 D:2 B3x6 C? B:2 C:2 D:2", players="ABCD", **rules)

    assert not_out.facts()["drinks"] == {"A": 1}
    assert first.facts()["drinks"] == {"A": 6}
    assert facts(second, "drinks marks") == {"drinks": {"A": 2, "B": 6}, "marks": {"A": 8, "B": 6, "C": 0, "D": 0}}


def test_who_was_out_and_has_left_drinks_no_more() -> None:
    game = play("A4x6 B? A:3 B:2 C:2 D:2 A- B3x6 C? B:2 C:2 D:2", players="ABCD", dice_each=1, drinks_while_out=1)

    assert facts(game, "drinks out left") == {"drinks": {}, "out": ["A", "B"], "left": ["A"]}


# --- out of turn, and spot on ---


@pytest.mark.parametrize(
    ("mode", "start", "name", "failed", "right"),
    [
        ("drinks", {}, "drinks", {"C": 2}, {"A": 1}),
        ("lose_a_die", {}, "dice_left", {"A": 5, "B": 5, "C": 3}, {"A": 4, "B": 5, "C": 5}),
        ("round_wager", {"wager": 4}, "payments", {"A": 8, "C": -8}, {"A": -4, "C": 4}),
    ],
)
def test_a_challenge_out_of_turn_that_fails_costs_double(
    mode: str, start: dict[str, int], name: str, failed: object, right: object
) -> None:
    rules: dict[str, Any] = {"mode": mode, "challenge": "anyone", "start": start}

    assert play(f"A4x6 C? {HANDS}", **rules).facts()[name] == failed
    assert play(f"A9x6 C? {HANDS}", **rules).facts()[name] == right


def test_a_challenge_in_turn_that_fails_costs_once_where_anyone_may_challenge() -> None:
    assert play(f"A4x6 B? {HANDS}", mode="drinks", challenge="anyone").facts()["drinks"] == {"B": 1}


def test_double_the_difference() -> None:
    rules: dict[str, Any] = {"mode": "drinks", "drinks": "difference", "challenge": "anyone", "spot_on": True}

    assert play(f"A3x6 C? {HANDS}", **rules).facts()["drinks"] == {"C": 4}
    assert play(f"A3x6 B= {HANDS}", **rules).facts()["drinks"] == {"B": 4}
    assert play(f"A5x6 B= {HANDS}", **rules).facts()["drinks"] == {"A": 1, "C": 1}


@pytest.mark.parametrize(
    ("mode", "name", "exact", "wrong"),
    [
        ("drinks", "drinks", {"A": 1, "C": 1}, {"B": 2}),
        ("lose_a_die", "dice_left", {"A": 4, "B": 5, "C": 4}, {"A": 5, "B": 3, "C": 5}),
        ("round_wager", "payments", {"A": -1, "B": 2, "C": -1}, {"A": 2, "B": -2}),
    ],
)
def test_spot_on_costs_all_others_one_or_its_caller_two(mode: str, name: str, exact: object, wrong: object) -> None:
    right, too_low, too_high = (play(f"A{n}x6 B= {HANDS}", mode=mode, spot_on=True) for n in (5, 4, 6))

    assert right.facts()[name] == exact
    assert too_low.facts()[name] == too_high.facts()[name] == wrong
    assert facts(right, "winner_of_round loser next_opener") == {
        "winner_of_round": "B",
        "loser": None,
        "next_opener": "A",
    }
    assert facts(too_low, "winner_of_round loser next_opener") == {
        "winner_of_round": "A",
        "loser": "B",
        "next_opener": "B",
    }


def test_of_two_players_the_one_other_is_the_loser_of_a_bid_called_spot_on() -> None:
    game = play("A1x2 B= A:2 B:3", players="AB", dice_each=1, spot_on=True)

    assert facts(game, "loser winner") == {"loser": "A", "winner": "B"}


def test_spot_on_out_of_turn_is_not_doubled_again() -> None:
    game = play(f"A4x6 C= {HANDS}", spot_on=True, challenge="anyone", mode="drinks")

    assert game.facts()["drinks"] == {"C": 2}


def test_spot_on_may_put_several_out_at_once() -> None:
    game = play("A1x2 B= A:2 B:3 C:3", dice_each=1, spot_on=True)

    assert facts(game, "out winner over payments") == {
        "out": ["A", "C"],
        "winner": "B",
        "over": True,
        "payments": {"A": -1, "B": 2, "C": -1},
    }


# --- the state itself ---


@pytest.mark.parametrize(
    "changes", [{"lost": 1}, {"taken": 1}, {"dice": (5, 5, 4)}, {"dice": (11, 5, -1)}, {"balance": (1, 0, 0)}], ids=str
)
def test_a_state_in_which_dice_or_wagers_appear_or_vanish_cannot_be_made(changes: dict[str, Any]) -> None:
    state = liars_common.start(CommonRules(), 3, opener=Seat(0))

    assert replace(state, dice=(5, 5, 4), lost=1, balance=(1, 0, -1)).dice_in_play == 14
    with pytest.raises(ConservationError):
        replace(state, **changes)


def test_nothing_is_hidden_from_the_public_that_the_state_knows() -> None:
    state = liars_common.start(CommonRules(), 3, opener=Seat(0))

    assert liars_common.redact(state, None) == liars_common.redact(state, Seat(1)) == state
