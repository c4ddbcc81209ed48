"""The individual hand: what a round costs, accidents, leaving, spoken calls (docs/liars_individual.md)."""

from typing import Any

import pytest

from mexico.gamefile import GameFileError, Playing
from mexico.poker_hands import FaceOrder, all_hands
from tests.mexico.hand_script import after, calls, facts_of, presses, sit_down

GAME = "liars_individual"
ALL = len(all_hands(FaceOrder.SIX_HIGH))


def play(*lines: str, rules: dict[str, Any] | None = None, **start: Any) -> Playing:
    """Return a game of A and B, opened by A, after *lines*."""
    return after(sit_down(GAME, rules, **start), *lines)


LOST_BY_B = ("A call pair 6", "B challenge", "A reveal 66532")


class TestWhatItCosts:
    def test_the_loser_pays_the_winner_the_wager(self) -> None:
        game = play(*LOST_BY_B, wager=5)
        assert facts_of(game, "payments balance") == [{"A": 5, "B": -5}, {"A": 5, "B": -5}]

        game = after(game, "B call pair 6", "A challenge", "B reveal 66532")
        assert facts_of(game, "payments balance") == [{"A": -5, "B": 5}, {"A": 0, "B": 0}]

    def test_without_a_wager_it_is_one_unit(self) -> None:
        assert play(*LOST_BY_B).facts()["payments"] == {"A": 1, "B": -1}
        assert play(*LOST_BY_B, wager=None).facts()["payments"] == {"A": 1, "B": -1}
        assert play(*LOST_BY_B, wager=0).facts()["payments"] == {}

    def test_a_lost_round_is_a_mark_in_either_mode(self) -> None:
        for mode in ("round_wager", "drinks"):
            assert facts_of(play(*LOST_BY_B, rules={"mode": mode}), "drinks marks") == [{"B": 1}, {"A": 0, "B": 1}]

    def test_drinks_are_so_many_marks_and_no_wager_moves(self) -> None:
        game = play(*LOST_BY_B, rules={"mode": "drinks", "drinks": 3, "mark_value": 50})

        assert facts_of(game, "drinks payments owed") == [{"B": 3}, {}, {"A": 0, "B": 150}]

    def test_a_wager_is_not_taken_where_marks_are_played_for(self) -> None:
        with pytest.raises(GameFileError, match=r"start\.wager is 5, but mode is drinks"):
            sit_down(GAME, {"mode": "drinks"}, wager=5)

    def test_no_dice_are_lost(self) -> None:
        game = play(*LOST_BY_B, "B call pair 1", "A challenge", "B reveal 11234")

        assert facts_of(game, "dice_left out rounds_played") == [{}, [], 2]

    def test_after_so_many_rounds_fewest_marks_win(self) -> None:
        game = play(*LOST_BY_B, rules={"end.rounds": 1})

        assert facts_of(game, "over winner fewest turn call next_opener") == [True, "A", ["A"], None, None, None]
        after(game, "!B call pair 6", "!A close", "!A leave", "!A exposed")

    def test_equally_many_marks_have_no_winner(self) -> None:
        game = play(*LOST_BY_B, "B call pair 6", "A challenge", "B reveal 66432", rules={"end.rounds": 2})

        assert facts_of(game, "over winner fewest") == [True, None, ["A", "B"]]


class TestWhatHappensAtATable:
    @pytest.mark.parametrize("player", "AB")
    def test_a_cup_lifted_too_early_has_both_shake_anew(self, player: str) -> None:
        game = play("A call pair 6", "B reroll 3", f"{player} exposed")

        assert facts_of(game, "turn call rerolls_left visible drinks") == ["A", None, None, [], {}]
        assert len(calls(game)) == ALL

    def test_or_changes_nothing(self) -> None:
        game = play("A call pair 6", rules={"accident": "plays_on"})

        assert after(game, "B exposed").facts() == game.facts()

    def test_there_is_no_accident_when_dice_are_due(self) -> None:
        play("A call pair 6", "B challenge", "!A exposed", "!B exposed")
        play("!A exposed", first_caller=None)

    @pytest.mark.parametrize("before", [(), ("A call pair 6",), ("A call pair 6", "B challenge")])
    def test_who_leaves_ends_the_game_and_pays_nothing(self, before: tuple[str, ...]) -> None:
        game = play(*before, "B leave", "!A close")

        assert facts_of(game, "over winner left drinks payments") == [True, "A", ["B"], {}, {}]

    def test_who_leaves_while_it_is_rolled_for_ends_the_game_too(self) -> None:
        game = play("A die 3", "A leave", first_caller=None)

        assert facts_of(game, "over winner rolling_for_lead opener") == [True, "B", [], None]

    def test_closing_time_needs_nobodys_turn(self) -> None:
        game = play("A call pair 6", "A close")

        assert facts_of(game, "over winner fewest call") == [True, None, ["A", "B"], None]


class TestSpokenCalls:
    RULES = {"announce": "spoken"}  # noqa: RUF012 - a constant

    def test_nothing_is_entered_and_either_may_call_the_bluff(self) -> None:
        game = play("!A call pair 6", "!A reroll 3", "!A concede", "!A reveal 66532", rules=self.RULES)

        assert presses(game) == {("A", "challenge"), ("B", "challenge")}
        assert game.legal().blind

    @pytest.mark.parametrize(("caller", "accused"), ["AB", "BA"])
    def test_the_accused_shows_the_table_says_what_it_is_and_the_loser_says_so(self, caller: str, accused: str) -> None:
        game = play(f"{caller} challenge", f"!{caller} reveal 66532", f"{accused} reveal 66532", rules=self.RULES)
        assert facts_of(game, "hands loser rounds_played") == [{accused: ["pair", 6]}, None, 0]
        assert presses(game) == {("A", "concede"), ("B", "concede")}

        game = after(game, "A concede")
        assert facts_of(game, "loser winner_of_round next_opener drinks") == ["A", "B", "A", {"A": 1}]

    def test_the_other_may_show_too(self) -> None:
        game = play("A challenge", "B reveal 66532", rules=self.RULES)
        [ask] = game.legal().asks
        assert (ask.seat, ask.what, ask.dice, game.legal().blind) == (0, "show", 5, True)

        game = game.take(game.read([5, 5, 5, 2, 1], ask))
        assert game.facts()["hands"] == {"B": ["pair", 6], "A": ["three", 5]}
        assert (game.legal().blind, game.legal().asks) == (False, ())
        after(game, "!A reveal 55521", "!B challenge", "B concede")
