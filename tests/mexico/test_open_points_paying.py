"""The open points A14 to A21: paying, bad rolls, coming and going."""

from collections.abc import Callable
from typing import Any

import pytest

from mexico.gamefile import Playing

Play = Callable[..., Playing]


def facts_of(game: Playing, names: str) -> list[Any]:
    """Return the facts called *names*, in a row."""
    facts = game.facts()
    return [facts[name] for name in names.split()]


class TestA14AStakeAboveTheHolding:
    def test_all_he_has(self, play: Play) -> None:
        game = play("A21 B65 B. C31", {"pay.short": "all_he_has"}, units=[5, 5, 1])

        assert facts_of(game, "paid round_stake units pot out") == [{"C": 1}, 2, {"A": 5, "B": 5, "C": 0}, 1, ["C"]]

    def test_owes(self, play: Play) -> None:
        game = play("A21 B65 B. C31", {"pay.short": "owes"}, units=[5, 5, 1], unit_value=10)

        assert facts_of(game, "paid units pot out") == [{"C": 2}, {"A": 5, "B": 5, "C": -1}, 2, ["C"]]
        assert facts_of(game, "paid_money money lead") == [{"C": 20}, {"A": 50, "B": 50, "C": -10}, "A"]

    def test_who_owes_does_not_win_and_the_pot_holds_what_he_owes(self, play: Play) -> None:
        game = play("A21 B66 B66 B66", {"pay.short": "owes"}, players="AB", units=[3, 1])

        assert facts_of(game, "winner winner_takes units") == ["A", 2, {"A": 3, "B": -1}]


class TestA15A21WithRollsLeft:
    def test_true_ends_the_turn(self, play: Play) -> None:
        game = play("A52 A52 A. B21", {"auto_end_on_21": True})

        assert facts_of(game, "turn scores") == ["C", {"A": "52", "B": "21"}]

    def test_false_leaves_it_to_him(self, play: Play) -> None:
        game = play("A52 A52 A. B21", {"auto_end_on_21": False})
        assert facts_of(game, "turn rolls_used") == ["B", 1]

        assert play("B31", game=game).facts()["scores"] == {"A": "52", "B": "31"}
        assert play("B.", game=game).facts()["turn"] == "C"

    def test_the_leads_21_ends_his_turn_in_any_house(self, play: Play) -> None:
        assert play("A21", {"auto_end_on_21": False}).facts()["lead"] == "B"


class TestA16ABadRoll:
    @pytest.mark.parametrize("value", ["reroll_both", "reroll_one"])
    def test_is_rolled_again_and_not_counted(self, play: Play, value: str) -> None:
        game = play("A52 A? A?", {"bad_roll": value})

        assert facts_of(game, "turn rolls_used scores") == ["A", 1, {"A": "52"}]

    def test_counts_as_31_is_a_roll(self, play: Play) -> None:
        game = play("A52 A?", {"bad_roll": "counts_as_31"})
        assert facts_of(game, "turn rolls_used scores") == ["A", 2, {"A": "31"}]

        assert facts_of(play("A?", game=game), "turn cap scores") == ["B", 3, {"A": "31"}]

    def test_counts_as_31_ends_a_followers_turn_at_the_cap(self, play: Play) -> None:
        assert play("A52 A. B? C41", {"bad_roll": "counts_as_31"}).facts()["loser"] == "B"

    @pytest.mark.parametrize("value", ["reroll_both", "reroll_one", "counts_as_31"])
    def test_of_one_die_is_always_rolled_again(self, play: Play, value: str) -> None:
        game = play("A?", {"bad_roll": value}, lead=None)

        assert facts_of(game, "turn rolling_for_lead") == ["A", ["A", "B", "C"]]

    def test_is_taken_only_from_the_seat_on_turn(self, play: Play) -> None:
        play("!B? A52 !C?")


class TestA17NumberOfRolls:
    @pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
    def test_the_lead_has_so_many_and_so_has_the_last_player(self, play: Play, most: int) -> None:
        assert facts_of(play("A52 " * most, {"max_rolls": most}), "turn cap") == ["B", most]
        assert play("A21 B21 " + "C66 " * most, {"max_rolls": most}).facts()["loser"] == "C"


