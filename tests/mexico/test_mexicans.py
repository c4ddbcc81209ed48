"""What the two games called Mexican have in common: opening, accidents, leaving, closing time, what is secret."""

import re
import textwrap
from dataclasses import fields
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from mexico import game as game_module
from mexico import mexican_changsha, mexican_turn, mexican_wisconsin
from mexico.catalogue import GAMES
from mexico.game import Refusal
from mexico.gamefile import Playing, begin, setup
from mexico.throw import Throw
from tests.mexico.mexican import event_of, facts_of, go_on, may, play, refused

BOTH = ("mexican_changsha", "mexican_wisconsin")
DOCS = Path(__file__).resolve().parents[2] / "docs"
ALL_FACTS = [
    "turn",
    "direction",
    "seats",
    "opener",
    "next_opener",
    "waiting_for",
    "to_beat",
    "drinks",
    "marks",
    "finishes",
    "owed",
    "rounds_played",
    "left",
    "winner",
    "fewest",
    "over",
    "visible",
    "revealed",
    "rolling_for_lead",
    "rerolling",
    "out",
    "loser",
    "winner_of_round",
    "bid",
    "count",
    "dice_left",
    "payments",
    "call",
    "rerolls_left",
    "first_caller",
]

both = pytest.mark.parametrize("game", BOTH)


# --- who opens ---


@both
def test_the_highest_die_opens_and_the_tied_roll_again(game: str) -> None:
    rolling = play(game, "", opener=None)
    assert (rolling.legal().dice, rolling.legal().blind) == (1, False)
    assert facts_of(rolling, "turn rolling_for_lead rerolling opener") == ["A", ["A", "B", "C"], [], None]
    assert "one die" in refused(rolling, "A~")

    rolling = go_on(rolling, "!B5 A5 B3 C5")
    assert facts_of(rolling, "turn rolling_for_lead rerolling") == ["A", ["A", "C"], ["A", "C"]]
    assert rolling.read([2]) == {"type": "die", "player": "A", "face": 2}

    found = go_on(rolling, "A2 C4")
    assert facts_of(found, "turn opener next_opener rolling_for_lead to_beat") == ["C", "C", None, [], None]
    assert found.legal().blind
    assert "nobody rolls" in refused(found, "C5")


@both
@pytest.mark.parametrize("start", [{}, {"opener": None}, {"opener": None, "direction": None}])
def test_who_opens_is_rolled_for_when_nobody_says(game: str, start: dict[str, Any]) -> None:
    begun = begin(setup({"game": game, "players": ["A", "B"], "start": start}))

    assert facts_of(begun, "turn rolling_for_lead direction") == ["A", ["A", "B"], "clockwise"]


# --- what is secret ---


@both
def test_every_fact_of_the_games_with_a_cup_is_there_from_the_start(game: str) -> None:
    assert set(ALL_FACTS) <= set(play(game, "").facts())


@both
def test_the_camera_is_blind_from_before_the_first_shake_until_the_cup_is_to_be_lifted(game: str) -> None:
    seen = []
    playing = play(game, "")
    for word in ["A~", "A=54", "B~", "B=62", "C?", ":62", "C~"]:
        playing = go_on(playing, word)
        seen.append((playing.legal().blind, playing.legal().dice, playing.facts()["visible"]))

    assert play(game, "").legal().blind
    assert seen == [
        (True, 0, []),
        (True, 0, []),
        (True, 0, []),
        (True, 0, []),
        (False, 2, []),
        (True, 0, [6, 2]),
        (True, 0, []),
    ]


@both
def test_no_state_holds_dice_that_nobody_showed(game: str) -> None:
    """Whatever lies under the cup, the events of two tables are the same until it is lifted, and so the states are."""
    words = "A~ A=54 B~ B=62"
    one, other = (reduce(go_on, words.split(), play(game, "")) for _ in range(2))

    assert one == other
    assert go_on(one, "C? :62") != go_on(other, "C? :54")
    state = one._state
    held = {field.name: getattr(state.hand, field.name) for field in fields(state.hand)}
    assert {name: value for name, value in held.items() if isinstance(value, Throw)} == {
        "to_beat": held["to_beat"],
        "before": held["before"],
    }
    assert (state.visible, held["beside"]) == ((), None)
    for viewer in (None, 0, 1, 2):
        assert GAMES[game].rules.redact(state, viewer) == state  # type: ignore[arg-type]


