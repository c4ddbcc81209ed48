"""Whole games with a cup on the virtual table: cups before the blind camera, rendered dice before the reader."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from firmware import cli
from firmware.gallery_cup import CUP_GAMES
from firmware.journal import Journal
from firmware.undo import faces_of
from firmware.views import View
from firmware.virtual_cup import Cups
from firmware.watching import Watching
from tests.firmware.conftest import Bench, Call, at_the
from vision.zone import Share, Zone


def played(state: Path, game: str, *more: object) -> "subprocess.CompletedProcess[str]":
    """Let the computer play *game*."""
    words = ("--virtual", "--auto", "--fast", "--json", "--game", game, "--seed", 11, *more, "--state", state)
    command = [sys.executable, "-m", "firmware", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


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


def test_no_game_is_played_by_more_than_can(call: Call, tmp_path: Path) -> None:
    answer = call("--virtual", "--auto", "--game", "liars_individual", "--players", 3, "--state", tmp_path)

    assert answer.code == 2
    assert "at most 2" in answer.err


def test_an_unknown_game_is_answered_with_those_there_are(call: Call, tmp_path: Path) -> None:
    answer = call("--virtual", "--auto", "--game", "poker", "--state", tmp_path)

    assert answer.code == 2
    assert all(game in answer.err for game in CUP_GAMES)
