"""Mexican of Wisconsin: docs/mexican_wisconsin.md, sentence by sentence."""

from typing import Any

import pytest

from mexico.gamefile import GameFileError, Playing
from tests.mexico.mexican import facts_of, go_on, may, play, refused, values


def wisconsin(words: str, rules: dict[str, Any] | None = None, **start: Any) -> Playing:
    return play("mexican_wisconsin", words, rules, **start)


def pressed(game: Playing, player: str) -> list[str]:
    """Return what *player* may press of the game itself, dice on the floor and cheats apart."""
    return [kind for kind in may(game, player) if kind not in ("die_on_floor", "caught_cheating")]


# --- 2. a turn ---


def test_there_are_19_values_from_41_to_21() -> None:
    assert values(wisconsin("A~")) == [
        *("41", "42", "43", "51", "52", "53", "54", "61", "62", "63"),
        *("64", "65", "11", "22", "33", "44", "55", "66", "21"),
    ]


def test_the_next_believes_and_rolls_or_disbelieves() -> None:
    game = wisconsin("!A=54 A~ !A? A=54")
    assert facts_of(game, "turn to_beat opener next_opener") == ["B", "54", "A", None]
    assert pressed(game, "B") == ["shake", "challenge"]

    go_on(game, "!B=61 !C~ !C? !A=61 !B.")
    assert "nobody passes it on" in refused(go_on(game, "B~"), "B=61+")


def test_a_claim_must_be_more_than_the_last() -> None:
    game = wisconsin("A~ A=65 B~")

    assert values(game) == ["11", "22", "33", "44", "55", "66", "21"]
    assert "claim more" in refused(game, "B=65")
    assert "claim more" in refused(game, "B=41")
    assert facts_of(go_on(game, "B=11"), "turn to_beat") == ["C", "11"]


def test_a_tie_counts_where_the_house_says_so() -> None:
    assert "claim more" in refused(wisconsin("A~ A=54 B~", {"wisconsin.tie_ok": False}), "B=54")

    game = wisconsin("A~ A=61 B~", {"wisconsin.tie_ok": True})
    assert values(game)[0] == "61"
    assert facts_of(go_on(game, "!B=54 B=61"), "turn to_beat") == ["C", "61"]


def test_a_low_claim_stands_when_it_is_believed_where_the_house_lets_it_through() -> None:
    game = wisconsin("A~ A=65 B~", {"wisconsin.low_claim": "let_through"})
    assert len(values(game)) == 19

    game = go_on(game, "B=43")
    assert facts_of(game, "turn to_beat") == ["C", "43"]
    assert facts_of(go_on(game, "C~ C=51"), "to_beat") == ["51"]
    assert facts_of(go_on(game, "C? :43"), "drinks") == [{"C": 1}]
    assert facts_of(go_on(game, "C? :42"), "drinks") == [{"B": 1}]
    assert facts_of(go_on(game, "B#"), "drinks next_opener to_beat") == [{"B": 1}, "C", None]


# --- 3. who is right ---


@pytest.mark.parametrize(
    ("dice", "drinks"),
    [
        pytest.param("62", "C", id="just the claim"),
        pytest.param("66", "C", id="more than the claim"),
        pytest.param("61", "B", id="less than the claim, though more than the last"),
        pytest.param("31", "B", id="a social that was not shown is nothing"),
        pytest.param("32", "B", id="nor is a reverse"),
    ],
)
@pytest.mark.parametrize("opener", ["drinker", "next"])
def test_the_dice_must_be_at_least_the_claim(dice: str, drinks: str, opener: str) -> None:
    game = wisconsin(f"A~ A=54 B~ B=62 C? :{dice}", {"wisconsin.opener": opener})

    other = "B" if drinks == "C" else "C"
    opens = drinks if opener == "drinker" else {"B": "C", "C": "A"}[drinks]
    assert facts_of(game, "drinks next_opener turn to_beat") == [{drinks: 1}, opens, opens, None]
    assert facts_of(game, "loser winner_of_round rounds_played") == [drinks, other, 1]


