"""The tables of the journal in SQLite: whose file it is, how it is brought up to date, and what is said of a disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from firmware.errors import DiskError, JournalError

APPLICATION_ID: Final = 0x4D455854  # "MEXT": whose file this is
TABLES_VERSION: Final = 3
_DICE: Final = """CREATE TABLE dice (
        game INTEGER NOT NULL,
        event INTEGER NOT NULL,
        seen TEXT NOT NULL,
        PRIMARY KEY (game, event)
    ) STRICT, WITHOUT ROWID"""
_OLDER: Final = {1: "ALTER TABLE games ADD COLUMN rules TEXT NOT NULL DEFAULT ''", 2: _DICE}
"""What makes of tables of an older version those of the next one."""

_TABLES: Final = (
    """CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        table_kind TEXT NOT NULL CHECK (table_kind IN ('real', 'virtual')),
        setup TEXT NOT NULL,
        seats TEXT NOT NULL,
        begun_s REAL NOT NULL,
        given_up INTEGER NOT NULL DEFAULT 0,
        rules TEXT NOT NULL DEFAULT ''
    ) STRICT""",
    """CREATE TABLE events (
        game INTEGER NOT NULL REFERENCES games (number),
        number INTEGER NOT NULL CHECK (number >= 1),
        event TEXT NOT NULL,
        stored_s REAL NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE pictures (
        game INTEGER NOT NULL,
        event INTEGER NOT NULL,
        jpeg BLOB NOT NULL,
        PRIMARY KEY (game, event)
    ) STRICT""",
    _DICE,
)


def check_owner(connection: sqlite3.Connection, path: Path) -> bool:
    """Return True for a file without tables; refuse a stranger's and a newer one, before anything is written."""
    owner = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = int(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
    if not tables and owner in (0, APPLICATION_ID):
        return True
    if owner != APPLICATION_ID:
        raise JournalError(f"{path} is another program's database; move it away or name another folder with --state")
    if version != TABLES_VERSION and version not in _OLDER:
        raise JournalError(
            f"the journal {path} has tables of version {version}, this program knows {TABLES_VERSION}; "
            "use the mexico-table that wrote it or name another folder with --state DIR"
        )
    return False


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring the tables of an older version up to date, all or nothing."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version < TABLES_VERSION:
        with transaction(connection):
            for older in range(version, TABLES_VERSION):
                connection.execute(_OLDER[older])
            connection.execute(f"PRAGMA user_version = {TABLES_VERSION}")


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new journal, all or none."""
    with transaction(connection):
        for table in _TABLES:
            connection.execute(table)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {TABLES_VERSION}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Let what is done in a ``with`` block be stored as a whole or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """One instant of the journal for several questions."""
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def told(path: Path, doing: str) -> Iterator[None]:
    """Turn what SQLite raises into one clear line."""
    try:
        yield
    except sqlite3.Error as error:
        kind = DiskError if _primary(error) in _PASSING else JournalError
        raise kind(f"cannot {doing} the journal {path}: {error}; {_advice(error)}") from error
    except (ValueError, TypeError) as error:
        raise JournalError(f"cannot {doing} the journal {path}: {error}; {_BROKEN}") from error


_BROKEN: Final = "the file is damaged: put a copy back, or move it away and begin anew"


_PASSING: Final = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY}
)
"""What a disk says that may take the same event later."""


def _primary(error: sqlite3.Error) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


def _advice(error: sqlite3.Error) -> str:
    return {
        sqlite3.SQLITE_FULL: "make room on the disk: nothing that was stored is lost",
        sqlite3.SQLITE_IOERR: "see that the disk is there and has room: nothing that was stored is lost",
        sqlite3.SQLITE_READONLY: "make the file and its folder writable",
        sqlite3.SQLITE_CANTOPEN: "see that the folder is there and may be read and written",
        sqlite3.SQLITE_BUSY: "another program is writing to it; try again when that one is done",
        sqlite3.SQLITE_CORRUPT: _BROKEN,
        sqlite3.SQLITE_NOTADB: _BROKEN,
    }.get(_primary(error) or -1, "see that the disk is in order, then start again")


def text(value: object) -> str:
    """Return *value* as it stands in a table: short JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
