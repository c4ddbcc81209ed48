"""The Stanford variation: what a round costs, accidents, leaving, spoken claims (docs/liars_stanford.md)."""

from typing import Any

import pytest

from mexico.gamefile import GameFileError, Playing
from tests.mexico.hand_script import after, facts_of, presses, sit_down

GAME = "liars_stanford"


def play(*lines: str, rules: dict[str, Any] | None = None, players: str = "ABC", **start: Any) -> Playing:
    """Return a game opened by A after *lines*."""
    return after(sit_down(GAME, rules, players, **start), *lines)


class TestWhatItCosts:
    def test_points_are_left_out_and_the_loser_is_handed_marks(self) -> None:
        lines = ("A call pair 6", "B challenge", "A reveal 665432")
        assert facts_of(play(*lines), "drinks payments dice_left") == [{"B": 1}, {}, {}]

        game = play(*lines, rules={"drinks": 4, "mark_value": 10})
        assert facts_of(game, "drinks marks owed") == [{"B": 4}, {"A": 0, "B": 4, "C": 0}, {"A": 0, "B": 40, "C": 0}]

    def test_there_is_no_wager(self) -> None:
        with pytest.raises(GameFileError, match="unknown house rule"):
            sit_down(GAME, {"mode": "round_wager"})
        with pytest.raises(GameFileError, match="start has an unknown"):
            sit_down(GAME, wager=5)

    def test_after_so_many_rounds_fewest_marks_win(self) -> None:
        game = play("A call pair 6", "B challenge", "A reveal 665432", rules={"end.rounds": 1})

        assert facts_of(game, "over winner fewest inside next_opener") == [True, None, ["A", "C"], None, None]


class TestWhatHappensAtATable:
    def test_a_box_lifted_too_early_begins_the_hand_anew(self) -> None:
        game = play("A call pair 6", "B roll_outside 66", "B exposed")

        assert facts_of(game, "turn call visible inside drinks") == ["A", None, [], 6, {}]

    def test_or_changes_nothing(self) -> None:
        game = play("A call pair 6", "B roll_outside 66", rules={"accident": "plays_on"})

        assert after(game, "B exposed").facts() == game.facts()

    @pytest.mark.parametrize(("leaves", "opens"), [("A", "B"), ("B", "A"), ("C", "A")])
    def test_who_leaves_makes_the_hand_void_and_the_opener_stays_or_the_next_opens(
        self, leaves: str, opens: str
    ) -> None:
        game = play("A call pair 6", "B roll_outside 66", f"{leaves} leave", f"!{leaves} leave", f"!{leaves} exposed")

        assert facts_of(game, "turn opener call visible inside left drinks") == [
            opens,
            opens,
            None,
            [],
            6,
            [leaves],
            {},
        ]

    @pytest.mark.parametrize(("opener", "leaves", "opens"), [("B", "A", "B"), ("B", "B", "C"), ("C", "C", "A")])
    def test_next_in_order_is_counted_from_the_opener(self, opener: str, leaves: str, opens: str) -> None:
        game = play(f"{leaves} leave", opener=opener)

        assert facts_of(game, "turn opener next_opener") == [opens, opens, None]

    def test_the_box_passes_by_an_empty_seat(self) -> None:
        assert play("B leave", "A call pair 6").facts()["turn"] == "C"

    def test_the_accused_cannot_run_away_with_the_mark_of_others(self) -> None:
        game = play("A call pair 6", "B challenge", "A leave")

        assert facts_of(game, "turn drinks marks over") == ["B", {}, {"A": 0, "B": 0, "C": 0}, False]

    def test_leaving_while_it_is_rolled_for_lets_the_others_decide(self) -> None:
        game = play("A die 4", "B die 3", "C leave", opener=None)
        assert facts_of(game, "turn opener") == ["A", "A"]

        assert facts_of(play("A die 4", "B leave", "C leave", opener=None), "over winner") == [True, "A"]

    def test_the_last_one_left_has_won(self) -> None:
        assert facts_of(play("A leave", "C leave"), "over winner left") == [True, "B", ["A", "C"]]

    def test_closing_time_needs_nobodys_turn(self) -> None:
        assert facts_of(play("C close", "!A call pair 6"), "over winner turn") == [True, None, None]


class TestSpokenClaims:
    RULES = {"announce": "spoken"}  # noqa: RUF012 - a constant

    def test_anybody_may_doubt_the_one_before_him(self) -> None:
        game = play("!A call pair 6", "!A reroll 3", "!A roll_outside 6", "!A show 6", rules=self.RULES)
        assert presses(game) == {("A", "challenge"), ("B", "challenge"), ("C", "challenge")}

        for caller, accused in ("BA", "CB", "AC"):
            assert after(game, f"{caller} challenge").facts()["waiting_for"] == f"reveal of {accused}"

    @pytest.mark.parametrize("loser", "BC")
    def test_the_table_says_what_it_is_and_the_loser_says_so(self, loser: str) -> None:
        game = play("C challenge", "B reveal 666321", "!A concede", "!B reveal 666321", rules=self.RULES)
        assert facts_of(game, "hands loser visible") == [{"B": ["three", 6]}, None, [6, 6, 6, 3, 2, 1]]

        game = after(game, f"{loser} concede")
        assert facts_of(game, "loser next_opener drinks") == [loser, loser, {loser: 1}]

    def test_the_seat_of_who_left_is_passed_by(self) -> None:
        game = play("B leave", "C challenge", rules=self.RULES)

        assert game.facts()["waiting_for"] == "reveal of A"