def test_a_hidden_social_does_not_even_make_the_lowest_claim() -> None:
    assert facts_of(wisconsin("A~ A=41 B? :32"), "drinks") == [{"A": 1}]
    assert facts_of(wisconsin("A~ A=41 B? :41"), "drinks") == [{"B": 1}]


# --- 4. Mexican ---


@pytest.mark.parametrize(
    ("claim", "dice", "drinks"),
    [
        pytest.param("21", "21", {"B": "finish"}, id="claimed and there"),
        pytest.param("21", "66", {"A": "finish"}, id="claimed and not there"),
        pytest.param("54", "21", {"B": "finish"}, id="rolled and not claimed"),
        pytest.param("54", "66", {"B": 1}, id="neither"),
    ],
)
def test_21_rolled_or_claimed_costs_the_loser_his_glass(claim: str, dice: str, drinks: dict[str, object]) -> None:
    game = wisconsin(f"A~ A={claim} B? :{dice}")

    loser = next(iter(drinks))
    assert facts_of(game, "drinks next_opener") == [drinks, loser]
    assert facts_of(game, "finishes")[0][loser] == (drinks[loser] == "finish")
    assert facts_of(game, "marks")[0][loser] == (drinks[loser] == 1)


@pytest.mark.parametrize(
    ("rules", "drinks"),
    [
        ({}, {"B": "finish"}),
        ({"wisconsin.mexican_believed": "concede_and_finish"}, {"B": "finish"}),
        ({"wisconsin.mexican_believed": "concede_single"}, {"B": 1}),
    ],
)
@pytest.mark.parametrize("low", ["refuse", "let_through"])
def test_nothing_beats_21_so_the_next_disbelieves_or_gives_in(
    rules: dict[str, Any], drinks: dict[str, object], low: str
) -> None:
    game = wisconsin("A~ A=21", {**rules, "wisconsin.low_claim": low, "wisconsin.tie_ok": True})
    assert pressed(game, "B") == ["challenge", "concede"]
    assert "nothing beats 21" in refused(game, "B~")
    assert "nothing beats 21" in refused(game, "B=21")

    game = go_on(game, "!C. B.")
    assert facts_of(game, "drinks next_opener winner_of_round visible") == [drinks, "B", "A", []]


def test_who_gives_in_to_21_opens_or_the_next_after_him() -> None:
    game = wisconsin("A~ A=21 B.", {"wisconsin.opener": "next"})

    assert facts_of(game, "drinks next_opener") == [{"B": "finish"}, "C"]


def test_nobody_gives_in_to_less() -> None:
    assert "only to a claim of 21" in refused(wisconsin("A~ A=66"), "B.")


# --- 5. what is shown ---


@pytest.mark.parametrize("value", ["31", "32"])
def test_a_social_or_a_reverse_cannot_be_claimed(value: str) -> None:
    assert "are shown, never claimed" in refused(wisconsin("A~"), f"A={value}")


def test_31_is_a_drink_for_everybody_and_the_same_roller_opens_again() -> None:
    game = wisconsin("A~ A=65 B~ B*31")

    assert facts_of(game, "drinks turn next_opener") == [{"A": 1, "B": 1, "C": 1}, "B", "B"]
    assert facts_of(game, "to_beat direction visible revealed") == [None, "clockwise", [3, 1], ["B"]]
    assert facts_of(go_on(game, "B~ B=41"), "turn to_beat") == ["C", "41"]


def test_32_turns_play_round_and_the_same_roller_opens_again() -> None:
    game = wisconsin("A~ A=65 B~ B*32")

    assert facts_of(game, "drinks turn next_opener") == [{}, "B", "B"]
    assert facts_of(game, "to_beat direction") == [None, "counterclockwise"]
    assert facts_of(go_on(game, "B~ B=41"), "turn") == ["A"]


@pytest.mark.parametrize("opener", ["drinker", "next"])
def test_after_a_social_or_a_reverse_it_is_always_the_roller_who_opens(opener: str) -> None:
    for special in ("31", "32"):
        game = wisconsin(f"A~ A*{special}", {"wisconsin.opener": opener})
        assert facts_of(game, "turn") == ["A"]


