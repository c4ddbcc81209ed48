"""Whole games with a cup on the virtual table: cups before the blind camera, rendered dice before the reader."""

import subprocess
import sys
from pathlib import Path

import pytest

from firmware.gallery_cup import CUP_GAMES
from tests.firmware.conftest import Bench, Call, at_the
from vision.zone import Zone


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


def test_no_game_is_played_by_more_than_can(call: Call, tmp_path: Path) -> None:
    answer = call("--virtual", "--auto", "--game", "liars_individual", "--players", 3, "--state", tmp_path)

    assert answer.code == 2
    assert "at most 2" in answer.err


def test_an_unknown_game_is_answered_with_those_there_are(call: Call, tmp_path: Path) -> None:
    answer = call("--virtual", "--auto", "--game", "poker", "--state", tmp_path)

    assert answer.code == 2
    assert all(game in answer.err for game in CUP_GAMES)
