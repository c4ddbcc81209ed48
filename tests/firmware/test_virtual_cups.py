"""Whole games with a cup on the virtual table: cups before the blind camera, rendered dice before the reader."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from firmware import cli
from firmware.eyes import UNAWAITED
from firmware.gallery_cup import CUP_GAMES
from firmware.journal import Journal
from firmware.match import Stored
from firmware.undo import faces_of
from firmware.views import View
from firmware.virtual import EMPTY_FRAMES, FAST_EMPTY_FRAMES, Scene, VirtualTray
from firmware.virtual_cup import Cups
from firmware.watching import Watching
from mexico import gamefile
from tests.firmware.conftest import Bench, Call, at_the
from vision.blind import CupState, CupWatch, Shakes, reduce
from vision.render import Cup, RenderedDie
from vision.types import Point
from vision.zone import Share, Zone


def played(state: Path, game: str, *more: object) -> "subprocess.CompletedProcess[str]":
    """Let the computer play *game*."""
    words = ("--virtual", "--auto", "--fast", "--json", "--game", game, "--seed", 11, *more, "--state", state)
    command = [sys.executable, "-m", "firmware", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.one_in(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", CUP_GAMES)
def test_the_computer_plays_it_to_its_end_and_every_call_is_decided_by_what_was_read(
    call: Call, tmp_path: Path, game: str
) -> None:
    (tmp_path / "rules.toml").write_text(
        at_the(game, **({"dice_each": 1} if game == "liars_common" else {"end.rounds": 2}))
    )
    answer = played(tmp_path / "state", game, "--settings", tmp_path / "rules.toml", "--players", 2)
    assert (answer.returncode, answer.stderr) == (0, "")

    exported = tmp_path / "game.json"
    assert call("export", "--state", tmp_path / "state", "--out", exported).code == 0
    replayed = call("replay", "--json", exported).json
    last = replayed[-1]["facts"]
    assert isinstance(last, dict)
    assert last["over"] is True
    assert last["rounds_played"] > 0
    assert [line["facts"] for line in replayed][-1] == last
    assert len(answer.stdout.splitlines()) == len(replayed)
    assert not any(line["accepted"] is False for line in replayed)


def test_each_of_two_shows_at_his_own_end_of_the_tray(bench: Bench) -> None:
    bench.begin(at_the("liars_individual")).sit(2, 6, 2)
    bench.choose(3)
    bench.seat(2)
    assert (bench.expected[-1].dice, bench.expected[-1].zone) == (5, Zone.LEFT)
    bench.throw(6, 5, 4, 2, 1)
    bench.choose(3)
    bench.seat(2 if bench.controller.view.player == "B" else 1)

    assert bench.expected[-1].zone in (Zone.LEFT, Zone.RIGHT)


def test_where_all_lift_in_place_every_seat_is_read_in_its_own_part_of_the_tray(bench: Bench) -> None:
    bench.begin(at_the("liars_common", reveal="in_place", dice_each=2)).sit(3, 6, 2, 1)
    assert bench.expected[-1].blind
    bench.choose(1)
    bench.seat(2)

    assert bench.expected[-1] == Watching(2, shown=True, zone=Share(1))
    assert "all lift, hands off" in bench.screen.lines
    bench.throw(2, 5)
    assert bench.expected[-1] == Watching(2, shown=True, zone=Share(3))
    bench.throw(6)
    assert bench.expected[-1].zone == Share(3)
    assert bench.screen.big == "FEW"
    bench.throw(3, 3)
    assert bench.expected[-1].zone == Share(2)
    bench.throw(6, 6)
    assert bench.expected[-1].blind


@pytest.mark.long
@pytest.mark.slow
def test_the_computer_lifts_in_place_and_what_is_read_is_what_lay_under_every_cup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: dict[str, list[int]] = {}
    lift_all = Cups.lift_all

    def note(cups: Cups, view: View, player: str, dice: int) -> None:
        lift_all(cups, view, player, dice)
        shown[player] = sorted(cups.peek(player)[:dice])

    monkeypatch.setattr(Cups, "lift_all", note)
    (tmp_path / "rules.toml").write_text(at_the("liars_common", reveal="in_place", **{"end.rounds": 2}))
    words = ("--virtual", "--auto", "--fast", "--game", "liars_common", "--players", "4", "--seed", "5")
    asked = [*words, "--settings", str(tmp_path / "rules.toml"), "--state", str(tmp_path / "state")]
    assert cli.run_command_line(asked) == 0

    with closing(Journal.open(tmp_path / "state" / "journal.sqlite3")) as journal:
        stored = journal.last()
    assert stored is not None
    reveals = [event for event in stored.events if event["type"] == "reveal"]
    assert len(reveals) == 8
    assert {str(event["player"]): sorted(faces_of(event)) for event in reveals[4:]} == shown


# --- the hands of the virtual table ---


@pytest.fixture(scope="module")
def tray() -> Iterator[VirtualTray]:
    with closing(VirtualTray(4, roll_s=0.0)) as opened:
        yield opened


def through_the_eye(tray: VirtualTray, watch: CupWatch, frames: int) -> list[CupState]:
    """Return what *watch* says of so many pictures, of which it sees every third as the camera's thread does."""
    known, states = tray.calibration(), []
    for number in range(frames):
        seen = tray.capture()
        if number % UNAWAITED == 0:
            states.append(watch.step(reduce(seen.image, known), seen.time_s))
    return [state for state in states if state is not None]


