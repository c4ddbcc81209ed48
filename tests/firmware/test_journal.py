import errno
import fcntl
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest

from firmware.errors import JournalError, StateFolderError
from firmware.folder import StateFolder, write_whole
from firmware.journal import Journal, reading

SETUP = {"format": 1, "game": "mexico", "house_rules": {}, "players": ["A", "B"]}
DIE = {"type": "die", "player": "A", "face": 3}


def begun(journal: Journal) -> int:
    return journal.begin(SETUP, seats=(1, 2), table_kind="virtual")


def test_what_was_stored_is_read_back_exactly(journal: Journal) -> None:
    number = begun(journal)
    journal.append(number, 1, DIE, jpeg=b"picture")
    journal.append(number, 2, {"type": "die", "player": "Zoë", "face": 4})

    game = journal.last()

    assert game is not None
    assert (game.number, game.table_kind, game.seats, game.setup) == (1, "virtual", (1, 2), SETUP)
    assert game.events == (DIE, {"type": "die", "player": "Zoë", "face": 4})
    assert journal.picture(1, 1) == b"picture"
    assert journal.picture(1, 2) is None


def test_games_are_numbered_from_one(journal: Journal) -> None:
    assert [begun(journal), begun(journal)] == [1, 2]
    assert journal.count() == 2


def test_the_same_event_cannot_be_stored_twice(journal: Journal) -> None:
    number = begun(journal)
    journal.append(number, 1, DIE)

    with pytest.raises(JournalError):
        journal.append(number, 1, DIE)

    assert len(journal.last().events) == 1  # type: ignore[union-attr]


def test_pictures_of_old_games_are_dropped_and_their_events_kept(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "j", keep_pictures_games=2)) as journal:
        for _ in range(3):
            journal.append(begun(journal), 1, DIE, jpeg=b"x")
        begun(journal)

        assert [journal.picture(game, 1) for game in (1, 2, 3)] == [None, None, b"x"]
        assert journal.game(1).events == (DIE,)  # type: ignore[union-attr]


