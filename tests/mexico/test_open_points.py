"""The open points A1 to A13: each house rule, each of its values, by what it changes at the table."""

from collections.abc import Callable
from typing import Any

import pytest

from mexico.gamefile import Playing

Play = Callable[..., Playing]


def facts_of(game: Playing, names: str) -> list[Any]:
    """Return the facts called *names*, in a row."""
    facts = game.facts()
    return [facts[name] for name in names.split()]


class TestA1HowTheGameEnds:
    def test_last_player_plays_on_for_any_number_of_rounds(self, play: Play) -> None:
        game = play("A65 A. B31 " + "B65 B. A31 A65 A. B31 " * 10, players="AB", units=[30, 30])

        assert facts_of(game, "rounds_played winner") == [21, None]

    def test_rounds_ends_after_so_many_and_most_units_take_the_pot(self, play: Play) -> None:
        rules = {"end": "rounds", "end.rounds": 2}
        game = play("A65 A. B31 C54 B65 B. C31 A61", rules, units=[5, 5, 4])

        assert facts_of(game, "winner winner_takes pot units") == ["A", 2, 2, {"A": 5, "B": 4, "C": 3}]
        assert facts_of(game, "rounds_played loser out") == [2, "C", []]

    def test_rounds_without_a_number_are_ten(self, play: Play) -> None:
        game = play("A65 A. B31 " + "B65 B. A31 A65 A. B31 " * 4, {"end": "rounds"}, players="AB", units=[30, 30])
        assert game.over is False

        assert play("B65 B. A31", game=game).facts()["rounds_played"] == 10

    def test_one_player_left_wins_before_the_last_round(self, play: Play) -> None:
        game = play("A65 A. B31", {"end": "rounds", "end.rounds": 9}, players="AB", units=[5, 1])

        assert facts_of(game, "winner rounds_played") == ["A", 1]

    def test_a_tie_for_most_units_is_played_out_and_costs_nothing(self, play: Play) -> None:
        game = play("B65 B. C31 A54", {"end": "rounds", "end.rounds": 1}, lead="B")
        assert facts_of(game, "subround lead turn winner stake loser") == [["B", "A"], "B", "B", None, 0, "C"]

        game = play("B54 B. A65", game=game)
        assert facts_of(game, "winner winner_takes units") == ["A", 1, {"A": 5, "B": 5, "C": 4}]
        assert facts_of(game, "loser paid rounds_played") == ["C", {"C": 1}, 1]

    def test_of_three_tied_for_most_the_losers_drop_out_one_by_one(self, play: Play) -> None:
        game = play("D65 D. A54 B54 C31", {"end": "rounds", "end.rounds": 1}, players="ABCD", lead="D")
        assert game.facts()["subround"] == ["D", "A", "B"]

        game = play("D31 D. A65 B65", game=game)
        assert facts_of(game, "subround winner out") == [["A", "B"], None, []]
        assert facts_of(play("A65 A. B64", game=game), "winner units") == ["A", {"A": 5, "B": 5, "C": 4, "D": 5}]

    @pytest.mark.parametrize("last", ["B62 B. C61", "C-"], ids=["loses", "leaves"])
    def test_who_is_safe_in_the_decider_stays_in_the_running_while_the_tied_play(self, play: Play, last: str) -> None:
        rules = {"end": "rounds", "end.rounds": 1}
        game = play("D31 D. A65 B65 C65 A66 A. B41 C41", rules, players="ABCD", lead="D")
        assert facts_of(game, "subround winner") == [["B", "C"], None]

        game = play(last, game=game)
        assert facts_of(game, "subround winner") == [["A", "B"], None]
        assert facts_of(play("A66 A. B62", game=game), "winner") == ["A"]

    def test_who_is_safe_in_the_decider_and_leaves_cannot_win(self, play: Play) -> None:
        rules = {"end": "rounds", "end.rounds": 1}
        game = play("D31 D. A65 B65 C65 A66 A. B41 C41 A-", rules, players="ABCD", lead="D")

        assert facts_of(play("B62 B. C61", game=game), "winner out") == ["B", ["A"]]

    def test_a_last_round_decided_in_a_sub_round_still_counts_everybodys_units(self, play: Play) -> None:
        game = play("A31 A. B31 C65 A31 A. B32", {"end": "rounds", "end.rounds": 1})

        assert facts_of(game, "loser subround") == ["A", ["B", "C"]]

    def test_a_decider_in_which_all_have_mexico_is_played_again(self, play: Play) -> None:
        rules = {"end": "rounds", "end.rounds": 1, "mexico.all": "void"}
        game = play("A65 A. B54 C31 A21 B21", rules)

        assert facts_of(game, "subround lead winner pot") == [["A", "B"], "A", None, 1]

    def test_one_life_puts_one_player_out_every_round_whatever_the_stake(self, play: Play) -> None:
        game = play("A21 B65 B. C31", {"preset": "one_life"})

        assert facts_of(game, "loser paid out round_stake units") == ["C", {"C": 1}, ["C"], 1, {"A": 1, "B": 1, "C": 0}]


