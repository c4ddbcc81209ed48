"""The individual hand, sentence by sentence (docs/liars_individual.md)."""

from itertools import combinations_with_replacement
from typing import Any

import pytest

from mexico.gamefile import GameFileError, Playing, begin, dump, parse, setup
from mexico.poker_hands import FaceOrder, all_hands
from tests.mexico.hand_script import after, calls, event_of, facts_of, presses, sit_down, why

GAME = "liars_individual"


def play(*lines: str, rules: dict[str, Any] | None = None, **start: Any) -> Playing:
    """Return a game of A and B, opened by A, after *lines*."""
    return after(sit_down(GAME, rules, **start), *lines)


class TestWhoCallsFirst:
    def test_one_die_each_and_the_highest_calls_first(self) -> None:
        game = play(first_caller=None)
        assert facts_of(game, "turn rolling_for_lead first_caller") == ["A", ["A", "B"], None]
        assert (game.legal().dice, game.legal().blind) == (1, False)

        game = after(game, "A die 3", "B die 5")
        assert facts_of(game, "turn first_caller opener rolling_for_lead next_opener") == ["B", "B", "B", [], None]

    def test_a_tie_is_rolled_again_by_both(self) -> None:
        game = play("A die 4", "B die 4", first_caller=None)
        assert facts_of(game, "turn rerolling first_caller") == ["A", ["A", "B"], None]

        assert after(game, "A die 1", "B die 1", "A die 6", "B die 2").facts()["first_caller"] == "A"

    @pytest.mark.parametrize("line", ["A call pair 6", "A reroll 2", "A challenge", "A reveal 66532", "B die 3"])
    def test_nothing_else_is_done_while_it_is_rolled_for(self, line: str) -> None:
        play("!" + line, first_caller=None)

    def test_it_is_a_game_for_two(self) -> None:
        with pytest.raises(GameFileError, match="players has 3 names; an individual hand is for exactly 2"):
            sit_down(GAME, players="ABC")


def test_no_die_is_rolled_once_it_is_known_who_opens() -> None:
    for lines in ((), ("A call pair 6",), ("A call pair 6", "B challenge")):
        assert why(play(*lines), "A die 4") == "who opens is known: A rolls no single die"
    assert why(play("A close"), "A die 4") == "the game is over"


