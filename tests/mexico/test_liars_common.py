"""A hand of common hand: opening, bidding, calling, showing. What a hand costs is in test_liars_common_paying."""

import re
import textwrap

import pytest

from mexico import liars_common
from mexico.bidding import Bid
from mexico.game import Refusal
from mexico.liars_odds import holds
from tests.mexico.liars import HANDS, facts, play, take, why

# --- who opens (section 1) ---


def test_who_opens_is_rolled_for_when_nobody_says_so() -> None:
    game = play("A3 B5 C2", start={"opener": None})

    assert facts(game, "turn opener rolling_for_lead rerolling") == {
        "turn": "B",
        "opener": "B",
        "rolling_for_lead": [],
        "rerolling": [],
    }


def test_those_who_tie_for_the_highest_die_roll_again() -> None:
    game = play("A5 B2 C5", start={"opener": None})

    assert facts(game, "turn rolling_for_lead rerolling opener") == {
        "turn": "A",
        "rolling_for_lead": ["A", "C"],
        "rerolling": ["A", "C"],
        "opener": None,
    }
    assert play("A5 B2 C5 A1 C2", start={"opener": None}).facts()["turn"] == "C"


def test_the_camera_reads_one_die_while_it_is_rolled_for_and_nothing_is_blind() -> None:
    game = play("A3", start={"opener": None})
    now = game.legal()

    assert (now.player, now.dice, now.choices, now.blind) == ("B", 1, (), False)
    assert game.read([4]) == {"type": "die", "player": "B", "face": 4}


@pytest.mark.parametrize("word", ["B4", "A1x2", "A?", "A=", "A:53321", "A~", "A^"])
def test_nothing_but_the_die_of_the_next_player_counts_before_somebody_opens(word: str) -> None:
    play(f"!{word}", start={"opener": None}, spot_on=True)


# --- bidding (sections 2 and 3) ---


def test_bidding_goes_round_clockwise() -> None:
    game = play("A1x2")

    assert facts(game, "turn bid bidder opener") == {"turn": "B", "bid": [1, 2], "bidder": "A", "opener": "A"}
    assert play("A1x2 B2x2 C2x3").facts()["turn"] == "A"
    assert why(game, "C2x2") == "it is the turn of B, not of C"
    assert why(game, "A2x2") == "it is the turn of B, not of A"


def test_the_opener_may_bid_anything_and_can_call_nothing() -> None:
    now = play("", spot_on=True).legal()

    assert len(now.choices) == 75
    assert now.choices[0] == {"type": "bid", "player": "A", "quantity": 1, "face": 2}
    assert now.choices[-1] == {"type": "bid", "player": "A", "quantity": 15, "face": 6}
    assert why(play("", spot_on=True), "A?") == "there is no bid yet that could be called"
    assert why(play("", spot_on=True), "A=") == "there is no bid yet that could be called"


def test_the_choices_are_the_legal_raises_lowest_first_and_the_challenge() -> None:
    choices = play("A15x4").legal().choices

    assert choices == (
        {"type": "bid", "player": "B", "quantity": 15, "face": 5},
        {"type": "bid", "player": "B", "quantity": 15, "face": 6},
        {"type": "challenge", "player": "B"},
    )


@pytest.mark.parametrize("bidding", [1, 2, 3, 4, 5])
def test_when_no_raise_is_left_only_the_challenge_is_offered(bidding: int) -> None:
    game = play("A15x6", bidding=bidding)

    assert game.legal().choices == ({"type": "challenge", "player": "B"},)
    assert why(game, "B15x5") == "no bid is higher than this one: it can only be called"


@pytest.mark.parametrize(
    ("bidding", "legal", "refused"),
    [(1, "1x5", "15x3"), (2, "5x2", "3x6"), (3, "1x5", "4x3"), (4, "3x6", "8x2"), (5, "4x5", "5x3")],
)
def test_each_system_takes_and_refuses_its_own_raises(bidding: int, legal: str, refused: str) -> None:
    game = play("A4x4", bidding=bidding)

    assert take(game, f"B{legal}").facts()["turn"] == "C"
    assert why(game, f"B{refused}") == liars_common.TOO_LOW[bidding].why