def test_the_roller_has_to_prove_it() -> None:
    assert "not to be shown" in refused(wisconsin("A~"), "A*52")
    assert "not to be shown" in refused(wisconsin("A~"), "A*21")
    assert "shakes first" in refused(wisconsin(""), "A*31")
    assert "turn of B" in refused(wisconsin("A~ A=54"), "A*31")
    assert "shakes first" in refused(wisconsin("A~ A=54"), "B*31")


def test_41_is_the_lowest_roll_and_nothing_else() -> None:
    for rules in ({}, {"wisconsin.41": "plain"}):
        assert "not to be shown" in refused(wisconsin("A~", rules), "A*41")
    assert facts_of(wisconsin("A~ A=41", {"wisconsin.41": "impose_then_social"}), "to_beat") == ["41"]


def test_41_lets_the_roller_impose_a_drink_and_is_then_as_a_social() -> None:
    game = wisconsin("A~ A=54 B~ B*41 !B>B !A>C !B~", {"wisconsin.41": "impose_then_social"})
    assert facts_of(game, "waiting_for turn drinks") == ["choice of B", "B", {}]

    game = go_on(game, "B>C")
    assert facts_of(game, "drinks turn next_opener to_beat") == [{"A": 1, "B": 1, "C": 2}, "B", "B", None]
    assert facts_of(game, "direction marks") == ["clockwise", {"A": 1, "B": 1, "C": 2}]


def test_41_lets_the_roller_impose_a_drink_and_is_then_as_a_reverse() -> None:
    game = wisconsin("A~ A=54 B~ B*41 B>C", {"wisconsin.41": "impose_then_reverse"})

    assert facts_of(game, "drinks turn next_opener to_beat") == [{"C": 1}, "B", "B", None]
    assert facts_of(game, "direction") == ["counterclockwise"]


# --- 6. sloppy dice and cheating ---


def test_a_die_on_the_floor_is_a_drink_each_and_the_turn_goes_on() -> None:
    game = wisconsin("A_2")
    assert facts_of(game, "drinks turn marks rounds_played") == [{"A": 2}, "A", {"A": 2, "B": 0, "C": 0}, 0]

    game = go_on(game, "A~ A=54 C_1")
    assert facts_of(game, "drinks turn to_beat") == [{"C": 1}, "B", "54"]
    assert facts_of(go_on(game, "B? B_1 :54"), "drinks marks") == [{"B": 1}, {"A": 2, "B": 2, "C": 1}]
    assert facts_of(wisconsin("B_1 A3", opener=None), "drinks turn") == [{"B": 1}, "B"]


def test_dice_picked_up_from_the_floor_may_be_shaken_again_until_they_are_claimed() -> None:
    game = wisconsin("A~ !A~ A_1 A~ !A~ A=54 B~ C_1 B=61")
    assert facts_of(game, "turn to_beat drinks") == ["C", "61", {"C": 1}]

    assert pressed(wisconsin("A~ A=54 B_1"), "B") == ["shake", "challenge"]
    assert facts_of(wisconsin("A~ A_1 A~", {"announce": "spoken"}), "turn") == ["B"]


def test_who_is_caught_in_the_act_drinks_and_the_next_rolls_fresh() -> None:
    for words, turn in (("", "B"), ("A~", "B"), ("A~ A=54", "B"), ("A~ A=54 B?", "B")):
        game = wisconsin(f"{words} A#")
        assert facts_of(game, "drinks turn next_opener to_beat") == [{"A": 1}, turn, turn, None]
        assert facts_of(game, "loser winner_of_round waiting_for") == ["A", None, None]

    assert facts_of(wisconsin("A~ A=54 B~ B#", {"wisconsin.opener": "drinker"}), "drinks turn") == [{"B": 1}, "C"]
    assert facts_of(wisconsin("A~ A#", direction="counterclockwise"), "turn") == ["C"]


def test_only_who_has_the_cup_or_has_just_passed_it_on_is_caught_in_the_act() -> None:
    assert "does not have the cup" in refused(wisconsin("A~"), "B#")
    assert "does not have the cup" in refused(wisconsin("A~ A=54 B~"), "A#")
    assert "no cup yet" in refused(wisconsin("", opener=None), "A#")


