"""A game with a cup told in lines for people, as ``replay``, ``journal`` and the virtual table print them."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from firmware import story
from mexico import gamefile

Event = Mapping[str, object]

ANN, BEN, CLEO = ({"player": name} for name in ("A", "B", "C"))


def told(game: str, *events: Event, players: int = 3, start: Event | None = None, **rules: object) -> list[str]:
    """Return the columns of each of *events*: who, what was done, what followed."""
    names = ["A", "B", "C", "D"][:players]
    setup = {"format": 1, "game": game, "players": names, "house_rules": rules, "start": start or {"opener": "A"}}
    playing, lines = gamefile.begin(gamefile.setup(setup)), []
    for number, event in enumerate(events, 1):
        before = playing.facts()
        playing = playing.take(event)
        line = story.told(number, event, before, playing.facts())
        lines.append("|".join(re.split(r"\s{2,}", line.strip())[1:]))
    return lines


def standing(game: str, *events: Event, players: int = 3, **rules: object) -> list[str]:
    """Return the table of players after *events*."""
    names = ["A", "B", "C"][:players]
    setup = {"format": 1, "game": game, "players": names, "house_rules": rules, "start": {"opener": "A"}}
    playing = gamefile.begin(gamefile.setup(setup))
    for event in events:
        playing = playing.take(event)
    return list(story.standing(playing.facts()))


SHAKE_A, SHAKE_B = {"type": "shake", **ANN}, {"type": "shake", **BEN}
SAYS_54 = {"type": "announce", **ANN, "value": "54"}


def test_a_call_says_whom_it_calls_and_the_cup_whose_it_is() -> None:
    lines = told(
        "mexican_changsha",
        SHAKE_A,
        {**SAYS_54, "pass_it_on": True},
        {"type": "challenge", **BEN},
        {"type": "cup_lifted", "faces": [3, 6]},
    )

    assert lines == [
        "A|shakes",
        "A|says 54, pass it on|B is on",
        "B|calls A|A shows",
        "A|shows 63|B gets 1 mark, B opens",
    ]


@pytest.mark.parametrize(
    ("game", "faces", "followed"),
    [
        ("mexican_changsha", [1, 3], "play goes counterclockwise, D is on"),
        ("mexican_changsha", [1, 4], "A gets 1 mark, B gets 1 mark, C gets 1 mark, D gets 1 mark, A opens"),
        ("mexican_changsha", [1, 5], "C and A change places, D is on"),
        ("mexican_changsha", [1, 6], "A chooses"),
        ("mexican_changsha", [6, 6], "B opens"),
        ("mexican_wisconsin", [3, 2], "play goes counterclockwise, A opens"),
    ],
)
def test_a_roll_that_is_shown_tells_what_it_did(game: str, faces: list[int], followed: str) -> None:
    (_, line) = told(game, SHAKE_A, {"type": "show_special", **ANN, "faces": faces}, players=4)

    assert line.rpartition("|")[2] == followed


def test_a_claim_of_mexican_costs_the_glass() -> None:
    events = (SHAKE_A, {"type": "announce", **ANN, "value": "21"}, {"type": "concede", **BEN})

    assert told("mexican_wisconsin", *events)[-1] == "B|gives in|B finishes the glass, B opens"
    assert standing("mexican_wisconsin", *events)[1] == "  B     0      marks, 1 glass to finish, on turn"


def test_a_hand_for_dice_tells_the_count_and_who_has_how_many() -> None:
    events = (
        {"type": "bid", **ANN, "quantity": 1, "face": 2},
        {"type": "challenge", **BEN},
        {"type": "reveal", **ANN, "faces": [3, 4]},
        {"type": "reveal", **BEN, "faces": [6, 5]},
    )

    assert told("liars_common", *events, players=2, dice_each=2) == [
        "A|bids 1 two|B is on",
        "B|calls A|A shows",
        "A|shows 3 4|B shows",
        "B|shows 6 5|counted 0 twos, A loses 1 die, has 1, A opens",
    ]
    assert standing("liars_common", *events, players=2, dice_each=2)[0] == "  A     1      dice, on turn"


def test_hands_are_named_and_a_wager_is_told() -> None:
    lines = told(
        "liars_individual",
        {"type": "call", **ANN, "hand": ["full_house", 1, 6]},
        {"type": "challenge", **BEN},
        {"type": "reveal", **ANN, "faces": [6, 6, 5, 3, 2]},
        players=2,
        start={"first_caller": "A"},
    )

    assert lines[0] == "A|says full house, ones over sixes|B is on"
    assert lines[2] == "A|shows 6 6 5 3 2, pair of sixes|A pays 1, B gets 1, A gets 1 mark, A opens"


def test_what_is_done_with_dice_outside_the_box_is_told() -> None:
    lines = told(
        "liars_stanford",
        {"type": "roll_outside", **ANN, "faces": [5, 3]},
        {"type": "put_back", **ANN, "faces": [5]},
        {"type": "show", **ANN, "faces": [6]},
        {"type": "exposed", **BEN},
        {"type": "close", **CLEO},
    )

    assert lines == [
        "A|rolls 5 3 outside",
        "A|puts back 5",
        "A|lays 6 open",
        "B|cup lifted, not read",
        "C|closing time|nobody wins",
    ]
