"""The audit of a game: who did what, when, what no longer counts, and the pictures."""

from __future__ import annotations

import tracemalloc
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware.audit import Telling
from firmware.folder import StateFolder
from firmware.journal import Journal

if TYPE_CHECKING:
    from tests.firmware.conftest import Call

SETUP = {"format": 1, "game": "mexico", "house_rules": {}, "players": ["A", "B"], "start": {"lead": "A"}}
EVENTS: tuple[dict[str, object], ...] = (
    {"type": "roll", "player": "A", "faces": [5, 4]},
    {"type": "void", "event": 1, "by": ["A", "B"], "why": "void this roll"},
    {"type": "roll", "player": "A", "faces": [6, 4]},
    {"type": "read_again", "event": 3, "by": ["bartender"]},
)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir()
    with closing(Journal.open(StateFolder(folder).journal)) as journal:
        game = journal.begin(SETUP, seats=(1, 2), table_kind="real")
        for number, event in enumerate(EVENTS, 1):
            journal.append(game, number, event, jpeg=b"jpeg" if number != 2 else None)
    return folder


def test_every_event_is_told_with_what_no_longer_counts(call: Call, state: Path) -> None:
    answer = call("journal", "--state", state)

    lines = [line[21:] for line in answer.out.splitlines()]
    assert lines == [
        "   1  A         rolls 54  (void)  [picture]",
        "   2  A+B       takes back event 1",
        "   3  A         rolls 64  [picture]",
        "   4  bartender  event 3 read again  [picture]",
    ]


def test_what_is_told_needs_no_more_memory_than_the_game_itself() -> None:
    rich = {"units": {"A": 900, "B": 900}, "pot": 0, "lead": "B", "unit_value": 1}
    round_ = (
        {"type": "roll", "player": "B", "faces": [3, 1]},
        {"type": "stop", "player": "B"},
        {"type": "roll", "player": "A", "faces": [6, 4]},
    )
    telling = Telling(SETUP | {"start": rich})
    tracemalloc.start()
    for event in 600 * round_:
        telling.goes_on(event)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 2_000_000


def test_as_json_every_event_says_when_and_whether_it_counts(call: Call, state: Path) -> None:
    rows = call("journal", "--state", state, "--json").json

    assert [row["counts"] for row in rows] == [False, False, True, False]
    assert [row["what"] for row in rows] == list(EVENTS)
    assert all(str(row["time"]).startswith("20") for row in rows)


def test_the_pictures_of_a_game_are_written(call: Call, state: Path, tmp_path: Path) -> None:
    answer = call("journal", "--state", state, "--pictures", tmp_path / "pictures")

    assert answer.out.splitlines()[-1].startswith("3 pictures in ")
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == [
        "game-1-event-1.jpg",
        "game-1-event-3.jpg",
        "game-1-event-4.jpg",
    ]


def test_pictures_that_cannot_be_written_are_one_clear_line(call: Call, state: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    answer = call("journal", "--state", state, "--pictures", tmp_path / "file" / "pictures")

    assert answer.code == 2
    assert "name another --pictures" in answer.err


def test_a_game_that_is_not_there_is_one_clear_line(call: Call, state: Path) -> None:
    answer = call("journal", "--state", state, "--game", 7)

    assert answer.code == 2
    assert "there is no game 7; there are 1 to 1" in answer.err


def test_an_exported_game_holds_what_counts_and_replays(call: Call, state: Path, tmp_path: Path) -> None:
    call("export", "--state", state, "--out", tmp_path / "game.json")

    rows = call("replay", "--json", tmp_path / "game.json").json
    assert [row["accepted"] for row in rows] == [True]
    assert call("status", "--state", state, "--json").json[0]["scores"] == {"A": "64"}