class TestCalling:
    def test_who_opens_can_only_call_and_may_call_anything(self) -> None:
        game = play()

        assert calls(game) == [hand.words(FaceOrder.SIX_HIGH) for hand in all_hands(FaceOrder.SIX_HIGH)]
        assert presses(game) == set()
        assert why(game, "A reroll 2") == "A opens: calls, and re-rolls nothing"
        after(game, "!A challenge", "!A reroll 0", "!B call pair 6")

    def test_the_next_may_call_higher_reroll_or_call_the_bluff(self) -> None:
        game = play("A call pair 6")

        assert presses(game) == {("B", "reroll"), ("B", "challenge")}
        assert calls(game)[0] == ["two_pair", 2, 1]
        assert facts_of(game, "turn call caller rerolls_left") == ["B", ["pair", 6], "A", 3]

    def test_every_offered_call_is_taken_and_no_other(self) -> None:
        game = play("A call three 5")
        offered = calls(game)

        for hand in (one.words(FaceOrder.SIX_HIGH) for one in all_hands(FaceOrder.SIX_HIGH)):
            line = " ".join(["B call", *map(str, hand)])
            assert after(game, line if hand in offered else "!" + line).setup == game.setup

    def test_the_same_hand_again_is_not_higher(self) -> None:
        assert why(play("A call pair 6"), "B call pair 6") == "B must call higher than that"

    @pytest.mark.parametrize(
        ("standing", "higher", "lower"),
        [
            pytest.param("three 6", "low_straight", "three 5", id="a straight beats three"),
            pytest.param("low_straight", "high_straight", "three 6", id="high over low straight"),
            pytest.param("high_straight", "full_house 1 6", "low_straight", id="full house over straights"),
            pytest.param("full_house 1 6", "full_house 2 1", "full_house 1 5", id="the three of a full house first"),
            pytest.param("two_pair 4 2", "two_pair 4 3", "two_pair 4 1", id="the second pair decides"),
            pytest.param("two_pair 4 3", "two_pair 5 1", "two_pair 3 2", id="the first pair decides first"),
            pytest.param("four 6", "five 1", "four 5", id="five over four"),
            pytest.param("runt", "pair 1", "runt", id="runt has no order of its own"),
            pytest.param("pair 5", "pair 6", "pair 1", id="six is high"),
        ],
    )
    def test_calls_go_up(self, standing: str, higher: str, lower: str) -> None:
        game = play(f"A call {standing}")

        after(game, f"!B call {lower}", f"B call {higher}")

    def test_ace_high_puts_ones_over_sixes(self) -> None:
        game = play("A call pair 6", "B call pair 1", "!A call pair 2", rules={"faces": "ace_high"})
        assert calls(game)[0] == ["two_pair", 3, 2]

        play("A call pair 6", "!B call pair 1", rules={"faces": "six_high"})
        play("A call full_house 6 5", "B call full_house 1 6", "!A call full_house 6 1", rules={"faces": "ace_high"})

    def test_two_pair_is_one_call_whichever_pair_is_said_first(self) -> None:
        assert play("A call two_pair 2 4").facts()["call"] == ["two_pair", 4, 2]
        assert play("A call two_pair 6 1", rules={"faces": "ace_high"}).facts()["call"] == ["two_pair", 1, 6]

    @pytest.mark.parametrize(
        "hand", [["full_house"], ["full_house", 6], ["two_pair", 4, 4], ["pair"], ["runt", 6], ["pair", 0], ["flush"]]
    )
    def test_a_hand_is_called_in_full_and_nothing_else(self, hand: list[Any]) -> None:
        with pytest.raises(GameFileError, match="hand of event 1 is"):
            sit_down(GAME).take({"type": "call", "player": "A", "hand": hand})


class TestRerolling:
    @pytest.mark.parametrize("dice", range(6))
    def test_any_number_of_dice_from_none_to_all(self, dice: int) -> None:
        assert play("A call pair 6", f"B reroll {dice}").facts()["rerolls_left"] == 2

    def test_six_dice_are_not_there(self) -> None:
        with pytest.raises(GameFileError, match="the dice of event 2 is 6; wanted is a whole number from 0 to 5"):
            play("A call pair 6", "B reroll 6")

    def test_after_the_first_there_is_no_bluff_call_until_his_next_turn(self) -> None:
        game = play("A call pair 6", "B reroll 3")
        assert why(game, "B challenge") == "B has re-rolled: no bluff call before the next turn"

        game = after(game, "B call three 1", "A call three 2")
        assert presses(game) == {("B", "reroll"), ("B", "challenge")}
        assert after(game, "B challenge").facts()["waiting_for"] == "reveal of A"

    def test_after_each_he_may_call_but_only_higher(self) -> None:
        for rerolls in (["B reroll 1"], ["B reroll 1", "B reroll 2"]):
            game = play("A call pair 6", *rerolls, "!B call pair 6", "!B call pair 5", "B call two_pair 2 1")
            assert facts_of(game, "turn call rerolls_left") == ["A", ["two_pair", 2, 1], 3]

    def test_the_other_has_the_same_three_options_then(self) -> None:
        game = play("A call pair 6", "B reroll 3", "B call three 1")

        assert presses(game) == {("A", "reroll"), ("A", "challenge")}

    def test_the_other_cannot_interfere(self) -> None:
        play("A call pair 6", "B reroll 3", "!A challenge", "!A reroll 1", "!A call five 6", "!A reveal 66532")

    def test_over_the_highest_hand_he_can_re_roll_to_the_end_or_call_the_bluff(self) -> None:
        game = play("A call five 6")
        assert (calls(game), presses(game)) == ([], {("B", "reroll"), ("B", "challenge")})

        for auto_call in ("at_third", "third_may_call"):
            game = play("A call five 6", *["B reroll 5"] * 3, rules={"individual.auto_call": auto_call})
            assert facts_of(game, "waiting_for rerolls_left") == ["reveal of A", 0]


