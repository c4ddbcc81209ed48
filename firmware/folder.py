"""The state folder: where the journal, the calibration and the pictures are, and who may write there."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EISDIR
from itertools import count
from pathlib import Path
from typing import Final

import platformdirs
from filelock import FileLock, Timeout

from firmware.errors import FileError, StateFolderError
from hardware.pictures import shown

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StateFolder:
    """The files of one table; nothing is created by asking for a name."""

    path: Path

    @classmethod
    def default(cls) -> StateFolder:
        """Return the platform's state folder of this program."""
        return cls(Path(platformdirs.user_state_path("mexico-table", appauthor=False)))

    @property
    def journal(self) -> Path:
        """Return the file of the journal."""
        return self.path / "journal.sqlite3"

    @property
    def calibration(self) -> Path:
        """Return the file of the calibration of the real tray."""
        return self.path / "calibration.json"

    @property
    def settings(self) -> Path:
        """Return the settings file that is used without ``--settings``, if it is there."""
        return self.path / "settings.toml"

    @property
    def dice(self) -> Path:
        """Return the file that says since when the dice are on the table, if somebody ever swapped them."""
        return self.path / "dice.json"

    @property
    def tray_picture(self) -> Path:
        """Return the file of the virtual tray's last picture."""
        return self.path / "tray.png"

    @property
    def pin(self) -> Path:
        """Return the file of the panel's PIN."""
        return self.path / "panel.json"

    @property
    def pin_tries(self) -> Path:
        """Return the file in which wrong PINs are counted."""
        return self.path / "panel-tries.json"

    @contextmanager
    def held(self) -> Iterator[StateFolder]:
        """Make the folder if need be and be the only program running a table on it.

        The kernel lets go of the lock when the program ends, however it ends.

        Raises
        ------
        StateFolderError
            If another program holds it, or it cannot be made or written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            # On a file system without locks it would make a mark of its own, which outlives kill -9.
            lock = FileLock(self.path / "lock", fallback_to_soft=False)
            lock.acquire(timeout=0)
        except Timeout as error:
            raise StateFolderError(
                f"another mexico-table is running on the folder {self.path}; "
                "stop that one, or give this one a folder of its own with --state DIR"
            ) from error
        except OSError as error:
            raise StateFolderError(
                f"the state folder {self.path} cannot be written or locked: {error.strerror or error}; "
                "make it writable or name another with --state DIR"
            ) from error
        try:
            yield self
        finally:
            lock.release()


ANYBODYS: Final = 0o666


def write_whole(path: Path, data: bytes, *, mode: int = ANYBODYS) -> None:
    """Replace the file at *path* by *data*, all of it or nothing: whoever reads sees the old file or the new.

    Parameters
    ----------
    path, data
        The file, and what is to stand in it.
    mode
        Who may do what with it, less what the umask takes away; from before there is anything in it.

    Raises
    ------
    OSError
        If the disk is full or the folder cannot be written; the old file is untouched then.
    """
    temporary, opened = _fresh_beside(path, mode)
    try:
        with open(opened, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    try:
        descriptor = os.open(path.parent, os.O_RDONLY)
    except PermissionError:
        return  # a folder that may be written and not read: the file is there, and only its owner can sync its name
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_whole(path: Path, data: bytes) -> None:
    """Do as `write_whole` does to what a link at *path* leads to, and not to the link; its mode stays.

    Raises
    ------
    OSError
        As of `write_whole`.
    """
    there = Path(os.path.realpath(path))
    mode = stat.S_IMODE(there.stat().st_mode) if there.exists() else None
    write_whole(there, data, mode=ANYBODYS if mode is None else mode)
    if mode is not None:
        there.chmod(mode)


def _fresh_beside(path: Path, mode: int) -> tuple[Path, int]:
    """Return a file of *mode* beside *path* under a name that nothing had, and its descriptor."""
    for number in count():
        fresh = path.with_name(f".mexico-table.{os.getpid()}-{number}.tmp")
        with suppress(FileExistsError):
            return fresh, os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    raise AssertionError


def write_for(option: str, path: Path, data: bytes) -> None:
    """Write *data* to the *path* that a person named with *option*, all of it or nothing.

    What a link leads to is replaced, and not the link; into a device or a pipe it is written.

    Raises
    ------
    FileError
        If it cannot be written; the file that was there is untouched.
    """
    with _in_words(option, path, "written"):
        if os.path.exists(path) and not os.path.isfile(path):
            path.write_bytes(data)
        else:
            replace_whole(path, data)


def try_for(option: str, path: Path) -> None:
    """Find out, before the work that is to be kept there, whether `write_for` can write the *path* of *option*.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    with _in_words(option, path, "written"):
        if os.path.isdir(path):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if os.path.isfile(path) or not os.path.exists(path):
            fresh, opened = _fresh_beside(Path(os.path.realpath(path)), ANYBODYS)
            os.close(opened)
            fresh.unlink()


def make_for(option: str, folder: Path) -> None:
    """Make the *folder* that a person named with *option*, if it is not there.

    Raises
    ------
    FileError
        If it cannot be made.
    """
    with _in_words(option, folder, "made"):
        folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def _in_words(option: str, path: Path, done: str) -> Iterator[None]:
    """Say of what the system refuses that the *path* of *option* cannot be *done*."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{shown(path)}: cannot be {done} ({error.strerror}); name another {option}") from error
