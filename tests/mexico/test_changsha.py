"""Mexican of Changsha: docs/mexican_changsha.md, sentence by sentence."""

from typing import Any

import pytest

from mexico.gamefile import Playing
from tests.mexico.mexican import facts_of, go_on, may, play, refused, values


def changsha(words: str, rules: dict[str, Any] | None = None, **start: Any) -> Playing:
    return play("mexican_changsha", words, rules, **start)


PASSED = "A~ A=22+ B=33+ C=44 A?"
"""22 is passed on twice, and A calls C, who had 33 to beat."""


# --- 2. a turn ---


def test_the_opener_shakes_and_announces_any_value_but_21() -> None:
    game = changsha("!A=54 !A? !B~ A~")

    assert may(game, "A") == ["announce"]
    assert values(game) == [
        *("31", "32", "41", "42", "43", "51", "52", "53", "54", "61"),
        *("62", "63", "64", "65", "11", "22", "33", "44", "55", "66"),
    ]
    assert game.legal().asks[0].what == "show"


def test_the_next_believes_and_shakes_or_calls() -> None:
    game = changsha("A~ A=54")
    assert may(game, "B") == ["shake", "challenge"]
    assert facts_of(game, "turn to_beat waiting_for") == ["B", "54", None]

    go_on(game, "!C~ !C? !A? !A~ !A=55 !B=61")


def test_what_is_announced_must_be_more_than_before() -> None:
    game = changsha("A~ A=64 B~")
    assert values(game) == ["65", "11", "22", "33", "44", "55", "66"]

    game = go_on(game, "!B=31 !B=64 B=65")
    assert facts_of(game, "turn to_beat") == ["C", "65"]


def test_who_shook_cannot_call_any_more_and_shakes_once() -> None:
    game = changsha("A~ A=54 B~")

    assert "those dice are gone" in refused(game, "B?")
    assert "shook already" in refused(game, "B~")
    assert "both dice belong under the cup" in refused(changsha(""), "A~5")


def test_play_goes_round_counterclockwise_when_it_is_said_so() -> None:
    game = changsha("A~ A=54", direction="counterclockwise")

    assert facts_of(game, "turn direction") == ["C", "counterclockwise"]


def test_who_has_nothing_left_to_announce_shows_a_special_or_gives_in() -> None:
    game = changsha("A~ A=66")
    assert may(game, "B") == ["shake", "challenge", "concede"]

    game = go_on(game, "B~ !B=66")
    assert "21 is shown" in refused(game, "B=21")
    assert may(game, "B") == ["concede"]
    assert facts_of(go_on(game, "B*21"), "drinks next_opener") == [{"C": 1}, "C"]
    assert facts_of(go_on(game, "B."), "drinks next_opener loser") == [{"B": 1}, "B", "B"]
    assert "can still announce" in refused(changsha("A~ A=65 B~"), "B.")


# --- 3. the call ---


@pytest.mark.parametrize(
    ("dice", "drinks"),
    [
        pytest.param("62", "C", id="just what was announced"),
        pytest.param("61", "C", id="higher than the value to beat, if not what was announced"),
        pytest.param("21", "C", id="higher than announced"),
        pytest.param("54", "B", id="equal to the value to beat: it had to be greater"),
        pytest.param("53", "B", id="lower than the value to beat"),
        pytest.param("31", "B", id="the lowest, special or not"),
    ],
)
def test_the_dice_called_must_be_higher_than_the_value_to_beat(dice: str, drinks: str) -> None:
    game = changsha(f"A~ A=54 B~ B=62 C? :{dice}")

    other = "B" if drinks == "C" else "C"
    assert facts_of(game, "drinks next_opener turn to_beat") == [{drinks: 1}, drinks, drinks, None]
    assert facts_of(game, "loser winner_of_round revealed") == [drinks, other, ["B"]]
    assert facts_of(game, "visible rounds_played marks") == [
        [int(face) for face in dice],
        1,
        {"A": 0, "B": 0, "C": 0, drinks: 1},
    ]


@pytest.mark.parametrize(
    ("rules", "dice", "drinks"),
    [
        ({"changsha.test": "announced"}, "61", "B"),
        ({"changsha.test": "announced"}, "62", "C"),
        ({"changsha.test": "announced"}, "63", "C"),
        ({"changsha.test": "announced", "changsha.equal": "bluff"}, "62", "C"),
        ({"changsha.test": "to_beat"}, "61", "C"),
        ({"changsha.equal": "truth"}, "54", "C"),
        ({"changsha.equal": "truth"}, "53", "B"),
        ({"changsha.equal": "bluff"}, "54", "B"),
    ],
)
def test_the_house_says_what_the_dice_are_held_against(rules: dict[str, Any], dice: str, drinks: str) -> None:
    game = changsha(f"A~ A=54 B~ B=62 C? :{dice}", rules)

    assert facts_of(game, "drinks next_opener") == [{drinks: 1}, drinks]


@pytest.mark.parametrize(
    ("rules", "dice", "drinks"),
    [
        ({}, "54", "B"),
        ({}, "61", "B"),
        ({}, "53", "A"),
        ({"changsha.equal": "truth"}, "53", "A"),
        ({"changsha.test": "announced"}, "53", "A"),
        ({"changsha.opener_test": "always_true"}, "31", "B"),
        ({"changsha.opener_test": "always_true", "changsha.test": "announced"}, "31", "B"),
    ],
)
def test_an_opener_who_is_called_had_nothing_to_beat(rules: dict[str, Any], dice: str, drinks: str) -> None:
    game = changsha(f"A~ A=54 B? :{dice}", rules)

    assert facts_of(game, "drinks next_opener") == [{drinks: 1}, drinks]


