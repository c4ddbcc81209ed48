"""The specials of Changsha: docs/mexican_changsha.md, section 4."""

from typing import Any

import pytest

from mexico.gamefile import Playing, begin, setup
from mexico.mexican_table import Picked, RuleMade
from tests.mexico.mexican import facts_of, go_on, may, play, refused, values


def changsha(words: str, rules: dict[str, Any] | None = None, **start: Any) -> Playing:
    return play("mexican_changsha", words, rules, **start)


PASSED = "A~ A=22+ B=33+ C=44 A?"
"""22 is passed on twice, and A calls C, who had 33 to beat."""


def test_21_is_shown_and_never_announced() -> None:
    game = changsha("A~ A=54 B~ !B=21 B*21")

    assert facts_of(game, "drinks next_opener turn to_beat") == [{"C": 1}, "C", "C", None]
    assert facts_of(game, "visible revealed loser winner_of_round") == [[2, 1], ["B"], "C", "B"]


def test_where_21_may_be_bluffed_it_is_announced_like_the_others() -> None:
    bluffable = {"changsha.mexican": "bluffable"}
    game = changsha("A~ A=54 B~ B=21", bluffable)
    assert facts_of(game, "turn to_beat") == ["C", "21"]
    assert may(game, "C") == ["shake", "challenge", "concede"]

    assert facts_of(go_on(game, "C? :54"), "drinks") == [{"B": 1}]
    assert facts_of(go_on(game, "C? :61"), "drinks") == [{"C": 1}]
    assert facts_of(go_on(game, "C? :21"), "drinks") == [{"C": 1}]
    assert facts_of(go_on(game, "C."), "drinks next_opener winner_of_round") == [{"C": 1}, "C", "B"]
    assert facts_of(changsha("A~ A*21", bluffable), "drinks") == [{"B": 1}]


def test_31_turns_play_round_against_the_same_value() -> None:
    game = changsha("A~ A=54 B~ B*31", players="ABCD")
    assert facts_of(game, "direction turn to_beat drinks") == ["counterclockwise", "A", "54", {}]
    assert facts_of(game, "next_opener visible revealed rounds_played") == [None, [3, 1], ["B"], 0]
    assert may(game, "A") == ["shake"]

    game = go_on(game, "!A? !A=61 A~ !A=54 A=61 D? :54")
    assert facts_of(game, "drinks next_opener direction") == [{"A": 1}, "A", "counterclockwise"]
    assert facts_of(changsha("B~ B*31", opener="B"), "turn to_beat direction") == ["A", None, "counterclockwise"]


def test_31_between_two_players_gives_the_cup_to_the_other() -> None:
    game = changsha("A~ A=54 B~ B*31", players="AB")

    assert facts_of(game, "turn direction to_beat") == ["A", "counterclockwise", "54"]


def test_what_is_called_after_a_special_is_held_against_the_value_before_it() -> None:
    words = "A~ A=54 B~ B*31 A~ A=63 C?"

    assert facts_of(changsha(f"{words} :61"), "drinks") == [{"C": 1}]
    assert facts_of(changsha(f"{words} :54"), "drinks") == [{"A": 1}]


def test_41_is_a_drink_for_everybody_and_the_same_player_opens() -> None:
    game = changsha("A~ A=54 B~ B*41", players="ABCD")

    assert facts_of(game, "drinks next_opener turn") == [{"A": 1, "B": 1, "C": 1, "D": 1}, "B", "B"]
    assert facts_of(game, "to_beat loser rounds_played") == [None, None, 1]


@pytest.mark.parametrize(
    ("players", "direction", "opener", "seats", "turn"),
    [
        ("AB", "clockwise", "A", "AB", "B"),
        ("ABC", "clockwise", "A", "CBA", "C"),
        ("ABC", "counterclockwise", "A", "BAC", "B"),
        ("ABCD", "clockwise", "A", "CBAD", "D"),
        ("ABCD", "counterclockwise", "A", "CBAD", "B"),
        ("ABCDE", "clockwise", "D", "DBCAE", "B"),
        ("ABCDE", "counterclockwise", "A", "DBCAE", "C"),
    ],
)
def test_51_swaps_the_roller_and_the_second_next(
    players: str, direction: str, opener: str, seats: str, turn: str
) -> None:
    game = changsha(f"{opener}~ {opener}*51", players=players, direction=direction, opener=opener)

    assert facts_of(game, "seats turn to_beat drinks direction") == [list(seats), turn, None, {}, direction]


def test_51_goes_on_against_the_same_value_in_the_new_places() -> None:
    game = changsha("A~ A=54 B~ B*51 A~ A=62", players="ABCD")

    assert facts_of(game, "seats turn to_beat") == [["A", "D", "C", "B"], "D", "62"]


def test_61_lets_the_roller_pick_who_drinks_and_opens() -> None:
    game = changsha("A~ A=54 B~ B*61 !C>A !B>B !B~ !B=62", players="ABCD")
    assert facts_of(game, "waiting_for turn drinks rounds_played") == ["choice of B", "B", {}, 0]
    assert [choice["target"] for choice in game.legal().choices] == ["C", "D", "A"]
    assert game.legal().blind is False

    game = go_on(game, "B>D")
    assert facts_of(game, "drinks next_opener turn to_beat") == [{"D": 1}, "D", "D", None]
    assert facts_of(game, "loser winner_of_round waiting_for") == [None, None, None]