@pytest.mark.parametrize("units", [1, 2, 4])
def test_a18_a_loss_costs_so_many_units(play: Play, units: int) -> None:
    game = play("A52 A. B31 C54", {"units_per_loss": units})

    assert facts_of(game, "paid round_stake pot") == [{"B": units}, units, units]


def test_tokens_are_discarded_and_there_is_no_pot(play: Play) -> None:
    game = play("A52 A. B31 B65 B. A31", {"stakes": "tokens", "units_per_loss": 2}, players="AB", units=[2, 3])

    assert facts_of(game, "units pot discarded winner winner_takes") == [{"A": 0, "B": 1}, 0, 4, "B", 0]


def test_money_is_units_times_their_worth(play: Play) -> None:
    assert play("", {"unit_value": 50}).facts()["money"] == {"A": 250, "B": 250, "C": 250}
    assert play("", {"unit_value": 50}, unit_value=2).facts()["money"] == {"A": 10, "B": 10, "C": 10}
    assert facts_of(play("A52 A. B31 C54", unit_value=0), "pot pot_money paid_money") == [1, 0, {"B": 0}]


def test_a20_the_time_limit_changes_nothing_in_the_rules(play: Play) -> None:
    assert play("A52 A.", {"turn_seconds": 30}).facts() == play("A52 A.").facts()


def test_a21_only_the_seat_on_turn_stops_and_every_roll_is_his(play: Play) -> None:
    play("!B52 !C52 A52 !B. !C. !B52 A. !A65 !C65 !C. B54")


class TestA19Leaving:
    def test_before_a_round_the_others_play_on(self, play: Play) -> None:
        game = play("B-")

        assert facts_of(game, "order out left pot units") == [["A", "C"], ["B"], ["B"], 5, {"A": 5, "B": 0, "C": 5}]
        assert facts_of(game, "loser rounds_played") == [None, 0]

    def test_the_lead_before_his_first_roll_gives_the_lead_to_his_left(self, play: Play) -> None:
        assert facts_of(play("A-"), "lead order") == ["B", ["B", "C"]]
        assert facts_of(play("A65 A. B31 C54 B-"), "lead next_lead loser") == ["C", "C", "B"]

    def test_holding_back_takes_the_units_along(self, play: Play) -> None:
        game = play("B-", {"leave": "holding_back"})

        assert facts_of(game, "pot handed_back units") == [0, 5, {"A": 5, "B": 0, "C": 5}]

    def test_tokens_left_behind_are_discarded(self, play: Play) -> None:
        assert facts_of(play("B-", {"stakes": "tokens"}), "pot discarded") == [0, 5]

    @pytest.mark.parametrize(
        ("leave", "pot", "back"), [pytest.param("holding_to_pot", 5, 0), pytest.param("holding_back", 2, 3)]
    )
    def test_who_leaves_in_mid_round_has_lost_it(self, play: Play, leave: str, pot: int, back: int) -> None:
        game = play("A21 B65 C-", {"leave": leave})

        assert facts_of(game, "loser paid round_stake pot handed_back") == ["C", {"C": 2}, 2, pot, back]
        assert facts_of(game, "out next_lead order rounds_played") == [["C"], "A", ["A", "B"], 1]
        assert game.facts()["round_scores"] == {"A": "21", "B": "65"}

    def test_who_is_safe_while_others_play_a_sub_round_just_goes(self, play: Play) -> None:
        game = play("A31 A. B31 C65 C-")
        assert facts_of(game, "loser subround turn pot out") == [None, ["A", "B"], "A", 5, ["C"]]

        assert facts_of(play("A65 A. B31", game=game), "loser order") == ["B", ["B", "A"]]

    def test_who_leaves_a_sub_round_has_lost_the_round(self, play: Play) -> None:
        game = play("A31 A. B31 C65 A54 B-")

        assert facts_of(game, "loser subround out lead") == ["B", None, ["B"], "C"]

    def test_who_leaves_while_the_lead_of_his_sub_round_is_rolled_for_has_lost_the_round(self, play: Play) -> None:
        game = play("A31 A. B31 C65 A5 B-", {"tie.lead": "rolloff"})

        assert facts_of(game, "loser rolling_for_lead lead") == ["B", [], "C"]

    def test_while_the_lead_is_rolled_for_the_others_roll_on(self, play: Play) -> None:
        game = play("A3 B-", lead=None)
        assert facts_of(game, "rolling_for_lead turn") == [["C"], "C"]

        assert play("C4", game=game).facts()["lead"] == "C"
        assert play("A3 B4 C-", lead=None).facts()["lead"] == "B"

    def test_the_last_of_those_who_roll_again_leads(self, play: Play) -> None:
        assert facts_of(play("A5 B5 C1 A-", lead=None), "lead order") == ["B", ["B", "C"]]

    def test_a_tie_left_behind_by_a_leaver_is_rolled_again(self, play: Play) -> None:
        assert play("A5 B5 C-", lead=None).facts()["rerolling"] == ["A", "B"]

    def test_of_two_the_other_wins(self, play: Play) -> None:
        assert facts_of(play("B-", players="AB"), "winner winner_takes") == ["A", 5]
        assert facts_of(play("A5 A-", players="AB", lead=None), "winner winner_takes") == ["B", 5]
        assert facts_of(play("A65 A-", players="AB"), "winner winner_takes loser") == ["B", 5, "A"]

    def test_in_a_tie_for_most_units_he_drops_out_of_the_running(self, play: Play) -> None:
        rules = {"end": "rounds", "end.rounds": 1}
        game = play("A65 A. B54 C31 B-", rules)
        assert facts_of(game, "winner pot loser") == ["A", 6, "C"]

        game = play("A65 A. B54 C61 D31 A54 A. B-", rules, players="ABCD")
        assert facts_of(game, "subround turn scores winner") == [["A", "C"], "A", {}, None]

    def test_who_has_left_or_is_out_cannot_leave_again(self, play: Play) -> None:
        play("B- !B- !B+", {"rebuy": "yes"})
        play("A65 A. B31 C54 !B-", units=[5, 1, 5])


