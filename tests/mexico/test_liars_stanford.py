"""The Stanford variation, sentence by sentence (docs/liars_stanford.md)."""

from typing import Any

import pytest

from mexico.gamefile import GameFileError, Playing, begin, setup
from mexico.stanford_hands import Claim, HandOrder, all_hands
from tests.mexico.hand_script import after, calls, event_of, facts_of, presses, sit_down, why

GAME = "liars_stanford"


def play(*lines: str, rules: dict[str, Any] | None = None, players: str = "ABC", **start: Any) -> Playing:
    """Return a game opened by A after *lines*."""
    return after(sit_down(GAME, rules, players, **start), *lines)


def looks(game: Playing, what: str) -> list[int]:
    """Return for how many dice the camera may look when *what* is pressed."""
    return [ask.dice for ask in game.legal().asks if ask.what == what]


class TestTheRing:
    @pytest.mark.parametrize("count", range(2, 9))
    def test_two_to_eight_sit_in_a_ring_and_the_box_goes_round(self, count: int) -> None:
        players = "ABCDEFGH"[:count]
        game = play(players=players)
        for number, player in enumerate(players):
            assert game.facts()["turn"] == player
            game = after(
                game, f"{player} call pair {'123456'[number % 6]}" if number < 6 else f"{player} call four {number - 5}"
            )
        assert facts_of(game, "turn caller") == ["A", players[-1]]

    @pytest.mark.parametrize("most", range(2, 9))
    def test_the_house_may_let_fewer_sit_down(self, most: int) -> None:
        for count in range(2, 9):
            agreed = {"game": GAME, "players": list("ABCDEFGH"[:count]), "house_rules": {"stanford.players": most}}
            if count <= most:
                assert begin(setup(agreed)).setup.players == tuple("ABCDEFGH"[:count])
            else:
                with pytest.raises(GameFileError, match=f"players has {count} names, and stanford.players is {most}"):
                    setup(agreed)

    @pytest.mark.parametrize("wrong", [1, 9, "2", "8", "any", True, None])
    def test_no_other_number_of_players(self, wrong: object) -> None:
        with pytest.raises(GameFileError, match=r"stanford\.players"):
            sit_down(GAME, {"stanford.players": wrong})

    def test_the_opener_is_rolled_for_with_one_die_each(self) -> None:
        game = play("A die 4", "B die 6", "C die 6", opener=None)
        assert facts_of(game, "turn rerolling opener") == ["B", ["B", "C"], None]

        assert facts_of(after(game, "B die 1", "C die 2"), "turn opener next_opener") == ["C", "C", None]

    def test_the_loser_opens_whoever_sits_next(self) -> None:
        game = play("A call pair 6", "B call three 1", "C challenge", "B reveal 111654")
        assert facts_of(game, "loser winner_of_round next_opener turn") == ["C", "B", "C", "C"]

        game = after(game, "C call pair 6", "A challenge", "C reveal 123456")
        assert facts_of(game, "loser winner_of_round turn") == ["A", "C", "A"]


def test_no_die_is_rolled_once_it_is_known_who_opens() -> None:
    for lines in ((), ("A call pair 6",), ("A call pair 6", "B challenge")):
        assert why(play(*lines), "A die 4") == "who opens is known: A rolls no single die"
    assert why(play("A close"), "A die 4") == "the game is over"