class TestTheBluffIsCalled:
    @pytest.mark.parametrize(
        ("call", "dice", "loser"),
        [
            pytest.param("pair 6", "66532", "B", id="exactly what was called"),
            pytest.param("pair 6", "55532", "B", id="better: another kind"),
            pytest.param("pair 5", "66432", "B", id="better: a higher pair"),
            pytest.param("pair 6", "55443", "B", id="two pair without a six beats a pair of sixes"),
            pytest.param("pair 6", "55432", "A", id="less: a lower pair"),
            pytest.param("three 2", "66553", "A", id="less: two pair"),
            pytest.param("full_house 1 6", "11155", "A", id="a full house with a lower pair"),
            pytest.param("full_house 1 6", "22211", "B", id="a full house with a higher three"),
            pytest.param("low_straight", "23456", "B", id="the high straight for the low one"),
            pytest.param("high_straight", "12345", "A", id="the low straight for the high one"),
            pytest.param("high_straight", "66611", "B", id="a full house for a straight"),
            pytest.param("two_pair 4 2", "44332", "B", id="the second pair higher"),
            pytest.param("runt", "65421", "B", id="everything is a runt or better"),
            pytest.param("five 6", "55555", "A", id="five of less"),
        ],
    )
    def test_only_the_accused_shows_and_wins_with_what_he_called_or_better(
        self, call: str, dice: str, loser: str
    ) -> None:
        game = play(f"A call {call}", "B challenge")
        assert (game.legal().dice, game.legal().blind, game.legal().player) == (5, False, "A")

        game = after(game, "!B reveal 66666", f"A reveal {dice}")
        winner = "A" if loser == "B" else "B"
        assert facts_of(game, "loser winner_of_round revealed") == [loser, winner, ["A"]]
        assert facts_of(game, "turn opener first_caller next_opener") == [loser] * 4

    def test_with_ace_high_ones_are_the_better_pair(self) -> None:
        lines = ("A call pair 6", "B challenge", "A reveal 11532")

        assert play(*lines, rules={"faces": "ace_high"}).facts()["loser"] == "B"
        assert play(*lines, rules={"faces": "six_high"}).facts()["loser"] == "A"

    def test_the_opener_may_be_called_too_but_nobody_before_a_call(self) -> None:
        game = play("!B challenge", "!A challenge", "!A reveal 66532", "A call pair 6", "!A challenge", "B challenge")

        assert facts_of(game, "turn waiting_for revealed") == ["A", "reveal of A", []]

    @pytest.mark.parametrize("line", ["B call five 6", "A call five 6", "A reroll 3", "B challenge", "A concede"])
    def test_then_dice_are_due_and_nothing_else(self, line: str) -> None:
        play("A call pair 6", "B challenge", "!" + line)

    def test_dice_are_shown_only_after_a_press(self) -> None:
        assert why(play("A call pair 6"), "A reveal 66532") == "the bluff is not called: A shows no dice"
        play("A call pair 6", "!B reveal 66532", "B reroll 3", "!A reveal 66532", "!B reveal 66532")

    @pytest.mark.parametrize("faces", [[6, 6, 5, 3], [6, 6, 5, 3, 2, 1], [], [6, 6, 5, 3, 7]])
    def test_five_dice_are_shown(self, faces: list[int]) -> None:
        with pytest.raises(GameFileError, match="event 3"):
            play("A call pair 6", "B challenge").take({"type": "reveal", "player": "A", "faces": faces})

    def test_what_was_shown_stays_until_the_next_call_and_the_names_until_the_next_reveal(self) -> None:
        game = play("A call pair 6", "B challenge", "A reveal 66532")
        assert facts_of(game, "visible revealed hands call") == [[6, 6, 5, 3, 2], ["A"], {"A": ["pair", 6]}, None]

        game = after(game, "B call runt")
        assert facts_of(game, "visible revealed loser drinks") == [[], ["A"], "B", {"B": 1}]

        game = after(game, "A challenge")
        assert facts_of(game, "revealed loser hands") == [[], "B", {}]