def test_each_system_says_what_it_asks_for() -> None:
    said = [why(play("A4x4", bidding=bidding), "B4x4") for bidding in range(1, 6)]

    assert said == [
        "bid more of this face, or a higher face",
        "bid more dice, or as many of a higher face",
        "one number must be above both of the last bid",
        "number times face must be higher than before",
        "raise the number or the face, and lower neither",
    ]


def test_no_more_dice_are_bid_than_are_in_play() -> None:
    assert why(play(""), "A16x2") == "there are not so many dice in play"
    assert why(play("", dice_each=2), "A7x2") == "there are not so many dice in play"
    assert play("A6x2", dice_each=2).facts()["bid"] == [6, 2]
    assert why(play(f"A9x6 B? {HANDS}"), "A15x2") == "there are not so many dice in play"


@pytest.mark.parametrize(
    ("wild", "aces", "may"),
    [
        (True, "only_without_wilds", False),
        (True, "always", True),
        (False, "only_without_wilds", True),
        (False, "always", True),
    ],
)
def test_aces_are_bid_only_without_wilds_unless_the_house_says_always(wild: bool, aces: str, may: bool) -> None:
    game = play("", wild_aces=wild, aces_biddable=aces)

    if may:
        assert take(game, "A1x1").facts()["bid"] == [1, 1]
    else:
        assert why(game, "A1x1") == "aces are wild here and cannot be bid"


@pytest.mark.parametrize(("each", "wild", "expected"), [(5, True, 5), (5, False, 2), (1, True, 1), (4, False, 2)])
def test_the_expected_quantity_is_shown(each: int, wild: bool, expected: int) -> None:
    game = play("", dice_each=each, wild_aces=wild)

    assert facts(game, "expected dice_in_play") == {"expected": expected, "dice_in_play": 3 * each}


def test_of_aces_that_are_wild_half_as_many_are_expected() -> None:
    assert play("A1x1", aces_biddable="always").facts()["expected"] == 2
    assert play("A1x2", aces_biddable="always").facts()["expected"] == 5


# --- the cups are down: nothing is read (section 0 of the specification) ---


@pytest.mark.parametrize("words", ["", "A1x2", "A1x2 B2x2 C3x6", f"A9x6 B? {HANDS}"])
def test_the_table_is_blind_while_dice_lie_under_the_cups(words: str) -> None:
    now = play(words).legal()

    assert (now.blind, now.dice, now.asks) == (True, 0, ())


@pytest.mark.parametrize("word", ["A:53321", "B:66443", "C:65521"])
def test_no_dice_are_shown_before_somebody_calls(word: str) -> None:
    assert why(play("A1x2"), word) == "nobody has called: the cups stay down"


def test_what_lies_under_the_cups_is_in_no_event_and_so_in_no_state() -> None:
    """A state follows from its events; up to the call none of them has a place for faces."""
    bids = [{"type": "bid", "player": "A", "quantity": 3, "face": 6}, {"type": "challenge", "player": "B"}]
    game = play("A3x6 B?")

    assert [dict(event) for event in game.events] == bids
    assert facts(game, "visible revealed counts") == {"visible": {}, "revealed": [], "counts": {}}
    assert game == play("A3x6 B?")


# --- calling (section 4) ---


def test_a_bid_met_exactly_is_good_and_the_challenger_loses() -> None:
    game = play(f"A2x3 B3x5 C? {HANDS}", wild_aces=False, bidding=1)

    assert facts(game, "count loser winner_of_round next_opener turn opener bid caller") == {
        "count": 3,
        "loser": "C",
        "winner_of_round": "B",
        "next_opener": "C",
        "turn": "C",
        "opener": "C",
        "bid": None,
        "caller": None,
    }