class TestClaims:
    def test_the_opener_may_claim_any_of_462_hands_the_least_first(self) -> None:
        game = play()

        assert calls(game) == [Claim.of(hand).words for hand in all_hands(HandOrder.BY_TABLE)]
        assert presses(game) == set()

    @pytest.mark.parametrize("standing", [["three", 6], ["pair", 1], ["straight"], ["four_and_pair"], ["five", 6, 5]])
    def test_the_next_steps_through_the_legal_claims_from_the_minimum_raise(self, standing: list[Any]) -> None:
        game = play().take({"type": "call", "player": "A", "hand": standing})
        hands = [Claim.of(hand).words for hand in all_hands(HandOrder.BY_TABLE)]
        means = next(hand for hand in all_hands(HandOrder.BY_TABLE) if list(hand.dice) == game.facts()["call_means"])

        assert calls(game) == hands[hands.index(Claim.of(means).words) + 1 :]
        assert game.facts()["minimum_raise"] == calls(game)[0]

    def test_three_sixes_is_the_least_hand_with_three_sixes(self) -> None:
        game = play("A call three 6")
        assert facts_of(game, "call call_means minimum_raise") == [
            ["three", 6],
            [6, 6, 6, 3, 2, 1],
            ["three", 6, 4],
        ]

        after(game, "!B call three 6", "!B call three 6 3", "!B call three 6 3 2 1", "B call three 6 4")

    def test_four_and_a_pair_is_111122(self) -> None:
        game = play("A call four_and_pair")

        assert facts_of(game, "call call_means") == [["four_and_pair"], [1, 1, 1, 1, 2, 2]]
        after(game, "!B call four_and_pair 1", "!B call four_and_pair 1 2", "B call four_and_pair 1 3")

    def test_a_claim_stands_as_it_was_said(self) -> None:
        for hand in (["pair"], ["pair", 1], ["pair", 1, 5], ["pair", 1, 5, 4, 3, 2]):
            game = play().take({"type": "call", "player": "A", "hand": hand})
            assert facts_of(game, "call call_means") == [hand, [1, 1, 5, 4, 3, 2]]

    def test_kickers_count(self) -> None:
        play("A call pair 6 5", "!B call pair 6", "!B call pair 6 4", "B call pair 6 5 4")

    def test_the_order_by_table_and_by_rarity(self) -> None:
        lines = ("A call four_and_pair 6 5", "B call two_triples 2 1")

        play(lines[0], "!" + lines[1])
        assert play(*lines, rules={"stanford.order": "by_rarity"}).facts()["call"] == ["two_triples", 2, 1]
        play("A call two_pairs 6 5", "!B call pair 1")
        play("A call two_pairs 6 5", "B call pair 1", rules={"stanford.order": "by_rarity"})

    def test_over_six_sixes_only_the_bluff_can_be_called(self) -> None:
        game = play("A call six 6")
        assert (presses(game), calls(game), game.legal().asks) == ({("B", "challenge")}, [], ())
        assert why(game, "B reroll 2") == "nothing is higher: B can only call the bluff"

        after(game, "!B roll_outside 6", "!B show 6", "!B put_back 6", "!B call six 6", "B challenge")

    @pytest.mark.parametrize(
        "hand",
        [[], ["two_pair", 5, 4], ["runt"], ["three", 6, 6], ["straight", 7], ["six", 6, 5], "six", ["pair", 6.0]],
    )
    def test_what_is_no_hand_is_refused_in_one_line(self, hand: object) -> None:
        with pytest.raises(GameFileError, match="hand of event 1"):
            play().take({"type": "call", "player": "A", "hand": hand})


class TestInTheBox:
    def test_believe_and_improve_or_call_the_bluff(self) -> None:
        game = play("A call pair 6")

        assert presses(game) == {("B", "reroll"), ("B", "challenge")}
        assert facts_of(game, "rerolls_left inside visible") == [3, 6, []]

    @pytest.mark.parametrize("line", ["B reroll 3", "B reroll 0", "B roll_outside 6", "B show 6"])
    def test_who_takes_the_box_has_believed(self, line: str) -> None:
        game = play("A call pair 6", line)

        assert why(game, "B challenge") == "B has taken the box: believed is believed"
        assert ("B", "challenge") not in presses(game)
        assert facts_of(after(game, "B call three 1"), "turn call") == ["C", ["three", 1]]

    def test_he_may_raise_without_rolling_too(self) -> None:
        assert play("A call pair 6", "B call three 1").facts()["turn"] == "C"

    def test_up_to_three_times_and_then_he_must_claim(self) -> None:
        game = play("A call pair 6", "B reroll 3", "B roll_outside 6", "B reroll 1")
        assert facts_of(game, "rerolls_left turn waiting_for") == [0, "B", None]

        game = after(game, "!B reroll 1", "!B roll_outside 5", "!B challenge", "!B call pair 6", "B call three 1")
        assert facts_of(game, "rerolls_left turn") == [3, "C"]

    def test_the_opener_has_rolled_all_six_and_rolls_no_more(self) -> None:
        assert why(play(), "A reroll 3") == "A opens: calls, and re-rolls nothing"
        play("!A challenge", "!B call pair 6")

    def test_not_more_dice_than_are_in_the_box_but_all_six_means_all(self) -> None:
        game = play("A call pair 6", "B roll_outside 66")
        assert why(game, "B reroll 5") == "so many dice are not in the box of B"

        assert facts_of(after(game, "B reroll 4"), "visible inside") == [[6, 6], 4]
        assert facts_of(after(game, "B reroll 6"), "visible inside") == [[], 6]

    def test_every_count_that_can_be_rolled_is_offered(self) -> None:
        game = play("A call pair 6", "B show 654")
        counts = [choice["dice"] for choice in game.legal().choices if choice["type"] == "reroll"]

        assert counts == [0, 1, 2, 3, 6]


