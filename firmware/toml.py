"""TOML files that a person writes: read, or one line that says what is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from firmware.errors import FirmwareError
from hardware.small import small_text


def text_of(path: Path, what: str, name: str, kind: type[FirmwareError], *, small: bool = False) -> str:
    """Return what stands in the file at *path*.

    Parameters
    ----------
    what
        What the file is, for the message: ``settings`` or ``signals``.
    name
        What may be named in its place, for the message.
    kind
        Raised where it cannot be read.
    small
        Whether only an ordinary, small file will do: the path was typed at the panel.
    """
    try:
        return small_text(path) if small else path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise kind(f"the {what} file {path} cannot be read: {why}; name {name}") from error


def tables_of(text: str, name: str, kind: type[FirmwareError]) -> dict[str, Any]:
    """Return the tables in *text*; *name* says whose text it is, and *kind* is raised where it is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise kind(f"{name} is not a TOML file: {error}; correct that line") from error