def test_a_bid_of_one_too_many_is_lost_by_the_bidder() -> None:
    game = play(f"A2x3 B4x5 C? {HANDS}", wild_aces=False, bidding=1)

    assert facts(game, "count loser winner_of_round next_opener") == {
        "count": 3,
        "loser": "B",
        "winner_of_round": "C",
        "next_opener": "B",
    }


@pytest.mark.parametrize(("wild", "count", "loser"), [(True, 5, "B"), (False, 3, "A")])
def test_wild_aces_are_counted_with_the_face(wild: bool, count: int, loser: str) -> None:
    game = play(f"A4x6 B? {HANDS}", wild_aces=wild)

    assert facts(game, "count loser") == {"count": count, "loser": loser}


def test_a_bid_on_aces_counts_only_aces() -> None:
    game = play(f"A2x1 B? {HANDS}", aces_biddable="always")

    assert facts(game, "count loser") == {"count": 2, "loser": "B"}


def test_only_the_seat_on_turn_may_challenge() -> None:
    game = play("A4x6")

    assert why(game, "C?") == "it is the turn of B, not of C"
    assert why(game, "A?") == "A cannot call his own bid"


def test_anyone_but_the_bidder_may_challenge_where_the_house_says_so() -> None:
    game = play("A4x6", challenge="anyone")

    assert [choice for choice in game.legal().choices if choice["type"] == "challenge"] == [
        {"type": "challenge", "player": "B"},
        {"type": "challenge", "player": "C"},
    ]
    assert take(game, "C?").facts()["caller"] == "C"
    assert why(game, "A?") == "A cannot call his own bid"


def test_spot_on_is_called_only_where_the_house_plays_it() -> None:
    assert why(play("A4x6"), "B=") == "this table plays without spot on"
    assert facts(play("A4x6 B=", spot_on=True), "caller called called_spot_on") == {
        "caller": "B",
        "called": "A",
        "called_spot_on": True,
    }


@pytest.mark.parametrize(("challenge", "callers"), [("turn", ["B"]), ("anyone", ["B", "C"])])
def test_who_may_challenge_may_call_spot_on(challenge: str, callers: list[str]) -> None:
    choices = play("A4x6", challenge=challenge, spot_on=True).legal().choices

    assert [choice["player"] for choice in choices if choice["type"] == "spot_on"] == callers


# --- showing (section 5) ---


@pytest.mark.parametrize(
    ("words", "order"), [("A1x2 B2x2 C? ", "BAC"), ("A1x2 B? ", "ACB"), ("A1x2 B2x2 C3x2 A?", "CBA")]
)
def test_dice_are_asked_for_from_the_challenged_clockwise_and_the_challenger_last(words: str, order: str) -> None:
    game, asked = play(words), ""
    while dice := game.legal().dice:
        assert (dice, game.legal().blind, game.facts()["waiting_for"]) == (5, False, f"reveal of {game.legal().player}")
        asked += str(game.legal().player)
        game = game.take(game.read([2, 3, 4, 5, 6]))

    assert asked == order
    assert game.facts()["revealed"] == list(order)


@pytest.mark.parametrize("reveal", ["present", "in_place"])
@pytest.mark.parametrize("shown", ["A:53321 B:66443 C:65521", "C:65521 B:66443 A:53321", "B:66443 C:65521 A:53321"])
def test_in_whatever_order_dice_are_shown_the_count_is_the_same(shown: str, reveal: str) -> None:
    game = play(f"A4x6 B? {shown}", reveal=reveal)

    assert facts(game, "count loser revealed") == {
        "count": 5,
        "loser": "B",
        "revealed": [word[0] for word in shown.split()],
    }


def test_another_number_of_dice_than_is_left_is_counted_again() -> None:
    game = play("A4x6 B?")

    for dice in ("A:5332", "A:533211", "A:"):
        assert why(game, dice) == "recount: A has another number of dice"
    assert take(game, "A:53321").facts()["revealed"] == ["A"]