def test_after_a_call_only_the_dice_are_awaited() -> None:
    game = changsha("A~ A=54 B? !A~ !B~ !B? !A=55 !C?")
    now = game.legal()

    assert facts_of(game, "turn waiting_for to_beat revealed") == ["A", "reveal of A", "54", []]
    assert (now.dice, now.blind, now.choices, now.asks) == (2, False, (), ())
    assert game.read([5, 4]) == {"type": "cup_lifted", "faces": [5, 4]}
    assert "lifts the cup" in refused(game, "A*21")


def test_a_cup_lifted_without_a_call_shows_nothing() -> None:
    for words in ("", "A~", "A~ A=54", "A~ A=54 B? :54"):
        assert "nobody called" in refused(changsha(words), ":54")


# --- 5. pass it on ---


def test_what_is_passed_on_may_be_left_unshaken_and_announced_higher() -> None:
    game = changsha("A~ A=22+")
    assert may(game, "B") == ["shake", "challenge", "announce"]
    assert values(game) == ["33", "44", "55", "66"]

    game = go_on(game, "!B=11 !B=22 B=33+ C=44")
    assert facts_of(game, "turn to_beat") == ["A", "44"]
    assert may(game, "A") == ["shake", "challenge"]
    assert "it was not passed on" in refused(game, "A=55")


@pytest.mark.parametrize(("dice", "drinks"), [("44", "A"), ("55", "A"), ("33", "C"), ("22", "C"), ("53", "C")])
def test_on_a_call_the_dice_decide_for_the_last_announcer(dice: str, drinks: str) -> None:
    game = changsha(f"{PASSED} :{dice}")

    assert facts_of(game, "drinks next_opener revealed") == [{drinks: 1}, drinks, ["C"]]


def test_who_gets_it_passed_on_may_shake_all_the_same_or_call() -> None:
    assert facts_of(changsha("A~ A=22+ B? :22"), "drinks") == [{"B": 1}]
    game = changsha("A~ A=22+ B~ B=44")
    assert facts_of(game, "turn to_beat") == ["C", "44"]
    assert may(game, "C") == ["shake", "challenge"]


def test_between_two_it_may_be_passed_to_and_fro() -> None:
    game = changsha("A~ A=22+ B=33+ A=44 B?", players="AB")

    assert facts_of(game, "waiting_for") == ["reveal of A"]
    assert facts_of(go_on(game, ":44"), "drinks") == [{"B": 1}]
    assert facts_of(go_on(game, ":33"), "drinks") == [{"A": 1}]


def test_the_house_may_let_dice_be_left_unshaken_always_or_never() -> None:
    always = changsha("A~ A=54 B=61 C=62 A?", {"changsha.unshaken": "always"})
    assert facts_of(go_on(always, ":61"), "drinks") == [{"C": 1}]
    assert facts_of(go_on(always, ":62"), "drinks") == [{"A": 1}]
    assert "shakes first" in refused(changsha("", {"changsha.unshaken": "always"}), "A=54")

    never = changsha("A~ A=22+", {"changsha.unshaken": "never"})
    assert may(never, "B") == ["shake", "challenge"]
    assert "shakes first, always" in refused(never, "B=33")


def test_a_special_ends_what_was_passed_on() -> None:
    game = changsha("A~ A=22+ B~ B*31", {"changsha.unshaken": "always"})

    assert may(game, "A") == ["shake"]
    assert "shakes first" in refused(game, "A=33")


# --- claims that are only spoken (announce) ---

SPOKEN = {"announce": "spoken"}


def test_spoken_claims_are_not_entered_and_the_loser_says_who_lost() -> None:
    game = changsha("A~", SPOKEN)
    assert "say it aloud" in refused(game, "A=54")
    assert "say it aloud" in refused(game, "B=54")
    assert facts_of(game, "turn to_beat") == ["B", None]

    game = go_on(game, "B~ C? :64")
    assert facts_of(game, "waiting_for visible revealed") == ["concession of B or C", [6, 4], ["B"]]
    assert facts_of(go_on(game, "!A. !B~ C."), "drinks next_opener winner_of_round") == [{"C": 1}, "C", "B"]
    assert facts_of(go_on(game, "B."), "drinks next_opener loser winner_of_round") == [{"B": 1}, "B", "B", "C"]


def test_spoken_claims_may_have_been_passed_on_further_than_the_table_heard() -> None:
    game = changsha("A~", SPOKEN, players="ABCD")
    assert may(game, "D") == ["shake", "challenge"]
    assert facts_of(go_on(game, "D? :66 C."), "drinks revealed") == [{"C": 1}, ["C"]]
    assert facts_of(go_on(game, "A? :66 D."), "drinks revealed") == [{"D": 1}, ["D"]]

    never = changsha("A~", {**SPOKEN, "changsha.unshaken": "never"}, players="ABCD")
    assert may(never, "D") == []


def test_specials_are_shown_by_who_shook_though_claims_are_spoken() -> None:
    game = changsha("A~", SPOKEN)
    assert [(ask.seat, ask.what) for ask in game.legal().asks] == [(0, "show")]

    assert facts_of(go_on(game, "A*31"), "turn direction") == ["C", "counterclockwise"]
    assert facts_of(go_on(game, "B."), "drinks next_opener winner_of_round") == [{"B": 1}, "B", "A"]
    assert "shakes first" in refused(game, "B*31")
