"""The errors of this package: each message is one line saying what was found, what is allowed and what to do."""

from __future__ import annotations


class FirmwareError(Exception):
    """Base of everything this package raises for what a user can cause; the command line prints it and exits 2."""


class SettingsError(FirmwareError, ValueError):
    """The settings file cannot be read, or says something that is not allowed: *problems*, one by one."""

    def __init__(self, message: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class SignalsError(FirmwareError, ValueError):
    """A file of lamp patterns and melodies cannot be read, or says something that is not allowed."""


class TextsError(FirmwareError, ValueError):
    """A table of texts of the displays is not whole: a defect of the package, found when it is read."""


class JournalError(FirmwareError, OSError):
    """The journal cannot be opened, read or written."""


class DiskError(JournalError):
    """The disk does not take the journal now: it is full, read-only or gone; what was stored is untouched."""


class StateFolderError(FirmwareError, OSError):
    """The state folder cannot be used: another program runs a table on it, or it cannot be written."""


class FileError(FirmwareError, ValueError):
    """A picture, video, calibration or game file cannot be used."""


class TableError(FirmwareError, RuntimeError):
    """The table cannot be run as it was asked for."""


class PageError(FirmwareError, OSError):
    """The page cannot be served: what was asked for and what to do."""