def test_after_a_die_is_lost_one_fewer_is_shown() -> None:
    game = play(f"A9x6 B? {HANDS} A9x6 B?")

    assert (game.legal().player, game.legal().dice) == ("A", 4)
    assert why(game, "A:53321") == "recount: A has another number of dice"
    assert take(game, "A:5332").facts()["revealed"] == ["A"]


def test_nobody_shows_twice() -> None:
    assert why(play("A4x6 B? A:53321"), "A:53321") == "A has shown his dice already"


@pytest.mark.parametrize("word", ["A5x6", "C5x6", "A?", "C?", "B=", "A~", "A^", "A4"])
def test_while_dice_are_shown_nothing_else_counts(word: str) -> None:
    play(f"A4x6 B? !{word}", spot_on=True)


def test_what_is_shown_stands_until_the_next_bid_and_the_count_until_the_next_call() -> None:
    names = "visible revealed count counts loser"
    over = play(f"A4x6 B? {HANDS}")
    bid, called = take(over, "B4x6"), take(take(over, "B4x6"), "C?")

    assert facts(over, names) == {
        "visible": {"A": [5, 3, 3, 2, 1], "B": [6, 6, 4, 4, 3], "C": [6, 5, 5, 2, 1]},
        "revealed": ["A", "B", "C"],
        "count": 5,
        "counts": {"1": 2, "2": 2, "3": 3, "4": 2, "5": 3, "6": 3},
        "loser": "B",
    }
    assert facts(bid, names) == {**facts(over, names), "visible": {}, "counts": {}}
    assert facts(called, names) == {"visible": {}, "revealed": [], "count": 0, "counts": {}, "loser": None}


def test_the_count_grows_as_the_dice_are_shown() -> None:
    counts = []
    game = play("A4x6 B?")
    for word in HANDS.split():
        game = take(game, word)
        counts.append(game.facts()["count"])

    assert counts == [1, 3, 5]


def test_the_odds_of_the_bid_are_told_when_the_hand_is_over_and_not_before() -> None:
    running = [play(words).facts()["odds"] for words in ("", "A5x6", "A5x6 B?", "A5x6 B? A:53321")]
    over = play(f"A5x6 B? {HANDS}")

    assert running == [None, None, None, None]
    assert over.facts()["odds"] == "8551019/14348907" == str(holds(Bid(5, 6), 15, wild_aces=True))
    assert take(over, "B1x2").facts()["odds"] == "8551019/14348907"
    assert take(take(over, "B1x2"), "C?").facts()["odds"] is None


# --- a cup lifted by accident (section 5) ---


def test_a_cup_lifted_by_accident_lets_all_shake_again_for_the_same_opener() -> None:
    game = play(f"A9x6 B? {HANDS} A1x2 B2x2 C^")

    assert facts(game, "turn opener bid dice_left rounds_played loser drinks") == {
        "turn": "A",
        "opener": "A",
        "bid": None,
        "dice_left": {"A": 4, "B": 5, "C": 5},
        "rounds_played": 1,
        "loser": "A",
        "drinks": {},
    }
    assert game.legal().blind


def test_where_the_house_plays_on_an_accident_changes_nothing() -> None:
    before = play("A1x2 B2x2", accident="plays_on")

    assert take(before, "A^").facts() == before.facts()


def test_a_cup_of_somebody_without_dice_is_no_accident() -> None:
    assert why(play("A3x6 B? A:3 B:2 C:2", dice_each=1), "A^") == "A is not in the game any more"


# --- every refusal fits the displays ---


def test_every_refusal_is_short_enough_for_a_display() -> None:
    texts = [thing for thing in vars(liars_common).values() if type(thing) is Refusal]
    texts += liars_common.TOO_LOW.values()
    long = [text.why for text in texts if len(textwrap.wrap(re.sub(r"{\w+}", "Benjamin", text.why), 21)) > 3]

    assert len(texts) >= 22
    assert long == []