class TestOutsideTheBox:
    def test_dice_rolled_outside_are_seen_by_all_and_stay_when_the_box_goes_on(self) -> None:
        game = play("A call pair 6", "B roll_outside 61")
        assert facts_of(game, "visible inside rerolls_left") == [[6, 1], 4, 2]

        game = after(game, "B roll_outside 3", "B call pair 6 5")
        assert facts_of(game, "visible inside rerolls_left turn") == [[6, 1, 3], 3, 3, "C"]

    def test_the_camera_counts_them_against_what_was_pressed(self) -> None:
        game = play("A call pair 6", "B roll_outside 61")
        assert looks(game, "outside") == looks(game, "show") == [3, 4, 5, 6]

        ask = game.legal().asks[1]
        event = game.read([5, 6, 1, 4], ask)
        assert event["dice"] == 2
        assert facts_of(game.take(event), "visible inside") == [[6, 1, *event["faces"]], 2]  # type: ignore[misc]
        assert sorted(event["faces"]) == [4, 5]  # type: ignore[call-overload]

    @pytest.mark.parametrize(
        "seen", [pytest.param([6, 2, 5], id="an old die was turned"), pytest.param([6, 1, 5, 4], id="one too many")]
    )
    def test_what_does_not_fit_what_was_pressed_is_refused(self, seen: list[int]) -> None:
        game = play("A call pair 6", "B roll_outside 61")
        ask = game.legal().asks[0]
        event = game.read(seen, ask)

        assert (ask.what, ask.dice) == ("outside", 3)
        assert after(game, "!" + line_of(event)).facts()["visible"] == [6, 1]

    def test_a_die_may_be_laid_open_without_rolling_it(self) -> None:
        game = play("A call pair 6", "B show 66")

        assert facts_of(game, "visible inside rerolls_left") == [[6, 6], 4, 3]

    def test_or_be_taken_out_of_view(self) -> None:
        game = play("A call pair 6", "B roll_outside 616", "!B put_back 5", "!B put_back 11", "B put_back 61")
        assert facts_of(game, "visible inside rerolls_left") == [[6], 5, 2]

        assert facts_of(after(game, "B put_back 6"), "visible inside") == [[], 6]

    def test_every_choice_of_dice_to_put_back_is_offered_once(self) -> None:
        game = play("A call pair 6", "B show 661")
        offered = [choice["faces"] for choice in game.legal().choices if choice["type"] == "put_back"]

        assert offered == [[1], [6], [1, 6], [6, 6], [1, 6, 6]]

    def test_the_opener_may_roll_some_of_his_six_outside_but_once(self) -> None:
        game = play("A roll_outside 65", "!A roll_outside 4", "!A reroll 2")
        assert why(game, "A roll_outside 4") == "A opens, and has rolled outside already"

        assert facts_of(after(game, "A show 4", "A call pair 6"), "visible inside turn") == [[6, 5, 4], 3, "B"]

    def test_no_more_than_six_dice_there_are(self) -> None:
        game = play("A roll_outside 65", "!A show 66666", "A show 4444")

        assert (facts_of(game, "visible inside"), game.legal().asks) == ([[6, 5, 4, 4, 4, 4], 0], ())
        after(game, "!A show 1", "A call four 4", "!B roll_outside 1", "B put_back 4", "B roll_outside 1")

    @pytest.mark.parametrize("line", ["A roll_outside 6", "C show 6", "C reroll 2", "C put_back 6", "A call six 6"])
    def test_only_he_whose_turn_it_is_touches_the_dice(self, line: str) -> None:
        play("A call pair 6", "!" + line)


