"""The command ``stats``."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware.folder import StateFolder
from firmware.journal import Journal

if TYPE_CHECKING:
    from tests.firmware.conftest import Call

SETUP = {
    "format": 1,
    "game": "mexico",
    "house_rules": {"buy_in": 1},
    "players": ["Ann", "Ben"],
    "start": {"lead": "Ann"},
}
EVENTS: tuple[dict[str, object], ...] = (
    {"type": "bad_roll", "player": "Ann", "why": "cocked"},
    {"type": "roll", "player": "Ann", "faces": [5, 4]},
    {"type": "stop", "player": "Ann"},
    {"type": "roll", "player": "Ben", "faces": [3, 1]},
)
DICE = {2: [(5, "#b41e20"), (4, "#f0f0ee")], 4: [(3, "#f0f0ee"), (1, "#b41e20")]}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Two evenings: a game, and a week later another two."""
    folder = tmp_path / "state"
    folder.mkdir()
    with closing(Journal.open(StateFolder(folder).journal)) as journal:
        for week in (0, 1, 1):
            game = journal.begin(SETUP, seats=(1, 2), table_kind="real")
            for number, event in enumerate(EVENTS, 1):
                journal.append(game, number, event, dice=DICE.get(number, ()))
            begun_s = 1_770_000_000 + week * 604_800 + game * 60
            journal._file.execute("UPDATE games SET begun_s = ? WHERE number = ?", (begun_s, game))
            journal._file.execute("UPDATE events SET stored_s = ? + 10 * number WHERE game = ?", (begun_s, game))
    return folder


def test_without_an_option_it_tells_of_the_last_evening(call: Call, state: Path) -> None:
    lines = call("stats", "--state", state).out.splitlines()

    assert lines[0].startswith("evening 2 of 2, games 2 to 3, 2026-")
    assert lines[0].endswith(", real table")
    assert lines[1:6] == [
        "mexico 2; 2 played to the end, 2 rounds",
        "4 rolls, 0 of them 21 (fair: 0.2); 2 units paid",
        "bad rolls: cocked 2",
        "over soonest: game 2, in 40 s",
        "largest pot: 1 unit, game 2",
    ]
    assert lines[7:10] == [
        "seat  name      games  won  rounds  lost  safe running  lost running",
        "   1  Ann           2    2       2     0             2             0",
        "   2  Ben           2    0       2     2             0             2",
    ]
    assert lines[11:14] == [
        "seat  name      rolls  a turn   21  units paid   won  bought  turn takes  bad rolls",
        "   1  Ann           2    1.00    0           0     2       0           -          2",
        "   2  Ben           2    1.00    0           2     0       0        10 s          0",
    ]
    assert lines[15:] == [
        "                   1     2     3     4     5     6  evidence  alarm at",
        "all dice           2     0     2     2     2     0       1.0      2000",
        "nothing speaks against the dice in 4 throws",
    ]


def test_one_evening_and_one_game_can_be_asked_for(call: Call, state: Path) -> None:
    assert call("stats", "--state", state, "--evening", 1).out.startswith("evening 1 of 2, game 1, 2026-")
    assert call("stats", "--state", state, "--game", 3).out.startswith("game 3, 2026-")


def test_as_json_it_is_one_object(call: Call, state: Path) -> None:
    (told,) = call("stats", "--state", state, "--game", 3, "--json").json

    assert (told["evening"], told["evenings"], told["games"]) == (2, 2, [3])
    assert told["bad_rolls"] == {"cocked": 1}
    assert isinstance(told["fairness"], dict)
    assert told["fairness"]["found"][0]["counts"] == [1, 0, 1, 1, 1, 0]


def test_before_the_first_game_it_says_so(call: Call, tmp_path: Path) -> None:
    assert call("stats", "--state", tmp_path / "none").out == "no game was played yet\n"
    (told,) = call("stats", "--state", tmp_path / "none", "--json").json
    assert (told["evening"], told["evenings"], told["games"]) == (None, 0, [])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--evening", 3], "there is no evening 3 in "),
        (["--evening", 3], "; there are 1 to 2"),
        (["--evening", 0], "--evening"),
        (["--game", 9], "there is no game 9; there are 1 to 3"),
        (["--game", 1, "--evening", 1], "leave all but one out"),
    ],
)
def test_what_is_not_there_is_one_clear_line(call: Call, state: Path, options: list[object], said: str) -> None:
    answer = call("stats", "--state", state, *options)

    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_a_game_that_the_rules_refuse_is_named(call: Call, state: Path) -> None:
    with closing(sqlite3.connect(StateFolder(state).journal)) as file, file:
        file.execute("DELETE FROM events WHERE game = 2 AND number = 2")
        file.execute("UPDATE events SET number = number - 1 WHERE game = 2 AND number > 2")

    out = call("stats", "--state", state).out
    assert "game 2 is not counted: " in out
    assert "mexico 2; 1 played to the end, 1 round\n" in out


def test_swapped_dice_are_tested_anew_and_the_evening_before_stays_as_it_was(call: Call, state: Path) -> None:
    before = call("stats", "--state", state, "--evening", 1).out
    assert call("stats", "--state", state, "--swapped").code == 0

    assert call("stats", "--state", state).out.endswith("no dice were thrown in the open\n")
    assert call("stats", "--state", state, "--evening", 1).out == before
    with closing(sqlite3.connect(StateFolder(state).journal)) as file, file:
        file.execute("UPDATE events SET stored_s = ? WHERE game = 3 AND number = 4", (time.time() + 60,))
    assert call("stats", "--state", state).out.endswith("nothing speaks against the dice in 1 throw\n")


def test_a_damaged_note_of_swapped_dice_is_one_clear_line(call: Call, state: Path) -> None:
    StateFolder(state).dice.write_text("{}")

    for options in ((), ("--swapped",)):
        answer = call("stats", "--state", state, *options)
        assert answer.code == 2
        assert "dice.json: is damaged; delete it" in answer.err
        assert answer.err.count("\n") == 1