def test_the_disk_has_every_event_before_append_returns(journal: Journal) -> None:
    with closing(sqlite3.connect(journal.path)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert tuple(journal._file.execute("PRAGMA synchronous").fetchone()) == (2,)  # 2: FULL


def test_a_reader_sees_the_events_of_a_running_table_and_writes_nothing(journal: Journal, tmp_path: Path) -> None:
    number = begun(journal)
    journal.append(number, 1, DIE)
    with reading(journal.path) as archive:
        assert len(archive.last().events) == 1  # type: ignore[union-attr]
        journal.append(number, 2, DIE | {"player": "B"})

        assert len(archive.last().events) == 2  # type: ignore[union-attr]


def test_reading_where_nothing_is_creates_nothing(tmp_path: Path) -> None:
    with reading(tmp_path / "nowhere" / "journal.sqlite3") as archive:
        assert archive.last() is None
        assert archive.count() == 0

    assert list(tmp_path.iterdir()) == []


def test_a_journal_whose_writer_was_killed_is_read_whole(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from firmware.journal import Journal\n"
        f"j = Journal.open(Path({str(tmp_path / 'j')!r}))\n"
        f"n = j.begin({SETUP!r}, seats=(1, 2), table_kind='virtual')\n"
        f"j.append(n, 1, {DIE!r}); os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run([sys.executable, "-c", script], check=False)
    assert killed.returncode == -signal.SIGKILL
    with reading(tmp_path / "j") as archive:
        assert archive.last().events == (DIE,)  # type: ignore[union-attr]
    with closing(Journal.open(tmp_path / "j")) as journal:
        assert journal.last().events == (DIE,)  # type: ignore[union-attr]


@contextmanager
def full_disk(free_bytes: int, path: Path) -> Iterator[None]:
    """No file of this process may grow beyond what the journal has now and *free_bytes* more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    wal = path.with_name(path.name + "-wal")
    size = max(path.stat().st_size, wal.stat().st_size if wal.exists() else 0)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + free_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_a_full_disk_is_one_line_and_leaves_what_was_stored(journal: Journal) -> None:
    number = begun(journal)
    journal.append(number, 1, DIE)
    with full_disk(0, journal.path), pytest.raises(JournalError, match="cannot write the journal") as caught:
        journal.append(number, 2, DIE | {"player": "B"}, jpeg=bytes(100_000))

    assert "\n" not in str(caught.value)
    assert journal.last().events == (DIE,)  # type: ignore[union-attr]
    journal.append(number, 2, DIE | {"player": "B"})
    assert len(journal.last().events) == 2  # type: ignore[union-attr]


def test_a_file_that_reached_its_limit_is_told_as_full(journal: Journal) -> None:
    number = begun(journal)
    pages = journal._file.execute("PRAGMA page_count").fetchone()[0]
    journal._file.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(JournalError, match="full; make room on the disk"):
        journal.append(number, 1, DIE, jpeg=bytes(100_000))

    assert journal.last().events == ()  # type: ignore[union-attr]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * len(data[4096:])
    path.write_bytes(data)


def overwrite(path: Path) -> None:
    path.write_text("this is no database, only a text that is longer than the header of one" * 20)


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 7")


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE addresses (name TEXT)")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        pytest.param(cut, "damaged", id="cut off"),
        pytest.param(scramble, "damaged", id="overwritten pages"),
        pytest.param(overwrite, "damaged", id="no database"),
        pytest.param(newer, "tables of version 7, this program knows 3", id="of a newer program"),
        pytest.param(foreign, "another program's database", id="of another program"),
    ],
)
def test_a_file_that_is_no_good_journal_is_refused_in_one_line_and_left_alone(
    tmp_path: Path, harm: object, said: str
) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(Journal.open(path)) as journal:
        journal.append(begun(journal), 1, DIE, jpeg=bytes(50_000))
    assert callable(harm)
    harm(path)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=said) as caught:
        Journal.open(path)
    with pytest.raises(JournalError, match=said), reading(path) as archive:
        archive.last()

    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_the_second_program_on_a_folder_is_told_so(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "state")
    with (
        folder.held(),
        pytest.raises(StateFolderError, match="another mexico-table is running") as caught,
        folder.held(),
    ):
        pass

    assert str(folder.path) in str(caught.value)


def test_a_folder_that_is_a_file_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")

    with pytest.raises(StateFolderError, match="cannot be written"), StateFolder(tmp_path / "state").held():
        pass


def test_a_disk_that_knows_no_locks_is_told_so_and_left_without_a_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(_file: int, _how: int) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with (
        pytest.raises(StateFolderError, match="Function not implemented; make it writable or name another"),
        StateFolder(tmp_path).held(),
    ):
        pass

    monkeypatch.undo()
    with StateFolder(tmp_path).held():
        pass


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_whole(path, b"old")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "folder", b"new")
    with full_disk(0, path), pytest.raises(OSError, match="too large"):
        write_whole(path, bytes(100_000))

    assert path.read_bytes() == b"old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder", "game.json"]


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A journal as the first version of this program wrote it."""
    path = tmp_path / "older.sqlite3"
    with closing(Journal.open(path)) as journal:
        journal.append(begun(journal), 1, DIE, jpeg=b"jpeg")
    with closing(sqlite3.connect(path)) as file:
        file.execute("ALTER TABLE games DROP COLUMN rules")
        file.execute("DROP TABLE dice")
        file.execute("PRAGMA user_version = 1")
    return path


def test_a_journal_of_an_older_program_is_read_as_it_is(older: Path) -> None:
    before = older.read_bytes()
    with reading(older) as archive:
        game, dice = archive.last(), archive.dice(1)

    assert dice == {}
    assert game is not None
    assert (game.events, game.rules) == ((DIE,), "")
    assert older.read_bytes() == before


def test_a_journal_of_an_older_program_goes_on_with_nothing_lost(older: Path) -> None:
    with closing(Journal.open(older)) as journal:
        journal.append(1, 2, DIE, dice=[(3, "#b41e20")])
        assert journal.begin(SETUP, seats=(1, 2), table_kind="real", rules="3FA9") == 2
    with closing(Journal.open(older)) as journal:
        first, second = journal.game(1), journal.game(2)
        assert journal.picture(1, 1) == b"jpeg"
        assert journal.dice(1) == {2: ((3, "#b41e20"),)}

    assert first is not None
    assert second is not None
    assert first.events == (DIE, DIE)
    assert second.rules == "3FA9"


def test_times_that_go_backwards_are_told_as_they_are(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "journal.sqlite3")) as journal:
        setup = {"format": 1, "game": "mexico", "house_rules": {}, "players": ["A", "B"]}
        number = journal.begin(setup, seats=(1, 2), table_kind="real")
        for event, wall_s in enumerate((2e9, 1e9), 1):
            with mock.patch("firmware.journal.time", SimpleNamespace(time=lambda wall_s=wall_s: wall_s)):
                journal.append(number, event, {"type": "die", "player": "AB"[event - 1], "face": event})

        assert journal.times(number) == (2e9, 1e9)
        assert len(journal.last().events) == 2  # type: ignore[union-attr]