def line_of(event: Any) -> str:
    """Return *event* as a line of a script."""
    return f"{event['player']} {event['type']} {''.join(map(str, event['faces']))} {event['dice']}"


class TestTheBluffIsCalled:
    @pytest.mark.parametrize(
        ("call", "dice", "loser"),
        [
            pytest.param("three 6", "666321", "B", id="the least hand that fits"),
            pytest.param("three 6", "666542", "B", id="better single dice"),
            pytest.param("three 6 5", "666432", "A", id="the claimed single die is missing"),
            pytest.param("three 6", "555432", "A", id="a lower three"),
            pytest.param("three 6", "112233", "B", id="three pairs beat three"),
            pytest.param("straight", "666554", "A", id="a full house is less than the straight"),
            pytest.param("four_and_pair", "111122", "B", id="four and a pair, the least"),
            pytest.param("four_and_pair", "666555", "A", id="two triples are less"),
            pytest.param("pair", "123456", "B", id="the straight beats a pair"),
            pytest.param("six 6", "666665", "A", id="five sixes are not six"),
        ],
    )
    def test_the_accused_shows_all_six_and_wins_with_what_he_claimed_or_better(
        self, call: str, dice: str, loser: str
    ) -> None:
        game = play(f"A call {call}", "B challenge")
        assert (game.legal().dice, game.legal().player, game.legal().blind) == (6, "A", False)

        game = after(game, "!B reveal 666666", "!C reveal 666666", f"A reveal {dice}")
        winner = "A" if loser == "B" else "B"
        assert facts_of(game, "loser winner_of_round revealed turn") == [loser, winner, ["A"], loser]
        assert game.facts()["visible"] == [int(face) for face in dice]

    def test_by_rarity_two_triples_are_better_than_four_and_a_pair(self) -> None:
        lines = ("A call four_and_pair", "B challenge", "A reveal 222111")

        assert play(*lines).facts()["loser"] == "A"
        assert play(*lines, rules={"stanford.order": "by_rarity"}).facts()["loser"] == "B"

    def test_dice_outside_and_inside_are_six_and_those_outside_stay_as_they_were(self) -> None:
        game = play("A roll_outside 66", "A call three 6", "B challenge")
        assert game.facts()["visible"] == [6, 6]

        game = after(game, "!A reveal 654321", "!A reveal 555554", "A reveal 665432")
        assert facts_of(game, "loser visible inside") == ["A", [6, 6, 5, 4, 3, 2], 6]

    @pytest.mark.parametrize("faces", [[6] * 5, [6] * 7, []])
    def test_six_dice_are_shown(self, faces: list[int]) -> None:
        with pytest.raises(GameFileError, match=r"event 3 shows \d dice; wanted are 6 faces"):
            play("A call pair 6", "B challenge").take({"type": "reveal", "player": "A", "faces": faces})

    @pytest.mark.parametrize("line", ["C challenge", "B call six 6", "B reroll 1", "A call six 6", "B concede"])
    def test_then_dice_are_due_and_nothing_else(self, line: str) -> None:
        play("A call pair 6", "B challenge", "!" + line)

    def test_only_the_next_may_call_the_bluff(self) -> None:
        play("A call pair 6", "!C challenge", "!A challenge", "!A reveal 665432")


class TestSecrecy:
    def test_the_table_is_blind_from_the_first_shake_to_the_reveal(self) -> None:
        game = play()
        for line in (
            "A call pair 6",
            "B roll_outside 6",
            "B reroll 4",
            "B put_back 6",
            "B call three 1",
            "C challenge",
        ):
            assert (game.legal().blind, game.legal().dice) == (True, 0)
            game = after(game, line)
        assert (game.legal().blind, game.legal().dice) == (False, 6)

    def test_no_event_can_say_a_face_of_a_die_in_the_box(self) -> None:
        """The state follows from the events: where none of them says a face, no state can hold one."""
        for line, before in (("A call pair 6", ()), ("B reroll 4", ("A call pair 6",))):
            with pytest.raises(GameFileError, match="has faces, but no dice are shown by"):
                play(*before).take({**event_of(line), "faces": [6, 6, 6, 6, 6, 6]})