class TestA2TiesWhenRollingForTheLead:
    def test_tied_lets_only_the_tied_roll_again(self, play: Play) -> None:
        game = play("A5 B3 C5", {"lead_roll.ties": "tied"}, lead=None)
        assert facts_of(game, "rerolling rolling_for_lead turn lead") == [["A", "C"], ["A", "C"], "A", None]

        game = play("A2 !B6", game=game)
        assert game.facts()["rerolling"] == ["C"]
        assert facts_of(play("C3", game=game), "lead order rerolling") == ["C", ["C", "A", "B"], []]

    def test_all_lets_everybody_roll_again(self, play: Play) -> None:
        game = play("A5 B3 C5", {"lead_roll.ties": "all"}, lead=None)
        assert game.facts()["rerolling"] == ["A", "B", "C"]

        assert play("A2 B6 C5", game=game).facts()["lead"] == "B"

    def test_a_tie_of_the_tied_is_rolled_again(self, play: Play) -> None:
        game = play("A5 B5 C5 A6 B1 C6", lead=None)

        assert game.facts()["rerolling"] == ["A", "C"]


class TestA3WhoLeadsWhenTheLoserIsOut:
    UNITS = (5, 5, 1, 5)

    @pytest.mark.parametrize(
        ("value", "lead"), [("left", "D"), ("next_lowest", "B"), ("same_lead", "A"), ("rolloff", None)]
    )
    def test_the_house_decides(self, play: Play, value: str, lead: str | None) -> None:
        rules = {"lead.if_loser_out": value}
        game = play("A54 A. B41 C31 D65", rules, players="ABCD", units=self.UNITS)

        assert facts_of(game, "loser out lead next_lead") == ["C", ["C"], lead, lead]

    def test_rolloff_lets_all_who_are_still_in_roll_one_die(self, play: Play) -> None:
        rules = {"lead.if_loser_out": "rolloff"}
        game = play("A54 A. B41 C31 D65", rules, players="ABCD", units=self.UNITS)
        assert facts_of(game, "rolling_for_lead turn subround order") == [["A", "B", "D"], "A", None, None]

        game = play("A2 B6 !C6 D6 B1 D4", game=game)
        assert facts_of(game, "lead next_lead order loser") == ["D", "D", ["D", "A", "B"], "C"]

    def test_same_lead_who_is_out_himself_gives_it_to_his_left(self, play: Play) -> None:
        game = play("A31 A. B41 C65", {"lead.if_loser_out": "same_lead"}, units=[1, 5, 5])

        assert game.facts()["lead"] == "B"

    def test_same_lead_is_who_led_when_the_round_began(self, play: Play) -> None:
        game = play("A21 B65 B. C31", {"lead.if_loser_out": "same_lead"}, units=[5, 5, 1])

        assert game.facts()["lead"] == "A"

    def test_next_lowest_of_a_sub_round_is_of_those_who_played_it(self, play: Play) -> None:
        script = "A41 A. B41 C41 D42 A54 A. B31 C53"
        game = play(script, {"lead.if_loser_out": "next_lowest"}, players="ABCD", units=[5, 1, 5, 5])

        assert facts_of(game, "loser lead") == ["B", "C"]

    def test_of_equal_next_lowest_the_first_to_roll_leads(self, play: Play) -> None:
        script = "B65 B. C54 D31 A54"
        game = play(script, {"lead.if_loser_out": "next_lowest"}, players="ABCD", units=[5, 5, 5, 1], lead="B")

        assert game.facts()["lead"] == "C"

    @pytest.mark.parametrize("value", ["left", "next_lowest", "same_lead", "rolloff"])
    def test_a_loser_who_is_still_in_leads_in_any_house(self, play: Play, value: str) -> None:
        assert play("A54 A. B41 C31", {"lead.if_loser_out": value}).facts()["lead"] == "C"


