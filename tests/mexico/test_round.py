"""A round of Mexico with the default rules: sections 4 to 8 of docs/rules.md."""

from collections.abc import Callable
from typing import Any

import pytest

from mexico.errors import IllegalAction
from mexico.gamefile import Playing

Play = Callable[..., Playing]


def facts_of(game: Playing, names: str) -> list[Any]:
    """Return the facts called *names*, in a row."""
    facts = game.facts()
    return [facts[name] for name in names.split()]


def test_the_highest_die_leads_and_the_others_follow_clockwise(play: Play) -> None:
    game = play("A3", lead=None)
    assert facts_of(game, "lead turn rolling_for_lead rerolling order") == [None, "B", ["B", "C"], [], None]
    assert game.legal().dice == 1

    game = play("B6 C2", game=game)
    assert facts_of(game, "lead turn rolling_for_lead order") == ["B", "B", [], ["B", "C", "A"]]
    assert game.legal().dice == 2


def test_a_tie_below_the_highest_die_means_nothing(play: Play) -> None:
    assert play("A3 B3 C5", lead=None).facts()["lead"] == "C"


def test_dice_for_the_lead_are_rolled_in_seat_order(play: Play) -> None:
    play("!B3 A3 !A4 !C3 B2 C1", lead=None)


def test_the_lead_may_stop_after_one_roll_or_two_and_has_no_fourth(play: Play) -> None:
    assert play("!A. A52 A.").facts()["cap"] == 1
    assert play("A52 A52 A.").facts()["cap"] == 2

    game = play("A52 A52 A53")
    assert facts_of(game, "cap turn scores rolls_used") == [3, "B", {"A": "53"}, 0]


def test_only_the_last_roll_counts(play: Play) -> None:
    assert play("A65 A31 A.").facts()["scores"] == {"A": "31"}


def test_followers_roll_at_least_once_and_at_most_as_often_as_the_cap(play: Play) -> None:
    game = play("A52 A61 A. !B. B31 B32")
    assert facts_of(game, "turn scores") == ["C", {"A": "61", "B": "32"}]

    assert play("C65 C.", game=game).facts()["loser"] == "B"


def test_a_round_ends_when_all_have_rolled_and_the_lowest_pays_and_leads(play: Play) -> None:
    game = play("A52 A. B61 C41", unit_value=5)

    assert facts_of(game, "loser paid paid_money round_stake") == ["C", {"C": 1}, {"C": 5}, 1]
    assert facts_of(game, "units pot") == [{"A": 5, "B": 5, "C": 4}, 1]
    assert facts_of(game, "money pot_money") == [{"A": 25, "B": 25, "C": 20}, 5]
    assert facts_of(game, "lead turn next_lead order") == ["C", "C", "C", ["C", "A", "B"]]
    assert facts_of(game, "round_scores scores rounds_played") == [{"A": "52", "B": "61", "C": "41"}, {}, 1]
    assert facts_of(game, "winner winner_takes out") == [None, None, []]


def test_the_facts_of_the_finished_round_stay_until_the_next_is_finished(play: Play) -> None:
    game = play("A52 A. B61 C41 C65 C. A21")
    assert facts_of(game, "loser paid next_lead round_scores") == [
        "C",
        {"C": 1},
        "C",
        {"A": "52", "B": "61", "C": "41"},
    ]

    assert facts_of(play("B31", game=game), "loser paid next_lead rounds_played") == ["B", {"B": 1}, "B", 2]


def test_a_lead_with_mexico_is_safe_and_the_next_player_leads_with_three_rolls(play: Play) -> None:
    game = play("A52 A21")
    assert facts_of(game, "lead turn cap stake lead_mexicos rolls_used") == ["B", "B", None, 2, 1, 0]

    game = play("B31 B41 B51 C61 C.", game=game)
    assert facts_of(game, "loser paid round_stake units") == ["B", {"B": 2}, 2, {"A": 5, "B": 3, "C": 5}]


def test_the_last_player_after_a_chain_rolls_until_21_or_three_and_loses_without(play: Play) -> None:
    game = play("A21 B21 C66 !C. C66 !C.")
    assert facts_of(game, "lead turn cap stake") == ["C", "C", None, 2]

    assert facts_of(play("C66", game=game), "loser paid") == ["C", {"C": 2}]


def test_in_a_round_of_two_a_mexico_makes_the_other_the_last_player(play: Play) -> None:
    game = play("A21 B66 !B. B66", players="AB")
    assert game.legal().may_stop is False

    assert facts_of(play("B65", game=game), "loser paid") == ["B", {"B": 2}]


def test_when_everybody_has_mexico_all_play_a_sub_round(play: Play) -> None:
    game = play("A21 B21 C21")

    assert facts_of(game, "subround lead turn scores stake lead_mexicos") == [["A", "B", "C"], "A", "A", {}, 2, 3]


def test_21_of_a_follower_changes_nothing_but_his_score(play: Play) -> None:
    game = play("A54 A. B21")
    assert facts_of(game, "lead turn cap stake lead_mexicos") == ["A", "C", 1, 1, 0]

    assert facts_of(play("C53", game=game), "loser paid") == ["C", {"C": 1}]


