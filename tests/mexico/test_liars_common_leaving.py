"""Leaving a table of common hand, closing it, playing an agreed number of hands (section 7)."""

import pytest

from tests.mexico.liars import HANDS, facts, play, why

ONE_EACH = "A:3 B:2 C:2"
"""One die each: no sixes."""


def test_who_leaves_makes_the_hand_void_and_costs_nobody_anything() -> None:
    game = play("A4x6 B? A:53321 B-")

    assert facts(game, "left out dice_left dice_taken dice_in_play turn opener bid drinks revealed count visible") == {
        "left": ["B"],
        "out": ["B"],
        "dice_left": {"A": 5, "B": 0, "C": 5},
        "dice_taken": 5,
        "dice_in_play": 10,
        "turn": "A",
        "opener": "A",
        "bid": None,
        "drinks": {},
        "revealed": [],
        "count": None,
        "visible": {},
    }
    assert facts(game, "seats rounds_played payments") == {"seats": ["A", "C"], "rounds_played": 0, "payments": {}}
    assert why(game, "B-") == why(game, "B.") == "B is not in the game any more"


def test_when_the_opener_leaves_the_next_one_opens() -> None:
    assert facts(play("A4x6 A-"), "turn opener") == {"turn": "B", "opener": "B"}
    assert facts(play(f"A9x6 B? {HANDS} A-"), "opener next_opener") == {"opener": "B", "next_opener": "B"}


def test_who_is_out_leaves_without_disturbing_the_hand() -> None:
    game = play(f"A3x6 B? {ONE_EACH} B1x2 A-", dice_each=1)

    assert facts(game, "bid turn left out over") == {
        "bid": [1, 2],
        "turn": "C",
        "left": ["A"],
        "out": ["A"],
        "over": False,
    }


@pytest.mark.parametrize(
    ("words", "turn", "rolling"),
    [("A3 B-", "C", ["C"]), ("A3 B4 C-", "B", []), ("A5 B5 C2 A-", "B", []), ("A5 B5 C2 C-", "A", ["A", "B"])],
)
def test_leaving_while_it_is_rolled_for_who_opens(words: str, turn: str, rolling: list[str]) -> None:
    game = play(words, start={"opener": None})

    assert facts(game, "turn rolling_for_lead over") == {"turn": turn, "rolling_for_lead": rolling, "over": False}


@pytest.mark.parametrize("opener", [None, "A"])
@pytest.mark.parametrize("mode", ["lose_a_die", "round_wager", "drinks"])
def test_who_is_left_alone_has_won(mode: str, opener: str | None) -> None:
    game = play("B- A-", mode=mode, start={"opener": opener, "wager": 5})
    takes = {"A": -5, "B": -5, "C": 10} if mode == "lose_a_die" else {}

    assert facts(game, "winner over turn payments") == {"winner": "C", "over": True, "turn": None, "payments": takes}


@pytest.mark.parametrize("word", ["A.", "B.", "C."])
@pytest.mark.parametrize("words", ["", "A4x6", "A4x6 B?", "A4x6 B? A:53321"])
def test_anybody_closes_the_table_at_any_time(words: str, word: str) -> None:
    game = play(f"{words} {word}")

    assert facts(game, "over turn opener bid revealed") == {
        "over": True,
        "turn": None,
        "opener": None,
        "bid": None,
        "revealed": [],
    }


def test_who_leads_cannot_win_a_game_for_dice_by_closing_the_table() -> None:
    game = play("A4x6 B? A:22 B:33 B.", players="AB", dice_each=2, start={"wager": 5})

    assert facts(game, "winner payments balance dice_left") == {
        "winner": None,
        "payments": {},
        "balance": {"A": 0, "B": 0},
        "dice_left": {"A": 1, "B": 2},
    }


@pytest.mark.parametrize("mode", ["round_wager", "drinks"])
def test_at_closing_time_who_has_most_winnings_or_fewest_marks_has_won(mode: str) -> None:
    game = play("A4x6 B? A:22 B:33 B.", players="AB", dice_each=2, mode=mode)

    assert facts(game, "winner over rounds_played") == {"winner": "B", "over": True, "rounds_played": 1}


def test_after_the_agreed_rounds_who_has_most_dice_wins() -> None:
    shared = play(f"A9x6 B? {HANDS}", end_rounds=1)
    alone = play(f"A9x6 B? {HANDS} A1x2 B2x2 C9x6 A? A:5332 B:66443 C:65521", end_rounds=2)

    assert facts(shared, "winner over payments") == {"winner": None, "over": True, "payments": {}}
    assert facts(alone, "loser dice_left winner payments") == {
        "loser": "C",
        "dice_left": {"A": 4, "B": 5, "C": 4},
        "winner": "B",
        "payments": {"A": -1, "B": 2, "C": -1},
    }