class TestA19BuyingInAgain:
    RULES = {"rebuy": "yes", "buy_in": 3}  # noqa: RUF012 - a constant

    def test_no_is_no(self, play: Play) -> None:
        play("A65 A. B31 C54 !B+", {"rebuy": "no"}, units=[5, 1, 5])

    def test_yes_brings_a_new_holding_and_his_seat_back(self, play: Play) -> None:
        game = play("A65 A. B31 C54 B+", self.RULES, units=[5, 1, 5])

        assert facts_of(game, "units pot out lead order loser") == [
            {"A": 5, "B": 3, "C": 5},
            1,
            [],
            "C",
            ["C", "A", "B"],
            "B",
        ]

    def test_only_before_the_first_roll_of_a_round(self, play: Play) -> None:
        game = play("A65 A. B31 C54 C65 !B+ C. A31 B+", self.RULES, units=[5, 1, 5])
        assert game.facts()["order"] == ["A", "B", "C"]

        rolloff = {**self.RULES, "lead.if_loser_out": "rolloff"}
        play("A65 A. B31 C54 A5 !B+ C6 B+", rolloff, units=[5, 1, 5])

    def test_not_in_a_sub_round(self, play: Play) -> None:
        play("A65 A. B31 C54 C31 C. A31 !B+", self.RULES, units=[5, 1, 5])

    def test_only_who_is_out(self, play: Play) -> None:
        play("!A+ !B+", self.RULES)

    def test_what_he_owes_is_taken_off(self, play: Play) -> None:
        rules = {**self.RULES, "pay.short": "owes"}
        game = play("A21 B65 B. C31 C+", rules, units=[5, 5, 1])
        assert game.facts()["units"] == {"A": 5, "B": 5, "C": 2}

        play("A21 B65 B. C31 !C+", {**rules, "buy_in": 1}, units=[5, 5, 1])
