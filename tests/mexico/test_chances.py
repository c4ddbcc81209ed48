"""How likely what stands is beaten, or true: every chance counted out by playing the rules themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from mexico import gamefile, mexico
from mexico.game import Rolled, Seat
from mexico.mexico_choices import MexicoRules, TieCap, TieMexico
from mexico.mexico_state import Mexico, Scored, State, Stopped
from mexico.odds import beaten
from mexico.throw import FACES, RANKING, Throw

FALLS = [(throw, Fraction(throw.ways, 36)) for throw in RANKING]
A, B, C = Seat(0), Seat(1), Seat(2)


def played(rules: MexicoRules, seats: int, *events: str) -> State:
    """Return a game led by A after *events*: a score such as 54 is rolled, a dot stops."""
    state = mexico.start(rules, seats, lead=A)
    for event in events:
        seat = mexico.legal(state).seat
        assert seat is not None
        action = Stopped(seat) if event == "." else Rolled(seat, (int(event[0]), int(event[1])))
        state, _ = mexico.apply(state, action)
    return state


def endings(state: State, score: Throw, waiting: frozenset[Seat]) -> Iterator[tuple[frozenset[Seat], Fraction]]:
    """Yield who of those *waiting* ends above *score*, and how likely that is, each rolling on until he does.

    The rules decide who rolls, how often, and when a turn is over; nothing of `odds` is used.
    """
    if not waiting:
        yield frozenset(), Fraction(1)
        return
    now = mexico.legal(state)
    turn = now.seat
    assert turn is not None
    shows = dict(state.running.throws).get(turn) if state.running.rolls else None
    if shows is not None and shows > score:
        after, told = mexico.apply(state, Stopped(turn))
        yield from passed(after, told, score, waiting)
        return
    for throw, chance in FALLS:
        after, told = mexico.apply(state, Rolled(turn, (throw.high, throw.low)))
        for above, times in passed(after, told, score, waiting):
            yield above, chance * times


def passed(
    state: State, told: tuple[object, ...], score: Throw, waiting: frozenset[Seat]
) -> Iterator[tuple[frozenset[Seat], Fraction]]:
    ended = {fact.seat: fact.throw for fact in told if isinstance(fact, Scored)}
    ended |= {fact.seat: Throw(2, 1) for fact in told if isinstance(fact, Mexico)}
    above = frozenset(seat for seat in ended if ended[seat] > score and seat in waiting)
    for later, chance in endings(state, score, waiting - set(ended)):
        yield above | later, chance


def counted(state: State, score: Throw, waiting: tuple[Seat, ...]) -> tuple[Fraction, Fraction, Fraction]:
    found = list(endings(state, score, frozenset(waiting)))
    assert sum(chance for _, chance in found) == 1
    return (
        sum((chance for above, chance in found if waiting[0] in above), start=Fraction(0)),
        sum((chance for above, chance in found if above), start=Fraction(0)),
        sum((chance for above, chance in found if len(above) == len(waiting)), start=Fraction(0)),
    )


INHERIT = MexicoRules(tie_cap=TieCap.INHERIT)
ONE = MexicoRules(tie_cap=TieCap.ONE)


@pytest.mark.parametrize(
    ("rules", "seats", "events", "score", "whose", "waiting", "rolls"),
    [
        pytest.param(MexicoRules(), 3, ["52", "."], "52", (A,), (B, C), 1, id="two follow with one roll each"),
        pytest.param(MexicoRules(), 2, ["32", "41", "."], "41", (A,), (B,), 2, id="one follows with two rolls"),
        pytest.param(MexicoRules(), 2, ["31", "32", "66"], "66", (A,), (B,), 3, id="one follows with three rolls"),
        pytest.param(MexicoRules(), 3, ["54", ".", "41"], "41", (B,), (C,), 1, id="the lowest stands, not the last"),
        pytest.param(MexicoRules(), 3, ["54", ".", "64"], "54", (A,), (C,), 1, id="nor the highest"),
        pytest.param(MexicoRules(), 3, ["54", ".", "54"], "54", (A, B), (C,), 1, id="two share it"),
        pytest.param(MexicoRules(), 2, ["31", "54", ".", "41"], "54", (A,), (B,), 1, id="one roll of two is used"),
        pytest.param(MexicoRules(), 2, ["31", "54", ".", "62"], "54", (A,), (B,), 1, id="has beaten it already"),
        pytest.param(MexicoRules(), 3, ["21", "53", "."], "53", (B,), (C,), 1, id="after a Mexico the new lead counts"),
        pytest.param(MexicoRules(), 2, ["21"], "21", (A,), (B,), 3, id="nothing beats Mexico"),
        pytest.param(MexicoRules(), 2, ["21", "54"], "21", (A,), (B,), 2, id="nor does the last player after a chain"),
        pytest.param(
            MexicoRules(max_rolls=5), 2, ["31", "65", "."], "65", (A,), (B,), 2, id="the cap and not max_rolls"
        ),
        pytest.param(
            MexicoRules(auto_end_on_21=False), 2, ["31", "65", ".", "21"], "65", (A,), (B,), 1, id="may go on at 21"
        ),
        pytest.param(MexicoRules(), 3, ["31", ".", "31", "66", "53", "."], "53", (A,), (B,), 1, id="a sub-round"),
        pytest.param(ONE, 3, ["31", ".", "31", "66", "53"], "53", (A,), (B,), 1, id="a sub-round of one roll"),
        pytest.param(
            INHERIT, 2, ["32", "31", ".", "31", "31", "62", "."], "62", (A,), (B,), 2, id="a sub-round of the old cap"
        ),
    ],
)
def test_every_chance_is_what_playing_all_falls_gives(
    rules: MexicoRules,
    seats: int,
    events: list[str],
    score: str,
    whose: tuple[Seat, ...],
    waiting: tuple[Seat, ...],
    rolls: int,
) -> None:
    state = played(rules, seats, *events)
    found = beaten(state)

    assert found is not None
    assert (str(found.score), found.seats, found.rolls) == (score, whose, rolls)
    assert tuple(seat for seat, _ in found.chances) == waiting
    assert (found.by_next, found.by_anyone, found.by_everybody) == counted(state, found.score, waiting)


@pytest.mark.parametrize(
    ("rules", "seats", "events", "waiting", "rolls"),
    [
        pytest.param(MexicoRules(), 3, ["52"], (B, C), 1, id="the lead may go on after one roll"),
        pytest.param(MexicoRules(), 2, ["31", "52"], (B,), 2, id="after two"),
        pytest.param(INHERIT, 2, ["32", "31", ".", "31", "31", "62"], (B,), 2, id="under a cap that is inherited"),
        pytest.param(
            MexicoRules(tie_mexico=TieMexico.PLAIN, auto_end_on_21=False),
            2,
            ["31", ".", "31", "21"],
            (B,),
            1,
            id="with a plain 21 in a sub-round",
        ),
    ],
)
def test_what_the_lead_shows_stands_as_if_he_stopped_with_it(
    rules: MexicoRules, seats: int, events: list[str], waiting: tuple[Seat, ...], rolls: int
) -> None:
    state = played(rules, seats, *events)
    stopped, _ = mexico.apply(state, Stopped(A))
    found = beaten(state)

    assert found is not None
    assert found == beaten(stopped)
    assert (found.seats, found.rolls) == ((A,), rolls)
    assert (found.by_next, found.by_anyone, found.by_everybody) == counted(stopped, found.score, waiting)


def test_the_figures_of_the_story_of_52() -> None:
    found = beaten(played(MexicoRules(), 4, "52", "."))

    assert found is not None
    assert [str(chance) for chance in (found.by_next, found.by_anyone, found.by_everybody)] == [
        "11/18",
        "5489/5832",
        "1331/5832",
    ]


@pytest.mark.parametrize(
    "events", [pytest.param([], id="before the first roll"), pytest.param(["52", ".", "64", "41"], id="a new round")]
)
def test_before_the_first_score_nothing_stands(events: list[str]) -> None:
    assert beaten(played(MexicoRules(), 3, *events)) is None


def test_while_the_lead_is_rolled_for_and_when_the_game_is_over_nothing_stands() -> None:
    assert beaten(mexico.start(MexicoRules(), 2)) is None
    over = played(MexicoRules(buy_in=1), 2, "52", ".", "41")

    assert over.winner == A
    assert beaten(over) is None


# --- the games with a cup: whether a claim is true ---


def game(name: str, start: Mapping[str, object], *events: Mapping[str, object], **rules: object) -> gamefile.Playing:
    setup = {"game": name, "players": ["A", "B"], "start": start, "house_rules": rules}
    playing = gamefile.begin(gamefile.setup(setup))
    for event in events:
        playing = playing.take(event)
    return playing


def chance(playing: gamefile.Playing) -> Fraction | None:
    found = playing.chance()
    return None if found is None else Fraction(str(found["chance"]))


def shows_and_wins(playing: gamefile.Playing, reveal: Mapping[str, object], faces: tuple[int, ...], who: str) -> bool:
    """Return whether *who* loses nothing when these are his dice."""
    return playing.take({**reveal, "faces": list(faces)}).facts()["loser"] != who


def share(
    playing: gamefile.Playing, reveal: Mapping[str, object], falls: Sequence[tuple[int, ...]], who: str
) -> Fraction:
    """Return in how many of *falls* he wins; dice that differ only in their order are shown once."""
    ways = Counter(tuple(sorted(fall)) for fall in falls)
    won = sum(times for fall, times in ways.items() if shows_and_wins(playing, reveal, fall, who))
    return Fraction(won, len(falls))


TWO = list(product(FACES, repeat=2))
SHAKE: dict[str, Any] = {"type": "shake", "player": "A"}
CALL: dict[str, Any] = {"type": "challenge", "player": "B"}
LIFT: dict[str, Any] = {"type": "cup_lifted"}


def says(value: str, player: str = "A", **more: object) -> dict[str, object]:
    return {"type": "announce", "player": player, "value": value, **more}


@pytest.mark.parametrize("value", ["31", "43", "65", "22", "66"])
@pytest.mark.parametrize("rules", [{}, {"changsha.opener_test": "always_true"}, {"changsha.special": "must_show"}])
def test_an_opener_in_changsha_is_believed_as_often_as_his_dice_win(value: str, rules: dict[str, object]) -> None:
    if rules.get("changsha.special") == "must_show" and value in ("31", "66"):
        value = "53"  # those two are only shown there
    said = game("mexican_changsha", {"opener": "A"}, SHAKE, says(value), **rules)

    assert chance(said) == chance(said.take(CALL)) == share(said.take(CALL), LIFT, TWO, "A")


@pytest.mark.parametrize("rules", [{}, {"changsha.test": "announced"}, {"changsha.equal": "truth"}])
def test_who_raises_in_changsha_is_held_against_what_the_house_says(rules: dict[str, object]) -> None:
    shaken = {**SHAKE, "player": "B"}
    said = game("mexican_changsha", {"opener": "A"}, SHAKE, says("62"), shaken, says("11", "B"), **rules)

    assert chance(said) == share(said.take({**CALL, "player": "A"}), LIFT, TWO, "B")


def test_nothing_stands_in_changsha_once_the_cup_was_shaken_again_or_the_dice_were_shown() -> None:
    said = game("mexican_changsha", {"opener": "A"}, SHAKE, says("62"))

    assert chance(said.take({**SHAKE, "player": "B"})) is None
    assert chance(said.take(CALL).take({**LIFT, "faces": [6, 2]})) is None
    assert chance(game("mexican_changsha", {"opener": "A"}, SHAKE)) is None
    assert chance(game("mexican_changsha", {"opener": "A"}, SHAKE, announce="spoken")) is None


@pytest.mark.parametrize("value", ["41", "65", "66", "21"])
def test_a_claim_in_wisconsin_is_true_as_often_as_its_dice_win(value: str) -> None:
    said = game("mexican_wisconsin", {"opener": "A"}, SHAKE, says(value))

    assert chance(said) == share(said.take(CALL), LIFT, TWO, "A")


def test_a_die_beside_the_cup_is_known_to_everybody() -> None:
    said = game("mexican_wisconsin", {"opener": "A"}, {**SHAKE, "exposed": [2]}, says("62"))
    falls = [(face, 2) for face in FACES]

    assert chance(said) == share(said.take(CALL), LIFT, falls, "A") == Fraction(1, 2)


BID: dict[str, Any] = {"type": "bid", "player": "A", "quantity": 2, "face": 4}


@pytest.mark.parametrize("wild", [True, False])
@pytest.mark.parametrize("call", ["challenge", "spot_on"])
def test_a_bid_is_right_as_often_as_all_dice_say(wild: bool, call: str) -> None:
    rules = {"dice_each": 2, "wild_aces": wild, "spot_on": True}
    called = game("liars_common", {"opener": "A"}, BID, {"type": call, "player": "B"}, **rules)
    right = 0
    for fall in product(FACES, repeat=4):
        shown = called.take({"type": "reveal", "player": "A", "faces": list(fall[:2])})
        count = shown.take({"type": "reveal", "player": "B", "faces": list(fall[2:])}).facts()["count"]
        assert isinstance(count, int)
        right += count == 2 if call == "spot_on" else count >= 2

    assert chance(called) == Fraction(right, 6**4)


def test_dice_that_lie_open_are_counted_and_only_the_others_unknown() -> None:
    called = game("liars_common", {"opener": "A"}, BID, CALL, dice_each=2)

    assert [
        chance(called.take({"type": "reveal", "player": "A", "faces": list(faces)}))
        for faces in ((4, 1), (4, 3), (5, 3))
    ] == [1, Fraction(20, 36), Fraction(4, 36)]


def test_dice_of_the_hand_before_mean_nothing_for_the_next() -> None:
    called = game("liars_common", {"opener": "A"}, BID, CALL, dice_each=2, mode="drinks")
    shown = called.take({"type": "reveal", "player": "A", "faces": [4, 4]})
    over = shown.take({"type": "reveal", "player": "B", "faces": [4, 4]})

    assert chance(over) is None
    assert chance(over.take({**BID, "player": "B"})) == chance(game("liars_common", {"opener": "A"}, BID, dice_each=2))


def hand(player: str, *words: object) -> dict[str, object]:
    return {"type": "call", "player": player, "hand": list(words)}


REVEAL: dict[str, Any] = {"type": "reveal", "player": "A"}


@pytest.mark.parametrize("call", [("runt",), ("pair", 6), ("two_pair", 4, 2), ("high_straight",), ("full_house", 1, 6)])
@pytest.mark.parametrize("faces", ["six_high", "ace_high"])
def test_a_first_call_of_five_dice_is_true_as_often_as_they_win(call: tuple[object, ...], faces: str) -> None:
    if faces == "ace_high" and call[0] == "two_pair":
        call = ("two_pair", 2, 1)
    said = game("liars_individual", {"first_caller": "A"}, hand("A", *call), faces=faces)
    called = said.take(CALL)

    assert chance(said) == chance(called) == share(called, REVEAL, list(product(FACES, repeat=5)), "A")


def rerolls(player: str, dice: int) -> dict[str, object]:
    return {"type": "reroll", "player": player, "dice": dice}


def test_nobody_can_tell_how_likely_a_hand_is_of_which_some_dice_were_kept() -> None:
    first = game("liars_individual", {"first_caller": "A"}, hand("A", "pair", 2))
    kept = first.take(rerolls("B", 2)).take(hand("B", "pair", 3))

    assert chance(kept) is None
    assert chance(kept.take(hand("A", "pair", 4))) is not None, "A has kept nothing: all his dice were shaken at once"
    whole = kept.take(hand("A", "pair", 4)).take(rerolls("B", 5)).take(hand("B", "pair", 5))
    assert chance(whole) is not None, "B has shaken all five again"
    assert chance(first.take(rerolls("B", 0)).take(hand("B", "pair", 3))) is not None


def test_a_new_hand_begins_with_dice_that_were_all_shaken() -> None:
    first = game("liars_individual", {"first_caller": "A"}, hand("A", "pair", 2), rerolls("B", 2), hand("B", "pair", 3))
    over = first.take({**CALL, "player": "A"}).take({**REVEAL, "player": "B", "faces": [1, 2, 4, 5, 6]})

    assert chance(over) is None
    assert chance(over.take(hand("B", "pair", 3))) is not None


@pytest.mark.parametrize("call", [("pair", 6), ("three", 4), ("straight",), ("six", 2)])
@pytest.mark.parametrize("order", ["by_table", "by_rarity"])
def test_a_claim_of_six_shaken_dice_is_true_as_often_as_they_win(call: tuple[object, ...], order: str) -> None:
    said = game("liars_stanford", {"opener": "A"}, hand("A", *call), **{"stanford.order": order})
    called = said.take(CALL)

    assert chance(said) == chance(called) == share(called, REVEAL, list(product(FACES, repeat=6)), "A")


def test_dice_outside_the_box_are_known_when_all_inside_were_shaken_again() -> None:
    opened = game("liars_stanford", {"opener": "A"}, hand("A", "pair", 2))
    laid = opened.take({"type": "show", "player": "B", "faces": [6, 6, 6]})
    kept = laid.take(hand("B", "four", 6))
    shaken = laid.take(rerolls("B", 3)).take(hand("B", "four", 6))
    called = shaken.take({**CALL, "player": "A"})
    falls = [(6, 6, 6, *fall) for fall in product(FACES, repeat=3)]

    assert chance(kept) is None, "the three in the box are those that B did not lay open"
    assert chance(shaken) == share(called, {**REVEAL, "player": "B"}, falls, "B")
    assert chance(shaken.take({"type": "put_back", "player": "A", "faces": [6]})) is None
    assert chance(laid.take(rerolls("B", 6)).take(hand("B", "four", 6))) == chance(
        game("liars_stanford", {"opener": "A"}, hand("A", "four", 6))
    )
    assert chance(laid.take(rerolls("B", 1)).take(hand("B", "four", 6))) is None


def test_what_is_told_has_names_and_fractions() -> None:
    playing = game("mexico", {"lead": "A"}, {"type": "roll", "player": "A", "faces": [2, 5]})

    assert playing.chance() == {
        "kind": "beaten",
        "players": ["A"],
        "score": "52",
        "next": "B",
        "rolls": 1,
        "rolling": 1,
        "by_next": "11/18",
        "by_anyone": "11/18",
        "by_everybody": "11/18",
    }
    assert game("liars_common", {"opener": "A"}, BID, dice_each=1).chance() == {
        "kind": "claim",
        "player": "A",
        "chance": "1/9",
    }