@pytest.mark.parametrize("perform", [False, True])
def test_61_asks_for_a_performance_only_where_the_house_agreed_to_it(perform: bool) -> None:
    game = changsha("A~ A*61 A>C", {"changsha.perform": perform})

    assert game.told[0] == Picked(0, 2, perform)  # type: ignore[arg-type]
    assert facts_of(game, "drinks next_opener") == [{"C": 1}, "C"]


def test_55_is_a_value_like_others_unless_the_house_wants_it() -> None:
    assert "no special here" in refused(changsha("A~"), "A*55")
    assert facts_of(changsha("A~ A=55"), "to_beat") == ["55"]

    game = changsha("A~ A=54 B~ B*55 !B>A !C>C", {"changsha.smoochy": True}, players="ABCD")
    assert facts_of(game, "waiting_for turn") == ["choice of C", "C"]
    assert [choice.get("target") for choice in game.legal().choices] == ["D", "B", None]
    assert facts_of(go_on(game, "!C>A C>B"), "next_opener turn drinks to_beat") == ["C", "C", {}, None]


def test_nobody_has_to_kiss() -> None:
    game = changsha("A~ A*55 B.", {"changsha.smoochy": True})

    assert facts_of(game, "next_opener drinks marks") == ["B", {}, {"A": 0, "B": 0, "C": 0}]
    two = changsha("A~ A*55", {"changsha.smoochy": True}, players="AB")
    assert [choice.get("target") for choice in two.legal().choices] == ["A", None]


def test_66_lets_the_roller_make_a_rule_and_the_next_opens() -> None:
    game = changsha("A~ A=54 B~ B*66")
    assert facts_of(game, "next_opener turn to_beat drinks rounds_played") == ["C", "C", None, {}, 1]
    assert facts_of(game, "rules_made") == [[]]

    begun = changsha("A~")
    game = begun.take({"type": "show_special", "player": "A", "faces": [6, 6], "rule": "no pointing"})
    assert facts_of(game, "rules_made") == [[{"player": "A", "rule": "no pointing"}]]
    assert RuleMade(0, "no pointing") in game.told  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "dice"),
    [
        ("changsha.reverse", "31"),
        ("changsha.social", "41"),
        ("changsha.switcharoo", "51"),
        ("changsha.judgement_day", "61"),
        ("changsha.smoochy", "55"),
        ("changsha.rules", "66"),
    ],
)
def test_each_special_can_be_on_or_off(rule: str, dice: str) -> None:
    on, off = changsha("A~", {rule: True}), changsha("A~", {rule: False})

    assert go_on(on, f"A*{dice}").facts()["visible"] == [int(face) for face in dice]
    assert "no special here" in refused(off, f"A*{dice}")
    assert facts_of(go_on(off, f"A={dice}"), "to_beat") == [dice]


def test_no_special_is_shown_of_dice_that_are_none_or_not_shaken_now() -> None:
    assert "no special here" in refused(changsha("A~"), "A*52")
    assert "shakes first" in refused(changsha(""), "A*41")
    assert "shakes first" in refused(changsha("A~ A=41"), "B*41")
    assert "turn of B" in refused(changsha("A~ A=41"), "A*41")
    assert "shakes first" in refused(changsha("A~ A=22+"), "B*41")


def test_a_special_need_not_beat_anything() -> None:
    assert facts_of(changsha("A~ A=66 B~ B*31"), "turn to_beat") == ["A", "66"]


def test_a_special_may_be_kept_hidden_and_announced() -> None:
    assert facts_of(changsha("A~ A=61 B? :61"), "drinks") == [{"B": 1}]
    assert facts_of(changsha("A~ A=54 B~ B=62 C? :61"), "drinks") == [{"C": 1}]


def test_where_specials_must_be_shown_they_are_not_announced_and_hiding_one_is_a_bluff() -> None:
    must = {"changsha.special": "must_show", "changsha.rules": False}
    game = changsha("A~", must)
    assert [value for value in ("31", "41", "51", "61", "55", "66") if value in values(game)] == ["55", "66"]
    assert "a special is shown" in refused(game, "A=61")

    words = "A~ A=54 B~ B=62 C?"
    assert facts_of(changsha(f"{words} :61", must), "drinks") == [{"B": 1}]
    assert facts_of(changsha(f"{words} :66", must), "drinks") == [{"C": 1}]
    assert facts_of(changsha(f"{words} :61", {"changsha.special": "on_show"}), "drinks") == [{"C": 1}]
    assert facts_of(changsha(f"{PASSED} :66", {"changsha.special": "must_show"}), "drinks") == [{"A": 1}]


def test_rules_made_are_only_made_with_66() -> None:
    agreed = {"game": "mexican_changsha", "players": ["A", "B"], "start": {"opener": "A"}}
    shown = {"type": "show_special", "player": "A", "faces": [4, 1], "rule": "sing"}
    with pytest.raises(ValueError, match="only 66 makes one"):
        begin(setup(agreed)).take({"type": "shake", "player": "A"}).take(shown)
