"""When other dice came onto the table: somebody has to say so, for a camera cannot see it of dice that look alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from firmware.errors import FileError
from firmware.folder import write_whole
from hardware.pictures import shown

KEY = "swapped_s"


def noted(path: Path) -> tuple[float, ...]:
    """Return when dice were swapped, in seconds since 1970, earliest first; nothing where the file is not there.

    Raises
    ------
    FileError
        If the file is no list of such times.
    """
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return tuple(sorted(float(at_s) for at_s in known[KEY]))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        why = getattr(error, "strerror", None) or "is damaged"
        raise FileError(f"{shown(path)}: {why}; delete it to count the dice of whole evenings again") from error


def note(path: Path, at_s: float) -> None:
    """Note that other dice are on the table since *at_s*.

    Raises
    ------
    FileError
        If it cannot be written, or what is there cannot be read.
    """
    data = json.dumps({KEY: [*noted(path), at_s]})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data.encode())
    except OSError as error:
        raise FileError(f"{shown(path)}: cannot be written ({error.strerror}); name another --state") from error


def since(swapped: Sequence[float], until_s: float) -> float:
    """Return when the dice came onto the table that lay there last before *until_s*; minus infinity where no one said.

    Examples
    --------
    >>> since((10.0, 20.0), 15.0), since((), 15.0)
    (10.0, -inf)
    """
    return max((at_s for at_s in swapped if at_s <= until_s), default=float("-inf"))