class TestA4A5WhatMexicosDoToTheStake:
    @pytest.mark.parametrize(
        ("value", "stakes"),
        [("off", [1, 1, 1]), ("once", [2, 2, 2]), ("double_each", [2, 4, 8]), ("add_unit", [2, 3, 4])],
    )
    @pytest.mark.parametrize("units", [1, 3])
    def test_escalation(self, play: Play, value: str, stakes: list[int], units: int) -> None:
        rules = {"mexico.escalation": value, "units_per_loss": units}
        game = play("", rules, players="ABCDE")
        assert game.facts()["stake"] == units

        for player, stake in zip("ABC", stakes, strict=True):
            game = play(f"{player}21", game=game)
            assert game.facts()["stake"] == stake * units

    @pytest.mark.parametrize(("limit", "stake"), [(1, 1), (3, 3), (4, 4), (5, 4), ("none", 4)])
    def test_the_multiplier_never_exceeds_its_limit(self, play: Play, limit: object, stake: int) -> None:
        rules = {"mexico.escalation": "double_each", "mexico.max_multiplier": limit}

        assert play("A21 B21", rules, players="ABCD").facts()["stake"] == stake

    def test_the_stake_falls_back_with_every_round(self, play: Play) -> None:
        assert facts_of(play("A21 B65 B. C31"), "round_stake stake lead_mexicos") == [2, 1, 0]


def test_a6_the_first_21_of_a_follower_raises_nothing_in_any_house(play: Play) -> None:
    rules = {"mexico.nonlead_after": "raises", "mexico.escalation": "double_each"}

    assert play("A65 A. B21", rules).facts()["stake"] == 1


class TestA7A21OfAFollowerAfterAMexico:
    @pytest.mark.parametrize(("value", "stake"), [("plain", 2), ("raises", 4)])
    def test_counts_as_the_house_says(self, play: Play, value: str, stake: int) -> None:
        rules = {"mexico.nonlead_after": value, "mexico.escalation": "double_each"}
        game = play("A21 B54 B. C21", rules, players="ABCD")

        assert facts_of(game, "stake lead cap turn lead_mexicos") == [stake, "B", 1, "D", 1]
        assert play("D31", game=game).facts()["paid"] == {"D": stake}

    def test_raises_counts_what_the_turn_ends_with(self, play: Play) -> None:
        rules = {"mexico.nonlead_after": "raises", "mexico.escalation": "add_unit", "auto_end_on_21": False}
        game = play("A21 B54 B54 B. C21 C65", rules, players="ABCD")

        assert game.facts()["stake"] == 2

    @pytest.mark.parametrize(("tie", "stake"), [("carry", 3), ("fresh", 1)])
    def test_in_a_sub_round_it_asks_for_a_mexico_that_counts_there(self, play: Play, tie: str, stake: int) -> None:
        rules = {"mexico.nonlead_after": "raises", "mexico.escalation": "add_unit", "tie.stake": tie}
        game = play("A21 B31 B. C31 D31 B65 B. C21", rules, players="ABCD")

        assert game.facts()["stake"] == stake

    @pytest.mark.parametrize("mexico", ["pass_only", "plain"])
    def test_in_a_sub_round_without_full_mexico_it_raises_nothing(self, play: Play, mexico: str) -> None:
        rules = {"mexico.nonlead_after": "raises", "mexico.escalation": "add_unit", "tie.mexico": mexico}
        game = play("A21 B31 B. C31 D31 B65 B. C21", rules, players="ABCD")

        assert game.facts()["stake"] == 2