THREE = ("B reroll 3", "B reroll 3", "B reroll 3")


class TestThreeRerollsUsed:
    def test_the_bluff_is_called_by_itself_and_both_show_in_any_order(self) -> None:
        for order in (("A reveal 66532", "B reveal 54432"), ("B reveal 54432", "A reveal 66532")):
            game = play("A call three 6", *THREE)
            assert facts_of(game, "waiting_for rerolls_left") == ["reveal of A", 0]
            assert (game.legal().dice, game.legal().choices) == (5, ())

            game = after(game, "!B call four 1", order[0], "!" + order[0])
            assert game.facts()["loser"] is None
            game = after(game, order[1])
            assert facts_of(game, "winner_of_round loser") == ["B", "A"]
            assert game.facts()["revealed"] == [line[0] for line in order]
            assert game.facts()["visible"] == {"A": [6, 6, 5, 3, 2], "B": [5, 4, 4, 3, 2]}

    @pytest.mark.parametrize(
        ("accused", "other", "standing", "better"),
        [
            pytest.param("66632", "55554", "B", "A", id="a true call, a better hand of the other"),
            pytest.param("66532", "54432", "A", "B", id="a bluff, and still the better hand"),
            pytest.param("66632", "54432", "B", "B", id="a true call, and the better hand"),
            pytest.param("55432", "66611", "A", "A", id="a bluff, and the worse hand"),
            pytest.param("66543", "66421", "A", "A", id="equal hands: the standing call decides, a bluff"),
            pytest.param("66632", "66654", "B", "B", id="equal hands: the standing call decides, true"),
        ],
    )
    def test_the_standing_call_is_judged_or_the_better_hand(
        self, accused: str, other: str, standing: str, better: str
    ) -> None:
        lines = ("A call three 6", *THREE, f"A reveal {accused}", f"B reveal {other}")

        assert play(*lines).facts()["loser"] == standing
        assert play(*lines, rules={"individual.judged": "standing_call"}).facts()["loser"] == standing
        assert play(*lines, rules={"individual.judged": "better_hand"}).facts()["loser"] == better

    def test_a_pressed_call_of_the_bluff_never_compares_hands(self) -> None:
        lines = ("A call pair 2", "B challenge", "A reveal 22654")

        assert play(*lines, rules={"individual.judged": "better_hand"}).facts()["loser"] == "B"

    def test_at_third_there_is_no_call_any_more(self) -> None:
        game = play("A call pair 2", *THREE)

        after(game, "!B call five 6", "!B reroll 1", "!B challenge")

    def test_third_may_call_lets_him_call_higher_once_more(self) -> None:
        game = play("A call pair 6", *THREE, rules={"individual.auto_call": "third_may_call"})
        assert facts_of(game, "turn rerolls_left waiting_for") == ["B", 0, None]
        assert (game.legal().blind, presses(game)) == (True, set())

        game = after(game, "!B reroll 1", "!B challenge", "!B call pair 5", "B call two_pair 2 1")
        assert facts_of(game, "turn call rerolls_left") == ["A", ["two_pair", 2, 1], 3]

    @pytest.mark.parametrize("order", ["AB", "BA"])
    def test_third_may_call_and_he_does_not_one_shows_and_the_bluff_is_called(self, order: str) -> None:
        game = play("A call pair 6", *THREE, rules={"individual.auto_call": "third_may_call"})
        ask = next(ask for ask in game.legal().asks if ask.seat == "AB".index(order[0]))
        assert (ask.what, ask.dice) == ("show", 5)

        shown = {"A": [5, 5, 4, 3, 2], "B": [6, 5, 4, 3, 1]}
        game = game.take(game.read(shown[order[0]], ask))
        assert facts_of(game, "revealed waiting_for") == [[order[0]], f"reveal of {order[1]}"]
        game = game.take(game.read(shown[order[1]]))
        assert facts_of(game, "loser winner_of_round") == ["A", "B"]

    @pytest.mark.parametrize("judged", ["standing_call", "better_hand"])
    def test_what_is_judged_may_be_written_under_the_automatic_call(self, judged: str) -> None:
        one = sit_down(GAME, {"individual.auto_call": judged})
        other = sit_down(GAME, {"individual.judged": judged})

        assert one.rules == other.rules
        assert one.fingerprint == other.fingerprint
        assert parse_back(one) == one

    def test_the_rule_named_itself_wins(self) -> None:
        rules = {"individual.judged": "standing_call", "individual.auto_call": "better_hand"}

        assert sit_down(GAME, rules).rules.judged == "standing_call"