def test_the_first_shake_is_seen_though_a_single_die_lay_there(tray: VirtualTray) -> None:
    """A die that is gone from one picture to the next is no movement for the blind eye."""
    known, cups = tray.calibration(), Cups(tray, random.Random(1))
    tray.put([RenderedDie(150.0, 110.0, 20.0, 6)])
    for _ in range(EMPTY_FRAMES + FAST_EMPTY_FRAMES):  # it is read by another eye, and only then dice are hidden
        tray.capture()
    watch = CupWatch(reduce(known.empty, known))
    lay_there = through_the_eye(tray, watch, 24)
    cups.shake("A", 2)
    shakes = Shakes()
    for state in (CupState.COVERED, *lay_there):
        shakes.step(state)

    assert lay_there[-1] is CupState.LIFTED
    assert [shakes.step(state) for state in through_the_eye(tray, watch, 60)][-1] is True


class Film:
    """A tray that only notes which dice are drawn."""

    def __init__(self) -> None:
        self.dice: tuple[RenderedDie, ...] = ()
        self.cups: tuple[Cup, ...] = ()

    def place_mm(self, across: float) -> Point:
        return 300 * across, 110.0

    def reached(self) -> None: ...

    def drawn(self, dice: tuple[RenderedDie, ...], cups: tuple[Cup, ...] = ()) -> None:
        self.dice, self.cups = dice, cups

    def show(self, *scenes: Scene, answers: bool = False) -> None:
        for scene in scenes:
            scene.draw()


def hands() -> tuple[Cups, Film]:
    film = Film()
    return Cups(cast("VirtualTray", film), random.Random(2)), film


def at_two() -> View:
    return View(game="liars_individual", seats={1: "A", 2: "B"}, facts={"to_beat": None, "rounds_played": 0})


def test_dice_that_are_shown_once_more_lie_in_the_half_of_who_shows_them() -> None:
    cups, film = hands()
    cups.hands(at_two())
    cups.lift("A", 5)
    cups.lift("A", 5)
    own = film.dice[-5:]

    assert sorted(die.top for die in own) == sorted(cups.peek("A"))
    assert all(die.x_mm < 150 for die in own)


def test_who_was_called_shows_what_he_had_though_the_next_shook_too_soon() -> None:
    cups, film = hands()
    cups.shake("D", 2)
    had = cups.peek("D")
    cups.shake("A", 2)
    cups.lift("D", 2)

    assert cups.peek("D") == had
    assert sorted(die.top for die in film.dice) == sorted(had)
    assert film.cups == ()


def test_who_says_that_he_rolls_again_has_other_dice() -> None:
    cups, _film = hands()
    cups.hands(at_two())
    had = cups.peek("A")
    for number in range(9):
        event = {"type": "reroll", "player": "A", "dice": 5}
        cups.stored(Stored(1, number, event, {}, over=False))

    assert len(cups.peek("A")) == 5
    assert cups.peek("A") != had