class TestA8TheLastPlayer:
    def test_must_roll(self, play: Play) -> None:
        play("A21 B21 C65 !C. C65 !C.", {"mexico.last_player": "must_roll"})

    def test_may_stop_and_pays(self, play: Play) -> None:
        game = play("A21 B21 !C. C66 C.", {"mexico.last_player": "may_stop"})

        assert facts_of(game, "loser paid") == ["C", {"C": 2}]


class TestA9EverybodyHasMexico:
    def test_tie_is_a_sub_round_of_all_led_by_the_first_lead(self, play: Play) -> None:
        game = play("B21 C65 C21 A65 A65 A21", {"mexico.all": "tie"}, lead="B")

        assert facts_of(game, "subround lead cap") == [["B", "C", "A"], "B", None]

    def test_tie_is_led_by_the_first_lead_whoever_leads_other_ties(self, play: Play) -> None:
        assert play("A21 B21 C21", {"tie.lead": "last"}).facts()["lead"] == "A"

    def test_void_costs_nothing_and_the_same_lead_leads_again(self, play: Play) -> None:
        game = play("B21 C21 A21", {"mexico.all": "void"}, lead="B")

        assert facts_of(game, "loser paid subround lead next_lead") == [None, {}, None, "B", "B"]
        assert facts_of(game, "pot rounds_played stake round_stake") == [0, 0, 1, 2]
        assert game.facts()["round_scores"] == {"A": "21", "B": "21", "C": "21"}

    def test_void_in_a_sub_round_makes_the_whole_round_void(self, play: Play) -> None:
        game = play("A65 A. B31 C31 B21 C21", {"mexico.all": "void"})

        assert facts_of(game, "loser subround lead pot") == [None, None, "A", 0]

    @pytest.mark.parametrize(("counts", "stake", "mexicos"), [(True, 8, 3), (False, 4, 2)])
    def test_the_last_mexico_counts_if_the_house_says_so(
        self, play: Play, counts: bool, stake: int, mexicos: int
    ) -> None:
        rules = {"mexico.last_counts": counts, "mexico.escalation": "double_each"}

        assert facts_of(play("A21 B21 C21", rules), "stake lead_mexicos") == [stake, mexicos]


class TestA10WhoLeadsASubRound:
    TIE = "B52 B. C31 D52 A31 "

    @pytest.mark.parametrize(("value", "lead", "order"), [("first", "C", ["C", "A"]), ("last", "A", ["A", "C"])])
    def test_first_or_last_of_the_tied(self, play: Play, value: str, lead: str, order: list[str]) -> None:
        game = play(self.TIE, {"tie.lead": value}, players="ABCD", lead="B")

        assert facts_of(game, "lead turn order subround") == [lead, lead, order, ["C", "A"]]

    def test_rolloff_lets_the_tied_roll_one_die(self, play: Play) -> None:
        game = play(self.TIE, {"tie.lead": "rolloff"}, players="ABCD", lead="B")
        assert facts_of(game, "lead turn subround rolling_for_lead") == [None, "A", ["C", "A"], ["A", "C"]]

        game = play("A2 C2 A3 C4", game=game)
        assert facts_of(game, "lead order subround rolling_for_lead") == ["C", ["C", "A"], ["C", "A"], []]

    def test_the_others_follow_the_lead_clockwise(self, play: Play) -> None:
        game = play("A31 A. B31 C52 D31", {"tie.lead": "last"}, players="ABCD")

        assert game.facts()["order"] == ["D", "A", "B"]