def test_a_tie_for_lowest_is_played_out_by_the_tied_and_the_others_are_safe(play: Play) -> None:
    game = play("A41 A. B41 C65")
    assert facts_of(game, "subround order lead turn loser scores") == [["A", "B"], ["A", "B"], "A", "A", None, {}]

    game = play("A66 A. !C65 B65", game=game)
    assert facts_of(game, "loser paid subround next_lead") == ["B", {"B": 1}, None, "B"]
    assert game.facts()["round_scores"] == {"A": "41", "B": "41", "C": "65"}


def test_a_tie_above_the_lowest_means_nothing(play: Play) -> None:
    assert play("A65 A. B65 C31").facts()["loser"] == "C"


def test_a_sub_round_can_tie_again_and_again(play: Play) -> None:
    game = play("A41 A. B41 C41")
    for _ in range(20):
        game = play("A52 A. B52 C52", game=game)
    assert game.facts()["subround"] == ["A", "B", "C"]

    assert play("A52 A. B53 C52 A31 A. C32", game=game).facts()["loser"] == "A"


def test_in_a_sub_round_of_two_a_mexico_makes_the_other_the_last_player(play: Play) -> None:
    game = play("A41 A. B41 C65 A21 B66 !B.")

    assert facts_of(play("B66 B66", game=game), "loser paid") == ["B", {"B": 2}]


def test_who_has_nothing_left_is_out_and_the_next_clockwise_leads(play: Play) -> None:
    game = play("A52 A. B41 C65", units=[5, 1, 5])

    assert facts_of(game, "out next_lead lead order") == [["B"], "C", "C", ["C", "A"]]
    play("!B65 C65 C. !B65 A31", game=game)


def test_one_player_left_has_won_and_the_pot_is_counted_for_him(play: Play) -> None:
    game = play("A52 A. B41", players="AB", units=[3, 1], pot=6)

    assert facts_of(game, "winner winner_takes pot units out") == ["A", 7, 7, {"A": 3, "B": 0}, ["B"]]
    assert facts_of(game, "lead turn order next_lead cap subround scores") == [None, None, None, None, None, None, {}]
    assert game.over
    assert (game.legal().seat, game.legal().player, game.legal().dice) == (None, None, 0)


@pytest.mark.parametrize("late", ["A65", "B65", "A.", "A3", "A?", "A-", "B-", "B+"])
def test_after_the_end_nothing_is_taken(play: Play, late: str) -> None:
    play(f"A52 A. B41 !{late}", players="AB", units=[3, 1])


@pytest.mark.parametrize(
    ("script", "refused", "why", "rule", "source"),
    [
        pytest.param("", "B65", "it is the turn of A, not of B", "MEXICO 9 / A21", "silent", id="a roll out of turn"),
        pytest.param("A65", "B.", "it is the turn of A, not of B", "MEXICO 9 / A21", "silent", id="a stop out of turn"),
        pytest.param(
            "", "B?", "it is the turn of A, not of B", "MEXICO 9 / A21", "silent", id="a bad roll out of turn"
        ),
        pytest.param("", "A.", "A has not rolled yet", "MEXICO 5.1, 5.4", "000, 001, 003", id="a stop before a roll"),
        pytest.param("", "A5", "A rolls two, not one", "MEXICO 1", "000", id="one die in play"),
        pytest.param(
            "A21 B21 C65", "C.", "C rolls until 21", "MEXICO 5.3 / mexico.last_player", "000", id="last player"
        ),
        pytest.param("", "A+", "plays without", "MEXICO 9 / rebuy", "silent", id="buying in again"),
    ],
)
def test_a_refusal_says_why_and_which_rule_and_where_that_comes_from(
    play: Play, script: str, refused: str, why: str, rule: str, source: str
) -> None:
    game = play(script)
    kind = {".": "stop", "?": "bad_roll", "+": "rebuy"}.get(refused[1:])
    event: dict[str, object] = {"player": refused[0], "why": "cocked"}
    event |= {"type": kind} if kind else {"type": "roll", "faces": [6, 5]}
    if refused[1:] == "5":
        event |= {"type": "die", "face": 5}

    with pytest.raises(IllegalAction, match=why) as error:
        game.take(event)
    assert (error.value.rule, error.value.source.removeprefix("the documents are ")) == (rule, source)
    assert "\n" not in str(error.value)


def test_two_dice_do_not_count_when_the_lead_is_rolled_for(play: Play) -> None:
    with pytest.raises(IllegalAction, match="A rolls one die, not two"):
        play("A65", lead=None)
    with pytest.raises(IllegalAction, match="nothing to stop"):
        play("A.", lead=None)


def test_a_game_without_a_start_brings_the_buy_in_and_rolls_for_the_lead(play: Play) -> None:
    game = play("", {"buy_in": 7}, lead=None)

    assert facts_of(game, "units pot lead turn") == [{"A": 7, "B": 7, "C": 7}, 0, None, "A"]


def test_who_holds_nothing_at_the_start_is_out_from_the_start(play: Play) -> None:
    game = play("", units=[2, 0, 1])
    assert facts_of(game, "out order") == [["B"], ["A", "C"]]

    assert facts_of(play("", units=[2, 0, 1], lead=None), "rolling_for_lead turn") == [["A", "C"], "A"]
