"""Files that somebody names from afar: read only where they are ordinary and small, so that none is waited for."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

MOST_BYTES = 65_536
"""No board and no file of signals is longer."""


def small_text(path: Path) -> str:
    """Return what stands in the file at *path*, in UTF-8.

    Raises
    ------
    OSError
        If it cannot be read, or is a pipe, a device, or longer than `MOST_BYTES`.
    ValueError
        If it is not text.
    """
    if stat.S_ISREG(path.stat().st_mode):
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) <= MOST_BYTES:
            return text.decode("utf-8")
    raise OSError(errno.EINVAL, f"it is no ordinary file of at most {MOST_BYTES // 1024} KiB")