class TestA11RollsInASubRound:
    TIE = "A31 A31 A. B31 B31 C65 C. "

    def test_free_lets_the_lead_set_its_cap(self, play: Play) -> None:
        game = play(self.TIE, {"tie.cap": "free"})
        assert game.facts()["cap"] is None

        assert facts_of(play("A52 A52 A52", game=game), "cap turn") == [3, "B"]

    def test_inherit_keeps_the_cap_of_the_round_for_everybody(self, play: Play) -> None:
        game = play(self.TIE, {"tie.cap": "inherit"})
        assert game.facts()["cap"] == 2

        assert facts_of(play("A52 A.", game=game), "cap turn") == [2, "B"]
        assert facts_of(play("A52 A52", game=game), "cap turn") == [2, "B"]

    def test_one_is_one_roll_each(self, play: Play) -> None:
        game = play(self.TIE, {"tie.cap": "one"})

        assert facts_of(play("A52", game=game), "cap turn") == [1, "B"]
        assert play("A52 B53", game=game).facts()["loser"] == "A"

    @pytest.mark.parametrize(("value", "rolls"), [("inherit", 2), ("one", 1)])
    def test_the_last_player_after_a_mexico_has_the_rolls_of_the_sub_round(
        self, play: Play, value: str, rolls: int
    ) -> None:
        game = play(self.TIE + "A21", {"tie.cap": value})
        assert facts_of(game, "lead cap") == ["B", rolls]

        assert play("B66 " * rolls, game=game).facts()["loser"] == "B"

    def test_with_nothing_to_inherit_the_cap_is_free(self, play: Play) -> None:
        game = play("A21 B21 C21", {"tie.cap": "inherit"})

        assert facts_of(play("A52 A53 A54", game=game), "cap turn") == [3, "B"]


class TestA12MexicoInASubRound:
    TIE = "A31 A. B31 C31 "

    @pytest.mark.parametrize(
        ("value", "lead", "stake", "cap", "mexicos"),
        [("full", "B", 2, None, 1), ("pass_only", "B", 1, None, 0), ("plain", "A", 1, 1, 0)],
    )
    def test_does_what_the_house_says(
        self, play: Play, value: str, lead: str, stake: int, cap: int | None, mexicos: int
    ) -> None:
        game = play(self.TIE + "A21", {"tie.mexico": value})

        assert facts_of(game, "lead turn stake cap lead_mexicos") == [lead, "B", stake, cap, mexicos]

    def test_plain_21_of_all_is_a_tie_like_another(self, play: Play) -> None:
        game = play(self.TIE + "A21 B21 C21", {"tie.mexico": "plain", "mexico.all": "void"})

        assert facts_of(game, "subround lead stake") == [["A", "B", "C"], "A", 1]

    def test_plain_21_of_the_lead_may_be_rolled_away_where_21_does_not_end_a_turn(self, play: Play) -> None:
        game = play(self.TIE + "A21", {"tie.mexico": "plain", "auto_end_on_21": False})

        assert facts_of(game, "turn cap") == ["A", None]
        assert play("A31 A.", game=game).facts()["cap"] == 2


class TestA13TheStakeOfASubRound:
    @pytest.mark.parametrize(("value", "stakes"), [("carry", [2, 4, 4]), ("fresh", [1, 2, 1])])
    def test_counts_from_the_round_or_afresh(self, play: Play, value: str, stakes: list[int]) -> None:
        rules = {"tie.stake": value, "mexico.escalation": "double_each"}
        game = play("A21 B31 B. C31 D31", rules, players="ABCD")
        assert facts_of(game, "stake lead_mexicos") == [stakes[0], 1]
        game = play("B21", game=game)
        assert facts_of(game, "stake lead_mexicos") == [stakes[1], 2]
        game = play("C31 C. D31", game=game)

        assert facts_of(game, "subround stake lead_mexicos") == [["C", "D"], stakes[2], 2]