# --- accidents (0.3) ---


@both
def test_after_an_accident_whose_dice_were_seen_shakes_again_against_what_he_had_to_beat(game: str) -> None:
    shaken = go_on(play(game, "A~ A=54 B~"), "B^")
    assert facts_of(shaken, "turn to_beat drinks") == ["B", "54", {}]
    assert may(shaken, "B")[0] == "shake"
    assert "shakes first" in refused(shaken, "B=61")

    announced = go_on(play(game, "A~ A=54 B~ B=62"), "C^")
    assert facts_of(announced, "turn to_beat") == ["B", "54"]
    assert facts_of(go_on(announced, "!B? B~ B=61 C? :54"), "drinks") == [{"B": 1}]

    opened = play(game, "A~ A=54 B^")
    assert facts_of(opened, "turn to_beat rounds_played") == ["A", None, 0]

    spoken = play(game, "A~ B~ C^", {"announce": "spoken"})
    assert facts_of(spoken, "turn") == ["B"]


@both
def test_the_house_may_play_on_after_an_accident(game: str) -> None:
    for words in ("A~", "A~ A=54", "A~ A=54 B~ B=62"):
        before = play(game, words, {"accident": "plays_on"})
        assert go_on(before, "A^").facts() == before.facts()


@both
def test_there_is_no_accident_where_no_dice_are_hidden(game: str) -> None:
    for words in ("", "A~ A=54 B?", "A~ A=54 B? :54"):
        assert "no dice lie hidden" in refused(play(game, words), "A^")
    assert "no dice lie hidden" in refused(play(game, "", opener=None), "A^")


# --- leaving and closing time (0.5) ---


@both
def test_who_leaves_voids_the_round_and_nobody_is_penalized(game: str) -> None:
    left = play(game, "A~ A=54 B~ B-", players="ABCD")
    assert facts_of(left, "turn opener to_beat drinks left rounds_played") == ["A", "A", None, {}, ["B"], 0]
    assert facts_of(left, "seats over next_opener") == [["A", "B", "C", "D"], False, "A"]
    assert facts_of(go_on(left, "!B~ !B- !B^ !B$ A~ A=54"), "turn") == ["C"]
    assert "not in the game any more" in refused(left, "B-")

    assert facts_of(play(game, "A~ A=54 A-"), "turn opener") == ["B", "B"]
    assert facts_of(play(game, "A-", direction="counterclockwise"), "turn") == ["C"]
    assert facts_of(play(game, "A~ A=54 B? C-"), "turn waiting_for") == ["A", None]


@both
def test_who_leaves_while_the_opener_is_rolled_for_rolls_no_more(game: str) -> None:
    assert facts_of(play(game, "A3 B-", opener=None), "turn rolling_for_lead") == ["C", ["C"]]
    assert facts_of(play(game, "A3 B2 C-", opener=None), "turn opener rolling_for_lead") == ["A", "A", []]
    assert facts_of(play(game, "A5 B3 C5 A-", opener=None), "turn opener rolling_for_lead") == ["C", "C", []]
    assert facts_of(play(game, "A6 B6 C1 A- B-", opener=None), "over") == [True]


@both
def test_a_game_of_one_is_over(game: str) -> None:
    over = play(game, "A~ A=54 B? :54 A-", players="AB")

    assert facts_of(over, "over turn winner fewest left") == [True, None, "B", ["B"], ["A"]]
    assert "the game is over" in refused(over, "B~")


@both
def test_closing_time_ends_the_game_at_once(game: str) -> None:
    over = play(game, "A~ A=54 B? :54 B~ B=61 C$")
    assert facts_of(over, "over turn winner fewest drinks to_beat") == [True, None, None, ["A", "C"], {"B": 1}, None]
    assert facts_of(over, "next_opener opener waiting_for rounds_played") == [None, None, None, 1]
    assert over.legal().choices == ()

    for word in ("A~", "A=54", "A?", ":54", "A*31", "A>B", "A.", "A^", "A-", "A$", "A5"):
        assert "the game is over" in refused(over, word)
    assert facts_of(play(game, "B$", opener=None), "over rolling_for_lead") == [True, []]