def parse_back(game: Playing) -> Playing:
    """Return *game* as a game file would bring it back."""
    return begin(parse(dump(game)).setup)


class TestSecrecy:
    SECRET = ("A call three 6", "B reroll 2", "B call four 1", "A reroll 5", "A reroll 5")

    def test_the_table_is_blind_from_the_first_shake_to_the_reveal(self) -> None:
        game = sit_down(GAME)
        for line in self.SECRET:
            assert (game.legal().blind, game.legal().dice) == (True, 0)
            game = after(game, line)
        assert game.legal().blind
        game = after(game, "A reroll 5")
        assert (game.legal().blind, game.legal().dice) == (False, 5)

    def test_no_event_before_the_reveal_can_say_a_face(self) -> None:
        """The state follows from the events: where none of them says a face, no state can hold one."""
        for line in self.SECRET:
            before = play(*self.SECRET[: self.SECRET.index(line)])
            with pytest.raises(GameFileError, match="has faces, but no dice are shown by"):
                before.take({**event_of(line), "faces": [6, 6, 6, 6, 6]})

    def test_of_a_pressed_call_only_the_dice_of_the_accused_are_known(self) -> None:
        game = play("A call pair 6", "B challenge", "!B reveal 66666", "A reveal 66532")

        assert facts_of(game, "hands visible") == [{"A": ["pair", 6]}, [6, 6, 5, 3, 2]]

    @pytest.mark.parametrize(("own", "loser"), [("66532", "A"), ("66632", "B")], ids=["a bluff", "a true call"])
    def test_whatever_lies_under_the_other_cup_the_round_ends_the_same(self, own: str, loser: str) -> None:
        shown = play("A call three 6", *THREE, f"A reveal {own}")
        ends = set()
        for dice in combinations_with_replacement("123456", 5):
            game = after(shown, f"B reveal {''.join(dice)}")
            ends.add(str(facts_of(game, "loser winner_of_round payments drinks balance turn next_opener over")))

        (end,) = ends
        assert end.startswith(f"['{loser}', ")


def test_a_field_of_another_game_is_no_start_of_this_one() -> None:
    for start in ({"opener": "A"}, {"direction": "clockwise"}, {"wager": -1}, {"first_caller": "C"}):
        with pytest.raises(GameFileError, match="start"):
            setup({"game": GAME, "players": ["A", "B"], "start": start})


@pytest.mark.parametrize("rule", ["wild_aces", "bidding", "stanford.order", "changsha.test", "buy_in"])
def test_a_house_rule_of_another_game_is_none_of_this_one(rule: str) -> None:
    with pytest.raises(GameFileError, match=f'unknown house rule "{rule}"'):
        sit_down(GAME, {rule: True})