def test_a_box_goes_round_with_what_is_in_it_and_is_shaken_for_a_new_hand() -> None:
    cups, _film = hands()
    view = View(game="liars_stanford", seats={1: "A", 2: "B"}, player="A", facts={"rounds_played": 0})
    assert cups.hands(view)
    had = cups.peek("A")
    assert len(had) == 6

    cups.stored(Stored(1, 0, {"type": "call", "player": "A", "hand": ["pair", 2]}, {}, over=False))
    assert not cups.hands(replace(view, player="B"))
    assert (cups.peek("A"), cups.peek("B")) == (had, ()), "B has neither touched it nor looked"
    cups.stored(Stored(1, 1, {"type": "call", "player": "B", "hand": ["pair", 3]}, {}, over=False))
    assert (cups.peek("A"), cups.peek("B")) == ((), had)
    cups.stored(Stored(1, 2, {"type": "reroll", "player": "A", "dice": 1}, {}, over=False))
    assert len(set(Counter(cups.peek("A")) - Counter(had))) <= 1, "one die of six was rolled anew"

    cups.lift("B", 2, opens=True)
    assert (len(cups.peek("B")), cups.peek("A")) == (6, ())
    assert cups.hands(replace(view, player="B", facts={"rounds_played": 1}))
    assert len(cups.peek("B")) == 6


class Hand:
    """A game of which every event is told to the cups of the virtual table."""

    def __init__(self, game: str, players: str, **rules: object) -> None:
        start = {"opener": "A"} if game != "liars_individual" else {"first_caller": "A"}
        setup = {"game": game, "players": list(players), "house_rules": rules, "start": start}
        self.playing = gamefile.begin(gamefile.setup(setup))
        self.cups, self.film = hands()
        assert self.cups.hands(self.view)

    @property
    def view(self) -> View:
        facts = self.playing.facts()
        game, player = self.playing.setup.game, str(facts["turn"])
        return View(game=game, seats=dict(enumerate(self.playing.setup.players, 1)), facts=facts, player=player)

    def take(self, kind: str, player: str, **more: object) -> None:
        event = {"type": kind, "player": player, **more}
        self.playing = self.playing.take(event)
        self.cups.stored(Stored(1, len(self.playing.events), event, self.playing.facts(), over=False))


def test_a_box_is_shaken_anew_after_somebody_left() -> None:
    hand = Hand("liars_stanford", "ABC")
    hand.take("call", "A", hand=["pair", 6])
    hand.take("call", "B", hand=["three", 1])
    seen_by_b = hand.cups.peek("B")
    assert len(seen_by_b) == 6

    hand.take("leave", "C")
    assert hand.view.player == "A"
    assert hand.cups.hands(hand.view)
    assert (len(hand.cups.peek("A")), hand.cups.peek("B")) == (6, ())
    assert hand.cups.peek("A") != seen_by_b
    assert not hand.cups.hands(hand.view), "once is enough"


@pytest.mark.parametrize("game", ["liars_stanford", "liars_individual", "liars_common"])
@pytest.mark.parametrize("accident", ["reshake", "plays_on"])
def test_after_an_accident_all_shake_again_where_the_house_says_so(game: str, accident: str) -> None:
    hand = Hand(game, "AB", accident=accident)
    had = hand.cups.peek("A")
    if game == "liars_common":
        hand.take("bid", "A", quantity=1, face=6)
    else:
        hand.take("call", "A", hand=["pair", 6])
    hand.take("exposed", "B")

    assert hand.cups.hands(hand.view) is (accident == "reshake")
    assert (hand.cups.peek("A") == had) is (accident == "plays_on")


def test_dice_beside_the_box_stay_with_it_where_the_house_plays_on() -> None:
    hand = Hand("liars_stanford", "AB", accident="plays_on")
    hand.take("show", "A", faces=[6, 5])
    hand.take("exposed", "A")

    assert not hand.cups.hands(hand.view)


def test_no_game_is_played_by_more_than_can(call: Call, tmp_path: Path) -> None:
    answer = call("--virtual", "--auto", "--game", "liars_individual", "--players", 3, "--state", tmp_path)

    assert answer.code == 2
    assert "at most 2" in answer.err


def test_an_unknown_game_is_answered_with_those_there_are(call: Call, tmp_path: Path) -> None:
    answer = call("--virtual", "--auto", "--game", "poker", "--state", tmp_path)

    assert answer.code == 2
    assert all(game in answer.err for game in CUP_GAMES)
