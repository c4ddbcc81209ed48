"""What may be taken back in the games with a cup: nothing that lets the camera see dice which were hidden since."""

from __future__ import annotations

import json

import pytest

from firmware.events import Pressed
from firmware.match import Match
from firmware.views import Phase
from firmware.watching import BLIND
from hardware.devices import Key
from mexico.errors import RulesError
from tests.firmware.conftest import Bench, at_the, events, rows

ROUNDS = {
    "mexican_changsha": ('shake A, announce A value="54", challenge B', "cup_lifted faces=[5,4]", "B"),
    "mexican_wisconsin": ('shake A, announce A value="54", challenge B', "cup_lifted faces=[5,4]", "B"),
    "liars_common": ("bid A quantity=1 face=6, challenge B", "reveal A faces=[2], reveal B faces=[3]", "A"),
    "liars_individual": ('call A hand=["pair",6], challenge B', "reveal A faces=[6,5,4,3,1]", "A"),
    "liars_stanford": ('call A hand=["pair",6], challenge B', "reveal A faces=[6,5,4,3,2,1]", "B"),
}
"""A round that A opens: up to the call, what is shown then, and who opens the next one."""


def take(match: Match, told: str) -> None:
    """Let what is *told* happen, one after the other."""
    for one in told.split(", "):
        kind, *words = one.split()
        event: dict[str, object] = {"type": kind}
        for word in words:
            key, sign, value = word.partition("=")
            event |= {key: json.loads(value)} if sign else {"player": word}
        match.take(event)


def at_play(bench: Bench, game: str) -> Match:
    """Let two sit down to *game*, and A open it."""
    rules = {"dice_each": 1, "mode": "drinks"} if game == "liars_common" else {}
    bench.begin(at_the(game, **rules)).sit(2, 6, 2)
    return bench.controller.on_turn()


def kinds(match: Match, told: str) -> list[str | None]:
    """Return, after each event that is *told*, what may be taken back."""
    found = []
    for one in told.split(", "):
        take(match, one)
        throw = match.doubtful
        found.append(None if throw is None else str(throw.event["type"]))
    return found


@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_that_is_over_stays_as_it_is_once_the_next_is_played(bench: Bench, game: str) -> None:
    match = at_play(bench, game)
    called, shown, opener = ROUNDS[game]
    take(match, f"{called}, {shown}")
    assert match.playing.facts()["rounds_played"] == 1
    assert match.doubtful is not None
    assert match.doubtful.event["type"] == shown.split()[0]

    again = called if opener == "A" else called.translate(str.maketrans("AB", "BA"))
    claim = ROUNDS[game][0].split(", ")[-2].split()[0]
    assert kinds(match, again) == [None, claim, None][-len(again.split(", ")) :]


@pytest.mark.parametrize("game", ROUNDS)
def test_who_opens_stays_as_it_is_once_the_first_round_is_played(bench: Bench, game: str) -> None:
    match = at_play(bench, game)
    assert match.doubtful is not None
    assert match.doubtful.event["type"] == "die"

    take(match, ROUNDS[game][0])
    assert match.doubtful is None


def test_a_held_stop_leaves_the_camera_blind_while_the_next_round_is_played(changsha: Bench) -> None:
    changsha.shake()
    changsha.choose(1)
    changsha.seat(2)
    changsha.throw(6, 6)
    changsha.shake()
    changsha.controller.handle(Pressed(Key.STOP, True, changsha.rig.clock.now()))
    changsha.wait(2.1)
    changsha.seat(1, 2, 3)

    assert changsha.phase() is Phase.PAUSED
    assert changsha.expected[-1] == BLIND
    assert events(changsha)[-1] == "shake"


def test_a_claim_that_was_taken_back_leads_to_no_round_before(bench: Bench) -> None:
    match = at_play(bench, "liars_common")
    take(match, ", ".join(ROUNDS["liars_common"][:2]) + ", bid A quantity=1 face=2")
    match.void(("A", "B"), "a slip of the knob")

    assert match.doubtful is None


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        pytest.param("shake A, challenge B, cup_lifted faces=[5,4], concede A", "cup_lifted", id="a concession"),
        pytest.param('shake A, show_special A faces=[6,1], choose A target="C"', "show_special", id="a choice"),
        pytest.param("shake A, show_special A faces=[4,1], leave C", "show_special", id="a seat"),
    ],
)
def test_what_follows_by_itself_is_taken_back_with_the_dice_that_were_shown(
    bench: Bench, told: str, shown: str
) -> None:
    rules = {"announce": "spoken"} if "concede" in told else {}
    bench.begin(at_the("mexican_changsha", **rules)).sit(3, 6, 2, 1)
    match = bench.controller.on_turn()
    take(match, told)

    assert match.playing.facts()["rounds_played"] == 1
    assert match.doubtful is not None
    assert (match.doubtful.event["type"], match.doubtful.back) == (shown, 2)


def test_dice_that_were_laid_beside_the_box_are_taken_back_before_they_lock_the_hand(bench: Bench) -> None:
    match = at_play(bench, "liars_stanford")
    take(match, ", ".join(ROUNDS["liars_stanford"][:2]) + ', call B hand=["pair",6], show A faces=[6,5]')
    doubtful = match.doubtful
    assert doubtful is not None
    assert (doubtful.event["type"], doubtful.faces, doubtful.back) == ("show", (6, 5), 1)

    take(match, 'call A hand=["two_pairs",6,5], challenge B')
    with pytest.raises(RulesError, match="the dice outside were others"):
        take(match, "reveal A faces=[6,6,4,3,2,1]")
    assert match.doubtful is not None
    assert (match.doubtful.event["type"], match.doubtful.back) == ("show", 3)
    match.void(("A", "B"), "it was a six")
    take(match, "show A faces=[6,6]")
    assert match.playing.facts()["visible"] == [6, 6]


def test_a_die_beside_the_cup_is_taken_back_until_somebody_shakes(bench: Bench) -> None:
    match = at_play(bench, "mexican_wisconsin")
    bench.shake()
    take(match, "shake A exposed=[5]")
    bench.controller.handle(Pressed(Key.STOP, True, bench.rig.clock.now()))
    bench.wait(2.1)
    assert bench.screen.title == "DOUBT: A 5"
    bench.seat(1, 2)
    assert rows(bench)[-1] == "void"
    assert match.playing.facts()["visible"] == []

    take(match, 'shake A exposed=[4], announce A value="54", shake B')
    assert match.doubtful is None


def test_a_die_beside_the_cup_is_read_again_as_one(bench: Bench) -> None:
    match = at_play(bench, "mexican_wisconsin")
    take(match, 'shake A exposed=[5], announce A value="54", challenge B')
    doubtful = match.doubtful

    assert doubtful is not None
    assert doubtful.dice == 1
    assert doubtful.read_as((4,)) == {"type": "shake", "player": "A", "exposed": [4]}


def test_what_was_shown_stays_once_the_next_has_shaken(changsha: Bench) -> None:
    match = changsha.controller.on_turn()

    assert kinds(match, "shake A, show_special A faces=[3,1], shake C") == [None, "show_special", None]
