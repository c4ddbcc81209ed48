"""What has passed on an emulated machine, remembered by the contents of all files it depends on."""

from __future__ import annotations

import hashlib
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_cache_path

ROOT = Path(__file__).resolve().parents[1]


def when(what: str, paths: Sequence[str]) -> str | None:
    """Return when all of *what* passed with these very files under *paths*; None when it did not."""
    stamp = _stamp(what, paths)
    return stamp.read_text(encoding="utf-8") if stamp.exists() else None


def remember(what: str, paths: Sequence[str]) -> None:
    """Keep that all of *what* has passed with the files as they are, and forget what passed before."""
    stamp = _stamp(what, paths)
    stamp.parent.mkdir(parents=True, exist_ok=True)
    for old in stamp.parent.glob("passed-*"):
        old.unlink()
    stamp.write_text(time.strftime("%Y-%m-%d at %H:%M"), encoding="utf-8")


def of_checkout(paths: Sequence[str]) -> list[str]:
    """Return the files under *paths*, changes that are not committed included."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted({name for name in names if name and (ROOT / name).is_file()})


def _stamp(what: str, paths: Sequence[str]) -> Path:
    total = hashlib.sha256()
    for name in of_checkout(paths):
        total.update(name.encode() + hashlib.sha256((ROOT / name).read_bytes()).digest())
    return user_cache_path("mexico-table") / what / f"passed-{total.hexdigest()[:16]}"
