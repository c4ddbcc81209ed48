"""The journal: every accepted event of every game, on disk before anything of it is shown.

SQLite with a write-ahead log and ``synchronous=FULL``: a commit returns after the disk has it, and a kill or power cut
at any instant leaves all committed events and nothing half. The stored state *is* the list of events; nothing is ever
changed or deleted but old pictures.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from firmware.tables import check_owner, make_tables, snapshot, text, told, transaction, upgrade

logger = logging.getLogger(__name__)

SeenDice = Sequence[tuple[int, str]]
"""The dice of one throw as they were read: face and colour, such as ``(5, "#b41e20")``. No rule hears of it."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored.

    Attributes
    ----------
    number
        Number of the game on this table, from 1.
    table_kind
        ``"real"`` or ``"virtual"``.
    setup
        Game, house rules, players and start, as in a game file without events.
    seats
        The seat of each player of *setup*, counted from 1.
    events
        The accepted events in order, exactly as they were given.
    given_up
        True when the players ended it before its end.
    rules
        Fingerprint of the house rules as the players saw it; empty in a journal of an older program.
    """

    number: int
    table_kind: str
    setup: Mapping[str, object]
    seats: tuple[int, ...]
    events: tuple[Mapping[str, object], ...]
    given_up: bool = False
    rules: str = ""


_SPANS: Final = """SELECT g.number, g.table_kind, g.begun_s, coalesce(e.number, 0), coalesce(e.stored_s, g.begun_s)
    FROM games g LEFT JOIN events e
    ON e.game = g.number AND e.number = (SELECT max(number) FROM events WHERE game = g.number)
    ORDER BY g.number"""


@dataclass(frozen=True, slots=True)
class Span:
    """When a game was played: begun and last added to, in seconds since 1970, and how many events it has."""

    number: int
    table_kind: str
    begun_s: float
    events: int
    last_s: float


class Archive:
    """The stored games, read only: works beside a running table and creates nothing."""

    def __init__(self, connection: sqlite3.Connection | None, path: Path) -> None:
        if connection is not None:
            connection.row_factory = sqlite3.Row
        self._connection = connection
        self.path = path

    def last(self) -> StoredGame | None:
        """Return the game begun last, or None before the first."""
        return self._one("ORDER BY number DESC LIMIT 1", ())

    def game(self, number: int) -> StoredGame | None:
        """Return game *number*, or None if there is none."""
        return self._one("WHERE number = ?", (number,))

    def count(self) -> int:
        """Return how many games were begun."""
        if self._connection is None:
            return 0
        with told(self.path, "read"):
            return int(self._connection.execute("SELECT count(*) FROM games").fetchone()[0])

    def picture(self, game: int, event: int) -> bytes | None:
        """Return the JPEG that *event* of *game* rests on, or None if none is kept.

        It shows the dice one by one as they were read, with the fitted layout and the numbers, above the whole tray.
        """
        if self._connection is None:
            return None
        with told(self.path, "read"):
            row = self._connection.execute(
                "SELECT jpeg FROM pictures WHERE game = ? AND event = ?", (game, event)
            ).fetchone()
        return bytes(row[0]) if row else None

    def times(self, game: int) -> tuple[float, ...]:
        """Return when each event of *game* was stored, in seconds since 1970."""
        return tuple(map(float, self._of_events("SELECT stored_s FROM events WHERE game = ? ORDER BY number", game)))

    def pictures(self, game: int) -> tuple[int, ...]:
        """Return the numbers of the events of *game* whose pictures are kept, in order; `picture` gives each."""
        return tuple(map(int, self._of_events("SELECT event FROM pictures WHERE game = ? ORDER BY event", game)))

    def dice(self, game: int) -> Mapping[int, SeenDice]:
        """Return the dice of *game* as they were read, by event; without those of which no colour was seen."""
        if self._connection is None:
            return {}
        with told(self.path, "read"):
            if not self._connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'dice'").fetchone():
                return {}  # of an older program
            rows = self._connection.execute("SELECT event, seen FROM dice WHERE game = ?", (game,)).fetchall()
            return {int(event): tuple((int(face), str(bgr)) for face, bgr in json.loads(seen)) for event, seen in rows}

    def spans(self) -> tuple[Span, ...]:
        """Return what is known of every game without reading its events, in the order in which they began."""
        if self._connection is None:
            return ()
        with told(self.path, "read"):
            rows = self._connection.execute(_SPANS).fetchall()
            return tuple(Span(*row) for row in rows)

    def _of_events(self, question: str, game: int) -> list[Any]:
        """Return the one column that *question* asks of *game*."""
        if self._connection is None:
            return []
        with told(self.path, "read"):
            return [row[0] for row in self._connection.execute(question, (game,)).fetchall()]

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        if self._connection is not None:
            self._connection.close()

    def _one(self, which: str, values: tuple[int, ...]) -> StoredGame | None:
        if self._connection is None:
            return None
        with told(self.path, "read"), snapshot(self._connection) as connection:
            head = connection.execute(
                f"SELECT * FROM games {which}",  # noqa: S608 (constants above)
                values,
            ).fetchone()
            if head is None:
                return None
            number = head["number"]
            rows = connection.execute("SELECT number, event FROM events WHERE game = ? ORDER BY number", (number,))
            numbered = rows.fetchall()
            if [row[0] for row in numbered] != list(range(1, len(numbered) + 1)):
                raise ValueError(f"events of game {number} are missing")
            events = tuple(json.loads(row[1]) for row in numbered)
            return StoredGame(
                number,
                head["table_kind"],
                json.loads(head["setup"]),
                tuple(json.loads(head["seats"])),
                events,
                bool(head["given_up"]),
                head["rules"] if "rules" in head.keys() else "",  # noqa: SIM118 (a row, not a mapping)
            )


class Journal(Archive):
    """The journal of the running table: reads and writes; hold the folder's lock while it is open."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, keep_pictures_games: int) -> None:
        super().__init__(connection, path)
        self._file = connection
        self._keep = keep_pictures_games

    @classmethod
    def open(cls, path: Path, *, keep_pictures_games: int = 20) -> Self:
        """Open the journal at *path* for writing; make it if it is not there.

        Raises
        ------
        JournalError
            If the file is broken, foreign or newer than this program, or the disk does not take it.
        """
        with told(path, "open"):
            connection = sqlite3.connect(path, isolation_level=None)
        try:
            with told(path, "open"):
                fresh = check_owner(connection, path)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA foreign_keys = ON")
                if fresh:
                    make_tables(connection)
                elif (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                    raise ValueError(" ".join(str(found).split()))
                else:
                    upgrade(connection)
        except BaseException:
            connection.close()
            raise
        return cls(connection, path, keep_pictures_games=keep_pictures_games)

    def begin(self, setup: Mapping[str, object], *, seats: tuple[int, ...], table_kind: str, rules: str = "") -> int:
        """Store a new game, with the fingerprint of its *rules*, and return its number.

        Raises
        ------
        JournalError
            If the disk does not take it; nothing is changed then.
        """
        with told(self.path, "write"), transaction(self._file):
            number = 1 + int(self._file.execute("SELECT coalesce(max(number), 0) FROM games").fetchone()[0])
            self._file.execute(
                "INSERT INTO games (number, table_kind, setup, seats, begun_s, rules) VALUES (?, ?, ?, ?, ?, ?)",
                (number, table_kind, text(setup), text(seats), time.time(), rules),
            )
            self._file.execute("DELETE FROM pictures WHERE game <= ?", (number - self._keep,))
        logger.info("game %d begins", number)
        return number

    def append(
        self,
        game: int,
        number: int,
        event: Mapping[str, object],
        *,
        jpeg: bytes | None = None,
        dice: SeenDice = (),
    ) -> None:
        """Store the accepted *event* as event *number* of *game*; when this returns, the disk has it.

        *jpeg* and *dice* are what it rests on: the picture, and the dice as they were read.

        Raises
        ------
        JournalError
            If the disk does not take it; nothing is changed then, and nothing of it may be shown.
        """
        with told(self.path, "write"), transaction(self._file):
            self._file.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (game, number, text(event), time.time()))
            if jpeg is not None:
                self._file.execute("INSERT INTO pictures VALUES (?, ?, ?)", (game, number, jpeg))
            if dice:
                self._file.execute("INSERT INTO dice VALUES (?, ?, ?)", (game, number, text(dice)))

    def give_up(self, game: int) -> None:
        """Mark *game* as ended by the players before its end."""
        with told(self.path, "write"), transaction(self._file):
            self._file.execute("UPDATE games SET given_up = 1 WHERE number = ?", (game,))


@contextmanager
def reading(path: Path) -> Iterator[Archive]:
    """Open the journal at *path* for reading only; a file that is not there is an archive without games.

    Raises
    ------
    JournalError
        If the file is broken, foreign or newer than this program.
    """
    if not path.exists() or path.stat().st_size == 0:
        yield Archive(None, path)
        return
    with told(path, "open"):
        connection = _connect_read_only(path)
    with closing(connection):
        with told(path, "open"):
            fresh = check_owner(connection, path)
        yield Archive(None if fresh else connection, path)


def _connect_read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that cannot write; in a folder nobody may write, without the shared memory of the log."""
    uri = path.absolute().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except BaseException:
        connection.close()
        raise
    return connection
