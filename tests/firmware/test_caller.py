"""What the caller says: ``tests/golden/caller/*.txt`` are evenings at the table, as they are heard.

A line ``## ...`` says what a transcript shows, any other is something done at the table, such as ``throw 5 4``; what
starts with a single ``#`` is what the caller said then. ``pytest --regold`` writes the answers anew.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.caller import call
from firmware.caller_hands import bid_said, hand_said, value_said
from firmware.caller_now import everything
from firmware.caller_words import FAULTS, OFFERS, Say
from firmware.dispute import Choice
from firmware.events import CameraState
from firmware.gallery_cup import CUP_GAMES
from firmware.views import Note, Phase, View
from firmware.watching import BLIND, NOTHING
from hardware.devices import Key
from hardware.rig import simulated_rig
from mexico import poker_hands, stanford_hands
from mexico.catalogue import GAMES
from mexico.mexico_house import HOUSE
from mexico.poker_hands import FaceOrder
from mexico.stanford_hands import Claim, HandOrder
from mexico.throw import RANKING
from tests.firmware.conftest import Bench
from tests.firmware.hearing import ON, Full, do, heard, hold, settings
from vision.types import Fault

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "caller"
TRANSCRIPTS = sorted(GOLDEN.glob("*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_evening_is_heard_as_in_the_transcript(path: Path, bench: Bench, request: pytest.FixtureRequest) -> None:
    text = path.read_text(encoding="utf-8")
    if request.config.getoption("--regold"):
        path.write_text(heard(bench, text), encoding="utf-8")
        return

    assert heard(bench, text) == text


def test_every_sentence_is_heard_in_some_transcript() -> None:
    told = "\n".join(path.read_text(encoding="utf-8") for path in TRANSCRIPTS)
    faults = {*FAULTS.values()} - {Say.COCKED, Say.OCCLUDED, Say.MISSING, Say.EXTRA}
    pairs = {Say.PAIR_1, Say.PAIR_2}
    silent = [
        template.name
        for template in {*Say} - faults - pairs
        if not re.search(re.sub(r"\\{\w+\\}", ".+", re.escape(template)), told)
    ]

    assert silent == []


@pytest.mark.parametrize("template", [*Say], ids=lambda template: template.name)
def test_after_a_name_comes_a_mark_for_the_seat_called_a_is_no_article(template: Say) -> None:
    assert not re.search(r"\{(name|names)\}(?![:.,])", template)


def test_every_fault_and_every_choice_has_its_words() -> None:
    assert set(FAULTS) == set(Fault)
    assert set(OFFERS) == set(Choice)


PLAYING = View(phase=Phase.PLAYING, player="Ann", seats={1: "Ann", 2: "Ben"}, dice=2, note=Note.ROLLED)


def test_the_same_moment_is_said_once() -> None:
    assert call(PLAYING, PLAYING) is None


def test_what_was_shown_for_a_while_goes_without_a_word() -> None:
    shown = replace(PLAYING, note=Note.REFUSED, fault=Fault.COCKED, words="both again", moment=1)

    assert call(shown, replace(shown, note=Note.NONE, fault=None, words="", moment=2)) is None


def test_two_throws_that_are_refused_alike_are_both_refused_aloud() -> None:
    first = replace(PLAYING, note=Note.REFUSED, fault=Fault.COCKED, words="both again", moment=1)

    again = call(first, replace(first, moment=2))

    assert again is not None
    assert again.sentence == "Ann: cocked, both again."


def test_who_passes_by_an_empty_table_is_not_spoken_to() -> None:
    assert call(View(), View(idle=3)) is None


def test_a_camera_that_was_lost_while_nobody_sat_is_told() -> None:
    lost = call(View(), View(camera=CameraState("unplugged")))

    assert lost is not None
    assert (lost.sentence, lost.cuts) == ("The table sees nothing. The game waits.", True)
    assert everything(View(camera=CameraState("unplugged"))).startswith(lost.sentence)


def play(bench: Bench) -> None:
    """Let Ann lead a game of three; nothing has been said yet."""
    bench.begin(ON).sit(3, 6, 3, 2)
    bench.wait(20)
    bench.rig.voice.said.clear()
    bench.rig.voice.cut.clear()


def said(bench: Bench) -> list[str]:
    return [sentence for _, sentence in bench.rig.voice.said]


def test_a_new_roll_cuts_short_what_is_being_said(bench: Bench) -> None:
    play(bench)
    bench.throw(5, 4)
    bench.wait(0.5)
    bench.throw(6, 1)
    bench.wait(0.2)

    assert list(bench.rig.voice.cut) == ["Ann, lead, roll 1: 54, stake 1. Roll 2 of 3, or STOP."]
    assert said(bench)[-1] == "Ann, lead, roll 2: 61, stake 1. Roll 3 of 3, or STOP."


def test_what_does_not_hurry_waits_for_the_end_of_the_sentence(bench: Bench) -> None:
    play(bench)
    bench.controller.handle(CameraState("unplugged"))
    bench.wait(0.5)
    bench.controller.handle(CameraState(None))
    bench.wait(0.5)

    assert said(bench) == ["The table sees nothing. The game waits."]

    bench.wait(5)

    assert said(bench)[1:] == ["The camera is back. Ann: you lead, roll 1 of 3."]
    assert not bench.rig.voice.cut


def test_only_the_newest_waits(bench: Bench) -> None:
    play(bench)
    bench.throw(5, 4)
    bench.wait(5)
    hold(bench, Key.STOP)
    bench.seat(2)
    bench.seat(3)
    bench.wait(20)

    assert said(bench)[2:] == ["Cleo: agrees. Still needed: Ann."]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_at_the_table_the_caller_finds_whole_words_for_it(bench: Bench, seed: int) -> None:
    chance = random.Random(seed)
    agreed = {
        rule.name: chance.choice(rule.values) for rule in HOUSE.rules if chance.random() < 0.3 and rule.name != "preset"
    }
    bench.begin(f"{ON}[game.house_rules]\n" + "\n".join(f'"{name}" = {json.dumps(agreed[name])}' for name in agreed))
    bench.rig.voice.word_s = 0.0
    full = Full(bench)
    at_rest = ("doubt", "push", "camera lost", "camera back", "disk full", "disk free", "turn 1", "turn -1", "chord")
    for _ in range(400):
        dice = bench.controller.view.dice or 2
        throw = "throw " + " ".join(str(chance.randint(1, 6)) for _ in range(dice))
        rare = (
            *at_rest,
            f"refuse {chance.choice([*Fault])}",
            f"hold {chance.randint(1, 8)}",
            f"wait {chance.random()}",
        )
        doing = chance.choices((throw, "stop", f"seat {chance.randint(1, 4)}", chance.choice(rare)), (8, 4, 2, 1))[0]
        do(bench, doing, full)

    assert len(said(bench)) > 100
    assert not [sentence for sentence in said(bench) if re.search(r"None|[{}\[\]_]|  |: \.|, \.", sentence)]


def chance_at_the_cup(bench: Bench, chance: random.Random) -> str:
    """Return something that may be done now, rare things too."""
    view = bench.controller.view
    if view.phase is Phase.PLAYING and view.awaited and chance.random() < 0.7:
        return "throw " + " ".join(str(chance.randint(1, 6)) for _ in range(view.awaited))
    at_rest = ("doubt", "push", "camera lost", "camera back", "lift", "peek", "turn 1")
    rare = (*at_rest, f"hold {chance.randint(2, 4)}", f"refuse {chance.choice([*Fault])}")
    often = (f"choose {chance.randint(-9, 9)}", f"choose {chance.randint(-99, 99)}", "shake", "stop", "throw 5 4")
    seat = f"seat {chance.randint(1, 4)}"
    return chance.choices((chance.choice(often), seat, chance.choice(rare)), (9, 4, 1))[0]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("announce", ["entered", "spoken"])
@pytest.mark.parametrize("game", CUP_GAMES)
def test_whatever_happens_at_the_cup_the_caller_finds_whole_words_for_it(
    bench: Bench, game: str, announce: str
) -> None:
    chance = random.Random(f"{game} {announce}")
    house = GAMES[game].house
    rules = {rule.name: chance.choice(rule.values) for rule in house.rules if chance.random() < 0.5}
    agreed = {**rules, "announce": announce, "end.rounds": 5, "stanford.players": "2..8"}
    known = {rule.name for rule in house.rules}
    words = [f"{name}={json.dumps(value)}" for name, value in agreed.items() if name in known and value is not None]
    bench.begin(settings(game, *words))
    bench.rig.voice.word_s = 0.0
    full = Full(bench)
    for _ in range(400):
        do(bench, chance_at_the_cup(bench, chance), full)

    assert len(said(bench)) > 100
    assert not [sentence for sentence in said(bench) if re.search(r"None|[{}\[\]_]|  |: \.|, \.|: ,|; ,", sentence)]


HIDING = {
    "mexican_changsha": ("shake", "choose 4", "shake", "choose 2"),
    "mexican_wisconsin": ("shake", "choose 4", "shake", "choose 2"),
    "liars_common": ("choose 6", "choose 3"),
    "liars_individual": ("choose 4", "choose -2", "choose 2"),
    "liars_stanford": ("choose 4", "choose -2", "choose 2"),
}
"""What is done while dice are hidden."""


@pytest.mark.parametrize("game", CUP_GAMES)
def test_nothing_is_ever_said_of_dice_that_are_hidden(bench: Bench, game: str) -> None:
    """Whatever a reader that should not look makes of what lies under the cups, the same is heard, and is no dice."""
    told = []
    for faces in ((6, 6, 6, 6, 6, 6), (1, 2, 1, 2, 1, 2)):
        evening = Bench(simulated_rig(), bench.journal).begin(settings(game))
        evening.rig.voice.word_s = 0.0
        if evening.phase() is Phase.PAUSED:
            evening.press(Key.CONFIRM, Key.CONFIRM)
            evening.begin(settings(game))
        evening.sit(2, 6, 1)
        told.append(heard_while_hidden(evening, HIDING[game], faces))

    first, second = told
    assert first == second
    assert len(first) > 2 * len(HIDING[game])


def heard_while_hidden(evening: Bench, doings: tuple[str, ...], faces: tuple[int, ...]) -> list[str]:
    """Return what is said during *doings*, with *faces* read before and after each where nothing may be read."""
    evening.rig.voice.said.clear()
    full = Full(evening)
    for doing in (*doings, "push", "doubt", "turn 1", "push", "turn 1", "stop"):
        do(evening, doing, full)
        for dice in range(1, len(faces) + 1):
            assert evening.controller.view.watching in (BLIND, NOTHING)
            known = len(evening.rig.voice.said)
            evening.throw(*faces[:dice])
            assert len(evening.rig.voice.said) == known, "something was said of dice that are hidden"
    return said(evening)


def test_dice_that_were_let_seen_and_are_no_special_are_not_named(bench: Bench) -> None:
    bench.begin(settings("mexican_changsha")).sit(2, 6, 1)
    bench.shake()
    bench.press(Key.STOP)
    bench.wait(20)
    bench.rig.voice.said.clear()
    bench.throw(5, 4)
    bench.wait(20)

    assert said(bench) == ["that is no special here, put the cup back."]


def test_why_dice_were_refused_is_not_cut_short_by_whose_turn_it_is(bench: Bench) -> None:
    bench.begin(settings("mexican_changsha")).sit(2, 6, 1)
    bench.shake()
    bench.press(Key.STOP)
    bench.wait(20)
    bench.rig.voice.cut.clear()
    bench.throw(5, 4)
    bench.wait(20)

    assert not bench.rig.voice.cut


def test_every_claim_of_every_game_has_words_of_its_own() -> None:
    values = [value_said(str(throw)) for throw in RANKING]
    bids = [bid_said(quantity, face) for quantity in (1, 2, 40) for face in range(1, 7)]
    five = [hand_said(hand.words(FaceOrder.SIX_HIGH)) for hand in poker_hands.all_hands(FaceOrder.SIX_HIGH)]
    six = [hand_said(Claim.of(hand).words) for hand in stanford_hands.all_hands(HandOrder.BY_TABLE)]

    for named in (values, bids, five, six):
        assert len(set(named)) == len(named)


def test_without_a_caller_nothing_is_said(bench: Bench) -> None:
    bench.begin().sit(2, 6, 3)
    bench.throw(5, 4)
    bench.wait(20)

    assert not bench.rig.voice.said


def test_a_voice_that_speaks_wakes_the_loop_and_a_silent_one_lets_it_sleep(bench: Bench) -> None:
    bench.begin(ON)
    due_s = bench.controller.next_deadline_s

    assert due_s is not None
    assert due_s <= bench.rig.clock.now() + 0.1

    bench.wait(12)
    later_s = bench.controller.next_deadline_s

    assert later_s is not None
    assert later_s > bench.rig.clock.now() + 1.0
