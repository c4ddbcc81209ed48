"""The picture a roll rests on is stored with it, whole or not at all."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.eyes import MOST_BYTES
from firmware.journal import Journal, reading

SETUP = {"format": 1, "game": "mexico", "house_rules": {}, "players": ["A", "B"]}
DIE = {"type": "die", "player": "A", "face": 3}

WRITER = """
import sys
from pathlib import Path
from firmware.journal import Journal
journal = Journal.open(Path(sys.argv[1]))
game = journal.begin({setup!r}, seats=(1, 2), table_kind="virtual")
for number in range(1, 100_000):
    journal.append(game, number, {{"type": "die", "player": "A", "face": 3}}, jpeg=bytes([number % 251]) * 15_000)
    print(game, number, flush=True)
"""


def test_a_game_lists_the_events_whose_pictures_are_kept(journal: Journal) -> None:
    game = journal.begin(SETUP, seats=(1, 2), table_kind="real")
    for number in range(1, 5):
        journal.append(game, number, DIE, jpeg=b"jpeg" if number % 2 else None)
    with reading(journal.path) as archive:
        assert archive.pictures(game) == (1, 3)
        assert archive.pictures(game + 1) == ()


def test_a_journal_that_is_not_there_has_no_pictures(tmp_path: Path) -> None:
    with reading(tmp_path / "nowhere") as archive:
        assert archive.pictures(1) == ()


@pytest.mark.parametrize("shown", [1, 7, 30])
def test_a_kill_leaves_every_shown_event_with_its_picture(tmp_path: Path, shown: int) -> None:
    path = tmp_path / "journal.sqlite3"
    script = WRITER.format(setup=SETUP)
    with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(shown)][-1]
        time.sleep(0.003 * (shown % 5))
        writer.send_signal(signal.SIGKILL)
    game, number = map(int, told.split())
    with closing(Journal.open(path)) as journal:
        stored = journal.game(game)
        assert stored is not None
        assert len(stored.events) >= number
        assert journal.pictures(game) == tuple(range(1, len(stored.events) + 1))
        assert all(journal.picture(game, n) == bytes([n % 251]) * 15_000 for n in range(1, len(stored.events) + 1))


def test_a_picture_that_does_not_fit_takes_its_event_with_it(journal: Journal) -> None:
    game = journal.begin(SETUP, seats=(1, 2), table_kind="real")
    journal.append(game, 1, DIE, jpeg=b"jpeg")
    journal._file.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON pictures BEGIN SELECT raise(ABORT, 'full'); END")
    with pytest.raises(Exception, match="full"):
        journal.append(game, 2, DIE, jpeg=b"jpeg")

    assert journal.game(game).events == (DIE,)  # type: ignore[union-attr]
    assert journal.pictures(game) == (1,)


@pytest.mark.long
@pytest.mark.slow
def test_every_roll_of_a_virtual_game_has_its_picture(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text("[game.house_rules]\nbuy_in = 1\n")
    call = [sys.executable, "-m", "firmware", "--virtual", "--auto", "--fast", "--json", "--players", "2"]
    where = ["--seed", "7", "--state", str(tmp_path), "--settings", str(tmp_path / "short.toml")]
    played = subprocess.run([*call, *where], check=True, capture_output=True, text=True, timeout=120)
    assert json.loads(played.stdout.splitlines()[-1])["facts"]["winner"]
    with reading(next(tmp_path.glob("*.sqlite3"))) as archive:
        game = archive.last()
        assert game is not None
        thrown = [n for n, event in enumerate(game.events, 1) if event["type"] in ("die", "roll", "bad_roll")]
        pictures = [archive.picture(game.number, number) or b"" for number in thrown]

    assert list(archive_numbers(tmp_path)) == thrown
    assert max(map(len, pictures)) <= MOST_BYTES
    for picture in pictures:
        decoded = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None
        assert decoded.shape[1] >= 200


def archive_numbers(folder: Path) -> tuple[int, ...]:
    """Return the events with pictures as another program finds them in the file."""
    with closing(sqlite3.connect(next(folder.glob("*.sqlite3")))) as file:
        return tuple(row[0] for row in file.execute("SELECT event FROM pictures ORDER BY event"))