@both
def test_the_game_is_over_after_the_rounds_agreed_on_and_the_fewest_marks_win(game: str) -> None:
    rounds = play(game, "A~ A=54 B? :54 B~ B=61 C? :41", {"end.rounds": 2, "mark_value": 5})

    assert facts_of(rounds, "over turn rounds_played next_opener") == [True, None, 2, None]
    assert facts_of(rounds, "marks owed winner fewest") == [
        {"A": 0, "B": 2, "C": 0},
        {"A": 0, "B": 10, "C": 0},
        None,
        ["A", "C"],
    ]
    assert facts_of(play(game, "A~ A=54 B? :54", {"end.rounds": 1}, players="AB"), "winner") == ["A"]


@both
def test_what_the_last_round_left_stays_until_the_next_shows_something_else(game: str) -> None:
    over = play(game, "A~ A=54 B? :54")
    assert facts_of(over, "drinks loser visible revealed") == [{"B": 1}, "B", [5, 4], ["A"]]
    assert facts_of(go_on(over, "B~ B=61"), "drinks loser visible revealed") == [{"B": 1}, "B", [], ["A"]]
    assert facts_of(go_on(over, "B~ B=61 C?"), "drinks loser visible revealed") == [{"B": 1}, "B", [], []]


# --- choices are events ---


@both
@pytest.mark.parametrize("rules", [{}, {"announce": "spoken"}])
def test_every_choice_is_an_event_that_is_taken(game: str, rules: dict[str, Any]) -> None:
    special = "A*61 A>B" if game == "mexican_changsha" else "A*31"
    for words in ("", "A~", "A~ B?", "A~ B? :54", f"A~ {special}"):
        if rules or "B?" not in words:
            check_choices(play(game, words, rules))
    if not rules:
        for words in ("A~ A=54", "A~ A=66", "A~ A=54 B~", "A~ A=54 B?", "A~ A=54 B? :54"):
            check_choices(play(game, words))


def check_choices(playing: Playing) -> None:
    assert playing.legal().choices or playing.legal().dice
    for choice in playing.legal().choices:
        assert playing.take(choice).events[-1] == choice


def test_what_is_passed_on_is_a_choice_of_its_own_in_changsha() -> None:
    passed = [one["value"] for one in play("mexican_changsha", "A~ A=55").legal().choices if one.get("pass_it_on")]
    assert passed == []

    choices = play("mexican_changsha", "A~ A=44 B~").legal().choices
    assert [(one["value"], one.get("pass_it_on", False)) for one in choices] == [
        ("55", False),
        ("66", False),
        ("55", True),
        ("66", True),
    ]


def test_an_event_is_written_in_the_words_of_the_interface() -> None:
    assert event_of("A=22+") == {"type": "announce", "player": "A", "value": "22", "pass_it_on": True}


# --- what a refusal says ---

REFUSALS = {
    module.__name__: [
        thing for thing in vars(module).values() if type(thing) is Refusal and thing not in vars(game_module).values()
    ]
    for module in (mexican_turn, mexican_changsha, mexican_wisconsin)
}


def test_every_refusal_has_room_on_the_display() -> None:
    for refusal in chain.from_iterable(REFUSALS.values()):
        rows = textwrap.wrap(refusal.why.replace("{player}", "Benj").replace("{other}", "Carl"), 21)
        assert len(rows) <= 3, refusal.why


@pytest.mark.parametrize(("game", "label"), [(BOTH[0], "CHANGSHA"), (BOTH[1], "WISCONSIN")])
def test_every_refusal_and_house_rule_names_a_section_of_the_page_of_its_game(game: str, label: str) -> None:
    text = (DOCS / f"{game}.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^## (\d)\.", text, re.MULTILINE))
    house = GAMES[game].house
    own = [refusal for refusal in REFUSALS[f"mexico.{game}"] if refusal.rule.startswith(label)]

    assert len(own) >= 7
    for refusal in own:
        section, _, rule = refusal.rule.removeprefix(f"{label} ").partition(" / ")
        assert section in sections
        assert not rule or rule in {known.name for known in house.rules}
        assert re.fullmatch(r"00\d(, 00\d)*|the documents are silent", refusal.source)
    for known in house.rules:
        assert f"`{known.name}`" in text
        assert all(f"`{value}`" in text for value in known.values if isinstance(value, str))
        assert known.tag in sections or not known.name.startswith(game.removeprefix("mexican_"))


def test_what_is_shared_rests_on_what_holds_for_all_games_with_a_cup() -> None:
    for refusal in REFUSALS["mexico.mexican_turn"]:
        assert re.fullmatch(r"BLUFF 0\.[1-7]( / (accident|announce))?", refusal.rule)