def test_a_die_beside_the_cup_may_be_left_there_and_is_seen_by_all() -> None:
    game = wisconsin("A~5 A=54")
    assert facts_of(game, "visible turn to_beat") == [[5], "B", "54"]

    assert facts_of(go_on(game, "B? :54"), "drinks visible") == [{"B": 1}, [5, 4]]
    assert facts_of(go_on(game, "B? :4"), "drinks visible") == [{"B": 1}, [5, 4]]
    assert facts_of(go_on(game, "B? :53"), "drinks") == [{"A": 1}]
    assert "beside the cup of A was another" in refused(go_on(game, "B?"), ":64")
    assert facts_of(go_on(game, "B~"), "visible") == [[]]


def test_a_die_beside_the_cup_may_be_noticed_after_the_shake_or_be_shaken_again() -> None:
    game = wisconsin("A~")
    assert [(ask.what, ask.dice) for ask in game.legal().asks] == [("show", 2), ("exposed", 1)]
    assert "shook already" in refused(game, "A~")

    game = game.take(game.read([3], game.legal().asks[1]))
    assert facts_of(game, "visible turn") == [[3], "A"]
    assert [ask.what for ask in game.legal().asks] == ["show"]
    assert facts_of(go_on(game, "A~4 !A*31"), "visible") == [[4]]
    assert facts_of(go_on(game, "A*31"), "drinks") == [{"A": 1, "B": 1, "C": 1}]
    assert facts_of(go_on(game, "A~"), "visible turn") == [[], "A"]
    assert "was another" in refused(go_on(game, "A~ A~5"), "A*31")


def test_a_die_beside_the_cup_is_not_left_where_the_house_does_not_want_it() -> None:
    game = wisconsin("", {"wisconsin.exposed": False})

    assert "both dice belong under the cup" in refused(game, "A~5")
    assert "both dice belong under the cup" in refused(go_on(game, "A~"), "A~5")
    assert [ask.what for ask in go_on(game, "A~").legal().asks] == ["show"]


@pytest.mark.parametrize(
    ("ends", "announce"),
    [
        pytest.param("C-", "entered", id="somebody left"),
        pytest.param("A-", "entered", id="who shook left"),
        pytest.param("A#", "entered", id="who shook was caught"),
        pytest.param("A=21 B.", "entered", id="the next gave in"),
        pytest.param("B.", "spoken", id="the next gave in to what he heard"),
        pytest.param("A$", "entered", id="closing time"),
    ],
)
def test_a_die_beside_the_cup_is_not_seen_any_more_when_its_round_is_gone(ends: str, announce: str) -> None:
    game = wisconsin("A~5", {"announce": announce})
    assert facts_of(game, "visible") == [[5]]

    assert facts_of(go_on(game, ends), "visible") == [[]]


def test_what_was_shown_is_seen_until_the_next_shake_also_when_somebody_leaves() -> None:
    game = wisconsin("A~5 A=54 B? :54 C-")

    assert facts_of(game, "visible turn") == [[5, 4], "B"]
    assert facts_of(go_on(game, "B~"), "visible") == [[]]


def test_only_one_die_is_read_under_the_cup_where_the_other_lies_beside_it() -> None:
    assert "shows both dice" in refused(wisconsin("A~ A=54 B?"), ":4")
    with pytest.raises(GameFileError, match="one die may lie beside the cup"):
        wisconsin("").take({"type": "shake", "player": "A", "exposed": [5, 4]})


# --- claims that are only spoken (announce) ---


def test_spoken_claims_are_settled_by_who_lost() -> None:
    game = wisconsin("A~", {"announce": "spoken"})
    assert "say it aloud" in refused(game, "A=54")
    assert pressed(game, "B") == ["shake", "challenge", "concede"]
    assert pressed(game, "C") == []

    assert facts_of(go_on(game, "B? :65 A."), "drinks next_opener winner_of_round") == [{"A": 1}, "A", "B"]
    assert facts_of(go_on(game, "B? :21 B."), "drinks") == [{"B": "finish"}]
    assert facts_of(go_on(game, "B."), "drinks") == [{"B": "finish"}]
    assert facts_of(go_on(game, "A~5"), "visible turn") == [[5], "B"]
