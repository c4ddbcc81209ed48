"""Common hand with bids that are only spoken: the table shows what lies there, and who has lost says so."""

from typing import Any

import pytest

from mexico.gamefile import Playing
from tests.mexico.liars import HANDS, facts, play, take, why


def spoken(words: str, **rules: Any) -> Playing:
    """Return a game in which no bids are entered."""
    return play(words, announce="spoken", **rules)


def test_spoken_bids_are_not_entered() -> None:
    game = spoken("")

    assert why(game, "A1x2") == "bids are only spoken at this table"
    assert why(game, "B1x2") == "bids are only spoken at this table"
    assert {choice["type"] for choice in game.legal().choices} == {"challenge"}
    assert [choice["player"] for choice in game.legal().choices] == ["A", "B", "C"]
    assert game.legal().blind


def test_after_a_spoken_bid_the_table_shows_what_lies_there_and_decides_nothing() -> None:
    game = spoken(f"C? {HANDS}")

    assert facts(game, "turn waiting_for count counts bid loser called caller") == {
        "turn": "C",
        "waiting_for": "concede",
        "count": None,
        "counts": {"1": 2, "2": 2, "3": 3, "4": 2, "5": 3, "6": 3},
        "bid": None,
        "loser": None,
        "called": "B",
        "caller": "C",
    }
    assert (game.legal().dice, game.legal().blind) == (0, False)
    assert game.legal().choices == ({"type": "concede", "player": "B"}, {"type": "concede", "player": "C"})


@pytest.mark.parametrize(("word", "loser", "winner"), [("B~", "B", "C"), ("C~", "C", "B"), ("C~B", "C", "B")])
def test_who_concedes_has_lost_the_hand(word: str, loser: str, winner: str) -> None:
    game = spoken(f"C? {HANDS} {word}")

    assert facts(game, "loser winner_of_round next_opener turn odds") == {
        "loser": loser,
        "winner_of_round": winner,
        "next_opener": loser,
        "turn": loser,
        "odds": None,
    }
    assert game.facts()["dice_left"][loser] == 4  # type: ignore[index]


def test_only_one_of_the_two_concerned_concedes() -> None:
    game = spoken(f"C? {HANDS}")

    assert why(game, "A~") == "it was not the bid of A"
    assert why(game, "C~A") == "it was not the bid of A"
    assert why(spoken(""), "A~") == "nobody has called: the cups stay down"
    assert why(spoken("C? B:66443"), "C~") == "a bid is called: the dice are shown now"
    for word in ("A5x6", "A?", "A:53321"):
        assert why(game, word) == "all is shown: who has lost says so"


def test_nobody_concedes_where_the_count_decides() -> None:
    assert why(play("A1x2"), "B~") == "the count decides here, nobody concedes"
    assert why(play("A1x2 B?"), "B~") == "the count decides here, nobody concedes"


def test_where_anyone_may_challenge_a_spoken_bid_whose_it_was_is_said() -> None:
    game = spoken(f"C? {HANDS}", challenge="anyone", mode="round_wager", spot_on=False)

    assert [(choice["player"], choice.get("to")) for choice in game.legal().choices] == [
        ("A", None),
        ("B", None),
        ("C", "A"),
        ("C", "B"),
    ]
    assert why(game, "C~") == "C must say who made the last bid"
    assert take(game, "A~").facts()["payments"] == {"A": -1, "C": 1}
    assert take(game, "C~B").facts()["payments"] == {"B": 1, "C": -1}
    assert take(game, "C~A").facts()["payments"] == {"A": 2, "C": -2}, "C challenged out of turn"


def test_of_two_players_the_other_one_has_bid() -> None:
    game = play("B? A:11 B:22 B~", players="AB", announce="spoken", challenge="anyone", dice_each=2)

    assert facts(game, "loser winner_of_round") == {"loser": "B", "winner_of_round": "A"}


@pytest.mark.parametrize(("word", "drinks"), [("C~", {"C": 2}), ("B~", {"A": 1, "B": 1})])
def test_a_spoken_bid_can_be_called_spot_on(word: str, drinks: dict[str, int]) -> None:
    game = spoken(f"C= {HANDS} {word}", spot_on=True, mode="drinks")

    assert game.facts()["drinks"] == drinks
